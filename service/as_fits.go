package service

import (
	"context"
	"fmt"

	"mneme/memory"
	"mneme/store"
)

// mostTooLong is how many episodes that do not fit are looked at before the rest is read in short.
const mostTooLong = 10

// asFits reads episodes, in order, as long as they have so many bytes; of the others what is short, and says by key what is left out.
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
		if len(brief.Keys) < mostTooLong {
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
	short, _, fits, err := g.within(ctx, brief, pageBytes)
	if !fits {
		note = "canvases, feedback, " + note
		brief.Parts &^= store.WithCanvases | store.WithFeedback
		short, err = g.store.Episodes(ctx, brief)
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
	episodes, err = g.store.Episodes(within, query)
	if budget.Err() != nil {
		return nil, 0, false, nil
	}
	return episodes, budget.Spent().AnswerBytes, true, err
}
