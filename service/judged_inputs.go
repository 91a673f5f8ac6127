package service

import (
	"time"

	"mneme/memory"
	"mneme/memory/trends"
)

// IssueInput is a fault that a verdict names.
type IssueInput struct {
	Code    string  `json:"code"`
	Area    *string `json:"area,omitempty"`
	Message *string `json:"message,omitempty"`
}

// RecordVerdictInput is how a judge, or a check by rule, decided on an iteration of a run's section.
type RecordVerdictInput struct {
	ID          *string              `json:"id,omitempty"`
	RunID       string               `json:"runId"`
	SectionID   string               `json:"sectionId"` // what the run calls the section, or its global id
	SectionType string               `json:"sectionType"`
	Context     memory.JSON          `json:"context,omitempty"`
	JudgeID     *string              `json:"judgeId,omitempty"`
	Iteration   int                  `json:"iteration"`
	Status      memory.VerdictStatus `json:"status"`
	Score       *float64             `json:"score,omitempty"`
	Feedback    *string              `json:"feedback,omitempty"`
	Issues      []IssueInput         `json:"issues,omitempty"`
	Strengths   []string             `json:"strengths,omitempty"`
	Fixes       []string             `json:"fixes,omitempty"`
	Patterns    []string             `json:"patterns,omitempty"`
	Plan        memory.JSON          `json:"plan,omitempty"`
	At          *time.Time           `json:"at,omitempty"`
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

// CompleteRunInput names the run that is done.
type CompleteRunInput struct {
	RunID string `json:"runId"`
}

// VerdictFilter keeps the verdicts that meet every set condition.
type VerdictFilter struct {
	JudgeID     *string `json:"judgeId,omitempty"`
	RunID       *string `json:"runId,omitempty"`
	SectionType *string `json:"sectionType,omitempty"`
}

// PatternFilter keeps the patterns that meet every set condition.
type PatternFilter struct {
	Kind        *memory.PatternKind `json:"kind,omitempty"`
	SectionType *string             `json:"sectionType,omitempty"`
}

// GuidanceInput asks what to know before a section is made, or made better.
type GuidanceInput struct {
	RunID       *string
	SectionID   *string // what the run calls the section, or its global id
	SectionType string
	Context     memory.JSON
}

// TrendsInput asks for a chart: of the episodes of an agent and of a task type, and of the verdicts of a
// judge; nil means all.
type TrendsInput struct {
	AgentID, TaskType, JudgeID *string
	Since                      *time.Time
	Bucket                     trends.Bucket
}
