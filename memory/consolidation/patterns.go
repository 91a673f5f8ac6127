package consolidation

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/prose"
	"mneme/memory/summary"
)

// addOutcome counts that a task type succeeded or failed.
func (c *Consolidation) addOutcome(source witness, e *memory.Episode) {
	if e.TaskType == nil || e.Outcome == memory.OutcomeUnknown {
		return
	}
	c.known.add(*e.TaskType)
	of := c.seen[sort(strings.ToLower(string(e.Outcome)))].add(*e.TaskType, source)
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

// addFaults counts the steps whose results read like errors, once an episode, each with the first such result.
func (c *Consolidation) addFaults(source witness, e *memory.Episode) {
	seen, failed := map[string]bool{}, map[string]bool{}
	for _, a := range e.Actions {
		if !seen[a.StepName] {
			seen[a.StepName] = true
			c.taken.add(a.StepName)
		}
		said := summary.Fault(a.Result)
		if said == "" || failed[a.StepName] {
			continue
		}
		failed[a.StepName] = true
		if of := c.seen[fault].add(a.StepName, source); of != nil && of.count == 1 {
			of.latest = prose.Shorten(said, summary.MaxText)
		}
	}
}

// addCanvases counts the sorts of canvas that people close or submit.
func (c *Consolidation) addCanvases(source witness, canvases []*memory.Canvas) {
	for _, canvas := range slices.SortedFunc(slices.Values(canvases), memory.NewestCanvasFirst) {
		name := engagement.TypeInsight{CanvasType: canvas.CanvasType, ComponentType: canvas.ComponentType}.Name()
		of := source.by(canvas.ID(), canvas.UserID)
		c.shown.add(name)
		if canvas.DwellSeconds() != nil {
			if group := c.seen[closed].add(name, of); group != nil {
				group.addDwell(canvas)
			}
		}
		if slices.ContainsFunc(canvas.Actions, func(a memory.CanvasAction) bool { return a.Action == memory.CanvasSubmit }) {
			c.seen[submits].add(name, of)
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

// addCorrections counts corrections that people gave in the same words, case, white space and the signs at the
// end aside.
func (c *Consolidation) addCorrections(source witness, feedback []*memory.Feedback) {
	for _, f := range slices.SortedFunc(slices.Values(feedback), memory.NewestFeedbackFirst) {
		if f.Corrections == nil {
			continue
		}
		latest := prose.OneLine(*f.Corrections)
		words := strings.TrimRightFunc(strings.ToLower(latest), unicode.IsPunct)
		if words == "" {
			continue
		}
		if len(words) > memory.MaxKeyBytes {
			words = memory.ShortHash(words)
		}
		if of := c.seen[correction].add(words, source.by(f.ID(), f.UserID)); of != nil && of.count == 1 {
			of.latest = prose.Shorten(latest, summary.MaxText)
		}
	}
}

// tell says what recurs: what its key calls it, in a few words, and whole, which is empty where nothing is to be said.
func (c *Consolidation) tell(s sort, name string, of *group) (kind, pattern, says string) {
	kind = string(s)
	switch s {
	case failure, success:
		return kind, kind + " of " + prose.OneLine(name), c.outcome(s, name, of)
	case fault:
		step := prose.OneLine(name)
		return kind, "errors of step " + step, fmt.Sprintf("step %s gave what reads like an error in %d of the %s that took it. Latest: %s",
			step, of.count, prose.Plural(max(c.taken[name], of.count), "episode"), prose.Sentence(of.latest))
	case closed:
		return c.dwell(name, of)
	case submits:
		return kind, "people submit " + name, fmt.Sprintf("canvas %s was submitted in %d of %s.",
			name, of.count, prose.Plural(max(c.shown[name], of.count), "showing"))
	}
	return kind, "correction: " + prose.Shorten(of.latest, correctionRunes),
		fmt.Sprintf("people corrected this %d times: %s", of.count, prose.Sentence(of.latest))
}

func (c *Consolidation) outcome(s sort, task string, of *group) string {
	verb := map[sort]string{success: "succeeded", failure: "failed"}[s]
	says := fmt.Sprintf("%s %s in %d of %s, %s.",
		prose.OneLine(task), verb, of.count, prose.Plural(max(c.known[task], of.count), "episode"), period(of.first, of.last))
	if steps := of.common[:min(len(of.common), summary.StepsShown)]; len(steps) > 0 {
		says += " Steps in all of them: " + strings.Join(steps, ", ") + "."
	}
	if of.latest != "" {
		says += " Latest insight: " + prose.Sentence(of.latest)
	}
	return says
}

// dwell says whether people stay with a sort of canvas; nothing of what they submit so soon that they do not.
func (c *Consolidation) dwell(name string, of *group) (kind, pattern, says string) {
	mean := of.sum / float64(of.parts)
	kind, pattern, ended := "engages", "people stay with "+name, "closed"
	if mean < c.rules.QuickClose.Seconds() {
		if 2*of.submitted >= of.parts {
			return "", "", ""
		}
		kind, pattern = "closesQuickly", "people quickly close "+name
	}
	if of.submitted > 0 {
		ended = "closed or submitted"
	}
	return kind, pattern, fmt.Sprintf("canvas %s was %s after %.1f s on average, over %s.", name, ended, mean, prose.Plural(of.parts, "presentation"))
}
