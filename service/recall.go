package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/memory/summary"
	"mneme/store"
)

// How many hits a recall answers.
const (
	DefaultTopK = 5
	MaxTopK     = 100
)

// poolHead is the least length of the heads of which the pool of a recall is made.
const poolHead = 256

// Recall answers the experiences that matter in a situation, ranked by how well they match, how recent
// they are and how they turned out. It ranks a pool of candidates, which takes one read however many there
// are, and says where that is not what ranking every episode would give.
func (g *Retrieval) Recall(ctx context.Context, input RecallInput, include Include) (*Recall, error) {
	plan, err := g.planRecall(ctx, input)
	if err != nil {
		return nil, err
	}
	if plan.query.Embedding == nil && plan.query.Text != "" {
		if vectors := g.embed(ctx, []string{plan.query.Text}); vectors != nil {
			plan.query.Embedding = vectors[0]
		}
	}
	pool, err := g.store.Candidates(ctx, plan.query)
	if err != nil {
		return nil, fault("the recall", err)
	}
	candidates := slices.DeleteFunc(pool.Items, plan.query.Faint(slices.Values(pool.Items)))
	ranked := ranking.Rank(candidates, plan.weights, plan.at, plan.topK)
	episodes, err := g.hitEpisodes(ctx, plan, ranked, include)
	if err != nil {
		return nil, err
	}
	answer := &Recall{Hits: []RecallHit{}, At: plan.at, Approximate: pool.Approximate, canvasRules: g.canvasRules}
	dates := matching.Dates(plan.query.Text)
	asked := strings.TrimSpace(plan.query.Text) != "" || plan.query.Embedding != nil
	insights := map[string]int{} // the rank of the first hit with each
	for i, episode := range episodes {
		if episode == nil { // deleted since it was ranked
			continue
		}
		hit := RecallHit{
			Episode: episode, Rank: len(answer.Hits) + 1, Score: ranked[i].Score, Likeness: ranked[i].Likeness(),
			Reasons: ranking.Reasons(ranked[i], plan.weights, asked, dates, plan.at),
		}
		switch first := insights[episode.Insight]; {
		case first == 0:
			insights[episode.Insight] = hit.Rank
		case episode.Insight != summary.Insight(episode): // what is written by rule only repeats the record
			hit.Reasons = append(hit.Reasons, fmt.Sprintf("its insight is that of hit %d", first))
		}
		answer.Hits = append(answer.Hits, hit)
	}
	return answer, g.nothingFor(ctx, len(answer.Hits), calledAgent(input.AgentID), calledTaskType(input.TaskType))
}

// recallPlan is a recall input, checked and with its defaults.
type recallPlan struct {
	query                      store.RecallQuery
	weights                    ranking.Weights
	at                         time.Time // the instant it answers for
	topK                       int
	withCanvases, withFeedback bool
}

func (g *Retrieval) planRecall(ctx context.Context, input RecallInput) (recallPlan, error) {
	b := g.question(ctx)
	plan := recallPlan{
		at: g.clock(), topK: valueOr(input.TopK, DefaultTopK), weights: weightsOf(input.Ranking),
		withCanvases: valueOr(input.IncludeCanvas, true), withFeedback: valueOr(input.IncludeFeedback, true),
	}
	if !g.canvasIntegration {
		plan.withCanvases, plan.withFeedback = false, false
		plan.weights = plan.weights.WithoutContext()
	}
	asOf := b.optionalTime("asOf", input.AsOf)
	if asOf != nil {
		plan.at = *asOf
	}
	if plan.topK < 1 || plan.topK > MaxTopK {
		b.fail(memory.Invalid("topK", "is %d; it must be in 1…%d", plan.topK, MaxTopK))
	}
	b.fail(plan.weights.Check())
	filter := b.filter(EpisodeFilter{
		AgentID: input.AgentID, TaskType: input.TaskType, Outcome: input.Outcome,
		CanvasType: input.CanvasType, CanvasAction: input.CanvasAction, MinFeedbackScore: input.MinFeedbackScore,
		TimeRange: input.TimeRange, Since: input.Since, Until: input.Until,
	}, plan.at)
	plan.query = store.RecallQuery{
		Text: b.text("situation", input.Situation), Embedding: b.vector("embedding", input.Embedding, g.vectorLength),
		Filter: filter, AsOf: asOf, Weights: plan.weights, Now: plan.at, Limit: max(poolHead, plan.topK), Top: plan.topK,
	}
	return plan, b.err
}

// hitEpisodes reads the contents of the hits, in order, with the context that the caller asks for. Of contexts that the
// recall leaves out the ids are read, where the caller asks for those.
func (g *Retrieval) hitEpisodes(ctx context.Context, plan recallPlan, ranked []ranking.Ranked, include Include) ([]*memory.Episode, error) {
	if len(ranked) == 0 {
		return nil, nil
	}
	keys := make([]string, len(ranked))
	for i, hit := range ranked {
		keys[i] = hit.Key
	}
	include.Canvases, include.CanvasIDs = include.Canvases && plan.withCanvases, include.CanvasIDs && !plan.withCanvases
	include.Feedback, include.FeedbackIDs = include.Feedback && plan.withFeedback, include.FeedbackIDs && !plan.withFeedback
	episodes, err := g.store.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: include.parts(), AsOf: plan.query.AsOf})
	if err != nil {
		return nil, fault("the recall", err)
	}
	for _, episode := range episodes {
		if episode != nil {
			plan.decline(episode)
		}
	}
	return episodes, fault("the recall", g.declinedIDs(ctx, plan, episodes, include))
}

// decline leaves out what the recall goes without.
func (p recallPlan) decline(episode *memory.Episode) {
	frame(episode, p.query.AsOf)
	if with := episode.Context; !p.withCanvases {
		with.Canvases, with.CanvasIDs, with.Declined = []*memory.Canvas{}, []string{}, true
	}
	if with := episode.Context; !p.withFeedback {
		with.Feedback, with.FeedbackIDs, with.Declined = []*memory.Feedback{}, []string{}, true
	}
}

// declinedIDs fills in the ids of what was left out, where the caller asks for those. Nothing else of it is kept, so that it does not count as
// what is answered.
func (g *Retrieval) declinedIDs(ctx context.Context, plan recallPlan, episodes []*memory.Episode, include Include) error {
	of := Include{Canvases: include.CanvasIDs, Feedback: include.FeedbackIDs}
	var keys []string
	var with []*memory.EpisodeContext
	for _, e := range episodes {
		if e != nil && (of.Canvases && e.CanvasActionCount > 0 || of.Feedback && e.FeedbackCount > 0) {
			keys, with = append(keys, e.Key), append(with, e.Context)
		}
	}
	read := func(ctx context.Context, keys []string) ([]*memory.Episode, error) {
		return g.store.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: of.parts(), AsOf: plan.query.AsOf})
	}
	return eachPart(ctx, keys, read, func(i int, e *memory.Episode) {
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

// Lessons writes the hits as a block for a prompt, within a token budget; one below 1 is INVALID_INPUT. Only what the
// recall was asked to include of canvases and feedback is in it.
func (r *Recall) Lessons(maxTokens int) (string, error) {
	return ranking.Lessons(r.episodes(), r.canvasRules, r.Likeness(), maxTokens), memory.CheckTokens("maxTokens", maxTokens)
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
	for _, episode := range r.episodes() {
		if episode.Context != nil {
			canvases = append(canvases, episode.Context.Canvases...)
			feedback = append(feedback, episode.Context.Feedback...)
		}
	}
	return engagement.Of(canvases, feedback, r.canvasRules, r.At)
}

func (r *Recall) episodes() []*memory.Episode {
	episodes := make([]*memory.Episode, len(r.Hits))
	for i, hit := range r.Hits {
		episodes[i] = hit.Episode
	}
	return episodes
}

func weightsOf(input *RankingInput) ranking.Weights {
	weights := ranking.DefaultWeights
	if input == nil {
		return weights
	}
	weights.Semantic = valueOr(input.SemanticWeight, weights.Semantic)
	weights.Temporal = valueOr(input.TemporalWeight, weights.Temporal)
	weights.HalfLifeDays = valueOr(input.HalfLifeDays, weights.HalfLifeDays)
	weights.CanvasBoost = valueOr(input.CanvasBoost, weights.CanvasBoost)
	weights.PositiveBoost = valueOr(input.PositiveBoost, weights.PositiveBoost)
	weights.NegativePenalty = valueOr(input.NegativePenalty, weights.NegativePenalty)
	weights.Feedback = valueOr(input.Feedback, weights.Feedback)
	return weights
}

func valueOr[T any](chosen *T, otherwise T) T {
	if chosen != nil {
		return *chosen
	}
	return otherwise
}
