package storetest

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

func (s suite) recallLaws(t *testing.T) {
	s.check(t, "for any data and query the answer is that of brute force", 40, recallAgreesWithModel)
}

// recallAgreesWithModel asks random recalls of random data. All candidates are compared with the
// model's, every limit with all candidates, and the threshold algorithm with ranking them all.
func recallAgreesWithModel(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	w.fill(14)
	for range 3 {
		query, wanted := w.recallQuery(), w.ranking()
		m.steadily(query, func(m *tenant) {
			w := &world{tenant: m, model: w.model, random: random}
			all := m.hits(query)
			w.requireCandidates(query, all)
			w.requireScores(query, all)
			for _, limit := range []int{1, 2, 3, 5} {
				w.requireStreams(query, limit, all)
			}
			w.requireRanking(query, wanted, all)
		})
	}
}

// ranking is what a recall asks of the ranking.
type ranking struct {
	weights       memory.Weights
	k, firstLimit int
}

func (w *world) ranking() ranking {
	return ranking{
		weights: w.weights(),
		k:       rapid.IntRange(1, 6).Draw(w.random, "k"), firstLimit: rapid.IntRange(1, 4).Draw(w.random, "first limit"),
	}
}

func (w *world) recallQuery() store.RecallQuery {
	query := store.RecallQuery{Text: w.text("situation"), Filter: w.filter()}
	if v := maybe(w, "situation's embedding", directions...); v != nil {
		query.Embedding = *v
	}
	query.AsOf = maybe(w, "as of", at(0), at(4), at(8), at(12))
	return query
}

// requireCandidates checks which episodes are candidates, and all their values but the lexical score,
// of which the model knows only whether it is above 0.
func (w *world) requireCandidates(query store.RecallQuery, all map[string]memory.Candidate) {
	w.t.Helper()
	want := w.candidates(query)
	w.Equal(keysOfHits(want), keysOfHits(all), "candidates for %q, %v", query.Text, query.Embedding)
	for key, candidate := range all {
		expected := want[key]
		w.Equal(expected.Lexical > 0, candidate.Lexical > 0, "%s matches %q", key, query.Text)
		w.InDelta(expected.Cosine, candidate.Cosine, 1e-6, "cosine of %s", key)
		expected.Lexical, expected.Cosine = candidate.Lexical, candidate.Cosine
		w.Equal(expected, candidate)
	}
}

// candidates gives the episodes that pass the filter and match, or where none does all that pass it.
// Their Lexical is the share of the query's words that they have.
func (w *world) candidates(query store.RecallQuery) map[string]memory.Candidate {
	passing, matching := map[string]memory.Candidate{}, map[string]memory.Candidate{}
	for _, e := range w.model.list(query.Filter, store.NewestFirst, query.AsOf) {
		c := memory.Candidate{
			Key: e.Key, StartedAt: e.StartedAt, Lexical: sharedWords(query.Text, e), CanvasActionCount: e.CanvasActionCount,
			FeedbackSum: e.FeedbackSum, FeedbackCount: e.FeedbackCount,
		}
		if v := w.model.episodes[e.Key].Episode.Embedding; v != nil && query.Embedding != nil {
			c.Cosine = cosine(query.Embedding, v)
		}
		passing[e.Key] = c
		if c.Lexical > 0 || c.Cosine > 0 {
			matching[e.Key] = c
		}
	}
	if len(matching) > 0 {
		return matching
	}
	return passing
}

// sharedWords is the share of a text's content words that an episode has.
func sharedWords(text string, e *memory.Episode) float64 {
	wanted := stems(text)
	has := stems(e.Title + " " + e.Observation + " " + e.Insight + " " + valueOr(e.Result, ""))
	shared := 0
	for stem := range wanted {
		if has[stem] {
			shared++
		}
	}
	return float64(shared) / float64(max(1, len(wanted)))
}

// stems gives the stems of a text of the vocabulary, by their index.
func stems(text string) map[int]bool {
	found := map[int]bool{}
	for _, word := range strings.Fields(text) {
		if i := slices.IndexFunc(vocabulary, func(forms []string) bool { return slices.Contains(forms, word) }); i >= 0 {
			found[i] = true
		}
	}
	return found
}

// requireScores checks that the filter moves no lexical score, and that the best match in the tenant
// scores the share of the words that it has.
func (w *world) requireScores(query store.RecallQuery, all map[string]memory.Candidate) {
	w.t.Helper()
	query.Filter = store.EpisodeFilter{}
	unfiltered, shares := w.hits(query), w.candidates(query)
	for key, candidate := range all {
		if candidate.Lexical > 0 {
			w.Equal(unfiltered[key].Lexical, candidate.Lexical, "lexical score of %s with and without filter", key)
		}
	}
	best, share := 0.0, 0.0
	for key, candidate := range unfiltered {
		if candidate.Lexical > best {
			best, share = candidate.Lexical, 0
		}
		if candidate.Lexical == best && best > 0 {
			share = max(share, shares[key].Lexical)
		}
	}
	w.InDelta(share, best, 1e-9, "the best match of %q", query.Text)
}

// requireStreams checks the answer to a limited query: the first of every stream are there, nothing
// else is, and the rest is bounded.
func (w *world) requireStreams(query store.RecallQuery, limit int, all map[string]memory.Candidate) {
	w.t.Helper()
	query.Limit = limit
	c := w.recall(query)
	w.LessOrEqual(len(c.Items), 3*query.Limit)
	w.requireBounds(c, all)
	seen := candidateKeys(c.Items)
	for name, value := range map[string]func(memory.Candidate) float64{
		"lexical": func(c memory.Candidate) float64 { return c.Lexical },
		"cosine":  func(c memory.Candidate) float64 { return c.Cosine },
		"newest":  func(c memory.Candidate) float64 { return float64(c.StartedAt.UnixMilli()) },
	} {
		for key, candidate := range all {
			if ahead := countAhead(all, value, candidate); value(candidate) > 0 && ahead < query.Limit {
				w.Contains(seen, key, "%d are ahead in the stream %s of limit %d", ahead, name, query.Limit)
			}
		}
	}
}

// countAhead counts the candidates that come before another in a stream, those that tie with it included.
func countAhead(all map[string]memory.Candidate, value func(memory.Candidate) float64, c memory.Candidate) int {
	ahead := -1 // itself
	for _, other := range all {
		if value(other) >= value(c) {
			ahead++
		}
	}
	return ahead
}

// requireRanking compares the threshold algorithm over growing limits with ranking everything at once.
func (w *world) requireRanking(query store.RecallQuery, wanted ranking, all map[string]memory.Candidate) {
	w.t.Helper()
	everyone := slices.Collect(maps.Values(all))
	now := valueOr(query.AsOf, at(20))
	want, certain := memory.Rank(everyone, memory.Unseen{Exhausted: true}, wanted.weights, now, wanted.k)
	w.True(certain)
	w.Equal(want, w.threshold(query, wanted, now), "%+v of %+v", wanted, query)
}

// threshold reads best-first streams, further each time, until the top k is certain.
func (w *world) threshold(query store.RecallQuery, wanted ranking, now time.Time) []memory.Ranked {
	w.t.Helper()
	for query.Limit = wanted.firstLimit; query.Limit < 1<<20; query.Limit *= 2 {
		c := w.recall(query)
		if top, certain := memory.Rank(c.Items, c.Unseen, wanted.weights, now, wanted.k); certain {
			return top
		}
	}
	w.Fail("the ranking is never certain")
	return nil
}

func (w *world) weights() memory.Weights {
	number := func(label string) float64 { return oneOf(w, label, 0, 0.1, 0.3, 0.7, 1) }
	return memory.Weights{
		Semantic: number("semantic"), Temporal: number("temporal"), HalfLifeDays: oneOf(w, "half-life", 0.002, 0.01, 30),
		CanvasBoost: number("canvas boost"), PositiveBoost: number("positive boost"), NegativePenalty: number("penalty"),
		Feedback: oneOf(w, "feedback mode", memory.FeedbackFixed, memory.FeedbackSmoothed, memory.FeedbackOff),
	}
}
