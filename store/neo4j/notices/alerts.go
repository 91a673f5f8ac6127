package notices

import (
	"context"

	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"

	"mneme/store"
)

var _ store.AlertKeeper = (*Reader)(nil)

// BeginAlerts numbers a look for alerts; see store.AlertKeeper.
func (r *Reader) BeginAlerts(ctx context.Context) (look int64, err error) {
	query := r.Query(cypher.Named("begin_alerts"), nil)
	query.Write = true
	return bolt.One(ctx, r.Connection, query, bolt.Column[int64]("look"))
}

// KeepAlerts keeps what a look found; see store.AlertKeeper. Each notice tells of as many alerts as rose at once.
func (r *Reader) KeepAlerts(ctx context.Context, look int64, digests []string) error {
	query := r.Query(cypher.Named("keep_alerts"), cypher.Parameters{
		"look": look, "digests": digests, "kind": string(store.KindAlert), "mark": graph.Noticed(store.KindAlert, nil)["mark"],
	})
	query.Write = true
	_, err := bolt.Read(ctx, r.Connection, query, bolt.Column[int64]("risen"))
	return err
}
