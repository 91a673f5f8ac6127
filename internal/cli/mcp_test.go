package cli_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hosted starts `mneme mcp` the way a host does.
func hosted(t *testing.T, cmd *exec.Cmd) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	return session
}

func callTool(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any, answer any) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(t, err)
	text, err := json.Marshal(result.StructuredContent)
	require.NoError(t, err)
	require.False(t, result.IsError, "%v", result.Content)
	if answer != nil {
		require.NoError(t, json.Unmarshal(text, answer))
	}
}

type recalledIDs struct {
	Hits []struct {
		ID      string
		Score   float64
		Reasons []string
	}
	Lessons string
}

// An agent over stdio, another over HTTP and a client of GraphQL on one directory see the same memory.
func TestMCPWithFewTools(t *testing.T) {
	t.Parallel()
	for tools, has := range map[string]bool{"core": false, "ALL": true} {
		stdio := hosted(t, command(t, nil, "mcp", "--data", t.TempDir(), "--tools", tools))
		list, err := stdio.ListTools(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, has, slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == "guidance" }), tools)
		assert.True(t, slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == "recall" }), tools)
	}
	got := mneme(t, nil, "", "mcp", "--data", t.TempDir(), "--tools", "few")
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.err, "must be all or core")
}

func TestMCPBesideServe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, dir)
	stdio := hosted(t, command(t, nil, "mcp", "--data", dir))
	http, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp"}, nil)
	require.NoError(t, err)
	assert.Equal(t, "mneme", stdio.InitializeResult().ServerInfo.Name)

	callTool(t, stdio, "record_episode", map[string]any{"id": "one", "agentId": "a", "observation": "The printer is out of toner", "outcome": "SUCCESS"}, nil)
	callTool(t, http, "record_episode", map[string]any{"id": "two", "agentId": "a", "observation": "The printer is jammed", "outcome": "FAILURE"}, nil)
	callTool(t, http, "submit_feedback", map[string]any{"episodeId": "two", "type": "THUMBS_DOWN", "corrections": "Open the rear lid first"}, nil)

	arguments := map[string]any{"situation": "the printer is jammed again", "ranking": map[string]any{"temporalWeight": 0}}
	var overStdio, overHTTP recalledIDs
	callTool(t, stdio, "recall", arguments, &overStdio)
	callTool(t, http, "recall", arguments, &overHTTP)
	var graphQL struct {
		Recall struct {
			Hits []struct {
				Episode struct{ ID string }
				Score   struct{ Total float64 }
				Reasons []string
			}
			Lessons string
		}
	}
	require.NoError(t, s.ask(t.Context(), `{ recall(input: {situation: "the printer is jammed again", ranking: {temporalWeight: 0}}) {
		hits { episode { id } score { total } reasons } lessons } }`, &graphQL))
	require.Len(t, overStdio.Hits, 2)
	assert.Equal(t, overStdio, overHTTP)
	assert.Equal(t, graphQL.Recall.Lessons, overStdio.Lessons)
	assert.Contains(t, overStdio.Lessons, "Open the rear lid first")
	for i, hit := range graphQL.Recall.Hits {
		assert.Equal(t, hit.Episode.ID, overStdio.Hits[i].ID)
		assert.InDelta(t, hit.Score.Total, overStdio.Hits[i].Score, 0)
		assert.Equal(t, hit.Reasons, overStdio.Hits[i].Reasons)
	}
	require.NoError(t, stdio.Close())
	assert.Equal(t, 2, s.episodes(t))
}

// What was asked before the input ended is answered, nothing but messages is on the standard output, and
// the program ends well.
func TestMCPAnswersBeforeItEnds(t *testing.T) {
	t.Parallel()
	cmd := command(t, nil, "mcp", "--data", t.TempDir(), "--log-level", "debug")
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"record_episode","arguments":{"id":"e","agentId":"a","observation":"Work"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"record_observation","arguments":{"content":"Seen"}}}
`)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, errs.String())
	answered := map[float64]bool{}
	for line := range strings.Lines(string(out)) {
		var message struct {
			ID     float64
			Result *struct{ IsError bool }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &message), line)
		require.NotNil(t, message.Result, line)
		assert.False(t, message.Result.IsError, line)
		answered[message.ID] = true
	}
	assert.Len(t, answered, 3)
	assert.Contains(t, errs.String(), "mcp call", "the log is on the standard error")
}

func TestMCPSaysWhyItCannotStart(t *testing.T) {
	t.Parallel()
	fails(t, command(t, nil, "mcp", "--store", "mysql://h"), 2, "mysql", "neo4j://")
}
