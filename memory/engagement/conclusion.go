package engagement

import (
	"cmp"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/memory/prose"
)

// What it takes to say how people take a sort of canvas.
const (
	// surelyTaken is how many canvases of a sort say something by themselves. One alone does so only beside another sort
	// that was taken the other way: what is seen then is the difference.
	surelyTaken = 2
	// mostlyTaken is the least share of a sort's canvases that were taken the same way: one that contradicts one or two
	// leaves it open, beside three it was chance.
	mostlyTaken = 0.75
	// sortsTold is how many sorts are named of each way, those of most canvases.
	sortsTold = 3
)

// Conclusion says in a sentence how people take what they are shown: "People here close line charts quickly and stay
// with bar charts." Sorts of canvas are told apart by what they are called. A canvas counts once, however often it was
// shown; one that was neither closed nor submitted does not. Nothing is said of what people keep although the feedback
// on it is below 0 on average, or close quickly although it is above. It is empty where nothing follows.
func Conclusion(canvases []*memory.Canvas, feedback []*memory.Feedback, rules *memory.CanvasRules) string {
	sorts := takenSorts(canvases, feedback, rules)
	ways := map[bool]bool{} // whether any sort was closed quickly, and whether any was kept
	for _, s := range sorts {
		if how := s.mostly(); how != untold {
			ways[how == quick] = true
		}
	}
	var clauses []string
	for _, way := range []struct {
		how           taking
		before, after string
	}{{quick, "close ", " quickly"}, {stayed, "stay with ", ""}, {submitted, "submit ", ""}} {
		var names []string
		for _, s := range sorts {
			if s.mostly() == way.how && (s.count() >= surelyTaken || ways[way.how != quick]) {
				names = append(names, s.name.many())
			}
		}
		if len(names) > 0 {
			clauses = append(clauses, way.before+prose.Listed(names[:min(len(names), sortsTold)], "and")+way.after)
		}
	}
	if len(clauses) == 0 {
		return ""
	}
	return "People here " + prose.Listed(clauses, "and") + "."
}

// takenSort is how the canvases of a sort were taken, and the sum of the scores on them.
type takenSort struct {
	name  canvasName
	taken map[taking]int
	score float64
}

// takenSorts counts by name, those of most canvases first.
func takenSorts(canvases []*memory.Canvas, feedback []*memory.Feedback, rules *memory.CanvasRules) []*takenSort {
	sorts, byCanvas := map[canvasName]*takenSort{}, map[string]*takenSort{}
	for _, c := range canvases {
		name := nameOf(c)
		if sorts[name] == nil {
			sorts[name] = &takenSort{name: name, taken: map[taking]int{}}
		}
		how, _ := takingOf(c, rules)
		sorts[name].taken[how]++
		byCanvas[c.Key] = sorts[name]
	}
	for _, f := range feedback {
		if f.CanvasKey != nil && byCanvas[*f.CanvasKey] != nil {
			byCanvas[*f.CanvasKey].score += f.Score
		}
	}
	return slices.SortedFunc(maps.Values(sorts), func(a, b *takenSort) int {
		return cmp.Or(cmp.Compare(b.count(), a.count()), cmp.Compare(a.name.many(), b.name.many()))
	})
}

// count is of how many canvases it is known how they were taken.
func (s *takenSort) count() int {
	return s.taken[quick] + s.taken[gaveUp] + s.taken[stayed] + s.taken[submitted]
}

// mostly is the way in which enough of them were taken, untold where there is none. Mostly submitted is also kept.
func (s *takenSort) mostly() taking {
	most := mostlyTaken * float64(s.count())
	switch kept := s.taken[stayed] + s.taken[submitted]; {
	case s.count() == 0:
		return untold
	case float64(s.taken[quick]) >= most && s.score <= 0:
		return quick
	case float64(kept) < most || s.score < 0:
		return untold
	case s.taken[submitted] >= s.taken[stayed]:
		return submitted
	}
	return stayed
}
