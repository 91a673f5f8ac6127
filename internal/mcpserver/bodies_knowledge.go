package mcpserver

import (
	"time"

	"mneme/memory"
	"mneme/service"
)

type memoirBody struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	CreatedAt   time.Time `json:"createdAt"`
}

func bodyOfMemoir(m *memory.Memoir) memoirBody {
	return memoirBody{ID: m.ID(), Name: m.Name, Description: orEmpty(m.Description), CreatedAt: m.CreatedAt}
}

type conceptBody struct {
	ID        string                   `json:"id"`
	MemoirID  string                   `json:"memoirId"`
	Name      string                   `json:"name"`
	Content   string                   `json:"content"`
	Labels    []string                 `json:"labels,omitempty"`
	Note      string                   `json:"note,omitempty" jsonschema:"Says so where the concept no longer holds: what superseded or contradicts it."`
	Revisions []memory.ConceptRevision `json:"revisions,omitempty" jsonschema:"What it said before each refinement, the oldest first."`
	CreatedAt time.Time                `json:"createdAt"`
	UpdatedAt time.Time                `json:"updatedAt"`
}

func bodyOfConcept(c *memory.Concept, note string) conceptBody {
	return conceptBody{
		ID: c.ID(), MemoirID: memory.NodeID(memory.KindMemoir, c.MemoirKey), Name: c.Name, Content: c.Content, Labels: c.Labels,
		Note: note, Revisions: withLabels(c.Revisions), CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}
}

// withLabels writes revisions without labels as such, never as null.
func withLabels(revisions []memory.ConceptRevision) []memory.ConceptRevision {
	return mapped(revisions, func(r memory.ConceptRevision) memory.ConceptRevision {
		r.Labels = orNone(r.Labels)
		return r
	})
}

type observationBody struct {
	ID             string            `json:"id"`
	SessionID      string            `json:"sessionId,omitempty"`
	Content        string            `json:"content"`
	Importance     memory.Importance `json:"importance"`
	Weight         float64           `json:"weight" jsonschema:"What it weighs now, 0 to 1."`
	AccessCount    int               `json:"accessCount"`
	LastAccessedAt *time.Time        `json:"lastAccessedAt,omitempty"`
	About          []string          `json:"about,omitempty"`
	CreatedAt      time.Time         `json:"createdAt"`
}

func bodyOfObservation(tenant *service.Tenant, o *memory.Observation) observationBody {
	return observationBody{
		ID: o.ID(), SessionID: orEmpty(o.SessionID()), Content: o.Content, Importance: o.Importance, Weight: tenant.Knowledge.Weight(o),
		AccessCount: o.AccessCount, LastAccessedAt: o.LastAccessedAt, About: o.About, CreatedAt: o.CreatedAt,
	}
}

type correctionBody struct {
	ID         string            `json:"id"`
	Topic      string            `json:"topic"`
	Prediction string            `json:"prediction" jsonschema:"What was thought."`
	Correction string            `json:"correction" jsonschema:"What is so."`
	Context    string            `json:"context,omitempty"`
	Importance memory.Importance `json:"importance"`
	CreatedBy  string            `json:"createdBy,omitempty"`
	About      []string          `json:"about,omitempty"`
	CreatedAt  time.Time         `json:"createdAt"`
}

func bodyOfCorrection(c *memory.Correction) correctionBody {
	return correctionBody{
		ID: c.ID(), Topic: c.Topic, Prediction: c.Prediction, Correction: c.Correction, Context: orEmpty(c.Context),
		Importance: c.Importance, CreatedBy: orEmpty(c.CreatedBy), About: c.About, CreatedAt: c.CreatedAt,
	}
}
