package service_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/capture"
	"mneme/memory/summary"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/service/traces"
	"mneme/store"
	"mneme/store/sqlite"
)

const traceKey = "0af7651916cd43dd8448eb211c80319c"

// traced is a service whose clock a test moves, over a store that stays when it is opened again.
type traced struct {
	*service.Tenant
	opened  *service.Service
	t       *testing.T
	backend *sqlite.Backend
	dir     string
	now     time.Time
}

func openTraced(t *testing.T) *traced {
	t.Helper()
	tr := &traced{t: t, dir: t.TempDir(), now: servicetest.Noon.Add(time.Hour)}
	tr.open()
	t.Cleanup(func() {
		require.NoError(t, tr.opened.Close(context.Background()))
		require.NoError(t, tr.backend.Close(context.Background()))
	})
	return tr
}

func (tr *traced) open() {
	backend, err := sqlite.Open(tr.t.Context(), sqlite.Options{Dir: tr.dir})
	require.NoError(tr.t, err)
	tr.backend = backend
	// So long that nothing happens but what a test asks for.
	waits := capture.TraceWaits{Quiet: time.Hour, Silence: 24 * time.Hour}
	tr.opened = service.New(backend, service.WithTraceWaits(waits),
		service.WithClock(func() time.Time { return tr.now }), service.WithLogger(slog.New(slog.DiscardHandler)))
	tr.Tenant = servicetest.Bind(tr.t.Context(), tr.t, tr.opened)
}

func (tr *traced) send(spans ...capture.Span) traces.RecordedSpans {
	tr.t.Helper()
	input := make([]boundary.TraceSpan, len(spans))
	for i, span := range spans {
		input[i] = boundary.TraceSpan{Trace: traceKey, Span: span}
	}
	recorded, err := tr.Traces.RecordSpans(tr.t.Context(), input)
	require.NoError(tr.t, err)
	return recorded
}

// finish lets a time pass and looks for complete traces.
func (tr *traced) finish(after time.Duration) (more bool) {
	tr.t.Helper()
	tr.now = tr.now.Add(after)
	more, err := tr.Traces.Finish(tr.t.Context())
	require.NoError(tr.t, err)
	return more
}

func (tr *traced) episode() *memory.Episode {
	tr.t.Helper()
	found, err := tr.Episodes.ByKey(tr.t.Context(), []string{traceKey}, boundary.Include{}, nil)
	require.NoError(tr.t, err)
	return found[0]
}

func root() capture.Span {
	return capture.Span{
		ID: "01", Kind: capture.SpanAgent, Name: "support", Agent: "support", Session: "chat", Given: memory.JSON(`"Refund order 17"`),
		Gave: memory.JSON(`"Refunded."`), StartedAt: servicetest.Noon, EndedAt: servicetest.Noon.Add(10 * time.Second),
	}
}

func step(id, name string, second int) capture.Span {
	return capture.Span{
		ID: id, Parent: "01", Kind: capture.SpanTool, Name: name,
		StartedAt: servicetest.Noon.Add(time.Duration(second)*time.Second + 7), EndedAt: servicetest.Noon.Add(time.Duration(second+1) * time.Second),
	}
}

func stepsOf(e *memory.Episode) []string {
	names := []string{}
	for _, action := range e.Actions {
		names = append(names, action.StepName)
	}
	return names
}

// A name that is too long, has control characters or too many marks on a letter is brought to one that may be kept: a
// span is not lost for it. Two long names that begin alike stay two.
func TestOddNamesKeepNoSpanOut(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	long, odd := strings.Repeat("å long name ", 100), root()
	odd.Agent, odd.Session, odd.TaskType = "support\tdesk\n", long, long+"x"
	call := step("02", "refund", 3)
	call.CallID = long
	marked := step("04", "ship", 4)
	marked.Session, marked.CallID = "z"+strings.Repeat("\u0301", 40), "e"+strings.Repeat("\u0301\u0344", 500)
	model := capture.Span{ID: "03", Parent: "01", Kind: capture.SpanModel, Name: "m", Calls: []capture.SpanCall{{ID: long, Name: "refund"}}, StartedAt: servicetest.Noon, EndedAt: servicetest.Noon}
	require.Equal(t, traces.RecordedSpans{Accepted: 4}, tr.send(odd, call, model, marked))
	tr.finish(time.Hour)
	e := tr.episode()
	assert.Equal(t, "support desk", e.AgentKey)
	assert.Len(t, e.Actions, 2, "the call and what carried it out have one id still")
	for _, name := range []string{*e.SessionKey, *e.TaskType} {
		require.NoError(t, memory.CheckKey("name", name))
		assert.True(t, strings.HasPrefix(name, "å long name å long name"), name)
	}
	assert.NotEqual(t, *e.SessionKey, *e.TaskType)
}

func TestTraceBecomesAnEpisode(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	assert.Equal(t, traces.RecordedSpans{Accepted: 1}, tr.send(step("02", "get_order", 1)))
	tr.send(root(), step("03", "refund", 3))
	assert.True(t, tr.finish(59*time.Minute), "more may come")
	require.Nil(t, tr.episode())
	assert.False(t, tr.finish(time.Minute))
	e := tr.episode()
	require.NotNil(t, e)
	assert.Equal(t, []string{"get_order", "refund"}, stepsOf(e))
	assert.Equal(t, "support", e.AgentKey)
	assert.Equal(t, "Refund order 17", e.Observation)
	assert.Equal(t, "Refund order 17", e.Title)
	assert.Equal(t, memory.OutcomeSuccess, e.Outcome)
	assert.Equal(t, summary.Insight(e), e.Insight)
	assert.Equal(t, []string{traceKey}, e.ExecutionIDs)
}

func TestTraceWithoutItsRootWaitsLonger(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	child := root()
	child.Parent = "00"
	tr.send(child)
	assert.True(t, tr.finish(23*time.Hour))
	require.Nil(t, tr.episode())
	assert.False(t, tr.finish(time.Hour))
	require.NotNil(t, tr.episode())
}

// The acknowledged outlives the process, before and after it became an episode.
func TestHeldSpansOutliveTheService(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	tr.send(root())
	require.NoError(t, tr.opened.Close(context.Background()))
	require.NoError(t, tr.backend.Close(context.Background()))
	tr.open()
	assert.False(t, tr.finish(time.Hour))
	require.NotNil(t, tr.episode())
}

func TestLateSpansAmend(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	tr.send(root(), step("02", "get_order", 1))
	tr.finish(time.Hour)
	_, err := tr.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{AgentExecutionID: new(traceKey), Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)

	tr.send(step("03", "refund", 3))
	assert.False(t, tr.finish(time.Hour), "the root has come before")
	e := tr.episode()
	assert.Equal(t, []string{"get_order", "refund"}, stepsOf(e))
	assert.Equal(t, 1, e.FeedbackCount)
	assert.Equal(t, memory.OutcomeSuccess, e.Outcome)

	again := root()
	again.Gave = memory.JSON(`"Something else."`)
	tr.send(again, step("03", "refund", 3))
	assert.False(t, tr.finish(24*time.Hour), "what was sent again is let go of")
	assert.Equal(t, e, tr.episode())
	for _, name := range []string{"late", "later"} {
		tr.send(step(name, name, 4))
		tr.finish(24 * time.Hour)
	}
	assert.Equal(t, []string{"get_order", "refund", "late", "later"}, stepsOf(tr.episode()))
}

func TestRunThatComesLateConcludes(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	model := step("02", "gpt", 1)
	model.Kind, model.Agent, model.Said = capture.SpanModel, "support", []string{"Hm."}
	tr.send(model)
	tr.finish(24 * time.Hour)
	before := tr.episode()
	assert.Equal(t, memory.OutcomeUnknown, before.Outcome)
	assert.Nil(t, before.EndedAt)
	tr.send(root())
	tr.finish(time.Hour)
	after := tr.episode()
	assert.Equal(t, memory.OutcomeSuccess, after.Outcome)
	assert.Equal(t, "Refunded.", *after.Result)
	assert.Equal(t, before.StartedAt, after.StartedAt)
}

// Who concluded the episode knew better than what comes later.
func TestLateSpansLeaveAConclusion(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	model := step("02", "gpt", 1)
	model.Kind, model.Agent, model.Said = capture.SpanModel, "support", []string{"Hm."}
	tr.send(model)
	tr.finish(24 * time.Hour)
	_, err := tr.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{
		ID: traceKey, Outcome: memory.OutcomeFailure, Result: new("The customer left."), Insight: new("Be quicker."),
	}, boundary.Include{})
	require.NoError(t, err)
	tr.send(root(), step("03", "refund", 3))
	tr.finish(24 * time.Hour)
	e := tr.episode()
	assert.Equal(t, memory.OutcomeFailure, e.Outcome)
	assert.Equal(t, "The customer left.", *e.Result)
	assert.Equal(t, "Be quicker.", e.Insight)
	assert.Equal(t, []string{"refund"}, stepsOf(e))
}

func TestLateSpansDoNotBringBackWhatWasForgotten(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	tr.send(root())
	tr.finish(time.Hour)
	require.NotNil(t, tr.episode())
	_, err := tr.Upkeep.Delete(t.Context(), memory.KindAgent, boundary.DeleteInput{ID: "support"})
	require.NoError(t, err)
	tr.send(step("02", "get_order", 1), root())
	assert.False(t, tr.finish(24*time.Hour), "they are let go")
	assert.Nil(t, tr.episode())
}

func TestTracesOfNoAgentAreLetGo(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	request := root()
	request.Kind = capture.SpanOther
	tr.send(request, step("02", "query", 1))
	assert.False(t, tr.finish(time.Hour))
	require.Nil(t, tr.episode())
}

func TestTraceLeavesAnotherEpisodeOfItsKey(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	recorded, err := tr.Episodes.RecordEpisode(t.Context(), servicetest.Refund(traceKey), boundary.Include{})
	require.NoError(t, err)
	tr.send(root())
	assert.False(t, tr.finish(time.Hour))
	assert.Equal(t, recorded, tr.episode())
}

func TestSpansAreRedactedBeforeTheyAreHeld(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	secret := root()
	secret.Given = memory.JSON(`"Refund <private>4111</private> now"`)
	named := step("02", "x", 1)
	named.Session, named.CallID = "<private>me</private>", "<private>me</private>"
	named.Calls, named.Answers = []capture.SpanCall{{ID: named.CallID, Name: "x"}}, []capture.SpanCall{{ID: named.CallID}}
	named.Labels = map[string]string{"<private>me</private>": "<private>me</private>"}
	recorded := tr.send(secret, named)
	assert.Equal(t, 2, recorded.Accepted, "names that hide something are told by a hash")
	bound, err := tr.backend.Tenant(t.Context(), service.DefaultTenant)
	require.NoError(t, err)
	held, _, err := store.List(t.Context(), bound, store.SpansOf{Trace: traceKey, Bytes: 1 << 20}, store.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, held, 2)
	kept, err := json.Marshal(held)
	require.NoError(t, err)
	assert.NotContains(t, string(kept), "4111")
	assert.NotContains(t, string(kept), "me<")
	for _, span := range held {
		if span.Span.ID == named.ID {
			assert.Equal(t, span.Span.CallID, span.Span.Calls[0].ID)
			assert.Equal(t, span.Span.CallID, span.Span.Answers[0].ID)
			assert.Regexp(t, "^redacted-[0-9a-f]{32}$", span.Span.Session)
		}
	}
	tr.finish(time.Hour)
	assert.NotEmpty(t, tr.episode().Receipt.Redactions)
}

func TestServiceFinishesTracesByItself(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	opened := service.New(backend, service.WithTraceWaits(capture.TraceWaits{Quiet: 10 * time.Millisecond, Silence: 10 * time.Millisecond}))
	svc := servicetest.Bind(t.Context(), t, opened)
	_, err = svc.Traces.RecordSpans(t.Context(), []boundary.TraceSpan{{Trace: traceKey, Span: root()}})
	require.NoError(t, err)
	assert.Eventually(t, func() bool {
		found, err := svc.Episodes.ByKey(t.Context(), []string{traceKey}, boundary.Include{}, nil)
		return err == nil && found[0] != nil
	}, time.Minute, 5*time.Millisecond)
	require.NoError(t, opened.Close(context.Background()))
	require.NoError(t, backend.Close(context.Background()))
}

// What a program sends with a key of one user is theirs, whatever its spans say, and adds nothing to others' episodes.
func TestSpansOfAKeyOfOneUser(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	as := func(user string) *service.Tenant {
		ctx := access.With(t.Context(), access.Caller{Tenant: service.DefaultTenant, Role: access.Writer, User: user})
		return servicetest.Bind(ctx, t, tr.opened)
	}
	send := func(user string, spans ...capture.Span) traces.RecordedSpans {
		ctx := access.With(t.Context(), access.Caller{Tenant: service.DefaultTenant, Role: access.Writer, User: user})
		input := memory.Mapped(spans, func(span capture.Span) boundary.TraceSpan { return boundary.TraceSpan{Trace: traceKey, Span: span} })
		recorded, err := as(user).Traces.RecordSpans(ctx, input)
		require.NoError(t, err)
		return recorded
	}
	first := root()
	first.User = "bob"
	said, err := tr.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{SessionID: new("chat"), Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)
	require.Equal(t, 1, send("ann", first).Accepted)
	begun := root()
	begun.ID, begun.Parent, begun.Agent = "03", "01", "intruder"
	assert.Equal(t, 2, send("bob", begun, first).Rejected, "nor to what is no episode yet")
	tr.finish(2 * time.Hour)
	assert.Equal(t, new("ann"), tr.episode().UserID)
	assert.Equal(t, "support", tr.episode().AgentKey)
	waiting, err := tr.Reactions.ListFeedback(t.Context(), new(true), boundary.UserFilter{}, reading.PageInput{})
	require.NoError(t, err)
	require.Len(t, waiting.Items, 1)
	assert.Equal(t, said.Feedback.Key, waiting.Items[0].Key, "what is nobody's stays")

	late := root()
	late.ID, late.Parent, late.Agent = "02", "01", "intruder"
	recorded := send("bob", late)
	assert.Equal(t, 1, recorded.Rejected)
	require.ErrorContains(t, recorded.Reason, "is of a trace that is full, or is not this user's")
	assert.Equal(t, 1, send("ann", late).Accepted)
}
