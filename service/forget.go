package service

import (
	"context"
	"slices"

	"mneme/memory"
)

// DeleteAgentInput names the agent to be deleted.
type DeleteAgentInput struct {
	ID string `json:"id"`
}

// DeletedAgent is what was deleted with an agent.
type DeletedAgent struct {
	DeletedID string `json:"deletedId"` // the agent's global id
	Episodes  int    `json:"episodes"`
}

// DeleteFeedbackInput names one feedback, or the person whose feedback and corrections are to be deleted.
type DeleteFeedbackInput struct {
	ID        *string `json:"id,omitempty"`
	CreatedBy *string `json:"createdBy,omitempty"`
}

// DeleteAgent deletes an agent for good, with its episodes and what only they own. An import does not
// bring back any of it, unless forced.
func (s *Service) DeleteAgent(ctx context.Context, input DeleteAgentInput) (*DeletedAgent, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return nil, err
	}
	b := s.question(ctx)
	key := b.key(memory.KindAgent, "id", input.ID)
	if b.err != nil {
		return nil, b.err
	}
	t.forgetting.Lock()
	defer t.forgetting.Unlock()
	episodes, err := t.DeleteAgent(ctx, key)
	if err != nil {
		return nil, fault("the agent", err)
	}
	return &DeletedAgent{DeletedID: memory.NodeID(memory.KindAgent, key), Episodes: episodes}, nil
}

// DeleteFeedback deletes one feedback, or all feedback and corrections by a person, for good, and says how
// many there were. An import does not bring back any of it, unless forced.
func (s *Service) DeleteFeedback(ctx context.Context, input DeleteFeedbackInput) (int, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return 0, err
	}
	if (input.ID == nil) == (input.CreatedBy == nil) {
		return 0, memory.Invalid("id", "say either id or createdBy")
	}
	b := s.question(ctx)
	key := b.optionalKey(memory.KindFeedback, "id", input.ID)
	person := b.optionalLabel("createdBy", input.CreatedBy)
	if b.err != nil {
		return 0, b.err
	}
	if person != nil {
		count, err := t.DeletePerson(ctx, *person)
		return count, fault("the person", err)
	}
	if err := t.DeleteFeedback(ctx, *key); err != nil {
		return 0, fault("the feedback", err)
	}
	return 1, nil
}

// Exhume lets records be imported again that were deleted for good, given as for Forgotten.
func (s *Service) Exhume(ctx context.Context, records [][]string) error {
	t, err := s.tenant(ctx)
	if err != nil {
		return err
	}
	return fault("the record", t.Exhume(ctx, slices.Concat(records...)))
}

// Forgotten says which records were deleted for good, each given by its global id and the ids of those
// whose it is: its agent, or the person (person:name).
func (s *Service) Forgotten(ctx context.Context, records [][]string) ([]bool, error) {
	t, err := s.tenant(ctx)
	if err != nil {
		return nil, err
	}
	found, err := t.Forgotten(ctx, slices.Concat(records...))
	if err != nil {
		return nil, fault("the record", err)
	}
	forgotten := make([]bool, len(records))
	for i, of := range records {
		for range of {
			forgotten[i] = forgotten[i] || found[0]
			found = found[1:]
		}
	}
	return forgotten, nil
}
