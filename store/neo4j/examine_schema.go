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

// defined finds the name in a statement that defines a constraint or an index.
var defined = regexp.MustCompile(`^CREATE (?:\w+ )*(CONSTRAINT|INDEX) (\w+) `)

// examineIndexes looks for the constraints and indexes, and whether they can be used.
func (b *Backend) examineIndexes(ctx context.Context) (store.Finding, error) {
	constraints, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("examine_constraints")}, bolt.Column[string]("name"))
	if err != nil {
		return store.Finding{}, err
	}
	states := map[string]string{}
	for _, name := range constraints {
		states["CONSTRAINT "+name] = online
	}
	err = b.connection.Each(ctx, bolt.Query{Statement: cypher.Named("examine_indexes")}, func(f *bolt.Fields) {
		name, state := f.Text("name"), f.Text("state")
		states["INDEX "+name] = state
		if slices.Contains(constraints, name) { // which has an index of its name
			states["CONSTRAINT "+name] = state
		}
	})
	wanted := wantedIndexes()
	var missing, faults, remedies []string
	for _, name := range wanted {
		switch state := states[name]; state {
		case online:
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

const online = "ONLINE"

// wantedIndexes names all that should be defined, as "INDEX name".
func wantedIndexes() (wanted []string) {
	for _, text := range definitions() {
		match := defined.FindStringSubmatch(text)
		wanted = append(wanted, match[1]+" "+match[2])
	}
	return wanted
}

// lameIndex tells of an index that cannot be used.
func lameIndex(name, state string) (fault, remedy string) {
	if state == "POPULATING" {
		return name + " is being built", "Wait until it is ready: SHOW INDEXES tells."
	}
	return fmt.Sprintf("%s is %s", name, state), fmt.Sprintf("DROP %s; then have it defined anew: mneme rebuild\nThe server's log tells why.", name)
}
