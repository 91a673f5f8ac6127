// Package bolt is how statements reach Neo4j and records come back: reads and write transactions that are tried again,
// what waits to go together with others, the values in rows, and what of them cannot be read. It knows no kind of
// record.
package bolt

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// Connection is what statements are sent through. It is safe for concurrent use.
type Connection struct {
	Driver      neo4j.DriverWithContext
	Database    string
	Address     string // for errors, without credentials
	Turns       *store.Turns
	Observer    store.Observer                                        // nil for nobody
	OnStatement func(name, text string, parameters cypher.Parameters) // for tests that look at plans
}

// Tenant is a connection for what concerns one tenant, whose id is among the parameters of what is sent.
type Tenant struct {
	*Connection

	TenantID string
}

// Query is one that reads this tenant.
func (s *Tenant) Query(asked cypher.Statement, values cypher.Parameters) Query {
	if values == nil {
		values = cypher.Parameters{}
	}
	values["tenant"] = s.TenantID
	return Query{Statement: asked, Parameters: values, Within: ReadTime}
}

// WriteQuery is a query that writes to this tenant.
func (s *Tenant) WriteQuery(asked cypher.Statement, values cypher.Parameters) Query {
	q := s.Query(asked, values)
	q.Write = true
	return q
}

// Number runs a query that answers a number as n.
func (s *Tenant) Number(ctx context.Context, q Query) (int, error) {
	n, err := One(ctx, s.Connection, q, Column[int64]("n"))
	return int(n), err
}
