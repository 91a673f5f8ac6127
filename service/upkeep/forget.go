// Package upkeep is what an operator does with what is kept: deleting for good, pruning, summing up, examining, linking
// what came late, handing it over as a whole and taking it back.
package upkeep

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// Upkeep is what an operator does with what is kept: deleting for good, pruning, summing up, linking what came late.
type Upkeep struct {
	t        *tenancy.Tenant
	id       string // of the tenant
	examiner store.Examiner
}

// New is that of a tenant, by its id.
func New(t *tenancy.Tenant, id string, examiner store.Examiner) *Upkeep {
	return &Upkeep{t, id, examiner}
}

// DeletedRecord is a record that was deleted.
type DeletedRecord struct {
	DeletedID string `json:"deletedId"`          // its global id
	Episodes  int    `json:"episodes,omitempty"` // how many went with an agent
	Concepts  int    `json:"concepts,omitempty"` // how many went with a memoir
	Verdicts  int    `json:"verdicts,omitempty"` // how many went with a section or a run
	DryRun    bool   `json:"dryRun"`             // nothing was deleted: this would be
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

// toDelete is the key of a record that an admin wants to delete.
func (u *Upkeep) toDelete(ctx context.Context, kind memory.Kind, field, id string) (key string, err error) {
	b := u.t.Question(ctx)
	b.ForReal(ctx, "to delete for good", true)
	key = b.Key(kind, field, id)
	return key, b.Err()
}

// inTime deletes in parts for most of the time that a call has. It is errUnfinished where not all was deleted by then:
// the rest of the time is for the answer.
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
func (u *Upkeep) DeleteAny(ctx context.Context, input boundary.DeleteInput) (*DeletedRecord, error) {
	kind, _, ok := memory.SplitID(input.ID)
	if !ok || !slices.Contains(deletableKinds, kind) {
		return nil, memory.Invalid("id", "must be the global id of a record such as episode:run-7, of one of the kinds %s; agents and people are forgotten by the operator, with mneme forget --agent and --person",
			strings.Join(memory.KindNames(deletableKinds), ", "))
	}
	return u.Delete(ctx, kind, input)
}

// doomed is a record with what goes with it, whether it is there or not.
func (u *Upkeep) doomed(ctx context.Context, kind memory.Kind, key string) (doomed *DeletedRecord, err error) {
	doomed = &DeletedRecord{DeletedID: memory.NodeID(kind, key)}
	switch kind {
	case memory.KindAgent:
		doomed.Episodes, err = store.Count(ctx, u.t.Store, store.EpisodeQuery{Filter: store.EpisodeFilter{Agent: &key}})
	case memory.KindMemoir:
		doomed.Concepts, err = store.Count(ctx, u.t.Store, store.ConceptsOf{Memoir: key})
	case memory.KindSection:
		doomed.Verdicts, err = store.Count(ctx, u.t.Store, store.VerdictQuery{Section: &key})
	case memory.KindRun:
		doomed.Verdicts, err = store.Count(ctx, u.t.Store, store.VerdictQuery{Run: &key})
	case memory.KindExecution:
		if episode := (&memory.Execution{Key: key}).EpisodeKey(); episode != nil {
			return nil, memory.Invalid("id", "is the execution of an episode, which goes with it: delete %s", memory.NodeID(memory.KindEpisode, *episode))
		}
	}
	return doomed, faults.Of("the "+string(kind), err)
}

// Delete deletes a record of a kind for good, with what only it owns: an agent with its episodes, executions,
// consolidated observations and held spans, an episode with its log, canvases and feedback, a memoir with its concepts,
// a section or a run with its verdicts. Neither a consolidation nor an import brings any back, unless forced; a client
// may record something new under the same id. It is UNAVAILABLE where the context's time is up before all is deleted;
// the same call goes on.
func (u *Upkeep) Delete(ctx context.Context, kind memory.Kind, input boundary.DeleteInput) (*DeletedRecord, error) {
	ctx = store.Unmetered(ctx)
	key, err := u.toDelete(ctx, kind, "id", input.ID)
	if err != nil {
		return nil, err
	}
	deleted, err := u.doomed(ctx, kind, key)
	if err != nil {
		return nil, err
	}
	if deleted.DryRun = input.DryRun; deleted.DryRun {
		return deleted, u.t.FaultAt(ctx, "id", "the "+string(kind), input.ID, u.t.MustExist(ctx, "id", deleted.DeletedID))
	}
	err = inTime(ctx, func(ctx context.Context) (err error) {
		count, err := u.t.Store.Delete(ctx, kind, []string{key})
		switch {
		case kind == memory.KindAgent:
			deleted.Episodes = count
		case kind == memory.KindMemoir:
			deleted.Concepts = count
		case err == nil && count == 0:
			err = store.ErrNotFound
		}
		return err
	})
	if err != nil {
		return nil, u.t.FaultAt(ctx, "id", "the "+string(kind), input.ID, err)
	}
	return deleted, nil
}

// DeleteEpisodes deletes the episodes that a filter fits, as Delete does, the oldest first; on a dry run, which is the
// default, it only counts them. It is UNAVAILABLE as Delete is.
func (u *Upkeep) DeleteEpisodes(ctx context.Context, input boundary.DeleteEpisodesInput) (*DeletedEpisodes, error) {
	ctx = store.Unmetered(ctx)
	dry, b := memory.ValueOr(input.DryRun, true), u.t.Question(ctx)
	b.ForReal(ctx, "to delete for good", !dry)
	none := boundary.EpisodeFilter{WorkFilter: boundary.WorkFilter{UserFilter: boundary.UserFilter{IncludeShared: input.Filter.IncludeShared}}}
	b.Require(input.Filter != none, "filter", "must say which episodes, by at least one condition")
	filter := b.Filter(input.Filter, u.t.Clock())
	if b.Err() != nil {
		return nil, b.Err()
	}
	result := &DeletedEpisodes{DryRun: dry}
	var err error
	if result.Candidates, err = store.Count(ctx, u.t.Store, store.EpisodeQuery{Filter: filter}); err != nil || result.DryRun {
		return result, faults.Of("the episodes", err)
	}
	err = inTime(ctx, func(ctx context.Context) error { return u.deleteAll(ctx, filter, &result.Deleted) })
	if err != nil {
		return nil, faults.Of("the episodes", err)
	}
	return result, nil
}

// deletedAtOnce is how many episodes are looked for before they are deleted: a part of a deletion, so that little
// changes in between.
const deletedAtOnce = 100

// deleteAll deletes the episodes that a filter fits, and counts them.
func (u *Upkeep) deleteAll(ctx context.Context, filter store.EpisodeFilter, deleted *int) error {
	query := store.EpisodeQuery{Filter: filter, Order: memory.OldestFirst, Parts: store.HeadOnly}
	for episodes, err := range reading.ListOf(u.t.Store, "the episode", query).Parts(ctx, nil, deletedAtOnce) {
		if err != nil {
			return err
		}
		count, err := u.t.Store.Delete(ctx, memory.KindEpisode, memory.Mapped(episodes, func(e *memory.Episode) string { return e.Key }))
		if *deleted += count; err != nil {
			return err
		}
	}
	return nil
}

// DeleteFeedback deletes one feedback, or all feedback and corrections by a person, for good, and says how
// many there were. An import does not bring back any of it, unless forced. It is UNAVAILABLE as Delete is.
func (u *Upkeep) DeleteFeedback(ctx context.Context, input boundary.DeleteFeedbackInput) (*DeletedFeedback, error) {
	ctx = store.Unmetered(ctx)
	if (input.ID == nil) == (input.CreatedBy == nil) {
		return nil, memory.Invalid("id", "say either id or createdBy")
	}
	if input.ID != nil {
		if _, err := u.Delete(ctx, memory.KindFeedback, boundary.DeleteInput{ID: *input.ID, DryRun: input.DryRun}); err != nil {
			return nil, err
		}
		return &DeletedFeedback{Deleted: 1}, nil
	}
	b := u.t.Question(ctx)
	b.ForReal(ctx, "to delete for good", true)
	person := b.Label("createdBy", *input.CreatedBy)
	if b.Err() != nil {
		return nil, b.Err()
	}
	deleted := &DeletedFeedback{}
	err := inTime(ctx, func(ctx context.Context) (err error) {
		if input.DryRun {
			deleted.Deleted, err = u.t.Store.CountSaid(ctx, person)
		} else {
			deleted.Deleted, err = u.t.Store.Delete(ctx, memory.KindPerson, []string{person})
		}
		return err
	})
	if err != nil {
		return nil, faults.Of("the person", err)
	}
	return deleted, nil
}

// ForgottenPerson counts what was deleted, or would be, of what a person said and of what was recorded for that user.
type ForgottenPerson struct {
	Said         int `json:"deleted"` // feedback and corrections by the person, and labels
	Episodes     int `json:"episodes"`
	Canvases     int `json:"canvases"`
	Feedback     int `json:"feedback"`
	Observations int `json:"observations"`

	DryRun bool `json:"dryRun"` // nothing was deleted: this would be
}

// All is how much that is.
func (f *ForgottenPerson) All() int {
	return f.Said + f.Episodes + f.Canvases + f.Feedback + f.Observations
}

// ForgetPerson deletes for good what a person said, and what was recorded for them: episodes with what they own, and
// canvases, feedback and observations. On a dry run it counts, canvases and feedback of the episodes too.
func (u *Upkeep) ForgetPerson(ctx context.Context, name string, dryRun bool) (*ForgottenPerson, error) {
	ctx = store.Unmetered(ctx)
	said, err := u.DeleteFeedback(ctx, boundary.DeleteFeedbackInput{CreatedBy: &name, DryRun: dryRun})
	if err != nil {
		return nil, err
	}
	name = boundary.NameForm(name)
	forgotten, users := &ForgottenPerson{Said: said.Deleted, DryRun: dryRun}, store.UserFilter{User: &name}
	filter := store.EpisodeFilter{UserFilter: users}
	canvases, feedback := u.t.Canvases(store.CanvasesOf{UserFilter: users}, nil), u.t.Feedback(store.FeedbackOf{UserFilter: users})
	query := store.ObservationQuery{UserFilter: users, Order: memory.LatestFirst, Policy: u.t.Decay, Now: u.t.Clock()}
	observations := reading.ListOf(u.t.Store, "the observation", query)
	if dryRun {
		for _, counted := range []struct {
			into  *int
			count func(context.Context) (int, error)
		}{
			{&forgotten.Episodes, reading.ListOf(u.t.Store, "the episode", store.EpisodeQuery{Filter: filter}).Count},
			{&forgotten.Canvases, canvases.Count}, {&forgotten.Feedback, feedback.Count}, {&forgotten.Observations, observations.Count},
		} {
			if *counted.into, err = counted.count(ctx); err != nil {
				return nil, faults.Of("the person", err)
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
	return forgotten, faults.Of("the person", err)
}

// deleteListed deletes all that a list has, page by page, and counts it.
func deleteListed[T any](ctx context.Context, u *Upkeep, kind memory.Kind, of reading.List[T], key func(T) string) (deleted int, err error) {
	for {
		found, _, err := of.Read(ctx, store.Page{Limit: deletedAtOnce})
		if err != nil || len(found) == 0 {
			return deleted, err
		}
		count, err := u.t.Store.Delete(ctx, kind, memory.Mapped(found, key))
		if deleted += count; err != nil || count == 0 {
			return deleted, err
		}
	}
}

// Compacted is how long the files were and are, in bytes.
type Compacted struct {
	Before int64  `json:"before"`
	After  int64  `json:"after"`
	Note   string `json:"note,omitempty"` // why nothing was done
}

// Compact writes the files anew without what was deleted, after which they hold nothing of it.
// It is UNAVAILABLE where the disk has no room for that; then it stays due.
func (u *Upkeep) Compact(ctx context.Context) (*Compacted, error) {
	compacter, can := u.t.Store.(store.Compacter)
	if !can {
		return &Compacted{Note: "Neo4j looks after its files itself: mneme has nothing to compact. What was deleted stays in them until its room is used again; " +
			"to be rid of it, import an export into a new database."}, nil
	}
	sizes, err := compacter.Compact(store.Unmetered(ctx))
	return &Compacted{Before: sizes.Before, After: sizes.After}, faults.Of("the store", err)
}

// BackfillResult counts what a backfill linked.
type BackfillResult struct {
	LinkedCanvases int `json:"linkedCanvases"`
	LinkedFeedback int `json:"linkedFeedback"`
	Episodes       int `json:"episodes"`
}

// Backfill links canvases and feedback that were recorded with a session and before its episodes.
func (u *Upkeep) Backfill(ctx context.Context, input boundary.BackfillInput) (*BackfillResult, error) {
	ctx = store.Unmetered(ctx)
	b := u.t.Question(ctx)
	b.Fail(access.Check(ctx, access.Record, "to link what came late"))
	session := b.OptionalKey(memory.KindSession, "sessionId", input.SessionID)
	if b.Err() != nil {
		return nil, b.Err()
	}
	linked, err := u.t.Store.Backfill(ctx, session)
	if err != nil {
		return nil, faults.Of("the session", err)
	}
	return &BackfillResult{LinkedCanvases: linked.Canvases, LinkedFeedback: linked.Feedback, Episodes: linked.Episodes}, nil
}

// PruneResult says how many observations a prune deleted, or would delete.
type PruneResult struct {
	Candidates int  `json:"candidates"`
	Deleted    int  `json:"deleted"`
	DryRun     bool `json:"dryRun"`
	Complete   bool `json:"complete"` // false where the time of the call was up first; Candidates are those that were come to
}

// Prune deletes the observations that weigh less than MinWeight, never critical or high ones.
func (u *Upkeep) Prune(ctx context.Context, input boundary.PruneInput) (*PruneResult, error) {
	ctx = store.Unmetered(ctx)
	dry := memory.ValueOr(input.DryRun, true)
	b := u.t.Question(ctx)
	b.ForReal(ctx, "to prune for real", !dry)
	b.Share("minWeight", &input.MinWeight)
	if b.Err() != nil {
		return nil, b.Err()
	}
	if err := u.t.Accesses.Flush(ctx); err != nil { // weights follow from them
		return nil, faults.Of("the observation", err)
	}
	pruning := store.Pruning{Policy: u.t.Decay, Now: u.t.Clock(), MinWeight: input.MinWeight, DryRun: dry}
	result := &PruneResult{DryRun: dry, Complete: true}
	prune := func(ctx context.Context) (err error) {
		result.Candidates, err = u.t.Store.PruneObservations(ctx, pruning)
		return err
	}
	if dry {
		return result, faults.Of("the observation", prune(ctx))
	}
	err := inTime(ctx, prune)
	if errors.Is(err, errUnfinished) {
		result.Complete, err = false, nil
	}
	result.Deleted = result.Candidates
	return result, faults.Of("the observation", err)
}

// DropTrace deletes the spans held of a trace, for good, and says how many there were. An episode that was made of the
// trace stays. On a dry run it only says how many there are.
func (u *Upkeep) DropTrace(ctx context.Context, trace string, dryRun bool) (int, error) {
	key, err := u.toDelete(ctx, memory.KindEpisode, "traceId", trace)
	if err != nil {
		return 0, err
	}
	var spans int
	if dryRun {
		spans, err = store.Count(ctx, u.t.Store, store.SpansOf{Trace: key})
	} else {
		spans, err = u.t.Store.Delete(ctx, store.KindSpan, []string{key})
	}
	return spans, faults.Of("the trace", err)
}
