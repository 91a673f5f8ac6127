package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/meanings"
	"mneme/store/neo4j/words"
)

// wordsSize is how many records' words are looked at in one round trip.
const wordsSize = 500

// eachVocabulary goes through the kinds that have text, for each tenant of a scope that has records.
func (b *Backend) eachVocabulary(ctx context.Context, of scope, do func(tenant string, kind memory.Kind) error) error {
	for _, kind := range words.Searched {
		tenants, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Rendered("tenants_of", graph.Labels[kind])}, bolt.Column[string]("tenant"))
		if err != nil {
			return err
		}
		for _, tenant := range of.of(tenants) {
			if err := do(tenant, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeWords gives the records of a kind the words that they should have, once they are locked, counts them anew where
// that is wrong, and tells of how many it looked at.
func (s *tenantStore) writeWords(ctx context.Context, kind memory.Kind, tell func(records int)) error {
	_, err := s.eachSaid(ctx, kind, func(records int, wrong []string) error {
		if tell(records); len(wrong) == 0 {
			return nil
		}
		return s.write(ctx, func(t *transaction) error { return t.reword(kind, wrong) })
	})
	if err != nil {
		return err
	}
	if miscounted, err := s.miscounted(ctx, kind); err != nil || !miscounted {
		return err
	}
	return s.recountWords(ctx, kind)
}

// reword gives records of a kind the words that they should have, once they are locked.
func (t *transaction) reword(kind memory.Kind, keys []string) error {
	records, err := t.lockSaid(kind, keys)
	if err != nil {
		return err
	}
	rows := make([]cypher.Parameters, len(records))
	for i, record := range records {
		rows[i] = words.Of(t.TenantID, kind, record)
	}
	return t.Run(cypher.Rendered("write_words", annotationShape{Label: graph.Labels[kind], Kind: kind}), cypher.Parameters{"rows": rows}, nil)
}

// wordCounts reads what is counted of the records of some kinds that have words.
func (s *tenantStore) wordCounts(ctx context.Context, kind memory.Kind) (counted matching.Collection, err error) {
	q := s.Query(cypher.Named("word_counts"), cypher.Parameters{"kinds": []string{string(kind)}})
	err = s.Each(ctx, q, func(f *bolt.Fields) { counted = collectionOf(f) })
	return counted, err
}

func collectionOf(f *bolt.Fields) matching.Collection {
	return matching.Collection{Records: f.Integer("records"), Length: f.Integer("length")}
}

// looksAtCounts is how often the doctor compares counts with what there is while others write.
const looksAtCounts = 5

// miscounted says whether what is counted of a kind is not what there is.
func (s *tenantStore) miscounted(ctx context.Context, kind memory.Kind) (bool, error) {
	for range looksAtCounts {
		before, err := s.wordCounts(ctx, kind)
		if err != nil {
			return false, err
		}
		there, err := bolt.One(ctx, s.Connection, s.Query(cypher.Rendered("word_sums", graph.Labels[kind]), nil), bolt.Decoded(func(f *bolt.Fields) matching.Collection {
			return collectionOf(f)
		}))
		if err != nil || there == before {
			return false, err
		}
		if after, err := s.wordCounts(ctx, kind); err != nil || after == before {
			return err == nil, err
		}
	}
	return false, nil
}

// recountWords counts anew what is counted of a kind.
func (s *tenantStore) recountWords(ctx context.Context, kind memory.Kind) error {
	return s.write(ctx, func(t *transaction) error {
		shape := annotationShape{Label: graph.Labels[kind], Kind: kind}
		return t.Run(cypher.Rendered("recount_words", shape), cypher.Parameters{"shards": bolt.Shards}, nil)
	})
}

// lockSaid locks records and reads what their words come from.
func (t *transaction) lockSaid(kind memory.Kind, keys []string) ([]map[string]any, error) {
	return bolt.RowsOf(t.Transaction, cypher.Rendered("lock_said", graph.Labels[kind]), cypher.Parameters{"keys": keys}, bolt.Column[map[string]any]("said"))
}

// eachSaid goes through the records of a kind by key, and hands over, a page at a time, the keys of those whose
// words are not what they say.
func (s *tenantStore) eachSaid(ctx context.Context, kind memory.Kind, page func(records int, wrong []string) error) (records int, err error) {
	for last := ""; ; {
		said, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("said", graph.Labels[kind]), cypher.Parameters{"page": graph.After(last), "limit": wordsSize}), bolt.Column[map[string]any]("said"))
		if err != nil || len(said) == 0 {
			return records, err
		}
		wrong := []string{}
		for _, record := range said {
			last = words.TextsOf(record["key"])[0]
			should := words.Of(s.TenantID, kind, record)
			if !words.Same(should, record) || s.backend.vectors && !meanings.Same(kind, record) || record["boostedRight"] != true {
				wrong = append(wrong, last)
			}
		}
		records += len(said)
		if err := page(len(said), wrong); err != nil {
			return records, err
		}
	}
}
