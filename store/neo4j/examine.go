package neo4j

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	split "mneme/memory/passages"

	"mneme/store"
	"mneme/store/invariants"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/settings"
)

// examination is a tenant's graph as it is examined, or the whole backend's for the tenant "".
type examination struct {
	*tenantStore

	// counted are the rows of statements that count for all tenants at once, by tenant.
	counted map[cypher.Statement]map[string][]*bolt.Fields
}

func newExamination(b *Backend, tenant string) *examination {
	return &examination{newTenantStore(b, tenant), map[cypher.Statement]map[string][]*bolt.Fields{}}
}

// ofBackend are the parts that no tenant has of its own.
var ofBackend = []string{"server", "schema", "indexes", "strays"}

// Examine looks at the server, its schema and all tenants' graphs; see store.Examiner.
func (b *Backend) Examine(ctx context.Context) ([]store.Finding, error) {
	if err := b.Check(ctx); err != nil {
		return nil, err
	}
	x := newExamination(b, "")
	findings, err := invariants.Examine(ctx, "", x, ofBackend...)
	if err != nil {
		return nil, err
	}
	tenants, err := b.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	homeless, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Rendered("homeless", allLabels)}, bolt.Column[string]("tenant"))
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Concat(slices.Compact(tenants), homeless) {
		parts := invariants.Parts
		if slices.Contains(homeless, id) { // the rest once it has its node again
			parts = []string{"settings"}
		}
		found, err := invariants.Examine(ctx, id, &examination{newTenantStore(b, id), x.counted}, parts...)
		if err != nil {
			return nil, err
		}
		findings = append(findings, found...)
	}
	return append(findings, store.ExamineKeys(ctx, b)), ctx.Err()
}

// ExamineTenant reads the graph of a tenant, and counts over all, as one database holds them; see store.Examiner.
func (b *Backend) ExamineTenant(ctx context.Context, id string) ([]store.Finding, error) {
	if err := b.Check(ctx); err != nil {
		return nil, err
	}
	if there, err := b.Has(ctx, id); err != nil || !there {
		return nil, err
	}
	return invariants.Examine(ctx, id, newExamination(b, id), invariants.Parts...)
}

// Tenants lists those that have a node; see store.Backend.
func (b *Backend) Tenants(ctx context.Context) ([]string, error) {
	return bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("tenants")}, bolt.Column[string]("tenant"))
}

// rows are the tenant's of a statement that is sent once for all tenants.
func (x *examination) rows(ctx context.Context, statement cypher.Statement, values cypher.Parameters) ([]*bolt.Fields, error) {
	if x.counted[statement] == nil {
		byTenant := map[string][]*bolt.Fields{}
		rows, err := bolt.Read(ctx, x.Connection, bolt.Query{Statement: statement, Parameters: values}, func(f *bolt.Fields) *bolt.Fields { return f })
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			tenant, _ := row.Node.Props["tenant"].(string)
			byTenant[tenant] = append(byTenant[tenant], row)
		}
		x.counted[statement] = byTenant
	}
	return x.counted[statement][x.TenantID], nil
}

// Count says how often an invariant is broken; see invariants.Memory.
func (x *examination) Count(ctx context.Context, invariant string) (broken int, counted bool, err error) {
	if invariant == "unsaid" {
		broken, err = x.countWrong(ctx)
		return broken, true, err
	}
	check, counted := checks[invariant]
	for _, statement := range check.count {
		rows, err := x.rows(ctx, statement, checkValues)
		if err != nil {
			return 0, true, err
		}
		for _, row := range rows {
			broken += row.Integer("broken")
		}
	}
	return broken, counted, nil
}

// Look examines what is more than invariants; see invariants.Memory.
func (x *examination) Look(ctx context.Context, part string) (store.Finding, error) {
	switch part {
	case "server":
		return x.backend.examineServer(ctx)
	case "schema":
		return x.backend.examineSchema(ctx)
	case "indexes":
		return x.backend.examineIndexes(ctx)
	case "strays":
		return x.strays(ctx)
	case "settings":
		return x.settings(ctx)
	case "records":
		found, count, err := x.unreadable(ctx)
		return invariants.Unreadable(found, count), err
	case "traces":
		return x.traces(ctx)
	case "meanings":
		return x.meanings(ctx)
	}
	return store.Finding{}, nil
}

// Unread tells that a part cannot be examined, unless nothing can be; see invariants.Memory.
func (x *examination) Unread(err error) (store.Finding, error) {
	if errors.Is(err, store.ErrUnavailable) {
		return store.Finding{}, err
	}
	return store.Finding{
		Fault: "it cannot be examined: " + err.Error(), Remedy: "The user needs the right to read, and to list indexes and constraints.",
	}, nil
}

// strays looks for records that are of no tenant.
func (x *examination) strays(ctx context.Context) (store.Finding, error) {
	broken, _, err := x.Count(ctx, "keyless")
	if err != nil || broken == 0 {
		return store.Finding{Found: "all records are of a tenant"}, err
	}
	return store.Finding{
		Fault:  fmt.Sprintf("%d records have no tenant: nothing finds them", broken),
		Remedy: "Another program made them. To delete them: MATCH (n:" + allLabels + ") WHERE n.tenant IS NULL DETACH DELETE n",
	}, nil
}

// settings looks at what a tenant keeps once, on one node. A key is lost only where something was hashed with it.
func (x *examination) settings(ctx context.Context) (store.Finding, error) {
	asked := x.Query(cypher.Named("examine_settings"), nil)
	node, err := bolt.One(ctx, x.Connection, asked, bolt.Whole)
	if err != nil {
		return store.Finding{}, err
	}
	length, err := x.LengthOfMost(ctx)
	var lost *store.Damaged
	if settings.SoundKey(node["key"]) == nil && node["has"] == true {
		lost = &store.Damaged{Kind: store.KindSetting, Key: settings.InputKeyProperty}
	}
	fixed := settings.SoundLength(node["length"])
	if fixed == 0 && node["length"] != nil {
		fixed = invariants.InvalidLength
	}
	return invariants.Settings(lost, settings.VectorLengthProperty, fixed, length), err
}

// traces looks for traces that cannot be made episodes.
func (x *examination) traces(ctx context.Context) (store.Finding, error) {
	rows, err := x.rows(ctx, cypher.Named("examine_traces"), cypher.Parameters{"many": store.ManyFailures})
	if len(rows) == 0 {
		return invariants.Traces(0, nil), err
	}
	return invariants.Traces(rows[0].Integer("held"), bolt.List[string](rows[0], "failing")), rows[0].Err
}

// meanings counts the records that have vectors, and of which they are due, which is no fault.
func (x *examination) meanings(ctx context.Context) (store.Finding, error) {
	made := x.backend.vectors
	if !made.Coded {
		return store.Finding{Found: store.NoMeaningsText}, nil
	}
	statement := cypher.Rendered("examine_meanings", strings.Join(memory.Mapped(split.Kinds, cypher.Label), "|"))
	rows, err := x.rows(ctx, statement, cypher.Parameters{"endpoint": made.Embeddings.Made, "length": made.Embeddings.Length})
	text := store.MeaningsText(0, 0)
	for _, row := range rows {
		text = store.MeaningsText(row.Integer("made"), row.Integer("due"))
	}
	return store.Finding{Found: text}, err
}
