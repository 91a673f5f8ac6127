// Package retrieval decides what is found for a question: how well passages match by their words and by what they mean,
// what stands around them lends them, and how the passages of a record make its match. docs/ranking.md explains it.
package retrieval

import (
	"cmp"
	"math"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/stats"
)

// Question is what is looked for.
type Question struct {
	Words Words
	// Vectors are those of the question: a passage is compared with the one that has the length of its own.
	Vectors [][]float32

	dates []matching.Date
	names matching.Names
}

// Ask makes a question of a text, of which the words were chosen.
func Ask(text string, words Words, vectors ...[]float32) Question {
	return Question{Words: words, Vectors: vectors, dates: matching.Dates(text), names: matching.NamesIn(text)}
}

// Passage is a passage that was found, or stands beside one.
type Passage struct {
	memory.Passage
	Kind   memory.Kind // of its record
	Key    string
	Number int // its place in the record
	// Session is that of an observation, whose neighbours are the observations before and after it; else "".
	Session string
	// Counts and Length are what Words.Count says of its stems.
	Counts []int
	Length int
	Vector []float32 // nil where it has none
}

// Reach is how many passages on either side of one lend it their words.
const Reach = 4

// Match is how a passage, or the best of a record, matches.
type Match struct {
	// Own is the share of the words' worth that the passage has itself, and Words with what the passages beside it lend; in 0…1.
	Own, Words float64
	// Meaning is the cosine, in −1…1; Compared says that there was something to compare.
	Meaning  float64
	Compared bool
	// Date is how near it is to a time that the question names, in 0…1, and Speaker whom it names of the passage.
	Date    float64
	Speaker string
	// Score is all of it, in 0…1: near 1 for a good answer to a question in natural words, near 0 for one that is remote.
	Score float64
}

// Moment is a passage that matches.
type Moment struct {
	Passage
	Match
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

// The shares of what counts beside the words: measured on dialogues, chosen on one half of them and confirmed on the other.
const (
	meaningShare = 0.65
	dateShare    = 0.26
	speakerShare = 0.13
	// withoutMeaning is what words alone count, and withoutWords what meaning alone does.
	withoutMeaning = 1.4
	withoutWords   = 1.4
	// further is how much less each further passage of a record counts, and mostFurther how many do.
	further      = 0.3
	mostCounting = 4
	mostMoments  = 3
)

// Rank returns the records that match, best first, by the passages that were found and those beside them.
func (q *Question) Rank(found, beside []Passage) []Record {
	return q.Records(q.Moments(found, beside))
}

// Moments returns the passages that match, best first, of those that were found and those beside them. What matches by a
// faint meaning alone is left out.
func (q *Question) Moments(found, beside []Passage) []Moment {
	moments := make([]Moment, 0, len(found)+len(beside))
	for _, strand := range strands(found, beside) {
		moments = append(moments, q.match(strand)...)
	}
	least := leastBeside(moments)
	moments = slices.DeleteFunc(moments, func(m Moment) bool { return !m.HasWords() && m.Meaning < least || m.Score <= 0 })
	slices.SortFunc(moments, bestFirst)
	return moments
}

// Records returns the records of moments, best first.
func (q *Question) Records(moments []Moment) []Record {
	at := map[string]int{}
	var records []Record
	for _, m := range moments {
		id := memory.NodeID(m.Kind, m.Key)
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
		sum, share := 0.0, 1.0
		for _, m := range r.Moments[:min(len(r.Moments), mostCounting)] {
			sum += share * q.raw(&m.Match)
			share *= further
		}
		r.Score = calibrate(sum)
		r.Moments = r.Moments[:min(len(r.Moments), mostMoments)]
	}
	slices.SortStableFunc(records, func(a, b Record) int { return cmp.Compare(b.Score, a.Score) })
	return records
}

func bestFirst(a, b Moment) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), b.At.Compare(a.At), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number))
}

// raw adds up what a match is made of.
func (q *Question) raw(m *Match) float64 {
	sum := m.Words + meaningShare*max(0, m.Meaning)
	switch {
	case !m.Compared:
		sum = withoutMeaning * m.Words
	case len(q.Words.Stems) == 0:
		sum = withoutWords * m.Meaning
	}
	if m.Speaker != "" {
		sum += speakerShare
	}
	return sum + dateShare*m.Date
}

// calibrate makes a share in 0…1 of what was added up.
func calibrate(sum float64) float64 { return stats.Unit(sum / 1.5) }

// strand is passages in the order in which they stand: those of a record, or the observations of a session.
type strand []placed

type placed struct {
	Passage
	place int
}

// strands puts passages in their order, each once.
func strands(found, beside []Passage) []strand {
	type id struct {
		kind   memory.Kind
		key    string
		number int
	}
	seen := map[id]bool{}
	at := map[string]int{}
	var all []strand
	for _, p := range slices.Concat(found, beside) {
		if seen[id{p.Kind, p.Key, p.Number}] {
			continue
		}
		seen[id{p.Kind, p.Key, p.Number}] = true
		of := memory.NodeID(p.Kind, p.Key)
		if p.Session != "" {
			of = memory.NodeID(memory.KindSession, p.Session)
		}
		i, known := at[of]
		if !known {
			i = len(all)
			at[of] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], placed{p, p.Number})
	}
	for _, s := range all {
		slices.SortFunc(s, func(a, b placed) int {
			if a.Session == "" {
				return cmp.Compare(a.Number, b.Number)
			}
			return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number))
		})
		for i := range s {
			if s[i].Session != "" {
				s[i].place = i
			}
		}
	}
	return all
}

// lent is how much of a word's worth is left after so many steps.
var lent = [Reach + 1]float64{1, 0.7, 0.49, 0.343, 0.2401}

// match matches the passages of a strand.
func (q *Question) match(s strand) []Moment {
	moments := make([]Moment, len(s))
	best := make([]float64, len(s)) // of one word
	for word := range q.Words.Stems {
		clear(best)
		for i := range s {
			own := q.Words.has(word, &s[i].Passage)
			moments[i].Own += own
			for _, j := range s.around(i, Reach) {
				best[j] = max(best[j], own*lent[s.apart(i, j)])
			}
		}
		for i, w := range best {
			moments[i].Words += w
		}
	}
	for i := range moments {
		m := &moments[i]
		m.Passage, m.Own, m.Words = s[i].Passage, stats.Unit(m.Own), stats.Unit(m.Words)
		m.Meaning, m.Compared = q.meaning(s, i)
		m.Date = matching.Near(q.dates, m.At)
		if said, by := q.names.Speaker(m.Text, ""); said > 0 {
			m.Speaker = by
		}
		m.Score = calibrate(q.raw(&m.Match))
	}
	return moments
}

// around are the places of a strand within reach of one, itself included.
func (s strand) around(at, reach int) []int {
	var places []int
	for j := max(0, at-reach); j <= min(len(s)-1, at+reach); j++ {
		if s.apart(at, j) <= reach {
			places = append(places, j)
		}
	}
	return places
}

func (s strand) apart(i, j int) int { return max(s[i].place-s[j].place, s[j].place-s[i].place) }

// near is how much the vectors of observations count beside one's own, by how many steps they are away.
var near = [...]float64{1, 0.5, 0.25}

// meaning is the cosine of the question with a passage; with an observation as it stands in its session, if it has one.
func (q *Question) meaning(s strand, at int) (cosine float64, compared bool) {
	own := s[at].Vector
	i := slices.IndexFunc(q.Vectors, func(v []float32) bool { return len(v) == len(own) })
	if len(own) == 0 || i < 0 {
		return 0, false
	}
	places := []int{at}
	if s[at].Session != "" {
		places = s.around(at, len(near)-1)
	}
	sum := make([]float64, len(own))
	for _, j := range places {
		if len(s[j].Vector) != len(own) {
			continue
		}
		for k, x := range s[j].Vector {
			sum[k] += near[s.apart(at, j)] * float64(x)
		}
	}
	var product, squareA, squareB float64
	for k, x := range sum {
		y := float64(q.Vectors[i][k])
		product += x * y
		squareA += x * x
		squareB += y * y
	}
	if squareA == 0 || squareB == 0 {
		return 0, false
	}
	return product / math.Sqrt(squareA*squareB), true
}
