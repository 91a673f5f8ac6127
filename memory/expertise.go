package memory

import (
	"math"
	"time"
)

// The constants of the rules of learning profiles.
const (
	// RecentDays is how long an execution counts as of this week.
	RecentDays = 7
	// ConfidentTotal is the number of executions from which on confidence is full.
	ConfidentTotal = 20

	weightTimeDays = 7    // the age in which a weight falls to 1/e
	recentFactor   = 3    // how much more an execution of this week weighs
	trendLeast     = 3    // executions that either side of a trend needs
	trendFlat      = 0.05 // the most that two means differ where nothing changed
)

// Trend says which way the quality of an agent's work goes.
type Trend string

// The trends.
const (
	TrendUp   Trend = "UP"
	TrendDown Trend = "DOWN"
	TrendFlat Trend = "FLAT"
)

// ExecutionWeight is what an execution of an age in days counts for expertise: 3·e^(−d/7) up to 7 days,
// e^(−d/7) from then on. What lies in the future counts as now.
func ExecutionWeight(days float64) float64 {
	days = max(0, days)
	return recentness(days) * math.Exp(-days/weightTimeDays)
}

func recentness(days float64) float64 {
	if days <= RecentDays {
		return recentFactor
	}
	return 1
}

// Standing is what a profile's window says at a time.
type Standing struct {
	// Expertise is Σ quality·weight / Σ weight over the window, in 0…1; 0 where there is nothing in it.
	Expertise float64
	// Effective is how many equally weighted executions would say as much: (Σ weight)² / Σ weight²
	// (Kish, Survey Sampling, 1965).
	Effective float64
	// Recent counts the executions of the last 7 days.
	Recent int
	// Trend compares the mean quality of the last 7 days with that of the earlier window. It is FLAT where
	// they differ by 0.05 or less, or either has fewer than 3 executions.
	Trend Trend
}

// Standing sums up the window at a time. Its weights are relative to that of the latest execution, which
// cancels out, so that a window that is decades old still has an expertise.
func (p *LearningProfile) Standing(now time.Time) Standing {
	window, nowMs := &p.Window, now.UnixMilli()
	if len(window.At) == 0 {
		return Standing{Trend: TrendFlat}
	}
	latest := windowAge(window.At[len(window.At)-1], nowMs)
	var weights, squares, weighted, recentSum, earlierSum float64
	recent := 0
	for i, at := range window.At {
		days, quality := windowAge(at, nowMs), window.Quality[i]
		weight := recentness(days) * math.Exp((latest-days)/weightTimeDays)
		weights += weight
		squares += weight * weight
		weighted += weight * quality
		if days <= RecentDays {
			recent++
			recentSum += quality
		} else {
			earlierSum += quality
		}
	}
	return Standing{
		Expertise: unit(weighted / weights),
		Effective: weights * weights / squares,
		Recent:    recent,
		Trend:     trendOf(recentSum, recent, earlierSum, len(window.At)-recent),
	}
}

func windowAge(at, now int64) float64 { return float64(max(0, now-at)) / msPerDay }

func trendOf(recentSum float64, recent int, earlierSum float64, earlier int) Trend {
	if recent < trendLeast || earlier < trendLeast {
		return TrendFlat
	}
	switch change := rounded(recentSum/float64(recent) - earlierSum/float64(earlier)); {
	case change > trendFlat:
		return TrendUp
	case change < -trendFlat:
		return TrendDown
	}
	return TrendFlat
}

// rounded takes away the last bits, in which sums of equal numbers differ.
func rounded(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// Confidence is min(1, executions/20), in 0…1, the archived ones counted.
func (p *LearningProfile) Confidence() float64 {
	return min(1, float64(p.Total)/ConfidentTotal)
}

// ColdStart says that the agent is too new to the task type for full confidence: below 20 executions.
func (p *LearningProfile) ColdStart() bool { return p.Total < ConfidentTotal }

// Score is expertise × confidence, in 0…1.
func (p *LearningProfile) Score(now time.Time) float64 {
	return p.Standing(now).Expertise * p.Confidence()
}

// AvgQuality is the plain mean quality of all executions, in 0…1; 0 where there is none.
func (p *LearningProfile) AvgQuality() float64 {
	if p.Total == 0 {
		return 0
	}
	return rounded(float64(p.QualityBillionths) / 1e9 / float64(p.Total))
}

// AvgLatencyMs is the plain mean latency of all executions that have one, nil where none has.
func (p *LearningProfile) AvgLatencyMs() *float64 {
	return meanOf(float64(p.LatencyMicros)/1e3, p.Timed)
}

// LastUpdated is the time of the latest execution; the zero time where there is none.
func (p *LearningProfile) LastUpdated() time.Time {
	if len(p.Window.At) == 0 {
		return time.Time{}
	}
	return time.UnixMilli(p.Window.At[len(p.Window.At)-1]).UTC()
}

// Instant is the time that the profile is judged at: its own where it is an answer as of one, else now.
func (p *LearningProfile) Instant(now time.Time) time.Time {
	if p.AsOf != nil {
		return *p.AsOf
	}
	return now
}
