package service

import "time"

// RecordExecutionInput is one piece of work of an agent, and how well it went.
type RecordExecutionInput struct {
	ID        *string    `json:"id,omitempty"`
	AgentID   string     `json:"agentId"`
	TaskType  string     `json:"taskType"`
	Success   bool       `json:"success"`
	Quality   float64    `json:"quality"`
	LatencyMs *float64   `json:"latencyMs,omitempty"`
	At        *time.Time `json:"at,omitempty"`
}

// RecordExecutionsInput is a batch of executions, applied in order.
type RecordExecutionsInput struct {
	Executions []RecordExecutionInput `json:"executions"`
}

// SelectionInput asks which agents are good at a type of task.
type SelectionInput struct {
	TaskType string
	// Situation is the task at hand in words; nil or blank ranks by the type of task alone.
	Situation *string
	// AsOf, where set, answers as of that instant.
	AsOf *time.Time
}
