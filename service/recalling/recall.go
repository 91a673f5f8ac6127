// Package recalling finds records of any kind: what matters for a situation, searches, what usually comes next,
// neighbourhoods, records by id.
package recalling

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/ranking"
	"mneme/memory/retrieval"
	"mneme/memory/summary"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// Retrieval finds records of any kind: what matters for a situation, searches, neighbourhoods, records by id.
type Retrieval struct{ t *tenancy.Tenant }

// New are those of a tenant.
func New(t *tenancy.Tenant) *Retrieval { return &Retrieval{t} }

// How many hits a recall answers.
const (
	DefaultTopK = 5
	MaxTopK     = 100
	// MaxSiblings is how many near-identical episodes of a hit are named and compared, the best.
	MaxSiblings = 20
)

// Recall answers the experiences that matter in a situation, ranked by how well they match, how recent they are and how
// they turned out. It ranks the episodes of the passages that answer the situation best, at most 100, however many
// there are, and says where that may not be what ranking every episode would give. Near-identical episodes are one hit.
func (g *Retrieval) Recall(ctx context.Context, input boundary.RecallInput, include boundary.Include) (*Recall, error) {
	plan, err := g.planRecall(ctx, input)
	if err != nil {
		return nil, err
	}
	matched, err := Find(ctx, g.t, plan.situation, plan.embedding, plan.among)
	if err != nil {
		return nil, faults.Of("the recall", err)
	}
	records := retrieval.Clear(matched.Records())
	records = records[:min(len(records), candidates)]
	standing, err := g.rank(ctx, plan, matched.candidates(records), include.Cautions)
	if err != nil {
		return nil, faults.Of("the recall", err)
	}
	episodes, leftOut, err := g.hitEpisodes(ctx, plan, standing.keys(), include)
	if err != nil {
		return nil, err
	}
	contrasts, err := g.contrasts(ctx, standing.hits)
	if err != nil {
		return nil, faults.Of("the recall", err)
	}
	siblings, err := g.siblings(ctx, plan, standing.hits, include)
	if err != nil {
		return nil, faults.Of("the recall", err)
	}
	answer := &Recall{Hits: []RecallHit{}, Corrections: []SearchHit{}, Patterns: []SearchHit{}, At: plan.at, Approximate: matched.more || standing.more, canvasRules: g.t.CanvasRules}
	byKey := make(map[string]*retrieval.Record, len(records))
	for i := range records {
		byKey[records[i].Key] = &records[i]
	}
	hitOf := func(ranked ranking.Ranked, rank int) RecallHit {
		episode := episodes[ranked.Key]
		hit := RecallHit{Episode: episode, Rank: rank, Score: ranked.Score, Moments: []Moment{}, WentWrong: plan.weights.WentWrong(ranked.Candidate), LeftOut: leftOut[ranked.Key], Turned: ranked.Turned(), Contrast: contrasts[ranked.Key], siblings: siblings[ranked.Key]}
		named := ranked.Siblings[:min(len(ranked.Siblings), MaxSiblings)]
		hit.SiblingKeys = ranking.Keys(named)
		var matches []string
		if record := byKey[episode.Key]; record != nil {
			hit.Moments, hit.Likeness = matched.show(episode, record.Moments), ranking.PerhapsAlike
			if matches = matched.question.Reasons(record); record.IsClear() {
				hit.Likeness = ranking.Alike
			}
		}
		hit.Reasons = ranking.Reasons(ranked, plan.weights, plan.asked(), matches, plan.at)
		if hit.Contrast != nil {
			hit.Reasons = append(hit.Reasons, "what succeeded: "+*hit.Contrast)
		}
		return hit
	}
	for _, ranked := range standing.hits {
		if episodes[ranked.Key] != nil { // else it was deleted since it was ranked
			answer.Hits = append(answer.Hits, hitOf(ranked, len(answer.Hits)+1))
		}
	}
	answer.caution(standing, episodes, hitOf)
	if err := g.complete(ctx, input, plan, include, answer); err != nil {
		return nil, err
	}
	return answer, g.t.NothingFor(ctx, len(answer.Hits), tenancy.Agents.Called("agentId", input.AgentID), tenancy.TaskTypes.Called("taskType", input.TaskType))
}

// rank ranks the episodes that match, or if none does those that lead without a situation, and says if more may follow.
func (g *Retrieval) rank(ctx context.Context, plan recallPlan, episodes []ranking.Candidate, withCautions bool) (s standing, err error) {
	like := slices.ContainsFunc(episodes, func(c ranking.Candidate) bool { return c.Semantic() > 0 })
	if !like && plan.asked() && plan.fallback == boundary.FallbackNone {
		return s, nil
	}
	if len(episodes) == 0 {
		episodes, s.more, err = g.t.Store.NewestAndBoosted(ctx, plan.among)
	}
	first := func(ranked []ranking.Ranked, most int) []ranking.Ranked {
		if plan.variants == boundary.VariantsGrouped {
			ranked = ranking.Grouped(ranked, plan.weights)
		}
		return ranked[:min(len(ranked), most)]
	}
	s.hits = first(ranking.Rank(episodes, plan.weights, plan.at, len(episodes)), plan.topK)
	if withCautions {
		s.cautions = first(ranking.Cautions(episodes, s.hits, plan.weights, plan.at), ranking.MaxCautions)
		for i := range s.cautions { // of a group only what went wrong is there, which would be counted as all
			s.cautions[i].Siblings = nil
		}
		s.others = ranking.Others(episodes, s.hits, s.cautions, plan.weights)
	}
	return s, err
}

// maxSiblings is of how many near-identical episodes of a hit it is told how people took them.
const maxSiblings = 4

// siblings reads by key of a hit how people took the first of its near-identical episodes; none where that is too long.
func (g *Retrieval) siblings(ctx context.Context, plan recallPlan, hits []ranking.Ranked, include boundary.Include) (map[string][]*memory.Episode, error) {
	query := store.EpisodesByKey{Parts: store.HeadOnly, AsOf: plan.among.AsOf}
	if include.Canvases && plan.withCanvases {
		query.Parts |= store.WithCanvases
	}
	if include.Feedback && plan.withFeedback {
		query.Parts |= store.WithFeedback
	}
	of := map[string]string{}
	for _, hit := range hits {
		for _, sibling := range hit.Siblings[:min(len(hit.Siblings), maxSiblings)] {
			query.Keys, of[sibling.Key] = append(query.Keys, sibling.Key), hit.Key
		}
	}
	siblings := map[string][]*memory.Episode{}
	if len(query.Keys) == 0 || query.Parts == store.HeadOnly {
		return siblings, nil
	}
	read, _, _, err := g.within(ctx, query, reading.PageBytes)
	for _, episode := range read {
		if episode != nil {
			plan.decline(episode)
			siblings[of[episode.Key]] = append(siblings[of[episode.Key]], episode)
		}
	}
	return siblings, err
}

// contrasts tell by key in what variants that succeeded differ from those that failed, for hits that have both: the hit
// itself, or of its siblings the one that is named.
func (g *Retrieval) contrasts(ctx context.Context, hits []ranking.Ranked) (map[string]*string, error) {
	var of []store.TrajectoryOf
	for _, hit := range hits {
		if turned := hit.Turned(); turned.Succeeded == 0 || turned.Failed == 0 || hit.Outcome == memory.OutcomeUnknown {
			continue
		}
		for _, c := range append([]ranking.Candidate{hit.Candidate}, hit.Siblings[:min(len(hit.Siblings), MaxSiblings)]...) {
			of = append(of, store.TrajectoryOf{Episode: c.Key, Results: []int{}})
		}
	}
	runs, err := g.trajectories(ctx, of)
	steps := map[string][]string{}
	for _, run := range runs {
		steps[run.Key] = run.Steps
	}
	contrasts := map[string]*string{}
	for _, hit := range hits {
		succeeded := hit.Outcome == memory.OutcomeSuccess
		var others [][]string
		var keys []string
		for _, c := range hit.Siblings {
			if run, read := steps[c.Key]; read && c.Outcome != memory.OutcomeUnknown && (c.Outcome == memory.OutcomeFailure) == succeeded {
				others, keys = append(others, run), append(keys, c.Key)
			}
		}
		said, other := summary.Difference(steps[hit.Key], others, succeeded)
		if said != "" && !succeeded {
			said = memory.NodeID(memory.KindEpisode, keys[other]) + " " + said
		}
		if said != "" {
			contrasts[hit.Key] = &said
		}
	}
	return contrasts, err
}

// recallPlan is a recall input, checked and with its defaults.
type recallPlan struct {
	situation                  string
	embedding                  []float32
	among                      store.Among
	weights                    ranking.Weights
	at                         time.Time // the instant it answers for
	topK                       int
	fallback                   boundary.Fallback
	variants                   boundary.Variants
	withCanvases, withFeedback bool
}

func (g *Retrieval) planRecall(ctx context.Context, input boundary.RecallInput) (recallPlan, error) {
	b := g.t.Question(ctx)
	plan := recallPlan{
		at: g.t.Clock(), topK: memory.ValueOr(input.TopK, DefaultTopK), weights: boundary.WeightsOf(input.Ranking),
		withCanvases: memory.ValueOr(input.IncludeCanvas, true), withFeedback: memory.ValueOr(input.IncludeFeedback, true),
		fallback: memory.ValueOr(input.Fallback, boundary.FallbackNone), variants: memory.ValueOr(input.Variants, boundary.VariantsGrouped),
	}
	if !g.t.CanvasIntegration {
		plan.withCanvases, plan.withFeedback = false, false
		plan.weights = plan.weights.WithoutContext()
	}
	asOf := b.OptionalTime("asOf", input.AsOf)
	plan.at = memory.ValueOr(asOf, plan.at)
	b.Within("topK", plan.topK, 1, MaxTopK)
	b.Fail(plan.weights.Check())
	filter := b.Filter(boundary.EpisodeFilter{WorkFilter: input.WorkFilter}, plan.at)
	b.Require(plan.fallback == boundary.FallbackNone || plan.fallback == boundary.FallbackRecent, "fallback", "must be NONE or RECENT")
	b.Require(plan.variants == boundary.VariantsGrouped || plan.variants == boundary.VariantsSeparate, "variants", "must be GROUPED or SEPARATE")
	plan.situation, plan.embedding = b.Text("situation", input.Situation), b.Vector("embedding", input.Embedding)
	if plan.embedding != nil && b.Err() == nil && int64(len(plan.embedding)) != g.t.Embedded.Load() {
		length, err := g.t.Store.VectorLength(ctx)
		if err == nil && length != 0 && length != len(plan.embedding) {
			err = store.ErrVectorLength
		}
		b.Fail(faults.Of("the recall", err))
	}
	plan.among = store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Filter: filter, AsOf: asOf, Limit: candidates, ToRank: true}
	return plan, b.Err()
}

// hitEpisodes reads the contents of the hits by key, with the context that the caller asks for, and says by key what
// had to be left out. Of contexts that the recall goes without the ids are read, where the caller asks for those.
func (g *Retrieval) hitEpisodes(
	ctx context.Context, plan recallPlan, keys []string, include boundary.Include,
) (byKey map[string]*memory.Episode, leftOut map[string]*string, err error) {
	if len(keys) == 0 {
		return nil, nil, nil
	}
	include.Canvases, include.CanvasIDs = include.Canvases && plan.withCanvases, include.CanvasIDs && !plan.withCanvases
	include.Feedback, include.FeedbackIDs = include.Feedback && plan.withFeedback, include.FeedbackIDs && !plan.withFeedback
	share := int64(reading.PageBytes)
	if !include.Lists { // of what is read little is answered
		share = 4 * reading.PageBytes
	}
	episodes, leftOut, err := g.asFits(ctx, store.EpisodesByKey{Keys: keys, Parts: include.Parts(), AsOf: plan.among.AsOf}, share)
	if err != nil {
		return nil, nil, faults.Of("the recall", err)
	}
	byKey = make(map[string]*memory.Episode, len(episodes))
	for _, episode := range episodes {
		if episode != nil {
			plan.decline(episode)
			byKey[episode.Key] = episode
		}
	}
	return byKey, leftOut, faults.Of("the recall", g.declinedIDs(ctx, plan, episodes, include))
}

// maxTooLong is how many episodes that do not fit are looked at before the rest is read in short.
const maxTooLong = 10

// asFits reads episodes, in order, up to so many bytes; of the others the short form, and by key what is left out.
func (g *Retrieval) asFits(
	ctx context.Context, query store.EpisodesByKey, share int64,
) (episodes []*memory.Episode, leftOut map[string]*string, err error) {
	episodes, _, fits, err := g.within(ctx, query, share)
	if fits {
		return episodes, nil, err
	}
	whole, brief := map[string]*memory.Episode{}, query
	brief.Keys, brief.Parts = nil, query.Parts|store.Brief
	for _, key := range query.Keys {
		if len(brief.Keys) < maxTooLong {
			one := query
			one.Keys = []string{key}
			read, spent, fits, err := g.within(ctx, one, share)
			if err != nil {
				return nil, nil, err
			}
			if fits {
				whole[key], share = read[0], share-spent
				continue
			}
		}
		brief.Keys = append(brief.Keys, key)
	}
	note := fmt.Sprintf("thoughts, actions, segments, metadata, and texts beyond %d characters, as it is long; ask for it alone", store.BriefText)
	short, _, fits, err := g.within(ctx, brief, reading.PageBytes)
	if !fits {
		note = "canvases, feedback, " + note
		brief.Parts &^= store.WithCanvases | store.WithFeedback
		short, err = g.t.Store.Episodes(ctx, brief)
	}
	leftOut = map[string]*string{}
	for i, episode := range short {
		whole[brief.Keys[i]] = episode
		leftOut[brief.Keys[i]] = &note
	}
	for _, key := range query.Keys {
		episodes = append(episodes, whole[key])
	}
	return episodes, leftOut, err
}

// within reads episodes if they have no more than so many bytes, and says how many they have.
func (g *Retrieval) within(
	ctx context.Context, query store.EpisodesByKey, share int64,
) (episodes []*memory.Episode, spent int64, fits bool, err error) {
	within, budget, done := store.WithShare(ctx, share)
	defer done()
	episodes, err = g.t.Store.Episodes(within, query)
	if budget.Err() != nil {
		return nil, 0, false, nil
	}
	return episodes, budget.Spent().AnswerBytes, true, err
}

// decline leaves out what the recall goes without.
func (p recallPlan) decline(episode *memory.Episode) {
	reading.MarkAsOf(episode, p.among.AsOf)
	if with := episode.Context; !p.withCanvases {
		with.Canvases, with.CanvasIDs, with.Declined = []*memory.Canvas{}, []string{}, true
	}
	if with := episode.Context; !p.withFeedback {
		with.Feedback, with.FeedbackIDs, with.Declined = []*memory.Feedback{}, []string{}, true
	}
}

// declinedIDs fills in the ids of what was left out, where the caller asks for those. Nothing else of it is kept, so
// that it does not count as what is answered.
func (g *Retrieval) declinedIDs(ctx context.Context, plan recallPlan, episodes []*memory.Episode, include boundary.Include) error {
	of := boundary.Include{Canvases: include.CanvasIDs, Feedback: include.FeedbackIDs}
	var keys []string
	var with []*memory.EpisodeContext
	for _, e := range episodes {
		if e != nil && (of.Canvases && e.CanvasActionCount > 0 || of.Feedback && e.FeedbackCount > 0) {
			keys, with = append(keys, e.Key), append(with, e.Context)
		}
	}
	read := func(ctx context.Context, keys []string) ([]*memory.Episode, error) {
		return g.t.Store.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: of.Parts() | store.HeadOnly, AsOf: plan.among.AsOf})
	}
	return reading.EachPart(ctx, keys, read, func(i int, e *memory.Episode) {
		if e == nil || e.Context == nil { // deleted since
			return
		}
		if of.Canvases {
			with[i].CanvasIDs = memory.IDs(e.Context.Canvases)
		}
		if of.Feedback {
			with[i].FeedbackIDs = memory.IDs(e.Context.Feedback)
		}
	})
}

// Likeness is how like the situation the hit is that is most so.
func (r *Recall) Likeness() ranking.Likeness {
	most := ranking.Unlike
	for _, hit := range r.Hits {
		most = max(most, hit.Likeness)
	}
	return most
}

// CanvasInsights says how people took the canvases of the hits. The recall must have been asked to
// include canvases and feedback.
func (r *Recall) CanvasInsights() engagement.Insights {
	var canvases []*memory.Canvas
	var feedback []*memory.Feedback
	for _, episode := range r.told().Taken() {
		if episode.Context != nil {
			canvases = append(canvases, episode.Context.Canvases...)
			feedback = append(feedback, episode.Context.Feedback...)
		}
	}
	return engagement.Of(canvases, feedback, r.canvasRules, r.At)
}

// Recall is the ranked and explained answer to a situation.
type Recall struct {
	Hits []RecallHit
	// Cautions went wrong in such situations, best match first (see ranking.Cautions); nil where not asked for.
	Cautions []RecallHit
	// Corrections are what people put right that matches, at most MaxCorrections; nil where they were not asked for.
	Corrections []SearchHit
	// Patterns are observations that sum up what recurs in such episodes (see package consolidation), at most MaxPatterns;
	// nil where they were not asked for.
	Patterns []SearchHit
	// Note says why there are no hits; nil where there are some.
	Note *string
	// Approximate says that so much matched that one that ranks higher may be missing.
	Approximate bool
	// At is the instant the answer holds for: asOf, else the time of the call.
	At time.Time

	others      []*memory.Episode // what succeeded where cautions went wrong
	canvasRules *memory.CanvasRules
}

// RecallHit is one experience, with why it is here.
type RecallHit struct {
	Episode *memory.Episode `json:"-"`
	Rank    int             `json:"rank"` // from 1
	Score   ranking.Score   `json:"score"`
	Reasons []string        `json:"reasons"`
	Moments []Moment        `json:"moments"` // at most three, the best first; none without a situation
	// Likeness says how like the situation it is at all.
	Likeness ranking.Likeness `json:"-"`
	// LeftOut says in words what of its episode is not here, as it is too long; nil where all is.
	LeftOut *string `json:"leftOut,omitempty"`
	// WentWrong says that it is none to copy (see ranking.Weights.WentWrong).
	WentWrong bool `json:"wentWrong"`
	// Turned says how often it was done, near-identical episodes included. SiblingKeys are the best MaxSiblings of those.
	ranking.Turned
	SiblingKeys []string `json:"-"`
	// siblings are the first of them, with their contexts, where those were asked for.
	siblings []*memory.Episode
	// Contrast is the first step in which the successful of them differ from those that failed; nil where there is none.
	Contrast *string `json:"contrast,omitempty"`
}

// SiblingIDs are the global ids of its siblings.
func (h RecallHit) SiblingIDs() []string {
	return memory.Mapped(h.SiblingKeys, func(key string) string { return memory.NodeID(memory.KindEpisode, key) })
}
