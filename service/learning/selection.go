package learning

import (
	"context"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/graduation"
	"mneme/memory/retrieval"
	"mneme/memory/selection"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/recalling"
	"mneme/service/summaries"
	"mneme/service/tenancy"
	"mneme/store"
)

// RankAgents ranks the agents that have worked on a type of task, the best first. first bounds how many are
// answered, 0 to 100; nil means all.
func (l *Learning) RankAgents(ctx context.Context, input boundary.SelectionInput, first *int) ([]selection.AgentRanking, error) {
	if first != nil && (*first < 0 || *first > reading.MaxPage) {
		return nil, memory.Invalid("first", "is %d; it must be in 0…%d", *first, reading.MaxPage)
	}
	evidence, err := l.selection(ctx, input, false)
	if err != nil {
		return nil, err
	}
	ranking := selection.Rank(evidence)
	return ranking[:min(len(ranking), memory.ValueOr(first, len(ranking)))], nil
}

// SelectAgent chooses the agent for a task: the best, or, to explore, the one that could be. It is
// NO_AGENTS_AVAILABLE where nobody can be chosen.
func (l *Learning) SelectAgent(ctx context.Context, input boundary.SelectionInput, explore bool) (*selection.AgentRanking, error) {
	evidence, err := l.selection(ctx, input, explore)
	if err != nil {
		return nil, err
	}
	if explore {
		if choice, ok := selection.Explore(evidence, l.t.Seed()); ok {
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
func (l *Learning) selection(ctx context.Context, input boundary.SelectionInput, everyone bool) (selection.Evidence, error) {
	var err error
	b := l.t.Question(ctx)
	asOf := b.OptionalTime("asOf", input.AsOf)
	situation := b.Optional("situation", input.Situation)
	evidence := selection.Evidence{
		TaskType: b.Label("taskType", input.TaskType), Now: memory.ValueOr(asOf, l.t.Clock()), Situation: boundary.HasText(situation),
	}
	if b.Err() != nil {
		return evidence, b.Err()
	}
	evidence.Profiles, err = store.All(ctx, l.t.Store, store.ProfilesOf{TaskTypes: []string{evidence.TaskType}, AsOf: asOf})
	if err == nil {
		err = l.t.NothingFor(ctx, len(evidence.Profiles), tenancy.TaskTypes.Called("taskType", &evidence.TaskType))
	}
	if err != nil || len(evidence.Profiles) == 0 && !everyone {
		return evidence, faults.Of("the profiles", err)
	}
	records := store.AgentRecordsOf{AsOf: asOf}
	if !evidence.Situation && !everyone {
		records.Agents = memory.Mapped(evidence.Profiles, func(profile *memory.LearningProfile) string { return profile.AgentKey })
	}
	if evidence.Records, err = l.agentRecords(ctx, records); err != nil {
		return evidence, faults.Of("the agents", err)
	}
	if evidence.Situation {
		evidence.Similar, err = l.similar(ctx, *situation, asOf)
	}
	return evidence, faults.Of("the similar episodes", err)
}

// agentRecords reads what agents did of each task type: little of many, which counts for a sum.
func (l *Learning) agentRecords(ctx context.Context, of store.AgentRecordsOf) ([]*memory.AgentRecord, error) {
	sum := store.BudgetOf(ctx).Sum()
	records, err := store.All(store.Unmetered(ctx), l.t.Store, of)
	for i := 0; err == nil && i < len(records); i++ {
		err = sum.Add(len(records[i].Tasks))
	}
	return records, err
}

// similar finds the episodes most similar to a situation whose outcome is known, of any agent and type of
// task. Where more are equally similar, it hardly matters which of them are looked at.
func (l *Learning) similar(ctx context.Context, situation string, asOf *time.Time) ([]selection.SimilarEpisode, error) {
	found, err := recalling.Find(ctx, l.t, situation, nil, store.Among{
		Kinds: []memory.Kind{memory.KindEpisode}, Filter: store.EpisodeFilter{OutcomeKnown: true}, AsOf: asOf,
	})
	if err != nil {
		return nil, err
	}
	records := retrieval.Clear(found.Records())
	return l.outcomesOf(ctx, records[:min(len(records), selection.SimilarLimit)], asOf)
}

// outcomesOf reads how similar episodes turned out.
func (l *Learning) outcomesOf(ctx context.Context, similar []retrieval.Record, asOf *time.Time) (outcomes []selection.SimilarEpisode, err error) {
	keys := memory.Mapped(similar, func(record retrieval.Record) string { return record.Key })
	episodes, err := l.t.Store.Episodes(store.Unmetered(ctx), store.EpisodesByKey{Keys: keys, AsOf: asOf, Parts: store.HeadOnly})
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

// AgentGraduation says how far an agent is trusted to work by itself, judged by all of its episodes.
func (l *Learning) AgentGraduation(ctx context.Context, agentKey string, own *boundary.GraduationWeights) (*graduation.Graduation, error) {
	weights, err := own.Over(graduation.DefaultWeights())
	if err != nil {
		return nil, err
	}
	sum, ctx := store.BudgetOf(ctx).Sum(), store.Unmetered(ctx)
	var outcomes []memory.EpisodeOutcome
	query := store.OutcomesOf{Filter: store.EpisodeFilter{Agent: &agentKey}}
	err = reading.ListOf(l.t.Store, "", query).Summed(ctx, sum, func(outcome *memory.EpisodeOutcome) { outcomes = append(outcomes, *outcome) })
	if err != nil {
		return nil, faults.Of("the agent", err)
	}
	successes := graduation.CanvasSuccesses{}
	err = l.t.Canvases(store.CanvasesOf{Agent: &agentKey}, nil).Each(ctx, nil, func(canvases []*memory.Canvas) error {
		for _, canvas := range canvases {
			successes.Add(canvas, l.t.CanvasRules)
		}
		return sum.Add(tenancy.CanvasWeight * len(canvases))
	})
	if err != nil {
		return nil, faults.Of("the agent", err)
	}
	graduation := graduation.Of(outcomes, successes, weights)
	return &graduation, nil
}

// Consistency says how evenly agents succeed, as of now, by agent key; nil where no outcome of theirs is known.
func (l *Learning) Consistency(ctx context.Context, agentKeys []string) (map[string]*float64, error) {
	sum := store.BudgetOf(ctx).Sum()
	found := make(map[string]*float64, len(agentKeys))
	for _, key := range agentKeys {
		var counts [2]int
		for i, outcome := range []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure} {
			count, err := store.Count(ctx, l.t.Store, store.EpisodeQuery{Filter: store.EpisodeFilter{Agent: &key, Outcome: &outcome}})
			if err != nil {
				return nil, faults.Of("the agent", err)
			}
			counts[i] = count
		}
		if err := sum.Add(counts[0] + counts[1]); err != nil {
			return nil, faults.Of("the agent", err)
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
			successes.Add(canvas, l.t.CanvasRules)
		}
		return nil
	}
	var err error
	if loaded := episode.Context; loaded.AllCanvases() {
		err = count(loaded.Canvases)
	} else {
		asOf := reading.AsOf(episode)
		err = l.t.Canvases(store.CanvasesOf{Episode: &episode.Key}, asOf).Each(ctx, reading.UntilInstant(asOf), count)
	}
	if err != nil {
		return nil, faults.Of("the episode", err)
	}
	outcome := memory.EpisodeOutcome{
		Key: episode.Key, Outcome: episode.Outcome, FeedbackSum: episode.FeedbackSum, FeedbackCount: episode.FeedbackCount,
	}
	return new(graduation.QualityOf(outcome, successes[episode.Key], consistency)), nil
}

// EpisodeSummaries sum up episodes that were read with their canvases and feedback.
func (l *Learning) EpisodeSummaries(ctx context.Context, episodes []*memory.Episode) ([]summaries.EpisodeSummary, error) {
	agents := map[string]bool{}
	for _, e := range episodes {
		if reading.AsOf(e) == nil { // how evenly an agent succeeds is known as of now only
			agents[e.AgentKey] = true
		}
	}
	even, err := l.Consistency(ctx, slices.Collect(maps.Keys(agents)))
	if err != nil {
		return nil, err
	}
	told := make([]summaries.EpisodeSummary, len(episodes))
	for i, e := range episodes {
		q, err := l.EpisodeQuality(ctx, e, even[e.AgentKey])
		if err != nil {
			return nil, err
		}
		told[i] = summaries.SummaryOfEpisode(e, l.t.CanvasRules)
		if q.Value != nil {
			told[i].Quality = q
		}
	}
	return told, nil
}
