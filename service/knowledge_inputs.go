package service

import (
	"time"

	"mneme/memory"
)

// CreateMemoirInput is a new memoir.
type CreateMemoirInput struct {
	ID          *string `json:"id,omitempty"`
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"`
}

// AddConceptInput is a new concept of a memoir.
type AddConceptInput struct {
	ID       *string  `json:"id,omitempty"`
	MemoirID string   `json:"memoirId"`
	Name     string   `json:"name"`
	Content  string   `json:"content"`
	Labels   []string `json:"labels,omitempty"`
}

// RefineConceptInput changes what a concept says; what is left out stays.
type RefineConceptInput struct {
	ID      string    `json:"id"`
	Content *string   `json:"content,omitempty"`
	Labels  *[]string `json:"labels,omitempty"`
}

// LinkConceptsInput names a typed relation between two concepts.
type LinkConceptsInput struct {
	SourceID string              `json:"sourceId"`
	TargetID string              `json:"targetId"`
	Type     memory.RelationType `json:"type"`
}

// RecordObservationInput is something an agent noticed.
type RecordObservationInput struct {
	ID         *string            `json:"id,omitempty"`
	Content    string             `json:"content"`
	Importance *memory.Importance `json:"importance,omitempty"`
	SessionID  *string            `json:"sessionId,omitempty"`
	AboutIDs   []string           `json:"aboutIds,omitempty"`
	At         *time.Time         `json:"at,omitempty"`
}

// RecordObservationsInput is a batch of observations, applied in order.
type RecordObservationsInput struct {
	Observations []RecordObservationInput `json:"observations"`
}

// PruneInput lets go of observations that weigh less than MinWeight; a dry run only counts them.
type PruneInput struct {
	MinWeight float64 `json:"minWeight"`
	DryRun    *bool   `json:"dryRun,omitempty"`
}

// RecordCorrectionInput is what a person put right.
type RecordCorrectionInput struct {
	ID         *string            `json:"id,omitempty"`
	Topic      string             `json:"topic"`
	Prediction string             `json:"prediction"`
	Correction string             `json:"correction"`
	Context    *string            `json:"context,omitempty"`
	Importance *memory.Importance `json:"importance,omitempty"`
	CreatedBy  *string            `json:"createdBy,omitempty"`
	AboutIDs   []string           `json:"aboutIds,omitempty"`
}

// ConsolidateInput says whose episodes to sum up: AgentID's, or those of every agent after AfterAgentID, in the
// order of their keys; all where both are nil.
type ConsolidateInput struct {
	AgentID      *string `json:"agentId,omitempty"`
	AfterAgentID *string `json:"afterAgentId,omitempty"`
	DryRun       *bool   `json:"dryRun,omitempty"`
}

// ObservationOrder is an order of listing observations.
type ObservationOrder string

// The orders. Ties: newer first, then id.
const (
	WeightDesc    ObservationOrder = "WEIGHT_DESC"
	WeightAsc     ObservationOrder = "WEIGHT_ASC"
	CreatedAtDesc ObservationOrder = "CREATED_AT_DESC"
)

// Direction is which way links are followed from a node.
type Direction string

// The directions.
const (
	DirectionOut  Direction = "OUT"
	DirectionIn   Direction = "IN"
	DirectionBoth Direction = "BOTH"
)

// NeighbourhoodInput asks for what is around a record.
type NeighbourhoodInput struct {
	ID        string
	Depth     *int     // 1…6, default 1
	Relations []string // edge names in upper case; nil means all
	Direction Direction
	Page      PageInput
}
