package summary

import (
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// FailedStep tells the step that a run failed at: the first whose result reads like an error and that was not done again
// without one. It is empty where there is none.
func FailedStep(e *memory.Episode) string {
	for i, action := range e.Actions {
		fault := Fault(action.Result)
		mended := func(later memory.Action) bool { return later.StepName == action.StepName && Fault(later.Result) == "" }
		if fault != "" && !slices.ContainsFunc(e.Actions[i+1:], mended) {
			return fmt.Sprintf("%s (%s): %s", prose.OneLine(action.StepName), strings.TrimPrefix(place(i, e.Actions), "at "), prose.Sentence(fault))
		}
	}
	return ""
}

// Contrast tells what another run did where a run went wrong: the first steps in which they differ, else its result, where the other did not
// succeed, too. It is empty where nothing is known of either.
func Contrast(wrong, other *memory.Episode) string {
	from, to := stepsOf(wrong), stepsOf(other)
	same := 0
	for same < min(len(from), len(to)) && from[same] == to[same] {
		same++
	}
	before, did, instead := "", "", ""
	if same > 0 {
		before = "after " + from[same-1] + " "
	}
	if rest := to[same:]; len(rest) > 0 {
		did = "did " + strings.Join(rest[:min(len(rest), contrasted)], " → ")
	}
	if same < len(from) {
		instead = from[same]
	}
	switch {
	case did != "" && instead != "":
		return before + did + " instead of " + instead
	case instead != "" && before != "":
		return before + "did not go on with " + instead
	case did != "" && len(from) > 0:
		return before + "also " + did
	case wrong.Outcome == memory.OutcomeSuccess: // it may have done the same
		return ""
	case other.Result != nil && prose.OneLine(*other.Result) != "":
		return "answered: " + prose.Sentence(*other.Result)
	}
	return strings.TrimSpace(before + did)
}

// contrasted is how many steps of another run are told.
const contrasted = 3

// stepsOf are the names of an episode's steps; what was repeated in a row is one.
func stepsOf(e *memory.Episode) []string {
	names := make([]string, len(e.Actions))
	for i, a := range e.Actions {
		names[i] = prose.OneLine(a.StepName)
	}
	return slices.Compact(names)
}
