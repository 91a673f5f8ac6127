package consolidation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/prose"
	"mneme/memory/summary"
)

// outcomes are the task types that succeed or fail.
type outcomes struct {
	known map[string]int // episodes of a task type whose outcome is known
	seen  map[memory.Outcome]groups
}

func (o *outcomes) add(source witness, e *memory.Episode) {
	if e.TaskType == nil || e.Outcome == memory.OutcomeUnknown {
		return
	}
	countBounded(o.known, *e.TaskType)
	of := o.seen[e.Outcome].add(*e.TaskType, source)
	if of == nil {
		return
	}
	steps := memory.Distinct(memory.Mapped(e.Actions, func(a memory.Action) string { return prose.OneLine(a.StepName) }))
	if of.count == 1 {
		of.latest, of.common = prose.Shorten(prose.OneLine(e.Insight), summary.MaxText), steps
		return
	}
	// In the order of the oldest, which comes last.
	of.common = slices.DeleteFunc(steps, func(name string) bool { return !slices.Contains(of.common, name) })
}

// countBounded counts a name where there is room for it.
func countBounded(counts map[string]int, name string) {
	if _, known := counts[name]; known || len(counts) < 2*consolidatedGroups {
		counts[name]++
	}
}

func (o *outcomes) found() []recurring {
	var found []recurring
	for _, outcome := range []memory.Outcome{memory.OutcomeFailure, memory.OutcomeSuccess} {
		for task, of := range o.seen[outcome].recurs {
			found = append(found, outcomeOf(task, outcome, of, max(o.known[task], of.count)))
		}
	}
	return found
}

func outcomeOf(task string, outcome memory.Outcome, of *group, known int) recurring {
	word := strings.ToLower(string(outcome))
	verb := map[memory.Outcome]string{memory.OutcomeSuccess: "succeeded", memory.OutcomeFailure: "failed"}[outcome]
	says := fmt.Sprintf("%s %s in %d of %s, %s.", prose.OneLine(task), verb, of.count, prose.Plural(known, "episode"), period(of.first, of.last))
	if steps := of.common[:min(len(of.common), summary.StepsShown)]; len(steps) > 0 {
		says += " Steps in all of them: " + strings.Join(steps, ", ") + "."
	}
	if of.latest != "" {
		says += " Latest insight: " + prose.Sentence(of.latest)
	}
	return recurring{
		group: of, name: []string{word, task}, pattern: word + " of " + prose.OneLine(task), says: says, importance: memory.ImportanceMedium,
	}
}

// faults are the steps whose results read like errors.
type faults struct {
	taken  map[string]int // episodes that took a step
	failed groups
}

// add counts a step once an episode, with the first of its results that reads like an error.
func (f *faults) add(source witness, e *memory.Episode) {
	seen, failed := map[string]bool{}, map[string]bool{}
	for _, a := range e.Actions {
		if !seen[a.StepName] {
			seen[a.StepName] = true
			countBounded(f.taken, a.StepName)
		}
		fault := summary.Fault(a.Result)
		if fault == "" || failed[a.StepName] {
			continue
		}
		failed[a.StepName] = true
		if of := f.failed.add(a.StepName, source); of != nil && of.count == 1 {
			of.latest = prose.Shorten(fault, summary.MaxText)
		}
	}
}

func (f *faults) found() []recurring {
	var found []recurring
	for step, of := range f.failed.recurs {
		name := prose.OneLine(step)
		found = append(found, recurring{
			group: of, name: []string{"fault", step}, pattern: "errors of step " + name,
			says: fmt.Sprintf("step %s gave what reads like an error in %d of the %s that took it. Latest: %s",
				name, of.count, prose.Plural(max(f.taken[step], of.count), "episode"), prose.Sentence(of.latest)),
			importance: memory.ImportanceMedium,
		})
	}
	return found
}

// reactions are the sorts of canvas that people close quickly, stay with or submit.
type reactions struct {
	shown             map[string]int
	closed, submitted groups
}

func (r *reactions) add(source witness, e *memory.Episode) {
	for _, c := range canvasesOf(e) {
		name := canvasName(c)
		source.id, source.user = c.ID(), e.UserID
		if c.UserID != nil {
			source.user = c.UserID
		}
		countBounded(r.shown, name)
		if c.DwellSeconds() != nil {
			if of := r.closed.add(name, source); of != nil {
				of.addDwell(c)
			}
		}
		if slices.ContainsFunc(c.Actions, func(a memory.CanvasAction) bool { return a.Action == memory.CanvasSubmit }) {
			r.submitted.add(name, source)
		}
	}
}

func (g *group) addDwell(c *memory.Canvas) {
	for _, p := range c.Presentations() {
		if p.Ended {
			g.sum += p.Dwell.Seconds()
			g.parts++
			if p.Submitted {
				g.submitted++
			}
		}
	}
}

func (r *reactions) found(quick time.Duration) []recurring {
	var found []recurring
	for name, of := range r.closed.recurs {
		found = append(found, dwellOf(name, of, quick)...)
	}
	for name, of := range r.submitted.recurs {
		found = append(found, recurring{
			group: of, name: []string{"submits", name}, pattern: "people submit " + name,
			says:       fmt.Sprintf("canvas %s was submitted in %d of %s.", name, of.count, prose.Plural(max(r.shown[name], of.count), "showing")),
			importance: memory.ImportanceMedium,
		})
	}
	return found
}

// dwellOf says whether people stay with it; nothing of what they submit so soon that they do not.
func dwellOf(name string, of *group, quick time.Duration) []recurring {
	mean := of.sum / float64(of.parts)
	reaction, verb, ended := "engages", "people stay with ", "closed"
	if mean < quick.Seconds() {
		if 2*of.submitted >= of.parts {
			return nil
		}
		reaction, verb = "closesQuickly", "people quickly close "
	}
	if of.submitted > 0 {
		ended = "closed or submitted"
	}
	return []recurring{{
		group: of, name: []string{reaction, name}, pattern: verb + name,
		says:       fmt.Sprintf("canvas %s was %s after %.1f s on average, over %s.", name, ended, mean, prose.Plural(of.parts, "presentation")),
		importance: memory.ImportanceMedium,
	}}
}

// canvasesOf is the canvases that came with an episode, newest first.
func canvasesOf(e *memory.Episode) []*memory.Canvas {
	if e.Context == nil {
		return nil
	}
	return slices.SortedFunc(slices.Values(e.Context.Canvases), func(a, b *memory.Canvas) int {
		return cmp.Or(b.CreatedAt().Compare(a.CreatedAt()), cmp.Compare(b.Key, a.Key))
	})
}

// correctionsOf is the feedback with corrections that came with an episode, newest first.
func correctionsOf(e *memory.Episode) []*memory.Feedback {
	if e.Context == nil {
		return nil
	}
	given := slices.DeleteFunc(slices.Clone(e.Context.Feedback), func(f *memory.Feedback) bool { return f.Corrections == nil })
	slices.SortFunc(given, func(a, b *memory.Feedback) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.Key, a.Key))
	})
	return given
}

func canvasName(c *memory.Canvas) string {
	i := engagement.TypeInsight{CanvasType: c.CanvasType, ComponentType: c.ComponentType}
	return i.Name()
}

// addCorrections counts corrections that people gave in the same words, case, white space and the signs at the
// end aside.
func addCorrections(same groups, source witness, e *memory.Episode) {
	for _, f := range correctionsOf(e) {
		latest := prose.OneLine(*f.Corrections)
		words := strings.TrimRightFunc(strings.ToLower(latest), unicode.IsPunct)
		if words == "" {
			continue
		}
		if len(words) > memory.MaxKeyBytes {
			words = memory.ShortHash(words)
		}
		source.id, source.user = f.ID(), e.UserID
		if f.UserID != nil {
			source.user = f.UserID
		}
		if of := same.add(words, source); of != nil && of.count == 1 {
			of.latest = prose.Shorten(latest, summary.MaxText)
		}
	}
}

func correctionsFound(same groups) []recurring {
	var found []recurring
	for words, of := range same.recurs {
		found = append(found, recurring{
			group: of, name: []string{"correction", words}, pattern: "correction: " + prose.Shorten(of.latest, correctionRunes),
			says:       fmt.Sprintf("people corrected this %d times: %s", of.count, prose.Sentence(of.latest)),
			importance: memory.ImportanceHigh,
		})
	}
	return found
}
