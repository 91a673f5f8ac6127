package prose_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory/prose"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"support", "sales_report", "refund", "agent-1", "worker-a", "ada", "Straßenbau", "team-12-blue", "x"}
	for name, want := range map[string]string{
		"supprt": "support", "supprot": "support", "Support": "support", "supports": "support", "sales-report": "sales_report", "salesReport": "sales_report",
		"sale_reprot": "sales_report", "refunds": "refund", "agent_1": "agent-1", "agnet-1": "agent-1", "strassenbau": "Straßenbau", "team-12-blu": "",
		"agent-2": "", "agent": "", "worker-b": "", "wroker-a": "worker-a", "ida": "", "Ada": "ada", "y": "", "": "", "---": "", "billing": "",
		"team-13-blue": "", "sales": "", "report": "",
	} {
		assert.Equal(t, want, prose.Nearest(name, known), name)
	}
	assert.Equal(t, "refund", prose.Nearest("refnd", []string{"refundings", "refund", "refine"}), "the nearest of several")
	assert.Empty(t, prose.Nearest(strings.Repeat("x", 512), []string{strings.Repeat("y", 512)}))
}
