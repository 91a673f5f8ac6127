package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/store"
	"mneme/store/forgetting"
	"mneme/store/invariants"
	"mneme/store/neo4j/cypher"
	"mneme/store/storetest"
)

// furnish records something of most kinds in a fresh tenant.
func furnish(t *testing.T, backend *Backend) *tenantStore {
	t.Helper()
	ctx, tenant := t.Context(), freshStore(t, backend)
	_, err := tenant.InputKey(ctx)
	require.NoError(t, err)
	mustRecord(t, tenant, draft("e1", func(r *store.EpisodeRecord) {
		r.Episode.SessionKey, r.Episode.ExecutionIDs, r.Mentions = new("s"), []string{"x1"}, []string{"c1"}
		r.Episode.UserID = new("ann")
	}), draft("e2", func(r *store.EpisodeRecord) { r.Episode.TaskType = new("refund") }))
	mustAct(t, tenant, shown("v1", "e1", day))
	reaction, waits := liked("f1", "e1", day), liked("f2", "e1", day)
	reaction.Feedback.CanvasKey = new("v1")
	waits.Feedback.EpisodeKey, waits.Feedback.AgentExecutionID, waits.Feedback.UserID = nil, new("x2"), new("ann")
	mustReact(t, tenant, reaction, waits)
	_, err = store.Record(ctx, tenant, []store.MemoirRecord{{Memoir: memory.Memoir{Key: "m1", Name: "Handbook", CreatedAt: day}}})
	require.NoError(t, err)
	_, err = store.Record(ctx, tenant, []store.ConceptRecord{{Concept: memory.Concept{
		Key: "c1", MemoirKey: "m1", Name: "Refund", Content: "Within 30 days", CreatedAt: day, UpdatedAt: day,
	}}})
	require.NoError(t, err)
	_, err = store.Record(ctx, tenant, []store.ObservationRecord{{Observation: memory.Observation{
		Key: "o1", SessionKey: new("s"), Content: "Flights are late", Importance: memory.ImportanceHigh, CreatedAt: day, About: []string{"episode:e1"},
	}}})
	require.NoError(t, err)
	return storeOf(tenant)
}

// examined are the findings about a tenant, or about the whole backend, by part; faults go first.
func examined(t *testing.T, backend *Backend, tenant string) map[string]store.Finding {
	t.Helper()
	findings, err := backend.Examine(t.Context())
	require.NoError(t, err)
	return byPart(t, findings, tenant)
}

// examinedPart is what is found of one part, of which alone the statements are sent.
func examinedPart(t *testing.T, backend *Backend, name, tenant string) store.Finding {
	t.Helper()
	findings, err := invariants.Examine(t.Context(), tenant, newExamination(backend, tenant), name)
	require.NoError(t, err)
	return byPart(t, findings, tenant)[name]
}

func byPart(t *testing.T, findings []store.Finding, tenant string) map[string]store.Finding {
	t.Helper()
	parts := map[string]store.Finding{}
	for _, f := range findings {
		assert.Equal(t, f.Fault == "", f.Remedy == "", "%+v", f)
		assert.NotEmpty(t, f.Found+f.Fault)
		if f.Tenant != tenant && f.Tenant != "" {
			continue
		}
		if known, there := parts[f.Part]; !there || known.Fault == "" {
			parts[f.Part] = f
		}
	}
	return parts
}

func requireWhole(t *testing.T, parts map[string]store.Finding) {
	t.Helper()
	for _, f := range parts {
		require.Empty(t, f.Fault, f.Part)
	}
}

func TestExamineFindsWhatIsBroken(t *testing.T) {
	backend := mustConnect(t)
	testneo4j.Sweep(t) // each examination goes through what other packages left
	for name, test := range map[string]struct {
		cypher []string
		part   string
		fault  string
		remedy string // RemedyRebuild where it is empty
	}{
		"links without the ids of their ends": {
			cypher: []string{
				"MATCH (:Agent {tenant: $tenant})-[r:RAN]->() SET r.to = 'episode:other'",
				"MATCH (:Memoir {tenant: $tenant})-[r:CONTAINS]->() REMOVE r.from, r.tenant",
			},
			part: "links", fault: "3 links repeat other ids than their records have",
		},
		"a link to another tenant": {
			cypher: []string{"MATCH (e:Episode {tenant: $tenant, key: 'e1'}) CREATE (e)-[:MENTIONS]->(:Concept {tenant: $tenant + '-other', key: 'c'})"},
			part:   "links", fault: "1 links lead to other tenants",
		},
		"records without their owners": {
			cypher: []string{"MATCH (n {tenant: $tenant})-[r:RAN|IN_SESSION|FOR|PRESENTED|RECEIVED|ON|CONTAINS]->() DELETE r"},
			part:   "owners", fault: "9 records are not linked with what they belong to",
		},
		"an owner is gone": {
			cypher: []string{"MATCH (n:Memoir {tenant: $tenant}) DETACH DELETE n"},
			part:   "owners", fault: "1 records are not linked with what they belong to",
		},
		"a person is gone": {
			cypher: []string{"MATCH (n:Person {tenant: $tenant}) DETACH DELETE n"},
			part:   "owners", fault: "1 records are not linked with what they belong to",
		},
		"no tenant node": {
			cypher: []string{"MATCH (n:Tenant {key: $tenant}) DELETE n"},
			part:   "settings", fault: "the setting inputKey is gone", remedy: "mneme forget --unreadable setting:inputKey",
		},
		"vectors of another length than was fixed": {
			cypher: []string{"MATCH (n:Episode {tenant: $tenant}) SET n.embedding3 = [1.0, 0.0, 0.0]", "MATCH (t:Tenant {key: $tenant}) SET t.vectorLength = 7"},
			part:   "settings", fault: "the setting vectorLength is 7 (0 where it is gone or cannot be read), and the embeddings have 3 numbers",
		},
		"a record without a key": {
			cypher: []string{"CREATE (:Agent {tenant: $tenant})"},
			part:   "references", fault: "1 records have no key: nothing finds them",
		},
		"passages of another text": {
			cypher: []string{"MATCH (:Concept {tenant: $tenant})-[:HAS_PASSAGE]->(p) SET p.words = 'walrus'", "MATCH (:Memoir {tenant: $tenant})-[:HAS_PASSAGE]->(p) SET p.text = 7, p.number = 'x'"},
			part:   "passages", fault: "2 records have other passages than they say",
		},
		"passages of nothing": {
			cypher: []string{"MATCH (:Concept {tenant: $tenant})-[r:HAS_PASSAGE]->() DELETE r"},
			part:   "references", fault: "1 passages are of records that are gone",
		},
		"miscounted": {
			cypher: []string{"MATCH (n:Episode {tenant: $tenant, key: 'e1'}) SET n.feedbackSum = 7.0", "MATCH (n:Episode {tenant: $tenant, key: 'e2'}) REMOVE n.feedbackRank"},
			part:   "counters", fault: "2 episodes have wrong counts or sums",
		},
		"aggregates that are none": {
			cypher: []string{"MATCH (n:Episode {tenant: $tenant, key: 'e1'}) SET n.aggregates = 'garbage'"},
			part:   "counters", fault: "1 episodes have wrong counts or sums",
		},
		"aggregates of two numbers": {
			cypher: []string{"MATCH (n:Episode {tenant: $tenant, key: 'e1'}) SET n.aggregates = point({x: 1, y: 2})"},
			part:   "counters", fault: "1 episodes have wrong counts or sums",
		},
		"a log of another end": {
			cypher: []string{
				"MATCH (n:Episode {tenant: $tenant, key: 'e2'}) SET n.logEvents = 1, n.logBytes = 1, n.logLast = 7",
				"CREATE (:LogEvent {tenant: $tenant, episode: 'e2', sequence: 5, type: 'a', at: datetime()})",
			},
			part: "counters", fault: "1 logs have another length than is said",
		},
		"what waits and does not say so": {
			cypher: []string{"MATCH (n:Feedback {tenant: $tenant, key: 'f2'}) REMOVE n.waiting", "MATCH (n:Canvas {tenant: $tenant}) SET n.waiting = true"},
			part:   "waiting", fault: "2 canvases or feedback say wrongly whether they wait",
		},
		"a profile that counts wrong": {
			cypher: []string{"MATCH (n:LearningProfile {tenant: $tenant}) SET n.total = 3"},
			part:   "profiles", fault: "1 profiles do not sum up their executions",
		},
		"an episode that no profile counts": {
			cypher: []string{"MATCH (n:LearningProfile|Execution {tenant: $tenant}) DETACH DELETE n"},
			part:   "profiles", fault: "1 episodes with a task type and an outcome are in no profile",
		},
		"waits for what is there, and of nobody": {
			cypher: []string{
				"MATCH (n:Feedback {tenant: $tenant, key: 'f2'})-[r:WAITS_FOR]->(w) SET w.key = 'x1'",
				"MATCH (n:Observation {tenant: $tenant}) CREATE (n)-[:WAITS_FOR]->(:Waiting {tenant: $tenant, kind: 'memoir', key: 'm1'})",
				"MATCH (n:Episode {tenant: $tenant, key: 'e1'}) CREATE (n)-[:WAITS_FOR]->(:Waiting {tenant: $tenant, kind: 'episode', key: 'e2'}), (:Waiting {tenant: $tenant, kind: 'episode', key: 'e9'})",
				"MATCH (f:Feedback {tenant: $tenant, key: 'f2'}) SET f.way = 'execution' CREATE (f)-[:WAITS_FOR]->(:Waiting {tenant: $tenant, kind: 'canvas', key: 'v1'})",
			},
			part: "waiting", fault: "4 records wait for something that is there; 1 entries are waited for by nobody",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := furnish(t, backend)
			defer runCypher[any](t, backend, "MATCH (n) WHERE n.tenant IN [$tenant, $tenant + '-other'] DETACH DELETE n", cypher.Parameters{"tenant": s.TenantID})
			for _, text := range test.cypher {
				runCypher[any](t, backend, text, cypher.Parameters{"tenant": s.TenantID})
			}
			found := examinedPart(t, backend, test.part, s.TenantID)
			assert.Contains(t, found.Fault, test.fault)
			assert.Contains(t, found.Remedy, cmp.Or(test.remedy, store.RemedyRebuild))
			if strings.Contains(found.Remedy, "mneme ") {
				putRight(t, backend, s)
			}
		})
	}
}

// putRight does what the doctor says of a tenant, until all is whole.
func putRight(t *testing.T, backend *Backend, s *tenantStore) {
	t.Helper()
	for range 2 {
		require.NoError(t, s.Rebuild(t.Context(), nil))
		findings, err := backend.ExamineTenant(t.Context(), s.TenantID)
		require.NoError(t, err)
		for _, f := range findings {
			if len(f.Unreadable) > 0 {
				count, err := s.Discard(t.Context(), f.Unreadable)
				require.NoError(t, err)
				require.LessOrEqual(t, count, len(f.Unreadable))
			}
		}
	}
	findings, err := backend.ExamineTenant(t.Context(), s.TenantID)
	require.NoError(t, err)
	for _, f := range findings {
		require.Empty(t, f.Fault, f.Part)
	}
	requireSound(t, s)
}

func TestExamineFindsMissingIndexes(t *testing.T) {
	runAfterwards(t)
	backend := mustConnect(t)
	defer func() { require.NoError(t, backend.define(t.Context())) }()
	for _, text := range []string{"DROP INDEX mneme_correction_topic", "DROP CONSTRAINT mneme_correction", "DROP INDEX mneme_from_ABOUT"} {
		runCypher[any](t, backend, text, nil)
	}
	found := examinedPart(t, backend, "indexes", "")
	assert.Equal(t, "missing are CONSTRAINT mneme_correction, INDEX mneme_correction_topic, INDEX mneme_from_ABOUT", found.Fault)
	assert.Contains(t, found.Remedy, "mneme rebuild")
	require.NoError(t, storeOf(freshStore(t, backend)).Rebuild(t.Context(), nil))
	assert.Empty(t, examinedPart(t, backend, "indexes", "").Fault)
}

// A server that knows the key goes on with it, and makes no other one that nothing was hashed with.
func TestAVectorBringsNoOtherKey(t *testing.T) {
	backend := mustConnect(t)
	s := furnish(t, backend)
	defer runCypher[any](t, backend, "MATCH (n) WHERE n.tenant = $tenant OR n:Tenant AND n.key = $tenant DETACH DELETE n", cypher.Parameters{"tenant": s.TenantID})
	runCypher[any](t, backend, "MATCH (t:Tenant {key: $tenant}) DELETE t", cypher.Parameters{"tenant": s.TenantID})
	mustRecord(t, s, draft("e3", func(r *store.EpisodeRecord) { r.Episode.Embedding = []float32{1, 0, 0} }))
	assert.Contains(t, examinedPart(t, backend, "settings", s.TenantID).Fault, "the setting inputKey is gone")
}

// What waited for records that are there has found them when it was rebuilt.
func TestRebuiltWaitsAreLinks(t *testing.T) {
	backend := mustConnect(t)
	s := furnish(t, backend)
	requireWhole(t, examined(t, backend, s.TenantID))
	runCypher[any](t, backend, "MATCH (n:Feedback {tenant: $tenant, key: 'f2'})-[r:WAITS_FOR]->(w) SET w.key = 'x1'", cypher.Parameters{"tenant": s.TenantID})
	require.NoError(t, s.Rebuild(t.Context(), nil))
	found, err := store.Get[memory.Feedback](t.Context(), s, []string{"f2"})
	require.NoError(t, err)
	assert.Equal(t, new("e1"), found[0].EpisodeKey)
	requireSound(t, s)
}

func TestExamineTellsTheVersionOfTheSchema(t *testing.T) {
	backend, err := connect(t, "test-examined")
	require.NoError(t, err)
	values := cypher.Parameters{"name": "test-examined"}
	set := func(version any) {
		runCypher[any](t, backend, "MATCH (s:MnemeSchema {name: $name}) SET s.version = $version", cypher.Parameters{"name": "test-examined", "version": version})
	}
	defer func() {
		runCypher[any](t, backend, "MATCH (s:MnemeSchema {name: $name}) DELETE s", values)
		require.NoError(t, backend.Close(t.Context()))
	}()
	for _, version := range []any{schemaVersion + 1, schemaVersion - 1, "x"} {
		set(version)
		other := examinedPart(t, backend, "schema", "")
		assert.Contains(t, other.Fault, fmt.Sprintf("is not that of this program, %d", schemaVersion))
		assert.Contains(t, other.Remedy, "import it here")
	}
	set(schemaVersion)
	assert.Empty(t, examinedPart(t, backend, "schema", "").Fault)
	assert.Contains(t, examinedPart(t, backend, "server", "").Found, "community")
}

func TestExamineNamesNobodysRecords(t *testing.T) {
	backend := mustConnect(t)
	runCypher[any](t, backend, "CREATE (:Session {key: 'nobody'})", nil)
	found := examinedPart(t, backend, "strays", "")
	runCypher[any](t, backend, "MATCH (n:Session) WHERE n.tenant IS NULL DELETE n", nil)
	assert.Contains(t, found.Fault, "1 records have no tenant")
	assert.Contains(t, found.Remedy, "WHERE n.tenant IS NULL DETACH DELETE n")
}

// A check by a name that no invariant has would never run.
func TestEachCheckIsOfAnInvariant(t *testing.T) {
	t.Parallel()
	for name := range checks {
		require.True(t, slices.ContainsFunc(invariants.All, func(i invariants.Invariant) bool { return i.Name == name && i.Fault != "" }), name)
	}
}

func TestLameIndexesAreToldApart(t *testing.T) {
	t.Parallel()
	fault, _ := lameIndex("INDEX mneme_words", "POPULATING")
	assert.Contains(t, fault, "being built")
	_, remedy := lameIndex("CONSTRAINT mneme_agent", "FAILED")
	assert.Contains(t, remedy, "DROP CONSTRAINT mneme_agent;")
}

func TestExamineEndsWithItsContext(t *testing.T) {
	backend := mustConnect(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := backend.Examine(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// A profile is summed up anew in two steps: what can be read of its executions, and then its agent's episodes. What was
// broken off between them is found and finished the next time.
func TestRebuildingAProfileIsGoneOnWith(t *testing.T) {
	backend := mustConnect(t)
	s := furnish(t, backend)
	values := cypher.Parameters{"tenant": s.TenantID}
	defer runCypher[any](t, backend, "MATCH (n) WHERE n.tenant = $tenant DETACH DELETE n", values)
	totals := func() []int64 {
		return runCypher[int64](t, backend, "MATCH (p:LearningProfile {tenant: $tenant}) RETURN p.total", values)
	}
	require.Equal(t, []int64{1}, totals())
	runCypher[any](t, backend, "MATCH (:Execution {tenant: $tenant})-[f:FROM]->() DELETE f", values)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	backend.connection.Observer = storetest.Told(func(name string) {
		if name == "uncounted_episodes" {
			cancel()
		}
	})
	unread := &store.Damaged{Kind: memory.KindLearningProfile, Key: memory.ProfileKey("agent", "refund")}
	_, err := forgetting.Discard(ctx, s, []*store.Damaged{unread})
	require.ErrorIs(t, err, context.Canceled)
	backend.connection.Observer = nil
	require.Empty(t, totals(), "the first step was taken")
	left := examinedPart(t, backend, "profiles", s.TenantID)
	assert.Contains(t, left.Fault, "1 episodes with a task type and an outcome are in no profile")
	require.NoError(t, s.Rebuild(t.Context(), nil))
	require.Equal(t, []int64{1}, totals())
	requireWhole(t, examined(t, backend, s.TenantID))
	requireSound(t, s)
}
