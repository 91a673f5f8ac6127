package tenancy

import (
	"context"
	"errors"
	"sync"
	"time"

	"mneme/memory"
	"mneme/memory/summary"
	"mneme/service/userview"
	"mneme/store"
)

const insightInstruction = "You explain to another agent why the episode below succeeded or failed. " +
	"Write two or three plain sentences: what decided the outcome, and what to do the same or differently next time. " +
	"Use only what the record says. Where it does not show the cause, say so. No heading, no list."

// WriteInsights has the model, if there is one, write the insights that the rule wrote so far, of episodes that ended.
func (t *Tenant) WriteInsights(ctx context.Context, episodes ...*memory.Episode) {
	if t.Writer == nil {
		return
	}
	var texts []string
	var wanting []*memory.Episode
	for _, e := range episodes {
		if byRule(e) {
			texts, wanting = append(texts, summary.Account(e)), append(wanting, e)
		}
	}
	t.Write(ctx, insightInstruction, texts, func(i int, text string) { wanting[i].Insight = text })
}

// byRule says whether an episode ended, and a rule wrote why.
func byRule(e *memory.Episode) bool {
	return e.Outcome != memory.OutcomeUnknown && e.Insight == summary.Insight(e)
}

// maxUnfinished is how many episodes of a tenant wait for a model; those beyond stay as they are.
const maxUnfinished = 10_000

// maxResumed is how many of the newest episodes are looked at for what a model has still to complete after a start.
const maxResumed = 100

// unfinished are the episodes that a model was silent about when they were recorded.
type unfinished struct {
	mu      sync.Mutex
	waiting []string // their keys
	working bool
}

// next is what comes after the first, which goes where it is done, and else to the end: it may be that one which the
// model does not take. Where nothing waits, the work is over.
func (u *unfinished) next(done bool) (next string, some bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	first := u.waiting[0]
	if u.waiting = u.waiting[1:]; !done {
		u.waiting = append(u.waiting, first)
	}
	if u.working = len(u.waiting) > 0; !u.working {
		return "", false
	}
	return u.waiting[0], true
}

// CompleteLater has an episode that lacks what a model makes of it completed in the background, once that answers.
func (t *Tenant) CompleteLater(e *memory.Episode) {
	if t.Writer != nil && byRule(e) {
		t.await(e.Key)
	}
}

// resume looks through the newest episodes of the last day: a server that ended may have left some to be completed.
func (t *Tenant) resume(ctx context.Context) {
	since := t.Clock().Add(-24 * time.Hour)
	filter := store.EpisodeFilter{OutcomeKnown: true, Since: &since}
	newest, _, err := store.List(store.Unmetered(ctx), t.Store, store.EpisodeQuery{Filter: filter}, store.Page{Limit: maxResumed})
	if err != nil {
		t.Log.WarnContext(ctx, "what a model is to complete was not looked for", "error", err)
	}
	for _, e := range newest {
		t.await(e.Key)
	}
}

func (t *Tenant) await(episode string) {
	t.late.mu.Lock()
	defer t.late.mu.Unlock()
	if len(t.late.waiting) < maxUnfinished {
		t.late.waiting = append(t.late.waiting, episode)
	}
	if !t.late.working {
		t.late.working = true
		t.Background.Beside(t.completeWaiting)
	}
}

// completeWaiting completes what waits, one after the other, and pauses where a model does not answer.
func (t *Tenant) completeWaiting(ctx context.Context) {
	t.late.mu.Lock()
	next, some := t.late.waiting[0], true
	t.late.mu.Unlock()
	for some {
		select {
		case <-ctx.Done():
			return
		case <-time.After(3 * t.ModelTime):
		}
		for done := true; some && done; {
			if done = t.complete(ctx, next); ctx.Err() != nil {
				return
			}
			next, some = t.late.next(done)
		}
	}
}

// complete says whether nothing is left to do for an episode: it has what the models make of it, they make nothing that
// can be kept, or it cannot be changed.
func (t *Tenant) complete(ctx context.Context, key string) (done bool) {
	if t.Reading.Acquire(ctx, 1) != nil {
		return false
	}
	defer t.Reading.Release(1)
	all := userview.Whole(t.Store) // what waits is of all users, whoever began to complete it
	found, err := store.GetOne[store.WholeEpisode](store.Unmetered(ctx), all, key)
	if err != nil || found == nil {
		return !errors.Is(err, store.ErrUnavailable)
	}
	e := *found.Episode
	if !byRule(&e) {
		return true
	}
	writing, cancel := context.WithTimeout(ctx, t.ModelTime)
	text, err := t.tryWrite(writing, insightInstruction, summary.Account(&e))
	cancel()
	if err != nil || text == "" {
		return err == nil
	}
	e.Insight = text
	amendment := store.EpisodeAmendment{Episode: e, Events: found.Events, InputHash: found.InputHash, WasHash: found.InputHash, WasConcluded: e.Concluded}
	if found.Parts {
		amendment.Events, amendment.Logged = nil, len(found.Events)
	}
	err = all.AmendEpisode(ctx, amendment)
	return !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrUnavailable)
}
