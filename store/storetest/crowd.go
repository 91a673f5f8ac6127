package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/summary"
	"mneme/store"
)

// Crowd makes many episodes, always the same of a number, for measuring and for comparing recalls with the
// ranking of everything: a turn of a dialogue each, about twenty words, which are as unequally frequent as
// words are. Of those that tell something every other is one of the twelve words of the episode's topic, which
// some twenty episodes share. Of every hundred episodes, in the mean, one is of an agent, ten have canvases and
// ten feedback; of 10,000 one is of a task type. They began over the year before CrowdNow, nearly in their order.
type Crowd struct {
	// Size is how many episodes there are.
	Size int
	// Dimensions is the length of the episodes' vectors; 0 where they have none.
	Dimensions int
	// Steps is how many thoughts and how many actions an episode has, of about as many words as what was seen.
	Steps int
}

// CrowdNow is the instant at which a crowd is recalled.
var CrowdNow = time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)

const (
	crowdVocabulary = 30_000
	crowdSpan       = 365 * 24 * time.Hour
	crowdCentres    = 256 // around which vectors lie
)

// crowdShares are the cumulative frequencies of the words, by Mandelbrot's law. The most frequent is in about
// one of thirteen texts, as the most frequent content word of dialogues is.
var crowdShares = func() []float64 {
	shares := make([]float64, crowdVocabulary)
	sum := 0.0
	for rank := range shares {
		sum += 1 / float64(rank+20)
		shares[rank] = sum
	}
	for rank := range shares {
		shares[rank] /= sum
	}
	return shares
}()

// crowdWord spells the word of a rank. No two are alike, also after stemming: all end in a vowel that no rule takes.
func crowdWord(rank int) string {
	const consonants, vowels = "bdfgklmnprtvz", "aou"
	var word []byte
	for rank += 1000; rank > 0; rank /= len(consonants) * len(vowels) {
		syllable := rank % (len(consonants) * len(vowels))
		word = append(word, consonants[syllable%len(consonants)], vowels[syllable/len(consonants)])
	}
	return string(word)
}

func crowdRandom(kind string, i int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(i), uint64(len(kind))<<8+uint64(kind[0])))
}

const (
	ofTopic      = 20 // episodes
	wordsOfTopic = 12
)

// topic draws one of the crowd's topics.
func (c Crowd) topic(r *rand.Rand) int { return r.IntN(max(1, c.Size/ofTopic)) }

// crowdText is so many words, of which three of five tell something, and half of these of a topic.
func crowdText(r *rand.Rand, topic, words int) string {
	small := strings.Fields("the of and that is with for it on was")
	said := make([]string, words)
	for i := range said {
		if r.IntN(5) < 2 {
			said[i] = small[r.IntN(len(small))]
			continue
		}
		if r.IntN(2) == 0 {
			said[i] = crowdWord(crowdRandom("topic", topic*wordsOfTopic+r.IntN(wordsOfTopic)).IntN(crowdVocabulary))
			continue
		}
		said[i] = crowdWord(sort.SearchFloat64s(crowdShares, r.Float64()))
	}
	return strings.Join(said, " ")
}

// Key is the key of an episode.
func (c Crowd) Key(i int) string { return fmt.Sprintf("crowd-%07d", i) }

// Episode is the episode of a number.
func (c Crowd) Episode(i int) store.EpisodeRecord {
	r := crowdRandom("episode", i)
	at := CrowdNow.Add(-crowdSpan + time.Duration(float64(crowdSpan)*float64(i)/float64(c.Size)))
	at = at.Add(-time.Duration(r.Int64N(int64(time.Hour)))).Truncate(time.Millisecond)
	ended := at.Add(time.Minute)
	topic := c.topic(r)
	said := crowdText(r, topic, 15+r.IntN(10))
	e := memory.Episode{
		Key: c.Key(i), AgentKey: fmt.Sprintf("agent %d", r.IntN(100)), SessionKey: new(fmt.Sprintf("session %d", i/10)),
		TaskType: new(fmt.Sprintf("task %d", r.IntN(10_000))), Observation: said, Title: summary.Title(said),
		Outcome: []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure}[r.IntN(2)],
		Insight: crowdText(r, topic, 5), StartedAt: at, EndedAt: &ended, CreatedAt: ended,
	}
	for i := range c.Steps {
		e.Thoughts = append(e.Thoughts, crowdText(r, topic, 15+r.IntN(10)))
		e.Actions = append(e.Actions, memory.Action{StepName: "step " + crowdWord(i), Result: memory.JSON(`"` + crowdText(r, topic, 15+r.IntN(10)) + `"`)})
	}
	if c.Dimensions > 0 {
		e.Embedding = c.vector(r)
	}
	return store.EpisodeRecord{Episode: e, InputHash: []byte(e.Key)}
}

// vector is near one of a few centres, as the vectors of texts are.
func (c Crowd) vector(r *rand.Rand) []float32 {
	centre, v := crowdRandom("vector", r.IntN(crowdCentres)), make([]float32, c.Dimensions)
	scale := 1 / math.Sqrt(float64(c.Dimensions))
	for i := range v {
		v[i] = float32((centre.NormFloat64() + 0.7*r.NormFloat64()) * scale)
	}
	return v
}

// Context is the canvas actions and the feedback of an episode; most have none.
func (c Crowd) Context(i int) (actions []store.CanvasActionRecord, feedback []store.FeedbackRecord) {
	r, key := crowdRandom("context", i), c.Key(i)
	at := *c.Episode(i).Episode.EndedAt
	if r.IntN(10) == 0 {
		actions = append(actions, present("canvas of "+key, at).of(key).CanvasActionRecord)
	}
	if r.IntN(10) == 0 {
		reaction := thumbsUp("feedback on "+key, at.Add(time.Hour))
		if r.IntN(3) == 0 {
			reaction = rating("feedback on "+key, 1, at.Add(time.Hour))
		}
		feedback = append(feedback, reaction.on(key).FeedbackRecord)
	}
	return actions, feedback
}

// Situation is the i-th situation of so many words, and its vector where episodes have one.
func (c Crowd) Situation(i, words int) (text string, vector []float32) {
	r := crowdRandom("situation", i)
	if c.Dimensions > 0 {
		vector = c.vector(r)
	}
	return crowdText(r, c.topic(r), words), vector
}

// Record writes the crowd, and calls done after each part of it.
func (c Crowd) Record(ctx context.Context, s store.Store, done func(recorded int)) error {
	if _, err := s.InputKey(ctx); err != nil { // as is asked for before anything is written
		return err
	}
	const part = 100 // so that a database that is cold writes one in time
	for from := 0; from < c.Size; from += part {
		to := min(from+part, c.Size)
		var episodes []store.EpisodeRecord
		var actions []store.CanvasActionRecord
		var feedback []store.FeedbackRecord
		for i := from; i < to; i++ {
			episodes = append(episodes, c.Episode(i))
			shown, said := c.Context(i)
			actions, feedback = append(actions, shown...), append(feedback, said...)
		}
		if err := errors.Join(
			fault(store.Record(ctx, s, episodes)), fault(store.Record(ctx, s, actions)), fault(store.Record(ctx, s, feedback)),
		); err != nil {
			return err
		}
		done(to)
	}
	return nil
}
