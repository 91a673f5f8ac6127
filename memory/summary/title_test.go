package summary_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/summary"
)

func TestTitleOf(t *testing.T) {
	t.Parallel()
	eighty := strings.Repeat("x", 80)
	for name, test := range map[string]struct{ observation, want string }{
		"short":                 {"Book a flight", "Book a flight"},
		"its first line":        {"Book a flight\nfrom JFK to SEA", "Book a flight"},
		"that says anything":    {"\n \t\n  Book   a\tflight  \nnow", "Book a flight"},
		"nothing":               {"", "Untitled episode"},
		"white space":           {" \n\t\u00a0\n", "Untitled episode"},
		"exactly eighty":        {eighty, eighty},
		"one long word":         {eighty + "x", eighty[:79] + "…"},
		"cut between words":     {strings.Repeat("eight888 ", 20), strings.TrimSpace(strings.Repeat("eight888 ", 8)) + "…"},
		"cut at the end of one": {strings.Repeat("x", 79) + " y", strings.Repeat("x", 79) + "…"},
		"runes, not bytes":      {strings.Repeat("ü", 90), strings.Repeat("ü", 79) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, summary.Title(test.observation))
		})
	}
}

func TestTitleOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		title := summary.Title(rapid.String().Draw(t, "observation"))
		assert.NotEmpty(t, title)
		assert.LessOrEqual(t, utf8.RuneCountInString(title), summary.MaxTitleRunes)
		assert.True(t, utf8.ValidString(title))
		assert.Equal(t, strings.Join(strings.Fields(title), " "), title)
	})
}
