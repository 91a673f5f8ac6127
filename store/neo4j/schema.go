package neo4j

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// schemaVersion is that of the schema, which a node keeps. A change of what is stored and how, of how words are
// analysed or of the table of meanings needs another.
const schemaVersion = 7

// makeSchema makes the schema of a new database, and refuses one of another version. The version is written last, so
// that what was interrupted begins again.
func (b *Backend) makeSchema(ctx context.Context) error {
	version, lost, err := b.version(ctx)
	switch {
	case err != nil:
		return err
	case lost, version != nil && version != any(int64(schemaVersion)):
		return fmt.Errorf("the database at %s: %w", b.connection.Address, store.OtherVersion(cmp.Or(version, any("none")), schemaVersion))
	case version != nil:
		return nil
	}
	if err := b.define(ctx); err != nil {
		return err
	}
	return b.connection.Command(ctx, bolt.Query{
		Statement: cypher.Named("set_version"), Write: true,
		Parameters: cypher.Parameters{"name": b.schema, "version": schemaVersion},
	})
}

// version is the number of the schema that the database keeps, nil for none. It is lost where there is none although a
// tenant has records.
func (b *Backend) version(ctx context.Context) (version any, lost bool, err error) {
	lost, err = bolt.One(ctx, b.connection, bolt.Query{Statement: cypher.Named("version"), Parameters: cypher.Parameters{"name": b.schema}}, func(row *neo4j.Record) (bool, error) {
		version = row.AsMap()["version"]
		return bolt.Column[bool]("lost")(row)
	})
	return version, lost, err
}

// define makes the constraints and indexes, and waits for the indexes.
func (b *Backend) define(ctx context.Context) error {
	for _, text := range append(definitions(), cypher.Named("await_indexes").Text) {
		if err := b.connection.Command(ctx, bolt.Query{Statement: cypher.Statement{Name: "schema", Text: text}, Write: true}); err != nil && !definedMeanwhile(err) {
			return fmt.Errorf("schema: %w", err)
		}
	}
	return nil
}

// definitions are the statements that make the schema: those of labels, and of every type of link.
func definitions() []string {
	all := cypher.Script(cypher.Named("schema").Text)
	for _, link := range graph.LinkTypes {
		all = append(all, cypher.Script(cypher.Rendered("link_indexes", link.Name).Text)...)
	}
	return all
}

// definedMeanwhile says whether an error means that another made an index or a constraint while we looked whether it is
// there: IF NOT EXISTS looks first and makes it then.
func definedMeanwhile(err error) bool {
	var refused *neo4j.Neo4jError
	return errors.As(err, &refused) && refused.Code == "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
}
