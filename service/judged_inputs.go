package service

import (
	"time"

	"mneme/memory"
	"mneme/memory/trends"
)

// IssueInput is a fault that a verdict names.
type IssueInput struct {
	Code    string  `json:"code" jsonschema:"What kind of fault, such as LANE_OVERLAP; issues are counted by it."`
	Area    *string `json:"area,omitempty" jsonschema:"What it is about, such as TIMING."`
	Message *string `json:"message,omitempty" jsonschema:"The fault in words."`
}

// RecordVerdictInput is how a judge, or a check by rule, decided on an iteration of a run's section.
type RecordVerdictInput struct {
	ID          *string              `json:"id,omitempty" jsonschema:"The key to record it under; one is made where it is left out."`
	RunID       string               `json:"runId" jsonschema:"The run, by id or key; a new one comes into being."`
	SectionID   string               `json:"sectionId" jsonschema:"What the run calls the section, such as verse_1, or its global id; a new one comes into being."` // what the run calls the section, or its global id
	SectionType string               `json:"sectionType" jsonschema:"What kind of section it is, such as chorus; history is learned by it."`
	Context     memory.JSON          `json:"context,omitempty" jsonschema:"Under what it was made, as JSON such as {\"energy\": \"high\"}; history is learned by its parts."`
	JudgeID     *string              `json:"judgeId,omitempty" jsonschema:"Who judged; left out with VALIDATION_FAIL, which no judge gave."`
	Iteration   int                  `json:"iteration" jsonschema:"The number of the iteration, from 0."`
	Status      memory.VerdictStatus `json:"status" jsonschema:"Good enough, worth another iteration, wrong, or failed by a check by rule."`
	Score       *float64             `json:"score,omitempty" jsonschema:"How good it was, on the judge's own scale; 8 or more counts as a success."`
	Feedback    *string              `json:"feedback,omitempty" jsonschema:"What the judge has to say."`
	Issues      []IssueInput         `json:"issues,omitempty" jsonschema:"The faults."`
	Strengths   []string             `json:"strengths,omitempty" jsonschema:"What was good and is to be kept."`
	Fixes       []string             `json:"fixes,omitempty" jsonschema:"What is to be done."`
	Patterns    []string             `json:"patterns,omitempty" jsonschema:"The approaches that it used, in the same words each time."`
	Plan        memory.JSON          `json:"plan,omitempty" jsonschema:"What was judged, as JSON."`
	At          *time.Time           `json:"at,omitempty" jsonschema:"When it was decided, such as 2026-06-01T12:00:00Z; now where it is left out."`
}

// RecordVerdictsInput is a batch of verdicts, applied in order.
type RecordVerdictsInput struct {
	Verdicts []RecordVerdictInput `json:"verdicts"`
}

// LabelVerdictInput says whether a person would have approved.
type LabelVerdictInput struct {
	VerdictID  string  `json:"verdictId"`
	Approve    bool    `json:"approve"`
	LabelledBy *string `json:"labelledBy,omitempty"`
}

// ApplyJudgeThresholdInput says from which score on a judge's verdicts would approve.
type ApplyJudgeThresholdInput struct {
	JudgeID     string   `json:"judgeId"`
	SectionType *string  `json:"sectionType,omitempty"` // null for all types for which none of their own is set
	Threshold   *float64 `json:"threshold,omitempty"`   // null takes it away
}

// CompleteRunInput names the run that is done.
type CompleteRunInput struct {
	RunID string `json:"runId" jsonschema:"The run, by id or key, as record_verdict names it."`
}

// VerdictFilter keeps the verdicts that meet every set condition.
type VerdictFilter struct {
	JudgeID     *string     `json:"judgeId,omitempty"`
	RunID       *string     `json:"runId,omitempty"`
	SectionType *string     `json:"sectionType,omitempty"`
	Context     memory.JSON `json:"context,omitempty"` // made under all of its pairs
}

// PatternFilter keeps the patterns that meet every set condition.
type PatternFilter struct {
	Kind        *memory.PatternKind `json:"kind,omitempty"`
	SectionType *string             `json:"sectionType,omitempty"`
	Context     memory.JSON         `json:"context,omitempty"`    // of exactly this part of a context
	WholeTypes  bool                `json:"wholeTypes,omitempty"` // of all sections of a type, instead of a part of a context
}

// GuidanceInput asks what to know before a section is made, or made better.
type GuidanceInput struct {
	RunID       *string     `json:"runId,omitempty" jsonschema:"The run, by id or key; nothing is said of a run where it is left out."`
	SectionID   *string     `json:"sectionId,omitempty" jsonschema:"What the run calls the section, with the runId, or its global id; left out where it has no name yet."` // what the run calls the section, or its global id
	SectionType string      `json:"sectionType" jsonschema:"What kind of section it is, exactly as record_verdict names it."`
	Context     memory.JSON `json:"context,omitempty" jsonschema:"Under what it is made, as JSON; history is told of its parts, or of any where it is left out."`
}

// TrendsInput asks for a chart: of the episodes of an agent and of a task type, and of the verdicts of a
// judge, of sections of a type and of those whose context has all pairs of another; nil means all.
type TrendsInput struct {
	AgentID, TaskType, JudgeID *string
	SectionType                *string
	Context                    memory.JSON
	Since                      *time.Time
	Bucket                     trends.Bucket
}
