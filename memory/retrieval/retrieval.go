// Package retrieval decides what is found for a question: how well passages match by their words and by what they mean,
// what stands around them lends them, and how the passages of a record make its match. docs/ranking.md explains it.
package retrieval

import (
	"cmp"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/stats"
)

// Question is what is looked for.
type Question struct {
	Words Words
	// BuiltIn and Embedding are its vectors, one of which is compared with a passage's of that kind; nil where none.
	BuiltIn, Embedding []float32

	dates []Date
	names Names
}

// Ask makes a question of a text, of which the words were chosen.
func Ask(text string, words Words, builtIn, embedding []float32) Question {
	return Question{Words: words, BuiltIn: builtIn, Embedding: embedding, dates: Dates(text), names: NamesIn(text)}
}

// Passage is a passage that was found, or stands beside one.
type Passage struct {
	memory.Passage
	Kind   memory.Kind // of its record
	Key    string
	Number int // its place in the record
	// Beside says that it was not found itself, but stands in a record beside what was: it counts, and is no moment.
	Beside bool
	// Session is that of an observation, whose neighbours are the observations before and after it; else "".
	Session string
	// Whole says that all observations within Reach of it in its session are there, too.
	Whole bool
	// Counts is what Count says of its stems, and Length how many of these there are: its content words.
	Counts []int
	Length int
	Vector []float32 // nil where it has none
	// BuiltIn says that the vector is a built-in one, of which it is known from where on it means anything.
	BuiltIn bool
}

// Reach is how many passages on either side of one lend it their words.
const Reach = 4

// Match is how a passage, or the best of a record, matches.
type Match struct {
	// Own is the share of the words' worth that the passage has itself, Words with what its neighbours lend; in 0…1.
	Own, Words float64
	// Meaning is the cosine, in −1…1; Compared says that there was something to compare.
	Meaning  float64
	Compared bool
	// Embedded says that it is the cosine of embeddings: each model has a scale of its own.
	Embedded bool
	// Date is how near it is to a time that the question names, in 0…1, and Speaker whom it names of the passage.
	Date    float64
	Speaker string
	// Score is all of it, in 0…1: near 1 for a good answer to a question in natural words, near 0 for one that is remote.
	Score float64
	like  float64 // see likeness
}

// Moment is a passage that matches.
type Moment struct {
	*Passage
	Match
}

// recordID tells records of all kinds apart.
type recordID struct {
	kind memory.Kind
	key  string
}

// Record is a record that matches by its passages.
type Record struct {
	Kind memory.Kind
	Key  string
	// Match is that of the best passage, with the Score of all.
	Match
	// Moments are its best passages, the best first.
	Moments []Moment
}

// At is when its best passage was said.
func (r *Record) At() time.Time { return r.Moments[0].At }

// How the passages of a record add up: each further one fills so much less of what the better ones leave open.
const (
	further     = 0.15
	maxCounting = 4
	maxMoments  = 3
)

// Moments returns the passages that match, best first, of those that were found and those beside them, in the sessions
// of observations and in other records, each given once; it refers to them. What has no words and means hardly
// anything like it is left out.
func (q *Question) Moments(found, beside []Passage) []Moment {
	moments := make([]Moment, 0, len(found)+len(beside))
	for _, strand := range strands(found, beside) {
		moments = append(moments, q.match(strand)...)
	}
	moments = slices.DeleteFunc(moments, func(m Moment) bool { return m.like < leastLike || isFaint(&m.Match, leastMeaning) })
	slices.SortFunc(moments, bestFirst)
	return moments
}

// Records returns the records of moments, best first.
func (q *Question) Records(moments []Moment) []Record {
	at := map[recordID]int{}
	var records []Record
	for _, m := range moments {
		id := recordID{m.Kind, m.Key}
		i, known := at[id]
		if !known {
			i = len(records)
			at[id] = i
			records = append(records, Record{Kind: m.Kind, Key: m.Key, Match: m.Match})
		}
		records[i].Moments = append(records[i].Moments, m)
	}
	for i := range records {
		r := &records[i]
		open, share := 1.0, 1.0
		for _, m := range r.Moments[:min(len(r.Moments), maxCounting)] {
			open *= 1 - share*stats.Unit(m.like)
			share *= further
		}
		r.Score = calibrate(1 - open)
		r.Moments = Shown(r.Moments)
		r.Moments = r.Moments[:min(len(r.Moments), maxMoments)]
	}
	records = slices.DeleteFunc(records, func(r Record) bool { return len(r.Moments) == 0 })
	slices.SortStableFunc(records, func(a, b Record) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.like, a.like)) })
	return records
}

// Shown are the moments of passages that were found.
func Shown(moments []Moment) []Moment {
	return slices.DeleteFunc(slices.Clone(moments), func(m Moment) bool { return m.Beside })
}

func bestFirst(a, b Moment) int {
	if a.like != b.like { // mostly, and then the rest is not worth comparing
		return cmp.Compare(b.like, a.like)
	}
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number))
}
