package mcpserver_test

import (
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/mcpserver"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/servicetest"
)

var update = flag.Bool("update", false, "write the snapshots under testdata anew")

// TestSnapshots holds what clients are told of each tool, of the resources and of the prompt. A change of
// it changes what models do, so it is made on purpose: go test ./internal/mcpserver -update
func TestSnapshots(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	known := map[string]bool{}
	for _, tool := range a.tools(t) {
		known[tool.Name+".json"] = true
		snapshot(t, tool.Name, tool)
	}
	templates, err := a.ListResourceTemplates(t.Context(), nil)
	require.NoError(t, err)
	snapshot(t, "_resources", templates.ResourceTemplates)
	prompts, err := a.ListPrompts(t.Context(), nil)
	require.NoError(t, err)
	snapshot(t, "_prompts", prompts.Prompts)
	snapshot(t, "_instructions", a.InitializeResult().Instructions)

	files, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	require.NoError(t, err)
	for _, file := range files {
		name := filepath.Base(file)
		assert.True(t, known[name] || strings.HasPrefix(name, "_"), "%s is of no tool", file)
	}
}

func snapshot(t *testing.T, name string, value any) {
	t.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	require.NoError(t, err)
	file := filepath.Join("testdata", name+".json")
	if *update {
		require.NoError(t, os.WriteFile(file, append(text, '\n'), 0o600))
	}
	kept, err := os.ReadFile(file)
	require.NoError(t, err, "run with -update to write it")
	assert.JSONEq(t, string(kept), string(text), name)
}

func TestEveryToolSaysWhatItDoes(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	var reading []string
	tools := a.tools(t)
	require.Len(t, tools, 34)
	for _, tool := range tools {
		text, err := json.Marshal(tool.Annotations)
		require.NoError(t, err)
		var hints map[string]any
		require.NoError(t, json.Unmarshal(text, &hints))
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			assert.Contains(t, hints, hint, tool.Name)
		}
		assert.Equal(t, false, hints["openWorldHint"], tool.Name)
		assert.Equal(t, tool.Name == "forget_record" || tool.Name == "memoir_refine", hints["destructiveHint"], tool.Name)
		if hints["readOnlyHint"] == true {
			reading = append(reading, tool.Name)
		}
		assert.NotEmpty(t, tool.Title, tool.Name)
		assert.NotEmpty(t, tool.Description, tool.Name)
		checkPlain(t, tool.Name+" input", tool.InputSchema, true)
		checkPlain(t, tool.Name+" output", tool.OutputSchema, false)
	}
	assert.Equal(t, []string{
		"canvas_insights", "feedback_search", "feedback_stats", "get_observations", "graduation", "guidance", "memoir_inspect", "memoir_list",
		"memoir_search", "neighbourhood", "next_steps", "recall", "search", "search_observations", "select_agent", "trends",
	}, reading)
}

// Hosts put the tools before every conversation: all of them, output schemas included, and the few of the core. What
// they and the server say names no tool that is not served.
func TestToolsAreFewEnoughToBeChosenFrom(t *testing.T) {
	t.Parallel()
	var all []string
	for _, serves := range []struct {
		tools          string
		number, length int
	}{{mcpserver.AllTools, 34, 61_000}, {mcpserver.CoreTools, 14, 24_000}} {
		a := inMemoryWith(t, memoryOf(t), mcpserver.Options{Tools: serves.tools, Log: slog.New(slog.DiscardHandler)})
		list, err := a.ListTools(t.Context(), nil)
		require.NoError(t, err)
		text, err := json.Marshal(list)
		require.NoError(t, err)
		assert.Less(t, len(text), serves.length, serves.tools)
		assert.Len(t, list.Tools, serves.number, serves.tools)
		t.Logf("%s: %d tools in %d bytes", serves.tools, len(list.Tools), len(text))
		var served []string
		for _, tool := range list.Tools {
			assert.Equal(t, serves.tools == mcpserver.AllTools, tool.OutputSchema != nil, tool.Name)
			served = append(served, tool.Name)
		}
		if all == nil {
			all = served
		}
		told := a.InitializeResult().Instructions
		for _, named := range regexp.MustCompile(`[a-z]+_[a-z_]+`).FindAllString(told, -1) {
			assert.Contains(t, served, named, "the instructions of %s name it", serves.tools)
		}
		templates, err := a.ListResourceTemplates(t.Context(), nil)
		require.NoError(t, err)
		resources, err := json.Marshal(templates)
		require.NoError(t, err)
		again := &mcp.CallToolParams{Name: "memoir_create", Arguments: vars{"name": "M"}}
		_, err = a.CallTool(t.Context(), again)
		require.NoError(t, err)
		hint := a.refuse(t, again.Name, again.Arguments).Send
		for _, name := range all {
			if !slices.Contains(served, name) {
				assert.NotRegexp(t, `\b`+name+`\b`, told+string(text)+string(resources)+hint, serves.tools)
			}
		}
	}
}

// checkPlain holds a schema to what all hosts understand: an object, one type each, and in an input a
// description of every property and no keyword that check does not read.
func checkPlain(t *testing.T, name string, schema any, described bool) {
	t.Helper()
	text, err := json.Marshal(schema)
	require.NoError(t, err)
	var parsed jsonschema.Schema
	require.NoError(t, json.Unmarshal(text, &parsed))
	require.Equal(t, "object", parsed.Type, name)
	var walk func(at string, s *jsonschema.Schema)
	walk = func(at string, s *jsonschema.Schema) {
		assert.Empty(t, s.Types, at)
		if s.Type == "" {
			assert.NotEmpty(t, s.Description, "%s is any JSON, and says so", at)
		}
		if described {
			assert.Equal(t, jsonschema.Schema{
				Type: s.Type, Enum: s.Enum, Items: s.Items, Properties: s.Properties, Required: s.Required,
				AdditionalProperties: s.AdditionalProperties, Description: s.Description, Format: s.Format,
			}, *s, at)
			assert.Equal(t, s.Type == "object", s.AdditionalProperties != nil, at)
		}
		for property, sub := range s.Properties {
			if described {
				assert.NotEmpty(t, sub.Description, at+"."+property)
			}
			walk(at+"."+property, sub)
		}
		if s.Items != nil {
			walk(at+"[]", s.Items)
		}
	}
	walk(name, &parsed)
}

func TestEveryKindHasAResource(t *testing.T) {
	t.Parallel()
	svc := memoryOf(t)
	a := inMemoryOf(t, svc)
	a.call(t, "record_episode", vars{"id": "e", "agentId": "a", "sessionId": "s", "observation": "Work", "executionIds": []string{"x"}}, nil)
	a.call(t, "record_canvas_actions", vars{"actions": []vars{{"canvasId": "c", "episodeId": "e", "canvasType": "docs", "action": "PRESENT"}}}, nil)
	a.call(t, "submit_feedback", vars{"id": "f", "agentExecutionId": "x", "type": "RATING", "rating": 5}, nil)
	a.call(t, "memoir_create", vars{"id": "m", "name": "M"}, nil)
	a.call(t, "memoir_add_concept", vars{"id": "k", "memoirId": "m", "name": "K", "content": "Known"}, nil)
	a.call(t, "record_observation", vars{"id": "o", "content": "Seen"}, nil)
	a.call(t, "feedback_record", vars{"id": "r", "topic": "t", "prediction": "p", "correction": "c"}, nil)
	tenant := servicetest.Bind(t.Context(), t, svc)
	_, err := tenant.Learning.RecordExecution(t.Context(), boundary.RecordExecutionInput{ID: new("x"), AgentID: "a", TaskType: "t/1", Success: true, Quality: 0.9})
	require.NoError(t, err)
	_, err = tenant.Judging.RecordVerdict(t.Context(), boundary.RecordVerdictInput{
		ID: new("v"), RunID: "n", SectionID: "intro", SectionType: "song", JudgeID: new("j"), Status: memory.VerdictApprove, Patterns: []string{"p"},
	})
	require.NoError(t, err)
	_, err = tenant.Judging.CompleteRun(t.Context(), boundary.CompleteRunInput{RunID: "n"})
	require.NoError(t, err)
	keys := map[memory.Kind]string{
		memory.KindAgent: "a", memory.KindSession: "s", memory.KindEpisode: "e", memory.KindCanvas: "c", memory.KindFeedback: "f",
		memory.KindMemoir: "m", memory.KindConcept: "k", memory.KindObservation: "o", memory.KindCorrection: "r",
		memory.KindExecution: "x", memory.KindLearningProfile: "a/t%2F1", memory.KindRun: "n", memory.KindSection: "n/intro",
		memory.KindVerdict: "v", memory.KindPattern: memory.PatternKey(memory.PatternDo, "song", nil, "p"),
	}
	templates, err := a.ListResourceTemplates(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, templates.ResourceTemplates, len(memory.Kinds))
	for _, template := range templates.ResourceTemplates {
		assert.NotEmpty(t, template.Description, template.Name)
	}
	for _, kind := range memory.Kinds {
		id := memory.NodeID(kind, keys[kind])
		assert.Contains(t, a.read(t, "mneme://"+string(kind)+"/"+strings.ReplaceAll(keys[kind], "%", "%25")), `"id":"`+id+`"`, kind)
		a.call(t, "neighbourhood", vars{"id": id}, nil)
	}
}

func TestResourceKeys(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	for key, uri := range map[string]string{
		"run:1/a":  "mneme://agent/run:1/a",
		"run:1/b":  "mneme://agent/run%3A1%2Fb",
		"100% Öl ": "mneme://agent/100%25%20%C3%96l%20",
		"a?b#c":    "mneme://agent/a%3Fb%23c",
	} {
		a.call(t, "record_episode", vars{"agentId": key, "observation": "Work"}, nil)
		assert.Contains(t, a.read(t, uri), `"agent:`+key+`"`)
	}
}
