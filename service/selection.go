package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/memory/selection"
	"mneme/store"
)

// RankAgents ranks the agents that have worked on a type of task, the best first. first bounds how many are
// answered, 0 to 100; nil means all.
func (s *Service) RankAgents(ctx context.Context, input SelectionInput, first *int) ([]selection.AgentRanking, error) {
	if first != nil && (*first < 0 || *first > MaxPage) {
		return nil, memory.Invalid("first", "is %d; it must be in 0…%d", *first, MaxPage)
	}
	evidence, err := s.selection(ctx, input, false)
	if err != nil {
		return nil, err
	}
	ranking := selection.Rank(evidence)
	return ranking[:min(len(ranking), valueOr(first, len(ranking)))], nil
}

// SelectAgent chooses the agent for a task: the best, or, to explore, the one that could be. It is
// NO_AGENTS_AVAILABLE where nobody can be chosen.
func (s *Service) SelectAgent(ctx context.Context, input SelectionInput, explore bool) (*selection.AgentRanking, error) {
	evidence, err := s.selection(ctx, input, explore)
	if err != nil {
		return nil, err
	}
	if explore {
		if choice, ok := selection.Explore(evidence, s.seed()); ok {
			return &choice, nil
		}
	} else if ranking := selection.Rank(evidence); len(ranking) > 0 {
		return &ranking[0], nil
	}
	return nil, selection.NoAgentsAvailable()
}

// selection reads what agents are ranked by.
func (s *Service) selection(ctx context.Context, input SelectionInput, everyone bool) (selection.Evidence, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return selection.Evidence{}, err
	}
	b := s.question(ctx)
	asOf := b.optionalTime("asOf", input.AsOf)
	situation := b.optional("situation", input.Situation)
	evidence := selection.Evidence{
		TaskType: b.label("taskType", input.TaskType), Now: valueOr(asOf, s.clock()), Situation: says(situation),
	}
	if b.err != nil {
		return evidence, b.err
	}
	evidence.Profiles, err = t.Profiles(ctx, store.ProfileFilter{TaskTypes: []string{evidence.TaskType}, AsOf: asOf})
	if err != nil || len(evidence.Profiles) == 0 && !everyone {
		return evidence, fault("the profiles", err)
	}
	records := store.AgentRecordsOf{AsOf: asOf}
	if !evidence.Situation && !everyone {
		records.Agents = agentsOf(evidence.Profiles)
	}
	if evidence.Records, err = t.AgentRecords(ctx, records); err != nil {
		return evidence, fault("the agents", err)
	}
	if evidence.Situation {
		evidence.Similar, err = s.similar(ctx, t, *situation, asOf)
	}
	return evidence, fault("the similar episodes", err)
}

func agentsOf(profiles []*memory.LearningProfile) []string {
	agents := make([]string, len(profiles))
	for i, profile := range profiles {
		agents[i] = profile.AgentKey
	}
	return agents
}

// bySimilarity ranks as selection.MostSimilar does.
var bySimilarity = ranking.Weights{Semantic: 1, HalfLifeDays: 1, Feedback: ranking.FeedbackOff}

// similar finds the episodes most similar to a situation whose outcome is known, of any agent and type of
// task. Where more are equally similar, it hardly matters which of them are looked at.
func (s *Service) similar(ctx context.Context, t *tenant, situation string, asOf *time.Time) ([]selection.SimilarEpisode, error) {
	query := store.RecallQuery{
		Text: situation, AsOf: asOf, Weights: bySimilarity, Now: valueOr(asOf, s.clock()), Limit: selection.SimilarLimit,
	}
	if vectors := s.embed(ctx, t, []string{situation}); vectors != nil {
		query.Embedding = vectors[0]
	}
	var candidates []ranking.Candidate
	for _, outcome := range []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure} {
		query.Filter.Outcome = &outcome
		found, err := t.Candidates(ctx, query)
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, found.Items...)
	}
	return t.outcomesOf(ctx, selection.MostSimilar(candidates), asOf)
}

// outcomesOf reads how similar episodes turned out.
func (t *tenant) outcomesOf(ctx context.Context, similar []ranking.Candidate, asOf *time.Time) ([]selection.SimilarEpisode, error) {
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
	var outcomes []selection.SimilarEpisode
	for i, episode := range episodes {
		if episode == nil { // deleted since it was found
			continue
		}
		if outcome, ok := selection.SimilarOf(episode, similar[i].Semantic()); ok {
			outcomes = append(outcomes, outcome)
		}
	}
	return outcomes, nil
}
