package neo4j

import (
	"context"
	"strings"

	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

// DueVectors counts the records of whose passages vectors are due; see store.Reindexer.
func (s *tenantStore) DueVectors(ctx context.Context) (due int, err error) {
	if !s.backend.vectors {
		return 0, ctx.Err()
	}
	return s.Count(ctx, s.Query(cypher.Named("count_due"), nil))
}

// madeTogether is of how many records vectors are made in one transaction.
const madeTogether = 256

// Reindex makes the vectors that are due; see store.Reindexer.
func (s *tenantStore) Reindex(ctx context.Context, tell func(store.ReindexStep)) (made int, err error) {
	step := store.ReindexStep{}
	if step.Due, err = s.DueVectors(ctx); err != nil || step.Due == 0 {
		return 0, err
	}
	for {
		q := s.Query(cypher.Named("due_passages"), cypher.Parameters{"limit": madeTogether})
		rows, err := bolt.Read(store.Unmetered(ctx), s.Connection, q, bolt.Decoded(func(f *bolt.Fields) cypher.Parameters {
			text := f.Text("text")
			return cypher.Parameters{"id": bolt.Required[int64](f, "id"), "text": text, "code": passages.CodeOf(text)}
		}))
		if err != nil || len(rows) == 0 {
			return step.Made, err
		}
		part, err := written(ctx, s, func(t *transaction) ([]int64, error) {
			return bolt.RowsOf(t.Transaction, cypher.Named("code_passages"), cypher.Parameters{"rows": rows}, bolt.Column[int64]("made"))
		})
		if err != nil {
			return step.Made, err
		}
		if step.Made += int(part[0]); tell != nil {
			tell(step)
		}
	}
}

// examineMeanings counts the records that have vectors, and of which they are due, which is no fault. Whether those that there are say what
// their passages do is looked at with these.
func (b *Backend) examineMeanings(ctx context.Context) ([]store.Finding, error) {
	if !b.vectors {
		return []store.Finding{{Found: store.NoMeaningsText}}, nil
	}
	var findings []store.Finding
	all := 0
	asked := bolt.Query{Statement: cypher.Rendered("examine_meanings", strings.Join(graph.LabelsOf(passages.Kinds...), "|"))}
	err := b.connection.Each(ctx, asked, func(f *bolt.Fields) {
		tenant, made, due := f.Text("tenant"), f.Integer("made"), f.Integer("due")
		if all += made; due > 0 {
			findings = append(findings, store.Finding{Tenant: tenant, Found: store.MeaningsText(made, due)})
		}
	})
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: store.MeaningsText(all, 0)})
	}
	return findings, err
}

// Backlog counts what waits; see store.Backlogged. There are no files.
func (s *tenantStore) Backlog(ctx context.Context) (store.Backlog, error) {
	var all store.Backlog
	q := s.Query(cypher.Named("backlog"), cypher.Parameters{"most": store.MostBacklog})
	err := s.Each(ctx, q, func(f *bolt.Fields) {
		all = store.Backlog{Traces: f.Integer("traces"), Oldest: f.OptionalInstant("oldest"), Vectors: f.Integer("due")}
	})
	if !s.backend.vectors {
		all.Vectors = 0
	}
	return all, err
}
