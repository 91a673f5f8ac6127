package neo4j

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

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
	lost, err = bolt.One(ctx, b.connection, bolt.Query{Statement: cypher.Named("version"), Parameters: cypher.Parameters{"name": b.schema}}, func(row *bolt.Fields) bool {
		version = row.Node.Props["version"]
		return bolt.Required[bool](row, "lost")
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

// definition is a statement of the schema, within what defines it.
var definition = regexp.MustCompile(`(?m)^CREATE [^;]*`)

// definitions are the statements that make the schema: those of labels, and of every type of link.
func definitions() []string {
	all := definition.FindAllString(cypher.Named("schema").Text, -1)
	for _, link := range graph.LinkTypes {
		all = append(all, definition.FindAllString(cypher.Rendered("link_indexes", link.Name).Text, -1)...)
	}
	return all
}

// definedMeanwhile says whether an error means that another made an index or a constraint while we looked whether it is
// there: IF NOT EXISTS looks first and makes it then.
func definedMeanwhile(err error) bool {
	var refused *neo4j.Neo4jError
	return errors.As(err, &refused) && refused.Code == "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
}

// examineServer says which server answers.
func (b *Backend) examineServer(ctx context.Context) (store.Finding, error) {
	server, err := b.connection.Driver.GetServerInfo(ctx)
	if err != nil {
		return store.Finding{}, b.connection.Fault(ctx, err)
	}
	names, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("examine_server")}, bolt.Column[string]("server"))
	finding := store.Finding{Found: strings.Join(names, ", ") + ", database " + b.connection.Database}
	if !supported(server.Agent()) {
		finding.Fault = server.Agent() + " is older than " + oldestServer
		finding.Remedy = "Update the Neo4j."
	}
	return finding, err
}

// examineSchema compares the version of what is stored with this program's.
func (b *Backend) examineSchema(ctx context.Context) (store.Finding, error) {
	version, _, err := b.version(ctx)
	finding := store.Finding{Found: fmt.Sprintf("version %v", version)}
	if version != any(int64(schemaVersion)) {
		finding.Fault = fmt.Sprintf("version %v is not that of this program, %d", version, schemaVersion)
		finding.Remedy = "Export it with the version that made it, and import it here."
	}
	return finding, err
}

// defined finds in a statement what it defines, a constraint or an index, and its name.
var defined = regexp.MustCompile(`^CREATE (?:\w+ )*(CONSTRAINT|INDEX) (\w+) `)

// examineIndexes looks for the constraints and indexes, and whether they can be used.
func (b *Backend) examineIndexes(ctx context.Context) (store.Finding, error) {
	states := map[string]string{}
	err := b.connection.Each(ctx, bolt.Query{Statement: cypher.Named("examine_indexes")}, func(f *bolt.Fields) {
		states[f.Text("of")+" "+f.Text("name")] = f.Text("state")
	})
	wanted := definitions()
	var missing, faults, remedies []string
	for _, text := range wanted {
		name := strings.Join(defined.FindStringSubmatch(text)[1:], " ")
		switch state := states[name]; state {
		case "ONLINE":
		case "":
			missing = append(missing, name)
		default:
			fault, remedy := lameIndex(name, state)
			faults, remedies = append(faults, fault), append(remedies, remedy)
		}
	}
	if len(missing) > 0 {
		faults = append(faults, "missing are "+strings.Join(missing, ", "))
		remedies = append(remedies, "Define them again: mneme rebuild\nWhere that fails because two records have one key, delete one of the two first.")
	}
	if len(faults) > 0 {
		return store.Finding{Fault: strings.Join(faults, "; "), Remedy: strings.Join(remedies, "\n")}, err
	}
	return store.Finding{Found: fmt.Sprintf("%d constraints and indexes, all of them online", len(wanted))}, err
}

// lameIndex tells of an index that cannot be used.
func lameIndex(name, state string) (fault, remedy string) {
	if state == "POPULATING" {
		return name + " is being built", "Wait until it is ready: SHOW INDEXES tells."
	}
	return fmt.Sprintf("%s is %s", name, state), fmt.Sprintf("DROP %s; then have it defined anew: mneme rebuild\nThe server's log tells why.", name)
}
