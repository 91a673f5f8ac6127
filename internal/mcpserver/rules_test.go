package mcpserver

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory/access"
)

func TestEveryToolHasARule(t *testing.T) {
	t.Parallel()
	for _, tool := range tools {
		of := tool.traits()
		assert.NotEmpty(t, of.rule, "say who may call %s", of.name)
		assert.Equal(t, of.reads, of.rule.Act == access.Reads.Act && of.rule.Full == "", "%s says to models whether it changes anything", of.name)
	}
}
