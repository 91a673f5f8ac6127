package neo4j

import (
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
	"mneme/store/storetest"
)

var noon = time.Date(2025, time.March, 1, 12, 0, 0, 0, time.UTC)

func relation(source, target string) memory.Relation {
	return memory.Relation{Type: memory.RelationPartOf, SourceKey: source, TargetKey: target, CreatedAt: noon}
}

func observation(key string, about ...string) store.ObservationRecord {
	return store.ObservationRecord{InputHash: []byte(key), Observation: memory.Observation{
		Key: key, Content: "Content of " + key, Importance: memory.ImportanceMedium, CreatedAt: noon, About: about,
	}}
}

// fresh is a tenant that nothing is known of.
func fresh(t *testing.T) *tenantStore {
	t.Helper()
	server := testneo4j.Reach(t)
	b, err := Open(t.Context(), Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close(t.Context())) })
	s, err := b.Tenant(t.Context(), "t-"+strings.ToLower(rand.Text()))
	require.NoError(t, err)
	_, err = s.InputKey(t.Context()) // as is asked for before anything is written
	require.NoError(t, err)
	bound, ok := s.(*tenantStore)
	require.True(t, ok)
	return bound
}

func created(t *testing.T) func(recorded []store.Recorded, err error) {
	return func(recorded []store.Recorded, err error) {
		t.Helper()
		require.NoError(t, err)
		for _, r := range recorded {
			require.NoError(t, r.Err)
		}
	}
}

// What an annotation is about may come later, of whatever kind it is and by whatever write it comes.
func TestRemarksWaitForRecordsOfEveryKind(t *testing.T) {
	s, ctx := fresh(t), t.Context()
	all := []string{}
	for _, kind := range memory.Kinds {
		switch kind {
		case memory.KindLearningProfile:
			all = append(all, memory.NodeID(kind, memory.ProfileKey("x", "x")))
		case memory.KindSection:
			all = append(all, memory.NodeID(kind, memory.SectionKey("x", "x")))
		case memory.KindPattern:
			all = append(all, memory.NodeID(kind, memory.PatternKey(memory.PatternDo, "x", nil, "x")))
		default:
			all = append(all, memory.NodeID(kind, "x"))
		}
	}
	all = append(all, "session:of canvas", "session:of feedback", "session:of observation", "agent:saved")
	slices.Sort(all)
	created(t)(store.Record(ctx, s, []store.ObservationRecord{observation("o", all...)}))
	created(t)(store.Record(ctx, s, []store.CorrectionRecord{{Correction: memory.Correction{Key: "c", Topic: "t", Importance: memory.ImportanceLow, CreatedAt: noon, About: all}}}))
	about := func() []string {
		observations, err := store.Get[memory.Observation](ctx, s, []string{"o"})
		require.NoError(t, err)
		corrections, err := store.Get[memory.Correction](ctx, s, []string{"c"})
		require.NoError(t, err)
		require.Equal(t, observations[0].About, corrections[0].About)
		return observations[0].About
	}
	require.Empty(t, about())

	created(t)(store.Record(ctx, s, []store.EpisodeRecord{{Episode: memory.Episode{
		Key: "x", AgentKey: "x", SessionKey: new("x"), Outcome: memory.OutcomeSuccess, StartedAt: noon, CreatedAt: noon,
	}}}))
	require.Equal(t, []string{"agent:x", "episode:x", "session:x"}, about())
	created(t)(store.Record(ctx, s, []store.AgentItem{{Agent: memory.Agent{Key: "saved", Name: "Saved"}}}))
	created(t)(store.Record(ctx, s, []store.CanvasActionRecord{{
		Canvas: "x", Session: new("of canvas"), Episode: new("x"), Action: memory.CanvasAction{Action: memory.CanvasPresent, At: noon},
	}}))
	created(t)(store.Record(ctx, s, []store.FeedbackRecord{{Feedback: memory.Feedback{
		Key: "x", SessionKey: new("of feedback"), EpisodeKey: new("x"),
		Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: noon},
	}}}))
	created(t)(store.Record(ctx, s, []store.MemoirRecord{{Memoir: memory.Memoir{Key: "x", Name: "x"}}}))
	created(t)(store.Record(ctx, s, []store.ConceptRecord{{Concept: memory.Concept{Key: "x", MemoirKey: "x", Name: "x"}}}))
	last := observation("x")
	last.Observation.SessionKey = new("of observation")
	created(t)(store.Record(ctx, s, []store.ObservationRecord{last}))
	created(t)(store.Record(ctx, s, []store.CorrectionRecord{{Correction: memory.Correction{Key: "x", Topic: "t", Importance: memory.ImportanceLow, CreatedAt: noon}}}))
	created(t)(store.Record(ctx, s, []store.ExecutionRecord{{Execution: memory.Execution{Key: "x", AgentKey: "x", TaskType: "x", At: noon}}}))
	created(t)(store.Record(ctx, s, []store.VerdictRecord{{Verdict: memory.Verdict{Judgement: memory.Judgement{
		Key: "x", RunKey: "x", SectionKey: memory.SectionKey("x", "x"), SectionType: "x", Status: memory.VerdictApprove, Patterns: []string{"x"}, At: noon,
	}}}}))
	completed, err := s.CompleteRun(ctx, store.RunCompletion{Run: "x", At: noon})
	require.NoError(t, err)
	require.Equal(t, store.CompletedRun{Sections: 1, Patterns: 1}, completed)
	require.Equal(t, all, about())

	neighbours, err := s.Neighbours(ctx, store.AdjacencyQuery{Of: []string{"observation:o"}, Limit: 100})
	require.NoError(t, err)
	require.Equal(t, all, neighbours)
	exist, err := s.Exist(ctx, append(all, "planet:x", "episode:y"))
	require.NoError(t, err)
	require.Equal(t, append(slices.Repeat([]bool{true}, len(all)), false, false), exist)

	require.NoError(t, storetest.Delete(ctx, s, memory.KindEpisode, "x"))
	gone := []string{"canvas:x", "episode:x", "feedback:x", "session:of canvas", "session:of feedback", "session:x"}
	require.Equal(t, slices.DeleteFunc(all, func(id string) bool { return slices.Contains(gone, id) }), about())
}

// The weights that the database computes are those of the rule, bit by bit.
func TestWeightsEqualTheRule(t *testing.T) {
	s, ctx := fresh(t), t.Context()
	random := mathrand.New(mathrand.NewPCG(1, 2))
	var records []store.ObservationRecord
	var accesses []store.Access
	for i := range 60 {
		record := observation(fmt.Sprintf("o%02d", i))
		record.Observation.Importance = memory.Importances[i%len(memory.Importances)]
		record.Observation.CreatedAt = noon.Add(-time.Duration(random.Int64N(1e10)) * time.Millisecond)
		records = append(records, record)
		if i%3 > 0 {
			used := record.Observation.CreatedAt.Add(time.Duration(random.Int64N(1e9)) * time.Millisecond)
			accesses = append(accesses, store.Access{Key: record.Observation.Key, Count: 1 + random.IntN(99), At: used})
		}
	}
	created(t)(store.Record(ctx, s, records))
	created(t)(store.Record(ctx, s, append(accesses, store.Access{Key: "gone", Count: 1, At: noon})))
	all, _, err := store.List(ctx, s, store.ObservationQuery{Order: memory.LatestFirst, Now: noon}, store.Page{Limit: 100})
	require.NoError(t, err)
	require.Len(t, all, len(records))
	for _, policy := range decay.Policies {
		for _, o := range all {
			weight := policy.Weight(o, noon)
			query := store.ObservationQuery{Policy: policy, Now: noon, MinWeight: &weight, MaxWeight: &weight}
			same, _, err := store.List(ctx, s, query, store.Page{Limit: 100})
			require.NoError(t, err)
			require.True(t, slices.ContainsFunc(same, func(found *memory.Observation) bool { return found.Key == o.Key }), "%s %+v", policy, o)
			count, err := store.Count(ctx, s, query)
			require.NoError(t, err)
			require.Len(t, same, count)
		}
	}
	least := 0.15
	light := 0
	for _, o := range all {
		if !o.Importance.Pinned() && decay.TimeFades.Weight(o, noon) < least {
			light++
		}
	}
	for _, dry := range []bool{true, false} {
		pruned, err := s.PruneObservations(ctx, store.Pruning{Policy: decay.TimeFades, Now: noon, MinWeight: least, DryRun: dry})
		require.NoError(t, err)
		require.Equal(t, light, pruned)
	}
	require.Positive(t, light)
	left, err := store.Count(ctx, s, store.ObservationQuery{Now: noon})
	require.NoError(t, err)
	require.Equal(t, len(all)-light, left)
}
