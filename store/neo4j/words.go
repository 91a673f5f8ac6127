package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/words"
)

// wordsSize is how many records' words are looked at in one round trip.
const wordsSize = 500

// tellWords gives the records of versions before 7 their words, and takes away what was indexed instead. Those
// that have the right words are left alone, so that a migration that was interrupted goes on.
func (b *Backend) tellWords(ctx context.Context) error {
	for _, text := range cypher.Script(cypher.Named("drop_old_indexes").Text) {
		if err := b.connection.Command(ctx, bolt.Query{Statement: cypher.Statement{Name: "drop_old_indexes", Text: text}, Write: true}); err != nil {
			return err
		}
	}
	if err := b.eachVocabulary(ctx, func(tenant string, kind memory.Kind) error {
		return newTenantStore(b, tenant).writeWords(ctx, kind)
	}); err != nil {
		return err
	}
	return b.connection.InBatches(ctx, bolt.Query{Statement: cypher.Named("drop_old_tokens")})
}

// eachVocabulary goes through the kinds that have text, for each tenant that has records.
func (b *Backend) eachVocabulary(ctx context.Context, do func(tenant string, kind memory.Kind) error) error {
	for _, kind := range words.Searched {
		tenants, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Rendered("tenants_of", graph.Labels[kind])}, bolt.Column[string]("tenant"))
		if err != nil {
			return err
		}
		for _, tenant := range tenants {
			if err := do(tenant, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeWords gives the records of a kind the words that they should have, once they are locked.
func (s *tenantStore) writeWords(ctx context.Context, kind memory.Kind) error {
	_, err := s.eachSaid(ctx, kind, func(wrong []string) error {
		if len(wrong) == 0 {
			return nil
		}
		return s.write(ctx, func(t *transaction) error {
			records, err := t.lockSaid(kind, wrong)
			if err != nil {
				return err
			}
			rows := make([]cypher.Parameters, len(records))
			for i, record := range records {
				rows[i] = words.Of(s.TenantID, kind, record)
			}
			return t.Run(cypher.Rendered("write_words", graph.Labels[kind]), cypher.Parameters{"rows": rows}, nil)
		})
	})
	return err
}

// lockSaid locks records and reads what their words come from.
func (t *transaction) lockSaid(kind memory.Kind, keys []string) ([]map[string]any, error) {
	return bolt.RowsOf(t.Transaction, cypher.Rendered("lock_said", graph.Labels[kind]), cypher.Parameters{"keys": keys}, bolt.Column[map[string]any]("said"))
}

// eachSaid goes through the records of a kind by key, and hands over, a page at a time, the keys of those whose
// words are not what they say.
func (s *tenantStore) eachSaid(ctx context.Context, kind memory.Kind, page func(wrong []string) error) (records int, err error) {
	for last := ""; ; {
		said, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("said", graph.Labels[kind]), cypher.Parameters{"page": graph.After(last), "limit": wordsSize}), bolt.Column[map[string]any]("said"))
		if err != nil || len(said) == 0 {
			return records, err
		}
		wrong := []string{}
		for _, record := range said {
			last = words.TextsOf(record["key"])[0]
			should := words.Of(s.TenantID, kind, record)
			if should["words"] != record["words"] || should["wordId"] != record["wordId"] || record["boostedRight"] != true {
				wrong = append(wrong, last)
			}
		}
		records += len(said)
		if err := page(wrong); err != nil {
			return records, err
		}
	}
}

// DueVectors is 0: no vectors are made of what records say.
func (*tenantStore) DueVectors(ctx context.Context) (int, error) { return 0, ctx.Err() }

// Reindex has nothing to do.
func (*tenantStore) Reindex(ctx context.Context, _ func(store.ReindexStep)) (int, error) {
	return 0, ctx.Err()
}
