package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

var feedbackRecordTool = tool[feedbackRecordInput, correctionOutput]{
	name: "feedback_record", title: "Record a correction", hints: adds,
	about: "Call this when a person puts you right about something that holds beyond this task: what you thought, and what is so. recall and feedback_search bring it back.",
	run:   feedbackRecord,
}

// feedbackRecordInput describes service.RecordCorrectionInput.
type feedbackRecordInput struct {
	ID         *string            `json:"id,omitempty" jsonschema:"The key to record it under; one is made where it is left out."`
	Topic      string             `json:"topic" jsonschema:"What it is about, in a word or two; corrections are counted and filtered by it."`
	Prediction string             `json:"prediction" jsonschema:"What was thought, said or done."`
	Correction string             `json:"correction" jsonschema:"What is so, or is to be done instead."`
	Context    *string            `json:"context,omitempty" jsonschema:"In which circumstances."`
	Importance *memory.Importance `json:"importance,omitempty" jsonschema:"How much it matters; MEDIUM where it is left out."`
	CreatedBy  *string            `json:"createdBy,omitempty" jsonschema:"Who put it right."`
	AboutIDs   []string           `json:"aboutIds,omitempty" jsonschema:"The records it is about, by global id such as episode:run-7."`
}

type correctionOutput struct {
	ID         string             `json:"id"`
	Topic      string             `json:"topic"`
	Importance memory.Importance  `json:"importance"`
	Redactions []memory.Redaction `json:"redactions,omitempty" jsonschema:"Which private parts and secrets were taken out before it was kept."`
}

func feedbackRecord(ctx context.Context, tenant *service.Tenant, in feedbackRecordInput) (correctionOutput, error) {
	c, err := tenant.Knowledge.RecordCorrection(ctx, service.RecordCorrectionInput(in))
	if err != nil {
		return correctionOutput{}, err
	}
	return correctionOutput{ID: c.ID(), Topic: c.Topic, Importance: c.Importance, Redactions: c.Receipt.Redactions}, nil
}
