package e2e

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store/sqlite"
)

// What cannot be read is null, or left out of lists, with an error that names it; the others are answered.
func TestDamagedRecordsAreErrorsBesideTheOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	w := newSuite(t, backend, nil).world()
	for _, id := range []string{"a", "b", "c", "d"} {
		w.episode(t, id, "A refund of order "+id, vars{"metadata": vars{"a": 1}})
	}
	w.episode(t, "e", "A refund caused by another", vars{"causedBy": []string{"b"}})
	db, err := sql.Open("sqlite", filepath.Join(dir, w.tenant+".db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), `UPDATE contents SET metadata = '{' WHERE episode = (SELECT id FROM nodes WHERE key = 'b')`)
	require.NoError(t, err)
	require.NoError(t, db.Close())

	for query, others := range map[string]int{
		`{ episodes(first: 3) { nodes { id metadata } pageInfo { hasNextPage } } }`:                         3,
		`{ episodes(orderBy: STARTED_AT_ASC) { nodes { id metadata } } }`:                                   4,
		`{ recall(input: {situation: "refund", variants: SEPARATE}) { hits { episode { id metadata } } } }`: 4,
		`{ search(query: "refund") { nodes { node { id ... on Episode { metadata } } } } }`:                 4,
		`{ node(id: "episode:b") { id ... on Episode { metadata } } other: node(id: "episode:a") { id } }`:  1,
		`{ nodes(ids: ["episode:b", "episode:c"]) { id ... on Episode { metadata } } }`:                     1,
		`{ episode(id: "b") { id metadata } }`:                                                              0,
		`{ episodes { nodes { id metadata previous { id } next { id } } } }`:                                4,
		`{ agent(id: "ada") { episodes { nodes { id metadata } } } }`:                                       4,
	} {
		answer := w.post(t, query, nil)
		require.Len(t, answer.Errors, 1, query)
		assert.Equal(t, "DAMAGED", answer.Errors[0].Extensions.Code, query)
		assert.Equal(t, "episode:b", answer.Errors[0].Extensions.ID, query)
		assert.NotContains(t, string(answer.Data), `"episode:b"`, query)
		assert.Equal(t, others, countIDs(t, answer.Data), query)
	}
	w.do(t, "deleteEpisode", "deletedId", vars{"id": "b"}, nil)
	assert.Empty(t, w.post(t, `{ episodes { nodes { id } } }`, nil).Errors)
}

// judgedWork records a verdict of a run, and an execution of an agent, each by a name.
func (w *world) judgedWork(t *testing.T, name, run string) {
	t.Helper()
	w.do(t, "recordVerdict", "verdict { id }", vars{
		"id": name, "runId": run, "sectionId": "s", "sectionType": "verse", "iteration": 0, "status": "APPROVE", "judgeId": name, "score": 80,
	}, nil)
	w.do(t, "recordExecution", "execution { id }", vars{
		"id": name, "agentId": name, "taskType": "verse", "success": true, "quality": 0.5, "at": "2025-03-01T12:00:00Z",
	}, nil)
}

// What is listed within others takes them with it neither.
func TestDamagedRecordsWithinOthersAreErrorsBesideThem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	w := newSuite(t, backend, nil).world()
	for _, id := range []string{"good", "bad"} {
		w.judgedWork(t, id, "run")
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, w.tenant+".db"))
	require.NoError(t, err)
	for _, spoil := range []string{
		`UPDATE verdict_texts SET strengths = '{[' WHERE verdict = (SELECT id FROM verdicts WHERE key = 'bad')`,
		`UPDATE executions SET quality = 7 WHERE key = 'bad'`,
	} {
		result, err := db.ExecContext(t.Context(), spoil)
		require.NoError(t, err)
		rows, err := result.RowsAffected()
		require.NoError(t, err)
		require.Equal(t, int64(1), rows, spoil)
	}
	require.NoError(t, db.Close())
	for query, others := range map[string]int{
		`{ runs { nodes { sections { verdicts { id } } } } }`:                                 1,
		`{ agents { nodes { learningProfiles { executions { nodes { agent { id } } } } } } }`: 1,
	} {
		answer := w.post(t, query, nil)
		require.Len(t, answer.Errors, 1, query)
		assert.Equal(t, "DAMAGED", answer.Errors[0].Extensions.Code, query)
		assert.Equal(t, others, countIDs(t, answer.Data), "%s\n%s", query, answer.Data)
	}
}

// What belongs to something that cannot be read is answered without it.
func TestWhatBelongsToDamagedRecordsIsAnswered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	w := newSuite(t, backend, nil).world()
	for _, id := range []string{"good", "bad"} {
		w.judgedWork(t, id, id)
		w.do(t, "createMemoir", "memoir { id }", vars{"id": id, "name": id}, nil)
		w.do(t, "addConcept", "concept { id }", vars{"id": id, "memoirId": id, "name": "refund", "content": "within days"}, nil)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, w.tenant+".db"))
	require.NoError(t, err)
	const verdicts = `{ verdicts { nodes { id run { id startedAt } section { id run { id } } } } }`
	for _, test := range []struct {
		spoil, kind, query string
		ids                int
	}{
		{`DELETE FROM agents`, "agent", `{ nodes(ids: ["execution:bad", "execution:good"]) { id ... on Execution { agent { id } } } }`, 4},
		{`DELETE FROM memoirs`, "memoir", `{ nodes(ids: ["concept:bad", "concept:good"]) { id ... on Concept { memoir { id name } } } }`, 4},
		{`UPDATE runs SET key = 'bad2'`, "run", verdicts, 6},
		{`UPDATE runs SET key = 'bad', started_at = -62135596800000`, "run", verdicts, 6},
		{`DELETE FROM runs`, "run", verdicts, 6},
	} {
		_, err = db.ExecContext(t.Context(), test.spoil+fmt.Sprintf(` WHERE id = (SELECT id FROM nodes WHERE kind = '%s' AND key = 'bad')`, test.kind))
		require.NoError(t, err)
		answer := w.post(t, test.query, nil)
		require.Len(t, answer.Errors, 1, test.spoil)
		assert.Equal(t, "DAMAGED", answer.Errors[0].Extensions.Code, test.spoil)
		assert.Equal(t, test.kind+":bad", answer.Errors[0].Extensions.ID, test.spoil)
		assert.Equal(t, test.ids, countIDs(t, answer.Data), "%s\n%s", test.spoil, answer.Data)
	}
	require.NoError(t, db.Close())
}

// countIDs counts the episodes of an answer.
func countIDs(t *testing.T, data json.RawMessage) (count int) {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(data, &value))
	ids := map[string]bool{}
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for key, inner := range v {
				if id, isText := inner.(string); key == "id" && isText {
					ids[id] = true
				}
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(value)
	return len(ids)
}
