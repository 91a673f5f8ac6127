package boundary

import (
	"time"

	"mneme/memory"
	"mneme/service/reading"
)

// CreateMemoirInput is a new memoir.
type CreateMemoirInput struct {
	ID          *string `json:"id,omitempty" jsonschema:"The key to make it under; one is made by default."`
	Name        string  `json:"name" jsonschema:"What it is called, 1 to 512 bytes; no other memoir may be called so."`
	Description *string `json:"description,omitempty" jsonschema:"What belongs into it."`
}

// AddConceptInput is a new concept of a memoir.
type AddConceptInput struct {
	ID       *string  `json:"id,omitempty" jsonschema:"The key to add it under; one is made by default."`
	MemoirID string   `json:"memoirId" jsonschema:"The memoir, by id or key; memoir_list tells them, memoir_create makes one."`
	Name     string   `json:"name" jsonschema:"What it is called, 1 to 512 bytes; no other concept of the memoir may be called so."`
	Content  string   `json:"content" jsonschema:"What is known about it."`
	Labels   []string `json:"labels,omitempty" jsonschema:"Words to file it under."`
}

// RefineConceptInput changes what a concept says; what is left out stays.
type RefineConceptInput struct {
	ID      string    `json:"id" jsonschema:"The concept, by id or key; memoir_search finds it."`
	Content *string   `json:"content,omitempty" jsonschema:"What is known about it now, whole; what it says stays by default."`
	Labels  *[]string `json:"labels,omitempty" jsonschema:"All its labels from now on; they stay by default, and an empty list takes them away."`
	Purge   *bool     `json:"purge,omitempty" jsonschema:"True drops for good what it said before, with all revisions."`
}

// LinkConceptsInput names a typed relation between two concepts.
type LinkConceptsInput struct {
	SourceID string              `json:"sourceId" jsonschema:"The concept it leads from, by id or key; search finds it."`
	TargetID string              `json:"targetId" jsonschema:"The concept it leads to, by id or key; not the same one."`
	Type     memory.RelationType `json:"type" jsonschema:"How the source relates to the target. SUPERSEDED_BY leads from the old to the new, CONTRADICTS from the one that holds."`
}

// RecordObservationInput is something an agent noticed.
type RecordObservationInput struct {
	ID         *string            `json:"id,omitempty" jsonschema:"The key to record it under; one is made by default."`
	Content    string             `json:"content" jsonschema:"What was noticed, in a sentence or two that make sense on their own."`
	Importance *memory.Importance `json:"importance,omitempty" jsonschema:"How much it matters; MEDIUM by default."`
	SessionID  *string            `json:"sessionId,omitempty" jsonschema:"The conversation it was noticed in, by id or key; its neighbours there help to find it."`
	UserID     *string            `json:"userId,omitempty" jsonschema:"For whom."`
	AboutIDs   []string           `json:"aboutIds,omitempty" jsonschema:"The records it is about, by global id such as concept:refund-policy."`
	At         *time.Time         `json:"at,omitempty" jsonschema:"When it was noticed; now by default."`
}

// RecordObservationsInput is a batch of observations, applied in order.
type RecordObservationsInput struct {
	Observations []RecordObservationInput `json:"observations"`
}

// PruneInput chooses the observations that weigh less than MinWeight; a dry run only counts them.
type PruneInput struct {
	MinWeight float64 `json:"minWeight"`
	DryRun    *bool   `json:"dryRun,omitempty"`
}

// RecordCorrectionInput is what a person put right.
type RecordCorrectionInput struct {
	ID         *string            `json:"id,omitempty" jsonschema:"The key to record it under; one is made by default."`
	Topic      string             `json:"topic" jsonschema:"What it is about, in a word or two; corrections are counted and filtered by it."`
	Prediction string             `json:"prediction" jsonschema:"What was thought, said or done."`
	Correction string             `json:"correction" jsonschema:"What is so, or is to be done instead."`
	Context    *string            `json:"context,omitempty" jsonschema:"In which circumstances."`
	Importance *memory.Importance `json:"importance,omitempty" jsonschema:"How much it matters; MEDIUM by default."`
	CreatedBy  *string            `json:"createdBy,omitempty" jsonschema:"Who put it right."`
	AboutIDs   []string           `json:"aboutIds,omitempty" jsonschema:"The records it is about, by global id such as episode:run-7."`
}

// ConsolidateInput says whose episodes to sum up: AgentID's, or those of every agent after AfterAgentID, in the
// order of their keys; all where both are nil.
type ConsolidateInput struct {
	AgentID      *string `json:"agentId,omitempty" jsonschema:"Only this agent's episodes, by id or key."`
	AfterAgentID *string `json:"afterAgentId,omitempty" jsonschema:"Goes on after this agent: lastAgentId of a call that had more."`
	DryRun       *bool   `json:"dryRun,omitempty" jsonschema:"False keeps the observations; by default they are only told."`
}

// NeighbourhoodInput asks for what is around a record.
type NeighbourhoodInput struct {
	ID        string
	Depth     *int     // 1…6, default 1
	Relations []string // edge names, in any case; nil means all
	Direction memory.Direction
	Page      reading.PageInput
}

// PathInput asks for a shortest path between two records.
type PathInput struct {
	From, To  string
	MaxDepth  *int     // 1…6, default 6
	Relations []string // edge names, in any case; nil means all
}
