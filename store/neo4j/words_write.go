package neo4j

import (
	"context"
	"maps"

	"mneme/memory"
)

// wordsSize is how many records' words are looked at in one round trip.
const wordsSize = 500

// tellWords gives the records of versions before 7 their words, and takes away what was indexed instead. Those
// that have the right words are left alone, so that a migration that was interrupted goes on.
func (b *Backend) tellWords(ctx context.Context) error {
	for _, text := range script(named("drop_old_indexes").text) {
		if err := b.command(ctx, query{statement: statement{"drop_old_indexes", text}, write: true}); err != nil {
			return err
		}
	}
	if err := b.eachVocabulary(ctx, func(tenant string, kind memory.Kind) error {
		return newTenantStore(b, tenant).writeWords(ctx, kind)
	}); err != nil {
		return err
	}
	return b.inBatches(ctx, query{statement: named("drop_old_tokens")})
}

// eachVocabulary goes through the kinds that have text, for each tenant that has records.
func (b *Backend) eachVocabulary(ctx context.Context, do func(tenant string, kind memory.Kind) error) error {
	for _, kind := range searched {
		tenants, err := read(ctx, b, query{statement: rendered("tenants_of", labels[kind])}, column[string]("tenant"))
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
			rows := make([]parameters, len(records))
			for i, record := range records {
				rows[i] = wordsOf(s.tenant, kind, record)
			}
			return t.run(rendered("write_words", labels[kind]), parameters{"rows": rows}, nil)
		})
	})
	return err
}

// lockSaid locks records and reads what their words come from.
func (t *transaction) lockSaid(kind memory.Kind, keys []string) ([]map[string]any, error) {
	return rowsOf(t, rendered("lock_said", labels[kind]), parameters{"keys": keys}, column[map[string]any]("said"))
}

// wordsOf are the words that a record should have, which says what was read of it.
func wordsOf(tenant string, kind memory.Kind, record map[string]any) parameters {
	all := maps.Clone(record)
	all["tenant"] = tenant
	giveWords(kind, all)
	return parameters{"key": all["key"], "words": all["words"], "wordId": all["wordId"]}
}

// eachSaid goes through the records of a kind by key, and hands over, a page at a time, the keys of those whose
// words are not what they say.
func (s *tenantStore) eachSaid(ctx context.Context, kind memory.Kind, page func(wrong []string) error) (records int, err error) {
	for last := ""; ; {
		said, err := read(ctx, s.backend, s.query(rendered("said", labels[kind]), parameters{"page": after(last), "limit": wordsSize}), column[map[string]any]("said"))
		if err != nil || len(said) == 0 {
			return records, err
		}
		wrong := []string{}
		for _, record := range said {
			last = textsOf(record["key"])[0]
			should := wordsOf(s.tenant, kind, record)
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
