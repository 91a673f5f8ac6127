package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/store/sqlite"
	"mneme/store/storetest"
)

// requestsPlan is what a run over single requests does.
type requestsPlan struct {
	size    int
	keep    string
	results string
}

func requestsFlags(args []string) requestsPlan {
	var p requestsPlan
	flags := flag.NewFlagSet("requests", flag.ExitOnError)
	flags.IntVar(&p.size, "size", 100_000, "how many episodes there are, and of all else that grows")
	flags.StringVar(&p.keep, "keep", "", "a directory in which what is recorded stays for the next run; a temporary one where it is empty")
	flags.StringVar(&p.results, "results", "bench/REQUESTS.md", "the file to write")
	_ = flags.Parse(args) // ExitOnError
	return p
}

// requests sends a server the most that single requests can ask for, one at a time, and writes what each took of
// its processor and its memory.
func requests(ctx context.Context, p requestsPlan) error {
	work, err := os.MkdirTemp("", "mneme-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	data := filepath.Join(work, "data")
	if p.keep != "" {
		data = p.keep
	}
	progress("building mneme")
	binary, err := buildMneme(ctx, work)
	if err != nil {
		return err
	}
	if err := fill(ctx, p, data); err != nil {
		return err
	}
	server, err := start(ctx, []string{"MNEME_DATA=" + data, "MNEME_LOG_LEVEL=error"}, func(address string) []string {
		return []string{binary, "serve", "--listen", address}
	})
	if err != nil {
		return err
	}
	defer server.stop()
	var text bytes.Buffer
	fmt.Fprintf(&text, `# The most that one request can ask for

Against a server on SQLite with %d episodes, verdicts and observations each, one request at a time: the processor time of the
server, the most memory over what it had before, and the answer.

    make bench-requests

%s

| request | processor | memory | answer |
|---|---|---|---|
`, p.size, surroundings(ctx))
	for _, r := range heaviestRequests(p.size) {
		row, err := p.ask(ctx, server, r)
		if err != nil {
			return err
		}
		progress("%s", row)
		fmt.Fprintln(&text, row)
	}
	return os.WriteFile(p.results, text.Bytes(), 0o644)
}

// request is one of those that are asked, with what it is called in the table.
type request struct{ name, query string }

// aliased writes a field so many times, as aliases.
func aliased(n int, field string) string {
	var query strings.Builder
	for i := range n {
		fmt.Fprintf(&query, "a%d: %s ", i, field)
	}
	return "{" + query.String() + "}"
}

// heaviestRequests are the requests that work most before they answer, as often as one request may have them.
func heaviestRequests(size int) []request {
	crowd := storetest.Crowd{Size: size}
	common, _ := crowd.Situation(1, 60_000)
	long, _ := crowd.Situation(2, 2500)
	rare := func(i int) string { text, _ := crowd.Situation(i, 300); return text }
	quoted := func(text string) string { q, _ := json.Marshal(text); return string(q) } // a string
	const most = 20
	list := []request{
		{"the first recall after a start", aliased(1, `recall(input: {situation: `+quoted(rare(6))+`}) { hits { score { total } } }`)},
		{"a recall of 60,000 words", aliased(1, `recall(input: {situation: `+quoted(common)+`, topK: 100}) { hits { score { total } episode { id } } }`)},
		{"20 recalls of 2,500 words", aliased(most, `recall(input: {situation: `+quoted(long)+`, topK: 100}) { hits { score { total } episode { id } } }`)},
		{"20 recalls that nothing passes", aliased(most, `recall(input: {situation: `+quoted(rare(3))+`, agentId: "nobody", topK: 100}) { hits { score { total } } }`)},
		{"20 recalls of a task type as of long ago", aliased(most, `recall(input: {situation: `+quoted(rare(4))+`, taskType: "task 77", asOf: "2025-07-01T00:00:00Z"}) { hits { score { total } } }`)},
		{"20 searches for 2,500 words", aliased(most, `search(query: `+quoted(long)+`, first: 100) { nodes { score } }`)},
		{"20 searches in observations for 2,500 words", aliased(most, `searchObservations(query: `+quoted(long)+`, first: 100) { nodes { score } }`)},
		{"20 pages of observations by weight", aliased(most, `observations(orderBy: WEIGHT_DESC, first: 100) { nodes { id } }`)},
		{"20 charts of all episodes and verdicts", aliased(most, `trends(since: "2025-01-01T00:00:00Z", bucket: WEEK) { at episodes approvalRate }`)},
		{"20 times all that a judge decided", aliased(most, `judgeTendencies(judgeId: "judge") { verdicts averageScore }`)},
		{"20 times the statistics of corrections", aliased(most, `correctionStats { total }`)},
		{"20 times the task types that go badly", aliased(most, `taskTypeAlerts { taskType }`)},
		{"20 rankings with a situation", aliased(most, `rankAgents(taskType: "task 77", first: 100, situation: `+quoted(rare(5))+`) { score }`)},
		{"20 counts of episodes with canvases", aliased(most, `episodes(filter: {canvasType: "charts"}, first: 0) { totalCount }`)},
		{"20 counts of episodes with feedback", aliased(most, `episodes(filter: {minFeedbackScore: 0.5}, first: 0) { totalCount }`)},
		{"the graduation of 100 agents, three times", aliased(3, `agents(first: 100) { nodes { graduation { level } } }`)},
		{"the canvases of 100 agents, three times", aliased(3, `agents(first: 100) { nodes { canvasInsights { engages } } }`)},
		{"the task types of 100 agents, three times", aliased(3, `agents(first: 100) { nodes { taskTypes } }`)},
		{"20 times the guidance of a run", aliased(most, `guidance(runId: "run 0", sectionType: "type 1") { warnings dos donts }`)},
		{"20 times all patterns", aliased(most, `patterns(first: 100) { nodes { id } }`)},
	}
	return list
}

// fill records what is not there yet.
func fill(ctx context.Context, p requestsPlan, data string) (err error) {
	backend, err := sqlite.Open(ctx, sqlite.Options{Dir: data})
	if err != nil {
		return err
	}
	svc := service.New(backend, service.WithLogger(slog.New(slog.DiscardHandler)))
	defer func() {
		err = errors.Join(err, svc.Close(context.WithoutCancel(ctx)), backend.Close(context.WithoutCancel(ctx)))
	}()
	tenant, err := svc.Tenant(ctx)
	if err != nil {
		return err
	}
	crowd := &scaled{backend: backend}
	if _, err := crowd.recorded(ctx, service.DefaultTenant, storetest.Crowd{Size: p.size}); err != nil {
		return err
	}
	for from := 0; from < p.size; from += boundary.MaxList {
		var verdicts boundary.RecordVerdictsInput
		var observations boundary.RecordObservationsInput
		for i := from; i < min(from+boundary.MaxList, p.size); i++ {
			verdicts.Verdicts = append(verdicts.Verdicts, sampleVerdict(i))
			situation, _ := storetest.Crowd{}.Situation(i, 20)
			observations.Observations = append(observations.Observations, boundary.RecordObservationInput{
				ID: to(fmt.Sprintf("noted-%d", i)), Content: situation,
			})
		}
		if err := whole(tenant.Judging.RecordVerdicts(ctx, verdicts)); err != nil {
			return err
		}
		if err := whole(tenant.Knowledge.RecordObservations(ctx, observations)); err != nil {
			return err
		}
		if from%20_000 == 0 {
			progress("recorded %d verdicts and observations", from+boundary.MaxList)
		}
	}
	return nil
}

func sampleVerdict(i int) boundary.RecordVerdictInput {
	at := storetest.CrowdNow.Add(-time.Duration(i) * time.Minute)
	return boundary.RecordVerdictInput{
		ID: to(fmt.Sprintf("verdict-%d", i)), RunID: fmt.Sprintf("run %d", i/1000), SectionID: fmt.Sprintf("section %d", i%1000),
		SectionType: fmt.Sprintf("type %d", i%50), JudgeID: to("judge"), Status: []memory.VerdictStatus{memory.VerdictApprove, memory.VerdictSoftFail}[i%2],
		Score: to(float64(i%10) / 10), Feedback: to("Says too little of the cause."),
		Issues: []boundary.IssueInput{{Code: fmt.Sprintf("code-%d", i%20), Area: to(fmt.Sprintf("area-%d", i%30))}}, At: &at,
	}
}

// ask sends a request and writes what it took.
func (p requestsPlan) ask(ctx context.Context, server *process, r request) (string, error) {
	before, err := server.spent()
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(map[string]string{"query": r.query})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	after, err := server.spent()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("| %s | %.2f s | %d MB | %s |", r.name, (after.processor - before.processor).Seconds(),
		(after.most-before.now)>>20, verdictOn(response.StatusCode, answer)), nil
}

// verdictOn says in a few words what an answer was.
func verdictOn(status int, answer []byte) string {
	var said struct {
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(answer, &said); err != nil || len(said.Errors) == 0 {
		return fmt.Sprintf("%d, %d bytes", status, len(answer))
	}
	return fmt.Sprintf("%d, %s: %s", status, said.Errors[0].Extensions.Code, said.Errors[0].Message)
}
