package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/service"
	"mneme/service/boundary"
)

// listener is a client that takes server-sent events.
type listener struct {
	lines *bufio.Scanner
	leave func()
}

// listen subscribes, and returns once the server has said that it listens.
func (w *world) listen(t *testing.T, query string, variables vars) *listener {
	t.Helper()
	w.seen.add(t, query)
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		w.handler.ServeHTTP(answer, r.WithContext(service.WithTenant(r.Context(), w.tenant)))
	}))
	t.Cleanup(server.Close)
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(leave)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Contains(t, answer.Header.Get("Content-Type"), "text/event-stream")
	return &listener{bufio.NewScanner(answer.Body), leave}
}

// next is the next event, none where the subscription is over.
func (l *listener) next(t *testing.T) *response {
	t.Helper()
	for kind := ""; l.lines.Scan(); {
		if name, ok := strings.CutPrefix(l.lines.Text(), "event: "); ok {
			kind = name
		}
		text, ok := strings.CutPrefix(l.lines.Text(), "data:")
		switch {
		case ok && kind == "complete":
			return nil
		case ok:
			var answer response
			require.NoError(t, json.Unmarshal([]byte(text), &answer), text)
			return &answer
		}
	}
	require.NoError(t, l.lines.Err())
	t.Fatal("the stream ended without saying so")
	return nil
}

// hear reads the data of the next event.
func (l *listener) hear(t *testing.T, data any) {
	t.Helper()
	answer := l.next(t)
	require.NotNil(t, answer)
	require.Empty(t, answer.Errors)
	require.NoError(t, json.Unmarshal(answer.Data, data))
}

// refused is why a subscription ends.
func (l *listener) refused(t *testing.T) fault {
	t.Helper()
	answer := l.next(t)
	require.NotNil(t, answer)
	require.Len(t, answer.Errors, 1)
	require.Nil(t, l.next(t))
	return answer.Errors[0]
}

type heardEpisode struct {
	EpisodeRecorded struct {
		Cursor  string
		Episode struct {
			ID    string
			Agent struct{ Name string }
		}
	}
}

const hearEpisodes = `subscription ($agent: ID, $type: String, $after: String) {
	episodeRecorded(agentId: $agent, taskType: $type, after: $after) { cursor episode { id agent { name } } } }`

// testLive subscribes to each kind of event, with filters.
func testLive(t *testing.T, w *world) {
	episodes := w.listen(t, hearEpisodes, vars{"agent": "bob", "type": "refund"})
	feedback := w.listen(t, `subscription { feedbackSubmitted(agentId: "bob") { cursor feedback { id episode { id } } } }`, nil)
	ofEpisode := w.listen(t, `subscription { feedbackSubmitted(episodeId: "e3") { feedback { id } } }`, nil)
	verdicts := w.listen(t, `subscription { verdictRecorded(judgeId: "j", runId: "run", sectionType: "intro") { cursor verdict { id } } }`, nil)
	ranking := w.listen(t, `subscription { agentRankingChanged(taskType: "refund") { cursor taskType ranking(first: 1) { agent { id } } } }`, nil)

	w.episode(t, "e1", "One.", nil)
	w.episode(t, "e2", "Two.", vars{"agentId": "bob", "taskType": "booking", "outcome": "SUCCESS"})
	w.episode(t, "e3", "Three.", vars{"agentId": "bob", "taskType": "refund", "outcome": "SUCCESS"})
	for i, episode := range []string{"e1", "e2", "e3"} {
		w.feedback(t, vars{"id": fmt.Sprint("f", i+1), "episodeId": episode, "type": "THUMBS_UP"})
	}
	for id, judge := range map[string]string{"v1": "another", "v2": "j"} {
		w.do(t, "recordVerdict", "verdict { id }", vars{
			"id": id, "runId": "run", "sectionId": "s", "sectionType": "intro", "judgeId": judge, "iteration": 0, "status": "APPROVE",
		}, nil)
	}

	var heard heardEpisode
	episodes.hear(t, &heard)
	assert.Equal(t, "episode:e3", heard.EpisodeRecorded.Episode.ID)
	assert.Equal(t, "bob", heard.EpisodeRecorded.Episode.Agent.Name)
	var reacted struct {
		FeedbackSubmitted struct {
			Feedback struct {
				ID      string
				Episode struct{ ID string }
			}
		}
	}
	for _, id := range []string{"2", "3"} {
		feedback.hear(t, &reacted)
		assert.Equal(t, "feedback:f"+id, reacted.FeedbackSubmitted.Feedback.ID)
		assert.Equal(t, "episode:e"+id, reacted.FeedbackSubmitted.Feedback.Episode.ID)
	}
	ofEpisode.hear(t, &reacted)
	assert.Equal(t, "feedback:f3", reacted.FeedbackSubmitted.Feedback.ID)
	var ruled struct {
		VerdictRecorded struct{ Verdict struct{ ID string } }
	}
	verdicts.hear(t, &ruled)
	assert.Equal(t, "verdict:v2", ruled.VerdictRecorded.Verdict.ID)
	var ranked struct {
		AgentRankingChanged struct {
			TaskType string
			Ranking  []struct{ Agent struct{ ID string } }
		}
	}
	ranking.hear(t, &ranked)
	assert.Equal(t, "refund", ranked.AgentRankingChanged.TaskType)
	require.Len(t, ranked.AgentRankingChanged.Ranking, 1)
	assert.Equal(t, "agent:bob", ranked.AgentRankingChanged.Ranking[0].Agent.ID)
}

// testLiveAgain leaves and comes back while others write: each event comes once and in order.
func testLiveAgain(t *testing.T, w *world) {
	const writes, taken = 60, 7
	first := w.listen(t, hearEpisodes, nil)
	written := make(chan struct{})
	go func() {
		defer close(written)
		for i := range writes {
			_, err := w.bound(t).Episodes.RecordEpisode(t.Context(), boundary.RecordEpisodeInput{
				ID: new(fmt.Sprintf("e%02d", i)), AgentID: "ada", Observation: "Seen.",
			}, boundary.Include{})
			assert.NoError(t, err)
		}
	}()
	var heard []string
	var after any
	take := func(l *listener) {
		var event heardEpisode
		l.hear(t, &event)
		heard, after = append(heard, event.EpisodeRecorded.Episode.ID), event.EpisodeRecorded.Cursor
	}
	for at := first; len(heard) < writes; at = w.listen(t, hearEpisodes, vars{"after": after}) {
		for range min(taken, writes-len(heard)) {
			take(at)
		}
		at.leave()
	}
	<-written
	var wanted []string
	for i := range writes {
		wanted = append(wanted, fmt.Sprintf("episode:e%02d", i))
	}
	assert.Equal(t, wanted, heard)
}

// testLiveRefused asks for events that cannot be had.
func testLiveRefused(t *testing.T, w *world) {
	listening := w.listen(t, hearEpisodes, nil)
	w.episode(t, "e1", "One.", nil)
	var heard heardEpisode
	listening.hear(t, &heard)
	known := heard.EpisodeRecorded.Cursor

	for _, cursor := range []string{"", "nonsense", known + "x", strings.Repeat("A", 1000)} {
		refused := w.listen(t, hearEpisodes, vars{"after": cursor}).refused(t)
		assert.Equal(t, "INVALID_INPUT", refused.Extensions.Code, cursor)
		assert.Equal(t, "after", refused.Extensions.Field, cursor)
	}
	other := w.suite.world() // whose numbers do not go that far
	assert.Equal(t, "NOT_FOUND", other.listen(t, hearEpisodes, vars{"after": known}).refused(t).Extensions.Code)
	refused := w.listen(t, `subscription { agentRankingChanged(taskType: "") { cursor } }`, nil).refused(t)
	assert.Equal(t, "INVALID_INPUT", refused.Extensions.Code)
	assert.Equal(t, "taskType", refused.Extensions.Field)
	assert.Equal(t, "INVALID_INPUT", w.listen(t, `{ episodes { totalCount } }`, nil).refused(t).Extensions.Code, "a query by events")
	assert.Equal(t, "INVALID_INPUT", w.refuse(t, hearEpisodes, nil).Extensions.Code, "events by JSON")

	tenant, err := w.backend.Tenant(t.Context(), w.tenant)
	require.NoError(t, err)
	require.NoError(t, tenant.TrimNotices(t.Context(), time.Now().Add(time.Hour)))
	w.episode(t, "e2", "Two.", nil)
	require.NoError(t, tenant.TrimNotices(t.Context(), time.Now().Add(time.Hour)))
	gone := w.listen(t, hearEpisodes, vars{"after": known}).refused(t)
	assert.Equal(t, "NOT_FOUND", gone.Extensions.Code)
	assert.Equal(t, "after", gone.Extensions.Field)
}
