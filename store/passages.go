package store

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/nextsteps"
	"mneme/memory/passages"
	"mneme/memory/ranking"
	"mneme/memory/retrieval"
	"mneme/store/meaning"
	"mneme/store/vectors"
)

// FoundPassage is a passage as a store keeps it, with its record.
type FoundPassage struct {
	// ID is the store's own, for as long as the passage is there.
	ID   int64
	Kind memory.Kind // of its record
	Key  string
	// Number is its place among the passages of its record, from 0; in a log that came in parts there are gaps.
	Number int
	// Record is the store's own number of its record, where it needs one.
	Record int64
	// Session is the key of an observation's session, in which its neighbours are; else empty.
	Session string
	memory.Passage
	// Words are its stems as lexical.Hash has them. What was taken from memory has them without its Text.
	Words []uint32
	// BuiltIn is its built-in vector, of length 1; nil where the store has no vectors, or the text has no known word.
	BuiltIn []float32
	// Embeddings are, if any, the vector that came with an episode, for its first passage, and that of an endpoint.
	Embeddings [][]float32
	// Episode is what the ranking needs to know of the record, without Match, where that is an episode and Among.ToRank.
	Episode *ranking.Candidate
}

// Beside are entries of the same record as passages, without texts and with their embeddings.
func (p *FoundPassage) Beside(entries []vectors.Entry, embeddings []*vectors.Memory) []FoundPassage {
	var known []vectors.Entry
	for _, m := range embeddings {
		known = append(known, m.Of(uint64(p.Record), func(*vectors.Entry) bool { return true })...)
	}
	all := make([]FoundPassage, len(entries))
	for i, e := range entries {
		all[i] = FoundPassage{ID: e.ID, Kind: p.Kind, Key: p.Key, Number: int(e.Number), Record: p.Record, Words: e.Words, BuiltIn: vectors.Unit(e.Code)}
		all[i].At = e.At
		for _, other := range known {
			if other.ID == e.ID || other.Number == 0 && e.Number == 0 { // the one that came with an episode is of its first
				all[i].Embeddings = append(all[i].Embeddings, vectors.Vector(other.Code))
			}
		}
	}
	return all
}

// Among says which passages are looked for: those of the kinds whose records meet every set condition.
type Among struct {
	Kinds []memory.Kind
	// Filter and AsOf are for episodes, as in EpisodesByKey: the filter applies to what was known then. User is for all.
	Filter EpisodeFilter
	AsOf   *time.Time
	// The conditions of single kinds; each leaves out what it does not fit.
	Memoir  *string   // concepts of this memoir
	Labels  []string  // concepts that have all of these
	Topic   *string   // corrections on this topic
	Session *string   // observations of this session
	Weight  *Weighing // observations that weigh enough
	// ToRank has passages of episodes come with what the ranking needs to know of these, as it was known at AsOf;
	// Informed is by the episodes known then, of whatever user.
	ToRank bool
	// Limit is how many at most, 1 or more.
	Limit int
}

// Fitting are those of the kinds whose records have passages and can meet the conditions of single kinds.
func (a *Among) Fitting() []memory.Kind {
	return slices.DeleteFunc(slices.Clone(passages.Kinds), func(kind memory.Kind) bool {
		return !slices.Contains(a.Kinds, kind) || !a.fits(kind)
	})
}

func (a *Among) fits(kind memory.Kind) bool {
	return (a.Memoir == nil && len(a.Labels) == 0 || kind == memory.KindConcept) && (a.Topic == nil || kind == memory.KindCorrection) &&
		(a.Session == nil && a.Weight == nil || kind == memory.KindObservation) && (kind.OfUsers() || a.Filter.KeepsNobodys())
}

// Passages finds the passages that records are found by. They are made when a record is written, in its transaction
// (see package passages), change and go with it, and never leave the store otherwise.
type Passages interface {
	// Rarities answers how much each stem (of package lexical) tells by retrieval.Rarity. It may be an estimate.
	Rarities(ctx context.Context, stems []string) ([]float64, error)
	// PassagesByWords returns the best by the store's own BM25, best first, of those that have any of the stems, and
	// whether there are more.
	PassagesByWords(ctx context.Context, stems []string, among Among) (found []FoundPassage, more bool, err error)
	// PassagesByMeaning returns the nearest to a vector by cosine, the nearest first: by their codes where it is built in,
	// else by their embeddings of its length. More says that not all were compared. What words find may be left out, and a
	// store that has words in memory may then return fewer, which match best by words and meaning together.
	PassagesByMeaning(ctx context.Context, question Question, among Among) (found []FoundPassage, more bool, err error)
	// PassagesBeside returns what stands around passages: of observations of sessions the passages of these and of those
	// within reach that users let pass, of other records those within twice the reach, perhaps without texts, as far as
	// they are known. Those that were given are not among the answer.
	PassagesBeside(ctx context.Context, of []FoundPassage, reach int, users UserFilter) ([]FoundPassage, error)
	// NewestAndBoosted returns the episodes that lead without a situation, as ToRank says: of those that pass, the
	// newest, and the newest of those with canvas actions or positive feedback, among.Limit of either, each once, and
	// whether there are more.
	NewestAndBoosted(ctx context.Context, among Among) (found []ranking.Candidate, more bool, err error)
}

// TrajectoriesOf lists the steps of episodes, whole and in no order: of those that are there and can be read. It is not
// counted.
type TrajectoriesOf []TrajectoryOf

// Place is by episode.
func (TrajectoriesOf) Place(t *nextsteps.Trajectory) Position { return Position{Key: t.Key} }

// TrajectoryOf asks for an episode's steps, and for the results at some positions of at most MaxStepResult.
type TrajectoryOf struct {
	Episode string `json:"episode"`
	Results []int  `json:"results"`
}

// The bounds of a trajectory: bytes of a result, and entries of a log that are looked at.
const (
	MaxStepResult = 64 << 10
	MaxStepsIn    = 2000
)

// Question is a vector that is asked for, BuiltIn or Embedding.
type Question struct {
	BuiltIn   *meaning.Vector
	Embedding []float32
	// ByWords waits for what its words find; nil where nobody asked for that.
	ByWords func() ByWords
}

// ByWords is what words find: those that count, and the passages.
type ByWords struct {
	Words    retrieval.Words
	Passages []FoundPassage
}

// Vector is the one that is set.
func (q *Question) Vector() []float32 {
	if q.BuiltIn != nil {
		return q.BuiltIn[:]
	}
	return q.Embedding
}
