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
	type fault struct{ args, says string }
	none := func(name string) []fault { return []fault{{"nonsense", name + " takes no arguments"}} }
	group := func(name string) []fault {
		return []fault{{"nonsense", `unknown command "nonsense" for "mneme ` + name + `"`}}
	}
	faults := map[string][]fault{
		"agents":         {{"rnk", "did you mean rank?"}},
		"agents rank":    {{"", "agents rank needs a task type"}, {"a b", "agents rank takes a task type and no more, and got 2"}},
		"agents select":  {{"", "agents select needs a task type"}, {"a b", "agents select takes a task type and no more, and got 2"}},
		"backfill":       none("backfill"),
		"backup":         {{"", "backup needs a file"}, {"a b", "backup takes a file and no more, and got 2"}},
		"compact":        none("compact"),
		"consolidate":    none("consolidate"),
		"demo":           none("demo"),
		"doctor":         none("doctor"),
		"export":         {{"a b", "export takes a file and no more, and got 2"}},
		"judges":         group("judges"),
		"judges analyze": none("judges analyze"),
		"forget":         {{"", "forget needs an agent, a person or a trace (--agent, --person, --trace)"}, {"--agent a b", "forget takes no arguments"}},
		"help":           {{"nonsense", `unknown command "nonsense" for "mneme"`}, {"memory nonsense", `unknown command "nonsense" for "mneme memory"`}, {"reca", "did you mean recall?"}},
		"import":         {{"", "import needs a format (--format)"}, {"--format jsonl", "import needs a file"}},
		"mcp":            none("mcp"),
		"memory":         group("memory"),
		"memory prune":   none("memory prune"),
		"recall":         {{"", "recall needs a situation"}},
		"serve":          none("serve"),
		"version":        none("version"),
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

// What a variable that is not set leaves of an argument is not taken for one.
func TestEmptyArgumentsAreNone(t *testing.T) {
	for _, args := range [][]string{
		{"recall", ""}, {"agents", "rank", " "}, {"agents", "select", ""}, {"backup", ""}, {"export", ""}, {"import", "--format", "jsonl", ""},
	} {
		got := mneme(t, nil, "", args...)
		assert.Equal(t, 2, got.status, args)
		assert.Contains(t, got.err, "got an empty argument", args)
	}
}
