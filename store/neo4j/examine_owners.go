package neo4j

import (
	"context"
	"fmt"

	"mneme/memory"
	"mneme/store"
)

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
func (o owner) Label() string      { return labels[o.Kind] }
func (o owner) OwnerLabel() string { return labels[o.Owner] }

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
		rows, err := countByTenant(ctx, b, rendered("examine_owners", o), nil)
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
	names, links := b.mending(tenant, rendered("mend_owner_names", o), nil), b.mending(tenant, rendered("mend_owners", o), nil)
	if o.Owner == memory.KindEpisode || o.Owner == memory.KindCanvas {
		return inTurn([]func(context.Context) error{names, links, b.mending(tenant, rendered("mend_forget_owners", o), nil)})
	}
	anew := func(ctx context.Context) error {
		return newTenantStore(b, tenant).write(ctx, func(t *transaction) error {
			return t.run(rendered("mend_gone_owners", o), nil, nil)
		})
	}
	return inTurn([]func(context.Context) error{names, anew, links})
}

// examineKeys looks at properties that repeat others of what records belong to.
func (b *Backend) examineKeys(ctx context.Context) ([]store.Finding, error) {
	v := newVerdict()
	for _, repeated := range []struct {
		what          string
		examine, mend statement
	}{
		{"verdicts of another run", named("examine_runs"), named("mend_runs")},
		{"canvases of another agent", named("examine_shown"), named("mend_shown")},
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
