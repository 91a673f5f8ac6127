package memory

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAccount(t *testing.T) {
	result := "refund refused"
	e := &Episode{
		Observation: "A customer wants a refund", Thoughts: []string{"look it up", "ask\nthe policy"}, Result: &result, Outcome: OutcomeFailure,
		Actions: []Action{{StepName: "find order", Result: JSON(`{"order":7}`)}, {StepName: "refund"}},
	}
	require.Equal(t, "Situation: A customer wants a refund\nLast thought: ask the policy\nStep 1, find order: {\"order\":7}\n"+
		"Step 2, refund\nResult: refund refused\nOutcome: failure", Account(e))
	require.Equal(t, "Situation: \nOutcome: success", Account(&Episode{Outcome: OutcomeSuccess}))
}

func TestAccountOfALongRunIsBounded(t *testing.T) {
	long := strings.Repeat("long ", 100_000)
	e := &Episode{Observation: long, Thoughts: []string{long}, Result: &long, Outcome: OutcomeSuccess}
	for range 500 {
		e.Actions = append(e.Actions, Action{StepName: "step", Result: JSON(`"` + long + `"`)})
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
	wrong := "Ask first."
	var episodes []*Episode
	for day := range 7 {
		key := string(rune('a' + day))
		episodes = append(episodes, &Episode{Key: key, Observation: "case " + key, Insight: "why " + key})
	}
	episodes[0].Context = &EpisodeContext{Feedback: []*Feedback{{Key: "f", Corrections: &wrong}}}

	require.Equal(t, "Episode: case a\nInsight: why a\nCorrection: Ask first.\n\nEpisode: case b\nInsight: why b", AccountOfEpisodes(episodes[:2]))
	all := AccountOfEpisodes(episodes)
	require.Equal(t, 5, strings.Count(all, "Episode: "))
	require.NotContains(t, all, "case f")
	require.Empty(t, AccountOfEpisodes(nil))
}
