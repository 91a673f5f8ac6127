package engagement

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/memory/stats"
)

// Insights says how people took what an agent showed them. The entries of ClosesQuickly (mean dwell below the rules'
// QuickClose, and less than half of what ended was submitted), Engages (as long or longer) and Submits (any form
// submitted) read "canvasType" or "canvasType/componentType" and stand in the order of ByType.
type Insights struct {
	ClosesQuickly []string      `json:"closesQuickly,omitempty"`
	Engages       []string      `json:"engages,omitempty"`
	Submits       []string      `json:"submits,omitempty"`
	ByType        []TypeInsight `json:"-"`
}

// TypeInsight is how one sort of canvas was taken. Counts are plain; means weigh each
// interaction by 0.5^(age/30 days) and are nil where there was none.
type TypeInsight struct {
	CanvasType       string   `json:"-"`
	ComponentType    *string  `json:"-"`
	Presentations    int      `json:"presentations"`
	MeanDwellSeconds *float64 `json:"meanDwellSeconds,omitempty"` // over the presentations that ended: closed, or submitted
	Submits          int      `json:"submits"`
	MeanReward       float64  `json:"meanReward"`                                   // over the canvases; feedback is not part of it
	MeanFeedback     *float64 `json:"meanFeedback,omitempty" jsonschema:"-1 to 1."` // over the feedback on the canvases
}

// Name is the entry in the lists of Insights.
func (i TypeInsight) Name() string {
	if i.ComponentType == nil {
		return i.CanvasType
	}
	return i.CanvasType + "/" + *i.ComponentType
}

// interactionHalfLifeDays is the age at which an interaction weighs half.
const interactionHalfLifeDays = 30

// Of sums up canvases and the feedback on them, as of now, by canvasType and componentType.
// A presentation ages from its PRESENT, a canvas's reward from its first action, feedback from
// its own time. Best first: by mean reward, then mean feedback (none counts as 0), then name. Canvases
// without actions, and feedback on a canvas that is not among them, do not count.
func Of(canvases []*memory.Canvas, feedback []*memory.Feedback, rules *memory.CanvasRules, now time.Time) Insights {
	sums := NewSums(rules, now)
	sums.AddCanvases(canvases)
	sums.AddFeedback(feedback)
	return sums.Insights()
}

// Sums sums up canvases and feedback part by part, so that none of them needs to be kept.
type Sums struct {
	rules    *memory.CanvasRules
	now      time.Time
	groups   map[[2]string]*canvasGroup
	byCanvas map[string]*canvasGroup
}

// NewSums begins to sum up by some rules, as of an instant.
func NewSums(rules *memory.CanvasRules, now time.Time) *Sums {
	return &Sums{rules: rules, now: now, groups: map[[2]string]*canvasGroup{}, byCanvas: map[string]*canvasGroup{}}
}

// AddCanvases counts some canvases.
func (s *Sums) AddCanvases(canvases []*memory.Canvas) {
	for _, c := range canvases {
		if len(c.Actions) > 0 {
			group := s.groupOf(c)
			group.add(c, s.rules, s.now)
			s.byCanvas[c.Key] = group
		}
	}
}

// AddFeedback counts some feedback, as far as it is on canvases that were counted before.
func (s *Sums) AddFeedback(feedback []*memory.Feedback) {
	for _, f := range feedback {
		if f.CanvasKey != nil && s.byCanvas[*f.CanvasKey] != nil {
			s.byCanvas[*f.CanvasKey].feedback.Add(f.Score, recency(f.CreatedAt, s.now))
		}
	}
}

// Insights says what was summed up so far; see Of.
func (s *Sums) Insights() Insights {
	all := Insights{ClosesQuickly: []string{}, Engages: []string{}, Submits: []string{}, ByType: []TypeInsight{}}
	for _, g := range s.groups {
		g.MeanDwellSeconds, g.MeanFeedback, g.MeanReward = g.dwell.Mean(), g.feedback.Mean(), memory.OrZero(g.reward.Mean())
	}
	for _, g := range slices.SortedFunc(maps.Values(s.groups), bestFirst) {
		all.ByType = append(all.ByType, g.TypeInsight)
		switch dwell := g.MeanDwellSeconds; {
		case dwell == nil:
		case *dwell >= s.rules.QuickClose.Seconds():
			all.Engages = append(all.Engages, g.Name())
		case 2*g.submitted < g.ended: // else nobody can say that people close it
			all.ClosesQuickly = append(all.ClosesQuickly, g.Name())
		}
		if g.Submits > 0 {
			all.Submits = append(all.Submits, g.Name())
		}
	}
	return all
}

func bestFirst(a, b *canvasGroup) int {
	return cmp.Or(
		cmp.Compare(b.MeanReward, a.MeanReward),
		cmp.Compare(memory.OrZero(b.MeanFeedback), memory.OrZero(a.MeanFeedback)),
		cmp.Compare(a.CanvasType, b.CanvasType),
		cmp.Compare(a.Name(), b.Name()),
	)
}

// canvasGroup sums up a sort of canvas; its means are set at last.
type canvasGroup struct {
	TypeInsight
	ended, submitted        int // presentations
	dwell, reward, feedback stats.WeightedMean
}

// groupOf goes by the types; no component type is the empty one.
func (s *Sums) groupOf(c *memory.Canvas) *canvasGroup {
	key := [2]string{c.CanvasType, memory.OrZero(c.ComponentType)}
	if s.groups[key] == nil {
		s.groups[key] = &canvasGroup{TypeInsight: TypeInsight{CanvasType: c.CanvasType}}
		if key[1] != "" {
			s.groups[key].ComponentType = &key[1]
		}
	}
	return s.groups[key]
}

func (g *canvasGroup) add(c *memory.Canvas, rules *memory.CanvasRules, now time.Time) {
	for _, p := range c.Presentations() {
		g.Presentations++
		if p.Ended {
			g.ended++
			if p.Submitted {
				g.submitted++
			}
			g.dwell.Add(p.Dwell.Seconds(), recency(p.At, now))
		}
	}
	for _, a := range c.Actions {
		if a.Action == memory.CanvasSubmit {
			g.Submits++
		}
	}
	g.reward.Add(c.Reward(rules), recency(c.CreatedAt(), now))
}

// recency is the weight of an interaction; never 0, so that what is very old still has a mean.
func recency(at, now time.Time) float64 {
	return max(decay.Factor(at, now, interactionHalfLifeDays), 1e-300)
}
