// Package passages writes the passages of records and finds them: by words in the full-text index, by meaning among vectors that it keeps in
// memory.
package passages

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/memory/passages"
	"mneme/store"
	"mneme/store/async"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/vectors"
)

// OfEpisode is an episode with its log.
func OfEpisode(e *memory.Episode, log []memory.Event) (r Record) {
	r.Said, r.LeftOut = passages.OfEpisode(e, log)
	return r
}

// OfEvents is an episode, of which some properties are given, as far as events came to its log.
func OfEvents(events []store.LoggedEvent, properties map[string]any) Record {
	log := make([]memory.Event, len(events))
	for i := range events {
		log[i] = events[i].Event
	}
	return Record{Said: passages.OfEvents(log), Properties: properties}
}

// OfMemoir is a memoir.
func OfMemoir(m *memory.Memoir) Record { return Record{Said: passages.OfMemoir(m)} }

// OfConcept is a concept as it is now.
func OfConcept(c *memory.Concept) Record { return Record{Said: passages.OfConcept(c)} }

// OfObservation is an observation.
func OfObservation(o *memory.Observation) Record { return Record{Said: passages.OfObservation(o)} }

// OfCorrection is a correction.
func OfCorrection(c *memory.Correction) Record { return Record{Said: passages.OfCorrection(c)} }

// OfFeedback is feedback.
func OfFeedback(f *memory.Feedback) Record { return Record{Said: passages.OfFeedback(f)} }

// Kinds are those of the records that have passages.
var Kinds = []memory.Kind{
	memory.KindEpisode, memory.KindObservation, memory.KindConcept, memory.KindCorrection, memory.KindFeedback, memory.KindMemoir,
}

// Record is a record as its passages are made: what it says, and what is kept of it.
type Record struct {
	Said    []memory.Passage
	LeftOut int // of what it says
	// Properties of its node, at least its tenant, its key, its time, and those that filters ask for.
	Properties map[string]any
}

// mark is a property that filters compare with, and the letter that its marks begin with.
type mark struct {
	property string
	letter   byte
}

// ofUser is the letter of the mark that says whose a record is.
const ofUser = 'u'

var marked = map[memory.Kind][]mark{
	memory.KindEpisode:     {{"agent", 'a'}, {"taskType", 't'}, {"session", 's'}, {"user", ofUser}},
	memory.KindObservation: {{"session", 's'}, {"user", ofUser}},
	memory.KindConcept:     {{"memoir", 'a'}},
	memory.KindCorrection:  {{"topic", 'a'}},
}

// began is the property with the time of a record of a kind.
func began(kind memory.Kind) string {
	if kind == memory.KindEpisode {
		return "startedAt"
	}
	return "createdAt"
}

// ownerOf is the code of a tenant's records of a kind: of one length, and with nothing in it that an analyser changes.
func ownerOf(tenant string, kind memory.Kind) string { return "o" + code(8, tenant, string(kind)) }

// markOf is that of a value that filters compare with. Another value may have it, too.
func markOf(letter byte, tenant, value string) string {
	return string(letter) + code(4, tenant, string(letter), value)
}

func code(bytes int, of ...string) string {
	hash := sha256.New()
	for _, text := range of {
		fmt.Fprintf(hash, "%d %s", len(text), text)
	}
	return hex.EncodeToString(hash.Sum(nil)[:bytes])
}

// dayOf is the day of a time, so that a later one sorts after it.
func dayOf(at time.Time) string { return fmt.Sprintf("d%07d", at.Unix()/86400+beforeYears) }

// beforeYears makes the day positive for the years that there are.
const beforeYears = 1_000_000

// owner is what the index holds of a record beside its words.
func owner(kind memory.Kind, of map[string]any) string {
	tenant, _ := of["tenant"].(string)
	at, _ := of[began(kind)].(time.Time)
	all := ownerOf(tenant, kind) + " " + dayOf(at)
	for _, m := range marked[kind] {
		value, ok := of[m.property].(string)
		if ok || m.letter == ofUser { // of nobody is marked, too
			all += " " + markOf(m.letter, tenant, value)
		}
	}
	return all
}

// Vectors says which are made of passages: built-in ones with the passages, and those of an endpoint later.
type Vectors struct {
	Coded      bool
	Embeddings store.Embeddings
}

// leastShare is how many passages are worth a goroutine.
const leastShare = 16

// Written are passages of records as a statement writes them, with their vectors or the note that these are due.
func written(kind memory.Kind, records []Record, made Vectors) [][]cypher.Parameters {
	type one struct{ record, number int }
	all, rows := []one{}, make([][]cypher.Parameters, len(records))
	for i, r := range records {
		rows[i] = make([]cypher.Parameters, len(r.Said))
		for number := range r.Said {
			all = append(all, one{i, number})
		}
	}
	owners := make([]string, len(records))
	for i, r := range records {
		owners[i] = owner(kind, r.Properties)
	}
	async.InParts(len(all), leastShare, func(from, until int) struct{} { // the transaction waits for it
		for _, p := range all[from:until] {
			r := &records[p.record]
			rows[p.record][p.number] = row(r.Properties["tenant"], owners[p.record], p.number, &r.Said[p.number], made)
		}
		return struct{}{}
	})
	return rows
}

func row(tenant any, owner string, number int, p *memory.Passage, made Vectors) cypher.Parameters {
	row := cypher.Parameters{
		"tenant": tenant, "owner": owner, "number": number, "part": string(p.Part), "position": p.Position, "step": nil,
		"at": bolt.Instant(p.At), "text": p.Text, "words": lexical.Stems(p.Text), "code": nil, "due": nil,
	}
	if p.Step != "" {
		row["step"] = p.Step
	}
	if made.Coded {
		row["code"] = CodeOf(p.Text)
	}
	if !made.Coded || made.Embeddings.Made {
		row["due"] = true
	}
	return row
}

// CodeOf is the vector of a text as it is kept; empty where it has none.
func CodeOf(text string) []byte {
	v, ok := meaning.Encode(text)
	if !ok {
		return []byte{}
	}
	return vectors.Bytes(vectors.Code(v[:]))
}

// EmbeddingOf is a vector of an endpoint as it is kept.
func EmbeddingOf(vector []float32) []byte { return vectors.Bytes(vectors.Code(vector)) }

// Rows are the passages of new records, for the part keep_passages.
func Rows(kind memory.Kind, records []Record, made Vectors) []cypher.Parameters {
	said := []cypher.Parameters{}
	for i, rows := range written(kind, records, made) {
		if len(rows) > 0 {
			said = append(said, cypher.Parameters{"key": records[i].Properties["key"], "rows": rows, "leftOut": orNone(records[i].LeftOut)})
		}
	}
	return said
}

// Retold is what a record says now, but for its log where that is kept, for the part retell.
func Retold(kind memory.Kind, r Record, keepLog bool, made Vectors) cypher.Parameters {
	told := cypher.Parameters{}
	for _, row := range written(kind, []Record{r}, made)[0] {
		told[row["text"].(string)] = row //nolint:forcetypeassert // made above
	}
	return cypher.Parameters{
		"key": r.Properties["key"], "told": told, "log": keepLog, "owner": owner(kind, r.Properties), "most": passages.Most, "leftOut": orNone(r.LeftOut),
	}
}

// Adding sets the values of the part add_passages: what a part of an episode's log says.
func Adding(into cypher.Parameters, r Record, made Vectors) {
	into["passages"], into["most"] = written(memory.KindEpisode, []Record{r}, made)[0], passages.Most
}

func orNone(number int) any {
	if number == 0 {
		return nil
	}
	return number
}
