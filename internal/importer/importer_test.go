package importer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"mneme/internal/importer"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/store/sqlite"
)

// open is a service over a real store in a directory of its own.
func open(t *testing.T) *service.Tenant {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, backend.Close(context.Background())) })
	return servicetest.Bind(t.Context(), t, service.New(backend))
}

const everyKind = `
{"kind": "agent", "record": {"id": "a", "name": "Agent A"}}
{"kind": "session", "record": {"id": "session:s"}}
{"kind": "canvas", "record": {"id": "c", "episodeId": "e", "canvasType": "sheets", "componentType": "pivot", "actions": [
  {"id": "1", "action": "PRESENT", "at": "2025-01-01T10:00:10Z", "metadata": {"rows": 3}}, {"action": "CLOSE", "at": "2025-01-01T10:00:12Z"}]}}
{"kind": "feedback", "record": {"id": "f1", "episodeId": "episode:e", "type": "THUMBS_UP", "at": "2025-01-01T10:00:20Z"}}
{"kind": "feedback", "record": {"canvasId": "c", "type": "RATING", "rating": 4, "corrections": "More rows.", "comment": "Neat."}}
{"kind": "memoir", "record": {"id": "m", "name": "Reports"}}
{"kind": "concept", "record": {"id": "c1", "memoirId": "memoir:m", "name": "Pivot", "content": "Turns rows into columns.", "labels": ["table"]}}
{"kind": "concept", "record": {"memoirId": "m", "name": "Table", "content": "Rows and columns."}}
{"kind": "concept", "record": {"id": "c3", "memoirId": "m", "name": "Sheet", "content": "Holds tables."}}
{"kind": "relation", "record": {"sourceId": "concept:c1", "targetId": "c3", "type": "PART_OF"}}
{"kind": "observation", "record": {"content": "Rows are missing on Mondays.", "importance": "HIGH", "aboutIds": ["episode:e"], "at": "2025-01-01T11:00:00Z"}}
{"kind": "correction", "record": {"topic": "report", "prediction": "One page.", "correction": "Two pages.", "aboutIds": ["concept:c1"]}}
{"kind": "execution", "record": {"agentId": "a", "taskType": "report", "success": true, "quality": 0.9, "latencyMs": 1200, "at": "2025-01-01T12:00:00Z"}}
{"kind": "verdict", "record": {"runId": "r", "sectionId": "cover", "sectionType": "page", "judgeId": "editor", "iteration": 0, "status": "APPROVE", "label": true, "at": "2025-01-01T12:10:00Z"}}
{"kind": "episode", "record": {"id": "e", "agentId": "a", "sessionId": "s", "taskType": "report", "observation": "A report is wanted.", "conceptIds": ["c1"],
  "thoughts": ["Which?"], "actions": [{"stepId": "1", "stepName": "query", "result": [1, 2]}], "outcome": "SUCCESS", "startedAt": "2025-01-01T10:00:00Z"}}
`

// lines joins the pretty-printed records above to one a line.
func lines(text string) string { return strings.ReplaceAll(text, "\n  ", "") }

func TestImportOfEveryKind(t *testing.T) {
	t.Parallel()
	svc := open(t)
	const all = "1 agent, 1 memoir, 3 concepts, 1 episode, 1 canvas, 2 feedback, 1 observation, 1 correction, 1 execution, 1 verdict, 1 relation"
	for _, says := range []string{all, "nothing new (there already: " + all + ")"} { // a second time changes nothing
		report, err := importer.Import(t.Context(), svc, strings.NewReader(lines(everyKind)), importer.Options{Format: importer.JSONL})
		require.NoError(t, err)
		assert.Equal(t, says, report.String())
		assert.Equal(t, 14, report.Records())
	}
	around, err := svc.Retrieval.Neighbourhood(t.Context(), boundary.NeighbourhoodInput{ID: "episode:e", Depth: new(3), Direction: memory.DirectionBoth}, boundary.Include{})
	require.NoError(t, err)
	assert.Len(t, around.Nodes, 15, "all of it hangs together")
	episode, err := svc.Episodes.Get(t.Context(), "e", boundary.Include{Agent: true, Canvases: true, Feedback: true})
	require.NoError(t, err)
	require.NotNil(t, episode)
	assert.Equal(t, "Agent A", episode.Context.Agent.Name)
	require.Len(t, episode.Context.Canvases, 1)
	assert.Len(t, episode.Context.Canvases[0].Actions, 2)
	assert.Len(t, episode.Context.Feedback, 2)
	assert.InDelta(t, 0.75, *episode.AggregateFeedbackScore(), 1e-12)
}

func episodeLine(n int) string {
	return fmt.Sprintf(`{"kind": "episode", "record": {"id": "e%d", "agentId": "a", "observation": "Number %d."}}`, n, n)
}

func TestFaultyLines(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ line, says string }{
		"not JSON":             {`{"kind": `, "breaks off"},
		"no object":            {`[1]`, "cannot be an array"},
		"two records":          {episodeLine(9) + episodeLine(10), "follows"},
		"unknown kind":         {`{"kind": "s3cret", "record": {}}`, "kind: must be agent, session, memoir, concept, episode, canvas, feedback, observation, correction, execution, verdict or relation"},
		"nameless memoir":      {`{"kind": "memoir", "record": {}}`, "name"},
		"concept of no memoir": {`{"kind": "concept", "record": {"memoirId": "none", "name": "x", "content": "X."}}`, "memoirId"},
		"relation of nothing":  {`{"kind": "relation", "record": {"sourceId": "x", "targetId": "y", "type": "PART_OF"}}`, "does not exist"},
		"relation of no type":  {`{"kind": "relation", "record": {"sourceId": "x", "targetId": "y", "type": "s3cret"}}`, "type"},
		"blank observation":    {`{"kind": "observation", "record": {"content": ""}}`, "content"},
		"correction of what":   {`{"kind": "correction", "record": {"prediction": "P.", "correction": "C."}}`, "topic"},
		"observation's field":  {`{"kind": "observation", "record": {"content": "X.", "weight": 1}}`, "weight"},
		"no kind":              {`{"record": {}}`, "kind"},
		"no record":            {`{"kind": "episode"}`, "record: must be there"},
		"null record":          {`{"kind": "memoir", "record": null}`, "record: must be there"},
		"unknown field":        {`{"kind": "episode", "record": {"agentId": "a", "observation": "x", "colour": 1}}`, "colour"},
		"unknown field beside": {`{"kind": "agent", "record": {"id": "b", "name": "B"}, "tenant": "x"}`, "tenant"},
		"wrong type":           {`{"kind": "episode", "record": {"agentId": 7}}`, "agentId"},
		"bad time":             {`{"kind": "episode", "record": {"agentId": "a", "observation": "x", "startedAt": "s3cret"}}`, "startedAt: must be an RFC 3339 time"},
		"no observation":       {`{"kind": "episode", "record": {"agentId": "a", "observation": " "}}`, "observation"},
		"no agent":             {`{"kind": "episode", "record": {"observation": "x"}}`, "agentId"},
		"invalid UTF-8":        {"{\"kind\": \"episode\", \"record\": {\"agentId\": \"a\", \"observation\": \"\xff\"}}", "UTF-8"},
		"used key":             {`{"kind": "episode", "record": {"id": "e1", "agentId": "a", "observation": "Another."}}`, "CONFLICT"},
		"unknown outcome":      {`{"kind": "episode", "record": {"agentId": "a", "observation": "x", "outcome": "s3cret"}}`, "outcome"},
		"nameless agent":       {`{"kind": "agent", "record": {"id": "b"}}`, "name"},
		"keyless session":      {`{"kind": "session", "record": {"id": ""}}`, "id"},
		"canvas of nothing":    {`{"kind": "canvas", "record": {"id": "c", "canvasType": "docs", "actions": []}}`, "actions"},
		"unknown action":       {`{"kind": "canvas", "record": {"id": "c", "canvasType": "docs", "actions": [{"action": "s3cret"}]}}`, "action"},
		"action's field":       {`{"kind": "canvas", "record": {"id": "c", "canvasType": "docs", "actions": [{"action": "CLOSE", "why": 1}]}}`, "why"},
		"rating 6":             {`{"kind": "feedback", "record": {"episodeId": "e1", "type": "RATING", "rating": 6}}`, "rating"},
		"feedback on an agent": {`{"kind": "feedback", "record": {"episodeId": "agent:x", "type": "THUMBS_UP"}}`, "episodeId: is the id of a record of kind agent"},
		"canvas of an agent":   {`{"kind": "canvas", "record": {"id": "c", "episodeId": "agent:z", "canvasType": "docs", "actions": [{"action": "CLOSE"}]}}`, "episodeId"},
		"feedback on nothing":  {`{"kind": "feedback", "record": {"type": "THUMBS_UP"}}`, "episodeId"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := episodeLine(1) + "\n\n" + tt.line + "\n" + episodeLine(2) + "\n"

			report, err := importer.Import(t.Context(), open(t), strings.NewReader(file), importer.Options{Format: importer.JSONL})
			var fault *importer.Fault
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, 3, fault.Line)
			assert.ErrorContains(t, err, tt.says)
			assert.NotContains(t, err.Error(), "s3cret")
			assert.GreaterOrEqual(t, report.Imported[memory.KindEpisode], 1, "what stands before it is imported")

			svc := open(t)
			report, err = importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.JSONL, KeepGoing: true})
			require.NoError(t, err)
			assert.Equal(t, 2, report.Records(), "all but the faulty one is imported: %s", report)
			require.Len(t, report.Faults, 1)
			assert.Equal(t, 3, report.Faults[0].Line)
			assert.ErrorContains(t, &report.Faults[0], tt.says)
		})
	}
}

func TestBatchesKeepTheirLines(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	for n := range 2100 {
		line := episodeLine(n)
		if n%500 == 42 { // lines 43, 543, …
			line = strings.Replace(line, "Number", " ", 1)
			line = strings.Replace(line, fmt.Sprintf(" %d.", n), "", 1)
		}
		file.WriteString(line + "\n")
	}
	var shown []int
	options := importer.Options{Format: importer.JSONL, KeepGoing: true, Progress: func(r importer.Report) { shown = append(shown, r.Records()) }}
	report, err := importer.Import(t.Context(), open(t), strings.NewReader(file.String()), options)
	require.NoError(t, err)
	assert.Equal(t, 2095, report.Records())
	var faulty []int
	for _, fault := range report.Faults {
		faulty = append(faulty, fault.Line)
	}
	assert.Equal(t, []int{43, 543, 1043, 1543, 2043}, faulty)
	assert.GreaterOrEqual(t, len(shown), 3)
	assert.Equal(t, 2095, shown[len(shown)-1])
}

func TestRecordsWithoutIDs(t *testing.T) {
	t.Parallel()
	svc := open(t)
	file := `{"kind": "execution", "record": {"agentId": "a", "taskType": "report", "success": true, "quality": 0.9, "latencyMs": 1200, "at": "2025-01-01T12:00:00Z"}}
{"kind": "verdict", "record": {"runId": "r", "sectionId": "cover", "sectionType": "page", "judgeId": "editor", "iteration": 0, "status": "APPROVE", "label": true, "at": "2025-01-01T12:10:00Z"}}
{"kind": "episode", "record": {"id": "e", "agentId": "a", "observation": "x"}}
{"kind": "feedback", "record": {"episodeId": "e", "type": "THUMBS_UP"}}
{"kind": "feedback", "record": {"episodeId": "e", "type": "THUMBS_UP"}}
{"kind": "feedback", "record": {"episodeId": "e", "type": "THUMBS_DOWN"}}`
	for range 2 {
		_, err := importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.JSONL})
		require.NoError(t, err)
		episode, err := svc.Episodes.Get(t.Context(), "e", boundary.Include{})
		require.NoError(t, err)
		assert.Equal(t, 3, episode.FeedbackCount, "equal lines count each, and importing again adds none")
	}
}

const mixedRuns = `{"runId": "r1", "agentId": "a", "workflowName": "build", "sessionId": "s", "type": "workflow_started", "data": {"args": {"x": 1}}, "at": "2025-01-01T10:00:00Z"}
{"runId": "r2", "agentId": "b", "type": "workflow_started", "at": "2025-01-01T10:00:01Z"}
{"runId": "r1", "type": "step_completed", "data": {"step_id": "1", "step_name": "compile", "result": "ok"}, "at": "2025-01-01T10:00:05Z"}
{"runId": "r2", "type": "workflow_failed", "data": {"error": "no disk"}, "at": "2025-01-01T10:00:06Z"}
{"runId": "r1", "type": "workflow_completed", "data": {"result": "built"}, "at": "2025-01-01T10:00:09Z"}
`

func TestImportOfEvents(t *testing.T) {
	t.Parallel()
	svc := open(t)
	for _, says := range []string{"2 episodes", "nothing new (there already: 2 episodes)"} {
		report, err := importer.Import(t.Context(), svc, strings.NewReader(mixedRuns), importer.Options{Format: importer.Events})
		require.NoError(t, err)
		assert.Equal(t, says, report.String())
	}
	built, err := svc.Episodes.Get(t.Context(), "r1", boundary.Include{})
	require.NoError(t, err)
	assert.Equal(t, memory.OutcomeSuccess, built.Outcome)
	assert.Equal(t, "build", *built.TaskType)
	assert.Equal(t, "s", *built.SessionKey)
	require.Len(t, built.Actions, 1)
	failed, err := svc.Episodes.Get(t.Context(), "r2", boundary.Include{})
	require.NoError(t, err)
	assert.Equal(t, memory.OutcomeFailure, failed.Outcome)
	assert.Equal(t, "b", failed.AgentKey)
	events, err := svc.Episodes.Events(t.Context(), "r1", reading.PageInput{})
	require.NoError(t, err)
	assert.Len(t, events.Items, 3)
}

// longRuns are two runs of a file, mixed, the first with an end; both are longer than a call may be.
func longRuns(events int) string {
	var file strings.Builder
	for i := range events {
		at := time.Date(2025, 1, 1, 10, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Second).Format(time.RFC3339)
		kind := "step_completed"
		if i == events-1 {
			kind = "workflow_completed"
		}
		fmt.Fprintf(&file, `{"runId": "ended", "agentId": "a", "workflowName": "build", "type": %q, "data": {"step_name": "s%d"}, "at": %q}`+"\n", kind, i, at)
		fmt.Fprintf(&file, `{"runId": "open", "agentId": "a", "type": "agent_thought", "data": {"thought": "t%d"}, "at": %q}`+"\n", i, at)
	}
	return file.String()
}

func TestImportOfLongRuns(t *testing.T) {
	t.Parallel()
	svc := open(t)
	const events = 2345
	for _, says := range []string{"2 episodes", "nothing new (there already: 2 episodes)"} {
		report, err := importer.Import(t.Context(), svc, strings.NewReader(longRuns(events)), importer.Options{Format: importer.Events})
		require.NoError(t, err)
		assert.Equal(t, says, report.String())
	}
	for id, outcome := range map[string]memory.Outcome{"ended": memory.OutcomeSuccess, "open": memory.OutcomeUnknown} {
		e, err := svc.Episodes.Get(t.Context(), id, boundary.Include{})
		require.NoError(t, err)
		assert.Equal(t, outcome, e.Outcome)
		assert.Equal(t, 1000, max(len(e.Actions), len(e.Thoughts)), "what its log tells, also where that has no end")
		log, err := svc.Episodes.Events(t.Context(), id, reading.PageInput{})
		require.NoError(t, err)
		count, err := log.Total(t.Context())
		require.NoError(t, err)
		assert.Equal(t, events, count)
	}
}

// A long run may end more than once, also where a part of it ends: the last end counts, as in a short one.
func TestLongRunsThatGoOnAfterAnEnd(t *testing.T) {
	t.Parallel()
	svc := open(t)
	file := strings.Replace(longRuns(1500), `"step_completed", "data": {"step_name": "s999"}`, `"workflow_failed", "data": {"error": "again"}`, 1)
	for range 2 {
		_, err := importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.Events})
		require.NoError(t, err)
	}
	e, err := svc.Episodes.Get(t.Context(), "ended", boundary.Include{})
	require.NoError(t, err)
	assert.Equal(t, memory.OutcomeSuccess, e.Outcome)
	assert.Equal(t, "s1498", e.Actions[len(e.Actions)-1].StepName)
}

func TestFaultsOfLongRuns(t *testing.T) {
	t.Parallel()
	svc := open(t)
	file := longRuns(1100) + `{"runId": "open", "workflowName": "late", "type": "x", "at": "2025-01-01T10:00:00Z"}`
	report, err := importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.Events, KeepGoing: true})
	require.NoError(t, err)
	require.Len(t, report.Faults, 2, "the line, and the run at its first line")
	assert.Equal(t, []int{2, 2201}, []int{report.Faults[0].Line, report.Faults[1].Line})
	assert.ErrorContains(t, report.Faults[0].Err, "left open")
	assert.ErrorContains(t, report.Faults[1].Err, "first 1000 lines")
	left, err := svc.Episodes.Get(t.Context(), "open", boundary.Include{})
	require.NoError(t, err)
	assert.False(t, left.Concluded)
	assert.Equal(t, "2 episodes", report.String(), "the one that is left open is there, too")
}

// What is written of a long run is told, however its import ends.
func TestLongRunsOfImportsThatEnd(t *testing.T) {
	t.Parallel()
	const own, other = `{"runId": "ended", "agentId": "b", "type": "x", "at": "2025-01-01T10:00:00Z"}`, `{"runId": "z"}`
	for _, faulty := range []string{own, other, "{", `{"runId": "short", "agentId": "a", "type": "", "at": "2025-01-01T10:00:00Z"}`} {
		report, err := importer.Import(t.Context(), open(t), strings.NewReader(longRuns(1100)+faulty), importer.Options{Format: importer.Events})
		require.Error(t, err)
		assert.Equal(t, "2 episodes", report.String(), faulty)
	}
	for parts := range 4 { // two on the way, and two rests
		ctx, cancel := context.WithCancel(t.Context())
		report, err := importer.Import(ctx, open(t), strings.NewReader(longRuns(1100)), importer.Options{Format: importer.Events, Progress: func(importer.Report) {
			if parts--; parts < 0 {
				cancel()
			}
		}})
		require.ErrorIs(t, err, context.Canceled)
		assert.Contains(t, []string{"1 episode", "2 episodes"}, report.String())
		cancel()
	}
}

// A run that is longer than a log may be says so. Its episode is there, with what was written of it.
func TestRunsThatAreTooLong(t *testing.T) {
	t.Parallel()
	svc := open(t)
	line := `{"runId": "endless", "agentId": "a", "type": "x", "at": "2025-01-01T10:00:00Z"}` + "\n"
	file := `{"runId": "short", "agentId": "a", "type": "x", "at": "2025-01-01T10:00:00Z"}` + "\n" + strings.Repeat(line, boundary.MaxLog+3)
	for _, says := range []string{"2 episodes", "nothing new (there already: 2 episodes)"} {
		report, err := importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.Events, KeepGoing: true})
		require.NoError(t, err)
		require.Len(t, report.Faults, 1)
		assert.Equal(t, 2, report.Faults[0].Line)
		assert.ErrorContains(t, report.Faults[0].Err, "left open, since it has more than 100000 events")
		assert.Equal(t, says, report.String())
	}
	report, err := importer.Import(t.Context(), open(t), strings.NewReader(file), importer.Options{Format: importer.Events})
	assert.ErrorContains(t, err, "more than 100000 events")
	assert.Equal(t, "1 episode", report.String())
}

// The lines of a run are its own in whichever spelling they name it, its agent, its session and its workflow.
func TestEventsOfOneRunInTwoSpellings(t *testing.T) {
	t.Parallel()
	svc := open(t)
	first, second := strings.SplitAfter(mixedRuns, "\n")[0], strings.SplitAfter(mixedRuns, "\n")[4]
	second = strings.Replace(second, `"type"`, `"agentId": "a", "workflowName": "build", "sessionId": "s", "type"`, 1)
	spelled := func(line, name string) string {
		return strings.NewReplacer(`"r1"`, `"`+name+`"`, `"a"`, `"`+name+`"`, `"build"`, `"`+name+`"`, `"s"`, `"`+name+`"`).Replace(line)
	}
	file := spelled(first, "cafe\u0301") + spelled(second, "caf\u00e9")
	report, err := importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.Events})
	require.NoError(t, err)
	assert.Equal(t, "1 episode", report.String())
	events, err := svc.Episodes.Events(t.Context(), "caf\u00e9", reading.PageInput{})
	require.NoError(t, err)
	assert.Len(t, events.Items, 2)
}

func TestFaultyEvents(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file, says string
		line       int
	}{
		"no run":           {`{"agentId": "a", "type": "x", "at": "2025-01-01T10:00:00Z"}`, "runId", 1},
		"no time":          {`{"runId": "r", "agentId": "a", "type": "x"}`, "at", 1},
		"no agent":         {`{"runId": "r", "type": "x", "at": "2025-01-01T10:00:00Z"}`, "agentId", 1},
		"no type":          {`{"runId": "r", "agentId": "a", "at": "2025-01-01T10:00:00Z"}`, "type", 1},
		"unknown field":    {`{"runId": "r", "agentId": "a", "typ": "x", "at": "2025-01-01T10:00:00Z"}`, "typ", 1},
		"another agent":    {mixedRuns + `{"runId": "r1", "agentId": "s3cret", "type": "x", "at": "2025-01-01T10:00:00Z"}`, "agentId", 6},
		"another workflow": {mixedRuns + `{"runId": "r1", "workflowName": "s3cret", "type": "x", "at": "2025-01-01T10:00:00Z"}`, "workflowName", 6},
		"another session":  {mixedRuns + `{"runId": "r1", "sessionId": "s3cret", "type": "x", "at": "2025-01-01T10:00:00Z"}`, "sessionId", 6},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			svc := open(t)
			report, err := importer.Import(t.Context(), svc, strings.NewReader(tt.file), importer.Options{Format: importer.Events})
			var fault *importer.Fault
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, tt.line, fault.Line)
			assert.ErrorContains(t, err, tt.says)
			assert.NotContains(t, err.Error(), "s3cret")
			assert.Zero(t, report.Records(), "a run that may lack events is not recorded")
		})
	}
}

func TestRunsWithFaultyEventsAreLeftOutWhole(t *testing.T) {
	t.Parallel()
	svc := open(t)
	file := mixedRuns + `{"runId": "r1", "agentId": "b", "type": "x", "at": "2025-01-01T10:00:00Z"}`
	report, err := importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.Events, KeepGoing: true})
	require.NoError(t, err)
	assert.Equal(t, 1, report.Records())
	require.Len(t, report.Faults, 2, "the line, and the run at its first line")
	assert.Equal(t, []int{1, 6}, []int{report.Faults[0].Line, report.Faults[1].Line})
	missing, err := svc.Episodes.Get(t.Context(), "r1", boundary.Include{})
	require.NoError(t, err)
	assert.Nil(t, missing)
}

func TestFaultyTauBenchFiles(t *testing.T) {
	t.Parallel()
	good := `{"task_id": 1, "trial": 0, "reward": 1.0, "info": {"task": {"instruction": "Fly."}}, "traj": []}`
	tests := map[string]struct {
		file, says string
		line       int
		imported   int
		stops      bool // also with KeepGoing
	}{
		"empty":          {``, "JSON array", 1, 0, true},
		"an object":      {`{}`, "JSON array", 1, 0, true},
		"not JSON":       {`<html>`, "JSON array", 1, 0, true},
		"no reward":      {"[\n" + good + ",\n{\"task_id\": 2, \"trial\": 0}\n]", "run 2: INVALID_INPUT: task_id, trial and reward must be there", 2, 1, false},
		"wrong type":     {"[\n\n{\"task_id\": \"two\"},\n" + good + "]", "task_id", 1, 1, false},
		"no instruction": {"[" + strings.Replace(good, "Fly.", "", 1) + "]", "info.task.instruction", 1, 0, false},
		"on one line": {
			"[" + good + "," + strings.NewReplacer("Fly.", " ", `"task_id": 1`, `"task_id": 8`).Replace(good) + "]", "run 2: INVALID_INPUT: info.task.instruction: must not be empty", 2, 1, false,
		},
		"syntax":       {"[\n" + good + ",\n\n{\"task_id\": oops}]", "run 2", 2, 1, true},
		"breaks off":   {"[\n" + good + ",\n{\"task_id\": 2", "run 2", 2, 1, true},
		"never closed": {"[\n" + good + "\n", "breaks off", 2, 1, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := importer.Import(t.Context(), open(t), strings.NewReader(tt.file), importer.Options{Format: importer.TauBench})
			var fault *importer.Fault
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, tt.line, fault.Line)
			assert.ErrorContains(t, err, tt.says)

			report, err := importer.Import(t.Context(), open(t), strings.NewReader(tt.file), importer.Options{Format: importer.TauBench, KeepGoing: true})
			assert.Equal(t, tt.stops, err != nil, "%v", err)
			assert.Equal(t, tt.imported, report.Records())
		})
	}
}

func TestImportEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, keepGoing := range []bool{false, true} {
		_, err := importer.Import(ctx, open(t), strings.NewReader(episodeLine(1)), importer.Options{Format: importer.JSONL, KeepGoing: keepGoing})
		require.True(t, errors.Is(err, context.Canceled), "%v", err)
	}
}

// What the service fails with while a batch is written is told, and not the faulty line that was read since.
func TestFailedBatchIsToldBeforeWhatWasReadSince(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	svc := servicetest.Bind(t.Context(), t, service.New(backend))
	require.NoError(t, backend.Close(t.Context()))
	var file strings.Builder
	for n := range 600 {
		file.WriteString(episodeLine(n) + "\n")
	}
	file.WriteString("{\n")
	report, err := importer.Import(t.Context(), svc, strings.NewReader(file.String()), importer.Options{Format: importer.JSONL})
	require.Error(t, err)
	var fault *importer.Fault
	require.NotErrorAs(t, err, &fault)
	require.ErrorContains(t, err, "line 1: ")
	require.Zero(t, report.Records())
}

// The same tasks done by another model have the same keys, unless somebody says whose they are.
func TestATauBenchFileOfAnotherModelIsToldAboutItsAgent(t *testing.T) {
	t.Parallel()
	svc := open(t)
	file := func(says string) *strings.Reader {
		return strings.NewReader(`[{"task_id": 1, "trial": 0, "reward": 1, "info": {"task": {"instruction": "x"}}, "traj": [{"role": "assistant", "content": "` + says + `"}]}]`)
	}
	options := importer.Options{Format: importer.TauBench}
	_, err := importer.Import(t.Context(), svc, file("one"), options)
	require.NoError(t, err)
	_, err = importer.Import(t.Context(), svc, file("another"), options)
	require.ErrorContains(t, err, "--agent")
	options.Agent = "sonnet"
	report, err := importer.Import(t.Context(), svc, file("another"), options)
	require.NoError(t, err)
	assert.Equal(t, 1, report.Imported[memory.KindEpisode])
}

// Editors and shells of Windows write UTF-16.
func TestRecordsInUTF16AreRead(t *testing.T) {
	t.Parallel()
	svc := open(t)
	text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(strings.ReplaceAll(episodeLine(1)+"\n"+episodeLine(2)+"\n", "\n", "\r\n"))
	require.NoError(t, err)
	report, err := importer.Import(t.Context(), svc, strings.NewReader(text), importer.Options{Format: importer.JSONL})
	require.NoError(t, err)
	assert.Equal(t, 2, report.Imported[memory.KindEpisode])
}
