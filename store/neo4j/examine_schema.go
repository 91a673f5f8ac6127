package neo4j

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// examineServer says which server answers.
func (b *Backend) examineServer(ctx context.Context, _ scope) ([]store.Finding, error) {
	server, err := b.connection.Driver.GetServerInfo(ctx)
	if err != nil {
		return nil, b.connection.Fault(ctx, err)
	}
	names, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("examine_server")}, bolt.Column[string]("server"))
	finding := store.Finding{Found: strings.Join(names, ", ") + ", database " + b.connection.Database}
	if !supported(server.Agent()) {
		finding.Fault = server.Agent() + " is older than " + oldestServer
		finding.Remedy = "Update the Neo4j."
	}
	return []store.Finding{finding}, err
}

// examineSchema compares the version of what is stored with this program's.
func (b *Backend) examineSchema(ctx context.Context, _ scope) ([]store.Finding, error) {
	version, _, err := b.version(ctx)
	finding := store.Finding{Found: fmt.Sprintf("version %v", version)}
	if version != any(int64(schemaVersion)) {
		finding.Fault = fmt.Sprintf("version %v is not that of this program, %d", version, schemaVersion)
		finding.Remedy = "Export it with the version that made it, and import it here."
	}
	return []store.Finding{finding}, err
}

// defined finds the name in a statement that defines a constraint or an index.
var defined = regexp.MustCompile(`^CREATE (?:\w+ )*(CONSTRAINT|INDEX) (\w+) `)

// examineIndexes looks for the constraints and indexes, and whether they can be used.
func (b *Backend) examineIndexes(ctx context.Context, _ scope) ([]store.Finding, error) {
	wanted := wantedIndexes()
	constraints, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("examine_constraints")}, bolt.Column[string]("name"))
	if err != nil {
		return nil, err
	}
	there, findings := map[string]bool{}, []store.Finding{}
	for _, name := range constraints {
		there["CONSTRAINT "+name] = true
	}
	err = b.connection.Each(ctx, bolt.Query{Statement: cypher.Named("examine_indexes")}, func(f *bolt.Fields) {
		name, state := f.Text("name"), f.Text("state")
		there["INDEX "+name] = true
		for _, kind := range []string{"INDEX", "CONSTRAINT"} {
			if slices.Contains(wanted, kind+" "+name) && state != "ONLINE" {
				findings = append(findings, lameIndex(kind, name, state))
			}
		}
	})
	missing := slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return there[name] })
	if len(missing) > 0 {
		findings = append(findings, store.Finding{
			Fault:  "missing are " + strings.Join(missing, ", "),
			Remedy: "Define them again: mneme rebuild\nWhere that fails because two records have one key, delete one of the two first.",
		})
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: fmt.Sprintf("%d constraints and indexes, all of them online", len(wanted))})
	}
	return findings, err
}

// wantedIndexes names all that should be defined, as "INDEX name".
func wantedIndexes() (wanted []string) {
	for _, text := range definitions() {
		match := defined.FindStringSubmatch(text)
		wanted = append(wanted, match[1]+" "+match[2])
	}
	return wanted
}

// lameIndex tells of an index that cannot be used.
func lameIndex(kind, name, state string) store.Finding {
	if state == "POPULATING" {
		return store.Finding{Fault: name + " is being built", Remedy: "Wait until it is ready: SHOW INDEXES tells."}
	}
	return store.Finding{
		Fault:  fmt.Sprintf("%s is %s", name, state),
		Remedy: fmt.Sprintf("DROP %s %s; then have it defined anew: mneme rebuild\nThe server's log tells why.", kind, name),
	}
}
