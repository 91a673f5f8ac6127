package memory

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// CanvasInsights says how people took what an agent showed them. The entries of ClosesQuickly (mean
// dwell below 5 s), Engages (5 s or more) and Submits (any form submitted) read "canvasType" or
// "canvasType/componentType" and stand in the order of ByType.
type CanvasInsights struct {
	ClosesQuickly []string
	Engages       []string
	Submits       []string
	ByType        []CanvasTypeInsight
}

// CanvasTypeInsight is how one sort of canvas was taken. Counts are plain; means weigh each
// interaction by 0.5^(age/30 days) and are nil where there was none.
type CanvasTypeInsight struct {
	CanvasType       string
	ComponentType    *string
	Presentations    int
	MeanDwellSeconds *float64 // over the presentations that were closed
	Submits          int
	MeanReward       float64  // over the canvases; feedback is not part of it
	MeanFeedback     *float64 // −1…1, over the feedback on the canvases
}

// name is the entry in the lists of CanvasInsights.
func (i CanvasTypeInsight) name() string {
	if i.ComponentType == nil {
		return i.CanvasType
	}
	return i.CanvasType + "/" + *i.ComponentType
}

// interactionHalfLifeDays is the age at which an interaction weighs half.
const interactionHalfLifeDays = 30

// InsightsOf sums up canvases and the feedback on them, as of now, by canvasType and componentType.
// A closed presentation ages from its PRESENT, a canvas's reward from its first action, feedback from
// its own time. Best first: by mean reward, then mean feedback (none counts as 0), then name. Canvases
// without actions, and feedback on a canvas that is not among them, do not count.
func InsightsOf(canvases []*Canvas, feedback []*Feedback, now time.Time) CanvasInsights {
	sums := NewInsightSums(now)
	sums.AddCanvases(canvases)
	sums.AddFeedback(feedback)
	return sums.Insights()
}

// InsightSums sums up canvases and feedback part by part, so that none of them needs to be kept.
type InsightSums struct {
	now      time.Time
	groups   map[canvasSort]*canvasGroup
	byCanvas map[string]*canvasGroup
}

// NewInsightSums begins to sum up, as of an instant.
func NewInsightSums(now time.Time) *InsightSums {
	return &InsightSums{now: now, groups: map[canvasSort]*canvasGroup{}, byCanvas: map[string]*canvasGroup{}}
}

// AddCanvases counts some canvases.
func (s *InsightSums) AddCanvases(canvases []*Canvas) {
	for _, c := range canvases {
		if len(c.Actions) > 0 {
			group := groupOf(s.groups, c)
			group.add(c, s.now)
			s.byCanvas[c.Key] = group
		}
	}
}

// AddFeedback counts some feedback, as far as it is on canvases that were counted before.
func (s *InsightSums) AddFeedback(feedback []*Feedback) {
	for _, f := range feedback {
		if f.CanvasKey != nil && s.byCanvas[*f.CanvasKey] != nil {
			s.byCanvas[*f.CanvasKey].feedback.add(f.Score, recency(f.CreatedAt, s.now))
		}
	}
}

// Insights says what was summed up so far; see InsightsOf.
func (s *InsightSums) Insights() CanvasInsights {
	byType := make([]CanvasTypeInsight, 0, len(s.groups))
	for _, group := range s.groups {
		byType = append(byType, group.insight())
	}
	slices.SortFunc(byType, compareInsights)
	return listInsights(byType)
}

func compareInsights(a, b CanvasTypeInsight) int {
	return cmp.Or(
		cmp.Compare(b.MeanReward, a.MeanReward),
		cmp.Compare(orZero(b.MeanFeedback), orZero(a.MeanFeedback)),
		cmp.Compare(a.CanvasType, b.CanvasType),
		cmp.Compare(a.name(), b.name()),
	)
}

func listInsights(byType []CanvasTypeInsight) CanvasInsights {
	all := CanvasInsights{ClosesQuickly: []string{}, Engages: []string{}, Submits: []string{}, ByType: byType}
	for _, i := range byType {
		switch dwell := i.MeanDwellSeconds; {
		case dwell == nil:
		case *dwell < QuickClose.Seconds():
			all.ClosesQuickly = append(all.ClosesQuickly, i.name())
		default:
			all.Engages = append(all.Engages, i.name())
		}
		if i.Submits > 0 {
			all.Submits = append(all.Submits, i.name())
		}
	}
	return all
}

// canvasSort is what canvases are grouped by; no component type is the empty one.
type canvasSort struct{ canvasType, componentType string }

type canvasGroup struct {
	counts                  CanvasTypeInsight
	dwell, reward, feedback weightedMean
}

func groupOf(groups map[canvasSort]*canvasGroup, c *Canvas) *canvasGroup {
	key := canvasSort{canvasType: c.CanvasType}
	if c.ComponentType != nil {
		key.componentType = *c.ComponentType
	}
	if groups[key] == nil {
		groups[key] = &canvasGroup{counts: CanvasTypeInsight{CanvasType: c.CanvasType}}
		if key.componentType != "" {
			groups[key].counts.ComponentType = &key.componentType
		}
	}
	return groups[key]
}

func (g *canvasGroup) add(c *Canvas, now time.Time) {
	for _, p := range c.presentations() {
		g.counts.Presentations++
		if p.closed {
			g.dwell.add(p.dwell.Seconds(), recency(p.at, now))
		}
	}
	for _, a := range c.Actions {
		if a.Action == CanvasSubmit {
			g.counts.Submits++
		}
	}
	g.reward.add(c.Reward(), recency(c.CreatedAt(), now))
}

func (g *canvasGroup) insight() CanvasTypeInsight {
	i := g.counts
	i.MeanDwellSeconds, i.MeanFeedback = g.dwell.mean(), g.feedback.mean()
	i.MeanReward = orZero(g.reward.mean())
	return i
}

// recency is the weight of an interaction; never 0, so that what is very old still has a mean.
func recency(at, now time.Time) float64 {
	return max(decay(at, now, interactionHalfLifeDays), 1e-300)
}

type weightedMean struct{ sum, weight float64 }

func (m *weightedMean) add(value, weight float64) {
	m.sum += value * weight
	m.weight += weight
}

// mean is nil where nothing was added. It is rounded, so that equal values have that value as their
// mean whatever their weights, and equal means tie.
func (m weightedMean) mean() *float64 {
	if m.weight == 0 {
		return nil
	}
	mean := math.Round(m.sum/m.weight*1e9) / 1e9
	return &mean
}

func orZero(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}
