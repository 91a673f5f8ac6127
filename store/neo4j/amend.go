package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// AmendEpisode replaces what an episode says; see store.EpisodeWriter.
func (s *tenantStore) AmendEpisode(ctx context.Context, amendment store.EpisodeAmendment) error {
	properties, ending, err := amendedProperties(s, &amendment)
	if err != nil {
		return err
	}
	e := &amendment.Episode
	return s.write(ctx, func(t *transaction) error {
		endings, err := rowsOf(t, named("amend"), parameters{
			"key": e.Key, "properties": properties, "ending": ending,
			"wasHash": hashText(amendment.WasHash), "wasConcluded": amendment.WasConcluded,
		}, decodeEnding)
		if err == nil {
			err = verdictError(endings)
		}
		if err == nil {
			err = t.rewriteWords(&endings[0])
		}
		if err == nil && e.Embedding != nil {
			err = t.replaceEmbedding(e.Key, e.Embedding)
		}
		if err != nil || amendment.WasConcluded || !e.Concluded {
			return err
		}
		return t.learnEpisodes([]*memory.Episode{endings[0].ended})
	})
}

// What an episode's node says, apart from where it belongs; what is not set is taken away. An ending is set
// once.
var (
	amendable = []string{
		"title", "observation", "thoughts", "result", "insight", "inputHash", "segments", "metadata",
		"actionNames", "actionResults", "actionIds", "eventTypes", "eventData", "eventTimes",
		"tokensBefore", "tokensAfter", "redactionKinds", "redactionCounts",
	}
	concluding = []string{"outcome", "concluded", "endedAt", "quality"}
)

func amendedProperties(s *tenantStore, amendment *store.EpisodeAmendment) (properties, ending parameters, err error) {
	all, err := episodeProperties(s, &store.EpisodeRecord{
		Episode: amendment.Episode, Events: amendment.Events, InputHash: amendment.InputHash,
	})
	if err != nil {
		return nil, nil, err
	}
	properties, ending = parameters{}, parameters{}
	for _, name := range amendable {
		properties[name] = all[name]
	}
	for _, name := range concluding {
		ending[name] = all[name]
	}
	return properties, ending, nil
}
