package neo4j

import (
	"context"
	"maps"
	"math"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/invariants"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/settings"
	"mneme/store/profiles"
)

// looks are the statements of an invariant: some count what breaks it, by tenant, and some mend it in one tenant.
type looks struct{ count, mend []cypher.Statement }

// forms are the two forms of a statement.
func forms(count, mend cypher.Statement) looks {
	return looks{[]cypher.Statement{count}, []cypher.Statement{mend}}
}

// allLabels are those of records, any of which a node may have.
var allLabels = strings.Join(memory.Mapped(memory.Kinds, cypher.Label), "|")

// checks are those of all invariants that statements count.
var checks = func() map[string]looks {
	links := strings.Join(memory.Mapped(graph.LinkTypes, func(l graph.LinkType) string { return l.Name }), "|")
	all := map[string]looks{
		"keyless":       forms(cypher.Forms("invariant_keyless", allLabels)),
		"lost_passages": forms(cypher.Forms("invariant_lost_passages", nil)),
		"lost_events":   forms(cypher.Forms("invariant_lost_events", nil)),
		"crossing":      forms(cypher.Forms("invariant_crossing", links+"|COVERS|WAITS_FOR|HAS_PASSAGE|FOR")),
		"misnamed":      forms(cypher.Forms("invariant_misnamed", links)),
		"misjudged":     forms(cypher.Forms("invariant_misjudged", nil)),
		"misshown":      forms(cypher.Forms("invariant_misshown", nil)),
		"miscounted":    forms(cypher.Forms("invariant_miscounted", nil)),
		"mislogged":     forms(cypher.Forms("invariant_mislogged", nil)),
		"misawaited":    forms(cypher.Forms("invariant_misawaited", nil)),
		"idle":          forms(cypher.Forms("invariant_idle", nil)),
		"arrived":       {count: []cypher.Statement{cypher.Rendered("count_arrived", arrivables())}},
		"missummed":     {count: []cypher.Statement{cypher.Named("count_missummed")}},
		"uncounted":     {count: []cypher.Statement{cypher.Named("count_uncounted")}},
	}
	unlinked := looks{}
	for _, o := range repeatedOwners {
		gone := cypher.Rendered("mend_gone_owners", o)
		if o.Owner == memory.KindEpisode || o.Owner == memory.KindCanvas { // without what they said there is nothing to make
			gone = cypher.Rendered("mend_nameless", o)
		}
		count, mend := cypher.Forms("invariant_unlinked", o)
		unlinked.count = append(unlinked.count, count)
		unlinked.mend = append(unlinked.mend, cypher.Rendered("mend_owner_names", o), gone, mend)
	}
	all["unlinked"] = unlinked
	return all
}()

// checkValues are the parameters of checks.
var checkValues = func() cypher.Parameters {
	kinds := map[string]any{}
	for _, kind := range memory.Kinds {
		kinds[cypher.Label(kind)] = string(kind)
	}
	return cypher.Parameters{"kinds": kinds, "unrated": graph.UnratedRank, "outcomes": graded}
}()

// Rebuild makes anew what follows from the tenant's records; see store.Rebuilder.
func (s *tenantStore) Rebuild(ctx context.Context, tell func(store.RebuildStep)) error {
	return invariants.Rebuild(ctx, tell, func(invariant string, tell func(int)) error { return s.mend(ctx, invariant, tell) })
}

// mend puts an invariant right.
func (s *tenantStore) mend(ctx context.Context, invariant string, tell func(done int)) error {
	switch invariant {
	case "indexes":
		return s.backend.define(ctx)
	case "arrived":
		return s.write(ctx, (*transaction).endLateWaits)
	case "missummed":
		return s.sumUp(ctx)
	case "length":
		return s.lengthAnew(ctx)
	case "failing":
		return s.Connection.Command(ctx, s.command(cypher.Named("retry_traces")))
	case "unsaid":
		if err := s.retell(ctx, tell); err != nil || !s.backend.vectors.Embeddings.Made {
			return err
		}
		return s.markDue(ctx, &store.Embedder{Length: math.MaxInt32}) // of whatever length: another model may have made them
	}
	for _, statement := range checks[invariant].mend {
		if err := s.Connection.Command(ctx, s.command(statement)); err != nil {
			return err
		}
	}
	return nil
}

// command is a statement that mends, and may commit as it goes.
func (s *tenantStore) command(statement cypher.Statement) bolt.Query {
	q := s.WriteQuery(statement, maps.Clone(checkValues))
	q.Within = 0
	return q
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

// repeatedOwners are all of them. One that is gone is made anew by its key; its name and times are discarded then.
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

// arrivable is a kind of record that others wait for under a name.
type arrivable struct{ Awaited, Kind memory.Kind }

func arrivables() []arrivable {
	var all []arrivable
	for _, kind := range memory.Kinds {
		all = append(all, arrivable{linking.RecordRef(kind, "").Kind, kind})
	}
	return append(all, arrivable{linking.Informed, memory.KindEpisode})
}

// endLateWaits links what waits for records that are there.
func (t *transaction) endLateWaits() error {
	found := map[linking.PendingRef]string{}
	if err := t.Run(cypher.Rendered("late_waits", arrivables()), nil, func(f *bolt.Fields) {
		found[linking.PendingRef{Kind: memory.Kind(f.Text("kind")), Key: f.Text("key")}] = f.Text("found")
	}); err != nil || len(found) == 0 {
		return err
	}
	return linking.EndWaits(t, found)
}

// lengthAnew fixes the length that most embeddings have.
func (s *tenantStore) lengthAnew(ctx context.Context) error {
	length, err := s.LengthOfMost(ctx)
	if err != nil {
		return err
	}
	var fixed any // none, where there are no embeddings
	if length > 0 {
		fixed = length
	}
	return s.write(ctx, func(t *transaction) error { return settings.Set(t.Transaction, settings.VectorLengthProperty, fixed) })
}

// sumUp sums up anew the profiles that do not sum up their executions, and counts the episodes that no profile counts.
func (s *tenantStore) sumUp(ctx context.Context) error {
	keys, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("miscounted_profiles"), nil), bolt.Column[string]("key"))
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := s.write(ctx, func(t *transaction) error { return profiles.SumUp(t.Learning(), key, false) }); err != nil {
			return err
		}
	}
	return s.CountMissing(ctx)
}

// lessonSize is how many episodes are counted in one transaction.
const lessonSize = 500

// graded are the outcomes of episodes that are executions.
var graded = []string{string(memory.OutcomeSuccess), string(memory.OutcomeFailure)}

// CountMissing goes through the episodes by key, as the index has them; see forgetting.Discarder.
func (s *tenantStore) CountMissing(ctx context.Context) error {
	for last := ""; ; {
		keys, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("uncounted_episodes"), cypher.Parameters{
			"after": last, "outcomes": graded, "limit": lessonSize,
		}), bolt.Column[string]("key"))
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := s.write(ctx, func(t *transaction) error { return t.learnRecorded(keys) }); err != nil {
			return err
		}
		last = keys[len(keys)-1]
	}
}

// learnRecorded counts episodes that were recorded before, once they are locked and if they are still there.
func (t *transaction) learnRecorded(keys []string) error {
	wanted := linking.NewScope()
	wanted.Episodes.Add(keys...)
	if _, err := t.Lock(wanted); err != nil {
		return err
	}
	var episodes []*memory.Episode
	err := t.Run(cypher.Named("ended_episodes"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		if e := bolt.In(f, "ended", endedOf); f.Err == nil {
			episodes = append(episodes, e)
		}
		f.Err = nil // what cannot be read is no execution
	})
	if err != nil {
		return err
	}
	return profiles.CountEpisodes(t.Learning(), episodes...)
}

// Backfill links what waits in sessions, in parts of a transaction each; see store.EpisodeWriter.
func (s *tenantStore) Backfill(ctx context.Context, session *string) (store.Backfilled, error) {
	return linking.Backfilling(session, func(part func(linking.Tx) error) error {
		return s.write(ctx, func(t *transaction) error { return part(t) })
	})
}
