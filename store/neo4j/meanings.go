package neo4j

import (
	"context"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/meanings"
	"mneme/store/neo4j/words"
)

// searchedLabels are those of the kinds that have texts.
var searchedLabels = graph.LabelsOf(words.Searched...)

// DueVectors counts the records whose codes are due; see store.Reindexer.
func (s *tenantStore) DueVectors(ctx context.Context) (due int, err error) {
	if !s.backend.vectors {
		return 0, ctx.Err()
	}
	for _, label := range searchedLabels {
		n, err := s.Count(ctx, s.Query(cypher.Rendered("count_due", label), nil))
		if err != nil {
			return 0, err
		}
		due += n
	}
	return due, nil
}

// madeTogether is of how many records vectors are made in one transaction.
const madeTogether = 256

// Reindex makes the codes that are due; see store.Reindexer.
func (s *tenantStore) Reindex(ctx context.Context, tell func(store.ReindexStep)) (made int, err error) {
	step := store.ReindexStep{}
	if step.Due, err = s.DueVectors(ctx); err != nil || step.Due == 0 {
		return 0, err
	}
	for _, kind := range words.Searched {
		for last := ""; ; {
			q := s.Query(cypher.Rendered("due", graph.Labels[kind]), cypher.Parameters{"page": graph.After(last), "limit": madeTogether})
			keys, err := bolt.Read(ctx, s.Connection, q, bolt.Column[string]("key"))
			if err != nil || len(keys) == 0 {
				if err != nil {
					return step.Made, err
				}
				break
			}
			last = keys[len(keys)-1]
			part, err := s.makeMeanings(ctx, kind, keys)
			if err != nil {
				return step.Made, err
			}
			if step.Made += part; tell != nil {
				tell(step)
			}
		}
	}
	return step.Made, nil
}

// makeMeanings makes the codes of those of some records that are still due.
func (s *tenantStore) makeMeanings(ctx context.Context, kind memory.Kind, keys []string) (made int, err error) {
	err = s.write(ctx, func(t *transaction) error {
		label := graph.Labels[kind]
		records, err := bolt.RowsOf(t.Transaction, cypher.Rendered("lock_due", label), cypher.Parameters{"keys": keys}, bolt.Column[map[string]any]("said"))
		if made = len(records); err != nil || made == 0 {
			return err
		}
		rows, vectors := make([]cypher.Parameters, made), []cypher.Parameters{}
		for i, record := range records {
			properties, vector := meanings.Of(kind, record, true)
			properties["key"] = record["key"]
			rows[i], vectors = properties, append(vectors, vector...)
		}
		return t.Run(cypher.Rendered("set_meanings", label), cypher.Parameters{"rows": rows, "vectors": vectors}, nil)
	})
	return made, err
}

// examineMeanings counts the vectors that there are and that are due, which is no fault. Whether those that there are say what
// their records do is looked at with the words.
func (b *Backend) examineMeanings(ctx context.Context) ([]store.Finding, error) {
	if !b.vectors {
		return []store.Finding{{Found: store.NoMeaningsText}}, nil
	}
	var findings []store.Finding
	all := 0
	asked := bolt.Query{Statement: cypher.Rendered("examine_meanings", strings.Join(searchedLabels, "|"))}
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
	q := s.Query(cypher.Rendered("backlog", searchedLabels), cypher.Parameters{"most": store.MostBacklog})
	err := s.Each(ctx, q, func(f *bolt.Fields) {
		all = store.Backlog{Traces: f.Integer("traces"), Oldest: f.OptionalInstant("oldest"), Vectors: min(f.Integer("due"), store.MostBacklog)}
	})
	if !s.backend.vectors {
		all.Vectors = 0
	}
	return all, err
}
