package neo4j

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// parts are what is examined of a backend, in this order.
func (b *Backend) parts() []part {
	return []part{
		{"server", whole(b.examineServer), true},
		{"schema", whole(b.examineSchema), true},
		{"indexes", whole(b.examineIndexes), true},
		{"records", whole(b.examineRecords), false},
		{"settings", b.examineSettings, false},
		{"links", whole(b.examineLinks), false},
		{"owners", whole(b.examineOwners), false},
		{"causes", b.examineCauses, false},
		{"keys", whole(b.examineKeys), false},
		{"words", b.examineWords, false},
		{"meanings", whole(b.examineMeanings), false},
		{"counters", b.examineCounters, false},
		{"what is stored", b.examineStored, false},
		{"profiles", whole(b.examineProfiles), false},
		{"waiting", whole(b.examineWaiting), false},
		{"traces", whole(b.examineTraces), false},
	}
}

// part is one thing that is examined.
type part struct {
	name    string
	examine func(context.Context, scope) ([]store.Finding, error)
	shared  bool // no tenant has any of its own
}

// scope is whose graphs an examination goes through one by one: those of all tenants, or of the one of this id.
type scope string

// of are the tenants that are within the scope.
func (s scope) of(tenants []string) []string {
	return slices.DeleteFunc(tenants, func(id string) bool { return s != "" && id != string(s) })
}

// whole is a part that is looked at with statements about all tenants.
func whole(examine func(context.Context) ([]store.Finding, error)) func(context.Context, scope) ([]store.Finding, error) {
	return func(ctx context.Context, _ scope) ([]store.Finding, error) { return examine(ctx) }
}

// Examine looks at the server, its schema and all tenants' graphs; see store.Examiner.
func (b *Backend) Examine(ctx context.Context) ([]store.Finding, error) {
	if err := b.Check(ctx); err != nil {
		return nil, err
	}
	var findings []store.Finding
	for _, p := range b.parts() {
		found, err := p.run(ctx, "")
		if err != nil {
			return nil, err
		}
		findings = append(findings, found...)
	}
	return append(findings, store.ExamineKeys(ctx, b)), ctx.Err()
}

// ExamineTenant reads the graph of one tenant, and counts over those of all, which are in one database; see store.Examiner. Where
// the tenant's is whole, it is said without the counts, which may be of all.
func (b *Backend) ExamineTenant(ctx context.Context, id string) ([]store.Finding, error) {
	if err := b.Check(ctx); err != nil {
		return nil, err
	}
	there, err := b.Has(ctx, id)
	if err != nil || !there {
		return nil, err
	}
	var findings []store.Finding
	for _, p := range b.parts() {
		if p.shared {
			continue
		}
		found, err := p.run(ctx, scope(id))
		if err != nil {
			return nil, err
		}
		own := slices.DeleteFunc(found, func(f store.Finding) bool { return f.Tenant != id })
		if len(own) == 0 {
			own = []store.Finding{{Tenant: id, Part: p.name}}
		}
		findings = append(findings, own...)
	}
	return findings, ctx.Err()
}

// run examines a part. That it cannot be is a fault of it, unless nothing can be.
func (p part) run(ctx context.Context, of scope) ([]store.Finding, error) {
	found, err := p.examine(ctx, of)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, store.ErrUnavailable):
		return nil, err
	case err != nil:
		found = []store.Finding{{Fault: "it cannot be examined: " + err.Error(), Remedy: "The user needs the right to read, and to list indexes and constraints."}}
	}
	for i := range found {
		found[i].Part = p.name
	}
	return found, nil
}

// examineServer says which server answers.
func (b *Backend) examineServer(ctx context.Context) ([]store.Finding, error) {
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
func (b *Backend) examineSchema(ctx context.Context) ([]store.Finding, error) {
	version, _, err := b.version(ctx)
	if err != nil {
		return nil, err
	}
	finding := store.Finding{Found: fmt.Sprintf("version %v", version)}
	if version != any(int64(schemaVersion)) {
		finding.Fault = fmt.Sprintf("version %v is not that of this program, %d", version, schemaVersion)
		finding.Remedy = "Export it with the version that made it, and import it here."
	}
	return []store.Finding{finding}, nil
}

// labelledKinds are the names of the kinds by label, for queries.
func labelledKinds() cypher.Parameters {
	kinds := cypher.Parameters{}
	for kind, label := range graph.Labels {
		kinds[label] = string(kind)
	}
	return kinds
}

// anyLabel matches the records of all kinds, or of the given ones.
func anyLabel(kinds ...memory.Kind) string {
	if len(kinds) == 0 {
		return strings.Join(slices.Sorted(maps.Values(graph.Labels)), "|")
	}
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = graph.Labels[kind]
	}
	slices.Sort(names)
	return strings.Join(names, "|")
}

// tenantCount is what a query counts in a tenant, by the names of its columns.
type tenantCount struct {
	tenant string
	link   string // the type of links that were counted, where they were counted by type
	counts map[string]int64
}

// countByTenant runs an embedded query that answers a row for each tenant.
func countByTenant(ctx context.Context, b *Backend, counting cypher.Statement, values cypher.Parameters) ([]tenantCount, error) {
	return bolt.Read(ctx, b.connection, bolt.Query{Statement: counting, Parameters: values}, func(row *neo4j.Record) (tenantCount, error) {
		tenant, err := bolt.OptionalColumn[string]("tenant")(row)
		values := row.AsMap()
		c := tenantCount{tenant: tenant, counts: map[string]int64{}}
		c.link, _ = values["type"].(string)
		for name, value := range values {
			if n, ok := value.(int64); ok {
				c.counts[name] = n
			}
		}
		return c, err
	})
}

// verdict collects what is wrong in each tenant.
type verdict struct {
	faults map[string][]string
	mends  map[string][]func(context.Context) error
}

func newVerdict() *verdict {
	return &verdict{faults: map[string][]string{}, mends: map[string][]func(context.Context) error{}}
}

// add notes a fault in a tenant, and how to mend it where that can be done.
func (v *verdict) add(tenant, fault string, mend func(context.Context) error) {
	v.faults[tenant] = append(v.faults[tenant], fault)
	if mend != nil {
		v.mends[tenant] = append(v.mends[tenant], mend)
	}
}

// findings are a line for each tenant with faults, or one that says what was found.
func (v *verdict) findings(found, remedy string) []store.Finding {
	var findings []store.Finding
	for _, tenant := range slices.Sorted(maps.Keys(v.faults)) {
		finding := store.Finding{Tenant: tenant, Fault: strings.Join(v.faults[tenant], ", "), Remedy: remedy}
		if mends := v.mends[tenant]; len(mends) > 0 {
			finding.Mend = inTurn(mends)
		}
		findings = append(findings, finding)
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: found})
	}
	return findings
}

func inTurn(steps []func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, step := range steps {
			if err := step(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// mending is an embedded statement that mends a tenant, in batches of its own.
func (b *Backend) mending(tenant string, mend cypher.Statement, values cypher.Parameters) func(context.Context) error {
	return func(ctx context.Context) error {
		all := cypher.Parameters{"tenant": tenant}
		maps.Copy(all, values)
		return b.connection.InBatches(ctx, bolt.Query{Statement: mend, Parameters: all})
	}
}
