package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

func rulesIn(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rules.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const someRules = `
quick_close_seconds = 2.5
feedback_reward = 0.5
[rewards]
CLOSED_QUICKLY = -1
[[states]]
name = "EXPORTED"
action = "EXECUTE"
key = "export"
value = { format = "pdf", pages = 2 }
reward = 0.4
[[states]]
name = "STARRED"
key = "starred"
`

func TestCanvasRulesOfAFile(t *testing.T) {
	config, err := ConfigFromEnv(lookup(map[string]string{"MNEME_CANVAS_RULES": rulesIn(t, someRules)}))
	require.NoError(t, err)
	want := memory.DefaultCanvasRules()
	want.QuickClose, want.FeedbackReward = 2500*time.Millisecond, 0.5
	want.Rewards[memory.StateClosedQuickly] = -1
	want.States = []memory.CustomState{
		{Name: "EXPORTED", Action: memory.CanvasExecute, Key: "export", Value: memory.JSON(`{"format":"pdf","pages":2}`), Reward: 0.4},
		{Name: "STARRED", Key: "starred"},
	}
	assert.Equal(t, want, config.CanvasRules)
	config, err = ConfigFromEnv(lookup(map[string]string{"MNEME_CANVAS_RULES": rulesIn(t, "# nothing\n")}))
	require.NoError(t, err)
	assert.Equal(t, memory.DefaultCanvasRules(), config.CanvasRules)
}

func TestTheRulesOfTheGuideAreTheUsualOnes(t *testing.T) {
	guide, err := os.ReadFile("../../docs/configuration.md")
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(guide), "```toml\n")
	text, _, _ = strings.Cut(text, "```")
	rules, err := parseRules(text, memory.CanvasRules{Rewards: map[memory.CanvasState]float64{}})
	require.NoError(t, err)
	require.Len(t, rules.States, 2)
	rules.States = nil
	assert.Equal(t, memory.DefaultCanvasRules(), rules)
}

func TestFaultsOfCanvasRulesNameTheFileAndTheKey(t *testing.T) {
	for text, says := range map[string]string{
		"quick_close_seconds = -1":                   "quick_close_seconds is -1; it must be in 0…86400",
		"quick_close_seconds = nan":                  "quick_close_seconds",
		"quick_close_seconds = 1e300":                "quick_close_seconds",
		"\nquick_close_seconds = soon":               "line 2",
		`feedback_reward = "much"`:                   "feedback_reward",
		"[rewards]\nCLOSED_QUICKLY = 20":             "rewards.CLOSED_QUICKLY is 20; it must be in −10…10",
		"[rewards]\nCLOSED_QUICKLY = 'low'":          "rewards.CLOSED_QUICKLY",
		"[rewards]\nBORED = 1":                       "rewards.BORED is no state",
		"seconds = 3":                                "seconds is no key",
		"[[states]]\nname = 'A'\nkey = 'a'\nif = 1":  "states.if is no key",
		"[[states]]\nname = 'A'":                     "states.0.key must be",
		"[[states]]\nname = 'A'\nkey='a'\nvalue=nan": "states.0.value",
		"states = 3":                                 "states",
		"\x00\xff":                                   "line 1",
	} {
		path := rulesIn(t, text)
		_, err := ConfigFromEnv(lookup(map[string]string{"MNEME_CANVAS_RULES": path}))
		assertMisuse(t, err, "MNEME_CANVAS_RULES", path, says)
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none.toml"), t.TempDir()} {
		_, err := ConfigFromEnv(lookup(map[string]string{"MNEME_CANVAS_RULES": path}))
		assertMisuse(t, err, "MNEME_CANVAS_RULES", path)
		assert.Equal(t, 1, strings.Count(err.Error(), path))
	}
}
