package summary

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	result := "refund refused"
	e := &memory.Episode{
		Observation: "A customer wants a refund", Thoughts: []string{"look it up", "ask\nthe policy"}, Result: &result, Outcome: memory.OutcomeFailure,
		Actions: []memory.Action{{StepName: "find order", Result: memory.JSON(`{"order":7}`)}, {StepName: "refund"}},
	}
	require.Equal(t, "Situation: A customer wants a refund\nLast thought: ask the policy\nStep 1, find order: {\"order\":7}\n"+
		"Step 2, refund\nResult: refund refused\nOutcome: failure", Account(e))
	require.Equal(t, "Situation: \nOutcome: success", Account(&memory.Episode{Outcome: memory.OutcomeSuccess}))
}

func TestAccountOfALongRunIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 100_000)
	e := &memory.Episode{Observation: long, Thoughts: []string{long}, Result: &long, Outcome: memory.OutcomeSuccess}
	for range 500 {
		e.Actions = append(e.Actions, memory.Action{StepName: "step", Result: memory.JSON(`"` + long + `"`)})
	}
	account := Account(e)
	require.Less(t, len(account), 30_000)
	require.Contains(t, account, "Step 15, step")
	require.Contains(t, account, "(470 steps left out)")
	require.NotContains(t, account, "Step 16, step")
	require.NotContains(t, account, "Step 485, step")
	require.Contains(t, account, "Step 486, step")
	require.Contains(t, account, "Step 500, step")
}

func TestAccountOfEpisodes(t *testing.T) {
	t.Parallel()
	wrong, liked, blank := "Ask first.", "So\nquick", " "
	var episodes []*memory.Episode
	for day := range 7 {
		key := string(rune('a' + day))
		episodes = append(episodes, &memory.Episode{Key: key, Observation: "case " + key, Insight: "why " + key})
	}
	episodes[0].Context = &memory.EpisodeContext{Feedback: []*memory.Feedback{{Key: "f", Reaction: memory.Reaction{Corrections: &wrong, Comment: &liked}}, {Key: "g", Reaction: memory.Reaction{Corrections: &blank, Comment: &blank}}}}

	require.Equal(t, "Episode: case a\nInsight: why a\nCorrection: Ask first.\nComment: So quick\n\nEpisode: case b\nInsight: why b", Accounts(episodes[:2]))
	all := Accounts(episodes)
	require.Equal(t, 5, strings.Count(all, "Episode: "))
	require.NotContains(t, all, "case f")
	require.Empty(t, Accounts(nil))
}
