package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
)

var recordObservationTool = tool[recordObservationInput, observationOutput]{
	name: "record_observation", title: "Record an observation", hints: adds,
	about: "Keeps one thing worth remembering: a fact, a preference, a decision. Critical and high ones stay; medium and low ones lose weight and may be pruned.",
	run:   recordObservation,
}

// recordObservationInput describes service.RecordObservationInput.
type recordObservationInput struct {
	ID         *string            `json:"id,omitempty" jsonschema:"The key to record it under; one is made where it is left out."`
	Content    string             `json:"content" jsonschema:"What was noticed, in a sentence or two that make sense on their own."`
	Importance *memory.Importance `json:"importance,omitempty" jsonschema:"How much it matters; MEDIUM where it is left out."`
	SessionID  *string            `json:"sessionId,omitempty" jsonschema:"The conversation it was noticed in, by id or key; its neighbours there help to find it."`
	AboutIDs   []string           `json:"aboutIds,omitempty" jsonschema:"The records it is about, by global id such as concept:refund-policy."`
	At         *time.Time         `json:"at,omitempty" jsonschema:"When it was noticed; now where it is left out."`
}

type observationOutput struct {
	ID         string             `json:"id"`
	Importance memory.Importance  `json:"importance"`
	Weight     float64            `json:"weight" jsonschema:"What it weighs now, 0 to 1."`
	Redactions []memory.Redaction `json:"redactions,omitempty" jsonschema:"Which private parts and secrets were taken out before it was kept."`
}

func recordObservation(ctx context.Context, tenant *service.Tenant, in recordObservationInput) (observationOutput, error) {
	o, err := tenant.Knowledge.RecordObservation(ctx, service.RecordObservationInput(in))
	if err != nil {
		return observationOutput{}, err
	}
	return observationOutput{ID: o.ID(), Importance: o.Importance, Weight: tenant.Knowledge.Weight(o), Redactions: o.Receipt.Redactions}, nil
}
