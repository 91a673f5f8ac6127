package engagement_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/memorytest"
)

// met is a canvas of a type, or of type/component, with its actions.
func met(sort string, actions ...memory.CanvasAction) *memory.Canvas {
	kind, component, known := strings.Cut(sort, "/")
	c := memorytest.Canvas(kind, actions...)
	if known {
		c.ComponentType = &component
	}
	return c
}

func ended(sort string, end memory.CanvasActionKind, second float64) *memory.Canvas {
	return met(sort, memorytest.Action(memorytest.Present, 0), memorytest.Action(end, second))
}

func scores(of ...float64) []*memory.Feedback {
	var given []*memory.Feedback
	for _, score := range of {
		given = append(given, &memory.Feedback{CanvasKey: new("charts"), Reaction: memory.Reaction{Score: score}})
	}
	return given
}

func TestTaken(t *testing.T) {
	t.Parallel()
	present := memorytest.Action(memorytest.Present, 0)
	for want, test := range map[string]struct {
		canvas   *memory.Canvas
		feedback []*memory.Feedback
	}{
		"line chart: closed after 3 s":   {ended("charts/line", memorytest.Closed, 3), nil},
		"bar chart: 30 s, liked":         {ended("charts/bar_chart", memorytest.Closed, 30), scores(1)},
		"chart: closed after 4.9 s":      {ended("charts", memorytest.Closed, 4.999), nil},
		"chart: 5 s, liked ×2, disliked": {ended("charts", memorytest.Closed, 5), scores(1, -1, 0.5)},
		"chart: 119 s, neutral":          {ended("charts", memorytest.Closed, 119.9), scores(0)},
		"tax form: submitted after 30 s": {ended("forms/TaxForm", memorytest.Submit, 30), scores(1)}, // on another canvas
		"form: submitted":                {met("forms", memorytest.Action(memorytest.Submit, 9)), nil},
		"form: submitted after 2 min":    {met("forms", present, memorytest.Action(memorytest.Submit, 120), memorytest.Action(memorytest.Closed, 9000)), nil},
		"document: 3 h":                  {ended("docs", memorytest.Closed, 11000), nil},
		"tax form: given up after 30 s, shown with fields: iban, name, showed an error: tax id has 10 digits": {met("forms/tax",
			memorytest.Action(memorytest.Present, 0, `{"fields":["iban","name"]}`), memorytest.Action(memory.CanvasExecute, 9, `{"error":"tax id has 10 digits"}`),
			memorytest.Action(memorytest.Closed, 30)), nil},
		"tax form: submitted after 60 s, shown with year: 2024, submitted with completed: name, iban": {met("forms/tax",
			memorytest.Action(memorytest.Present, 0, `{"year":2024}`), memorytest.Action(memorytest.Submit, 60, `{"completed":["name","iban"]}`)), nil},
		"document: shown":                         {met("docs", present), nil},
		"document: shown 2 times":                 {met("docs", present, present), nil},
		"bash terminal: 9 s, showed an error: no": {met("terminal/bash", present, memorytest.Action(memorytest.Execute, 1, `{"error":"no"}`), memorytest.Action(memorytest.Closed, 9)), nil},
		"canvas: shown 2 times, closed after 3 s at most": {met("generic", present, memorytest.Action(memorytest.Closed, 2),
			memorytest.Action(memorytest.Present, 10), memorytest.Action(memorytest.Closed, 13)), nil},
		"pricing card canvas: shown 2 times, 20 s at most": {met("generic/pricing-card", present, memorytest.Action(memorytest.Closed, 20),
			memorytest.Action(memorytest.Present, 30), memorytest.Action(memorytest.Closed, 31)), nil},
		"bar chart: 9 s":         {ended("charts/BarCharts", memorytest.Closed, 9), nil},
		"http form: 9 s":         {ended("forms/HTTPForm", memorytest.Closed, 9), nil},
		"own maps canvas: shown": {met("own_maps", present), nil},
	} {
		t.Run(want, func(t *testing.T) {
			assert.Equal(t, want, engagement.Taken(test.canvas, test.feedback, memorytest.Rules))
		})
	}
	long := engagement.Taken(ended("charts/"+strings.Repeat("very \n", 1000), memorytest.Closed, 3), nil, memorytest.Rules)
	assert.Less(t, len(long), 100)
	assert.NotContains(t, long, "\n")
}

func TestConclusion(t *testing.T) {
	t.Parallel()
	line, bar := ended("charts/line", memorytest.Closed, 3), ended("charts/bar", memorytest.Closed, 30)
	form, docs := ended("forms", memorytest.Submit, 40), ended("docs", memorytest.Closed, 20)
	open := met("charts/line", memorytest.Action(memorytest.Present, 0))
	times := func(n int, c *memory.Canvas) []*memory.Canvas {
		var all []*memory.Canvas
		for range n {
			copied := *c
			all = append(all, &copied)
		}
		return all
	}
	and := func(parts ...[]*memory.Canvas) []*memory.Canvas {
		var all []*memory.Canvas
		for _, part := range parts {
			all = append(all, part...)
		}
		return all
	}
	slowLine := ended("charts/line", memorytest.Closed, 5)
	for name, test := range map[string]struct {
		canvases []*memory.Canvas
		feedback []*memory.Feedback
		want     string
	}{
		"nothing":                        {nil, nil, ""},
		"one alone":                      {times(1, line), nil, ""},
		"one each, taken differently":    {and(times(1, line), times(1, bar)), nil, "People here close line charts quickly and stay with bar charts."},
		"one each, taken alike":          {and(times(1, bar), times(1, docs)), nil, ""},
		"two of a sort":                  {times(2, bar), nil, "People here stay with bar charts."},
		"two, and one of another, alike": {and(times(2, bar), times(1, docs)), nil, "People here stay with bar charts."},
		"one against one of the sort":    {and(times(1, line), times(1, slowLine)), nil, ""},
		"one against two":                {and(times(2, line), times(1, slowLine)), nil, ""},
		"one against three is chance":    {and(times(3, line), times(1, slowLine)), nil, "People here close line charts quickly."},
		"one that stayed open":           {and(times(2, line), times(5, open)), nil, "People here close line charts quickly."},
		"what is left open shows no difference": {
			and(times(1, line), times(1, slowLine), times(1, bar)), nil, ""},
		"all ways": {and(times(2, line), times(3, bar), times(2, docs), times(2, form)), nil,
			"People here close line charts quickly, stay with bar charts and documents and submit forms."},
		"submitted at once is not closed quickly": {times(2, ended("forms", memorytest.Submit, 1)), nil, "People here submit forms."},
		"submitted more often than kept":          {and(times(2, form), times(1, ended("forms", memorytest.Closed, 9))), nil, "People here submit forms."},
		"submitted less often than kept":          {and(times(1, form), times(2, ended("forms", memorytest.Closed, 9))), nil, "People here stay with forms."},
		"kept and disliked":                       {times(2, ended("charts", memorytest.Closed, 9)), scores(-1, -1, 1), ""},
		"kept, on which people differ":            {times(2, ended("charts", memorytest.Closed, 9)), scores(-1, 1), "People here stay with charts."},
		"closed quickly and liked":                {times(2, ended("charts", memorytest.Closed, 1)), scores(0.5), ""},
		"one name of two components": {and(times(1, line), times(1, ended("charts/line_chart", memorytest.Closed, 2))), nil,
			"People here close line charts quickly."},
		"four sorts, of which three are told": {and(times(2, docs), times(3, bar), times(4, ended("email", memorytest.Closed, 9)), times(5, ended("sheets", memorytest.Closed, 9))), nil,
			"People here stay with sheets, emails and bar charts."},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, engagement.Conclusion(test.canvases, test.feedback, memorytest.Rules))
		})
	}
}

func TestConclusionDoesNotDependOnTheOrderOfInput(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var canvases []*memory.Canvas
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			canvases = append(canvases, ended(rapid.SampledFrom([]string{"docs", "charts/bar", "forms"}).Draw(t, "sort"),
				rapid.SampledFrom([]memory.CanvasActionKind{memorytest.Closed, memorytest.Submit, memorytest.Update}).Draw(t, "end"),
				rapid.Float64Range(0, 10).Draw(t, "dwell")))
		}
		shuffled := rapid.Permutation(canvases).Draw(t, "shuffled")
		assert.Equal(t, engagement.Conclusion(canvases, nil, memorytest.Rules), engagement.Conclusion(shuffled, nil, memorytest.Rules))
	})
}
