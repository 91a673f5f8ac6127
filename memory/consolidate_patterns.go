package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// recurringOutcomes is the task types that succeeded or failed again and again.
func recurringOutcomes(episodes []*Episode) []recurring {
	var found []recurring
	known := map[string]int{} // episodes of a task type whose outcome is known
	for _, e := range episodes {
		if e.TaskType != nil && e.Outcome != OutcomeUnknown {
			known[*e.TaskType]++
		}
	}
	for _, outcome := range []Outcome{OutcomeFailure, OutcomeSuccess} {
		byTask := grouped[*Episode]{}
		for _, e := range episodes {
			if e.TaskType != nil && e.Outcome == outcome {
				byTask.add(*e.TaskType, e)
			}
		}
		for task, of := range byTask.recurs {
			found = append(found, outcomeOf(task, outcome, of, known[task]))
		}
	}
	return found
}

func outcomeOf(task string, outcome Outcome, of []*Episode, known int) recurring {
	word := strings.ToLower(string(outcome))
	verb := map[Outcome]string{OutcomeSuccess: "succeeded", OutcomeFailure: "failed"}[outcome]
	first, last := of[0], of[len(of)-1]
	says := fmt.Sprintf("%s %s in %d of %s, %s.", oneLine(task), verb, len(of), plural(known, "episode"), period(first.StartedAt, last.StartedAt))
	if steps := stepsInAll(of); steps != "" {
		says += " Steps in all of them: " + steps + "."
	}
	if said := oneLine(last.Insight); said != "" {
		says += " Latest insight: " + sentence(said)
	}
	return recurring{
		name: []string{word, task}, pattern: word + " of " + oneLine(task), says: says,
		importance: ImportanceMedium, sources: idsOf(of, (*Episode).ID),
	}
}

// stepsInAll is the names of the steps that every episode took, in the order of the first.
func stepsInAll(episodes []*Episode) string {
	var common []string
	for i, e := range episodes {
		names := make([]string, 0, len(e.Actions))
		for _, a := range e.Actions {
			if name := oneLine(a.StepName); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if i == 0 {
			common = names
			continue
		}
		common = slices.DeleteFunc(common, func(name string) bool { return !slices.Contains(names, name) })
	}
	return strings.Join(common[:min(len(common), stepsShown)], ", ")
}

// stepFault is the first result of a step in an episode that reads like an error.
type stepFault struct {
	episode *Episode
	says    string
}

func (f stepFault) source() string { return f.episode.ID() }

// recurringFaults is the steps whose results read like errors again and again.
func recurringFaults(episodes []*Episode) []recurring {
	taken := map[string]int{} // episodes that took a step
	faults := grouped[stepFault]{}
	for _, e := range episodes {
		seen := map[string]bool{}
		failed := map[string]bool{}
		for _, a := range e.Actions {
			if !seen[a.StepName] {
				seen[a.StepName] = true
				taken[a.StepName]++
			}
			if fault := faultOf(a.Result); fault != "" && !failed[a.StepName] {
				failed[a.StepName] = true
				faults.add(a.StepName, stepFault{e, fault})
			}
		}
	}
	var found []recurring
	for step, of := range faults.recurs {
		name := oneLine(step)
		found = append(found, recurring{
			name: []string{"fault", step}, pattern: "errors of step " + name,
			says: fmt.Sprintf("step %s gave what reads like an error in %d of the %s that took it. Latest: %s",
				name, len(of), plural(taken[step], "episode"), sentence(of[len(of)-1].says)),
			importance: ImportanceMedium, sources: idsOf(of, stepFault.source),
		})
	}
	return found
}

// recurringReactions is the sorts of canvas that people close quickly, stay with or submit.
func recurringReactions(episodes []*Episode) []recurring {
	closed, submitted, shown := grouped[*Canvas]{}, grouped[*Canvas]{}, grouped[*Canvas]{}
	for _, e := range episodes {
		for _, c := range canvasesOf(e) {
			name := canvasName(c)
			shown.add(name, c)
			if c.DwellSeconds() != nil {
				closed.add(name, c)
			}
			if slices.Contains(c.States(), StateFormSubmitted) {
				submitted.add(name, c)
			}
		}
	}
	var found []recurring
	for name, of := range closed.recurs {
		found = append(found, dwellOf(name, of))
	}
	for name, of := range submitted.recurs {
		found = append(found, recurring{
			name: []string{"submits", name}, pattern: "people submit " + name,
			says:       fmt.Sprintf("canvas %s was submitted in %d of %s.", name, len(of), plural(len(shown[name]), "showing")),
			importance: ImportanceMedium, sources: idsOf(of, (*Canvas).ID),
		})
	}
	return found
}

func dwellOf(name string, of []*Canvas) recurring {
	var sum float64
	n := 0
	for _, c := range of {
		for _, p := range c.presentations() {
			if p.closed {
				sum += p.dwell.Seconds()
				n++
			}
		}
	}
	mean := sum / float64(n)
	reaction, verb := "engages", "people stay with "
	if mean < QuickClose.Seconds() {
		reaction, verb = "closesQuickly", "people quickly close "
	}
	return recurring{
		name: []string{reaction, name}, pattern: verb + name,
		says:       fmt.Sprintf("canvas %s was closed after %.1f s on average, over %s.", name, mean, plural(n, "presentation")),
		importance: ImportanceMedium, sources: idsOf(of, (*Canvas).ID),
	}
}

// canvasesOf is the canvases that came with an episode, oldest first.
func canvasesOf(e *Episode) []*Canvas {
	if e.Context == nil {
		return nil
	}
	return slices.SortedFunc(slices.Values(e.Context.Canvases), func(a, b *Canvas) int {
		return cmp.Or(a.CreatedAt().Compare(b.CreatedAt()), cmp.Compare(a.Key, b.Key))
	})
}

// correctionsOf is the feedback with corrections that came with an episode, oldest first.
func correctionsOf(e *Episode) []*Feedback {
	if e.Context == nil {
		return nil
	}
	given := slices.DeleteFunc(slices.Clone(e.Context.Feedback), func(f *Feedback) bool { return f.Corrections == nil })
	slices.SortFunc(given, func(a, b *Feedback) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Key, b.Key))
	})
	return given
}

func canvasName(c *Canvas) string {
	i := CanvasTypeInsight{CanvasType: c.CanvasType, ComponentType: c.ComponentType}
	return i.name()
}

// recurringCorrections is the corrections that people gave again and again in the same words, case,
// white space and the signs at the end aside.
func recurringCorrections(episodes []*Episode) []recurring {
	same := grouped[*Feedback]{}
	for _, e := range episodes {
		for _, f := range correctionsOf(e) {
			if words := strings.TrimRightFunc(strings.ToLower(oneLine(*f.Corrections)), unicode.IsPunct); words != "" {
				same.add(words, f)
			}
		}
	}
	var found []recurring
	for words, of := range same.recurs {
		latest := oneLine(*of[len(of)-1].Corrections)
		found = append(found, recurring{
			name: []string{"correction", words}, pattern: "correction: " + shorten(latest, partRunes),
			says:       fmt.Sprintf("people corrected this %d times: %s", len(of), sentence(latest)),
			importance: ImportanceHigh, sources: idsOf(of, (*Feedback).ID),
		})
	}
	return found
}

func idsOf[T any](records []T, id func(T) string) []string {
	ids := make([]string, len(records))
	for i, record := range records {
		ids[i] = id(record)
	}
	return ids
}
