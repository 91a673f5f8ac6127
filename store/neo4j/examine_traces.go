package neo4j

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
)

// tracesOf are the traces that are held of a tenant.
type tracesOf struct {
	tenant  string
	held    int64
	failing store.FailingTraces
}

// examineTraces looks for traces that cannot be made episodes.
func (b *Backend) examineTraces(ctx context.Context) ([]store.Finding, error) {
	tenants, err := read(ctx, b, query{
		statement: named("examine_traces"), parameters: parameters{"many": store.ManyFailures},
	}, decodeTraces)
	var findings []store.Finding
	all := int64(0)
	for _, of := range tenants {
		all += of.held
		if fault, remedy := of.failing.Fault(); fault != "" {
			findings = append(findings, store.Finding{
				Tenant: of.tenant, Fault: fault, Remedy: remedy, Mend: b.mending(of.tenant, named("retry_traces"), nil),
			})
		}
	}
	if len(findings) == 0 {
		findings = []store.Finding{{Found: fmt.Sprintf("%d traces are held", all)}}
	}
	return findings, err
}

func decodeTraces(row *neo4j.Record) (tracesOf, error) {
	f := fieldsOf(row.AsMap())
	of := tracesOf{tenant: f.text("tenant"), held: required[int64](f, "held")}
	for _, failing := range list[map[string]any](f, "failing") {
		one := fieldsOf(failing)
		of.failing.Add(one.text("key"), int(required[int64](one, "failures")), one.text("reason"))
		if one.err != nil {
			return of, one.err
		}
	}
	return of, f.err
}
