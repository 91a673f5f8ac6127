// Package words is what the full-text index holds of a record, and how queries ask for it: stems, marks, ids and seconds
// behind what stands for a tenant and a kind of record. It speaks to nobody.
package words

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/neo4j/cypher"
)

// marked are the properties that filters compare with, by kind: each value of theirs is a mark among the words.
var marked = map[memory.Kind][]string{
	memory.KindConcept:     {"memoir", "labels"},
	memory.KindEpisode:     {"agent", "session", "taskType", "outcome"},
	memory.KindObservation: {"session"},
	memory.KindCorrection:  {"topic"},
}

// shortened are digits and letters that sort as the bytes do.
var shortened = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// shorten stands for a text where its length may not matter. That two texts have one is rare, and it only
// makes a search look at a record that it then leaves out, or a recall in the place of another.
func shorten(text string) string {
	sum := sha256.Sum256([]byte(text))
	return shortened.EncodeToString(sum[:5])
}

// Vocabulary is what the words of one kind of record of a tenant begin with.
//
// The full-text index holds a record's stems behind what stands for its tenant and its kind. So a search asks
// for terms that nobody else has: it needs no condition beside them, which would cost the index several times
// what the words do, and a word is as rare as it is in the tenant.
type Vocabulary string

// VocabularyOf is the vocabulary of one kind of record of a tenant.
func VocabularyOf(tenant string, kind memory.Kind) Vocabulary {
	return Vocabulary(shorten(tenant + "/" + string(kind)))
}

// Word stands for a stem.
func (v Vocabulary) Word(stem string) string { return string(v) + "_" + stem }

// Mark stands for a value of a property.
func (v Vocabulary) Mark(property, value string) string {
	return string(v) + "#" + shorten(property+"="+value)
}

// id stands for one record. Those of a tenant are spread evenly over what may come after the sign.
func (v Vocabulary) id(key string) string { return string(v) + "@" + shorten(key) }

// Second stands for the second that an instant is in; a later one sorts after it.
func (v Vocabulary) Second(t time.Time) string {
	var seconds [8]byte
	binary.BigEndian.PutUint64(seconds[:], uint64(t.Unix()+1<<39)) // above 0 for the years that there are
	return string(v) + "=" + shortened.EncodeToString(seconds[3:])
}

// Give sets, among the properties of a record's node, the words under which the index finds it, and its bag.
func Give(kind memory.Kind, properties cypher.Parameters) {
	tenant, _ := properties["tenant"].(string)
	v, bag := VocabularyOf(tenant, kind), BagOf(kind, properties)
	properties["words"] = v.words(kind, properties, &bag)
	properties["bag"], properties["bagLength"] = nil, nil
	if bag.Length > 0 {
		properties["bag"], properties["bagLength"] = bag.String(), bag.Length
	}
	if kind == memory.KindEpisode {
		properties["wordId"] = v.id(TextsOf(properties["key"])[0])
	}
}

// BagOf counts the stems of what a record with these properties says.
func BagOf(kind memory.Kind, properties cypher.Parameters) (bag matching.Bag) {
	for _, said := range matching.Texts(kind) {
		for _, text := range Said(properties, said.Name) {
			bag.Add(lexical.Stems(text), said.Weight)
		}
	}
	return bag
}

// Said is what a record is found by in one of its properties: nothing where another took its place.
func Said(properties cypher.Parameters, name string) []string {
	if properties["replacedAt"] != nil {
		return nil
	}
	return TextsOf(properties[name])
}

// began are the properties with the times by which the latest records of a kind are found.
func began(kind memory.Kind) string {
	if kind == memory.KindEpisode {
		return "startedAt"
	}
	return "createdAt"
}

// words writes what the index holds of a record: its stems, each once, the marks that filters ask for, its second and
// what stands for it alone.
func (v Vocabulary) words(kind memory.Kind, properties cypher.Parameters, bag *matching.Bag) string {
	var written strings.Builder
	write := func(word string) {
		if written.Len() > 0 {
			written.WriteByte(' ')
		}
		written.WriteString(word)
	}
	for _, stem := range slices.Sorted(maps.Keys(bag.Counts)) {
		write(v.Word(stem))
	}
	for _, property := range marked[kind] {
		for _, value := range TextsOf(properties[property]) {
			write(v.Mark(property, value))
		}
	}
	at, _ := properties[began(kind)].(time.Time)
	write(v.Second(at))
	write(v.id(TextsOf(properties["key"])[0]))
	return written.String()
}

// Added are what records with these properties add to what is counted of their kind, for the part count_words.
func Added(kind memory.Kind, rows []cypher.Parameters) []cypher.Parameters {
	records, length := 0, 0
	for _, row := range rows {
		if n, has := row["bagLength"].(int); has {
			records, length = records+1, length+n
		}
	}
	if records == 0 {
		return []cypher.Parameters{}
	}
	return []cypher.Parameters{{"kind": string(kind), "records": records, "length": length}}
}

// TextsOf gives what a property holds, whether it comes from a record or from the database.
func TextsOf(property any) []string {
	switch p := property.(type) {
	case string:
		return []string{p}
	case *string:
		if p != nil {
			return []string{*p}
		}
	case []string:
		return p
	case []any:
		all := make([]string, 0, len(p))
		for _, value := range p {
			if text, is := value.(string); is {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

// Searched are the kinds that the index of all kinds finds.
var Searched = []memory.Kind{
	memory.KindMemoir, memory.KindConcept, memory.KindEpisode, memory.KindFeedback, memory.KindObservation, memory.KindCorrection,
}

// Of are the words that a record should have, which says what was read of it.
func Of(tenant string, kind memory.Kind, record map[string]any) cypher.Parameters {
	all := maps.Clone(record)
	all["tenant"] = tenant
	Give(kind, all)
	return cypher.Parameters{"key": all["key"], "words": all["words"], "wordId": all["wordId"], "bag": all["bag"], "bagLength": all["bagLength"]}
}

// Same says whether a record has the words that it should have.
func Same(should cypher.Parameters, record map[string]any) bool {
	length := record["bagLength"]
	if n, is := length.(int64); is {
		length = int(n)
	}
	return should["words"] == record["words"] && should["wordId"] == record["wordId"] && should["bag"] == record["bag"] && should["bagLength"] == length
}

// SearchMarks are the marks that a search's filters ask of one kind; ok is false where they ask what the
// records of the kind do not have.
func (v Vocabulary) SearchMarks(kind memory.Kind, q store.SearchQuery) (required []string, ok bool) {
	if q.Weighing != nil && kind != memory.KindObservation {
		return nil, false
	}
	for property, values := range map[string][]string{
		"memoir": TextsOf(q.Memoir), "labels": q.Labels, "session": TextsOf(q.Session), "topic": TextsOf(q.Topic),
	} {
		if len(values) > 0 && (!slices.Contains(marked[kind], property) || property == "session" && kind == memory.KindEpisode) {
			return nil, false
		}
		for _, value := range values {
			required = append(required, AnyOf("words", v.Mark(property, value)))
		}
	}
	return required, true
}
