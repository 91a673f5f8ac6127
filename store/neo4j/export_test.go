package neo4j

import (
	"context"
	"testing"

	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// LetGo removes the nodes of all tenants that a backend has bound, so that examinations by later tests do not read
// what this one left. It knows those that somebody has.
func (b *Backend) LetGo(t testing.TB) {
	t.Helper()
	ids := b.tenants.All()
	if len(ids) == 0 {
		return
	}
	_ = b.connection.Command(context.WithoutCancel(t.Context()), bolt.Query{
		Statement: cypher.Statement{Name: "let go", Text: "MATCH (t:Tenant) WHERE t.key IN $ids DELETE t"}, Write: true, Parameters: cypher.Parameters{"ids": ids},
	}) // a test may have closed it
}
