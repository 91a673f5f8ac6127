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
	switch differ := difference(from, to); {
	case differ != "" && len(from) > 0:
		return differ
	case wrong.Outcome == memory.OutcomeSuccess: // it may have done the same
		return ""
	case other.Result != nil && prose.OneLine(*other.Result) != "":
		return "answered: " + prose.Sentence(*other.Result)
	default:
		return differ
	}
}

// Difference tells in what runs that succeeded differ first from runs that failed, by the names of their steps: of the two that are alike for longest.
// It is empty where no run of one sort has other steps than those of the other.
func Difference(succeeded, failed [][]string) string {
	longest, told := -1, ""
	for _, to := range succeeded {
		for _, from := range failed {
			from, to := slices.Compact(slices.Clone(from)), slices.Compact(slices.Clone(to))
			differ := difference(from, to)
			if same := alike(from, to); differ != "" && same > longest {
				longest, told = same, differ
			}
		}
	}
	return told
}

// alike is how many steps two runs have in common from their beginning.
func alike(a, b []string) int {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return same
}

// difference tells what a run did instead of another, from the first step in which they differ.
func difference(from, to []string) string {
	same := alike(from, to)
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
	default:
		return did
	}
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
