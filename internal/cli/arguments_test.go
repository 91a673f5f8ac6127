package cli_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/internal/cli"
)

// TestEveryCommandNamesWhatItWants goes through all commands there are: what they lack, what they take too much of, and
// how they are given.
func TestEveryCommandNamesWhatItWants(t *testing.T) {
	t.Parallel()
	type fault struct{ args, says string }
	none := func(name string) []fault {
		return []fault{{"nonsense", `unknown command "nonsense" for "mneme ` + name + `"`}}
	}
	one := []fault{{"", "accepts 1 arg(s), received 0"}, {"a b", "accepts 1 arg(s), received 2"}}
	some := []fault{{"", "requires at least 1 arg(s)"}}
	faults := map[string][]fault{
		"agents":          none("agents"),
		"agents alerts":   none("agents alerts"),
		"agents profiles": none("agents profiles"),
		"agents rank":     one,
		"agents select":   one,
		"backfill":        none("backfill"),
		"backup":          one,
		"compact":         none("compact"),
		"connect":         append(one, fault{"cursor", `invalid argument "cursor" for "mneme connect"`}),
		"consolidate":     none("consolidate"),
		"demo":            none("demo"),
		"doctor":          none("doctor"),
		"episodes":        none("episodes"),
		"episodes list":   none("episodes list"),
		"episodes show":   one,
		"export":          {{"a b", "accepts at most 1 arg(s), received 2"}},
		"judges":          none("judges"),
		"judges analyze":  none("judges analyze"),
		"judges apply":    append(none("judges apply"), fault{"--threshold 7", `required flag(s) "judge" not set`}, fault{"--judge x", "[threshold remove] is required"}),
		"keys":            none("keys"),
		"keys create":     none("keys create"),
		"keys list":       none("keys list"),
		"keys reset":      none("keys reset"),
		"keys revoke":     one,
		"forget":          {{"", "at least one of the flags in the group [agent person record trace unreadable] is required"}, {"--agent a b", `unknown command "b" for "mneme forget"`}},
		"forget episodes": none("forget episodes"),
		"healthcheck":     {{"a b", "accepts at most 1 arg(s), received 2"}},
		"hook":            one,
		"import":          {{"x", `required flag(s) "format" not set`}, {"--format jsonl", "requires at least 1 arg(s)"}},
		"mcp":             none("mcp"),
		"memory":          none("memory"),
		"memory prune":    none("memory prune"),
		"next":            some,
		"recall":          some,
		"rebuild":         none("rebuild"),
		"restore":         one,
		"search":          some,
		"serve":           none("serve"),
		"version":         none("version"),
	}
	commands := cli.Commands()
	assert.Equal(t, slices.Sorted(maps.Keys(commands)), slices.Sorted(maps.Keys(faults)))
	for name, usage := range commands {
		for _, fault := range faults[name] {
			got := mneme(t, nil, "", append(strings.Fields(name), strings.Fields(fault.args)...)...)
			assert.Equal(t, 2, got.status, name)
			assert.True(t, strings.HasPrefix(got.err, "mneme: "), got.err)
			assert.Contains(t, got.err, fault.says, name)
			assert.Contains(t, got.err, "\nUsage: "+usage+"\nSee mneme "+name+" --help.\n")
		}
	}
}

// A value out of range is named, whichever command it is given to, and the status is that of misuse.
func TestArgumentsOutOfRangeAreMisuse(t *testing.T) {
	t.Parallel()
	run := sample(t)
	tooLong := strings.Repeat("x", 600)
	for _, tt := range []struct {
		args  []string
		names string
	}{
		{[]string{"memory", "prune", "--min-weight", "7"}, "--min-weight is 7"},
		{[]string{"memory", "prune", "--min-weight", "NaN"}, "--min-weight is NaN"},
		{[]string{"recall", "x", "--top-k", "0"}, "--top-k is 0"},
		{[]string{"recall", "x", "--min-feedback", "-2"}, "--min-feedback is -2"},
		{[]string{"recall", "x", "--max-tokens", "0"}, "--max-tokens must be"},
		{[]string{"recall", "x", "--time-range", "last_7d", "--since", "2026-01-01"}, "--time-range "},
		{[]string{"recall", "x", "--agent", tooLong}, "--agent "},
		{[]string{"judges", "analyze", "--min-sections", "-1"}, "--min-sections is -1"},
		{[]string{"judges", "analyze", "--judge", "a\tb"}, "--judge "},
		{[]string{"judges", "apply", "--judge", "x", "--threshold", "1e10"}, "--threshold is 1e+10"},
		{[]string{"judges", "apply", "--judge", "x", "--threshold", "NaN"}, "--threshold is NaN"},
		{[]string{"judges", "apply", "--judge", "x", "--remove", "--section-type", "a\tb"}, "--section-type "},
		{[]string{"agents", "rank", "a\tb"}, "the task type "},
		{[]string{"agents", "select", tooLong}, "the task type "},
		{[]string{"backfill", "--session", tooLong}, "--session "},
		{[]string{"consolidate", "--agent", "a\tb"}, "--agent "},
		{[]string{"forget", "--agent", ""}, "the id must not be empty"},
		{[]string{"forget", "--person", ""}, "the created by must not be empty"},
		{[]string{"forget", "--trace", ""}, "--trace must not be empty"},
	} {
		got := run(tt.args...)
		assert.Equal(t, 2, got.status, "%q: %s", tt.args, got.err)
		assert.True(t, strings.HasPrefix(got.err, "mneme: "+tt.names), "%q: %s", tt.args, got.err)
	}
}

// What is not found is told by the flag that named it, or by itself, and not by the name of a field.
func TestWhatIsNotFoundIsToldByItsFlag(t *testing.T) {
	t.Parallel()
	dir := beginning(t)
	for args, says := range map[string]string{
		"forget --record episode:nobody":        `the episode "episode:nobody" does not exist`,
		"keys revoke mneme_aaaaaaaa":            "there is no key mneme_aaaaaaaa",
		"episodes show nobody":                  `the episode "nobody" does not exist`,
		"episodes show episode:nobody --replay": `the record "episode:nobody" does not exist`,
	} {
		got := mneme(t, nil, "", append(strings.Fields(args), "--data", dir)...)
		assert.Equal(t, 1, got.status, args)
		assert.Equal(t, "mneme: NOT_FOUND: "+says+"\n", got.err, args)
	}
}

// What is no number is said in words, not in the names of the functions that read one.
func TestArgumentsOfAnotherTypeAreToldInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		says string
	}{
		{[]string{"recall", "x", "--top-k", "ten"}, `invalid argument "ten" for "--top-k" flag: invalid syntax`},
		{[]string{"recall", "x", "--top-k", "1.5"}, "invalid syntax"},
		{[]string{"recall", "x", "--top-k", "99999999999999999999"}, "value out of range"},
		{[]string{"recall", "x", "--min-feedback", "good"}, `invalid argument "good" for "--min-feedback" flag: invalid syntax`},
		{[]string{"memory", "prune", "--min-weight", "x"}, "invalid syntax"},
		{[]string{"judges", "apply", "--judge", "x", "--threshold", "x"}, "invalid syntax"},
		{[]string{"recall", "x", "--json=maybe"}, "invalid syntax"},
		{[]string{"recall", "x", "--since", "yesterday"}, "must be an RFC 3339 time"},
		{[]string{"recall", "x", "--nothing"}, "unknown flag: --nothing"},
		{[]string{"keys"}, "unknown flag: --data"},
		{[]string{"reca", "x", "--top-k", "2"}, "unknown command \"reca\" for \"mneme\"\n\nDid you mean this?\n\trecall\n"},
		{[]string{"forget", "--agnt", "x"}, "mneme: unknown flag: --agnt\n"},
	} {
		got := mneme(t, nil, "", append(tt.args, "--data", t.TempDir())...)
		assert.Equal(t, 2, got.status, "%q: %s", tt.args, got.err)
		assert.Contains(t, got.err, tt.says, "%q", tt.args)
		assert.NotContains(t, got.err, "strconv", "%q", tt.args)
		assert.Contains(t, got.err, "\nUsage: mneme ")
	}
}
