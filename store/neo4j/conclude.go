package neo4j

import (
	"context"
	"fmt"

	"mneme/memory"
	"mneme/store"
)

// ConcludeEpisode sets the outcome of an episode, once; see store.EpisodeWriter.
func (s *tenantStore) ConcludeEpisode(ctx context.Context, conclusion store.EpisodeConclusion) error {
	properties, err := conclusionProperties(&conclusion)
	if err != nil {
		return err
	}
	return s.write(ctx, func(t *transaction) error {
		verdicts, err := rowsOf(t, "conclude", parameters{
			"key": conclusion.Key, "properties": properties,
		}, column[string]("verdict"))
		if err != nil {
			return err
		}
		if err := verdictError(verdicts); err != nil || conclusion.Embedding == nil {
			return err
		}
		return t.replaceEmbedding(conclusion.Key, conclusion.Embedding)
	})
}

// conclusionProperties are what a conclusion sets; what it leaves is not among them.
func conclusionProperties(c *store.EpisodeConclusion) (parameters, error) {
	properties := parameters{"outcome": string(c.Outcome), "concluded": true}
	encodeReceipt(properties, c.Receipt)
	if c.Result != nil {
		properties["result"] = *c.Result
	}
	if c.Insight != nil {
		properties["insight"] = *c.Insight
	}
	if c.Quality != nil {
		properties["quality"] = *c.Quality
	}
	if c.EndedAt != nil {
		properties["endedAt"] = instant(*c.EndedAt)
	}
	if c.Segments != nil {
		segments, err := memory.JSONOf(c.Segments)
		if err != nil {
			return nil, err
		}
		properties["segments"] = string(segments)
	}
	return properties, nil
}

func verdictError(verdicts []string) error {
	switch {
	case len(verdicts) == 0:
		return store.ErrNotFound
	case verdicts[0] == "concluded":
		return fmt.Errorf("%w: the episode is concluded already", store.ErrConflict)
	case verdicts[0] != "":
		return fmt.Errorf("%w: the episode would end before it started", store.ErrInvalid)
	}
	return nil
}

// replaceEmbedding writes a vector; a vector of the tenant's one length is written over the one before.
func (t *transaction) replaceEmbedding(episode string, embedding []float32) error {
	fault, err := t.admitVector(embedding)
	switch {
	case err != nil:
		return err
	case fault != nil:
		return fault
	}
	return t.run("set_vector", parameters{
		"key": episode, "vector": embedding, "vectorProperty": vectorProperty(len(embedding)),
	}, nil)
}
