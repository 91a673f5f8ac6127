package neo4j_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// roundTrips counts the statements that are sent.
type roundTrips struct {
	mutex sync.Mutex
	names []string
}

func (r *roundTrips) note(name string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.names = append(r.names, name)
}

// during gives the statements that are sent while a function runs.
func (r *roundTrips) during(act func()) []string {
	r.names = nil
	act()
	return r.names
}

func agent(key string) memory.Agent { return memory.Agent{Key: key, Name: key} }

var day = time.Date(2025, time.March, 1, 0, 0, 0, 0, time.UTC)

// recordMany records episodes with a canvas and a feedback each.
func recordMany(t *testing.T, tenant store.Store, count int) (keys []string) {
	t.Helper()
	var episodes []store.EpisodeRecord
	var canvases []store.CanvasActionRecord
	var feedback []store.FeedbackRecord
	for i := range count {
		key, at := fmt.Sprintf("e%03d", i), day.Add(time.Duration(i)*time.Minute)
		keys = append(keys, key)
		episodes = append(episodes, store.EpisodeRecord{Episode: memory.Episode{
			Key: key, AgentKey: "ada", SessionKey: new("s"), Observation: "a refund for flight " + key, Outcome: memory.OutcomeSuccess,
			StartedAt: at, CreatedAt: at, Embedding: []float32{1, float32(i)},
		}})
		canvases = append(canvases, store.CanvasActionRecord{
			Canvas: "c" + key, Episode: &key, CanvasType: "charts", Action: memory.CanvasAction{Action: memory.CanvasPresent, At: at},
		})
		feedback = append(feedback, store.FeedbackRecord{Feedback: memory.Feedback{
			Key: "f" + key, EpisodeKey: &key,
			Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: at},
		}})
	}
	_, err := tenant.RecordEpisodes(t.Context(), episodes)
	require.NoError(t, err)
	_, err = tenant.RecordCanvasActions(t.Context(), canvases)
	require.NoError(t, err)
	_, err = tenant.RecordFeedback(t.Context(), feedback)
	require.NoError(t, err)
	return keys
}

func TestReadsTakeOneRoundTrip(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	keys := recordMany(t, tenant, 100)
	_, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: "refund", Limit: 10}) // looks at a sample first
	require.NoError(t, err)
	everything := store.WithAgent | store.WithCanvases | store.WithFeedback
	asOf := day.Add(time.Hour)

	for name, read := range map[string]func() error{
		"an enriched episode": func() error {
			found, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: keys[:1], Parts: everything})
			require.NotNil(t, found[0].Context.Agent)
			return err
		},
		"a hundred of them": func() error {
			found, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: keys, Parts: everything})
			require.Len(t, found[99].Context.Canvases, 1)
			return err
		},
		"as of an instant": func() error {
			_, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: keys, Parts: everything, AsOf: &asOf})
			return err
		},
		"a page of a hundred": func() error {
			found, more, err := tenant.ListEpisodes(t.Context(), store.EpisodeQuery{Page: store.Page{Limit: 99}, Parts: everything})
			require.Len(t, found, 99)
			require.True(t, more)
			return err
		},
		"a recall by vector": func() error {
			_, err := tenant.Candidates(t.Context(), store.RecallQuery{Embedding: []float32{1, 0}, Limit: 256})
			return err
		},
		"neighbours of a hundred": func() error {
			linked, err := tenant.Linked(t.Context(), store.LinkedQuery{Episodes: keys, Link: store.LinkPrevious})
			require.Len(t, linked, 99)
			return err
		},
	} {
		require.Len(t, trips.during(func() { require.NoError(t, read()) }), 1, name)
	}
}

// What asks for words counts them first; what is near by meaning is looked for beside that, in whatever order they come.
func TestWordsAreCountedFirst(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	recordMany(t, tenant, 100)
	_, err := tenant.RecordObservations(t.Context(), []store.ObservationRecord{{Observation: memory.Observation{
		Key: "o", SessionKey: new("s"), Content: "a refund", Importance: memory.ImportanceLow, CreatedAt: day,
	}}})
	require.NoError(t, err)
	asOf := day.Add(time.Hour)
	recall := func(q store.RecallQuery) []string {
		return trips.during(func() {
			found, err := tenant.Candidates(t.Context(), q)
			require.NoError(t, err)
			require.NotEmpty(t, found.Items)
		})
	}
	apart := func(asked []string) (words, near []string) {
		for _, name := range asked {
			if slices.Contains([]string{"recall_near", "recall_of", "search_near"}, name) {
				near = append(near, name)
			} else {
				words = append(words, name)
			}
		}
		return words, near
	}
	requireBoth := func(asked []string, words, near []string) {
		t.Helper()
		gotWords, gotNear := apart(asked)
		require.Equal(t, words, gotWords)
		require.Equal(t, near, gotNear)
	}
	first := recall(store.RecallQuery{Text: "refund", Limit: 10}) // looks at a sample first
	requireBoth(first, []string{"sample", "count_having", "recall"}, []string{"recall_near", "recall_of"})
	require.Equal(t, []string{"count_having", "recall"}, recall(store.RecallQuery{Text: "refund", Embedding: []float32{1, 0}, Limit: 256}))
	for _, q := range []store.RecallQuery{
		{Text: "refund", Limit: 10},
		{Text: "refund", Limit: 256, AsOf: &asOf, Filter: store.EpisodeFilter{CanvasType: new("charts"), MinFeedback: new(0.5), Since: &day}},
	} {
		requireBoth(recall(q), []string{"count_having", "recall"}, []string{"recall_near", "recall_of"})
	}
	search := func(q store.SearchQuery, records int) []string {
		q.Limit = 1000
		return trips.during(func() {
			found, err := tenant.Search(t.Context(), q)
			require.NoError(t, err)
			require.Len(t, found, records)
		})
	}
	near := []string{"search_near"}
	requireBoth(search(store.SearchQuery{Text: "refund", Kinds: memory.Kinds}, 101), []string{"count_having", "search", "said_of"}, near)
	turns := []memory.Kind{memory.KindObservation}
	requireBoth(search(store.SearchQuery{Text: "refund", Kinds: turns, Neighbours: true}, 1), []string{"count_having", "search_turns", "turns_around"}, near)
	requireBoth(search(store.SearchQuery{Text: "walrus", Kinds: memory.Kinds}, 0), []string{"count_having"}, near)
	require.Empty(t, search(store.SearchQuery{Text: "what is", Kinds: memory.Kinds}, 0))
}

// A batch takes as many round trips as a single record.
func TestWritesTakeAFewRoundTrips(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	recordMany(t, tenant, 1)
	for _, size := range []int{1, 100} {
		batch := make([]store.FeedbackRecord, size)
		for i := range batch {
			batch[i] = store.FeedbackRecord{Feedback: memory.Feedback{
				Key: fmt.Sprintf("batch of %d, %d", size, i), EpisodeKey: new("e000"),
				Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: day},
			}}
		}
		require.Equal(t, []string{"lock", "create_feedback", "link_feedback", "adjust"}, trips.during(func() {
			_, err := tenant.RecordFeedback(t.Context(), batch)
			require.NoError(t, err)
		}))
	}
}

// What is to be placed in a session takes one more, in which the rule's candidates come.
func TestPlacingInASessionTakesOneRoundTrip(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	recordMany(t, tenant, 3)
	for _, size := range []int{1, 20} {
		shown, said := make([]store.CanvasActionRecord, size), make([]store.FeedbackRecord, size)
		for i := range size {
			key := fmt.Sprintf("of %d, %d", size, i)
			shown[i] = store.CanvasActionRecord{
				Canvas: key, Session: new("s"), CanvasType: "charts", Action: memory.CanvasAction{Action: memory.CanvasPresent, At: day},
			}
			said[i] = store.FeedbackRecord{Feedback: memory.Feedback{
				Key: key, SessionKey: new("s"), Reaction: memory.Reaction{
					Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: day,
				},
			}}
		}
		require.Equal(t, []string{"lock", "near", "write_canvases", "waiting", "followers", "link_canvases", "adjust"}, trips.during(func() {
			_, err := tenant.RecordCanvasActions(t.Context(), shown)
			require.NoError(t, err)
		}))
		require.Equal(t, []string{"lock", "near", "create_feedback", "link_feedback", "adjust"}, trips.during(func() {
			_, err := tenant.RecordFeedback(t.Context(), said)
			require.NoError(t, err)
		}))
	}
}

// What is looked at for all recalls of a while counts for none of them.
func TestNoRecallPaysForTheSample(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	recordMany(t, tenant, 100)
	spend := func() (spent store.Limits, names []string) {
		ctx, budget, done := store.WithBudget(t.Context(), store.Limits{})
		defer done()
		names = trips.during(func() {
			_, err := tenant.Candidates(ctx, store.RecallQuery{Text: "refund", Limit: 5})
			require.NoError(t, err)
		})
		return budget.Spent(), names
	}
	first, names := spend()
	require.Contains(t, names, "sample")
	second, names := spend()
	require.NotContains(t, names, "sample")
	require.Equal(t, second, first)
}

// What others have in the database is counted, and not gone through.
func TestATenantIsExaminedInAsManyStatementsWhateverOthersHave(t *testing.T) {
	var sent roundTrips
	backend := open(t, sent.note)
	fill := func() string {
		id := "t-" + strings.ToLower(rand.Text())
		t.Cleanup(func() { backend.LetGo(t) })
		tenant, err := backend.Tenant(t.Context(), id)
		require.NoError(t, err)
		recordMany(t, tenant, 2)
		return id
	}
	id := fill()
	examine := func() []string {
		return sent.during(func() {
			findings, err := backend.ExamineTenant(t.Context(), id)
			require.NoError(t, err)
			require.NotEmpty(t, findings)
		})
	}
	alone := examine()
	for range 3 {
		fill()
	}
	require.Equal(t, alone, examine())
}
