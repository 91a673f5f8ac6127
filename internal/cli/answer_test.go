package cli_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/cli"
)

// A table is 80 characters wide at most, and holds all that is in it.
func TestTablesFit(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	id := "episode:" + strings.Repeat("0123456789", 12)
	cli.Table(&text, []string{"#", "EPISODE", "TITLE"}, [][]string{
		{"1", id, "A customer wants a refund for a kettle that leaks, and has lost the receipt that came with it"}, {"2", "episode:e", "Short"},
	})
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	for _, line := range lines {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
	}
	assert.Equal(t, id, strings.Join(column(lines[1:len(lines)-1], "EPISODE", lines[0]), ""))
	assert.Contains(t, strings.Join(column(lines[1:len(lines)-1], "TITLE", lines[0]), " "), "has lost the receipt")
	assert.Regexp(t, `^2  episode:e +Short$`, lines[len(lines)-1])
	require.Greater(t, len(lines), 4)
}

// column is what stands under a heading, up to the next two spaces.
func column(lines []string, heading, head string) (cells []string) {
	at := strings.Index(head, heading)
	for _, line := range lines {
		if len(line) > at {
			cell, _, _ := strings.Cut(line[at:], "  ")
			cells = append(cells, cell)
		}
	}
	return cells
}

// The help of every command begins with how it is given.
func TestHelpBeginsWithUsage(t *testing.T) {
	t.Parallel()
	for name := range cli.Commands() {
		help := done(t, "", append(strings.Fields(name), "--help")...)
		assert.True(t, strings.HasPrefix(help, "Usage:\n  mneme "+name), name)
	}
	assert.True(t, strings.HasPrefix(done(t, "", "--help"), "Usage:\n  mneme [flags]\n"))
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
