package compaction_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory/compaction"
)

func TestText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, lite, full string }{
		"nothing to do":            {text: "User wants refunds."},
		"empty":                    {text: ""},
		"only white space":         {text: " \n\t\n "},
		"spaces and lines":         {"one  two   three \n\n\n \nfour  ", "one two three\n\nfour", "one two three\n\nfour"},
		"lines of a paragraph":     {"one  two \nthree\nfour\n", "one two\nthree\nfour", "one two\nthree\nfour"},
		"before and after":         {"\n\n one\n\ntwo\n\n", "\n\n one\n\ntwo", "\n\n one\n\ntwo"},
		"Windows lines":            {"one \r\ntwo\r\n\r\n\r\nthree\r\n", "one\ntwo\n\nthree", "one\ntwo\n\nthree"},
		"another language":         {"Bitte  prüfen – 東京　は", "Bitte prüfen – 東京　は", "Bitte prüfen – 東京　は"},
		"marks of redaction":       {"Keep  [private] and [secret:jwt]", "Keep [private] and [secret:jwt]", "Keep [private] and [secret:jwt]"},
		"code span":                {text: "Run `git  add  a` now,  then wait in order to see. "},
		"code span over two lines": {text: "Run `git  add \n a` now. "},
		"fenced code":              {"Do  it:\n```sh\nx   y \n\n\n\nz\n```\ngo  on", "Do it:\n```sh\nx   y \n\n\n\nz\n```\ngo on", "Do it:\n```sh\nx   y \n\n\n\nz\n```\ngo on"},
		"a fence in a fence":       {text: "~~~~\n~~~\nx  y\n\n\n\nz\n~~~~\n"},
		"a fence without an end":   {text: "~~~\nx   y\n\n\n\nz  \n"},
		"indented lines":           {text: "    x   y\n\n\n\n\tz  \n  - a   b\n"},
		"a list":                   {text: "- one  two \n- three"},
		"a diff":                   {text: "@@ -1,4 +1,4 @@\n def f():\n \n \n-    return a\n+    return b"},
		"a line of a diff":         {text: "-    return a"},
		"a quoted mail":            {text: "> one  two"},
		"a table":                  {text: "a   | b\n--- | ---\n1   | 2 "},
		"columns":                  {text: "NAME    READY\nweb-1   1/1 \n\nx\ty"},
		"quotations":               {text: "He said \"we  wait in order to see\".\n\nIt says 'in order to  wait'.\n\nIt says “in order to  wait”."},
		"apostrophes":              {"It's the users'  fare.", "It's the users' fare.", "It's the users' fare."},

		"a term":          {text: "It is a simply supported beam"},
		"a name":          {text: "Really Simple Syndication"},
		"a time":          {text: "The error occurred at this point in time."},
		"hedges":          {text: "Perhaps it is, I think, basically not really very slow. Please note that."},
		"phrases":         {"He waited in order to see.", "He waited in order to see.", "He waited to see."},
		"another phrase":  {"It failed due to the fact that it rained.", "It failed due to the fact that it rained.", "It failed because it rained."},
		"in a name":       {text: "The song In Order To Dance is by Law In order to Order."},
		"before a name":   {text: "He waited in order to Go."},
		"part of a word":  {text: "The plug-in order to date, and the cabin order to come."},
		"brought about":   {"It ran in order in order to to see.", "It ran in order in order to to see.", "It ran to to see."},
		"over two lines":  {text: "He waited in order\nto see."},
		"made to be slow": {text: "He ran " + strings.Repeat("in order ", 20) + "to see."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.lite == "" {
				test.lite, test.full = test.text, test.text
			}
			assert.Equal(t, test.text, compaction.Off.Text(test.text))
			assert.Equal(t, test.lite, compaction.Lite.Text(test.text))
			assert.Equal(t, test.lite, compaction.Level("").Text(test.text), "the default")
			assert.Equal(t, test.full, compaction.Full.Text(test.text))
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]compaction.Level{
		"": compaction.Lite, "off": compaction.Off, "LITE": compaction.Lite, "Full": compaction.Full,
	} {
		level, err := compaction.Parse(name)
		require.NoError(t, err, name)
		assert.Equal(t, want, level, name)
	}
	_, err := compaction.Parse("most")
	assert.ErrorContains(t, err, `"most" is no level of compaction; there are OFF, LITE and FULL`)
}

// check holds what is true of any text.
func check(t require.TestingT, text string) {
	lite := compaction.Lite.Text(text)
	require.Equal(t, withoutWhiteSpace(text), withoutWhiteSpace(lite), "lite changes white space and nothing else")
	require.Equal(t, strings.Fields(text), strings.Fields(lite), "lite joins and parts no words")
	for _, level := range compaction.Levels {
		compacted := level.Text(text)
		require.LessOrEqual(t, len(compacted), len(text), "%s: %q became %q", level, text, compacted)
		require.Equal(t, compacted, level.Text(compacted), "%s: %q became %q", level, text, compacted)
		require.Equal(t, utf8.ValidString(text), utf8.ValidString(compacted))
	}
}

func withoutWhiteSpace(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// Of texts: what stays byte for byte, prose, and what stands between.
var (
	kept = []string{
		"```go\nx  :=  1 \n\n\n\n\ty\n```", "~~~\nin order to  wait\n~~~", "    x   y \n    z", "\tx  y", "  - one  two",
		"| a   | b |\n|-----|---|\n| 1   | 2 |", "a   | b\n--- | ---", "NAME    READY\nweb-1   1/1", "x\ty  z", "-    return a", "+  b  ", "@@ -1 +1 @@\n x  y\n-  a\n+  b",
		"Run `a  b` in order to  wait. ", "He said \"it  rains\". ", "> one  two ", "# one  two", "* one  two",
	}
	proses = []string{
		"one  two ", "It is a simply  supported beam.", "He waited in order to see  it. ", "It failed  due to the fact that it rained.\nIt is Really Simple Syndication. ", "It's  2025 ", "in order in order to to",
	}
	gaps = []string{"\n\n", "\n\n\n\n", "\n \n", "\r\n\r\n\r\n", "\n\t\n\n"}
)

func TestWhatIsNotProseStaysByteForByte(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		var stays []string
		for range rapid.IntRange(1, 8).Draw(t, "blocks") {
			block := rapid.SampledFrom(proses).Draw(t, "prose")
			if rapid.Bool().Draw(t, "stays") {
				block = rapid.SampledFrom(kept).Draw(t, "kept")
				stays = append(stays, block)
			}
			text.WriteString(block + rapid.SampledFrom(gaps).Draw(t, "gap"))
		}
		check(t, text.String())
		for _, level := range compaction.Levels {
			rest := level.Text(text.String())
			for _, block := range stays {
				_, after, found := strings.Cut(rest, block)
				require.True(t, found, "%s: %q became %q without %q", level, text.String(), level.Text(text.String()), block)
				rest = after
			}
		}
	})
}

func TestAnyText(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom(append([]string{
		" ", "  ", "\n", "\t", "\r", "```", "~~~", "`", "'", "\"", "|", "-", "+", ">", "a", "word", "in order to", "In order to", " in order to see", "until", " such time as", "ü", "\xff", "\u00a0", "\u2028",
	}, gaps...))
	rapid.Check(t, func(t *rapid.T) {
		check(t, strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "pieces"), ""))
	})
}

func FuzzCompact(f *testing.F) {
	for _, seed := range append(append([]string{"```\na\n``` ", "\xff a \xfe", "a ' b' `` ` ``", "-    return a"}, kept...), proses...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}
