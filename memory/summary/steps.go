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

// longestStep is how long a step of a log may be, as any text.
const longestStep = 1 << 20

// StepBytes is how much a step counts.
func StepBytes(a *memory.Action) int {
	bytes := len(a.StepName) + len(a.Result)
	if a.StepID != nil {
		bytes += len(*a.StepID)
	}
	return bytes
}

// unbroken is how many of the first steps surely have none left out between them. It is all of them where the log was
// surely short.
func unbroken(actions []memory.Action) int {
	first, bytes := 0, 0
	for i := range actions {
		if bytes += StepBytes(&actions[i]); bytes <= MaxStepBytes/2-longestStep && i < MaxSteps/2 {
			first++
		}
	}
	// Where a list was cut for its bytes, each half has more than what leaves no room for a longest step.
	if len(actions) < MaxSteps && bytes <= MaxStepBytes-2*longestStep {
		return len(actions)
	}
	return first
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
