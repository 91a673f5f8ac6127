package neo4j

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"maps"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store/lexical"
)

// mostRepeated is how often a stem is repeated in the words of a record, at most: more hardly change what a
// match scores.
const mostRepeated = 6

// saying is a property that the words of a record come from, and how much a word in it weighs.
type saying struct {
	property string
	weight   int
}

// sayings are the properties of each kind that have words. What names a record counts twice, and of an
// episode what was seen.
var sayings = map[memory.Kind][]saying{
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

// vocabulary is what the words of one kind of record of a tenant begin with.
//
// The full-text index holds a record's stems behind what stands for its tenant and its kind. So a search asks
// for terms that nobody else has: it needs no condition beside them, which would cost the index several times
// what the words do, and a word is as rare as it is in the tenant.
type vocabulary string

func vocabularyOf(tenant string, kind memory.Kind) vocabulary {
	return vocabulary(shorten(tenant + "/" + string(kind)))
}

func (v vocabulary) word(stem string) string { return string(v) + "_" + stem }

// mark stands for a value of a property.
func (v vocabulary) mark(property, value string) string {
	return string(v) + "#" + shorten(property+"="+value)
}

// id stands for one record. Those of a tenant are spread evenly over what may come after the sign.
func (v vocabulary) id(key string) string { return string(v) + "@" + shorten(key) }

// second stands for the second that an instant is in; a later one sorts after it.
func (v vocabulary) second(t time.Time) string {
	var seconds [8]byte
	binary.BigEndian.PutUint64(seconds[:], uint64(t.Unix()+1<<39)) // above 0 for the years that there are
	return string(v) + "=" + shortened.EncodeToString(seconds[3:])
}

// giveWords sets, among the properties of a record's node, the words under which the index finds it.
func giveWords(kind memory.Kind, properties parameters) {
	tenant, _ := properties["tenant"].(string)
	v := vocabularyOf(tenant, kind)
	properties["words"] = v.words(kind, properties)
	if kind == memory.KindEpisode {
		properties["wordId"] = v.id(textsOf(properties["key"])[0])
	}
}

// words writes what the index holds of a record with these properties.
func (v vocabulary) words(kind memory.Kind, properties parameters) string {
	var written strings.Builder
	write := func(word string) {
		if written.Len() > 0 {
			written.WriteByte(' ')
		}
		written.WriteString(word)
	}
	counts, stems := map[string]int{}, []string{}
	for _, s := range sayings[kind] {
		for _, text := range textsOf(properties[s.property]) {
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
			write(v.word(stem))
		}
	}
	for _, property := range marked[kind] {
		for _, value := range textsOf(properties[property]) {
			write(v.mark(property, value))
		}
	}
	if kind == memory.KindEpisode {
		started, _ := properties["startedAt"].(time.Time)
		write(v.second(started))
		write(v.id(textsOf(properties["key"])[0]))
	}
	return written.String()
}

// textsOf gives what a property holds, whether it comes from a record or from the database.
func textsOf(property any) []string {
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

// wordsSize is how many records' words are looked at in one round trip.
const wordsSize = 500

// tellWords gives the records of versions before 7 their words, and takes away what was indexed instead. Those
// that have the right words are left alone, so that a migration that was interrupted goes on.
func (b *Backend) tellWords(ctx context.Context) error {
	for _, text := range script(named("drop_old_indexes").text) {
		if err := b.command(ctx, query{statement: statement{"drop_old_indexes", text}, write: true}); err != nil {
			return err
		}
	}
	if err := b.eachVocabulary(ctx, func(tenant string, kind memory.Kind) error {
		return newTenantStore(b, tenant).writeWords(ctx, kind)
	}); err != nil {
		return err
	}
	return b.inBatches(ctx, query{statement: named("drop_old_tokens")})
}

// eachVocabulary goes through the kinds that have text, for each tenant that has records.
func (b *Backend) eachVocabulary(ctx context.Context, do func(tenant string, kind memory.Kind) error) error {
	for _, kind := range searched {
		tenants, err := read(ctx, b, query{statement: rendered("tenants_of", labels[kind])}, column[string]("tenant"))
		if err != nil {
			return err
		}
		for _, tenant := range tenants {
			if err := do(tenant, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeWords gives the records of a kind the words that they should have, once they are locked.
func (s *tenantStore) writeWords(ctx context.Context, kind memory.Kind) error {
	_, err := s.eachSaid(ctx, kind, func(wrong []string) error {
		if len(wrong) == 0 {
			return nil
		}
		return s.write(ctx, func(t *transaction) error {
			records, err := t.lockSaid(kind, wrong)
			if err != nil {
				return err
			}
			rows := make([]parameters, len(records))
			for i, record := range records {
				rows[i] = wordsOf(s.tenant, kind, record)
			}
			return t.run(rendered("write_words", labels[kind]), parameters{"rows": rows}, nil)
		})
	})
	return err
}

// lockSaid locks records and reads what their words come from.
func (t *transaction) lockSaid(kind memory.Kind, keys []string) ([]map[string]any, error) {
	return rowsOf(t, rendered("lock_said", labels[kind]), parameters{"keys": keys}, column[map[string]any]("said"))
}

// wordsOf are the words that a record should have, which says what was read of it.
func wordsOf(tenant string, kind memory.Kind, record map[string]any) parameters {
	all := maps.Clone(record)
	all["tenant"] = tenant
	giveWords(kind, all)
	return parameters{"key": all["key"], "words": all["words"], "wordId": all["wordId"]}
}

// eachSaid goes through the records of a kind by key, and hands over, a page at a time, the keys of those whose
// words are not what they say.
func (s *tenantStore) eachSaid(ctx context.Context, kind memory.Kind, page func(wrong []string) error) (records int, err error) {
	for last := ""; ; {
		said, err := read(ctx, s.backend, s.query(rendered("said", labels[kind]), parameters{"page": after(last), "limit": wordsSize}), column[map[string]any]("said"))
		if err != nil || len(said) == 0 {
			return records, err
		}
		wrong := []string{}
		for _, record := range said {
			last = textsOf(record["key"])[0]
			should := wordsOf(s.tenant, kind, record)
			if should["words"] != record["words"] || should["wordId"] != record["wordId"] || record["boostedRight"] != true {
				wrong = append(wrong, last)
			}
		}
		records += len(said)
		if err := page(wrong); err != nil {
			return records, err
		}
	}
}
