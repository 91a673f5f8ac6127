package transfer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/internal/importer"
	"mneme/internal/redact"
	"mneme/internal/testneo4j"
	"mneme/internal/testsecret"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/store/neo4j"
)

// What is made of what is accepted comes back as it was: the episodes of logs and of spans, patterns, conclusions,
// revisions. Its parts, put together, may look like a secret that none of them is.
func TestWhatIsMadeOfTheAcceptedComesBack(t *testing.T) {
	t.Parallel()
	svc := testsecret.OpenService(t, service.WithTraceWaits(capture.TraceWaits{}))
	holdsMade(t, svc, 12)
}

func TestWhatIsMadeOfTheAcceptedComesBackOnNeo4j(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	backend, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	holdsMade(t, serve(t, backend, service.WithRedaction(redact.Rules()), service.WithTraceWaits(capture.TraceWaits{})), 2)
}

func holdsMade(t *testing.T, svc *service.Service, cases int) {
	random := rapid.Custom(drawMade)
	for i := range cases {
		w := random.Example(i)
		ctx, first, again := t.Context(), anew(t, svc), anew(t, svc)
		w.record(ctx, t, first)
		file := export(ctx, t, first)
		load(ctx, t, again, file, importer.Options{})
		require.Equal(t, file, export(ctx, t, again), "case %d", i)
	}
}

// telling are texts in which there may be something to hide, alone or next to one another.
var telling = rapid.OneOf(rapid.SampledFrom([]string{
	"password:", "password", "hunter2x9", "is: hunter2x9", "my password is hunter2x9", "<private>x", "</private>", "key = ", "api_key", "a8Zr5Kd0Xw3Lm7Pv2Nc9Jt4Hs6Gb1",
	testsecret.Planted, testsecret.Planted[:20], testsecret.Planted[20:], "Authorization: Bearer", "--password", "https://me:", "hunter2@host/", "error: no such file", "pwd:abc1e ", "x\u2028y",
	strings.Repeat("long ", 40) + "password: ", strings.Repeat("pwd:abc1e\n", 200),
}), rapid.StringMatching(`[a-z "':=/<>{}\n]{1,30}`))

var tellingJSON = rapid.Custom(func(r *rapid.T) memory.JSON {
	text, err := memory.JSONOf(map[string]any{
		telling.Draw(r, "name"): telling.Draw(r, "value"), "list": rapid.SliceOfN(telling, 0, 4).Draw(r, "list"),
		"name": telling.Draw(r, "called"), "value": telling.Draw(r, "said"),
	})
	if err != nil {
		panic(err)
	}
	return text
})

type made struct {
	run      boundary.CaptureRunInput
	spans    []boundary.TraceSpan
	verdicts []boundary.RecordVerdictInput
	episode  boundary.RecordEpisodeInput
	end      boundary.ConcludeEpisodeInput
	concept  boundary.AddConceptInput
	refined  string
	wrong    boundary.RecordCorrectionInput
}

func drawMade(r *rapid.T) made {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	text := func(of string) string { return "x" + telling.Draw(r, of) + telling.Draw(r, of) }
	w := made{
		run: boundary.CaptureRunInput{RunID: "run", AgentID: "a"},
		episode: boundary.RecordEpisodeInput{ID: ptr("e"), AgentID: "a", AgentName: ptr(text("agent")), Observation: text("observation"), Thoughts: []string{text("thought")},
			Actions: []boundary.ActionInput{{StepName: text("step"), Result: tellingJSON.Draw(r, "result")}}, EpisodeExtras: boundary.EpisodeExtras{Metadata: tellingJSON.Draw(r, "metadata")}},
		end:     boundary.ConcludeEpisodeInput{ID: "e", Outcome: memory.OutcomeFailure, Result: ptr(text("result"))},
		concept: boundary.AddConceptInput{ID: ptr("c"), MemoirID: "m", Name: fmt.Sprintf("%.99s", strings.Join(strings.Fields("x "+telling.Draw(r, "concept")), " ")), Content: text("content")},
		refined: text("refined"),
		wrong:   boundary.RecordCorrectionInput{Topic: strings.Repeat("pwd:abc1e ", 50), Prediction: text("prediction"), Correction: text("correction"), Context: ptr(text("context"))},
	}
	for i, kind := range []string{"workflow_started", "agent_message", "agent_thought", "step_completed", "own", "workflow_failed"} {
		data, _ := memory.JSONOf(map[string]any{
			"args": tellingJSON.Draw(r, "args"), "role": "assistant", "content": telling.Draw(r, "content"), "thought": telling.Draw(r, "thought"),
			"step_id": telling.Draw(r, "step"), "step_name": telling.Draw(r, "step"), "result": tellingJSON.Draw(r, "result"), "error": telling.Draw(r, "error"),
		})
		w.run.Events = append(w.run.Events, boundary.EventInput{Type: kind, Data: data, At: at.Add(time.Duration(i) * 40 * time.Minute)})
	}
	for i, kind := range []capture.SpanKind{capture.SpanAgent, capture.SpanModel, capture.SpanTool, capture.SpanWorkflow} {
		span := capture.Span{
			ID: fmt.Sprint("s", i), Kind: kind, Name: text("name"), Given: tellingJSON.Draw(r, "given"), Gave: tellingJSON.Draw(r, "gave"), Said: []string{text("said"), text("said")},
			Calls: []capture.SpanCall{{ID: telling.Draw(r, "call"), Name: text("called"), Arguments: tellingJSON.Draw(r, "arguments")}}, Instructions: text("instructions"),
			Answers: []capture.SpanCall{{ID: telling.Draw(r, "call"), Result: tellingJSON.Draw(r, "answer")}},
			Labels:  map[string]string{telling.Draw(r, "label"): telling.Draw(r, "value"), capture.LabelService: telling.Draw(r, "service")}, StartedAt: at, EndedAt: at.Add(time.Second),
		}
		if i > 0 {
			span.Parent = "s0"
		}
		w.spans = append(w.spans, boundary.TraceSpan{Trace: "trace", Span: span}, boundary.TraceSpan{Trace: "held", Span: span})
	}
	for i, status := range []memory.VerdictStatus{memory.VerdictSoftFail, memory.VerdictApprove} {
		w.verdicts = append(w.verdicts, boundary.RecordVerdictInput{
			ID: ptr(fmt.Sprint("v", i)), RunID: "judged", SectionID: "a/b%", SectionType: "chorus", Context: tellingJSON.Draw(r, "context"), Iteration: i, Status: status,
			Feedback: ptr(text("feedback")), Patterns: []string{text("pattern")}, Issues: []boundary.IssueInput{{Code: "C-1", Message: ptr(text("message"))}}, Plan: tellingJSON.Draw(r, "plan"),
			Strengths: []string{text("strength")}, Score: ptr(0.1),
		})
	}
	return w
}

func (w *made) record(ctx context.Context, t *testing.T, svc *service.Tenant) {
	t.Helper()
	_, err := svc.Episodes.CaptureRun(ctx, w.run, boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Episodes.RecordEpisode(ctx, w.episode, boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Episodes.ConcludeEpisode(ctx, w.end, boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Knowledge.CreateMemoir(ctx, boundary.CreateMemoirInput{ID: ptr("m"), Name: strings.Repeat("pwd:abc1e ", 50)})
	require.NoError(t, err)
	_, err = svc.Knowledge.AddConcept(ctx, w.concept)
	require.NoError(t, err)
	_, err = svc.Knowledge.RefineConcept(ctx, boundary.RefineConceptInput{ID: "c", Content: &w.refined})
	require.NoError(t, err)
	_, err = svc.Knowledge.RecordCorrection(ctx, w.wrong)
	require.NoError(t, err)
	verdicts, err := svc.Judging.RecordVerdicts(ctx, boundary.RecordVerdictsInput{Verdicts: w.verdicts})
	require.NoError(t, err)
	require.Empty(t, verdicts.Errors)
	_, err = svc.Judging.CompleteRun(ctx, boundary.CompleteRunInput{RunID: "judged"})
	require.NoError(t, err)
	recorded, err := svc.Traces.RecordSpans(ctx, w.spans)
	require.NoError(t, err)
	require.Equal(t, len(w.spans), recorded.Accepted, "%v", recorded.Reason)
	_, err = svc.Traces.Finish(ctx)
	require.NoError(t, err)
	var later []boundary.TraceSpan // which stay held
	for _, span := range w.spans {
		span.Trace = "late"
		later = append(later, span)
	}
	_, err = svc.Traces.RecordSpans(ctx, later)
	require.NoError(t, err)
}
