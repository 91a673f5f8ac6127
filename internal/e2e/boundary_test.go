package e2e

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/internal/redact"
	"mneme/internal/testneo4j"
	"mneme/service"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// planted is what must not be found anywhere, and a word that must, to see that the search sees.
type planted struct{ secret, private, marker string }

func newPlanted() planted {
	return planted{secret: "ghp" + "_" + rand.Text() + rand.Text()[:10], private: "private" + rand.Text(), marker: "marker" + rand.Text()}
}

// text hides both in a sentence.
func (p planted) text(words string) string {
	return fmt.Sprintf("%s %s: use %s for <private>%s</private> now.", words, p.marker, p.secret, p.private)
}

// plant puts them into every free text that there is, by every door.
func (w *world) plant(t *testing.T, p planted) {
	t.Helper()
	w.do(t, "createMemoir", "memoir { id }", vars{"id": "m", "name": p.text("Memoir"), "description": p.text("About")}, nil)
	w.do(t, "addConcept", "concept { id }", vars{"id": "c", "memoirId": "m", "name": p.text("Concept"), "content": p.text("Content"), "labels": []string{"label"}}, nil)
	w.do(t, "refineConcept", "concept { id }", vars{"id": "c", "content": p.text("Refined"), "labels": []string{"other"}}, nil)
	w.observe(t, "o", p.text("Observed"), nil)
	w.correct(t, "k", p.text("Topic"), p.text("Predicted"), p.text("Corrected"), vars{"context": p.text("Context")})
	w.episode(t, "e", p.text("Situation"), vars{
		"title": p.text("Title"), "thoughts": []string{p.text("Thought")}, "result": p.text("Result"), "insight": p.text("Insight"),
		"actions": []vars{{"stepName": "step", "result": vars{"said": p.text("Step")}}}, "metadata": vars{"note": []string{p.text("Note")}},
	})
	w.do(t, "captureRun", "episode { id }", vars{"runId": "run", "agentId": "ada", "events": []vars{
		{"type": "workflow_started", "data": vars{"args": p.text("Started")}, "at": now}, {"type": "workflow_completed", "data": vars{"result": p.text("Ended")}, "at": now},
	}}, nil)
	w.canvas(t, vars{"canvasId": "canvas", "canvasType": "docs"}, vars{"action": "PRESENT", "metadata": vars{"text": p.text("Shown")}})
	w.feedback(t, vars{"id": "f", "episodeId": "e", "type": "THUMBS_DOWN", "corrections": p.text("Feedback"), "comment": p.text("Comment")})
	w.do(t, "consolidate", "patterns", vars{"dryRun": false}, nil)
}

const everything = `{
	memoirs { nodes { name description concepts { nodes { name content labels revisions { content labels } receipt { tokensBefore tokensAfter redactions { kind count } } } } } }
	observations { nodes { content receipt { tokensBefore tokensAfter redactions { kind count } } } }
	corrections { nodes { topic prediction correction context receipt { redactions { kind count } } } }
	correctionStats { byTopic { topic } }
	episodes { nodes { title observation thoughts actions { result } result insight metadata segments { text } events { nodes { data } }
		canvases { nodes { metadata } } feedback { nodes { corrections comment } } receipt { redactions { kind count } } } }
	node(id: "canvas:canvas") { ... on Canvas { metadata } }
	search(query: "use") { nodes { snippet } }
}`

func testWriteBoundary(t *testing.T, w *world) {
	p := newPlanted()
	w.plant(t, p)
	answer := w.post(t, everything, nil)
	require.Empty(t, answer.Errors)
	assert.NotContains(t, string(answer.Data), p.secret)
	assert.NotContains(t, string(answer.Data), p.private)
	assert.GreaterOrEqual(t, strings.Count(string(answer.Data), p.marker), 20, "the rest is there")

	type receipt struct {
		TokensBefore, TokensAfter int
		Redactions                []struct {
			Kind  string
			Count int
		}
	}
	var data struct {
		Concept      struct{ Receipt receipt }
		Observations struct {
			Nodes []struct {
				Content string
				Receipt receipt
			}
		}
	}
	w.observe(t, "verbose", "It is a simply   supported beam,  checked at 10:42 on v1.2.3.       \n\nWe ran `go   test -run=Basically`.", nil)
	w.ask(t, `{
		concept(id: "c") { receipt { tokensBefore tokensAfter redactions { kind count } } }
		observations(orderBy: CREATED_AT_DESC) { nodes { content receipt { tokensBefore tokensAfter redactions { kind count } } } }
	}`, nil, &data)
	kinds := map[string]int{}
	for _, redaction := range data.Concept.Receipt.Redactions {
		kinds[redaction.Kind] += redaction.Count
	}
	assert.Equal(t, map[string]int{"github-pat": 3, "private": 3}, kinds, "name, content, and the content of the refinement")
	for _, o := range data.Observations.Nodes {
		assert.Less(t, o.Receipt.TokensAfter, o.Receipt.TokensBefore, o.Content)
		if strings.Contains(o.Content, "v1.2.3") {
			assert.Equal(t, "It is a simply supported beam, checked at 10:42 on v1.2.3.\n\nWe ran `go   test -run=Basically`.", o.Content)
			assert.Empty(t, o.Receipt.Redactions)
		}
	}

	refused := w.refuse(t, mutationOf("recordObservation", "observation { id }"), vars{"input": vars{"id": "o", "content": "Other: " + p.secret}})
	assert.Equal(t, "CONFLICT", refused.Extensions.Code)
	assert.NotContains(t, refused.Message, p.secret)
	w.observe(t, "o", p.text("Observed"), nil) // the same again is the same, redacted or not
	w.refuseWithout(t, p)
}

// refuseWithout sends secrets where they do not belong, and looks for them in what is said against it.
func (w *world) refuseWithout(t *testing.T, p planted) {
	t.Helper()
	for name, query := range map[string]string{
		"an id":       `query ($said: ID!) { node(id: $said) { id } }`,
		"an unknown":  `query ($said: ID!) { path(from: "memoir:m", to: $said) { truncated } }`,
		"ids":         `mutation ($said: ID!) { recordObservation(input: { content: "X.", aboutIds: [$said] }) { observation { id } } }`,
		"a relation":  `query ($said: String!) { neighbourhood(id: "memoir:m", relations: [$said]) { truncated } }`,
		"a kind":      `query ($said: String!) { search(query: "x", kinds: [$said]) { totalCount } }`,
		"a cursor":    `query ($said: String!) { memoirs(after: $said) { totalCount } }`,
		"a word":      `mutation ($said: Importance!) { recordObservation(input: { content: "X.", importance: $said }) { observation { id } } }`,
		"a time":      `query ($said: DateTime!) { correctionStats(since: $said) { total } }`,
		"a number":    `query ($said: Float!) { observations(minWeight: $said) { totalCount } }`,
		"a field":     `{ ` + p.secret + ` }`,
		"an argument": `{ memoirs(` + p.secret + `: 1) { totalCount } }`,
		"a fragment":  `{ ...` + p.secret + ` }`,
		"a variable":  `{ memoirs(first: $` + p.secret + `) { totalCount } }`,
		"an enum":     `mutation { recordObservation(input: { content: "X.", importance: ` + p.secret + ` }) { observation { id } } }`,
		"a literal":   `{ memoirs(first: "` + p.secret + `") { totalCount } }`,
		"a syntax":    `{ memoirs "` + p.secret + `" }`,
	} {
		for _, said := range []string{p.text("said"), "agent:" + p.text("said")} {
			answer := w.post(t, query, vars{"said": said})
			require.NotEmpty(t, answer.Errors, name)
			assert.NotContains(t, fmt.Sprint(answer.Errors), p.secret, name)
			assert.NotContains(t, fmt.Sprint(answer.Errors), p.private, name)
		}
	}
}

// testFilesHold plants secrets and looks for them in the files of a store and in what was logged.
func testFilesHold(t *testing.T, backend store.Backend, directory string) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	svc := service.New(backend, service.WithRedaction(redact.Rules()), service.WithLogger(logger))
	p := newPlanted()
	w := (&suite{
		handler: gqlhttp.NewHandler(svc, gqlhttp.Options{Log: logger}), service: svc, seen: newCoverage(), name: "files-" + strings.ToLower(rand.Text()),
	}).world()
	w.plant(t, p)
	w.ask(t, `{ searchConcepts(query: "`+p.secret+`") { totalCount } recall(input: { situation: "`+p.secret+`" }) { hits { rank } } }`, nil, nil)
	w.post(t, mutationOf("recordObservation", "observation { id }"), vars{"input": vars{"content": p.secret, "importance": "SOME"}})
	w.flush(t)
	require.NoError(t, backend.Close(context.Background()))

	assert.NotContains(t, log.String(), p.secret)
	assert.NotContains(t, log.String(), p.private)
	found := map[string]bool{}
	require.NoError(t, filepath.WalkDir(directory, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil //nolint:nilerr // a server may remove a file meanwhile
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil //nolint:nilerr // as above
		}
		for _, word := range []string{p.secret, p.private, p.marker} {
			core := word[8 : len(word)-4] // an index shares the first letters with other words, and cuts endings
			for _, spelled := range [][]byte{[]byte(core), []byte(strings.ToLower(core))} {
				found[word] = found[word] || bytes.Contains(content, spelled)
			}
		}
		return nil
	}))
	assert.Equal(t, map[string]bool{p.secret: false, p.private: false, p.marker: true}, found)
}

func TestNoSecretInSQLiteFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	testFilesHold(t, backend, dir)
}

// TestNoSecretInNeo4jFiles needs a server whose files are on this machine, as `make neo4j-up` starts it
// where there is no Docker.
func TestNoSecretInNeo4jFiles(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	root, err := testneo4j.Root()
	require.NoError(t, err)
	started, err := testneo4j.Load(root)
	require.NoError(t, err)
	if started == nil || started.URL != server.URL || started.Directory == "" {
		t.Skip("the files of the Neo4j are elsewhere")
	}
	backend, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	testFilesHold(t, backend, started.Directory)
}
