package recalling

import (
	"context"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/memory/ranking"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
)

// standing is what a recall chose of the candidates.
type standing struct {
	hits, cautions []ranking.Ranked
	others         []ranking.Candidate // what succeeded where cautions went wrong
	more           bool
}

// keys are those of all, each once.
func (s *standing) keys() (keys []string) {
	for _, r := range slices.Concat(s.hits, s.cautions) {
		keys = append(keys, r.Key)
	}
	for _, c := range s.others {
		keys = append(keys, c.Key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// caution adds the cautions to a recall that has its hits. What was deleted since is left out.
func (r *Recall) caution(chosen standing, episodes map[string]*memory.Episode, hitOf func(ranked ranking.Ranked, rank int) RecallHit) {
	r.Cautions = []RecallHit{}
	for _, other := range chosen.others {
		if episode := episodes[other.Key]; episode != nil {
			r.others = append(r.others, episode)
		}
	}
	for _, ranked := range chosen.cautions {
		if episodes[ranked.Key] != nil {
			r.Cautions = append(r.Cautions, hitOf(ranked, len(r.Cautions)+1))
		}
	}
	told := r.told()
	for i, caution := range r.Cautions {
		r.Cautions[i].Reasons = append(caution.Reasons, told.Trouble(caution.Episode)...)
	}
}

// asked says whether there is a situation at all.
func (p *recallPlan) asked() bool { return strings.TrimSpace(p.situation) != "" || p.embedding != nil }

// Why a recall has no hits, in its Note.
const (
	nothingAlike  = "Nothing remembered is like this situation; fallback RECENT brings the latest."
	NothingPasses = "Nothing is remembered that passes these filters."
	CommonWords   = "These are common words only, which find nothing: name the things that it is about."
)

// How many corrections and patterns come with a recall at most.
const (
	MaxCorrections = 3
	MaxPatterns    = 2
)

// complete adds to a recall what else matters, and says why it has no hits.
func (g *Retrieval) complete(ctx context.Context, input boundary.RecallInput, plan recallPlan, include boundary.Include, answer *Recall) (err error) {
	told := strings.TrimSpace(plan.situation) != ""
	if told && include.Corrections && plan.withFeedback && plan.among.Filter.KeepsNobodys() { // of whom corrections are
		known := func(hit SearchHit) bool {
			return plan.among.AsOf == nil || !hit.Correction().CreatedAt.After(*plan.among.AsOf)
		}
		search := func(next reading.PageInput) (*reading.Page[SearchHit], error) {
			return g.SearchCorrections(ctx, input.Situation, nil, next)
		}
		if answer.Corrections, err = firstOf(MaxCorrections, search, known); err != nil {
			return err
		}
	}
	if told && include.Patterns {
		if answer.Patterns, err = g.patterns(ctx, input, plan); err != nil {
			return err
		}
	}
	if len(answer.Hits) > 0 {
		return nil
	}
	among := plan.among
	among.Limit = 1
	remembered, _, err := g.t.Store.NewestAndBoosted(ctx, among)
	note := nothingAlike
	switch {
	case len(remembered) == 0:
		note = NothingPasses
	case plan.embedding == nil && !Tells(plan.situation):
		note = CommonWords
	}
	answer.Note = &note
	return faults.Of("the recall", err)
}

// patterns finds what consolidation says of such situations, each pattern as it was said last.
func (g *Retrieval) patterns(ctx context.Context, input boundary.RecallInput, plan recallPlan) ([]SearchHit, error) {
	said := map[string]bool{}
	prefix := ""
	if plan.among.Filter.Agent != nil {
		prefix = consolidation.KeyPrefix(*plan.among.Filter.Agent)
	}
	search := func(next reading.PageInput) (*reading.Page[SearchHit], error) {
		return g.SearchObservations(ctx, boundary.ObservationSearch{Query: input.Situation, UserFilter: input.UserFilter}, next)
	}
	return firstOf(MaxPatterns, search, func(hit SearchHit) bool {
		o := hit.Observation()
		pattern := consolidation.PatternOf(o.Key)
		known := plan.among.AsOf == nil || !o.CreatedAt.After(*plan.among.AsOf)
		if pattern == "" || said[pattern] || !known || !hit.HasWords || !strings.HasPrefix(o.Key, prefix) {
			return false
		}
		said[pattern] = true
		return true
	})
}

// firstOf are the first hits of a search that are wanted.
func firstOf(most int, search func(reading.PageInput) (*reading.Page[SearchHit], error), wanted func(SearchHit) bool) ([]SearchHit, error) {
	hits, next := []SearchHit{}, reading.PageInput{First: new(reading.MaxPage)}
	for {
		page, err := search(next)
		if err != nil {
			return nil, err
		}
		for _, hit := range page.Items {
			if len(hits) < most && wanted(hit) {
				hits = append(hits, hit)
			}
		}
		if next.After = page.Next(); len(hits) == most || next.After == nil {
			return hits, nil
		}
	}
}

// told is the recall as its lessons tell it.
func (r *Recall) told() ranking.Recalled {
	told := ranking.Recalled{
		Hits: episodesOf(r.Hits), Cautions: episodesOf(r.Cautions), Others: r.others, Likeness: r.Likeness(),
		Wrong: map[string]bool{}, Moments: map[string]string{}, Turned: map[string]string{}, Contrasts: map[string]string{}, Siblings: map[string][]*memory.Episode{},
	}
	for _, hit := range r.Patterns {
		told.Patterns = append(told.Patterns, hit.Observation().Content)
	}
	for _, hit := range slices.Concat(r.Cautions, r.Hits) { // a hit is told with its siblings
		told.Wrong[hit.Episode.Key], told.Contrasts[hit.Episode.Key] = hit.WentWrong, memory.OrZero(hit.Contrast)
		told.Siblings[hit.Episode.Key] = hit.siblings
		if hit.Times > 1 {
			told.Turned[hit.Episode.Key] = hit.Turned.Words()
		}
		if len(hit.Moments) > 0 && hit.Moments[0].Inside() {
			told.Moments[hit.Episode.Key] = hit.Moments[0].Where + ": " + strings.ReplaceAll(hit.Moments[0].Snippet, "**", "")
		}
	}
	return told
}

// Lessons writes the hits and the cautions as a block for a prompt, within a token budget; one below 1 is
// INVALID_INPUT. Only what the recall was asked to include of canvases and feedback is in it.
func (r *Recall) Lessons(maxTokens int) (string, error) {
	return ranking.Lessons(r.told(), r.canvasRules, maxTokens), memory.CheckTokens("maxTokens", maxTokens)
}

func episodesOf(hits []RecallHit) []*memory.Episode {
	return memory.Mapped(hits, func(hit RecallHit) *memory.Episode { return hit.Episode })
}
