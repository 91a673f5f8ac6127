package cli_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/cli"
)

// Ids stay whole on one line, whatever their length. A last column for which that leaves no room has its own lines.
func TestTablesKeepIDsWhole(t *testing.T) {
	t.Parallel()
	long := "episode:" + strings.Repeat("0123456789", 6)
	for id, want := range map[string]string{
		"episode:0": "#  EPISODE    TITLE\n1  episode:0  A kettle that leaks\n2  episode:e  Short\n",
		long:        "#  EPISODE\n    TITLE\n1  " + long + "\n    A kettle that leaks\n2  episode:e\n    Short\n",
	} {
		var text strings.Builder
		cli.Table(&text, []string{"#", "EPISODE", "TITLE"}, [][]string{{"1", id, "A kettle that leaks"}, {"2", "episode:e", "Short"}})
		assert.Equal(t, want, text.String())
	}
}

// The help of every command says how it is given.
func TestHelpTellsUsage(t *testing.T) {
	t.Parallel()
	for name := range cli.Commands() {
		help := done(t, "", append(strings.Fields(name), "--help")...)
		assert.Contains(t, help, "\nUsage:\n  mneme "+name)
	}
	assert.Contains(t, done(t, "", "--help"), "\nUsage:\n  mneme [flags]\n")
}

func TestEpisodesAreListed(t *testing.T) {
	t.Parallel()
	run := sample(t)
	type listed struct {
		Episodes []struct{ ID, AgentID, Outcome string }
		Total    int
		Next     *string
	}
	first := decoded[listed](t, run, "episodes", "list", "--first", "2", "--outcome", "failure")
	require.Len(t, first.Episodes, 2)
	require.NotNil(t, first.Next)
	next := decoded[listed](t, run, "episodes", "list", "--first", "2", "--outcome", "failure", "--after", *first.Next)
	assert.NotEqual(t, first.Episodes[0].ID, next.Episodes[0].ID)
	assert.Equal(t, "FAILURE", next.Episodes[0].Outcome)
	told := run("episodes", "list", "--first", "2", "--order", "feedback_desc").out
	assert.Contains(t, told, "EPISODE")
	assert.Contains(t, told, "in all. The next page: --after ")
	for line := range strings.SplitSeq(told, "\n") {
		if !strings.Contains(line, "--after") {
			assert.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
		}
	}
	assert.Contains(t, run("episodes", "list", "--until", "1980-01-01").out, "0 episodes in all.")
}
