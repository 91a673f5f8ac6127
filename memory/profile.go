package memory

import (
	"math"
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

// Window is the latest WindowSize executions of a profile by (At, Key), the oldest first, packed into
// columns of one length: position i of each is one execution. A read for ranking brings along At and
// Quality only; the other columns are then nil.
type Window struct {
	At        []int64 // milliseconds since 1970, UTC
	Quality   []float64
	Keys      []string
	Success   []bool
	LatencyMs []float64 // below 0 where it was not measured
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

// Add counts an execution and takes it into the window where it belongs there. It returns the execution
// that is in the archive from now on: the one that had to make room, the added one itself where it is older
// than a full window, or nil.
func (p *LearningProfile) Add(e Execution) (archived *Execution) {
	p.count(&e, 1)
	i := p.Window.position(e.At.UnixMilli(), e.Key)
	if len(p.Window.At) < WindowSize {
		p.Window.insert(i, &e)
		return nil
	}
	if i == 0 {
		e.Archived = true
		return &e
	}
	archived = p.execution(0)
	archived.Archived = true
	p.Window.insert(i, &e)
	p.Window.remove(0)
	return archived
}

// Remove takes an execution out of the counters, and out of the window where it is there. It says whether
// the latest of the archive is to be given to Refill.
func (p *LearningProfile) Remove(e Execution) (refill bool) {
	p.count(&e, -1)
	i := p.Window.position(e.At.UnixMilli(), e.Key)
	if i == len(p.Window.Keys) || p.Window.Keys[i] != e.Key {
		return false
	}
	p.Window.remove(i)
	return p.Total > len(p.Window.At)
}

// Refill takes the latest execution of the archive back into the window. It is counted already.
func (p *LearningProfile) Refill(e Execution) {
	p.Window.insert(p.Window.position(e.At.UnixMilli(), e.Key), &e)
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

// Executions unpacks a window that was read with all columns, the oldest first.
func (p *LearningProfile) Executions() []*Execution {
	executions := make([]*Execution, len(p.Window.Keys))
	for i := range executions {
		executions[i] = p.execution(i)
	}
	return executions
}

func (p *LearningProfile) execution(i int) *Execution {
	w := &p.Window
	e := &Execution{
		Key: w.Keys[i], AgentKey: p.AgentKey, TaskType: p.TaskType, Success: w.Success[i],
		Quality: w.Quality[i], At: time.UnixMilli(w.At[i]).UTC(),
	}
	if w.LatencyMs[i] >= 0 {
		e.LatencyMs = new(w.LatencyMs[i])
	}
	return e
}

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
	if p.Total == 0 {
		return 0
	}
	return stats.Rounded(float64(p.QualityBillionths) / 1e9 / float64(p.Total))
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
func (p *LearningProfile) Instant(now time.Time) time.Time {
	if p.AsOf != nil {
		return *p.AsOf
	}
	return now
}
