package transfer_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/internal/importer"
	"mneme/internal/redact"
	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/store/neo4j"
)

// Whatever was accepted comes back from an export as it was, and pages in every order show each once.
func TestWhatIsAcceptedComesBack(t *testing.T) {
	t.Parallel()
	svc := serveSQLite(t, service.WithRedaction(redact.Rules()))
	holdsAcceptedOn(t, svc, 8)
}

func TestWhatIsAcceptedComesBackOnNeo4j(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	backend, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	holdsAcceptedOn(t, serve(t, backend, service.WithRedaction(redact.Rules())), 1)
}

// anew is a tenant that no other test knows.
func anew(t *testing.T, svc *service.Service) *service.Tenant {
	t.Helper()
	return servicetest.Bind(service.WithTenant(t.Context(), "t-"+strings.ToLower(rand.Text())), t, svc)
}

func holdsAcceptedOn(t *testing.T, svc *service.Service, cases int) {
	random := rapid.Custom(drawWorld)
	for i := range cases {
		w := random.Example(i)
		ctx, first, again := t.Context(), anew(t, svc), anew(t, svc)
		w.record(ctx, t, first)
		file := export(ctx, t, first)
		load(ctx, t, again, file, importer.Options{})
		require.Equal(t, file, export(ctx, t, again), "case %d", i)
		w.page(ctx, t, again)
	}
}

// world is what is sent, in the words of the API.
type world struct {
	episodes     []boundary.RecordEpisodeInput
	canvases     []boundary.CanvasActionInput
	feedback     []boundary.SubmitFeedbackInput
	observations []boundary.RecordObservationInput
	concepts     []boundary.AddConceptInput
}

var (
	oddKeys = rapid.OneOf(rapid.SampledFrom([]string{
		"e\u0301", "\u00e9", "a/b", "a%2Fb", "episode:x", "\u202eabc", "👩‍👩‍👧", strings.Repeat("ü", memory.MaxKeyBytes/2), " ", "\u0301", "\U0010FFFF", "\uFEFFx",
	}), rapid.StringMatching(`[a-zé\x{0301}'"\\:/% ]{1,12}`))
	times = rapid.OneOf(rapid.SampledFrom([]time.Time{
		memory.EarliestTime, memory.EarliestTime.Add(time.Millisecond), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 998e6, time.UTC),
	}), rapid.Map(rapid.Int64Range(0, 253402300799999), func(ms int64) time.Time { return time.UnixMilli(ms) }))
	values = rapid.OneOf(rapid.SampledFrom([]memory.JSON{
		memory.JSON(strings.Repeat("[", 64) + strings.Repeat("]", 64)), memory.JSON(strings.Repeat(`{"":`, 63) + `{}` + strings.Repeat("}", 63)),
		memory.JSON(`{"n":1e400,"m":-0.0,"big":123456789012345678901234567890}`), memory.JSON(`"\u0000\u2028<>&"`), memory.JSON(`[0.10,1E-5]`),
		manyKeys(10_000), memory.JSON(`"` + strings.Repeat("x y ", 1<<14) + `"`),
	}), rapid.Map(rapid.Int(), func(n int) memory.JSON { return memory.JSON(fmt.Sprintf(`{"n":%d}`, n)) }))
)

func manyKeys(count int) memory.JSON {
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, `,"%d":0`, i)
	}
	return memory.JSON("{" + text.String()[1:] + "}")
}

func drawWorld(r *rapid.T) world {
	var w world
	for i, key := range rapid.SliceOfNDistinct(oddKeys, 2, 5, boundary.NameForm).Draw(r, "keys") {
		at, value := times.Draw(r, "at"), values.Draw(r, "value")
		end := times.Filter(func(end time.Time) bool { return !end.Before(at) }).Draw(r, "end")
		w.episodes = append(w.episodes, boundary.RecordEpisodeInput{
			ID: &key, AgentID: oddKeys.Draw(r, "agent"), SessionID: ptr(oddKeys.Draw(r, "session")), TaskType: ptr(oddKeys.Draw(r, "type")),
			Observation: "Seen " + rapid.String().Draw(r, "text"), StartedAt: &at, EndedAt: &end, EpisodeExtras: boundary.EpisodeExtras{Metadata: value},
			Actions: []boundary.ActionInput{{StepName: "step", Result: values.Draw(r, "result")}}, Outcome: ptr(memory.OutcomeSuccess),
		})
		w.canvases = append(w.canvases, boundary.CanvasActionInput{
			CanvasID: key, EpisodeID: &key, CanvasType: "forms", Action: memory.CanvasPresent, Metadata: memory.JSON(`{"a":{"":[]}}`), At: &at,
		})
		w.feedback = append(w.feedback, boundary.SubmitFeedbackInput{ID: &key, EpisodeID: &key, Type: memory.FeedbackThumbsUp, At: &at})
		w.observations = append(w.observations, boundary.RecordObservationInput{
			ID: &key, Content: "Seen often.", At: &end, AboutIDs: []string{memory.NodeID(memory.KindEpisode, key), "agent:never"},
		})
		w.concepts = append(w.concepts, boundary.AddConceptInput{ID: &key, MemoirID: "m", Name: fmt.Sprint("Concept ", i), Content: "What is known.", Labels: []string{fmt.Sprint("label ", i)}})
	}
	return w
}

// record sends all, of which nothing may be refused.
func (w world) record(ctx context.Context, t *testing.T, svc *service.Tenant) {
	t.Helper()
	_, err := svc.Knowledge.CreateMemoir(ctx, boundary.CreateMemoirInput{ID: ptr("m"), Name: "M"})
	require.NoError(t, err)
	for _, concept := range w.concepts {
		_, err := svc.Knowledge.AddConcept(ctx, concept)
		require.NoError(t, err)
	}
	episodes, err := svc.Episodes.RecordEpisodes(ctx, boundary.RecordEpisodesInput{Episodes: w.episodes})
	require.NoError(t, err)
	require.Zero(t, episodes.Failed, "%+v", episodes)
	canvases, err := svc.Reactions.RecordCanvasActions(ctx, boundary.RecordCanvasActionsInput{Actions: w.canvases})
	require.NoError(t, err)
	require.Zero(t, canvases.Failed, "%+v", canvases)
	observations, err := svc.Knowledge.RecordObservations(ctx, boundary.RecordObservationsInput{Observations: w.observations})
	require.NoError(t, err)
	require.Zero(t, observations.Failed, "%+v", observations)
	for _, said := range w.feedback {
		_, err := svc.Reactions.SubmitFeedback(ctx, said)
		require.NoError(t, err)
	}
}

// page reads every list in every order, one record at a time.
func (w world) page(ctx context.Context, t *testing.T, svc *service.Tenant) {
	t.Helper()
	for _, order := range []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst} {
		once(t, string(order), len(w.episodes), func(page reading.PageInput) (*reading.Page[*memory.Episode], error) {
			return svc.Episodes.List(ctx, boundary.EpisodeFilter{}, order, page, boundary.Include{})
		})
	}
	for _, order := range []memory.ObservationOrder{memory.HeaviestFirst, memory.LightestFirst, memory.LatestFirst} {
		once(t, string(order), len(w.observations), func(page reading.PageInput) (*reading.Page[*memory.Observation], error) {
			return svc.Knowledge.Observations(ctx, boundary.ObservationFilter{}, order, page)
		})
	}
	once(t, "concepts", len(w.concepts), func(page reading.PageInput) (*reading.Page[*memory.Concept], error) {
		return svc.Knowledge.MemoirConcepts(ctx, "m", page)
	})
}

func once[N memory.Node](t *testing.T, list string, count int, read func(reading.PageInput) (*reading.Page[N], error)) {
	t.Helper()
	seen := map[string]int{}
	input := reading.PageInput{First: ptr(1)}
	for range count + 1 {
		page, err := read(input)
		require.NoError(t, err, list)
		for i, item := range page.Items {
			seen[item.ID()]++
			input.After = &page.Cursors[i]
		}
		if !page.HasNext {
			break
		}
	}
	assert.Len(t, seen, count, list)
	for id, times := range seen {
		assert.Equal(t, 1, times, "%s of %s", id, list)
	}
}
