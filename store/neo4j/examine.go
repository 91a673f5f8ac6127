package neo4j

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory/prose"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/settings"
)

// parts are what is examined of a backend, in this order.
func (b *Backend) parts() []part {
	all := []part{
		{"server", b.examineServer, true},
		{"schema", b.examineSchema, true},
		{"indexes", b.examineIndexes, true},
		{"settings", b.examineSettings, false},
		{"records", b.examineRecords, false},
	}
	for _, name := range []string{"strays", "links", "owners", "keys", "counters", "waiting", "profiles"} {
		all = append(all, part{name, func(ctx context.Context, _ scope) ([]store.Finding, error) { return b.runChecks(ctx, name) }, false})
	}
	return append(all,
		part{"passages", b.examinePassages, false},
		part{"meanings", b.examineMeanings, false},
		part{"traces", b.examineTraces, false},
	)
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

// Examine looks at the server, its schema and all tenants' graphs; see store.Examiner.
func (b *Backend) Examine(ctx context.Context) ([]store.Finding, error) {
	findings, err := b.examine(ctx, "")
	if err != nil {
		return nil, err
	}
	return append(findings, store.ExamineKeys(ctx, b)), ctx.Err()
}

// ExamineTenant reads the graph of one tenant, and counts over those of all, which are in one database; see store.Examiner. Where
// the tenant's is whole, it is said without the counts, which may be of all.
func (b *Backend) ExamineTenant(ctx context.Context, id string) ([]store.Finding, error) {
	return b.examine(ctx, scope(id))
}

func (b *Backend) examine(ctx context.Context, of scope) (findings []store.Finding, err error) {
	if err := b.Check(ctx); err != nil {
		return nil, err
	}
	if of != "" {
		if there, err := b.Has(ctx, string(of)); err != nil || !there {
			return nil, err
		}
	}
	for _, p := range b.parts() {
		if of != "" && p.shared {
			continue
		}
		found, err := p.run(ctx, of)
		if err != nil {
			return nil, err
		}
		if of != "" {
			found = slices.DeleteFunc(found, func(f store.Finding) bool { return f.Tenant != string(of) })
			if len(found) == 0 {
				found = []store.Finding{{Tenant: string(of), Part: p.name}}
			}
		}
		findings = append(findings, found...)
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

// faultsOf counts the faults that a statement finds, by tenant.
func (b *Backend) faultsOf(ctx context.Context, find cypher.Statement, values cypher.Parameters) (map[string]int, error) {
	faults := map[string]int{}
	return faults, b.connection.Each(ctx, bolt.Query{Statement: find, Parameters: values}, func(f *bolt.Fields) {
		tenant := f.OptionalText("tenant")
		if n := f.Integer("faults"); n > 0 {
			faults[linking.OrNone(tenant)] += n
		}
	})
}

// rebuildable are findings for each tenant with faults, or one that says what was found.
func rebuildable(faults map[string][]string, found string) []store.Finding {
	findings := []store.Finding{}
	for _, tenant := range slices.Sorted(maps.Keys(faults)) {
		findings = append(findings, store.Finding{Tenant: tenant, Fault: strings.Join(faults[tenant], "; "), Remedy: store.RemedyRebuild})
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: found})
	}
	return findings
}

// Tenants lists those that have a node; see store.Backend.
func (b *Backend) Tenants(ctx context.Context) ([]string, error) {
	return bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("tenants")}, bolt.Column[string]("tenant"))
}

// examineRecords looks for records that cannot be read, by reading all there are as an export does.
func (b *Backend) examineRecords(ctx context.Context, of scope) ([]store.Finding, error) {
	tenants, err := b.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	findings, count := []store.Finding{}, 0
	for _, id := range of.of(tenants) {
		found, read, err := newTenantStore(b, id).lasting(ctx)
		if err != nil {
			return nil, err
		}
		if count += read; len(found) > 0 {
			findings = append(findings, store.UnreadableFinding(id, found, read))
		}
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: prose.Plural(count, "record") + " of " + prose.Plural(len(tenants), "tenant") + " can be read"})
	}
	return findings, nil
}

// examineSettings looks at what tenants keep once.
func (b *Backend) examineSettings(ctx context.Context, of scope) ([]store.Finding, error) {
	vectors := map[string]settings.Lengths{}
	if err := b.connection.Each(ctx, bolt.Query{Statement: cypher.Named("examine_lengths")}, func(f *bolt.Fields) {
		tenant := f.Text("tenant")
		if vectors[tenant] == nil {
			vectors[tenant] = settings.Lengths{}
		}
		vectors[tenant].Read(f)
	}); err != nil {
		return nil, err
	}
	var findings []store.Finding
	tenants := 0
	asked := bolt.Query{Statement: cypher.Rendered("examine_tenants", strings.Join(settings.RecordLabels, "|"))}
	err := b.connection.Each(ctx, asked, func(f *bolt.Fields) {
		tenant, nodes := f.Text("tenant"), bolt.List[map[string]any](f, "nodes")
		if tenants++; len(of.of([]string{tenant})) > 0 {
			findings = append(findings, settingsOf(tenant, nodes, f.Integer("records") > 0, vectors[tenant])...)
		}
	})
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: "those of " + prose.Plural(tenants, "tenant") + " can be read"})
	}
	return findings, err
}

// settingsOf looks at the nodes of a tenant, which should be one. A key is lost only where something was hashed with it.
func settingsOf(tenant string, nodes []map[string]any, hashed bool, vectors settings.Lengths) (findings []store.Finding) {
	if len(nodes) > 1 {
		return []store.Finding{{
			Tenant: tenant, Fault: settings.SeveralNodes(len(nodes)),
			Remedy: "Another program made them where the constraint mneme_tenant was missing. Delete all but the one with the key of a backup.",
		}}
	}
	nodes = append(nodes, map[string]any{})
	if settings.SoundKey(nodes[0][settings.InputKeyProperty]) == nil && hashed {
		findings = append(findings, store.LostKey(tenant, &store.Damaged{Kind: store.KindSetting, Key: settings.InputKeyProperty}))
	}
	fixed := nodes[0][settings.VectorLengthProperty]
	length := settings.SoundLength(fixed)
	if most := vectors.Prevailing(length); length != most || fixed != nil && length == 0 {
		findings = append(findings, store.Finding{
			Tenant: tenant, Remedy: store.RemedyRebuild,
			Fault: fmt.Sprintf("the setting %s is %d (0 where it is gone or cannot be read), and the embeddings have %d numbers", settings.VectorLengthProperty, length, most),
		})
	}
	return findings
}

// examineTraces looks for traces that cannot be made episodes.
func (b *Backend) examineTraces(ctx context.Context, _ scope) ([]store.Finding, error) {
	var findings []store.Finding
	all := 0
	asked := bolt.Query{Statement: cypher.Named("examine_traces"), Parameters: cypher.Parameters{"many": store.ManyFailures}}
	err := b.connection.Each(ctx, asked, func(f *bolt.Fields) {
		tenant, failing := f.Text("tenant"), store.FailingTraces{}
		all += f.Integer("held")
		for _, trace := range bolt.List[map[string]any](f, "failing") {
			one := bolt.FieldsOf(trace)
			failing.Add(one.Text("key"), one.Integer("failures"), one.Text("reason"))
			f.Err = errors.Join(f.Err, one.Err)
		}
		if fault, remedy := failing.Fault(); fault != "" {
			findings = append(findings, store.Finding{Tenant: tenant, Fault: fault, Remedy: remedy})
		}
	})
	if len(findings) == 0 {
		findings = []store.Finding{{Found: fmt.Sprintf("%d traces are held", all)}}
	}
	return findings, err
}
