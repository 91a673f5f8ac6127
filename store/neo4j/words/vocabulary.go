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
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/neo4j/cypher"
)

// mostRepeated is how often a stem is repeated in the words of a record, at most: more hardly change what a
// match scores.
const mostRepeated = 6

// saying is a property that the words of a record come from, and how much a word in it weighs.
type saying struct {
	property string
	weight   int
}

// Sayings are the properties of each kind that have words. What names a record counts twice, and of an
// episode what was seen.
var Sayings = map[memory.Kind][]saying{
	memory.KindMemoir:      {{"name", 2}, {"description", 1}},
	memory.KindConcept:     {{"name", 2}, {"content", 1}, {"labels", 1}},
	memory.KindEpisode:     {{"title", 1}, {"observation", 2}, {"result", 1}, {"insight", 1}},
	memory.KindFeedback:    {{"corrections", 1}, {"comment", 1}},
	memory.KindObservation: {{"content", 1}},
	memory.KindCorrection:  {{"topic", 2}, {"prediction", 1}, {"correction", 1}, {"context", 1}},
}

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
// makes a search look at a record that it then leaves out.
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

// Give sets, among the properties of a record's node, the words under which the index finds it.
func Give(kind memory.Kind, properties cypher.Parameters) {
	tenant, _ := properties["tenant"].(string)
	v := VocabularyOf(tenant, kind)
	properties["words"] = v.Words(kind, properties)
	if kind == memory.KindEpisode {
		properties["wordId"] = v.id(TextsOf(properties["key"])[0])
	}
}

// Words writes what the index holds of a record with these properties.
func (v Vocabulary) Words(kind memory.Kind, properties cypher.Parameters) string {
	var written strings.Builder
	write := func(word string) {
		if written.Len() > 0 {
			written.WriteByte(' ')
		}
		written.WriteString(word)
	}
	counts, stems := map[string]int{}, []string{}
	for _, s := range Sayings[kind] {
		for _, text := range TextsOf(properties[s.property]) {
			for stem := range strings.FieldsSeq(lexical.Stems(text)) {
				if counts[stem] == 0 {
					stems = append(stems, stem)
				}
				counts[stem] += s.weight
			}
		}
	}
	for _, stem := range stems {
		for range min(counts[stem], mostRepeated) {
			write(v.Word(stem))
		}
	}
	for _, property := range marked[kind] {
		for _, value := range TextsOf(properties[property]) {
			write(v.Mark(property, value))
		}
	}
	if kind == memory.KindEpisode {
		started, _ := properties["startedAt"].(time.Time)
		write(v.Second(started))
		write(v.id(TextsOf(properties["key"])[0]))
	}
	return written.String()
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
	return cypher.Parameters{"key": all["key"], "words": all["words"], "wordId": all["wordId"]}
}

// SearchMarks are the marks that a search's filters ask of one kind; ok is false where they ask what the
// records of the kind do not have.
func (v Vocabulary) SearchMarks(kind memory.Kind, q store.SearchQuery) (required []string, ok bool) {
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
