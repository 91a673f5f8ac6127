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
	// TrendLeast is how many executions either side of a trend needs, and TrendMargin by how much two means may differ
	// where nothing changed.
	TrendLeast  = 3
	TrendMargin = 0.05

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
	var weights, squares, weighted, recentSum, earlierSum float64
	recent := 0
	for i, at := range window.At {
		days, quality := windowAge(at, nowMs), window.Quality[i]
		weight := math.Exp((latest - days) / weightTimeDays)
		if days <= RecentDays {
			weight *= recentFactor
			recent++
			recentSum += quality
		} else {
			earlierSum += quality
		}
		weights += weight
		squares += weight * weight
		weighted += weight * quality
	}
	expertise := stats.Unit(weighted / weights)
	return Standing{
		Expertise: expertise,
		Score:     expertise * p.Confidence(),
		Effective: weights * weights / squares,
		Recent:    recent,
		Trend:     trendOf(recentSum, recent, earlierSum, len(window.At)-recent),
	}
}

func windowAge(at, now int64) float64 { return float64(max(0, now-at)) / decay.MsPerDay }

func trendOf(recentSum float64, recent int, earlierSum float64, earlier int) Trend {
	if recent < TrendLeast || earlier < TrendLeast {
		return TrendFlat
	}
	switch change := stats.Rounded(recentSum/float64(recent) - earlierSum/float64(earlier)); {
	case change > TrendMargin:
		return TrendUp
	case change < -TrendMargin:
		return TrendDown
	}
	return TrendFlat
}
