package memory

import (
	"strings"
	"testing"
	"time"

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

func TestAccountOfSources(t *testing.T) {
	wrong := "Ask first."
	var episodes []*Episode
	for day := range 7 {
		key := string(rune('a' + day))
		episodes = append(episodes, &Episode{
			Key: key, Observation: "case " + key, Insight: "why " + key, StartedAt: time.Date(2026, 1, 1+day, 0, 0, 0, 0, time.UTC),
		})
	}
	episodes[6].Context = &EpisodeContext{Feedback: []*Feedback{{Key: "f", Corrections: &wrong}}}
	episodes[5].Context = &EpisodeContext{Canvases: []*Canvas{{Key: "c"}}}

	require.Equal(t, "Episode: case g\nInsight: why g\nCorrection: Ask first.\n\nEpisode: case f\nInsight: why f\n\nEpisode: case b\nInsight: why b",
		AccountOfSources([]string{"episode:b", "feedback:f", "canvas:c"}, episodes), "the newest first")
	all := AccountOfSources([]string{"episode:a", "episode:b", "episode:c", "episode:d", "episode:e", "episode:f", "episode:g"}, episodes)
	require.Equal(t, 5, strings.Count(all, "Episode: "))
	require.NotContains(t, all, "case b")
	require.Empty(t, AccountOfSources(nil, episodes))
}
