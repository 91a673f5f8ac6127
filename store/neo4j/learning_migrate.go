package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
)

// lessonSize is how many episodes are counted in one transaction.
const lessonSize = 500

// graded are the outcomes of episodes that are executions.
var graded = []string{string(memory.OutcomeSuccess), string(memory.OutcomeFailure)}

// learnEpisodes counts the executions that episodes of versions before 3 are. Those that are counted
// already are left alone, so that a migration that was interrupted goes on.
func (b *Backend) learnEpisodes(ctx context.Context) error {
	tenants, err := read(ctx, b, query{
		statement: named("uncounted_tenants"), parameters: parameters{"outcomes": graded},
	}, column[string]("tenant"))
	if err != nil {
		return err
	}
	for _, id := range tenants {
		s, err := b.bind(id)
		if err != nil {
			return err
		}
		if err := s.learnEpisodes(ctx); err != nil {
			return err
		}
	}
	return nil
}

// learnEpisodes goes through the episodes by key, as the index has them.
func (s *tenantStore) learnEpisodes(ctx context.Context) error {
	for last := ""; ; {
		keys, err := read(ctx, s.backend, s.query(named("uncounted_episodes"), parameters{
			"page": after(last), "outcomes": graded, "limit": lessonSize,
		}), column[string]("key"))
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
	wanted := newScope()
	wanted.episodes.add(keys...)
	if _, err := t.lock(wanted); err != nil {
		return err
	}
	var episodes []*memory.Episode
	err := t.run(named("ended_episodes"), parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		if e := f.endedEpisode(); f.err == nil {
			episodes = append(episodes, e)
		} else if faultIn(f.err) == nil { // what cannot be read is no execution
			return f.err
		}
		return nil
	})
	if err != nil {
		return err
	}
	return t.learnEpisodes(episodes)
}
