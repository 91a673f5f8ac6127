package capture

import (
	"cmp"
	"slices"
	"time"

	"mneme/memory"
)

// turnsOf are the spans of the turns after the first, of several in one trace: of the outermost runs that were asked
// something else. Around them may be one run that says nothing itself; without any run, they are those of models.
func (t *trace) turnsOf(runs []*Span) map[*Span]bool {
	runs = t.speaking(runs)
	if len(runs) == 0 {
		runs = t.models()
	}
	if len(runs) < 2 {
		return nil
	}
	units, questions := t.questions(runs)
	later := map[*Span]bool{}
	first, now := "", ""
	for _, run := range runs {
		now = cmp.Or(questions[run], now)
		first = cmp.Or(first, now)
		later[run] = now != first
	}
	further := map[*Span]bool{}
	for span, unit := range units {
		if later[unit] {
			further[span] = true
		}
	}
	return further
}

// questions are what each of the runs was asked, or the first within it; units are the runs that spans are of.
func (t *trace) questions(runs []*Span) (units map[*Span]*Span, questions map[*Span]string) {
	units, questions = map[*Span]*Span{}, map[*Span]string{}
	for _, run := range runs {
		units[run] = run
	}
	for i := range t.spans {
		span := &t.spans[i]
		t.within(span, func(outer *Span) bool {
			if units[span] == nil {
				units[span] = units[outer]
			}
			return units[span] != nil
		})
		if unit := units[span]; unit != nil && questions[unit] == "" && (span.IsRun() || span.Kind == SpanModel) && inWords(span.Given) {
			questions[unit] = memory.JSONText(span.Given)
		}
	}
	return units, questions
}

// speaking are the runs, in the place of those that gave nothing and ask no model the runs within.
func (t *trace) speaking(runs []*Span) (all []*Span) {
	for _, run := range runs {
		if inner := t.inner[run]; len(run.Gave) == 0 && !t.asks[run] && len(inner) > 0 {
			all = append(all, t.speaking(inner)...)
		} else {
			all = append(all, run)
		}
	}
	return all
}

func (t *trace) models() (models []*Span) {
	for i := range t.spans {
		if t.spans[i].Kind == SpanModel {
			models = append(models, &t.spans[i])
		}
	}
	return models
}

// endsOf are the run that begins the first turn and the one that ends it: the root where there are no runs.
func (t *trace) endsOf(runs []*Span) (first, last *Span) {
	for _, run := range runs {
		if first == nil {
			first = run
		}
		if !t.further[run] && (last == nil || !run.EndedAt.Before(last.EndedAt)) {
			last = run
		}
	}
	if root := slices.IndexFunc(t.spans, func(s Span) bool { return s.Ends() }); first == nil && root >= 0 {
		return &t.spans[root], &t.spans[root]
	}
	return first, last
}

// faultOf is why the run did not succeed: its own error, a guardrail that stopped it, or the error of an agent in it
// after which it gave nothing. What a model is asked after stopped nothing.
func (t *trace) faultOf() (fault string) {
	if t.last == nil || t.last.Error != "" {
		return cmp.Or(t.last, &Span{}).Error
	}
	var asked time.Time // of a model, at last
	for _, model := range t.models() {
		if !t.further[model] {
			asked = model.StartedAt
		}
	}
	for i := range t.spans {
		span := &t.spans[i]
		switch {
		case t.further[span] || !asked.Before(span.EndedAt):
		case span.Stops:
			return span.Name + " stopped the run"
		case span.IsRun() && span.Error != "" && len(t.last.Gave) == 0:
			fault = span.Error
		}
	}
	return fault
}
