package summary

import (
	"fmt"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// StepsShown is how many steps a text names before it counts the rest.
const StepsShown = 20

// MaxSteps and MaxStepBytes are how many steps an episode keeps of a log, and of how many bytes: of a longer one the
// first, up to half of each, and the last. The same holds for its thoughts and its segments.
const (
	MaxSteps     = 1000
	MaxStepBytes = 4 << 20
)

// StepBytes is how much a step counts.
func StepBytes(a *memory.Action) int {
	return len(a.StepName) + len(a.Result) + len(memory.OrZero(a.StepID))
}

// unbroken is how many of the first steps surely have none left out between them: all of a run that has fewer than an
// episode keeps.
func unbroken(actions []memory.Action) int {
	if len(actions) < MaxSteps {
		return len(actions)
	}
	return MaxSteps / 2
}

// namesOf are the names of actions, each on a line.
func namesOf(actions []memory.Action) []string {
	return memory.Mapped(actions, func(a memory.Action) string { return prose.OneLine(a.StepName) })
}

// Steps is the actions in words: "search ×2 → book". Steps repeated in a row are counted.
func Steps(actions []memory.Action) string {
	runs := prose.CountRuns(namesOf(actions))
	if more := len(runs) - StepsShown; more > 0 {
		runs = append(runs[:StepsShown], fmt.Sprintf("%d more", more))
	}
	return strings.Join(runs, " → ")
}
