package service

import (
	"context"
	"errors"
	"time"

	"mneme/memory"
	"mneme/store"
)

// consolidationAge is how old an episode must be to be summed up; what is younger still changes.
const consolidationAge = 7 * 24 * time.Hour

// Consolidation says what a consolidation read and wrote.
type Consolidation struct {
	DryRun              bool     `json:"dryRun"`
	EpisodesRead        int      `json:"episodesRead"`
	ObservationsCreated int      `json:"observationsCreated"` // or that would be, on a dry run
	Patterns            []string `json:"patterns"`
}

// Consolidate sums up what recurs in older episodes as observations about them. What it said before it
// does not say again.
func (s *Service) Consolidate(ctx context.Context, input ConsolidateInput) (*Consolidation, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return nil, err
	}
	b := s.boundary()
	until := s.clock().Add(-consolidationAge)
	filter := store.EpisodeFilter{Agent: b.optionalKey(memory.KindAgent, "agentId", input.AgentID), Until: &until}
	if b.err != nil {
		return nil, b.err
	}
	episodes, err := t.everyEpisode(ctx, filter)
	if err != nil {
		return nil, fault("the episodes", err)
	}
	found := memory.Consolidate(episodes)
	result := &Consolidation{DryRun: valueOr(input.DryRun, true), EpisodesRead: len(episodes), Patterns: []string{}}
	for _, pattern := range found {
		result.Patterns = append(result.Patterns, pattern.Pattern)
	}
	unsaid, err := t.unsaid(ctx, found)
	if err != nil {
		return nil, fault("the observations", err)
	}
	if result.DryRun {
		result.ObservationsCreated = len(unsaid)
		return result, nil
	}
	s.comment(ctx, unsaid, episodes)
	result.ObservationsCreated, err = s.say(ctx, t, unsaid)
	return result, fault("the observations", err)
}

// everyEpisode reads all episodes that a filter keeps, with what people did and said.
func (t *tenant) everyEpisode(ctx context.Context, filter store.EpisodeFilter) ([]*memory.Episode, error) {
	query := store.EpisodeQuery{
		Filter: filter, Order: store.OldestFirst, Page: store.Page{Limit: MaxPage}, Parts: store.WithCanvases | store.WithFeedback,
	}
	var all []*memory.Episode
	for {
		episodes, more, err := t.ListEpisodes(ctx, query)
		if err != nil {
			return nil, err
		}
		all = append(all, episodes...)
		if !more {
			return all, nil
		}
		last := episodes[len(episodes)-1]
		query.Page.After = &store.Position{At: last.StartedAt, Key: last.Key}
	}
}

// unsaid are those that no observation says yet.
func (t *tenant) unsaid(ctx context.Context, found []memory.Consolidated) ([]memory.Consolidated, error) {
	keys := make([]string, len(found))
	for i, pattern := range found {
		keys[i] = pattern.Key
	}
	known, err := t.Observations(ctx, keys)
	if err != nil {
		return nil, err
	}
	var unsaid []memory.Consolidated
	for i, observation := range known {
		if observation == nil {
			unsaid = append(unsaid, found[i])
		}
	}
	return unsaid, nil
}

// say records what is new, and counts it. What somebody else said in the meantime, perhaps with other words,
// has a key that is taken.
func (s *Service) say(ctx context.Context, t *tenant, found []memory.Consolidated) (int, error) {
	count := 0
	for start := 0; start < len(found); start += MaxList {
		var records []store.ObservationRecord
		for _, pattern := range found[start:min(start+MaxList, len(found))] {
			record, err := s.observationRecord(t, RecordObservationInput{
				ID: &pattern.Key, Content: pattern.Content, Importance: &pattern.Importance, AboutIDs: pattern.About,
			})
			if err != nil {
				return count, err
			}
			records = append(records, record)
		}
		recorded, err := t.RecordObservations(ctx, records)
		if err != nil {
			return count, err
		}
		for _, one := range recorded {
			switch {
			case one.Err != nil && !errors.Is(one.Err, store.ErrConflict):
				return count, one.Err
			case one.Created:
				count++
			}
		}
	}
	return count, nil
}
