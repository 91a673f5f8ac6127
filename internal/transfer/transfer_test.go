package transfer_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/demo"
	"mneme/internal/importer"
	"mneme/internal/testneo4j"
	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/servicetest"
	"mneme/service/upkeep"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// openSQLite is a tenant of a service over a directory of its own.
func openSQLite(t *testing.T, options ...service.Option) *service.Tenant {
	t.Helper()
	return servicetest.Bind(t.Context(), t, serveSQLite(t, options...))
}

func serveSQLite(t *testing.T, options ...service.Option) *service.Service {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	return serve(t, backend, options...)
}

func serve(t *testing.T, backend store.Backend, options ...service.Option) *service.Service {
	t.Helper()
	t.Cleanup(func() { assert.NoError(t, backend.Close(context.Background())) })
	return service.New(backend, options...)
}

func export(ctx context.Context, t *testing.T, svc *service.Tenant) string {
	t.Helper()
	var file bytes.Buffer
	_, err := transfer.Export(ctx, svc, &file, nil)
	require.NoError(t, err)
	return file.String()
}

func load(ctx context.Context, t *testing.T, svc *service.Tenant, file string, options importer.Options) importer.Report {
	t.Helper()
	options.Format = importer.JSONL
	report, err := importer.Import(ctx, svc, strings.NewReader(file), options)
	require.NoError(t, err)
	return report
}

// fill fills a tenant with the sample, and with what the sample does not have.
func fill(ctx context.Context, t *testing.T, svc *service.Tenant) {
	t.Helper()
	_, err := demo.Load(ctx, svc, time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	load(ctx, t, svc, `
{"kind": "episode", "record": {"id": "e", "agentId": "a", "agentName": "Ä <b>&amp; \u2028", "observation": "Ünïcode \u0001 \"quotes\" </script>", "causedBy": ["later"], "conceptIds": ["unknown"], "embedding": [0.1, -0.2, 1e-30], "metadata": {"n": 12345678901234567890, "x": [null, 1e400]}, "quality": 0.1}}
{"kind": "canvas", "record": {"id": "c", "sessionId": "waits", "canvasType": "forms", "actions": [{"action": "PRESENT", "at": "2026-05-01T00:00:00.123Z"}]}}
{"kind": "feedback", "record": {"id": "f", "agentExecutionId": "run", "type": "RATING", "rating": 2, "createdBy": "zoë", "corrections": "Shorter."}}
{"kind": "observation", "record": {"id": "o", "content": "Seen often.", "aboutIds": ["episode:later", "agent:a"]}}
`, importer.Options{})
	for range 3 {
		_, err = svc.Knowledge.Observation(ctx, "o")
		require.NoError(t, err)
	}
	_, err = svc.Knowledge.RefineConcept(ctx, boundary.RefineConceptInput{ID: "demo-bar-chart", Content: ptr("Bars, sorted."), Labels: &[]string{}})
	require.NoError(t, err)
	_, err = svc.Episodes.CaptureRun(ctx, boundary.CaptureRunInput{RunID: "run-1", AgentID: "a", Events: []boundary.EventInput{
		{Type: "workflow_started", Data: memory.JSON(`{"args":{}}`), At: time.Date(2026, 1, 1, 0, 0, 0, 7e6, time.UTC)},
		{Type: "workflow_failed", Data: memory.JSON(`{"error":"x"}`), At: time.Date(2026, 1, 1, 0, 1, 0, 0, time.UTC)},
	}}, boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Learning.RecordExecutions(ctx, boundary.RecordExecutionsInput{Executions: []boundary.RecordExecutionInput{
		{ID: ptr("x/1"), AgentID: "worker", TaskType: "sort", Success: true, Quality: 0.1, LatencyMs: ptr(0.125)},
	}})
	require.NoError(t, err)
	_, err = svc.Traces.RecordSpans(ctx, []boundary.TraceSpan{{Trace: "trace", Span: capture.Span{
		ID: "root", Kind: capture.SpanAgent, Name: "<support>", Given: memory.JSON(`{"n":1e400}`), StartedAt: time.Unix(1e9, 1), EndedAt: time.Unix(1e9, 2),
	}}})
	require.NoError(t, err)
	_, err = svc.Judging.ApplyJudgeThreshold(ctx, boundary.ApplyJudgeThresholdInput{JudgeID: "critic", SectionType: ptr("verse"), Threshold: ptr(7.5)})
	require.NoError(t, err)
	_, err = svc.Upkeep.DeleteFeedback(ctx, boundary.DeleteFeedbackInput{CreatedBy: ptr("priya")})
	require.NoError(t, err)
}

func ptr[T any](value T) *T { return &value }

func TestAnExportIsTheSameFromBothStores(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	first := openSQLite(t)
	fill(ctx, t, first)
	file := export(ctx, t, first)
	assert.Equal(t, file, export(ctx, t, first), "a second time too")

	second := openSQLite(t)
	report := load(ctx, t, second, file, importer.Options{})
	assert.Zero(t, report.Forgotten)
	assert.Empty(t, report.Present)
	assert.Equal(t, file, export(ctx, t, second))
	again := load(ctx, t, second, file, importer.Options{})
	assert.Empty(t, again.Imported)
	assert.Equal(t, report.Imported, again.Present)

	server := testneo4j.Reach(t)
	backend, err := neo4j.Open(ctx, neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	third := servicetest.Bind(service.WithTenant(ctx, "t-"+strings.ToLower(rand.Text())), t, serve(t, backend))
	assert.Equal(t, report.Imported, load(ctx, t, third, file, importer.Options{}).Imported)
	assert.Equal(t, report.Imported, load(ctx, t, third, file, importer.Options{}).Present)
	exported := export(ctx, t, third)
	assert.Equal(t, file, exported)

	back := openSQLite(t)
	load(ctx, t, back, exported, importer.Options{})
	assert.Equal(t, file, export(ctx, t, back), "and back")
}

// Records that are sent again after an import are still known to be the same, and others not to be.
func TestTheSameInputIsTheSameRecordAfterAnImport(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	first, second := openSQLite(t), openSQLite(t)
	input := boundary.RecordEpisodeInput{ID: ptr("e"), AgentID: "a", Observation: "Seen."}
	_, err := second.Agents.Get(ctx, "a") // it has an input key of its own before
	require.NoError(t, err)
	_, err = first.Episodes.RecordEpisode(ctx, input, boundary.Include{})
	require.NoError(t, err)
	load(ctx, t, second, export(ctx, t, first), importer.Options{})
	_, err = second.Episodes.RecordEpisode(ctx, input, boundary.Include{})
	require.NoError(t, err)
	input.Observation = "Seen otherwise."
	_, err = second.Episodes.RecordEpisode(ctx, input, boundary.Include{})
	var fault *memory.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, memory.CodeConflict, fault.Code)
}

func TestWhatIsForgottenStaysForgotten(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	svc := openSQLite(t)
	const written = `
{"kind": "agent", "record": {"id": "a", "name": "A"}}
{"kind": "episode", "record": {"id": "e", "agentId": "a", "observation": "One."}}
{"kind": "episode", "record": {"id": "other", "agentId": "b", "observation": "Two."}}
{"kind": "canvas", "record": {"id": "c", "episodeId": "e", "canvasType": "forms", "actions": [{"action": "PRESENT"}, {"action": "CLOSE"}]}}
{"kind": "feedback", "record": {"id": "f", "episodeId": "other", "type": "THUMBS_UP", "createdBy": "zoë"}}
{"kind": "correction", "record": {"id": "k", "topic": "t", "prediction": "P.", "correction": "C.", "createdBy": "zoë"}}
`
	load(ctx, t, svc, written, importer.Options{})
	before := export(ctx, t, svc)
	deleted, err := svc.Upkeep.Delete(ctx, memory.KindAgent, boundary.DeleteInput{ID: "agent:a"})
	require.NoError(t, err)
	assert.Equal(t, &upkeep.DeletedRecord{DeletedID: "agent:a", Episodes: 1}, deleted)
	said, err := svc.Upkeep.DeleteFeedback(ctx, boundary.DeleteFeedbackInput{CreatedBy: ptr("zoë")})
	require.NoError(t, err)
	assert.Equal(t, &upkeep.DeletedFeedback{Deleted: 2}, said)
	after := export(ctx, t, svc)
	assert.NotContains(t, after, "zoë")
	assert.NotContains(t, after, `"a"`)

	for name, file := range map[string]string{"an export": before, "what was written by hand": written} {
		report := load(ctx, t, svc, file, importer.Options{})
		assert.Equal(t, 5, report.Forgotten, name)
		assert.Equal(t, after, export(ctx, t, svc), name)
	}
	report := load(ctx, t, svc, before, importer.Options{Force: true})
	assert.Zero(t, report.Forgotten)
	assert.Equal(t, before, export(ctx, t, svc))
}

func TestWhatIsForcedIsForgottenNoMore(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	svc := openSQLite(t)
	const written = `{"kind": "episode", "record": {"id": "e", "agentId": "a", "observation": "One."}}`
	load(ctx, t, svc, written, importer.Options{})
	_, err := svc.Upkeep.Delete(ctx, memory.KindAgent, boundary.DeleteInput{ID: "a"})
	require.NoError(t, err)
	assert.Zero(t, load(ctx, t, svc, written, importer.Options{Force: true}).Forgotten)
	assert.NotContains(t, export(ctx, t, svc), "tombstone")
	assert.Zero(t, load(ctx, t, svc, written, importer.Options{}).Forgotten)
}

func TestAnExportIsNotMixedWithOtherRecords(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	first, second := openSQLite(t), openSQLite(t)
	fill(ctx, t, first)
	require.NoError(t, second.Agents.Save(ctx, "mine", "Mine"))
	before := export(ctx, t, second)
	_, err := importer.Import(ctx, second, strings.NewReader(export(ctx, t, first)), importer.Options{Format: importer.JSONL, KeepGoing: true})
	var fault *memory.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, memory.CodeConflict, fault.Code)
	assert.ErrorContains(t, err, "import it into an empty one")
	assert.Equal(t, before, export(ctx, t, second))
}

func TestAnExportNeedsItsFirstLine(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	first, second := openSQLite(t), openSQLite(t)
	fill(ctx, t, first)
	_, rest, _ := strings.Cut(export(ctx, t, first), "\n")
	_, err := importer.Import(ctx, second, strings.NewReader(rest), importer.Options{Format: importer.JSONL, KeepGoing: true})
	require.ErrorContains(t, err, "begins with the line of the tenant")
	assert.Equal(t, 1, strings.Count(export(ctx, t, second), "\n"))
}

func TestFaultyLines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ kind, kept, says string }{
		"unknown kind":   {"s3cret", `{}`, "of this kind"},
		"unknown field":  {"agent", `{"key": "a", "name": "A", "colour": 1}`, "colour"},
		"another format": {"tenant", `{"format": 99}`, "use the version that exported it"},
		"no relation":    {"relation", `{"type": "LIKES", "source": "a", "target": "b", "createdAt": "2026-01-01T00:00:00Z"}`, "type"},
		"breaks off":     {"episode", `{"key": `, "breaks off"},
		"a wrong number": {"episode", `{"key": "e", "quality": "high"}`, "quality"},
		"nothing":        {"episode", `null`, "key: must not be empty"},
		"no key":         {"agent", `{"name": "A"}`, "key: must not be empty"},
		"no status":      {"verdict", `{"key": "v", "run": "r", "section": "r/s", "at": "2026-01-01T00:00:00Z"}`, "status: must be APPROVE"},
		"not of its run": {"verdict", `{"key": "v", "run": "r", "section": "s3cret/s", "status": "APPROVE", "at": "2026-01-01T00:00:00Z"}`, "section: is none of the run"},
		"out of range":   {"execution", `{"key": "x", "agent": "a", "taskType": "t", "quality": 7e300, "at": "2026-01-01T00:00:00Z"}`, "quality: must be from 0 to 1"},
		"no time":        {"run", `{"key": "r"}`, "startedAt: must be there"},
		"no hash":        {"tombstone", `{}`, "hash: must be 16 bytes"},
		"no input key":   {"tenant", `{"format": 1}`, "inputKey: must be 32 bytes"},
		"an action twice": {"canvas", `{"key": "c", "canvasType": "forms", "inputHashes": ["", ""], "actions": [
			{"id": "s3cret", "action": "PRESENT", "at": "2026-01-01T00:00:00Z"}, {"id": "s3cret", "action": "CLOSE", "at": "2026-01-01T00:00:00Z"}]}`, "actions.1.id: is that of another action"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := transfer.Decode(memory.Kind(tt.kind), []byte(tt.kept))
			var fault *memory.Error
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, memory.CodeInvalidInput, fault.Code)
			assert.ErrorContains(t, err, tt.says)
			assert.NotContains(t, err.Error(), "s3cret")
		})
	}
}

func TestEveryKindHasALine(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	svc := openSQLite(t)
	fill(ctx, t, svc)
	kinds := map[memory.Kind]bool{ // those that follow from others have none
		memory.KindSession: true, memory.KindLearningProfile: true, memory.KindSection: true,
	}
	for line := range strings.Lines(export(ctx, t, svc)) {
		var head struct {
			Kind memory.Kind     `json:"kind"`
			Kept json.RawMessage `json:"kept"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &head))
		kinds[head.Kind] = true
		item, err := transfer.Decode(head.Kind, head.Kept)
		require.NoError(t, err)
		kind, again, err := transfer.Encode(item)
		require.NoError(t, err)
		assert.Equal(t, head.Kind, kind)
		assert.Equal(t, line, string(again))
	}
	for _, kind := range append(memory.Kinds[:len(memory.Kinds):len(memory.Kinds)],
		transfer.KindTenant, transfer.KindRelation, transfer.KindSectionType, transfer.KindJudgeThreshold, transfer.KindSpan, transfer.KindTombstone) {
		assert.True(t, kinds[kind], "a line of the kind %s", kind)
	}
}

// JSON at the limits of what comes in is at those of what comes back, also where a span's log wraps it; what is
// deeper would never be read again.
func TestJSONAtItsLimits(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	nested := func(depth int) memory.JSON {
		return memory.JSON(strings.Repeat("[", depth) + strings.Repeat("]", depth))
	}
	svc := openSQLite(t, service.WithTraceWaits(capture.TraceWaits{}))
	_, err := svc.Episodes.RecordEpisode(ctx, boundary.RecordEpisodeInput{
		ID: ptr("e"), AgentID: "a", Observation: "Seen.", EpisodeExtras: boundary.EpisodeExtras{Metadata: nested(memory.InputJSON.Depth)},
		Actions: []boundary.ActionInput{{StepName: "s", Result: nested(memory.InputJSON.Depth)}},
	}, boundary.Include{})
	require.NoError(t, err)
	deep := nested(memory.SpanJSON.Depth)
	span := func(kind capture.SpanKind, id, parent string) capture.Span {
		return capture.Span{
			ID: id, Parent: parent, Kind: kind, Name: "n", Given: deep, Gave: deep, Calls: []capture.SpanCall{{Name: "x", Arguments: deep}},
			Answers: []capture.SpanCall{{ID: "1", Result: deep}}, StartedAt: time.Unix(1e9, 0), EndedAt: time.Unix(1e9+1, 0),
		}
	}
	recorded, err := svc.Traces.RecordSpans(ctx, []boundary.TraceSpan{
		{Trace: "t", Span: span(capture.SpanAgent, "root", "")}, {Trace: "t", Span: span(capture.SpanModel, "m", "root")}, {Trace: "t", Span: span(capture.SpanTool, "x", "m")},
	})
	require.NoError(t, err)
	require.Equal(t, 3, recorded.Accepted)
	held := export(ctx, t, svc)
	_, err = svc.Traces.Finish(ctx)
	require.NoError(t, err)
	made := export(ctx, t, svc)
	for _, file := range []string{held, made} {
		other := openSQLite(t)
		load(ctx, t, other, file, importer.Options{})
		assert.Equal(t, file, export(ctx, t, other))
	}
	_, err = transfer.Decode(memory.KindEpisode, []byte(`{"metadata":`+string(nested(9000))+`}`))
	require.ErrorContains(t, err, "nests deeper")
}
