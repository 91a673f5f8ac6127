package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/store"
)

// DeleteAgentInput names the agent to be deleted. On a dry run, as of the other inputs, it is only told what would be.
type DeleteAgentInput struct {
	ID     string `json:"id"`
	DryRun bool   `json:"-"`
}

// DeletedAgent is what was deleted with an agent.
type DeletedAgent struct {
	DeletedID string `json:"deletedId"` // the agent's global id
	Episodes  int    `json:"episodes"`
}

// DeletedRecord is a record that was deleted.
type DeletedRecord struct {
	DeletedID string `json:"deletedId"`          // its global id
	Concepts  int    `json:"concepts,omitempty"` // how many went with a memoir
	Verdicts  int    `json:"verdicts,omitempty"` // how many went with a section or a run
}

// DeletedEpisodes is what became of episodes that a filter chose.
type DeletedEpisodes struct {
	Candidates int  `json:"candidates"` // how many it fits
	Deleted    int  `json:"deleted"`
	DryRun     bool `json:"dryRun"`
}

// DeletedFeedback is how much was deleted of what people said.
type DeletedFeedback struct {
	Deleted int `json:"deleted"`
}

// errUnfinished is an error, so that nobody takes for deleted what is not.
var errUnfinished = &memory.Error{
	Code: memory.CodeUnavailable, Message: "there was no time to delete all of it; the same again goes on",
}

// DeleteFeedbackInput names one feedback, or the person whose feedback and corrections are to be deleted.
type DeleteFeedbackInput struct {
	ID        *string `json:"id,omitempty"`
	CreatedBy *string `json:"createdBy,omitempty"`
	DryRun    bool    `json:"-"`
}

// DeleteAgent deletes an agent for good, with its episodes and what only they own. An import does not
// bring back any of it, unless forced. It is UNAVAILABLE where the context's time is up before all is deleted; the same
// call goes on.
func (u *Upkeep) DeleteAgent(ctx context.Context, input DeleteAgentInput) (*DeletedAgent, error) {
	ctx = store.Unmetered(ctx)
	key, err := u.toDelete(ctx, memory.KindAgent, "id", input.ID)
	if err != nil {
		return nil, err
	}
	deleted := &DeletedAgent{DeletedID: memory.NodeID(memory.KindAgent, key)}
	if input.DryRun {
		if err := u.mustExist(ctx, "id", deleted.DeletedID); err != nil {
			return nil, err
		}
		deleted.Episodes, err = store.Count(ctx, u.store, store.EpisodeQuery{Filter: store.EpisodeFilter{Agent: &key}})
	} else {
		err = inTime(ctx, func(ctx context.Context) (err error) {
			deleted.Episodes, err = u.store.Delete(ctx, memory.KindAgent, []string{key})
			return err
		})
	}
	if err != nil {
		return nil, u.faultAt(ctx, "id", "the agent", input.ID, err)
	}
	return deleted, nil
}

// toDelete is the key of a record that an admin wants to delete.
func (u *Upkeep) toDelete(ctx context.Context, kind memory.Kind, field, id string) (key string, err error) {
	b := u.deletion(ctx)
	key = b.key(kind, field, id)
	return key, b.err
}

// forReal refuses what only an admin may, where it would be done rather than only told.
func forReal(ctx context.Context, what string, ok bool) error {
	if !ok {
		return nil
	}
	return access.Check(ctx, access.Administer, what)
}

// inTime deletes in parts for most of the time that a call has. It is errUnfinished where not all was deleted by then: the rest of
// the time is for the answer.
func inTime(ctx context.Context, deletion func(ctx context.Context) error) error {
	deadline, has := ctx.Deadline()
	if !has {
		return deletion(ctx)
	}
	limited, cancel := context.WithDeadline(ctx, deadline.Add(-time.Until(deadline)/4))
	defer cancel()
	err := deletion(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return errUnfinished
	}
	return err
}

// deletableKinds are the kinds of records that are deleted by their ids.
var deletableKinds = []memory.Kind{
	memory.KindEpisode, memory.KindCanvas, memory.KindFeedback, memory.KindMemoir, memory.KindConcept, memory.KindObservation, memory.KindCorrection,
	memory.KindVerdict, memory.KindSection, memory.KindRun, memory.KindExecution,
}

// DeleteAny deletes a record of any of deletableKinds, by its global id; see Delete.
func (u *Upkeep) DeleteAny(ctx context.Context, input DeleteInput) (*DeletedRecord, error) {
	kind, err := deletable(input)
	if err != nil {
		return nil, err
	}
	return u.Delete(ctx, kind, input)
}

// doomed is a record with what goes with it, whether it is there or not.
func (u *Upkeep) doomed(ctx context.Context, kind memory.Kind, key string) (doomed *DeletedRecord, err error) {
	doomed = &DeletedRecord{DeletedID: memory.NodeID(kind, key)}
	switch kind {
	case memory.KindMemoir:
		doomed.Concepts, err = store.Count(ctx, u.store, store.ConceptsOf{Memoir: key})
	case memory.KindSection:
		doomed.Verdicts, err = store.Count(ctx, u.store, store.VerdictQuery{Section: &key})
	case memory.KindRun:
		doomed.Verdicts, err = store.Count(ctx, u.store, store.VerdictQuery{Run: &key})
	case memory.KindExecution:
		if episode := (&memory.Execution{Key: key}).EpisodeKey(); episode != nil {
			return nil, memory.Invalid("id", "is the execution of an episode, which goes with it: delete %s", memory.NodeID(memory.KindEpisode, *episode))
		}
	}
	return doomed, fault("the "+string(kind), err)
}

// deletable is the kind of the record that an input names by its global id.
func deletable(input DeleteInput) (memory.Kind, error) {
	kind, _, ok := memory.SplitID(input.ID)
	if !ok || !slices.Contains(deletableKinds, kind) {
		return "", memory.Invalid("id", "must be the global id of a record such as episode:run-7, of one of the kinds %s; agents and people are forgotten by the operator, with mneme forget --agent and --person",
			strings.Join(memory.KindNames(deletableKinds), ", "))
	}
	return kind, nil
}

// Delete deletes a record of a kind for good, with what only it owns: an episode with its log, canvases and feedback, a
// memoir with its concepts, a section or a run with its verdicts. An import does not bring back any of it, unless forced, nor does a consolidation; a
// client may record something new under the same id. It is UNAVAILABLE as DeleteAgent is.
func (u *Upkeep) Delete(ctx context.Context, kind memory.Kind, input DeleteInput) (*DeletedRecord, error) {
	ctx = store.Unmetered(ctx)
	key, err := u.toDelete(ctx, kind, "id", input.ID)
	if err != nil {
		return nil, err
	}
	deleted, err := u.doomed(ctx, kind, key)
	if err != nil {
		return nil, err
	}
	if input.DryRun {
		return deleted, u.faultAt(ctx, "id", "the "+string(kind), input.ID, u.mustExist(ctx, "id", deleted.DeletedID))
	}
	err = inTime(ctx, func(ctx context.Context) (err error) {
		count, err := u.store.Delete(ctx, kind, []string{key})
		switch {
		case kind == memory.KindMemoir:
			deleted.Concepts = count
		case err == nil && count == 0:
			err = store.ErrNotFound
		}
		return err
	})
	if err != nil {
		return nil, u.faultAt(ctx, "id", "the "+string(kind), input.ID, err)
	}
	return deleted, nil
}

// DeleteEpisodes deletes the episodes that a filter fits, as Delete does, the oldest first; on a dry run, which is the
// default, it only counts them. It is UNAVAILABLE as DeleteAgent is.
func (u *Upkeep) DeleteEpisodes(ctx context.Context, input DeleteEpisodesInput) (*DeletedEpisodes, error) {
	ctx = store.Unmetered(ctx)
	if err := forReal(ctx, "to delete for good", !valueOr(input.DryRun, true)); err != nil {
		return nil, err
	}
	if conditions := input.Filter; conditions == (EpisodeFilter{WorkFilter: WorkFilter{UserFilter: UserFilter{IncludeShared: conditions.IncludeShared}}}) {
		return nil, memory.Invalid("filter", "must say which episodes, by at least one condition")
	}
	b := u.question(ctx)
	filter := b.filter(input.Filter, u.clock())
	if b.err != nil {
		return nil, b.err
	}
	result := &DeletedEpisodes{DryRun: valueOr(input.DryRun, true)}
	var err error
	if result.Candidates, err = store.Count(ctx, u.store, store.EpisodeQuery{Filter: filter}); err != nil || result.DryRun {
		return result, fault("the episodes", err)
	}
	err = inTime(ctx, func(ctx context.Context) error { return u.deleteAll(ctx, filter, &result.Deleted) })
	if err != nil {
		return nil, fault("the episodes", err)
	}
	return result, nil
}

// deletedAtOnce is how many episodes are looked for before they are deleted: a part of a deletion, so that little
// changes in between.
const deletedAtOnce = 100

// deleteAll deletes the episodes that a filter fits, and counts them.
func (u *Upkeep) deleteAll(ctx context.Context, filter store.EpisodeFilter, deleted *int) error {
	query, page := store.EpisodeQuery{Filter: filter, Order: store.OldestFirst, Parts: store.HeadOnly}, store.Page{Limit: deletedAtOnce}
	for more := true; more; {
		var episodes []*memory.Episode
		var err error
		if episodes, more, err = store.List(ctx, u.store, query, page); err != nil {
			return err
		}
		keys := make([]string, len(episodes))
		for i, episode := range episodes {
			keys[i] = episode.Key
			page.After = new(query.Place(episode))
		}
		count, err := u.store.Delete(ctx, memory.KindEpisode, keys)
		if *deleted += count; err != nil {
			return err
		}
	}
	return nil
}

// DeleteFeedback deletes one feedback, or all feedback and corrections by a person, for good, and says how
// many there were. An import does not bring back any of it, unless forced. It is UNAVAILABLE as DeleteAgent is.
func (u *Upkeep) DeleteFeedback(ctx context.Context, input DeleteFeedbackInput) (*DeletedFeedback, error) {
	ctx = store.Unmetered(ctx)
	if (input.ID == nil) == (input.CreatedBy == nil) {
		return nil, memory.Invalid("id", "say either id or createdBy")
	}
	if input.ID != nil {
		if _, err := u.Delete(ctx, memory.KindFeedback, DeleteInput{ID: *input.ID, DryRun: input.DryRun}); err != nil {
			return nil, err
		}
		return &DeletedFeedback{Deleted: 1}, nil
	}
	b := u.deletion(ctx)
	person := b.label("createdBy", *input.CreatedBy)
	if b.err != nil {
		return nil, b.err
	}
	deleted := &DeletedFeedback{}
	err := inTime(ctx, func(ctx context.Context) (err error) {
		if input.DryRun {
			deleted.Deleted, err = u.store.CountSaid(ctx, person)
		} else {
			deleted.Deleted, err = u.store.Delete(ctx, memory.KindPerson, []string{person})
		}
		return err
	})
	if err != nil {
		return nil, fault("the person", err)
	}
	return deleted, nil
}

// ForgottenPerson is what was deleted, or would be, of what a person said, and of what was recorded for the user of that name.
type ForgottenPerson struct {
	Said         int `json:"deleted"` // feedback and corrections by the person, and labels
	Episodes     int `json:"episodes"`
	Canvases     int `json:"canvases"`
	Feedback     int `json:"feedback"`
	Observations int `json:"observations"`
}

// All is how much that is.
func (f *ForgottenPerson) All() int {
	return f.Said + f.Episodes + f.Canvases + f.Feedback + f.Observations
}

// ForgetPerson deletes for good what a person said, and what was recorded for them: episodes with what they own, and canvases, feedback
// and observations. On a dry run it counts, canvases and feedback of the episodes too.
func (u *Upkeep) ForgetPerson(ctx context.Context, name string, dryRun bool) (*ForgottenPerson, error) {
	ctx = store.Unmetered(ctx)
	said, err := u.DeleteFeedback(ctx, DeleteFeedbackInput{CreatedBy: &name, DryRun: dryRun})
	if err != nil {
		return nil, err
	}
	name, _ = NameForm(name)
	forgotten, users := &ForgottenPerson{Said: said.Deleted}, store.UserFilter{User: &name}
	filter := store.EpisodeFilter{UserFilter: users}
	canvases, feedback := u.canvases(store.CanvasesOf{UserFilter: users}, nil), (&Reactions{u.tenant}).feedback(store.FeedbackOf{UserFilter: users})
	query := store.ObservationQuery{UserFilter: users, Order: store.LatestFirst, Policy: u.decay, Now: u.clock()}
	observations := listOf(u.store, "the observation", query)
	if dryRun {
		for _, counted := range []struct {
			into  *int
			count func(context.Context) (int, error)
		}{
			{&forgotten.Episodes, listOf(u.store, "the episode", store.EpisodeQuery{Filter: filter}).count},
			{&forgotten.Canvases, canvases.count}, {&forgotten.Feedback, feedback.count}, {&forgotten.Observations, observations.count},
		} {
			if *counted.into, err = counted.count(ctx); err != nil {
				return nil, fault("the person", err)
			}
		}
		return forgotten, nil
	}
	err = u.deleteAll(ctx, filter, &forgotten.Episodes)
	if err == nil {
		forgotten.Canvases, err = deleteListed(ctx, u, memory.KindCanvas, canvases, func(c *memory.Canvas) string { return c.Key })
	}
	if err == nil {
		forgotten.Feedback, err = deleteListed(ctx, u, memory.KindFeedback, feedback, func(f *memory.Feedback) string { return f.Key })
	}
	if err == nil {
		forgotten.Observations, err = deleteListed(ctx, u, memory.KindObservation, observations, func(o *memory.Observation) string { return o.Key })
	}
	return forgotten, fault("the person", err)
}

// deleteListed deletes all that a list has, page by page, and counts it.
func deleteListed[T any](ctx context.Context, u *Upkeep, kind memory.Kind, of list[T], key func(T) string) (deleted int, err error) {
	for {
		found, _, err := of.read(ctx, store.Page{Limit: deletedAtOnce})
		if err != nil || len(found) == 0 {
			return deleted, err
		}
		count, err := u.store.Delete(ctx, kind, memory.Mapped(found, key))
		if deleted += count; err != nil || count == 0 {
			return deleted, err
		}
	}
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
