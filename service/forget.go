package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
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

// DeletedEpisode is an episode that was deleted.
type DeletedEpisode struct {
	DeletedID string `json:"deletedId"`
}

// DeletedFeedback is how much was deleted of what people said.
type DeletedFeedback struct {
	Deleted int `json:"deleted"`
}

// unfinished is UNAVAILABLE: the time of a call was up before all was deleted. It is an error, so that nobody takes for
// deleted what is not.
func unfinished(format string, deleted ...any) error {
	return &memory.Error{
		Code:    memory.CodeUnavailable,
		Message: "there was no time to delete all of it, " + fmt.Sprintf(format, deleted...) + "; the same again goes on",
	}
}

// DeleteFeedbackInput names one feedback, or the person whose feedback and corrections are to be deleted.
type DeleteFeedbackInput struct {
	ID        *string `json:"id,omitempty"`
	CreatedBy *string `json:"createdBy,omitempty"`
}

// DeleteAgent deletes an agent for good, with its episodes and what only they own. An import does not
// bring back any of it, unless forced. It is UNAVAILABLE where the context's time is up before all is deleted; the same
// call goes on.
func (u *Upkeep) DeleteAgent(ctx context.Context, input DeleteAgentInput) (*DeletedAgent, error) {
	ctx = store.Unmetered(ctx)
	b := u.deletion(ctx)
	key := b.key(memory.KindAgent, "id", input.ID)
	if b.err != nil {
		return nil, b.err
	}
	deleted := &DeletedAgent{DeletedID: memory.NodeID(memory.KindAgent, key)}
	complete, err := inTime(ctx, func(ctx context.Context) (err error) {
		deleted.Episodes, err = u.store.DeleteAgent(ctx, key)
		return err
	})
	switch {
	case err != nil:
		return nil, fault("the agent", err)
	case !complete:
		return nil, unfinished("but %d episodes", deleted.Episodes)
	}
	return deleted, nil
}

// AgentToDelete says what DeleteAgent would delete.
func (u *Upkeep) AgentToDelete(ctx context.Context, input DeleteAgentInput) (*DeletedAgent, error) {
	b := u.deletion(ctx)
	key := b.key(memory.KindAgent, "id", input.ID)
	if b.err != nil {
		return nil, b.err
	}
	doomed := &DeletedAgent{DeletedID: memory.NodeID(memory.KindAgent, key)}
	if err := u.mustExist(ctx, "id", doomed.DeletedID); err != nil {
		return nil, err
	}
	var err error
	doomed.Episodes, err = u.store.CountEpisodes(ctx, store.EpisodeFilter{Agent: &key})
	return doomed, fault("the agent", err)
}

// inTime deletes in parts for most of the time that a call has, and says whether all was deleted by then. The rest
// of the time is for saying so.
func inTime(ctx context.Context, deletion func(ctx context.Context) error) (complete bool, err error) {
	deadline, has := ctx.Deadline()
	if !has {
		err = deletion(ctx)
		return err == nil, err
	}
	limited, cancel := context.WithDeadline(ctx, deadline.Add(-time.Until(deadline)/4))
	defer cancel()
	err = deletion(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}

// DeleteFeedback deletes one feedback, or all feedback and corrections by a person, for good, and says how
// many there were. An import does not bring back any of it, unless forced. It is UNAVAILABLE as DeleteAgent is.
func (u *Upkeep) DeleteFeedback(ctx context.Context, input DeleteFeedbackInput) (*DeletedFeedback, error) {
	ctx = store.Unmetered(ctx)
	if (input.ID == nil) == (input.CreatedBy == nil) {
		return nil, memory.Invalid("id", "say either id or createdBy")
	}
	b := u.deletion(ctx)
	key := b.optionalKey(memory.KindFeedback, "id", input.ID)
	b.optionalLabel("createdBy", input.CreatedBy)
	if b.err != nil {
		return nil, b.err
	}
	if key != nil {
		if err := u.store.DeleteFeedback(ctx, *key); err != nil {
			return nil, fault("the feedback", err)
		}
		return &DeletedFeedback{Deleted: 1}, nil
	}
	deleted := &DeletedFeedback{}
	complete, err := inTime(ctx, func(ctx context.Context) error {
		for _, spelling := range spellingsOf(*input.CreatedBy) {
			said, err := u.store.DeletePerson(ctx, spelling)
			if deleted.Deleted += said; err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, fault("the person", err)
	case !complete:
		return nil, unfinished("but %d feedbacks and corrections", deleted.Deleted)
	}
	return deleted, nil
}

// PersonToDelete says how much DeleteFeedback would delete of what a person said. It goes through all that is kept, for
// no index finds it by person.
func (u *Upkeep) PersonToDelete(ctx context.Context, person string) (*DeletedFeedback, error) {
	ctx = store.Unmetered(ctx)
	b := u.deletion(ctx)
	b.label("createdBy", person)
	if b.err != nil {
		return nil, b.err
	}
	doomed, spellings := &DeletedFeedback{}, spellingsOf(person)
	err := u.store.Export(ctx, func(item store.Item) error {
		var said *string
		switch i := item.(type) {
		case *store.FeedbackItem:
			said = i.Feedback.CreatedBy
		case *store.CorrectionRecord:
			said = i.Correction.CreatedBy
		case *store.VerdictRecord:
			said = i.Verdict.LabelledBy
		}
		if said != nil && slices.Contains(spellings, *said) {
			doomed.Deleted++
		}
		return nil
	})
	return doomed, fault("the person", err)
}

// TraceToDrop says how many spans DropTrace would delete, as far as they can be read.
func (u *Upkeep) TraceToDrop(ctx context.Context, trace string) (int, error) {
	b := u.deletion(ctx)
	key := b.key(memory.KindEpisode, "traceId", trace)
	if b.err != nil {
		return 0, b.err
	}
	spans, err := u.store.HeldSpans(ctx, key, traceRoom.Whole())
	return len(spans), fault("the trace", err)
}

// CompactStep is how far the files are written anew.
type CompactStep = store.CompactStep

// Compacted is how long the files were and are, in bytes.
type Compacted struct {
	Before int64  `json:"before"`
	After  int64  `json:"after"`
	Note   string `json:"note,omitempty"` // why nothing was done
}

// Compact writes the files anew without what was deleted, after which they hold nothing of it, and tells how far it is.
// It is UNAVAILABLE where the disk has no room for that; then it stays due.
func (u *Upkeep) Compact(ctx context.Context, tell func(CompactStep)) (*Compacted, error) {
	compacter, can := u.store.(store.Compacter)
	if !can {
		return &Compacted{Note: "Neo4j looks after its files itself: mneme has nothing to compact. What was deleted stays in them until its room is used again; " +
			"to be rid of it, import an export into a new database."}, nil
	}
	sizes, err := compacter.Compact(store.Unmetered(ctx), tell)
	return &Compacted{Before: sizes.Before, After: sizes.After}, fault("the store", err)
}
