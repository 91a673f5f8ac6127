package neo4j

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// crowd is more than any page, so that a plan that reads it all shows.
const crowd = 1500

// crowded is a tenant with an agent, a session and a task type of many episodes, and one episode of
// many canvases and feedback.
func crowded(t *testing.T, backend *Backend) *tenantStore {
	t.Helper()
	tenant := freshStore(t, backend)
	clearAfter(t, storeOf(tenant))
	var episodes []store.EpisodeRecord
	var canvases []store.CanvasActionRecord
	var feedback []store.FeedbackRecord
	for i := range crowd {
		key := fmt.Sprintf("e%04d", i)
		episodes = append(episodes, draft(key, func(r *store.EpisodeRecord) {
			r.Episode.StartedAt, r.Episode.SessionKey, r.Episode.TaskType = minute(i), new("s"), new("refund")
		}))
		canvases = append(canvases, shown("c"+key, "e0000", minute(i)))
		feedback = append(feedback, liked("f"+key, "e0000", minute(i)))
	}
	byParts(crowd, func(from, to int) {
		mustRecord(t, tenant, episodes[from:to]...)
		mustAct(t, tenant, canvases[from:to]...)
		mustReact(t, tenant, feedback[from:to]...)
	})
	return storeOf(tenant)
}

// profile runs a query and gives its plan.
func profile(t *testing.T, s *tenantStore, q bolt.Query) neo4j.ProfiledPlan {
	t.Helper()
	session := s.backend.connection.Driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: s.backend.connection.Database})
	defer func() { require.NoError(t, session.Close(t.Context())) }()
	text, values := cypher.Sendable(q.Statement, q.Parameters)
	result, err := session.Run(t.Context(), "PROFILE "+text, values)
	require.NoError(t, err)
	summary, err := result.Consume(t.Context())
	require.NoError(t, err)
	return summary.Profile()
}

// sentBy is the last statement that what reads sends.
func sentBy(s *tenantStore, read func()) (last bolt.Query) {
	s.OnStatement = func(name, text string, values cypher.Parameters) {
		last = bolt.Query{Statement: cypher.Statement{Name: name, Text: text}, Parameters: values}
	}
	defer func() { s.OnStatement = nil }()
	read()
	return last
}

// most gives the largest number of rows that any step of a plan makes, and the names of the steps.
func most(plan neo4j.ProfiledPlan) (rows int64, steps []string) {
	rows, steps = plan.Records(), []string{strings.TrimSuffix(plan.Operator(), "@neo4j")}
	for _, child := range plan.Children() {
		childRows, childSteps := most(child)
		rows, steps = max(rows, childRows), append(steps, childSteps...)
	}
	return rows, steps
}

// To make a crowd takes longer than to read it: all that reads it comes first, what adds to it last.
func TestReadsInACrowd(t *testing.T) {
	s := crowded(t, mustConnect(t))
	for _, test := range []struct {
		name string
		run  func(t *testing.T, s *tenantStore)
	}{
		{"lists follow an index", listsFollowAnIndex}, {"hubs are not read whole", hubsAreNotReadWhole},
		{"neighbours are one step", neighboursAreOneStep}, {"counts collect nothing", countsCollectNothing},
		{"the newest are read from an index", newestFromAnIndex}, {"what waits is read alone", whatWaitsIsReadAlone},
		{"links of a hub are read by the page", linksOfAHubAreReadByThePage},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, s) })
	}
}

// A page costs what it holds, wherever it is in a list of any length: the index gives its order, so
// that no step sorts the list or reads it from its beginning.
func listsFollowAnIndex(t *testing.T, s *tenantStore) {
	middle := &store.Position{At: minute(crowd / 2), Key: "e0750", Value: nil}
	for name, filter := range map[string]store.EpisodeFilter{
		"all": {}, "agent": {Agent: new("agent")}, "session": {Session: new("s")}, "task type": {TaskType: new("refund")},
		"agent and session": {Agent: new("agent"), Session: new("s")},
		"agent and outcome": {Agent: new("agent"), Outcome: new(memory.OutcomeSuccess)},
		"since":             {Since: new(minute(5))}, "until": {Agent: new("agent"), Until: new(minute(crowd - 5))},
	} {
		for _, order := range []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst} {
			for _, after := range []*store.Position{nil, middle} {
				q := s.listing(store.EpisodeQuery{Filter: filter, Order: order}).ask(store.Page{Limit: 10, After: after}, false)
				rows, steps := most(profile(t, s, q))
				require.LessOrEqual(t, rows, int64(20), "%s in order %s after %v: %v", name, order, after, steps)
				require.NotContains(t, steps, "Sort")
				require.NotContains(t, steps, "NodeByLabelScan")
			}
		}
	}
}

// An episode with many canvases and feedback brings the newest, and does not read the others.
func hubsAreNotReadWhole(t *testing.T, s *tenantStore) {
	form := graph.EpisodeShape{One: true}
	form.Parts(store.WithAgent | store.WithCanvases | store.WithFeedback)
	values := cypher.Parameters{"key": "e0000"}
	graph.ContextParameters(values, nil)
	rows, steps := most(profile(t, s, s.Query(cypher.Rendered("episodes", form), values)))
	require.LessOrEqual(t, rows, int64(memory.ContextLimit+1), steps)

	canvases := s.listing(store.CanvasesOf{Episode: new("e0000")}).ask(store.Page{Limit: 10, After: &store.Position{At: minute(700), Key: "c"}}, false)
	rows, steps = most(profile(t, s, canvases))
	require.LessOrEqual(t, rows, int64(12), steps)

	feedback := s.listing(store.FeedbackOf{Episode: new("e0000")}).ask(store.Page{Limit: 10}, false)
	rows, steps = most(profile(t, s, feedback))
	require.LessOrEqual(t, rows, int64(12), steps)
}

// Of many canvases and feedback of which few wait, or few do not, a page reads those alone.
func whatWaitsIsReadAlone(t *testing.T, s *tenantStore) {
	for i := range 10 {
		mustAct(t, s, shown(fmt.Sprint("waits", i), "none", minute(i*100)))
		mustReact(t, s, liked(fmt.Sprint("waits", i), "none", minute(i*100)))
	}
	for name, waiting := range map[string]*bool{"all": nil, "waiting": new(true), "linked": new(false)} {
		for _, after := range []*store.Position{nil, {At: minute(700), Key: "c"}} {
			for _, q := range []bolt.Query{
				s.listing(store.CanvasesOf{Waiting: waiting}).ask(store.Page{Limit: 10, After: after}, false),
				s.listing(store.FeedbackOf{Waiting: waiting}).ask(store.Page{Limit: 10, After: after}, false),
			} {
				plan := profile(t, s, q)
				rows, steps := most(plan)
				require.LessOrEqual(t, rows, int64(22), "%s after %v: %v", name, after, steps)
				require.NotContains(t, steps, "NodeByLabelScan")
			}
		}
	}
	plan := profile(t, s, s.listing(store.CanvasesOf{Waiting: new(true)}).ask(store.Page{}, true))
	require.LessOrEqual(t, hits(plan), int64(100), "a count reads those alone, too")
}

// Neighbours in a session of any length are one step along its index.
func neighboursAreOneStep(t *testing.T, s *tenantStore) {
	for _, link := range []memory.EpisodeLink{memory.LinkPrevious, memory.LinkNext} {
		q, err := s.linkQuery(cypher.Shaped("linked"), store.LinkedQuery{Episodes: []string{"e0700", "e0701"}, Link: link})
		require.NoError(t, err)
		rows, steps := most(profile(t, s, q))
		require.LessOrEqual(t, rows, int64(4), "%d: %v", link, steps)
	}
}

// A page of the effects of an episode that has very many, or of the causes of one, costs what it holds.
func linksOfAHubAreReadByThePage(t *testing.T, s *tenantStore) {
	causes := make([]string, crowd)
	effects := make([]store.EpisodeRecord, crowd)
	for i := range effects {
		causes[i] = fmt.Sprintf("e%04d", i)
		effects[i] = draft(fmt.Sprintf("x%04d", i), func(r *store.EpisodeRecord) { r.CausedBy = []string{"e0000"} })
	}
	mustRecord(t, s, effects...)
	mustRecord(t, s, draft("sum", func(r *store.EpisodeRecord) { r.CausedBy, r.Episode.StartedAt = causes, minute(crowd) }))
	for _, read := range []store.LinkedQuery{
		{Episodes: []string{"e0000"}, Link: memory.LinkCauses, Page: store.Page{Limit: 10}},
		{Episodes: []string{"e0000"}, Link: memory.LinkCauses, Page: store.Page{Limit: 10, After: &store.Position{Key: "x0700"}}},
		{Episodes: []string{"sum"}, Link: memory.LinkCausedBy, Page: store.Page{Limit: 10, After: &store.Position{Key: "e0700"}}},
	} {
		for _, asOf := range []*time.Time{nil, new(minute(2 * crowd))} {
			read.AsOf = asOf
			q, err := s.linkQuery(cypher.Shaped("linked"), read)
			require.NoError(t, err)
			rows, steps := most(profile(t, s, q))
			require.LessOrEqual(t, rows, int64(22), "%+v: %v", read, steps)
			require.NotContains(t, steps, "Sort")
		}
	}
}

// A count reads the index and collects nothing.
func countsCollectNothing(t *testing.T, s *tenantStore) {
	form := graph.EpisodeShape{}
	plan := profile(t, s, s.Query(cypher.Rendered("count_episodes", form), graph.FilterParameters(store.EpisodeFilter{}, nil)))
	_, steps := most(plan)
	require.Contains(t, steps, "NodeIndexSeek")
	require.NotContains(t, strings.Join(steps, " "), "Expand")
	require.Less(t, hits(plan), int64(3*crowd), "no episode is looked at beyond the index")
}

// hits counts the accesses to the database in all steps of a plan.
func hits(plan neo4j.ProfiledPlan) int64 {
	sum := plan.DbHits()
	for _, child := range plan.Children() {
		sum += hits(child)
	}
	return sum
}

// What leads without a situation is read from indexes, as many as asked for, and of feedback at most a hundred each.
func newestFromAnIndex(t *testing.T, s *tenantStore) {
	newest := sentBy(s, func() {
		found, more, err := s.NewestAndBoosted(t.Context(), store.Among{Limit: 10})
		require.NoError(t, err)
		require.True(t, more)
		require.Len(t, found, 11, "the newest, and the one that people like")
	})
	rows, steps := most(profile(t, s, newest))
	require.LessOrEqual(t, rows, int64(100), steps)
	require.NotContains(t, steps, "Sort")
}

// byParts calls record for parts of so many that a write takes them.
func byParts(count int, record func(from, to int)) {
	for from := 0; from < count; from += 250 {
		record(from, min(from+250, count))
	}
}

// Of canvases and feedback together the earliest are decided on, as many as one write may.
func TestTheEarliestOfASessionAreDecidedOn(t *testing.T) {
	s := storeOf(freshStore(t, mustConnect(t)))
	for i := range 3 {
		canvas, reaction := shown(fmt.Sprint("c", i), "", minute(2*i)), liked(fmt.Sprint("f", i), "", minute(2*i+1))
		canvas.Episode, canvas.Session = nil, new("s")
		reaction.Feedback.EpisodeKey, reaction.Feedback.SessionKey = nil, new("s")
		mustAct(t, s, canvas)
		mustReact(t, s, reaction)
	}
	found, err := bolt.Read(t.Context(), s.Connection, s.Query(cypher.Named("arrivals"), cypher.Parameters{
		"awaited": []any{}, "most": 3, "intervals": []cypher.Parameters{{"session": "s", "from": bolt.Instant(minute(0)), "until": bolt.Instant(minute(99))}},
	}), bolt.Column[string]("key"))
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"c0", "f0", "c1"}, found)
}
