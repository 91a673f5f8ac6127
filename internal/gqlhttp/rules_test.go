package gqlhttp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory/access"
	"mneme/schema"
)

// TestEveryFieldHasARule walks the schema: what is new in it and has no rule fails here, and nobody may ask for it.
func TestEveryFieldHasARule(t *testing.T) {
	known, rules, fields := schema.Load(), Rules(), map[string]bool{}
	for _, root := range []string{"Query", "Mutation", "Subscription"} {
		for _, field := range known.Types[root].Fields {
			if name := root + "." + field.Name; !strings.HasPrefix(field.Name, "__") {
				fields[name] = true
				assert.Contains(t, rules, name, "say in rules.go who may ask for it")
			}
		}
	}
	for name, rule := range rules {
		assert.True(t, fields[name], "%s has a rule and is not in the schema", name)
		assert.Contains(t, access.Acts, rule.Act, name)
		if name == "Query.health" || name == "Query.keys" { // what is wrong with the memory, and who may ask it, is for whoever keeps it in order
			assert.Equal(t, access.Administers, rule, name)
		} else if root, _, _ := strings.Cut(name, "."); root != "Mutation" {
			assert.Equal(t, access.Reads.Act, rule.Act, "%s is no query if it does more than read", name)
		}
		if rule.Full != "" {
			assert.Contains(t, access.Acts, rule.Full, name)
			assert.NotEmpty(t, rule.Argument, name)
			assert.NotEqual(t, rule.Act, rule.Full, name)
		}
	}
}
