package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"mneme/store/storetest"
)

// mixedConnections is how many send requests at once.
const mixedConnections = 8

// mixed is a load of reads and writes over HTTP, of which each request is another.
type mixed struct {
	crowd storetest.Crowd
	run   string // begins the keys of what it records
}

// measureMixed puts a server under a mixed load.
func measureMixed(ctx context.Context, p scalePlan, s *scaled) (string, error) {
	process, _, err := s.serve(ctx)
	if err != nil {
		return "", err
	}
	defer process.stop()
	m := mixed{crowd: s.crowd(), run: fmt.Sprintf("mixed-%d", time.Now().Unix())}
	l := load{
		url: process.url + "/graphql", connections: mixedConnections, duration: min(15*time.Second, p.duration),
		request: m.request, check: checkWithoutErrors, tolerant: true,
	}
	if _, err := l.run(ctx); err != nil { // to warm up
		return "", err
	}
	m.run += "-measured"
	l.request, l.duration = m.request, p.duration
	resident := memoryUse{process: process}
	if err := resident.note(); err != nil {
		return "", err
	}
	done := resident.watch(ctx, p.duration/10)
	seen, err := l.run(ctx)
	done()
	if err == nil {
		err = resident.note()
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`%d connections in a closed loop for %s: of ten requests five recalls (four of 8 words, one of 30 with a filter that 1 %% pass), a
search, an episode with its context by id, two episodes recorded and one feedback. The load and the server, and on Neo4j the database,
share the machine.

| requests/s | p50 | p95 | p99 | errors | resident at start, most, end |
|---|---|---|---|---|---|
| %.0f | %.1f ms | %.1f ms | %.1f ms | %d | %s |
%s`, mixedConnections, p.duration, seen.perSecond, milliseconds(seen.p50), milliseconds(seen.p95), milliseconds(seen.p99),
		len(seen.faults), resident.text(), faultsOf(seen)), nil
}

func faultsOf(seen measure) string {
	if len(seen.faults) == 0 {
		return ""
	}
	return fmt.Sprintf("\nThe first error: %.300s\n", seen.faults[0])
}

// memoryUse are the sizes of a process in memory, in MB, as time passes.
type memoryUse struct {
	process *process
	sizes   []float64
}

func (r *memoryUse) note() error {
	size, err := r.process.resident()
	r.sizes = append(r.sizes, size)
	return err
}

// watch notes the size again and again, until it is called off.
func (r *memoryUse) watch(ctx context.Context, every time.Duration) (done func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(every):
				_ = r.note() // a server that ended is seen by the load
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

func (r *memoryUse) text() string {
	most := 0.0
	for _, size := range r.sizes {
		most = max(most, size)
	}
	return fmt.Sprintf("%.0f, %.0f, %.0f MB", r.sizes[0], most, r.sizes[len(r.sizes)-1])
}

const (
	mixedRecall = `query($input: RecallInput!) { recall(input: $input) { approximate hits { rank score { total } reasons
		episode { id observation result insight outcome canvasContext { id canvasType } feedbackContext { type score } } } } }`
	mixedSearch  = `query($query: String!) { search(query: $query, first: 10) { edges { node { score snippet } } } }`
	mixedRecord  = `mutation($input: RecordEpisodeInput!) { recordEpisode(input: $input) { episode { id } } }`
	mixedComment = `mutation($input: SubmitFeedbackInput!) { submitFeedback(input: $input) { feedback { id } } }`
)

// request writes the i-th request.
func (m mixed) request(i int) []byte {
	situation, _ := m.crowd.Situation(i, 8)
	known := m.crowd.Key(i * 7919 % m.crowd.Size)
	input := map[string]any{"situation": situation}
	query, variables := mixedRecall, map[string]any{"input": input}
	// Not i itself: with an even number of connections each would send requests of one kind.
	switch (i + i/mixedConnections) % 10 {
	case 4:
		input["situation"], _ = m.crowd.Situation(i, 30)
		input["agentId"] = "agent 7"
	case 5:
		query, variables = mixedSearch, map[string]any{"query": strings.Join(strings.Fields(situation)[:3], " ")}
	case 6:
		query, variables = episodeQuery, map[string]any{"id": known}
	case 7, 8:
		query = mixedRecord
		variables["input"] = map[string]any{
			"id": fmt.Sprintf("%s-%d", m.run, i), "agentId": fmt.Sprintf("agent %d", i%100), "taskType": fmt.Sprintf("task %d", i%100),
			"observation": m.crowd.Episode(i % m.crowd.Size).Episode.Observation, "outcome": "SUCCESS",
		}
	case 9:
		query = mixedComment
		variables["input"] = map[string]any{"id": fmt.Sprintf("%s-feedback-%d", m.run, i), "episodeId": known, "type": "THUMBS_UP"}
	}
	text, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		panic(err) // maps of strings
	}
	return text
}

func checkWithoutErrors(status int, body []byte) error {
	if status != http.StatusOK || strings.Contains(string(body), `"errors"`) {
		return fmt.Errorf("answered %d: %.300s", status, body)
	}
	return nil
}
