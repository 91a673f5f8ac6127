package neo4j

import (
	"context"

	"mneme/memory"
	split "mneme/memory/passages"

	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/passages"
	"mneme/store/vectors"
)

// madeTogether is of how many passages vectors are made in one transaction.
const madeTogether = 256

// Reindex makes the vectors that are due; see store.Store.
func (s *tenantStore) Reindex(ctx context.Context, endpoint *store.Embedder, tell func(store.ReindexStep)) (made int, err error) {
	step := store.ReindexStep{}
	if !s.backend.vectors.Coded {
		return 0, ctx.Err()
	}
	if err := s.markDue(ctx, endpoint); err != nil {
		return 0, err
	}
	if step.Due, err = s.Number(ctx, s.Query(cypher.Named("count_due"), nil)); err != nil || step.Due == 0 {
		return 0, err
	}
	for {
		q := s.Query(cypher.Named("due_passages"), cypher.Parameters{"limit": madeTogether})
		rows, err := bolt.Read(store.Unmetered(ctx), s.Connection, q, func(f *bolt.Fields) cypher.Parameters {
			text := f.Text("text")
			return cypher.Parameters{"id": bolt.Required[int64](f, "id"), "text": text, "made": cypher.Parameters{"code": meaning.Code(text)}}
		})
		if err != nil || len(rows) == 0 {
			return step.Made, err
		}
		if endpoint != nil {
			embeddings, err := endpoint.Embed(ctx, memory.Mapped(rows, func(row cypher.Parameters) string {
				text, _ := row["text"].(string)
				return text
			}))
			if err != nil {
				return step.Made, err
			}
			for i, v := range embeddings {
				made := rows[i]["made"].(cypher.Parameters) //nolint:forcetypeassert // made above
				made["embedding"], made["embedded"] = vectors.Bytes(vectors.Code(v)), len(v)
			}
		}
		part, err := written(ctx, s, func(t *transaction) (int, error) {
			return bolt.FirstOf(t.Transaction, cypher.Named("code_passages"), cypher.Parameters{"rows": rows}, bolt.Column[int]("made"))
		})
		if err != nil {
			return step.Made, err
		}
		if step.Made += part; tell != nil {
			tell(step)
		}
	}
}

// markedTogether is of how many records passages are marked in one transaction.
const markedTogether = 1000

// markDue marks what lacks a vector of the endpoint, once for its length: what is written later is marked with that.
func (s *tenantStore) markDue(ctx context.Context, endpoint *store.Embedder) error {
	if endpoint == nil || s.marked.Load() == int64(endpoint.Length) {
		return nil
	}
	for _, kind := range split.Kinds {
		for after := new(""); after != nil; {
			var err error
			after, err = written(ctx, s, func(t *transaction) (*string, error) {
				values := cypher.Parameters{"after": *after, "limit": markedTogether, "length": endpoint.Length}
				return bolt.FirstOf(t.Transaction, cypher.Rendered("mark_due", cypher.Label(kind)), values, func(f *bolt.Fields) *string { return f.OptionalText("last") })
			})
			if err != nil {
				return err
			}
		}
	}
	s.marked.Store(int64(endpoint.Length))
	return nil
}

// making says which vectors are made of what is written.
func (s *tenantStore) making() passages.Vectors {
	made := s.backend.vectors
	made.Embeddings.Made = made.Embeddings.Made || s.marked.Load() > 0
	return made
}

// Backlog counts what waits; see store.Store. There are no files.
func (s *tenantStore) Backlog(ctx context.Context) (store.Backlog, error) {
	var all store.Backlog
	q := s.Query(cypher.Named("backlog"), cypher.Parameters{"most": store.MaxBacklog})
	err := s.Each(ctx, q, func(f *bolt.Fields) {
		all = store.Backlog{Traces: f.Integer("traces"), Oldest: f.OptionalInstant("oldest"), Vectors: f.Integer("due")}
	})
	if !s.backend.vectors.Coded {
		all.Vectors = 0
	}
	return all, err
}
