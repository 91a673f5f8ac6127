package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// RankAgents ranks the agents that have worked on a type of task, the best first. first bounds how many are
// answered, 0 to 100; nil means all.
func (s *Service) RankAgents(ctx context.Context, input SelectionInput, first *int) ([]memory.AgentRanking, error) {
	if first != nil && (*first < 0 || *first > MaxPage) {
		return nil, memory.Invalid("first", "is %d; it must be in 0…%d", *first, MaxPage)
	}
	selection, err := s.selection(ctx, input, false)
	if err != nil {
		return nil, err
	}
	ranking := memory.RankAgents(selection)
	return ranking[:min(len(ranking), valueOr(first, len(ranking)))], nil
}

// SelectAgent chooses the agent for a task: the best, or, to explore, the one that could be. It is
// NO_AGENTS_AVAILABLE where nobody can be chosen.
func (s *Service) SelectAgent(ctx context.Context, input SelectionInput, explore bool) (*memory.AgentRanking, error) {
	selection, err := s.selection(ctx, input, explore)
	if err != nil {
		return nil, err
	}
	if explore {
		if choice, ok := memory.Explore(selection, s.seed()); ok {
			return &choice, nil
		}
	} else if ranking := memory.RankAgents(selection); len(ranking) > 0 {
		return &ranking[0], nil
	}
	return nil, memory.NoAgentsAvailable()
}

// selection reads what agents are ranked by.
func (s *Service) selection(ctx context.Context, input SelectionInput, everyone bool) (memory.Selection, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return memory.Selection{}, err
	}
	b := s.question(ctx)
	asOf := b.optionalTime("asOf", input.AsOf)
	situation := b.optional("situation", input.Situation)
	selection := memory.Selection{
		TaskType: b.label("taskType", input.TaskType), Now: valueOr(asOf, s.clock()), Situation: says(situation),
	}
	if b.err != nil {
		return selection, b.err
	}
	selection.Profiles, err = t.Profiles(ctx, store.ProfileFilter{TaskTypes: []string{selection.TaskType}, AsOf: asOf})
	if err != nil || len(selection.Profiles) == 0 && !everyone {
		return selection, fault("the profiles", err)
	}
	records := store.AgentRecordsOf{AsOf: asOf}
	if !selection.Situation && !everyone {
		records.Agents = agentsOf(selection.Profiles)
	}
	if selection.Records, err = t.AgentRecords(ctx, records); err != nil {
		return selection, fault("the agents", err)
	}
	if selection.Situation {
		selection.Similar, err = s.similar(ctx, t, *situation, asOf)
	}
	return selection, fault("the similar episodes", err)
}

func agentsOf(profiles []*memory.LearningProfile) []string {
	agents := make([]string, len(profiles))
	for i, profile := range profiles {
		agents[i] = profile.AgentKey
	}
	return agents
}

// bySimilarity ranks as memory.MostSimilar does.
var bySimilarity = memory.Weights{Semantic: 1, HalfLifeDays: 1, Feedback: memory.FeedbackOff}

// similar finds the episodes most similar to a situation whose outcome is known, of any agent and type of
// task. Where more are equally similar, it hardly matters which of them are looked at.
func (s *Service) similar(ctx context.Context, t *tenant, situation string, asOf *time.Time) ([]memory.SimilarEpisode, error) {
	query := store.RecallQuery{
		Text: situation, AsOf: asOf, Weights: bySimilarity, Now: valueOr(asOf, s.clock()), Limit: memory.SimilarLimit,
	}
	if vectors := s.embed(ctx, t, []string{situation}); vectors != nil {
		query.Embedding = vectors[0]
	}
	var candidates []memory.Candidate
	for _, outcome := range []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure} {
		query.Filter.Outcome = &outcome
		found, err := t.Candidates(ctx, query)
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, found.Items...)
	}
	return t.outcomesOf(ctx, memory.MostSimilar(candidates), asOf)
}

// outcomesOf reads how similar episodes turned out.
func (t *tenant) outcomesOf(ctx context.Context, similar []memory.Candidate, asOf *time.Time) ([]memory.SimilarEpisode, error) {
	if len(similar) == 0 {
		return nil, nil
	}
	keys := make([]string, len(similar))
	for i, candidate := range similar {
		keys[i] = candidate.Key
	}
	episodes, err := t.Episodes(ctx, store.EpisodesByKey{Keys: keys, AsOf: asOf})
	if err != nil {
		return nil, err
	}
	var outcomes []memory.SimilarEpisode
	for i, episode := range episodes {
		if episode == nil { // deleted since it was found
			continue
		}
		if outcome, ok := memory.SimilarOf(episode, similar[i].Semantic()); ok {
			outcomes = append(outcomes, outcome)
		}
	}
	return outcomes, nil
}
