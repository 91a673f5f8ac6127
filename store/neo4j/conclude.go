package neo4j

import (
	"context"
	"errors"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

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
		endings, err := rowsOf(t, named("conclude"), parameters{
			"key": conclusion.Key, "properties": properties,
		}, decodeEnding)
		if err != nil {
			return err
		}
		if err := verdictError(endings); err != nil {
			return err
		}
		if conclusion.Embedding != nil {
			if err := t.replaceEmbedding(conclusion.Key, conclusion.Embedding); err != nil {
				return err
			}
		}
		if err := t.rewriteWords(&endings[0]); err != nil {
			return err
		}
		return t.learnEpisodes([]*memory.Episode{endings[0].ended})
	})
}

// ending is how an episode ended, and in verdict why it cannot be concluded so, or "".
type ending struct {
	verdict string
	ended   *memory.Episode
	said    parameters // what the words of the index come from, as it is now
}

func decodeEnding(row *neo4j.Record) (ending, error) {
	f := fieldsOf(row.AsMap())
	said, _, err := neo4j.GetRecordValue[map[string]any](row, "said")
	return ending{f.text("verdict"), f.endedEpisode(), said}, errors.Join(f.err, err)
}

// rewriteWords tells the index what an episode says after it changed.
func (t *transaction) rewriteWords(e *ending) error {
	words := vocabularyOf(t.tenant, memory.KindEpisode).words(memory.KindEpisode, e.said)
	return t.run(named("set_words"), parameters{"key": e.ended.Key, "words": words}, nil)
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

func verdictError(endings []ending) error {
	switch {
	case len(endings) == 0:
		return store.ErrNotFound
	case endings[0].verdict == "changed":
		return fmt.Errorf("%w: the episode was changed meanwhile", store.ErrConflict)
	case endings[0].verdict == "concluded":
		return fmt.Errorf("%w: the episode is concluded already", store.ErrConflict)
	case endings[0].verdict != "":
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
	return t.run(named("set_vector"), parameters{
		"key": episode, "vector": embedding, "vectorProperty": vectorProperty(len(embedding)),
	}, nil)
}
