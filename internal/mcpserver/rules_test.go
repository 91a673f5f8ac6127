package mcpserver

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory/access"
)

// TestEveryToolHasARule: a new tool without one would not be served.
func TestEveryToolHasARule(t *testing.T) {
	t.Parallel()
	rules, names := Rules(), map[string]bool{}
	for _, tool := range tools {
		name, reads := tool.readOnly()
		names[name] = true
		rule, ruled := rules[name]
		assert.True(t, ruled, "say in rules.go who may call %s", name)
		assert.Equal(t, reads, rule.Act == access.Reads.Act && rule.Full == "", "%s says to models whether it changes anything", name)
	}
	for name := range rules {
		assert.True(t, names[name], "%s has a rule and is no tool", name)
	}
}
