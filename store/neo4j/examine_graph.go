package neo4j

import (
	"context"
	"fmt"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/settings"
)

// examineRecords looks for records that are nobody's, and for tenants without their node.
func (b *Backend) examineRecords(ctx context.Context) ([]store.Finding, error) {
	all, tenants := 0, 0
	var findings []store.Finding
	fault, remedy := store.LostKeyText(settings.InputKeyProperty)
	rows, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Rendered("examine_records", anyLabel())}, func(row *neo4j.Record) (*bolt.Fields, error) {
		f := bolt.FieldsOf(row.AsMap())
		return f, f.Err
	})
	for _, f := range rows {
		tenant, records, keyless := f.OptionalText("tenant"), f.Integer("records"), f.Integer("keyless")
		all, tenants = all+records, tenants+1
		switch {
		case f.Err != nil:
			return nil, f.Err
		case tenant == nil:
			findings = append(findings, store.Finding{
				Fault:  fmt.Sprintf("%d records belong to no tenant: nothing finds them", records),
				Remedy: "Another program made them. To delete them: MATCH (n:" + anyLabel() + ") WHERE n.tenant IS NULL DETACH DELETE n",
			})
		case keyless > 0:
			findings = append(findings, store.Finding{
				Tenant: *tenant, Fault: fmt.Sprintf("%d records have no key: nothing finds them", keyless),
				Remedy: "Another program made them. To delete them: MATCH (n:" + anyLabel() + ") WHERE n.key IS NULL DETACH DELETE n",
			})
		case !bolt.Required[bool](f, "known"):
			findings = append(findings, store.Finding{
				Tenant: *tenant, Fault: fmt.Sprintf("%d records of a tenant whose node is gone: %s", records, fault),
				Remedy: remedy, Mend: newTenantStore(b, *tenant).mendKey,
			})
		}
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: prose.Plural(all, "record") + " of " + prose.Plural(tenants, "tenant")})
	}
	return findings, err
}

// ownLinks are the types that only the store itself knows.
const ownLinks = "COVERS|WAITS_FOR"

// anyLink matches the links between records, whatever their type.
func anyLink() string {
	names := make([]string, len(graph.LinkTypes))
	for i, link := range graph.LinkTypes {
		names[i] = link.Name
	}
	return strings.Join(names, "|")
}

// examineLinks looks at where links lead, and at the ids that they repeat.
func (b *Backend) examineLinks(ctx context.Context) ([]store.Finding, error) {
	findings, err := b.examineCrossing(ctx)
	if err != nil {
		return nil, err
	}
	from, to := cypher.Parameters{}, cypher.Parameters{}
	for _, link := range graph.LinkTypes {
		from[link.Name], to[link.Name] = memory.KindNames(link.From), memory.KindNames(link.To)
	}
	rows, err := countByTenant(ctx, b, cypher.Rendered("examine_links", anyLink()), cypher.Parameters{"kinds": labelledKinds(), "from": from, "to": to})
	all, misnamed := int64(0), newVerdict()
	for _, c := range rows {
		all += c.counts["links"]
		if n := c.counts["misnamed"]; n > 0 {
			misnamed.add(c.tenant, fmt.Sprintf("%d %s links do not carry the ids of their ends", n, c.link),
				b.mending(c.tenant, cypher.Rendered("mend_links", c.link), cypher.Parameters{"kinds": labelledKinds()}))
		}
		if n := c.counts["odd"]; n > 0 {
			findings = append(findings, oddLinks(c.tenant, c.link, n))
		}
	}
	if len(findings) > 0 && len(misnamed.faults) == 0 {
		return findings, err
	}
	return append(findings, misnamed.findings(fmt.Sprintf("%d links, all within their tenants", all),
		"Write the ids of their ends to these links, without which walks miss them.")...), err
}

// examineCrossing looks for links between tenants.
func (b *Backend) examineCrossing(ctx context.Context) (findings []store.Finding, err error) {
	types := anyLink() + "|" + ownLinks
	rows, err := countByTenant(ctx, b, cypher.Rendered("examine_crossing", types), nil)
	for _, c := range rows {
		findings = append(findings, store.Finding{
			Tenant: c.tenant, Fault: fmt.Sprintf("%d links lead to other tenants", c.counts["faults"]),
			Remedy: fmt.Sprintf("mneme makes no such links. To delete them: MATCH (a {tenant: '%s'})-[r:%s]->(b) WHERE b.tenant <> a.tenant DELETE r", c.tenant, types),
		})
	}
	return findings, err
}

// examineCauses looks for causes that began after what they caused, and for cycles of them, which walks bear and nobody
// else can judge: they are told of, and are no fault. A cycle has a link to a cause that did not begin before.
func (b *Backend) examineCauses(ctx context.Context, of scope) ([]store.Finding, error) {
	late := map[string][]string{}
	_, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("examine_causes")}, func(row *neo4j.Record) (struct{}, error) {
		f := bolt.FieldsOf(row.AsMap())
		tenant := f.Text("tenant")
		late[tenant] = append(late[tenant], bolt.List[string](f, "late")...)
		return struct{}{}, f.Err
	})
	if err != nil {
		return nil, err
	}
	var findings []store.Finding
	for _, tenant := range of.of(graph.SortedKeys(late)) {
		links, err := bolt.Read(ctx, b.connection, newTenantStore(b, tenant).Query(cypher.Named("causes_of_episodes"), nil), decodeLink)
		if err != nil {
			return nil, err
		}
		pairs := make([][2]string, len(links))
		for i, link := range links {
			pairs[i] = [2]string{link.Source, link.Target}
		}
		if told := linking.OddCauses(late[tenant], pairs); told != "" {
			findings = append(findings, store.Finding{Tenant: tenant, Found: told})
		}
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: "no cause of an episode began after it"})
	}
	return findings, nil
}

func oddLinks(tenant, link string, n int64) store.Finding {
	return store.Finding{
		Tenant: tenant, Fault: fmt.Sprintf("%d %s links lead from or to a wrong kind of record", n, link),
		Remedy: fmt.Sprintf("mneme makes no such links. Look at them, and delete them: MATCH (a {tenant: '%s'})-[r:%s]->(b) RETURN labels(a), labels(b), count(r)", tenant, link),
	}
}

// owner is a link that a property of its record repeats.
type owner struct {
	Kind     memory.Kind
	Property string
	Owner    memory.Kind
	Type     string
	// owns says that the link comes from the owner; else it leads to it.
	owns bool
	// must says that there is no such record without an owner.
	must bool
}

// repeatedOwners are all of them.
var repeatedOwners = []owner{
	{memory.KindEpisode, "agent", memory.KindAgent, "RAN", true, true},
	{memory.KindEpisode, "session", memory.KindSession, "IN_SESSION", false, false},
	{memory.KindCanvas, "session", memory.KindSession, "IN_SESSION", false, false},
	{memory.KindCanvas, "episode", memory.KindEpisode, "PRESENTED", true, false},
	{memory.KindFeedback, "session", memory.KindSession, "IN_SESSION", false, false},
	{memory.KindFeedback, "episode", memory.KindEpisode, "RECEIVED", true, false},
	{memory.KindFeedback, "canvas", memory.KindCanvas, "ON", false, false},
	{memory.KindObservation, "session", memory.KindSession, "IN_SESSION", false, false},
	{memory.KindConcept, "memoir", memory.KindMemoir, "CONTAINS", true, true},
	{memory.KindExecution, "profile", memory.KindLearningProfile, "OF", false, true},
	{memory.KindLearningProfile, "agent", memory.KindAgent, "OF", false, true},
	{memory.KindVerdict, "section", memory.KindSection, "ON", false, true},
	{memory.KindSection, "run", memory.KindRun, "IN_RUN", false, true},
}

// Label and OwnerLabel are the labels of the two.
func (o owner) Label() string { return graph.Labels[o.Kind] }

func (o owner) OwnerLabel() string { return graph.Labels[o.Owner] }

// Missing is the condition for a record n that is not linked as its property says.
func (o owner) Missing() string {
	link := fmt.Sprintf("(n)-[:%s]->(:%s {tenant: n.tenant, key: n.%s})", o.Type, o.OwnerLabel(), o.Property)
	if o.owns {
		link = fmt.Sprintf("(n)<-[:%s]-(:%s {tenant: n.tenant, key: n.%s})", o.Type, o.OwnerLabel(), o.Property)
	}
	if o.must {
		return fmt.Sprintf("(n.%s IS NULL OR NOT EXISTS { %s })", o.Property, link)
	}
	return fmt.Sprintf("n.%s IS NOT NULL AND NOT EXISTS { %s }", o.Property, link)
}

// Gone is the condition for a record n of which nothing has the key that its property names.
func (o owner) Gone() string {
	return fmt.Sprintf("NOT EXISTS { (:%s {tenant: n.tenant, key: n.%s}) }", o.OwnerLabel(), o.Property)
}

// Linked matches what a record n is linked with in the place of its owner.
func (o owner) Linked() string {
	if o.owns {
		return fmt.Sprintf("(n)<-[:%s]-(o:%s {tenant: $tenant})", o.Type, o.OwnerLabel())
	}
	return fmt.Sprintf("(n)-[:%s]->(o:%s {tenant: $tenant})", o.Type, o.OwnerLabel())
}

// Pattern is the link between a record n and its owner o.
func (o owner) Pattern() string {
	source, target := fmt.Sprintf("'%s:' + n.key", o.Kind), fmt.Sprintf("'%s:' + o.key", o.Owner)
	if o.owns {
		return fmt.Sprintf("(o)-[:%s {tenant: $tenant, from: %s, to: %s}]->(n)", o.Type, target, source)
	}
	return fmt.Sprintf("(n)-[:%s {tenant: $tenant, from: %s, to: %s}]->(o)", o.Type, source, target)
}

// examineOwners looks for records that are not linked with what they belong to.
func (b *Backend) examineOwners(ctx context.Context) ([]store.Finding, error) {
	v := newVerdict()
	for _, o := range repeatedOwners {
		rows, err := countByTenant(ctx, b, cypher.Rendered("examine_owners", o), nil)
		if err != nil {
			return nil, err
		}
		for _, c := range rows {
			fault := fmt.Sprintf("%d of kind %s without their %s", c.counts["faults"], o.Kind, o.Property)
			if gone := c.counts["gone"]; gone > 0 {
				fault += fmt.Sprintf(" (of %d that is gone)", gone)
			}
			v.add(c.tenant, fault, b.mendingOwners(c.tenant, o))
		}
	}
	return v.findings("each record is linked with what it belongs to",
		"Link them as their own properties say; where what these name is gone, but they are linked with another, write that to the properties. Agents, sessions, memoirs, runs and sections that are gone are made anew by their keys."), nil
}

// mendingOwners mends links one way after the other. An owner that is gone is made anew by its key, and its name and
// times by examineStored, but no episode and no canvas is: without what they said there is nothing to make.
func (b *Backend) mendingOwners(tenant string, o owner) func(context.Context) error {
	names, links := b.mending(tenant, cypher.Rendered("mend_owner_names", o), nil), b.mending(tenant, cypher.Rendered("mend_owners", o), nil)
	if o.Owner == memory.KindEpisode || o.Owner == memory.KindCanvas {
		return inTurn([]func(context.Context) error{names, links, b.mending(tenant, cypher.Rendered("mend_forget_owners", o), nil)})
	}
	anew := func(ctx context.Context) error {
		return newTenantStore(b, tenant).write(ctx, func(t *transaction) error {
			return t.Run(cypher.Rendered("mend_gone_owners", o), nil, nil)
		})
	}
	return inTurn([]func(context.Context) error{names, anew, links})
}

// examineKeys looks at properties that repeat others of what records belong to.
func (b *Backend) examineKeys(ctx context.Context) ([]store.Finding, error) {
	v := newVerdict()
	for _, repeated := range []struct {
		what          string
		examine, mend cypher.Statement
	}{
		{"verdicts of another run", cypher.Named("examine_runs"), cypher.Named("mend_runs")},
		{"canvases of another agent", cypher.Named("examine_shown"), cypher.Named("mend_shown")},
		{"canvases and feedback that do not say whether they wait", cypher.Named("examine_waits"), cypher.Named("mend_waits")},
	} {
		rows, err := countByTenant(ctx, b, repeated.examine, nil)
		if err != nil {
			return nil, err
		}
		for _, c := range rows {
			v.add(c.tenant, fmt.Sprintf("%d %s", c.counts["faults"], repeated.what), b.mending(c.tenant, repeated.mend, nil))
		}
	}
	return v.findings("properties that repeat others agree with them",
		"Some records are found by what they do not say: write it to these properties again."), nil
}
