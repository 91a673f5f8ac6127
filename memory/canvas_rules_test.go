package memory_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/memorytest"
)

// changed are the default rules but for what change does.
func changed(change func(*memory.CanvasRules)) *memory.CanvasRules {
	rules := memory.DefaultCanvasRules()
	change(rules)
	return rules
}

func TestRulesSayWhatIsQuickAndWhatStatesAreWorth(t *testing.T) {
	t.Parallel()
	shown, closed := memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, 3)
	c := memorytest.Canvas("sheets", shown, closed)
	patient := changed(func(r *memory.CanvasRules) {
		r.QuickClose = 3 * time.Second
		r.Rewards[memory.StateClosedSlowly] = 0.7
	})
	assert.Equal(t, -0.2, c.Reward(memorytest.Rules))
	assert.Equal(t, []memory.CanvasState{memory.StatePresented, memory.StateClosedSlowly}, c.States(patient), "exactly so long is slow")
	assert.Equal(t, 0.7, c.Reward(patient))
	assert.True(t, c.Presentations()[0].Quick(memorytest.Rules))
	assert.False(t, c.Presentations()[0].Quick(patient))
	never := changed(func(r *memory.CanvasRules) { r.QuickClose, r.Rewards = 0, nil })
	assert.Zero(t, c.Reward(never), "a state without a reward has 0")
	assert.Equal(t, memory.StateClosedSlowly, c.States(never)[1])
	same := memorytest.Canvas("sheets", shown, memorytest.Action(memorytest.Closed, 0))
	assert.Equal(t, memory.StateClosedSlowly, same.States(never)[1], "nothing is quicker than 0")
}

func TestCustomStates(t *testing.T) {
	t.Parallel()
	rules := changed(func(r *memory.CanvasRules) {
		r.States = []memory.CustomState{
			{Name: "EXPORTED", Key: "exported", Value: memory.JSON("true"), Reward: 0.4},
			{Name: "RAN_QUERY", Action: memorytest.Execute, Key: "query", Reward: 0.05},
			{Name: "FIRST_STEP", Key: "step", Value: memory.JSON(`{"at":[1]}`), Reward: 0.2},
			{Name: "NEWLINE", Key: "a\n\"b\\", Reward: 1},
		}
	})
	require.NoError(t, rules.Check())
	for name, test := range map[string]struct {
		actions []memory.CanvasAction
		states  []string
		reward  float64
	}{
		"nothing":                         {nil, []string{}, 0},
		"as it must be":                   {[]memory.CanvasAction{memorytest.Action(memorytest.Update, 1, `{"exported":true}`)}, []string{"EXPORTED"}, 0.4},
		"another value":                   {[]memory.CanvasAction{memorytest.Action(memorytest.Update, 1, `{"exported":"true"}`)}, []string{}, 0},
		"a number written in another way": {[]memory.CanvasAction{memorytest.Action(memorytest.Update, 1, `{"step":{"at":[1.0]}}`)}, []string{"FIRST_STEP"}, 0.2},
		"another number":                  {[]memory.CanvasAction{memorytest.Action(memorytest.Update, 1, `{"step":{"at":[1.5]}}`)}, []string{}, 0},
		"deeper down":                     {[]memory.CanvasAction{memorytest.Action(memorytest.Update, 1, `{"x":{"exported":true}}`)}, []string{}, 0},
		"any value":                       {[]memory.CanvasAction{memorytest.Action(memorytest.Execute, 1, `{"query":0}`)}, []string{"RAN_QUERY"}, 0.05},
		"null is none":                    {[]memory.CanvasAction{memorytest.Action(memorytest.Execute, 1, `{"query":null}`)}, []string{}, 0},
		"another action":                  {[]memory.CanvasAction{memorytest.Action(memorytest.Update, 1, `{"query":"x"}`)}, []string{}, 0},
		"a key with escapes":              {[]memory.CanvasAction{memorytest.Action(memorytest.Update, 1, `{"a\n\"b\\":1}`)}, []string{"NEWLINE"}, 1},
		"metadata of no keys":             {[]memory.CanvasAction{memorytest.Action(memorytest.Execute, 1, `["query"]`)}, []string{}, 0},
		"each time, two of one action": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Execute, 1, `{"query":"x","exported":true}`), memorytest.Action(memorytest.Update, 2, `{"exported":true}`),
		}, []string{"EXPORTED", "RAN_QUERY", "EXPORTED"}, 0.85},
		"beside those that are built in": {[]memory.CanvasAction{memorytest.Action(memorytest.Submit, 1, `{"exported":true}`)}, []string{"EXPORTED"}, 0.9},
	} {
		t.Run(name, func(t *testing.T) {
			c := memorytest.Canvas("sheets", test.actions...)
			assert.Equal(t, test.states, c.CustomStates(rules))
			assert.Equal(t, test.reward, c.Reward(rules))
			assert.Empty(t, c.CustomStates(memorytest.Rules))
		})
	}
}

func TestCanvasRulesAreChecked(t *testing.T) {
	t.Parallel()
	require.NoError(t, memory.DefaultCanvasRules().Check())
	require.NoError(t, (&memory.CanvasRules{}).Check())
	state := memory.CustomState{Name: "EXPORTED", Key: "exported"}
	own := func(change func(*memory.CustomState)) func(*memory.CanvasRules) {
		return func(r *memory.CanvasRules) {
			changed := state
			change(&changed)
			r.States = []memory.CustomState{state, changed}
		}
	}
	for name, test := range map[string]struct {
		change func(*memory.CanvasRules)
		field  string
	}{
		"negative seconds":    {func(r *memory.CanvasRules) { r.QuickClose = -1 }, "quick_close_seconds"},
		"more than a day":     {func(r *memory.CanvasRules) { r.QuickClose = 25 * time.Hour }, "quick_close_seconds"},
		"feedback below 0":    {func(r *memory.CanvasRules) { r.FeedbackReward = -0.1 }, "feedback_reward"},
		"feedback no number":  {func(r *memory.CanvasRules) { r.FeedbackReward = math.NaN() }, "feedback_reward"},
		"an unknown state":    {func(r *memory.CanvasRules) { r.Rewards["BORED"] = 1 }, "rewards.BORED"},
		"a reward too high":   {func(r *memory.CanvasRules) { r.Rewards[memory.StateErrorShown] = 10.5 }, "rewards.ERROR_SHOWN"},
		"a reward no number":  {func(r *memory.CanvasRules) { r.Rewards[memory.StateErrorShown] = math.NaN() }, "rewards.ERROR_SHOWN"},
		"infinite":            {func(r *memory.CanvasRules) { r.Rewards[memory.StateErrorShown] = math.Inf(-1) }, "rewards.ERROR_SHOWN"},
		"too many states":     {func(r *memory.CanvasRules) { r.States = make([]memory.CustomState, 33) }, "states"},
		"a name in lower":     {own(func(s *memory.CustomState) { s.Name = "exported" }), "states.1.name"},
		"a long name":         {own(func(s *memory.CustomState) { s.Name = strings.Repeat("X", 65) }), "states.1.name"},
		"a built-in name":     {own(func(s *memory.CustomState) { s.Name = "ERROR_SHOWN" }), "states.1.name"},
		"a name twice":        {own(func(*memory.CustomState) {}), "states.1.name"},
		"an unknown action":   {own(func(s *memory.CustomState) { s.Name, s.Action = "OTHER", "WAVE" }), "states.1.action"},
		"no key":              {own(func(s *memory.CustomState) { s.Name, s.Key = "OTHER", "" }), "states.1.key"},
		"an own reward, high": {own(func(s *memory.CustomState) { s.Name, s.Reward = "OTHER", 11 }), "states.1.reward"},
	} {
		t.Run(name, func(t *testing.T) {
			fault, ok := errors.AsType[*memory.Error](changed(test.change).Check())
			require.True(t, ok)
			assert.Equal(t, test.field, fault.Field)
		})
	}
}
