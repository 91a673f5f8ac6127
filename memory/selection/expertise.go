package selection

import (
	"math"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/memory/stats"
)

// The constants of the rules of learning profiles.
const (
	// RecentDays is how long an execution counts as of this week.
	RecentDays = 7
	// trendLeast is how many executions either side of a trend needs, and trendMargin by how much two means may differ
	// where nothing changed.
	trendLeast  = 3
	trendMargin = 0.05

	weightTimeDays = 7 // the age in which a weight falls to 1/e
	recentFactor   = 3 // how much more an execution of this week weighs
)

// Trend says which way the quality of an agent's work goes.
type Trend string

// The trends.
const (
	TrendUp   Trend = "UP"
	TrendDown Trend = "DOWN"
	TrendFlat Trend = "FLAT"
)

// Valid says whether t is one of the trends.
func (t Trend) Valid() bool { return t == TrendUp || t == TrendDown || t == TrendFlat }

// Standing is what a profile's window says at a time.
type Standing struct {
	// Expertise is Σ quality·weight / Σ weight over the window, in 0…1; 0 where there is nothing in it.
	Expertise float64
	// Score is expertise × confidence, in 0…1.
	Score float64
	// Effective is how many equally weighted executions would say as much: (Σ weight)² / Σ weight²
	// (Kish, Survey Sampling, 1965).
	Effective float64
	// Recent counts the executions of the last 7 days.
	Recent int
	// Trend compares the mean quality of the last 7 days with that of the earlier window. It is FLAT where
	// they differ by 0.05 or less, or either has fewer than 3 executions.
	Trend Trend
}

// StandingOf sums up the window at a time. Its weights are relative to that of the latest execution, which
// cancels out, so that a window that is decades old still has an expertise.
func StandingOf(p *memory.LearningProfile, now time.Time) Standing {
	window, nowMs := &p.Window, now.UnixMilli()
	if len(window.At) == 0 {
		return Standing{Trend: TrendFlat}
	}
	latest := windowAge(window.At[len(window.At)-1], nowMs)
	var weights, squares, weighted float64
	for i, at := range window.At {
		days := windowAge(at, nowMs)
		weight := math.Exp((latest - days) / weightTimeDays)
		if days <= RecentDays {
			weight *= recentFactor
		}
		weights += weight
		squares += weight * weight
		weighted += weight * window.Quality[i]
	}
	expertise, change := stats.Unit(weighted/weights), Change{}
	change.Add(p, now)
	return Standing{
		Expertise: expertise,
		Score:     expertise * p.Confidence(),
		Effective: weights * weights / squares,
		Recent:    change.Late,
		Trend:     change.Trend(),
	}
}

func windowAge(at, now int64) float64 { return float64(max(0, now-at)) / decay.MsPerDay }

// Change compares the quality of what was done in the last RecentDays days with that of what was done before.
type Change struct {
	Earlier, Late       int // executions
	earlierSum, lateSum float64
	Since               int64 // the first of the late ones, in milliseconds since 1970
}

// Add takes in the window of a profile.
func (c *Change) Add(p *memory.LearningProfile, now time.Time) {
	nowMs := now.UnixMilli()
	for i, at := range p.Window.At {
		if windowAge(at, nowMs) > RecentDays {
			c.Earlier, c.earlierSum = c.Earlier+1, c.earlierSum+p.Window.Quality[i]
			continue
		}
		if c.Late == 0 || at < c.Since {
			c.Since = at
		}
		c.Late, c.lateSum = c.Late+1, c.lateSum+p.Window.Quality[i]
	}
}

// Means are the mean qualities before and of late; of nothing they are no numbers.
func (c *Change) Means() (before, late float64) {
	return c.earlierSum / float64(c.Earlier), c.lateSum / float64(c.Late)
}

// Trend is the way of a change.
func (c *Change) Trend() Trend {
	if c.Late < trendLeast || c.Earlier < trendLeast {
		return TrendFlat
	}
	before, late := c.Means()
	switch change := stats.Rounded(late - before); {
	case change > trendMargin:
		return TrendUp
	case change < -trendMargin:
		return TrendDown
	}
	return TrendFlat
}
