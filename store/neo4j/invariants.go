package neo4j

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// invariant must hold in the graph. Its statement counts by tenant what does not; anew puts it right, and
// where that is nil a person decides, as the remedy says.
type invariant struct {
	part, what string
	find       cypher.Statement
	values     cypher.Parameters
	anew       func(context.Context, *tenantStore) error
	remedy     string
}

// ownLinks are the types that only the store itself knows.
const ownLinks = "COVERS|WAITS_FOR|HAS_PASSAGE|FOR"

// invariants are all of them, in the order of rebuilding.
func invariants() []invariant {
	records := strings.Join(slices.Sorted(maps.Values(graph.Labels)), "|")
	links := strings.Join(bolt.Texts(graph.LinkTypes, func(l graph.LinkType) string { return l.Name }), "|")
	kinds, unrated := cypher.Parameters{}, cypher.Parameters{"unrated": graph.UnratedRank}
	byLabel := cypher.Parameters{"kinds": kinds}
	for kind, label := range graph.Labels {
		kinds[label] = string(kind)
	}
	all := []invariant{
		{
			part: "strays", what: "records have no tenant or no key: nothing finds them", find: cypher.Rendered("examine_strays", records),
			remedy: "Another program made them. To delete them: MATCH (n:" + records + ") WHERE n.tenant IS NULL OR n.key IS NULL DETACH DELETE n",
		},
		{
			part: "links", what: "links lead to other tenants", find: cypher.Rendered("examine_crossing", links+"|"+ownLinks),
			remedy: "Another program made them. To delete them: MATCH (a)-[r:" + links + "|" + ownLinks + "]->(b) WHERE b.tenant <> a.tenant DELETE r",
		},
		{
			part: "links", what: "links do not carry the ids of their ends: walks miss them", find: cypher.Rendered("examine_links", links), values: byLabel,
			anew: inBatches(byLabel, cypher.Rendered("rebuild_links", links)),
		},
	}
	for _, o := range repeatedOwners {
		all = append(all, invariant{part: "owners", what: fmt.Sprintf("of kind %s without their %s", o.Kind, o.Property), find: cypher.Rendered("examine_owners", o), anew: o.anew()})
	}
	return append(all,
		invariant{part: "keys", what: "verdicts of another run", find: cypher.Named("examine_runs"), anew: inBatches(nil, cypher.Named("rebuild_runs"))},
		invariant{part: "keys", what: "canvases of another agent", find: cypher.Named("examine_shown"), anew: inBatches(nil, cypher.Named("rebuild_shown"))},
		invariant{part: "keys", what: "canvases and feedback that do not say whether they wait", find: cypher.Named("examine_waits"), anew: inBatches(nil, cypher.Named("rebuild_waits"))},
		invariant{part: "counters", what: "episodes have wrong counts or sums", find: cypher.Named("examine_counters"), values: unrated, anew: inBatches(unrated, cypher.Named("rebuild_counters"))},
		invariant{part: "counters", what: "logs have another length than is said", find: cypher.Named("examine_logs"), anew: inBatches(nil, cypher.Named("rebuild_logs"))},
		invariant{part: "counters", what: "events of logs are of episodes that are gone", find: cypher.Named("examine_lost_events"), anew: inBatches(nil, cypher.Named("rebuild_lost_events"))},
		invariant{part: "strays", what: "passages are of records that are gone", find: cypher.Named("examine_lost_passages"), anew: inBatches(nil, cypher.Named("rebuild_lost_passages"))},
		invariant{part: "waiting", what: "are waited for and are there", find: cypher.Rendered("examine_waiting", arrivables()), anew: func(ctx context.Context, s *tenantStore) error {
			return s.write(ctx, (*transaction).endLateWaits)
		}},
		invariant{part: "waiting", what: "are waited for by nobody", find: cypher.Named("examine_idle_waits"), anew: inBatches(nil, cypher.Named("rebuild_idle_waits"))},
		invariant{part: "profiles", what: "profiles do not sum up their executions", find: cypher.Named("examine_profiles")},
		invariant{part: "profiles", what: "episodes with a task type and an outcome are in no profile", find: cypher.Named("examine_uncounted"), values: cypher.Parameters{"outcomes": graded}, anew: func(ctx context.Context, s *tenantStore) error {
			return s.sumUp(ctx)
		}},
	)
}

// inBatches sends statements for a tenant that commit as they go.
func inBatches(values cypher.Parameters, statements ...cypher.Statement) func(context.Context, *tenantStore) error {
	return func(ctx context.Context, s *tenantStore) error {
		all := cypher.Parameters{"tenant": s.TenantID}
		maps.Copy(all, values)
		for _, statement := range statements {
			if err := s.Connection.Command(ctx, bolt.Query{Statement: statement, Parameters: all, Write: true}); err != nil {
				return err
			}
		}
		return nil
	}
}

// runChecks looks at the invariants of a part.
func (b *Backend) runChecks(ctx context.Context, part string) ([]store.Finding, error) {
	faults, others := map[string][]string{}, []store.Finding{}
	for _, c := range invariants() {
		if c.part != part {
			continue
		}
		found, err := b.faultsOf(ctx, c.find, c.values)
		if err != nil {
			return nil, err
		}
		for tenant, n := range found {
			fault := fmt.Sprintf("%d %s", n, c.what)
			if c.remedy != "" {
				others = append(others, store.Finding{Tenant: tenant, Fault: fault, Remedy: c.remedy})
			} else {
				faults[tenant] = append(faults[tenant], fault)
			}
		}
	}
	if len(others) > 0 && len(faults) == 0 {
		return others, nil
	}
	return append(others, rebuildable(faults, "as the records say")...), nil
}

// owner is a link that a property of its record repeats.
type owner struct {
	Kind     memory.Kind
	Property string
	Owner    memory.Kind
	Type     string
	// Owns says that the link comes from the owner; else it leads to it.
	Owns bool
	// Must says that there is no such record without an owner.
	Must bool
}

// repeatedOwners are all of them.
var repeatedOwners = []owner{
	{memory.KindEpisode, "agent", memory.KindAgent, "RAN", true, true},
	{memory.KindEpisode, "session", memory.KindSession, "IN_SESSION", false, false},
	{memory.KindEpisode, "user", memory.KindPerson, "FOR", false, false},
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

// anew links records with their owners, or names these as the links say. An owner that is gone is made anew by its key, and its name and times are to be
// discarded then; but no episode and no canvas is: without what they said there is nothing to make.
func (o owner) anew() func(context.Context, *tenantStore) error {
	gone := cypher.Rendered("rebuild_gone_owners", o)
	if o.Owner == memory.KindEpisode || o.Owner == memory.KindCanvas {
		gone = cypher.Rendered("rebuild_nameless", o)
	}
	return inBatches(nil, cypher.Rendered("rebuild_owner_names", o), gone, cypher.Rendered("rebuild_owners", o))
}

// Label and OwnerLabel are the labels of the two.
func (o owner) Label() string      { return graph.Labels[o.Kind] }
func (o owner) OwnerLabel() string { return graph.LabelOf(o.Owner) }

// arrivable is a kind of record that others wait for under a name.
type arrivable struct{ Awaited, Label string }

func arrivables() []arrivable {
	var all []arrivable
	for _, kind := range slices.Sorted(maps.Keys(graph.Labels)) {
		all = append(all, arrivable{string(linking.Itself(kind, "").Kind), graph.Labels[kind]})
	}
	return append(all, arrivable{string(linking.Informed), graph.Labels[memory.KindEpisode]})
}

// endLateWaits links what waits for records that are there.
func (t *transaction) endLateWaits() error {
	found := map[linking.Awaited]string{}
	if err := t.Rows(cypher.Rendered("late_waits", arrivables()), nil, func(f *bolt.Fields) {
		found[linking.Awaited{Kind: memory.Kind(f.Text("kind")), Key: f.Text("key")}] = f.Text("found")
	}); err != nil || len(found) == 0 {
		return err
	}
	return linking.EndWaits(t, found)
}
