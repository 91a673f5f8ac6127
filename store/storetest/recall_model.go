package storetest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
)

func (s suite) recallLaws(t *testing.T) {
	s.check(t, "for any data and query the answer is that of brute force", 40, recallAgreesWithModel)
}

// recallAgreesWithModel asks random recalls of random data. All candidates are compared with the
// model's, and pools of every limit with all candidates and their ranking.
func recallAgreesWithModel(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	w.fill(14)
	for range 3 {
		query, wanted := w.recallQuery(), w.weights()
		m.steadily(query, func(m *tenant) {
			w := &world{tenant: m, model: w.model, random: random}
			all := m.hits(query)
			w.requireCandidates(query, all)
			w.requireScores(query, all)
			for _, limit := range []int{1, 2, 3, 5} {
				w.requirePool(query, limit, wanted, all)
			}
		})
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

// requireCandidates checks which episodes are candidates, and all their values but that by words,
// of which the model knows only whether it is above 0.
func (w *world) requireCandidates(query store.RecallQuery, all map[string]ranking.Candidate) {
	w.t.Helper()
	want := w.candidates(query)
	w.Equal(keysOfHits(want), keysOfHits(all), "candidates for %q, %v", query.Text, query.Embedding)
	for key, candidate := range all {
		expected := want[key]
		w.Equal(expected.Match.Words > 0, candidate.Match.Words > 0, "%s matches %q", key, query.Text)
		w.InDelta(expected.Match.Meaning, candidate.Match.Meaning, 1e-6, "cosine of %s", key)
		expected.Match = candidate.Match
		w.Equal(expected, candidate)
	}
}

// candidates gives the episodes that pass the filter and match, or where none does all that pass it.
// Their Words are the share of the query's words that they have.
func (w *world) candidates(query store.RecallQuery) map[string]ranking.Candidate {
	meanings := w.meanings(query)
	passing, matched := map[string]ranking.Candidate{}, map[string]ranking.Candidate{}
	for _, e := range w.model.list(query.Filter, store.NewestFirst, query.AsOf) {
		c := ranking.Candidate{
			Key: e.Key, StartedAt: e.StartedAt, Match: matching.Parts{Match: matching.Match{Words: sharedWords(query.Text, e)}}, CanvasActionCount: e.CanvasActionCount,
			FeedbackSum: e.FeedbackSum, FeedbackCount: e.FeedbackCount,
		}
		if v := w.model.episodes[e.Key].Episode.Embedding; v != nil && query.Embedding != nil {
			c.Match.Meaning, c.Match.Compared = matching.Cosine(query.Embedding, v), true
		}
		if parts, near := meanings[memory.NodeID(memory.KindEpisode, e.Key)]; near {
			c.Match.Meaning, c.Match.Compared = parts.Meaning, parts.Compared
		}
		passing[e.Key] = c
		if c.Match.Words > 0 || c.Match.Meaning > 0 {
			matched[e.Key] = c
		}
	}
	if len(matched) > 0 {
		return matched
	}
	return passing
}

// texts are those of all episodes, also of those that were not known then.
func (w *world) texts() texts {
	all := texts{}
	for _, e := range w.model.list(store.EpisodeFilter{}, store.NewestFirst, nil) {
		all.episode(e)
	}
	return all
}

// meanings are the parts of the episodes that match by words or by what they mean, where that is looked at.
func (w *world) meanings(query store.RecallQuery) map[string]matching.Parts {
	if query.Embedding != nil {
		return nil
	}
	return w.texts().scores(query.Text, memory.KindEpisode)
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

// requireScores checks that the filter moves no score, and that each is that of package matching.
func (w *world) requireScores(query store.RecallQuery, all map[string]ranking.Candidate) {
	w.t.Helper()
	query.Filter = store.EpisodeFilter{}
	unfiltered := w.hits(query)
	for key, candidate := range all {
		if candidate.Match.Words > 0 {
			w.Equal(unfiltered[key].Match.Words, candidate.Match.Words, "score of %s with and without filter", key)
		}
	}
	scores := w.texts().scores(query.Text, memory.KindEpisode)
	for key, candidate := range all {
		w.InDelta(scores[memory.NodeID(memory.KindEpisode, key)].Words, candidate.Match.Words, 1e-9, "%s matches %q", key, query.Text)
		if candidate.Semantic() > 0 {
			w.Equal(len(stems(query.Text)) == 0, candidate.Match.Wordless)
		}
	}
}

// requirePool checks the answer to a limited query: all where no more match, and, unless the store says that
// it may be otherwise, what ranks first.
func (w *world) requirePool(query store.RecallQuery, limit int, wanted ranking.Weights, all map[string]ranking.Candidate) {
	w.t.Helper()
	query.Limit, query.Weights, query.Now = limit, wanted, valueOr(query.AsOf, at(20))
	query.Top = rapid.IntRange(0, limit).Draw(w.random, "top")
	c := w.recall(query)
	w.requireAmong(c, all)
	if len(all) <= limit {
		w.Len(c.Items, len(all))
	}
	if !c.Approximate {
		top := cmp.Or(query.Top, limit)
		w.Equal(ranked(query, slices.Collect(maps.Values(all)), top), ranked(query, c.Items, top), "%d of %+v", top, query)
	}
}

func (w *world) weights() ranking.Weights {
	number := func(label string) float64 { return oneOf(w, label, 0, 0.1, 0.3, 0.7, 1) }
	return ranking.Weights{
		Semantic: number("semantic"), Temporal: number("temporal"), HalfLifeDays: oneOf(w, "half-life", 0.002, 0.01, 30),
		CanvasBoost: number("canvas boost"), PositiveBoost: number("positive boost"), NegativePenalty: number("penalty"),
		Feedback: oneOf(w, "feedback mode", ranking.FeedbackFixed, ranking.FeedbackSmoothed, ranking.FeedbackOff),
	}
}
