package e2e

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/internal/testneo4j"
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

func TestForgettingBesideOthersOnSQLite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testForgettingBesideOthers(t, func() store.Backend {
		backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
		require.NoError(t, err)
		return backend
	})
}

func TestForgettingBesideOthersOnNeo4j(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	testForgettingBesideOthers(t, func() store.Backend {
		backend, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
		require.NoError(t, err)
		return backend
	})
}

// testForgettingBesideOthers forgets an agent by one server, while two finish its traces, an import brings it, and
// what was found in its episodes is summed up: of all that nothing is back.
func testForgettingBesideOthers(t *testing.T, open func() store.Backend) {
	ctx := service.WithTenant(t.Context(), "t-"+strings.ToLower(rand.Text()))
	servers := make([]*service.Tenant, 2)
	for i := range servers {
		backend := open()
		server := service.New(backend, service.WithLogger(slog.New(slog.DiscardHandler)),
			service.WithClock(func() time.Time { return now }), service.WithTraceWaits(capture.TraceWaits{}))
		servers[i] = servicetest.Bind(ctx, t, server)
		t.Cleanup(func() {
			assert.NoError(t, server.Close(context.WithoutCancel(ctx)))
			assert.NoError(t, backend.Close(context.WithoutCancel(ctx)))
		})
	}
	for round := range 2 {
		agent := fmt.Sprintf("walrus%d", round)
		holdTraces(ctx, t, servers[0], agent, 30)
		_, err := importer.Import(ctx, servers[0], strings.NewReader(linesOf(agent, 0, 20)), importer.Options{Format: importer.JSONL})
		require.NoError(t, err)
		var together sync.WaitGroup
		for _, server := range servers {
			together.Go(func() {
				_, err := server.Traces.Finish(ctx)
				assert.NoError(t, err)
			})
		}
		together.Go(func() {
			_, err := importer.Import(ctx, servers[0], strings.NewReader(linesOf(agent, 10, 150)), importer.Options{Format: importer.JSONL})
			assert.NoError(t, err)
		})
		together.Go(func() {
			_, err := servers[0].Upkeep.Consolidate(ctx, boundary.ConsolidateInput{AgentID: &agent, DryRun: new(false)})
			if gone := (*memory.Error)(nil); !errors.As(err, &gone) || gone.Code != memory.CodeNotFound {
				assert.NoError(t, err)
			}
		})
		together.Go(func() {
			_, err := servers[1].Upkeep.Delete(ctx, memory.KindAgent, boundary.DeleteInput{ID: agent})
			assert.NoError(t, err)
		})
		together.Wait()
		for _, server := range servers {
			more, err := server.Traces.Finish(ctx)
			require.NoError(t, err)
			assert.False(t, more, "nothing is held any more")
		}
	}
	assert.Empty(t, kept(ctx, t, servers[0]), "nothing is back")

	// Its name can be used again, by spans too.
	_, err := servers[1].Episodes.RecordEpisode(ctx, boundary.RecordEpisodeInput{ID: new("anew"), AgentID: "walrus0", Observation: "Again."}, boundary.Include{})
	require.NoError(t, err)
	holdTraces(ctx, t, servers[0], "walrus1", 31)
	_, err = servers[0].Traces.Finish(ctx)
	require.NoError(t, err)
	assert.Equal(t, []string{"agent:walrus0", "agent:walrus1", "episode:anew", "episode:walrus1-trace-30"}, kept(ctx, t, servers[1]))
}

// holdTraces sends a span of each of some traces of an agent.
func holdTraces(ctx context.Context, t *testing.T, server *service.Tenant, agent string, traces int) {
	t.Helper()
	var spans []boundary.TraceSpan
	for i := range traces {
		spans = append(spans, boundary.TraceSpan{Trace: fmt.Sprintf("%s-trace-%d", agent, i), Span: capture.Span{
			ID: "root", Kind: capture.SpanAgent, Name: agent, Agent: agent, Given: memory.JSON(`"Refund."`), Gave: memory.JSON(`"Refunded."`),
			StartedAt: now.Add(-time.Minute), EndedAt: now.Add(-time.Second),
		}})
	}
	_, err := server.Traces.RecordSpans(ctx, spans)
	require.NoError(t, err)
}

// linesOf are lines of episodes of an agent, old enough to be summed up, each with what was shown and said.
func linesOf(agent string, from, to int) string {
	var lines strings.Builder
	for i := from; i < to; i++ {
		for _, line := range []map[string]any{
			{"kind": "episode", "record": vars{
				"id": fmt.Sprintf("%s-%d", agent, i), "agentId": agent, "taskType": "refund", "observation": "A refund.", "outcome": "FAILURE",
				"startedAt": now.Add(-time.Duration(30*24+i) * time.Hour),
			}},
			{"kind": "canvas", "record": vars{
				"id": fmt.Sprintf("%s-c%d", agent, i), "episodeId": fmt.Sprintf("%s-%d", agent, i), "canvasType": "docs",
				"actions": []vars{{"action": "PRESENT", "at": now}},
			}},
			{"kind": "feedback", "record": vars{
				"id": fmt.Sprintf("%s-f%d", agent, i), "episodeId": fmt.Sprintf("%s-%d", agent, i), "type": "THUMBS_UP",
			}},
		} {
			text, err := json.Marshal(line)
			if err != nil {
				panic(err)
			}
			lines.Write(append(text, '\n'))
		}
	}
	return lines.String()
}

// kept are the ids of all records that an export hands over.
func kept(ctx context.Context, t *testing.T, server *service.Tenant) []string {
	t.Helper()
	ids := []string{}
	require.NoError(t, server.Upkeep.Export(ctx, func(item upkeep.Kept) error {
		if id := item.ID(); id != "" {
			ids = append(ids, id)
		}
		return nil
	}))
	return ids
}
