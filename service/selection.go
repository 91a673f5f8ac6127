package service

import (
	"context"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/graduation"
	"mneme/memory/retrieval"
	"mneme/memory/selection"
	"mneme/store"
)

// RankAgents ranks the agents that have worked on a type of task, the best first. first bounds how many are
// answered, 0 to 100; nil means all.
func (l *Learning) RankAgents(ctx context.Context, input SelectionInput, first *int) ([]selection.AgentRanking, error) {
	if first != nil && (*first < 0 || *first > MaxPage) {
		return nil, memory.Invalid("first", "is %d; it must be in 0…%d", *first, MaxPage)
	}
	evidence, err := l.selection(ctx, input, false)
	if err != nil {
		return nil, err
	}
	ranking := selection.Rank(evidence)
	return ranking[:min(len(ranking), valueOr(first, len(ranking)))], nil
}

// SelectAgent chooses the agent for a task: the best, or, to explore, the one that could be. It is
// NO_AGENTS_AVAILABLE where nobody can be chosen.
func (l *Learning) SelectAgent(ctx context.Context, input SelectionInput, explore bool) (*selection.AgentRanking, error) {
	evidence, err := l.selection(ctx, input, explore)
	if err != nil {
		return nil, err
	}
	if explore {
		if choice, ok := selection.Explore(evidence, l.seed()); ok {
			return &choice, nil
		}
		return nil, selection.NoAgentsKnown()
	}
	if ranking := selection.Rank(evidence); len(ranking) > 0 {
		return &ranking[0], nil
	}
	return nil, selection.NoAgentsAvailable()
}

// selection reads what agents are ranked by.
func (l *Learning) selection(ctx context.Context, input SelectionInput, everyone bool) (selection.Evidence, error) {
	var err error
	b := l.question(ctx)
	asOf := b.optionalTime("asOf", input.AsOf)
	situation := b.optional("situation", input.Situation)
	evidence := selection.Evidence{
		TaskType: b.label("taskType", input.TaskType), Now: valueOr(asOf, l.clock()), Situation: hasText(situation),
	}
	if b.err != nil {
		return evidence, b.err
	}
	evidence.Profiles, err = l.store.Profiles(ctx, store.ProfileFilter{TaskTypes: []string{evidence.TaskType}, AsOf: asOf})
	if err == nil {
		err = l.nothingFor(ctx, len(evidence.Profiles), calledTaskType(&evidence.TaskType))
	}
	if err != nil || len(evidence.Profiles) == 0 && !everyone {
		return evidence, fault("the profiles", err)
	}
	records := store.AgentRecordsOf{AsOf: asOf}
	if !evidence.Situation && !everyone {
		records.Agents = agentsOf(evidence.Profiles)
	}
	if evidence.Records, err = l.agentRecords(ctx, records); err != nil {
		return evidence, fault("the agents", err)
	}
	if evidence.Situation {
		evidence.Similar, err = l.similar(ctx, *situation, asOf)
	}
	return evidence, fault("the similar episodes", err)
}

// agentRecords reads what agents did of each task type: little of many, which counts for a sum.
func (l *Learning) agentRecords(ctx context.Context, of store.AgentRecordsOf) ([]memory.AgentRecord, error) {
	sum := store.BudgetOf(ctx).Sum()
	records, err := l.store.AgentRecords(store.Unmetered(ctx), of)
	for i := 0; err == nil && i < len(records); i++ {
		err = sum.Add(len(records[i].Tasks))
	}
	return records, err
}

func agentsOf(profiles []*memory.LearningProfile) []string {
	return memory.Mapped(profiles, func(profile *memory.LearningProfile) string { return profile.AgentKey })
}

// similar finds the episodes most similar to a situation whose outcome is known, of any agent and type of
// task. Where more are equally similar, it hardly matters which of them are looked at.
func (l *Learning) similar(ctx context.Context, situation string, asOf *time.Time) ([]selection.SimilarEpisode, error) {
	found, err := l.find(ctx, l.store, situation, nil, store.Among{
		Kinds: []memory.Kind{memory.KindEpisode}, Filter: store.EpisodeFilter{OutcomeKnown: true}, AsOf: asOf,
	})
	if err != nil {
		return nil, err
	}
	records := retrieval.Clear(found.records())
	return l.outcomesOf(ctx, records[:min(len(records), selection.SimilarLimit)], asOf)
}

// outcomesOf reads how similar episodes turned out.
func (l *Learning) outcomesOf(ctx context.Context, similar []retrieval.Record, asOf *time.Time) (outcomes []selection.SimilarEpisode, err error) {
	query := store.EpisodesByKey{AsOf: asOf, Parts: store.HeadOnly}
	for _, record := range similar {
		query.Keys = append(query.Keys, record.Key)
	}
	episodes, err := l.store.Episodes(store.Unmetered(ctx), query)
	for i, episode := range episodes {
		if episode == nil { // deleted since it was found
			continue
		}
		if outcome, ok := selection.SimilarOf(episode, similar[i].Score); ok {
			outcomes = append(outcomes, outcome)
		}
	}
	return outcomes, err
}

// GraduationWeights change how much each part counts in the quality of an episode; a nil leaves the default.
type GraduationWeights struct {
	Completion      *float64 `json:"completion,omitempty" jsonschema:"Of whether it succeeded; 0.4."`
	CanvasSuccess   *float64 `json:"canvasSuccess,omitempty" jsonschema:"Of the share of its canvases with a reward above 0; 0.3."`
	FeedbackQuality *float64 `json:"feedbackQuality,omitempty" jsonschema:"Of what people thought of it; 0.2."`
	Consistency     *float64 `json:"consistency,omitempty" jsonschema:"Of how evenly the agent succeeds; 0.1."`
}

// over lays the weights over the default ones.
func (w *GraduationWeights) over(d graduation.Weights) (graduation.Weights, error) {
	if w == nil {
		return d, nil
	}
	weights := graduation.Weights{
		Completion: valueOr(w.Completion, d.Completion), CanvasSuccess: valueOr(w.CanvasSuccess, d.CanvasSuccess),
		FeedbackQuality: valueOr(w.FeedbackQuality, d.FeedbackQuality), Consistency: valueOr(w.Consistency, d.Consistency),
	}
	return weights, weights.Check()
}

// AgentGraduation says how far an agent is trusted to work by itself, judged by all of its episodes.
func (l *Learning) AgentGraduation(ctx context.Context, agentKey string, own *GraduationWeights) (*graduation.Graduation, error) {
	weights, err := own.over(graduation.DefaultWeights())
	if err != nil {
		return nil, err
	}
	sum, ctx := store.BudgetOf(ctx).Sum(), store.Unmetered(ctx)
	var outcomes []memory.EpisodeOutcome
	query := store.OutcomesOf{Filter: store.EpisodeFilter{Agent: &agentKey}}
	err = listOf(l.store, "", query).summed(ctx, sum, func(outcome *memory.EpisodeOutcome) { outcomes = append(outcomes, *outcome) })
	if err != nil {
		return nil, fault("the agent", err)
	}
	successes := graduation.CanvasSuccesses{}
	err = l.canvases(store.CanvasesOf{Agent: &agentKey}, nil).each(ctx, nil, func(canvases []*memory.Canvas) error {
		for _, canvas := range canvases {
			successes.Add(canvas, l.canvasRules)
		}
		return sum.Add(canvasWeight * len(canvases))
	})
	if err != nil {
		return nil, fault("the agent", err)
	}
	graduation := graduation.Of(outcomes, successes, weights)
	return &graduation, nil
}

// Consistency says how evenly agents succeed, as of now, by agent key; nil where no outcome of an agent's episodes is known.
func (l *Learning) Consistency(ctx context.Context, agentKeys []string) (map[string]*float64, error) {
	sum := store.BudgetOf(ctx).Sum()
	found := make(map[string]*float64, len(agentKeys))
	for _, key := range agentKeys {
		var counts [2]int
		for i, outcome := range []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure} {
			count, err := store.Count(ctx, l.store, store.EpisodeQuery{Filter: store.EpisodeFilter{Agent: &key, Outcome: &outcome}})
			if err != nil {
				return nil, fault("the agent", err)
			}
			counts[i] = count
		}
		if err := sum.Add(counts[0] + counts[1]); err != nil {
			return nil, fault("the agent", err)
		}
		found[key] = graduation.Consistency(counts[0], counts[0]+counts[1])
	}
	return found, nil
}

// EpisodeQuality is how good an episode was, given the consistency of its agent, and what that is made of (as of the
// episode's instant where it has one). It reads the canvases that were not loaded with the episode.
func (l *Learning) EpisodeQuality(ctx context.Context, episode *memory.Episode, consistency *float64) (*graduation.Quality, error) {
	successes := graduation.CanvasSuccesses{}
	count := func(canvases []*memory.Canvas) error {
		for _, canvas := range canvases {
			successes.Add(canvas, l.canvasRules)
		}
		return nil
	}
	var err error
	if loaded := episode.Context; loaded.AllCanvases() {
		err = count(loaded.Canvases)
	} else {
		asOf := asOfOf(episode)
		err = l.canvases(store.CanvasesOf{Episode: &episode.Key}, asOf).each(ctx, untilInstant(asOf), count)
	}
	if err != nil {
		return nil, fault("the episode", err)
	}
	outcome := memory.EpisodeOutcome{
		Key: episode.Key, Outcome: episode.Outcome, FeedbackSum: episode.FeedbackSum, FeedbackCount: episode.FeedbackCount,
	}
	return new(graduation.QualityOf(outcome, successes[episode.Key], consistency)), nil
}

// EpisodeSummary is an episode whole, as people and agents are told of it.
type EpisodeSummary struct {
	ID           string          `json:"id"`
	Title        string          `json:"title"`
	AgentID      string          `json:"agentId"`
	SessionID    *string         `json:"sessionId,omitempty"`
	TaskType     *string         `json:"taskType,omitempty"`
	UserID       *string         `json:"userId,omitempty"`
	ExecutionIDs []string        `json:"executionIds,omitempty"`
	Observation  string          `json:"observation" jsonschema:"The situation the agent met."`
	Thoughts     []string        `json:"thoughts,omitempty"`
	Actions      []memory.Action `json:"actions,omitempty"`
	Result       *string         `json:"result,omitempty"`
	Outcome      memory.Outcome  `json:"outcome"`
	Insight      string          `json:"insight" jsonschema:"Why it worked or failed."`
	GivenQuality *float64        `json:"givenQuality,omitempty"`
	Cost         *float64        `json:"cost,omitempty"`
	Quality      *QualitySummary `json:"quality,omitempty"`
	StartedAt    time.Time       `json:"startedAt"`
	EndedAt      *time.Time      `json:"endedAt,omitempty"`
	Metadata     memory.JSON     `json:"metadata,omitempty"`

	AggregateFeedbackScore *float64          `json:"aggregateFeedbackScore,omitempty" jsonschema:"The mean score of people's feedback, -1 to 1; none without."`
	Canvases               []CanvasSummary   `json:"canvases,omitempty" jsonschema:"What was shown in it and what people did to it, the newest first, at most 100."`
	Feedback               []FeedbackSummary `json:"feedback,omitempty" jsonschema:"How people reacted, the newest first, at most 100."`
}

// QualitySummary is how good an episode was, and what that is made of.
type QualitySummary struct {
	Value *float64 `json:"value,omitempty"`
	QualityParts
}

// QualityParts are what quality is made of, each nil where nothing says it.
type QualityParts struct {
	Completion      *float64 `json:"completion,omitempty"`
	CanvasSuccess   *float64 `json:"canvasSuccess,omitempty"`
	FeedbackQuality *float64 `json:"feedbackQuality,omitempty"`
	Consistency     *float64 `json:"consistency,omitempty"`
}

// EpisodeSummaries sum up episodes that were read with their canvases and feedback.
func (l *Learning) EpisodeSummaries(ctx context.Context, episodes []*memory.Episode) ([]EpisodeSummary, error) {
	agents := map[string]bool{}
	for _, e := range episodes {
		if asOfOf(e) == nil { // how evenly an agent succeeds is known as of now only
			agents[e.AgentKey] = true
		}
	}
	even, err := l.Consistency(ctx, slices.Collect(maps.Keys(agents)))
	if err != nil {
		return nil, err
	}
	summaries := make([]EpisodeSummary, len(episodes))
	for i, e := range episodes {
		q, err := l.EpisodeQuality(ctx, e, even[e.AgentKey])
		if err != nil {
			return nil, err
		}
		summaries[i] = l.episodeSummary(e)
		if q.Value != nil {
			summaries[i].Quality = &QualitySummary{q.Value, QualityParts{q.Completion, q.CanvasSuccess, q.FeedbackQuality, q.Consistency}}
		}
	}
	return summaries, nil
}

func (l *Learning) episodeSummary(e *memory.Episode) EpisodeSummary {
	with := valueOr(e.Context, memory.EpisodeContext{})
	return EpisodeSummary{
		ID: e.ID(), Title: e.Title, AgentID: memory.NodeID(memory.KindAgent, e.AgentKey), SessionID: e.SessionID(),
		TaskType: e.TaskType, UserID: e.UserID, ExecutionIDs: e.ExecutionIDs, Observation: e.Observation, Thoughts: e.Thoughts,
		Actions: e.Actions, Result: e.Result, Outcome: e.Outcome, Insight: e.Insight, GivenQuality: e.Quality, Cost: e.Cost,
		Quality:   nil, // it is also of the agent's other episodes
		StartedAt: e.StartedAt, EndedAt: e.EndedAt, Metadata: e.Metadata, AggregateFeedbackScore: e.AggregateFeedbackScore(),
		Canvases: memory.Mapped(with.Canvases, func(c *memory.Canvas) CanvasSummary { return SummaryOfCanvas(c, l.canvasRules) }),
		Feedback: memory.Mapped(with.Feedback, SummaryOfFeedback),
	}
}
