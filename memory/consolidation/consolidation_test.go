package consolidation_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/memory/memorytest"
)

// pastRefund is the n-th refund that an agent worked on, a day after the one before.
func pastRefund(n int, outcome memory.Outcome) *memory.Episode {
	return &memory.Episode{
		Key: fmt.Sprintf("e%02d", n), AgentKey: "support", TaskType: new("refund"), Outcome: outcome, StartedAt: memorytest.Day(float64(n)),
		Insight: fmt.Sprintf("Fare %d was not\nrefundable", n),
		Actions: []memory.Action{{StepName: "get_user"}, {StepName: fmt.Sprint("other_", n)}, {StepName: "cancel"}, {StepName: "cancel"}},
		Context: &memory.EpisodeContext{},
	}
}

func showing(n int, canvasType string, dwell time.Duration, submit bool) *memory.Canvas {
	c := &memory.Canvas{Key: fmt.Sprintf("c%02d", n), CanvasType: canvasType, ComponentType: new("line")}
	at := memorytest.Day(float64(n))
	c.Actions = []memory.CanvasAction{{Action: memory.CanvasPresent, At: at}}
	if submit {
		c.Actions = append(c.Actions, memory.CanvasAction{Action: memory.CanvasSubmit, At: at.Add(dwell / 2)})
	}
	if dwell > 0 {
		c.Actions = append(c.Actions, memory.CanvasAction{Action: memory.CanvasClose, At: at.Add(dwell)})
	}
	return c
}

// consolidate tells the episodes to a Consolidation, the newest first, agent by agent.
func consolidate(episodes []*memory.Episode) []consolidation.Finding {
	newestFirst := slices.SortedFunc(slices.Values(episodes), func(a, b *memory.Episode) int {
		return cmp.Or(cmp.Compare(a.AgentKey, b.AgentKey), b.StartedAt.Compare(a.StartedAt), cmp.Compare(b.Key, a.Key))
	})
	found := []consolidation.Finding{}
	for len(newestFirst) > 0 {
		agent := newestFirst[0].AgentKey
		c := consolidation.New(agent, memorytest.Rules)
		for len(newestFirst) > 0 && newestFirst[0].AgentKey == agent {
			c.Add(newestFirst[0])
			newestFirst = newestFirst[1:]
		}
		found = append(found, c.Found()...)
	}
	return found
}

// contents is the observations by their patterns.
func contents(found []consolidation.Finding) map[string]string {
	said := map[string]string{}
	for _, c := range found {
		said[c.Pattern] = c.Content
	}
	return said
}

func TestConsolidateOutcomes(t *testing.T) {
	t.Parallel()
	episodes := []*memory.Episode{
		pastRefund(1, memory.OutcomeFailure), pastRefund(2, memory.OutcomeSuccess), pastRefund(3, memory.OutcomeFailure),
		pastRefund(4, memory.OutcomeUnknown), pastRefund(5, memory.OutcomeFailure), pastRefund(6, memory.OutcomeSuccess),
	}
	assert.Equal(t, []consolidation.Finding{{
		Key: "consolidated/support/failure/refund/3", Pattern: "support: failure of refund", Importance: memory.ImportanceMedium,
		Content: "support: refund failed in 3 of 5 episodes, from 2025-03-02 to 2025-03-06. " +
			"Steps in all of them: get_user, cancel. Latest insight: Fare 5 was not refundable.",
		About: []string{"episode:e01", "episode:e03", "episode:e05"}, Episodes: []string{"e05", "e03", "e01"},
	}}, consolidate(episodes))

	assert.Empty(t, consolidate(episodes[:4]), "two failures are no pattern")
	episodes[0].AgentKey = "another"
	assert.Empty(t, consolidate(episodes), "nor is what two agents did")
	assert.Equal(t, []consolidation.Finding{}, consolidate(nil))
}

func TestConsolidateFaultsOfSteps(t *testing.T) {
	t.Parallel()
	var episodes []*memory.Episode
	for n, result := range []string{`"Error: no such user"`, `{"error":"timeout"}`, `"fine"`, `"Error: user\n locked"`} {
		e := pastRefund(n, memory.OutcomeUnknown)
		e.Actions = []memory.Action{
			{StepName: "get/user", Result: memory.JSON(result)}, {StepName: "get/user", Result: memory.JSON(result)}, // once an episode
			{StepName: "cancel", Result: memory.JSON(`"done"`)},
		}
		episodes = append(episodes, e)
	}
	found := consolidate(episodes)
	require.Len(t, found, 1)
	assert.Equal(t, "consolidated/support/fault/get%2Fuser/3", found[0].Key)
	assert.Equal(t, "support: step get/user gave what reads like an error in 3 of the 4 episodes that took it. Latest: Error: user locked.", found[0].Content)
	assert.Equal(t, []string{"episode:e00", "episode:e01", "episode:e03"}, found[0].About)
}

func TestConsolidateReactions(t *testing.T) {
	t.Parallel()
	e := pastRefund(1, memory.OutcomeUnknown)
	e.Context.Canvases = []*memory.Canvas{
		showing(9, "charts", 3*time.Second, false), showing(8, "charts", 2*time.Second, false), showing(7, "charts", time.Second, false),
		showing(6, "charts", 0, false), // never closed
		showing(5, "forms", time.Minute, true), showing(4, "forms", 30*time.Second, true), showing(3, "forms", 0, true),
		showing(2, "forms", 0, false), showing(1, "docs", time.Minute, false),
	}
	found := consolidate([]*memory.Episode{e})
	assert.Equal(t, map[string]string{
		"support: people quickly close charts/line": "support: canvas charts/line was closed after 2.0 s on average, over 3 presentations.",
		"support: people stay with forms/line":      "support: canvas forms/line was closed or submitted after 15.0 s on average, over 3 presentations.",
		"support: people submit forms/line":         "support: canvas forms/line was submitted in 3 of 4 showings.",
	}, contents(found))
	assert.Equal(t, []string{"canvas:c07", "canvas:c08", "canvas:c09"}, found[0].About)
	assert.Equal(t, "consolidated/support/closesQuickly/charts%2Fline/3", found[0].Key)

	e.Context.Canvases = []*memory.Canvas{
		showing(4, "forms", 4*time.Second, true), showing(3, "forms", 4*time.Second, true), showing(2, "forms", 4*time.Second, false), showing(1, "forms", 4*time.Second, false),
	}
	assert.Empty(t, consolidate([]*memory.Episode{e}), "what is submitted as often is not closed quickly")
	e.Context.Canvases[0] = showing(4, "forms", 4*time.Second, false)
	assert.Equal(t, map[string]string{
		"support: people quickly close forms/line": "support: canvas forms/line was closed or submitted after 3.5 s on average, over 4 presentations.",
	}, contents(consolidate([]*memory.Episode{e})))
}

func TestConsolidateCorrections(t *testing.T) {
	t.Parallel()
	var episodes []*memory.Episode
	for n, text := range []string{"Read the fare rules first!", "read the  fare rules first", "Say the price", "READ THE FARE RULES FIRST."} {
		e := pastRefund(n, memory.OutcomeUnknown)
		e.Context.Feedback = []*memory.Feedback{
			{
				Key:      fmt.Sprint("f", n),
				Reaction: memory.Reaction{Corrections: new(text), CreatedAt: memorytest.Day(float64(n))},
			},
			{Key: fmt.Sprint("g", n), Reaction: memory.Reaction{CreatedAt: memorytest.Day(float64(n))}},
			{
				Key:      fmt.Sprint("h", n),
				Reaction: memory.Reaction{Corrections: new(" …"), CreatedAt: memorytest.Day(float64(n))},
			},
		}
		episodes = append(episodes, e)
	}
	found := consolidate(episodes)
	require.Len(t, found, 1)
	assert.Equal(t, "support: people corrected this 3 times: READ THE FARE RULES FIRST.", found[0].Content)
	assert.Equal(t, memory.ImportanceHigh, found[0].Importance)
	assert.Equal(t, []string{"feedback:f0", "feedback:f1", "feedback:f3"}, found[0].About)
}

func TestConsolidateSaysItAgainWhenTheEvidenceHasDoubled(t *testing.T) {
	t.Parallel()
	var episodes []*memory.Episode
	keys := map[string]bool{}
	for n := range 24 {
		episodes = append(episodes, pastRefund(n, memory.OutcomeFailure))
		for _, c := range consolidate(episodes) {
			keys[c.Key] = true
		}
	}
	assert.Len(t, keys, 4, "at 3, 6, 12 and 24: %v", keys)
}

func TestConsolidateKeysFit(t *testing.T) {
	t.Parallel()
	var episodes []*memory.Episode
	for n := range 3 {
		e := pastRefund(n, memory.OutcomeFailure)
		e.TaskType = new(strings.Repeat("/", 500))
		episodes = append(episodes, e)
	}
	found := consolidate(episodes)
	require.Len(t, found, 1)
	assert.NoError(t, memory.CheckKey("id", found[0].Key))
}

func TestConsolidatedKeysTellTheAgent(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "consolidated/help%2Fdesk/", consolidation.KeyPrefix("help/desk"))
	for _, agent := range []string{"support", "help/desk", strings.Repeat("a", 512)} {
		for _, taskType := range []string{"refund", strings.Repeat("/", 500)} {
			var episodes []*memory.Episode
			for n := range 3 {
				e := pastRefund(n, memory.OutcomeFailure)
				e.AgentKey, e.TaskType = agent, &taskType
				episodes = append(episodes, e)
			}
			found := consolidate(episodes)
			require.Len(t, found, 1)
			assert.True(t, strings.HasPrefix(found[0].Key, consolidation.KeyPrefix(agent)), found[0].Key)
			assert.NoError(t, memory.CheckKey("id", found[0].Key))
		}
	}
}

func TestConsolidateLinksToTheNewestOfAGreatManySources(t *testing.T) {
	t.Parallel()
	var episodes []*memory.Episode
	for n := range 1100 {
		e := pastRefund(n, memory.OutcomeSuccess)
		e.Key = fmt.Sprintf("e%04d", n)
		episodes = append(episodes, e)
	}
	found := consolidate(episodes)
	require.Len(t, found, 1)
	assert.Len(t, found[0].About, 1000)
	assert.Equal(t, "episode:e1099", found[0].About[999])
}

// What an agent never does twice must not fill the memory, nor hide what recurs.
func TestConsolidationOfManyDifferentThingsIsBounded(t *testing.T) {
	t.Parallel()
	c := consolidation.New("support", memorytest.Rules)
	for n := 30_000; n > 0; n-- {
		e := pastRefund(n, memory.OutcomeFailure)
		e.TaskType = new(fmt.Sprint("task ", n))
		e.Actions = []memory.Action{{StepName: fmt.Sprint("step ", n), Result: memory.JSON(`"Error: no"`)}}
		e.Context.Feedback = []*memory.Feedback{{
			Key:      fmt.Sprint("f", n),
			Reaction: memory.Reaction{Corrections: new(fmt.Sprint("No, ", n)), CreatedAt: memorytest.Day(0)},
		}}
		if n%3000 == 0 {
			e.TaskType = new("refund")
			e.Context.Feedback[0].Corrections = new(strings.Repeat("Never! ", 100_000))
		}
		c.Add(e)
		require.LessOrEqual(t, consolidation.ConsolidationGroups(c), 5*10_000)
	}
	found := c.Found()
	require.Len(t, found, 2)
	for _, pattern := range found {
		require.Less(t, len(pattern.Content), 10_000)
		require.NoError(t, memory.CheckKey("id", pattern.Key))
	}
}

func TestConsolidateKnowsNoOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var episodes []*memory.Episode
		for n := range rapid.IntRange(0, 12).Draw(t, "episodes") {
			e := pastRefund(n, rapid.SampledFrom([]memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure}).Draw(t, "outcome"))
			e.AgentKey = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "agent")
			for c := range rapid.IntRange(0, 3).Draw(t, "canvases") {
				e.Context.Canvases = append(e.Context.Canvases, showing(10*n+c, "charts", 2*time.Second, c > 1))
				e.Context.Feedback = append(e.Context.Feedback, &memory.Feedback{Key: fmt.Sprint(n, c), Reaction: memory.Reaction{Corrections: new("No."), CreatedAt: memorytest.Day(0)}})
			}
			episodes = append(episodes, e)
		}
		found := consolidate(episodes)
		shuffled := rapid.Permutation(episodes).Draw(t, "order")
		for _, e := range shuffled {
			slices.Reverse(e.Context.Canvases)
			slices.Reverse(e.Context.Feedback)
		}
		assert.Equal(t, found, consolidate(shuffled))
		for _, c := range found {
			assert.GreaterOrEqual(t, len(c.About), consolidation.RecurringSources)
		}
	})
}

func TestWhatIsOfSeveralUsersIsNobodys(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ users, want []*string }{
		"nobody": {[]*string{nil, nil, nil}, []*string{nil}}, "one": {[]*string{new("ann"), new("ann"), new("ann")}, []*string{new("ann")}},
		"two": {[]*string{new("ann"), new("bob"), new("bob")}, []*string{new(memory.SeveralUsers)}}, "one and nobody": {[]*string{nil, nil, new("bob")}, []*string{new(memory.SeveralUsers)}},
	} {
		c := consolidation.New("ada", memory.DefaultCanvasRules())
		for i, user := range test.users {
			c.Add(&memory.Episode{Key: string(rune('a' + i)), TaskType: new("refund"), Outcome: memory.OutcomeFailure, UserID: user, Context: &memory.EpisodeContext{}})
		}
		found := c.Found()
		require.Len(t, found, 1, name)
		assert.Equal(t, test.want[0], found[0].UserID, name)
	}
}
