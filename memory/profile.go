package memory

import (
	"math"
	"slices"
	"time"

	"mneme/memory/stats"
)

// WindowSize is the number of executions that a profile's expertise is made of, the latest.
const WindowSize = 100

// LearningProfile is how well an agent does a type of task. It exists while it has executions.
//
// The sums are whole numbers, so that they are the same in whatever order executions come and go.
type LearningProfile struct {
	AgentKey string
	TaskType string
	// Total and Successful count all executions, the archived ones too.
	Total, Successful int
	// QualityBillionths is the sum of the qualities of all executions, each rounded to a billionth.
	QualityBillionths int64
	// LatencyMicros is the sum of the latencies of all executions that have one, each rounded to a
	// microsecond, and Timed their number.
	LatencyMicros int64
	Timed         int
	// Window holds the latest executions.
	Window Window
	// AsOf is set where the profile is an answer as of an instant.
	AsOf *time.Time
}

// Window is the latest WindowSize executions of a profile by (At, Key), the oldest first: position i of each column is
// one execution.
type Window struct {
	At      []int64 // milliseconds since 1970, UTC
	Quality []float64
}

// ProfileKey is the key of a profile: the agent's and the task type, joined (see JoinKey). It may be longer
// than MaxKeyBytes.
func ProfileKey(agent, taskType string) string { return JoinKey(agent, taskType) }

// SplitProfileKey takes the key of a profile apart; ok is false where it is none.
func SplitProfileKey(key string) (agent, taskType string, ok bool) {
	parts := SplitKey(key)
	if len(parts) != 2 || parts[0] == "" || ProfileKey(parts[0], parts[1]) != key {
		return "", "", false
	}
	return parts[0], parts[1], true
}

// ID is the global id, learningProfile:agent/taskType.
func (p *LearningProfile) ID() string {
	return NodeID(KindLearningProfile, ProfileKey(p.AgentKey, p.TaskType))
}

// Add counts an execution and takes it into the window where it belongs there. It answers false where the window is to
// be read anew (see WindowOf): a window does not tell which of two executions of one time is the later one.
func (p *LearningProfile) Add(e *Execution) (known bool) {
	p.count(e, 1)
	w, at := &p.Window, e.At.UnixMilli()
	i, tied := slices.BinarySearch(w.At, at)
	full := len(w.At) == WindowSize
	switch {
	case tied:
		return false
	case full && i == 0: // it is older than the window
		return true
	case full:
		w.At, w.Quality, i = w.At[1:], w.Quality[1:], i-1
	}
	w.At, w.Quality = slices.Insert(w.At, i, at), slices.Insert(w.Quality, i, e.Quality)
	return true
}

// Remove takes an execution out of the counters. It answers false where it may have been in the window: read it anew.
func (p *LearningProfile) Remove(e *Execution) (known bool) {
	p.count(e, -1)
	return len(p.Window.At) == WindowSize && e.At.UnixMilli() < p.Window.At[0]
}

// Rewind makes a profile what it was at an instant: without what was counted later, and with the window of then.
func (p *LearningProfile) Rewind(asOf time.Time, later *LearningProfile, then Window) {
	p.AsOf, p.Window = &asOf, then
	p.Total -= later.Total
	p.Successful -= later.Successful
	p.QualityBillionths -= later.QualityBillionths
	p.LatencyMicros -= later.LatencyMicros
	p.Timed -= later.Timed
}

// SumUp is the profile of all its executions, which it sorts.
func SumUp(agent, taskType string, executions []*Execution) *LearningProfile {
	p := &LearningProfile{AgentKey: agent, TaskType: taskType}
	for _, e := range executions {
		p.count(e, 1)
	}
	slices.SortFunc(executions, func(a, b *Execution) int { return CompareExecutions(b, a) })
	p.Window = WindowOf(executions[:min(len(executions), WindowSize)])
	return p
}

// WindowOf is the window of the latest executions, which come the latest first.
func WindowOf(latest []*Execution) (w Window) {
	for _, e := range slices.Backward(latest) {
		w.At, w.Quality = append(w.At, e.At.UnixMilli()), append(w.Quality, e.Quality)
	}
	return w
}

// count adds an execution to the counters, or takes it out of them with −1.
func (p *LearningProfile) count(e *Execution, sign int) {
	p.Total += sign
	if e.Success {
		p.Successful += sign
	}
	p.QualityBillionths += int64(sign) * QualityBillionths(e.Quality)
	if e.LatencyMs != nil {
		p.Timed += sign
		p.LatencyMicros += int64(sign) * LatencyMicros(*e.LatencyMs)
	}
}

// QualityBillionths is what an execution adds to the sum of qualities.
func QualityBillionths(quality float64) int64 { return int64(math.Round(quality * 1e9)) }

// LatencyMicros is what an execution adds to the sum of latencies.
func LatencyMicros(ms float64) int64 { return int64(math.Round(ms * 1e3)) }

// ConfidentTotal is the number of executions from which on confidence is full.
const ConfidentTotal = 20

// Confidence is min(1, executions/20), in 0…1, the archived ones counted.
func (p *LearningProfile) Confidence() float64 {
	return min(1, float64(p.Total)/ConfidentTotal)
}

// ColdStart says that the agent is too new to the task type for full confidence: below 20 executions.
func (p *LearningProfile) ColdStart() bool { return p.Total < ConfidentTotal }

// AvgQuality is the plain mean quality of all executions, in 0…1; 0 where there is none.
func (p *LearningProfile) AvgQuality() float64 {
	return OrZero(stats.PlainMean{Sum: float64(p.QualityBillionths) / 1e9, Count: p.Total}.Mean())
}

// AvgLatencyMs is the plain mean latency of all executions that have one, nil where none has.
func (p *LearningProfile) AvgLatencyMs() *float64 {
	return stats.Mean(float64(p.LatencyMicros)/1e3, p.Timed)
}

// LastUpdated is the time of the latest execution; the zero time where there is none.
func (p *LearningProfile) LastUpdated() time.Time {
	if len(p.Window.At) == 0 {
		return time.Time{}
	}
	return time.UnixMilli(p.Window.At[len(p.Window.At)-1]).UTC()
}

// Instant is the time that the profile is judged at: its own where it is an answer as of one, else now.
func (p *LearningProfile) Instant(now time.Time) time.Time { return ValueOr(p.AsOf, now) }
