package cli_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type foundHere struct {
	Hits []struct {
		ID, Kind, Snippet string
		Score             float64
		Reasons           []string
	}
	Total int
	Next  *string
}

func TestSearch(t *testing.T) {
	t.Parallel()
	run := sample(t)
	all := decoded[foundHere](t, run, "search", "clients upset by tardy parcels")
	require.NotEmpty(t, all.Hits)
	kinds := map[string]bool{}
	for i, hit := range all.Hits {
		kinds[hit.Kind] = true
		assert.NotEmpty(t, hit.Snippet, hit.ID)
		assert.NotEmpty(t, hit.Reasons, hit.ID)
		assert.True(t, i == 0 || hit.Score <= all.Hits[i-1].Score)
	}
	const wordless = "Nothing has these words."
	assert.Contains(t, run("search", "--kind", "episode", "tidy the spreadsheet").out, wordless)
	assert.Contains(t, run("search", "qwzx zzzqqq 12345").out, "Nothing matches.", "pieces of words mean nothing")
	assert.NotContains(t, run("search", "parcels").out, wordless)
	only := decoded[foundHere](t, run, "search", "--kind", "episode", "--first", "1", "clients upset by tardy parcels")
	require.Len(t, only.Hits, 1)
	assert.Equal(t, "episode", only.Hits[0].Kind)
	require.NotNil(t, only.Next)
	next := decoded[foundHere](t, run, "search", "--kind", "episode", "--first", "1", "--after", *only.Next, "clients upset by tardy parcels")
	assert.NotEqual(t, only.Hits[0].ID, next.Hits[0].ID)
	assert.Equal(t, only.Total, next.Total)

	shown := run("search", "clients", "upset", "by", "tardy", "parcels")
	assert.Contains(t, shown.out, all.Hits[0].ID)
	assert.Contains(t, shown.out, all.Hits[0].Reasons[0])
	assert.Contains(t, run("search", "xyzzy").out, "Nothing matches.")
	for _, wrong := range [][]string{{"--kind", "walrus"}, {"--kind", "episode,walrus"}} {
		refused := run(append([]string{"search", "parcels"}, wrong...)...)
		assert.Equal(t, 2, refused.status)
		assert.Contains(t, refused.err, "--kind is no kind that has text; there are episode, ")
	}
	assert.Regexp(t, `^\d+ matches in all\.\n$`, run("search", "--first", "0", "parcels").out)
	refused := run("search", "--first", "101", "parcels")
	assert.Equal(t, 2, refused.status)
	assert.Contains(t, refused.err, "--first")
	assert.Equal(t, 2, run("search").status)
}

// Where nothing is recorded at all, a recall says how to begin, in the memory that was asked.
func TestAnEmptyMemorySaysHowToBegin(t *testing.T) {
	t.Parallel()
	dir := beginning(t)
	got := mneme(t, nil, "", "recall", "x", "--data", dir)
	assert.Equal(t, "No episode is remembered yet. mneme demo --data "+dir+" fills a memory with a sample, mneme import --data "+dir+" with what you have.\n", got.out)
	assert.Contains(t, mneme(t, map[string]string{"MNEME_DATA": dir}, "", "recall", "x").out, "mneme demo --data "+dir+" fills")
	done(t, `{"kind": "agent", "record": {"id": "a", "name": "A"}}`, "import", "--format", "jsonl", "--data", dir, "--tenant", "ours", "-")
	assert.Contains(t, done(t, "", "recall", "x", "--data", dir, "--tenant", "ours"), "mneme import --data "+dir+" --tenant ours with what you have")
	assert.Equal(t, "\n", mneme(t, nil, "", "recall", "x", "--lessons", "--data", dir).out, "nothing goes into a prompt")
	assert.Contains(t, mneme(t, nil, "", "recall", "x", "--lessons", "--data", dir).err, "No episode is remembered yet.")
	assert.Equal(t, "Nothing matches.\n", mneme(t, nil, "", "search", "xyzzy", "--data", dir).out)
}

// What past episodes did next is told for people and as JSON.
func TestNext(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	done(t, "", "demo", "--data", dir)
	told := done(t, "", "next", "--data", dir, "a customer was charged twice for an order")
	assert.Regexp(t, `# +SHARE +STEP +EPISODES +SUCCEEDED +FAILED +LIKED\n1 +0\.\d\d +\w+ `, told)
	var steps []struct {
		Name    string
		Example struct{ EpisodeID string }
	}
	require.NoError(t, json.Unmarshal([]byte(done(t, "", "next", "--data", dir, "--json", "--top-k", "1", "a customer was charged twice for an order")), &steps))
	require.Len(t, steps, 1)
	assert.Contains(t, told, steps[0].Name)
	assert.Contains(t, told, steps[0].Example.EpisodeID)
	assert.Contains(t, done(t, "", "next", "--data", dir, "xyzzy"), "No past episode was at a moment like this one.")
}
