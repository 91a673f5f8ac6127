package e2e

import (
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
)

// testTraces lets spans of one trace come in pieces, to several servers on one store that all make
// episodes at once: whatever the order, the episode ends with every span, each once.
func testTraces(t *testing.T, w *world) {
	const trace = "0af7651916cd43dd8448eb211c80319c"
	ctx := service.WithTenant(t.Context(), w.tenant)
	servers := make([]*service.Service, 4)
	for i := range servers {
		servers[i] = service.New(w.backend, service.WithLogger(slog.New(slog.DiscardHandler)),
			service.WithClock(func() time.Time { return now }), service.WithTraceWaits(memory.TraceWaits{}))
		t.Cleanup(func() { assert.NoError(t, servers[i].Close(t.Context())) })
	}
	root := memory.Span{
		ID: "root", Kind: memory.SpanAgent, Name: "support", Agent: "support", Session: "chat", Given: memory.JSON(`"Refund order 17"`),
		Gave: memory.JSON(`"Refunded."`), StartedAt: now.Add(-time.Minute).Add(7), EndedAt: now.Add(-time.Second),
	}
	for round := range 3 {
		var together sync.WaitGroup
		for i, server := range servers {
			together.Go(func() {
				step := memory.Span{
					ID: fmt.Sprintf("%d-%d", round, i), Parent: "root", Kind: memory.SpanTool, Name: fmt.Sprintf("step %d-%d", round, i),
					Given:     memory.JSON(`{"a":"<1>","b":[1.50]}`),
					StartedAt: now.Add(time.Duration(-50+round*4+i) * time.Second), EndedAt: now.Add(time.Duration(-49+round*4+i) * time.Second),
				}
				_, err := server.RecordSpans(ctx, []service.TraceSpan{{Trace: trace, Span: step}, {Trace: trace, Span: root}})
				assert.NoError(t, err)
				_, err = server.FinishTraces(ctx)
				assert.NoError(t, err)
			})
		}
		together.Wait()
	}
	more, err := servers[0].FinishTraces(ctx)
	require.NoError(t, err)
	assert.False(t, more, "nothing is held any more")

	var data struct {
		Episode struct {
			Agent                struct{ Name string }
			Observation, Outcome string
			SessionID            string
			Actions              []struct{ StepName string }
			Events               struct{ TotalCount int }
		}
	}
	w.ask(t, `query ($id: ID!) { episode(id: $id) { agent { name } observation outcome sessionId actions { stepName } events { totalCount } } }`, vars{"id": trace}, &data)
	e := data.Episode
	assert.Equal(t, []string{"support", "Refund order 17", "SUCCESS", "session:chat"}, []string{e.Agent.Name, e.Observation, e.Outcome, e.SessionID})
	assert.Equal(t, 13, e.Events.TotalCount)
	want := []string{}
	for round := range 3 {
		for i := range servers {
			want = append(want, fmt.Sprintf("step %d-%d", round, i))
		}
	}
	got := []string{}
	for _, action := range e.Actions {
		got = append(got, action.StepName)
	}
	assert.Equal(t, want, got)
}
