package neo4j

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/cypher"
	"mneme/store/storetest"
)

// faultsOfGraph are what must not be in a graph, each as a query that counts it in a tenant.
var faultsOfGraph = map[string]string{
	"a session that nothing is in":           "MATCH (n:Session {tenant: $tenant}) WHERE NOT EXISTS { (n)<-[:IN_SESSION]-() } RETURN count(n)",
	"a person whom nothing is for":           "MATCH (n:Person {tenant: $tenant}) WHERE NOT EXISTS { (n)<-[:FOR]-() } RETURN count(n)",
	"a person who is not the episode's":      "MATCH (n:Episode {tenant: $tenant}) WHERE COLLECT { MATCH (n)-[:FOR]->(p:Person) RETURN p.key } <> CASE WHEN n.user IS NULL THEN [] ELSE [n.user] END RETURN count(n)",
	"a name of executions without episode":   "MATCH (n:ExecutionID {tenant: $tenant}) WHERE NOT EXISTS { (n)<-[:COVERS]-() } RETURN count(n)",
	"a wait that nobody waits for":           "MATCH (n:Waiting {tenant: $tenant}) WHERE NOT EXISTS { (n)<-[:WAITS_FOR]-() } RETURN count(n)",
	"a wait for an episode that is there":    "MATCH (w)-[:WAITS_FOR]->(n:Waiting {tenant: $tenant, kind: 'episode'}) MATCH (e:Episode {tenant: $tenant, key: n.key}) WHERE w.user IS NULL OR e.user IS NULL OR w.user = e.user RETURN count(n)",
	"a wait for a canvas that is there":      "MATCH (n:Waiting {tenant: $tenant, kind: 'canvas'}) WHERE EXISTS { (c:Canvas) WHERE c.tenant = $tenant AND c.key = n.key } RETURN count(n)",
	"a wait for an execution that is there":  "MATCH (n:Waiting {tenant: $tenant, kind: 'execution'}) WHERE EXISTS { (x:ExecutionID) WHERE x.tenant = $tenant AND x.key = n.key } RETURN count(n)",
	"a profile that counts wrong":            "MATCH (n:LearningProfile {tenant: $tenant}) WHERE n.total <> COUNT { (n)<-[:OF]-(:Execution) } OR n.total = 0 RETURN count(n)",
	"a profile that is not its agent's":      "MATCH (n:LearningProfile {tenant: $tenant}) WHERE COLLECT { MATCH (n)-[:OF]->(a:Agent) RETURN a.key } <> [n.agent] RETURN count(n)",
	"an execution not of its profile":        "MATCH (n:Execution {tenant: $tenant}) WHERE COLLECT { MATCH (n)-[:OF]->(p) RETURN p.key } <> [n.profile] RETURN count(n)",
	"a window of others than the latest":     "MATCH (n:LearningProfile {tenant: $tenant}) WHERE n.windowAt <> COLLECT { MATCH (n)<-[:OF]-(x:Execution) WITH x ORDER BY x.at DESC, x.key DESC LIMIT 100 WITH x.at.epochMillis AS at, x.key AS key ORDER BY at, key RETURN at } RETURN count(n)",
	"qualities of others than the latest":    "MATCH (n:LearningProfile {tenant: $tenant}) WHERE n.windowQuality <> COLLECT { MATCH (n)<-[:OF]-(x:Execution) WITH x ORDER BY x.at DESC, x.key DESC LIMIT 100 WITH x ORDER BY x.at, x.key RETURN x.quality } RETURN count(n)",
	"an execution without its episode":       "MATCH (n:Execution {tenant: $tenant}) WHERE n.key STARTS WITH 'episode:' AND COLLECT { MATCH (n)-[:FROM]->(e) RETURN 'episode:' + e.key } <> [n.key] RETURN count(n)",
	"an episode that is not counted":         "MATCH (n:Episode {tenant: $tenant}) WHERE n.taskType IS NOT NULL AND n.outcome <> 'UNKNOWN' AND NOT EXISTS { (n)<-[:FROM]-(:Execution) } RETURN count(n)",
	"a placeholder":                          "MATCH (n) WHERE n.tenant = $tenant AND n.placeholder IS NOT NULL RETURN count(n)",
	"a link to another tenant":               "MATCH (a)-[]-(b) WHERE a.tenant = $tenant AND b.tenant <> $tenant RETURN count(a)",
	"an episode without its agent":           "MATCH (n:Episode {tenant: $tenant}) WHERE COUNT { (n)<-[:RAN]-(:Agent {key: n.agent}) } <> 1 RETURN count(n)",
	"a session that is not the episode's":    "MATCH (n:Episode {tenant: $tenant})-[:IN_SESSION]->(s) WHERE s.key <> n.session RETURN count(n)",
	"a canvas whose link is not its key's":   "MATCH (n:Canvas {tenant: $tenant}) WHERE COLLECT { MATCH (e)-[:PRESENTED]->(n) RETURN e.key } <> CASE WHEN n.episode IS NULL THEN [] ELSE [n.episode] END RETURN count(n)",
	"a feedback whose link is not its key's": "MATCH (n:Feedback {tenant: $tenant}) WHERE COLLECT { MATCH (e)-[:RECEIVED]->(n) RETURN e.key } <> CASE WHEN n.episode IS NULL THEN [] ELSE [n.episode] END RETURN count(n)",
	"a feedback not on its canvas":           "MATCH (n:Feedback {tenant: $tenant}) WHERE COLLECT { MATCH (n)-[:ON]->(c) RETURN c.key } <> CASE WHEN n.canvas IS NULL THEN [] ELSE [n.canvas] END RETURN count(n)",
	"a canvas that has and waits":            "MATCH (n:Canvas {tenant: $tenant})-[:WAITS_FOR]->() WHERE n.episode IS NOT NULL RETURN count(n)",
	"feedback that counts wrong":             "MATCH (n:Episode {tenant: $tenant}) WHERE n.feedbackCount <> COUNT { (n)-[:RECEIVED]->() } OR n.feedbackSum <> reduce(sum = 0.0, x IN COLLECT { MATCH (n)-[:RECEIVED]->(f) RETURN f.score } | sum + x) RETURN count(n)",
	"a rank that is not the mean":            "MATCH (n:Episode {tenant: $tenant}) WHERE n.feedbackRank <> CASE WHEN n.feedbackCount = 0 THEN -2.0 ELSE n.feedbackSum / n.feedbackCount END RETURN count(n)",
	"readers that are told otherwise":        "MATCH (n:Episode {tenant: $tenant}) WHERE n.aggregates <> point({x: n.canvasActionCount, y: n.feedbackSum, z: n.feedbackCount}) RETURN count(n)",
	"canvases that count wrong":              "MATCH (n:Episode {tenant: $tenant}) WHERE n.canvasCount <> COUNT { (n)-[:PRESENTED]->() } OR n.canvasActionCount <> reduce(sum = 0, x IN COLLECT { MATCH (n)-[:PRESENTED]->(c) RETURN size(c.actionKinds) } | sum + x) RETURN count(n)",
}

// requireSound checks all that must hold between the nodes and relationships of a tenant.
func requireSound(t testing.TB, s *tenantStore) {
	t.Helper()
	for name, text := range faultsOfGraph {
		require.Equal(t, []int64{0}, runCypher[int64](t, s.backend, text, cypher.Parameters{"tenant": s.TenantID}), name)
	}
}

// nodesOf counts a tenant's nodes by label.
func nodesOf(t testing.TB, s *tenantStore) []string {
	t.Helper()
	return runCypher[string](t, s.backend,
		"MATCH (n) WHERE n.tenant = $tenant AND NOT n:Notice AND NOT n:PassageChange WITH head(labels(n)) AS label, count(*) AS n RETURN label + ' ' + n AS line ORDER BY line", cypher.Parameters{"tenant": s.TenantID})
}

func TestDeleteLeavesNoOrphan(t *testing.T) {
	tenant := freshStore(t, mustConnect(t))
	s := storeOf(tenant)
	in := func(session string) func(*store.EpisodeRecord) {
		return func(r *store.EpisodeRecord) { r.Episode.SessionKey = &session }
	}
	mustRecord(t, tenant,
		draft("e1", in("s"), func(r *store.EpisodeRecord) {
			r.Episode.ExecutionIDs, r.CausedBy = []string{"run 1", "shared run"}, []string{"unknown cause", "e2"}
			r.Episode.UserID = new("ann")
		}),
		draft("e2", in("t"), func(r *store.EpisodeRecord) {
			r.Episode.ExecutionIDs, r.Episode.UserID = []string{"shared run"}, new("ann")
		}),
	)
	ofCanvas := shown("c1", "e1", day)
	ofCanvas.Session = new("canvas session")
	mustAct(t, tenant, ofCanvas, shown("waits", "unknown", day))
	onCanvas, elsewhere := liked("f2", "e1", day), liked("f3", "e2", day)
	onCanvas.Feedback.EpisodeKey, onCanvas.Feedback.CanvasKey, onCanvas.Feedback.SessionKey = nil, new("c1"), new("feedback session")
	elsewhere.Feedback.CanvasKey = new("c1")
	mustReact(t, tenant, liked("f1", "e1", day), onCanvas, elsewhere)
	requireSound(t, s)

	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "e1"))
	requireSound(t, s)
	require.Equal(t, []string{
		"Agent 1", "Canvas 1", "Episode 1", "ExecutionID 1", "Feedback 1", "Passage 3", "Person 1", "Session 1", "Tombstone 4", "Waiting 2",
	}, nodesOf(t, s), "the waiting canvas, and feedback of another episode that waits for the deleted canvas, stay")

	mustAct(t, tenant, shown("c1", "e2", day)) // the feedback has its canvas again
	requireSound(t, s)
	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "e2"))
	requireSound(t, s)
	require.Equal(t, []string{"Agent 1", "Canvas 1", "Tombstone 6", "Waiting 1"}, nodesOf(t, s))
	mustRecord(t, tenant, draft("unknown"))
	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "unknown"))
	require.Equal(t, []string{"Agent 1", "Tombstone 8"}, nodesOf(t, s))
}

// Writers of everything at once, on few keys, in one session: whatever comes first, the graph is sound
// and all writers get an answer.
func TestGraphStaysSoundUnderConcurrency(t *testing.T) {
	backend := mustConnect(t)
	tenant := freshStore(t, backend)
	const writers, rounds = 8, 12
	var group sync.WaitGroup
	faults := make([]error, writers)
	for w := range writers {
		group.Go(func() {
			for i := range rounds {
				faults[w] = errors.Join(faults[w], writeSomething(t.Context(), tenant, w, i))
			}
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(faults...))
	requireSound(t, storeOf(tenant))

	for i := range 3 {
		err := storetest.Delete(t.Context(), tenant, memory.KindEpisode, fmt.Sprintf("e%d", i))
		require.True(t, err == nil || errors.Is(err, store.ErrNotFound), "%v", err)
	}
	requireSound(t, storeOf(tenant))
}

// writeSomething does one of the writes there are, on keys that others write to.
func writeSomething(ctx context.Context, tenant store.Store, writer, i int) error {
	key := fmt.Sprintf("e%d", (writer+i)%3)
	at, session := minute(i), new("s")
	switch (writer*5 + i) % 6 {
	case 0, 1:
		_, err := store.Record(ctx, tenant, []store.EpisodeRecord{draft(key, func(r *store.EpisodeRecord) {
			r.Episode.SessionKey, r.Episode.ExecutionIDs, r.CausedBy = session, []string{"run of " + key}, []string{"e0", "e1", "e2"}
			r.Episode.TaskType, r.Episode.UserID = new("refund"), new(fmt.Sprint("user", i%2))
			if i%2 == 0 {
				r.Episode.Outcome, r.Episode.Concluded = memory.OutcomeUnknown, false
			}
		})})
		return err
	case 2:
		action := shown(fmt.Sprintf("c%d", i%3), key, at)
		if i%2 == 0 {
			action.Episode, action.Session = nil, session
		}
		_, err := store.Record(ctx, tenant, []store.CanvasActionRecord{action})
		return err
	case 3, 4:
		reaction := liked(fmt.Sprintf("f%d-%d", writer, i), key, at)
		f := &reaction.Feedback
		f.SessionKey = session
		switch i % 4 {
		case 1:
			f.EpisodeKey, f.AgentExecutionID = nil, new("run of "+key)
		case 2:
			f.EpisodeKey, f.CanvasKey = nil, new(fmt.Sprintf("c%d", i%3))
		case 3:
			f.EpisodeKey = nil
		}
		_, err := store.Record(ctx, tenant, []store.FeedbackRecord{reaction})
		return err
	}
	if i%2 == 0 {
		err := tenant.ConcludeEpisode(ctx, store.EpisodeConclusion{Key: key, Outcome: memory.OutcomeFailure})
		if !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	if err := storetest.Delete(ctx, tenant, memory.KindEpisode, key); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	_, err := tenant.Backfill(ctx, nil)
	return err
}
