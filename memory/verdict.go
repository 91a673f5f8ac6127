package memory

import (
	"math"
	"slices"
	"time"
)

// VerdictStatus is how a judge or a validator decided.
type VerdictStatus string

// The closed set of verdict statuses. VALIDATION_FAIL comes from a check by rule and has no judge.
const (
	VerdictApprove        VerdictStatus = "APPROVE"
	VerdictSoftFail       VerdictStatus = "SOFT_FAIL"
	VerdictHardFail       VerdictStatus = "HARD_FAIL"
	VerdictValidationFail VerdictStatus = "VALIDATION_FAIL"
)

// VerdictStatuses lists them, the best first.
var VerdictStatuses = []VerdictStatus{VerdictApprove, VerdictSoftFail, VerdictHardFail, VerdictValidationFail}

// Valid says whether the word is one of the closed set.
func (s VerdictStatus) Valid() bool { return slices.Contains(VerdictStatuses, s) }

// The bounds of what a judge says.
const (
	MaxScore     = 1e9               // of a score in either direction, so that any number of them adds up
	MaxIteration = math.MaxInt32 - 2 // what an API that counts in 32 bits can show, with what it is counted by
)

// Issue is a fault that a verdict names. Code is what issues are counted by.
type Issue struct {
	Code    string  `json:"code"`
	Area    *string `json:"area,omitempty"` // what it is about, such as TIMING
	Message *string `json:"message,omitempty"`
	Fix     *string `json:"fix,omitempty"` // what is to be done about it
}

// Judgement is what a verdict decides, without its texts: what the rules of runs, history and judges read.
type Judgement struct {
	Key         string        `json:"key"`
	RunKey      string        `json:"run"`
	SectionKey  string        `json:"section"` // see SectionKey
	SectionType string        `json:"sectionType"`
	Context     JSON          `json:"context,omitempty"` // under which the section was made, such as {"energy":"high"}
	JudgeID     *string       `json:"judge,omitempty"`   // null for VALIDATION_FAIL
	Status      VerdictStatus `json:"status"`
	Score       *float64      `json:"score,omitempty"` // on the judge's own scale
	Iteration   int           `json:"iteration"`       // numbered from 0
	Issues      []Issue       `json:"issues,omitempty"`
	Patterns    []string      `json:"patterns,omitempty"` // the approaches that the section used
	Label       *bool         `json:"label,omitempty"`    // whether a person would have approved; null until one says
	LabelledBy  *string       `json:"labelledBy,omitempty"`
	// Threshold is the one that was applied to the judge when the verdict was recorded (see JudgeThreshold); null where
	// there was none.
	Threshold *float64  `json:"threshold,omitempty"`
	At        time.Time `json:"at"`
}

// ThresholdApproves says what the threshold would have decided: to approve a score that is not below it. It is null
// where there was no threshold, or no score.
func (j *Judgement) ThresholdApproves() *bool {
	if j.Threshold == nil || j.Score == nil {
		return nil
	}
	return new(*j.Score >= *j.Threshold)
}

// Check says what is wrong with how a judgement decides. judge is the input's field for its judge.
func (j *Judgement) Check(judge string) error {
	switch {
	case j.Iteration < 0 || j.Iteration > MaxIteration:
		return Invalid("iteration", "is %d; iterations are numbered from 0 to %d", j.Iteration, MaxIteration)
	case !j.Status.Valid():
		return Invalid("status", "must be APPROVE, SOFT_FAIL, HARD_FAIL or VALIDATION_FAIL")
	case j.Status == VerdictValidationFail && j.JudgeID != nil:
		return Invalid(judge, "must be left out: a VALIDATION_FAIL comes from a check by rule and has no judge")
	case j.Score != nil && !(math.Abs(*j.Score) <= MaxScore): // not a number is not
		return Invalid("score", "is %v; it must be in ±%v", *j.Score, MaxScore)
	case j.Threshold != nil && j.JudgeID == nil:
		return Invalid("threshold", "must be left out: it is that of a judge")
	}
	return checkThreshold(j.Threshold)
}

func checkThreshold(threshold *float64) error {
	if threshold != nil && !(math.Abs(*threshold) <= MaxScore) { // not a number is not
		return Invalid("threshold", "is %v; it must be in ±%v", *threshold, MaxScore)
	}
	return nil
}

// JudgeThreshold is the score from which on a judge's verdicts would approve, on sections of a type or on all for which
// none of their type is set. Verdicts that are recorded later carry it; none is decided by it.
type JudgeThreshold struct {
	JudgeKey    string    `json:"judgeId"`
	SectionType *string   `json:"sectionType,omitempty"` // null for all types
	Threshold   *float64  `json:"threshold,omitempty"`   // null where it was taken away
	At          time.Time `json:"at"`                    // when that was said; of two the later counts
}

// Key is that under which it is kept: of a judge and a section type there is one.
func (t *JudgeThreshold) Key() string {
	if t.SectionType == nil {
		return JoinKey(t.JudgeKey)
	}
	return JoinKey(t.JudgeKey, *t.SectionType)
}

// Check says what is wrong with its value.
func (t *JudgeThreshold) Check() error { return checkThreshold(t.Threshold) }

// ID is the global id, verdict:key.
func (j *Judgement) ID() string { return NodeID(KindVerdict, j.Key) }

// Verdict is a judgement of one iteration of a section, with what was said.
type Verdict struct {
	Judgement
	Feedback  *string  `json:"feedback,omitempty"` // the judge's narrative
	Strengths []string `json:"strengths,omitempty"`
	Fixes     []string `json:"fixes,omitempty"`
	Plan      JSON     `json:"plan,omitempty"` // what was judged
	Receipt   Receipt  `json:"receipt"`
}
