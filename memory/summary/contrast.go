package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// FailedStep tells the step that a run failed at: the first whose result reads like an error and that was not done
// again without one. It is empty where there is none.
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

// Contrast tells what another run did where a run went wrong: the first steps in which they differ, or its result where
// it took no other step. It is empty where nothing is known of either, and where both succeeded by the same steps.
func Contrast(wrong, other *memory.Episode) string {
	from, to := stepsOf(wrong), stepsOf(other)
	answered := ""
	if other.Result != nil && prose.OneLine(*other.Result) != "" {
		answered = "answered: " + prose.Sentence(*other.Result)
	}
	same := alike(from, to)
	switch {
	case len(from) > 0 && same < len(to):
		return difference(from, to)
	case len(from) > same && same > 0 && answered != "":
		return "after " + from[same-1] + " " + answered
	case len(from) > same && same > 0:
		return difference(from, to)
	case wrong.Outcome == memory.OutcomeSuccess: // it may have done the same
		return ""
	}
	return cmp.Or(answered, difference(from, to))
}

// Difference tells in what of two runs the one that succeeded differs first from the one that failed, by the names of
// their steps, for the run and of others the one that is alike for longest. It is empty where none has other steps.
func Difference(run []string, others [][]string, succeeded bool) (told string, other int) {
	longest := -1
	for i, steps := range others {
		from, to := slices.Compact(slices.Clone(steps)), slices.Compact(slices.Clone(run))
		if !succeeded {
			from, to = to, from
		}
		if same, differ := alike(from, to), difference(from, to); differ != "" && same > longest {
			longest, told, other = same, differ, i
		}
	}
	return told, other
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
	before, rest, instead := "", to[same:], ""
	if same > 0 {
		before = "after " + from[same-1] + " "
	}
	if same < len(from) {
		instead = from[same]
	}
	did := "did " + strings.Join(rest[:min(len(rest), contrasted)], " → ")
	switch later := slices.Index(rest, instead); {
	case len(rest) == 0 && before != "" && instead != "":
		return "ended " + before + "instead of " + instead
	case len(rest) == 0:
		return ""
	case instead != "" && later > 0 && later <= contrasted:
		return before + "did " + strings.Join(rest[:later], " → ") + " before " + instead
	case instead != "":
		return before + did + " instead of " + instead
	case len(from) > 0:
		return before + "also " + did
	}
	return did
}

// contrasted is how many steps of another run are told.
const contrasted = 3

// stepsOf are the names of an episode's steps; what was repeated in a row is one.
func stepsOf(e *memory.Episode) []string { return slices.Compact(namesOf(e.Actions)) }
