package summary

import (
	"fmt"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// StepsShown is how many steps a text names before it counts the rest.
const StepsShown = 20

// MostSteps is how many steps an episode keeps of a log: of a longer one the first half of as many and the last.
const MostSteps = 1000

// Steps is the actions in words: "search ×2 → book". Steps repeated in a row are counted.
func Steps(actions []memory.Action) string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = prose.OneLine(a.StepName)
	}
	runs := prose.CountRuns(names)
	if more := len(runs) - StepsShown; more > 0 {
		runs = append(runs[:StepsShown], fmt.Sprintf("%d more", more))
	}
	return strings.Join(runs, " → ")
}
