package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sample fills a data directory, and answers how to run commands on it.
func sample(t *testing.T) func(args ...string) result {
	t.Helper()
	env := map[string]string{"MNEME_DATA": t.TempDir()}
	run := func(args ...string) result { return mneme(t, env, "", args...) }
	loaded := run("demo")
	require.Zero(t, loaded.status, loaded.err)
	return run
}

// decoded runs a command with --json, which must go well, and decodes what it says.
func decoded[T any](t *testing.T, run func(args ...string) result, args ...string) T {
	t.Helper()
	got := run(append(args, "--json")...)
	require.Zero(t, got.status, got.err)
	var value T
	require.NoError(t, json.Unmarshal([]byte(got.out), &value), got.out)
	return value
}

func TestRecall(t *testing.T) {
	t.Parallel()
	run := sample(t)
	type answer struct {
		Hits []struct {
			Rank    int
			Score   map[string]float64
			Reasons []string
			Episode struct{ ID, Title, AgentID, Outcome, TaskType string }
		}
		Lessons string
	}
	all := decoded[answer](t, run, "recall", "a", "chart", "of", "revenue", "--top-k", "3")
	require.Len(t, all.Hits, 3)
	first := all.Hits[0]
	assert.Equal(t, 1, first.Rank)
	assert.Positive(t, first.Score["total"])
	assert.NotEmpty(t, first.Reasons)
	assert.Contains(t, first.Episode.ID, "episode:")
	assert.Contains(t, first.Episode.AgentID, "agent:")
	assert.Contains(t, all.Lessons, "Lessons from past similar situations:")
	assert.Contains(t, all.Lessons, "\nShown: ")
	assert.Regexp(t, `\n\nPeople here [^\n]+\.$`, all.Lessons)

	failed := decoded[answer](t, run, "recall", "a chart", "--outcome", "failure", "--task-type", "sales_report", "--agent", "analyst")
	require.NotEmpty(t, failed.Hits)
	for _, hit := range failed.Hits {
		assert.Equal(t, "FAILURE", hit.Episode.Outcome)
		assert.Equal(t, "sales_report", hit.Episode.TaskType)
	}

	told := run("recall", "a chart of revenue", "--top-k", "3")
	assert.Contains(t, told.out, first.Episode.ID)
	assert.Contains(t, told.out, "SCORE")
	wrong := decoded[struct {
		Cautions []struct {
			Reasons []string
			Episode struct{ ID, TaskType string }
		}
		Lessons string
	}](t, run, "recall", "a refund for a broken desk lamp")
	require.Len(t, wrong.Cautions, 2)
	assert.Contains(t, strings.Join(wrong.Cautions[0].Reasons, "\n"), "instead, episode:demo-refund_request-")
	assert.Contains(t, wrong.Lessons, "\nWhat went wrong in similar situations:\n")
	people := run("recall", "a refund for a broken desk lamp").out
	assert.Contains(t, people, "\nWhat went wrong in similar situations:\n\n")
	assert.Contains(t, people, wrong.Cautions[1].Episode.ID)
	lessons := run("recall", "a chart of revenue", "--lessons", "--max-tokens", "60")
	assert.Contains(t, lessons.out, "Lessons from past similar situations:")
	assert.NotContains(t, lessons.out, "SCORE")
	assert.Contains(t, run("recall", "what is that?", "--lessons", "--fallback", "recent").out, "Lessons from the latest situations; none matches this one:")
	assert.Contains(t, run("recall", "tidy the spreadsheet", "--lessons").out, "Lessons from past situations that may be like this one:")
	late := decoded[answer](t, run, "recall", "clients upset by tardy parcels", "--top-k", "2").Hits
	require.Len(t, late, 2)
	for _, hit := range late {
		assert.Contains(t, hit.Episode.Title, "it should have come", "before what people liked and is not that")
	}
	assert.Contains(t, run("recall", "tidy the spreadsheet").out, "None has these words or means the same.")
	assert.Contains(t, run("recall", "qwzx zzzqqq 12345", "--fallback", "recent").out, "None matches.")
	assert.Equal(t, "Nothing remembered is like this situation; fallback RECENT brings the latest.\n", run("recall", "qwzx zzzqqq 12345").out)
	assert.Contains(t, wrong.Lessons, "(failure), "+wrong.Cautions[0].Episode.ID+"\n")
	assert.Less(t, len(lessons.out), 400)
	assert.Contains(t, run("recall", "x", "--until", "2001-01-01").out, "Nothing is remembered that passes these filters.")
	assert.Contains(t, mneme(t, nil, "", "recall", "x", "--data", beginning(t)).out, "No episode is remembered yet.")

	for _, wrong := range [][]string{
		{"recall"}, {"recall", "x", "--outcome", "good"}, {"recall", "x", "--since", "yesterday"}, {"recall", "x", "--top-k", "many"},
	} {
		assert.Equal(t, 2, run(wrong...).status, wrong)
	}
	submitted := decoded[answer](t, run, "recall", "a chart", "--canvas-action", "submit", "--fallback", "recent")
	require.NotEmpty(t, submitted.Hits)
	assert.NotEqual(t, submitted.Hits, decoded[answer](t, run, "recall", "a chart", "--canvas-action", "close", "--fallback", "recent").Hits)
	lately := decoded[answer](t, run, "recall", "a chart", "--time-range", "last_30d", "--top-k", "100").Hits
	assert.Less(t, len(lately), len(decoded[answer](t, run, "recall", "a chart", "--top-k", "100").Hits))
	both := run("recall", "x", "--time-range", "last_7d", "--since", "2026-01-01")
	assert.Equal(t, 2, both.status)
	assert.Contains(t, both.err, "mneme: --time-range ")

	many := run("recall", "x", "--top-k", "101")
	assert.Equal(t, 2, many.status)
	assert.Contains(t, many.err, "mneme: --top-k is ")
}

// Who names an agent that nobody knows is told so, rather than that its work does not pass.
func TestRecallOfAnUnknownAgentSaysSo(t *testing.T) {
	t.Parallel()
	run := sample(t)
	const says = "mneme: the agent \"nobody\" does not exist\n"
	assert.Equal(t, says, run("recall", "a chart", "--agent", "nobody").err)
	assert.Equal(t, says, run("recall", "a chart", "--agent", "agent:nobody").err, "by its id, too")
	assert.Contains(t, run("recall", "a chart", "--agent", "nobody", "--lessons").err, says)
	assert.Contains(t, run("recall", "a chart", "--agent", "analyst", "--task-type", "none").out, "Nothing is remembered that passes these filters.")
	assert.JSONEq(t, `{"hits": [], "cautions": [], "approximate": false, "patterns": [], "note": "Nothing is remembered that passes these filters.", "lessons": ""}`, run("recall", "a chart", "--agent", "nobody", "--json").out)
}

// Whoever asks with words that are in any text is told that nothing can be found by them.
func TestCommonWordsAreToldToFindNothing(t *testing.T) {
	t.Parallel()
	run := sample(t)
	const says = "These are common words only, which find nothing: name the things that it is about."
	for _, common := range []string{"what is that?", "what is the", "?!"} {
		assert.Equal(t, says+"\n", run("recall", common).out)
		lessons := run("recall", common, "--lessons")
		assert.Equal(t, says+"\n", lessons.err)
		assert.Equal(t, "\n", lessons.out)
		assert.Equal(t, says+"\n", run("search", common).out)
	}
	assert.NotContains(t, run("recall", "what is that chart?").out+run("recall", "qwzx zzzqqq 12345").out+run("search", "xyzzy").out, says)
}

// An insight that several hits have is printed with the first of them, which the others name.
func TestRecallPrintsVariantsAsOneHit(t *testing.T) {
	t.Parallel()
	records := ""
	for _, id := range []string{"a", "b", "c"} {
		records += `{"kind": "episode", "record": {"id": "` + id + `", "agentId": "ada", "observation": "A refund for a kettle"}}` + "\n"
	}
	data := t.TempDir()
	require.Zero(t, mneme(t, nil, records, "import", "--format", "jsonl", "--data", data, "-").status)
	told := mneme(t, nil, "", "recall", "refund for a kettle", "--data", data).out
	assert.Contains(t, told, "near-identical work was done 3 times")
	assert.NotContains(t, told, "\n2. ")
	whole := mneme(t, nil, "", "recall", "refund for a kettle", "--json", "--data", data).out
	assert.Regexp(t, `"siblings": \[\s+"episode:[abc]",\s+"episode:[abc]"\s+\]`, whole)
	assert.Contains(t, mneme(t, nil, "", "recall", "refund for a kettle", "--variants", "separate", "--data", data).out, "\n3. ")
}

func TestUpkeep(t *testing.T) {
	t.Parallel()
	run := sample(t)
	type pruned struct {
		Candidates, Deleted int
		DryRun              bool
	}
	dry := decoded[pruned](t, run, "memory", "prune", "--min-weight", "0.6", "--dry-run")
	require.Positive(t, dry.Candidates)
	assert.Equal(t, pruned{Candidates: dry.Candidates, DryRun: true}, dry)
	assert.Contains(t, run("memory", "prune", "--min-weight", "0.6").err, "observations that weighed less than 0.6, for good")
	assert.Equal(t, pruned{Candidates: dry.Candidates, Deleted: dry.Candidates}, decoded[pruned](t, run, "memory", "prune", "--min-weight", "0.6", "--yes"))
	assert.Contains(t, run("memory", "prune", "--min-weight", "0.6", "--yes").out, "Deleted 0 observations")
	assert.Contains(t, run("memory", "prune", "--min-weight", "0.6").out, "Deleted 0 observations", "there is nothing to ask about")
	assert.Contains(t, run("memory").out, "prune")

	type consolidated struct {
		EpisodesRead, ObservationsCreated int
		Patterns                          []string
	}
	planned := decoded[consolidated](t, run, "consolidate", "--dry-run")
	require.Positive(t, planned.ObservationsCreated)
	assert.Equal(t, planned, decoded[consolidated](t, run, "consolidate"))
	assert.Zero(t, decoded[consolidated](t, run, "consolidate").ObservationsCreated)
	assert.Contains(t, run("consolidate", "--agent", "analyst").out, "0 new observations recorded")

	misspelt := run("recall", "a chart", "--agent", "analist")
	assert.Equal(t, 1, misspelt.status)
	assert.Equal(t, "mneme: NOT_FOUND: --agent: the agent \"analist\" does not exist; did you mean \"analyst\"?\n", misspelt.err)

	assert.Contains(t, run("backfill").out, "Linked 0 canvases")
	assert.Equal(t, map[string]int{"linkedCanvases": 0, "linkedFeedback": 0, "episodes": 0}, decoded[map[string]int](t, run, "backfill", "--session", "none"))
	assert.NotEmpty(t, decoded[map[string]string](t, run, "version")["go"])
}

func TestFillingAnswersInJSON(t *testing.T) {
	t.Parallel()
	run := sample(t)
	again := decoded[struct{ Imported, Present map[string]int }](t, run, "demo")
	assert.Empty(t, again.Imported)
	assert.Equal(t, 200, again.Present["episode"])
}
