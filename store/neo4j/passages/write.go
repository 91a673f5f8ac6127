// Package passages writes the passages of records and finds them: by words in the full-text index, by meaning among
// vectors that it keeps in memory.
package passages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"time"

	"mneme/memory"
	"mneme/memory/passages"
	"mneme/store"
	"mneme/store/async"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// OfEpisode is an episode with its log.
func OfEpisode(e *memory.Episode, log []memory.Event) (r Record) {
	r.Said, r.LeftOut = passages.OfEpisode(e, log)
	return r
}

// OfEvents is an episode, of which some properties are given, as far as events came to its log.
func OfEvents(events []store.LoggedEvent, properties map[string]any) Record {
	log := memory.Mapped(events, func(e store.LoggedEvent) memory.Event { return e.Event })
	return Record{Said: passages.OfEvents(log), Properties: properties}
}

// Of is a record of another kind.
func Of(record any) Record { return Record{Said: passages.Of(record)} }

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

// Written are passages of records as a statement writes them, with their vectors or the note that these are due.
func written(kind memory.Kind, records []Record, made Vectors) [][]cypher.Parameters {
	rows := make([][]cypher.Parameters, len(records))
	async.InParts(len(records), 4, func(from, until int) struct{} { // the transaction waits for it
		for i, r := range records[from:until] {
			owner := owner(kind, r.Properties)
			for number := range r.Said {
				rows[from+i] = append(rows[from+i], row(r.Properties["tenant"], owner, number, &r.Said[number], made))
			}
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
		row["code"] = meaning.Code(p.Text)
	}
	if !made.Coded || made.Embeddings.Made {
		row["due"] = true
	}
	return row
}

// Rows are the passages of new records, for the part keep_passages.
func Rows(kind memory.Kind, records []Record, made Vectors) []cypher.Parameters {
	said := []cypher.Parameters{}
	for i, rows := range written(kind, records, made) {
		if len(rows) > 0 {
			said = append(said, saidRow(&records[i], rows))
		}
	}
	return said
}

func saidRow(r *Record, rows []cypher.Parameters) cypher.Parameters {
	row := cypher.Parameters{"key": r.Properties["key"], "rows": rows, "leftOut": nil}
	if r.LeftOut != 0 {
		row["leftOut"] = r.LeftOut
	}
	return row
}

// Became are the values of change_passages where a record says something else than it said: there are the passages that
// it has, as they were read. Those of its log may stay.
func Became(kind memory.Kind, r Record, there []map[string]any, keepLog bool, made Vectors) cypher.Parameters {
	kept := keptOf(there, owner(kind, r.Properties), made.Coded)
	if keepLog {
		r.Said, r.LeftOut = passages.WithLog(r.Said, r.LeftOut, kept, leftOut(&r))
	}
	return changed(kind, &r, passages.Become(kept, r.Said, r.LeftOut), made)
}

// Adding sets the values of change_passages where a part of an episode's log says more.
func Adding(into cypher.Parameters, r Record, there []map[string]any, made Vectors) {
	change := passages.Append(keptOf(there, "", false), r.Said, leftOut(&r))
	maps.Copy(into, changed(memory.KindEpisode, &r, change, made))
}

func changed(kind memory.Kind, r *Record, c passages.Change, made Vectors) cypher.Parameters {
	r.Said, r.LeftOut = nil, c.LeftOut
	for _, p := range c.Added {
		r.Said = append(r.Said, p.Passage)
	}
	for _, k := range c.Moved {
		r.Said = append(r.Said, k.Passage)
	}
	rows := written(kind, []Record{*r}, made)[0]
	for i, p := range c.Added {
		rows[i]["number"] = p.Number
	}
	moved := make([]cypher.Parameters, len(c.Moved))
	for i, k := range c.Moved {
		row := rows[len(c.Added)+i]
		if row["number"] = k.Number; !k.Stale {
			row = cypher.Parameters{"number": k.Number}
		}
		delete(row, "due") // the vector of an endpoint stays, as the text does
		moved[i] = cypher.Parameters{"id": k.ID, "row": row}
	}
	said := []cypher.Parameters{}
	if !c.None() || c.LeftOut != leftOut(r) {
		said = append(said, saidRow(r, rows[:len(c.Added)]))
	}
	return cypher.Parameters{"gone": c.Gone, "moved": moved, "passages": said}
}

// keptOf are passages as they were read, in the order of their numbers. Words that were not read are taken to be right.
func keptOf(there []map[string]any, owner string, coded bool) []passages.Kept {
	kept := make([]passages.Kept, len(there))
	for i, row := range there {
		k := &kept[i]
		k.ID, _ = row["id"].(int64)
		number, _ := row["number"].(int64)
		position, _ := row["position"].(int64)
		part, _ := row["part"].(string)
		k.Number, k.Position, k.Part = int(number), int(position), memory.Part(part)
		k.Step, _ = row["step"].(string)
		k.At, _ = row["at"].(time.Time)
		k.Text, _ = row["text"].(string)
		words, read := row["words"]
		k.Stale = row["owner"] != owner || coded && (row["code"] == nil || row["code"] == false) || read && (words != lexical.Stems(k.Text) || !rightCode(row, k.Text))
	}
	return kept
}

// rightCode says whether a passage has the vector of its text, or is to get it.
func rightCode(row map[string]any, text string) bool {
	code, made := row["code"].([]byte)
	return row["due"] == true || made && bytes.Equal(code, meaning.Code(text))
}

// Right says whether a record has the passages that it should have, as all of them was read.
func Right(kind memory.Kind, r Record, there []map[string]any, inParts bool) bool {
	return (inParts || leftOut(&r) == r.LeftOut) && passages.Right(keptOf(there, owner(kind, r.Properties), false), r.Said, leftOut(&r), inParts)
}

// leftOut is how many of its passages a record lacks, as it was read.
func leftOut(r *Record) int {
	number, _ := r.Properties["leftOut"].(int64)
	return int(number)
}
