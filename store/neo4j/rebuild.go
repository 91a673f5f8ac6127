package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
	"mneme/store/neo4j/settings"
	"mneme/store/profiles"
)

// lengthAnew fixes the length that most embeddings have.
func (s *tenantStore) lengthAnew(ctx context.Context) error {
	length, err := s.LengthOfMost(ctx)
	if err != nil {
		return err
	}
	var fixed any // none, where there are no embeddings
	if length > 0 {
		fixed = length
	}
	return s.write(ctx, func(t *transaction) error { return settings.Set(t.Transaction, settings.VectorLengthProperty, fixed) })
}

// sumUp sums up anew the profiles that do not sum up their executions, and counts the episodes that no profile counts.
func (s *tenantStore) sumUp(ctx context.Context) error {
	keys, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("miscounted_profiles"), nil), bolt.Column[string]("key"))
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := s.write(ctx, func(t *transaction) error { return profiles.SumUp(t.Learning(), key, false) }); err != nil {
			return err
		}
	}
	return s.CountMissing(ctx)
}

// lessonSize is how many episodes are counted in one transaction.
const lessonSize = 500

// graded are the outcomes of episodes that are executions.
var graded = []string{string(memory.OutcomeSuccess), string(memory.OutcomeFailure)}

// CountMissing goes through the episodes by key, as the index has them; see forgetting.Discarder.
func (s *tenantStore) CountMissing(ctx context.Context) error {
	for last := ""; ; {
		keys, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("uncounted_episodes"), cypher.Parameters{
			"page": graph.After(last), "outcomes": graded, "limit": lessonSize,
		}), bolt.Column[string]("key"))
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := s.write(ctx, func(t *transaction) error { return t.learnRecorded(keys) }); err != nil {
			return err
		}
		last = keys[len(keys)-1]
	}
}

// learnRecorded counts episodes that were recorded before, once they are locked and if they are still there.
func (t *transaction) learnRecorded(keys []string) error {
	wanted := linking.NewScope()
	wanted.Episodes.Add(keys...)
	if _, err := t.Lock(wanted); err != nil {
		return err
	}
	var episodes []*memory.Episode
	err := t.Run(cypher.Named("ended_episodes"), cypher.Parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		if e := learning.EndedEpisodeOf(f); f.Err == nil {
			episodes = append(episodes, e)
		} else if bolt.FaultIn(f.Err) == nil { // what cannot be read is no execution
			return f.Err
		}
		return nil
	})
	if err != nil {
		return err
	}
	return profiles.CountEpisodes(t.Learning(), episodes...)
}

// Backfill links what waits in sessions, in parts of a transaction each; see store.EpisodeWriter.
func (s *tenantStore) Backfill(ctx context.Context, session *string) (store.Backfilled, error) {
	return linking.Backfilling(session, func(part func(linking.Tx) error) error {
		return s.write(ctx, func(t *transaction) error { return part(t) })
	})
}
