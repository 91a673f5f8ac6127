package memory_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
)

func TestExecutionOfAnEpisode(t *testing.T) {
	t.Parallel()
	started, ended := memorytest.Monday, memorytest.Monday.Add(90*time.Second)
	refund := func(change func(e *memory.Episode)) *memory.Episode {
		e := &memory.Episode{Key: "run/1", AgentKey: "ada", TaskType: new("refund"), Outcome: memory.OutcomeSuccess, StartedAt: started}
		change(e)
		return e
	}
	base := memory.Execution{Key: "episode:run/1", AgentKey: "ada", TaskType: "refund", Success: true, Quality: 1, At: started}
	for name, test := range map[string]struct {
		change func(e *memory.Episode)
		want   func(e *memory.Execution)
		none   bool
	}{
		"success is quality 1":        {change: func(*memory.Episode) {}, want: func(*memory.Execution) {}},
		"failure is quality 0":        {change: func(e *memory.Episode) { e.Outcome = memory.OutcomeFailure }, want: func(e *memory.Execution) { e.Success, e.Quality = false, 0 }},
		"the quality that was given":  {change: func(e *memory.Episode) { e.Quality = new(0.25) }, want: func(e *memory.Execution) { e.Quality = 0.25 }},
		"quality 0 of a success":      {change: func(e *memory.Episode) { e.Quality = new(0.0) }, want: func(e *memory.Execution) { e.Quality = 0 }},
		"at its end, with its length": {change: func(e *memory.Episode) { e.EndedAt = &ended }, want: func(e *memory.Execution) { e.At, e.LatencyMs = ended, new(90000.0) }},
		"too long for a latency":      {change: func(e *memory.Episode) { e.EndedAt = new(started.AddDate(5, 0, 0)) }, want: func(e *memory.Execution) { e.At = started.AddDate(5, 0, 0) }},
		"an empty task type":          {change: func(e *memory.Episode) { e.TaskType = new("") }, want: func(e *memory.Execution) { e.TaskType = "" }},
		"no task type":                {change: func(e *memory.Episode) { e.TaskType = nil }, none: true},
		"outcome unknown":             {change: func(e *memory.Episode) { e.Outcome, e.Quality = memory.OutcomeUnknown, new(0.9) }, none: true},
	} {
		got := memory.ExecutionOf(refund(test.change))
		if test.none {
			assert.Nil(t, got, name)
			continue
		}
		want := base
		test.want(&want)
		assert.Equal(t, &want, got, name)
		assert.Equal(t, new("run/1"), got.EpisodeKey(), name)
	}
}

func TestExecutionKeys(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "execution:x", (&memory.Execution{Key: "x"}).ID())
	assert.Nil(t, (&memory.Execution{Key: "x"}).EpisodeKey())
	assert.NoError(t, memory.CheckExecutionKey("id", "episode"))
	memorytest.RequireInvalid(t, "id", memory.CheckExecutionKey("id", "episode:x"))
	memorytest.RequireInvalid(t, "id", memory.CheckExecutionKey("id", ""))
}

func TestProfileKeys(t *testing.T) {
	t.Parallel()
	p := &memory.LearningProfile{AgentKey: "gpt/4", TaskType: "re:fund"}
	assert.Equal(t, "learningProfile:gpt%2F4/re:fund", p.ID())
	for key, want := range map[string][]string{
		"gpt%2F4/re:fund": {"gpt/4", "re:fund"}, "a/": {"a", ""}, "a": nil, "/t": nil, "a/b/c": nil, "a%2f/b": nil, "": nil,
	} {
		agent, taskType, ok := memory.SplitProfileKey(key)
		if want == nil {
			assert.False(t, ok, key)
			continue
		}
		assert.True(t, ok, key)
		assert.Equal(t, want, []string{agent, taskType}, key)
	}
}
