package neo4j_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/meaning"
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
	_, err := store.Record(t.Context(), tenant, episodes)
	require.NoError(t, err)
	_, err = store.Record(t.Context(), tenant, canvases)
	require.NoError(t, err)
	_, err = store.Record(t.Context(), tenant, feedback)
	require.NoError(t, err)
	return keys
}

func TestReadsTakeOneRoundTrip(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	keys := recordMany(t, tenant, 100)
	_, err := tenant.VectorLength(t.Context()) // which is asked for once
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
			found, more, err := store.List(t.Context(), tenant, store.EpisodeQuery{Parts: everything}, store.Page{Limit: 99})
			require.Len(t, found, 99)
			require.True(t, more)
			return err
		},
		"the best by words": func() error {
			found, _, err := tenant.PassagesByWords(t.Context(), []string{"refund"}, store.Among{Kinds: memory.Kinds, Limit: 100, ToRank: true})
			require.Len(t, found, 100)
			require.NotNil(t, found[99].Episode)
			return err
		},
		"neighbours of a hundred": func() error {
			linked, err := tenant.Linked(t.Context(), store.LinkedQuery{Episodes: keys, Link: memory.LinkPrevious})
			require.Len(t, linked, 99)
			return err
		},
	} {
		require.Len(t, trips.during(func() { require.NoError(t, read()) }), 1, name)
	}
}

// What is near is found in memory, kept up by a look at changes: at once where this process wrote, else each second.
func TestNearestTakeAFewRoundTrips(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	recordMany(t, tenant, 10)
	vector, known := meaning.Question("money back")
	require.True(t, known)
	ask := func() []string {
		return trips.during(func() {
			found, _, err := tenant.PassagesByMeaning(t.Context(), store.Question{BuiltIn: &vector}, store.Among{Kinds: memory.Kinds, Limit: 10})
			require.NoError(t, err)
			require.Len(t, found, 10)
		})
	}
	require.Contains(t, ask(), "passages_to_compare")
	_, err := store.Record(t.Context(), tenant, []store.FeedbackRecord{{Feedback: memory.Feedback{
		Key: "f", EpisodeKey: new("e000"), Reaction: memory.Reaction{
			Type: memory.FeedbackThumbsUp, Score: 1, Comment: new("a refund"), Source: memory.SourceChat, CreatedAt: day,
		},
	}}})
	require.NoError(t, err)
	require.Equal(t, []string{"passage_changes", "changed_passages", "passages_by_id"}, ask())
	count := func(stems ...string) []string {
		return trips.during(func() {
			_, err := tenant.Rarities(t.Context(), stems)
			require.NoError(t, err)
		})
	}
	require.Empty(t, count("refund"))
	require.Equal(t, []string{"passage_changes"}, count("refund", "none"), "another server may have written it")
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
			_, err := store.Record(t.Context(), tenant, batch)
			require.NoError(t, err)
		}))
	}
}

// What is to be placed in a session takes one more, in which the rule's candidates come.
func TestPlacingInASessionTakesOneRoundTrip(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	recordMany(t, tenant, 3)
	later := day.Add(time.Hour)
	for _, size := range []int{1, 20} {
		shown, said := make([]store.CanvasActionRecord, size), make([]store.FeedbackRecord, size)
		for i := range size {
			key := fmt.Sprintf("of %d, %d", size, i)
			shown[i] = store.CanvasActionRecord{
				Canvas: key, Session: new("s"), CanvasType: "charts", Action: memory.CanvasAction{Action: memory.CanvasPresent, At: later},
			}
			said[i] = store.FeedbackRecord{Feedback: memory.Feedback{
				Key: key, SessionKey: new("s"), Reaction: memory.Reaction{
					Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: later,
				},
			}}
		}
		require.Equal(t, []string{"lock", "near", "write_canvases", "waiting", "followers", "link_canvases", "adjust"}, trips.during(func() {
			_, err := store.Record(t.Context(), tenant, shown)
			require.NoError(t, err)
		}))
		require.Equal(t, []string{"lock", "near", "create_feedback", "link_feedback", "adjust"}, trips.during(func() {
			_, err := store.Record(t.Context(), tenant, said)
			require.NoError(t, err)
		}))
	}
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
