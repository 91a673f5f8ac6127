package neo4j

import (
	"context"
	"fmt"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// examineRecords looks for records that are nobody's, and for tenants without their node.
func (b *Backend) examineRecords(ctx context.Context) ([]store.Finding, error) {
	var all, tenants int64
	var findings []store.Finding
	fault, remedy := store.LostKeyText(settingInputKey)
	rows, err := read(ctx, b, query{statement: rendered("examine_records", anyLabel())}, func(row *neo4j.Record) (*fields, error) {
		f := fieldsOf(row.AsMap())
		return f, f.err
	})
	for _, f := range rows {
		tenant, records, keyless := f.optionalText("tenant"), int64(f.integer("records")), f.integer("keyless")
		all, tenants = all+records, tenants+1
		switch {
		case f.err != nil:
			return nil, f.err
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
		case !required[bool](f, "known"):
			findings = append(findings, store.Finding{
				Tenant: *tenant, Fault: fmt.Sprintf("%d records of a tenant whose node is gone: %s", records, fault),
				Remedy: remedy, Mend: newTenantStore(b, *tenant).mendKey,
			})
		}
	}
	if len(findings) == 0 {
		findings = append(findings, store.Finding{Found: fmt.Sprintf("%d records of %d tenants", all, tenants)})
	}
	return findings, err
}

// ownLinks are the types that only the store itself knows.
const ownLinks = "COVERS|WAITS_FOR"

// anyLink matches the links between records, whatever their type.
func anyLink() string {
	names := make([]string, len(linkTypes))
	for i, link := range linkTypes {
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
	from, to := parameters{}, parameters{}
	for _, link := range linkTypes {
		from[link.Name], to[link.Name] = kindNames(link.from), kindNames(link.to)
	}
	rows, err := countByTenant(ctx, b, rendered("examine_links", anyLink()), parameters{"kinds": labelledKinds(), "from": from, "to": to})
	all, misnamed := int64(0), newVerdict()
	for _, c := range rows {
		all += c.counts["links"]
		if n := c.counts["misnamed"]; n > 0 {
			misnamed.add(c.tenant, fmt.Sprintf("%d %s links do not carry the ids of their ends", n, c.link),
				b.mending(c.tenant, rendered("mend_links", c.link), parameters{"kinds": labelledKinds()}))
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
	rows, err := countByTenant(ctx, b, rendered("examine_crossing", types), nil)
	for _, c := range rows {
		findings = append(findings, store.Finding{
			Tenant: c.tenant, Fault: fmt.Sprintf("%d links lead to other tenants", c.counts["faults"]),
			Remedy: fmt.Sprintf("mneme makes no such links. To delete them: MATCH (a {tenant: '%s'})-[r:%s]->(b) WHERE b.tenant <> a.tenant DELETE r", c.tenant, types),
		})
	}
	return findings, err
}

func oddLinks(tenant, link string, n int64) store.Finding {
	return store.Finding{
		Tenant: tenant, Fault: fmt.Sprintf("%d %s links lead from or to a wrong kind of record", n, link),
		Remedy: fmt.Sprintf("mneme makes no such links. Look at them, and delete them: MATCH (a {tenant: '%s'})-[r:%s]->(b) RETURN labels(a), labels(b), count(r)", tenant, link),
	}
}

func kindNames(kinds []memory.Kind) []string {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind)
	}
	return names
}
