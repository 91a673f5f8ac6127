package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/service"
	"mneme/store"
)

// airline is a memory with the airline runs, and its API.
type airline struct {
	tenant *service.Tenant
	api    http.Handler
	url    string
}

func startAirline(t *testing.T, backend store.Backend, a *airline) *airline {
	t.Helper()
	server := httptest.NewServer(a.api)
	a.url = server.URL
	t.Cleanup(func() {
		server.Close()
		assert.NoError(t, backend.Close(context.Background()))
	})
	return a
}

// textOnly ranks by the words alone.
var textOnly = map[string]any{"temporalWeight": 0, "feedback": "OFF"}

type recalled struct {
	Rank, Times int
	Episode     airlineEpisode
}

type airlineEpisode struct {
	ID, Outcome, Observation string
	StartedAt, EndedAt       time.Time
}

// task is the number of the task that a hit was a trial of.
func (r recalled) task(t *testing.T) int {
	t.Helper()
	var task, trial int
	_, err := fmt.Sscanf(r.Episode.ID, "episode:tau-airline-%d-%d", &task, &trial)
	require.NoError(t, err, r.Episode.ID)
	return task
}

func (a *airline) recall(t *testing.T, input map[string]any) []recalled {
	t.Helper()
	var found struct{ Recall struct{ Hits []recalled } }
	a.ask(t, `query ($input: RecallInput!) {
		recall(input: $input) { hits { rank times episode { id outcome observation startedAt endedAt } } }
	}`, map[string]any{"input": input}, &found)
	return found.Recall.Hits
}

func (a *airline) trial(t *testing.T, task, trial int) airlineEpisode {
	t.Helper()
	var found struct{ Episode airlineEpisode }
	a.ask(t, `query ($id: ID!) { episode(id: $id) { id outcome observation startedAt endedAt } }`,
		map[string]any{"id": fmt.Sprintf("tau-airline-%d-%d", task, trial)}, &found)
	return found.Episode
}

func (a *airline) instruction(t *testing.T, task int) string {
	t.Helper()
	return a.trial(t, task, 0).Observation
}

// ask sends a query as a client would and reads its data.
func (a *airline) ask(t *testing.T, query string, variables map[string]any, data any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	answer, err := http.Post(a.url, "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer answer.Body.Close()
	var parsed struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&parsed))
	require.Empty(t, parsed.Errors)
	require.NoError(t, json.Unmarshal(parsed.Data, data))
}
