package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"mneme/memory"
	"mneme/memory/summary"
	"mneme/store"
)

// mostUnfinished is how many episodes of a tenant wait for a model; those beyond stay as they are.
const mostUnfinished = 10_000

// unfinished are the episodes that a model was silent about when they were recorded, in this process.
type unfinished struct {
	mu      sync.Mutex
	waiting []lateEpisode
	working bool
}

// lateEpisode is one of them, and whether it gets a vector of the embedder: not where its caller sent one.
type lateEpisode struct {
	key    string
	embeds bool
}

// next is what comes after the first, which goes where it is done, and else to the end: it may be that one which the model does not
// take. Where nothing waits, the work is over.
func (u *unfinished) next(done bool) (next lateEpisode, some bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	first := u.waiting[0]
	if u.waiting = u.waiting[1:]; !done {
		u.waiting = append(u.waiting, first)
	}
	if u.working = len(u.waiting) > 0; !u.working {
		return lateEpisode{}, false
	}
	return u.waiting[0], true
}

// completeLater has an episode that lacks what a model makes of it completed in the background, once that answers.
func (g *Episodes) completeLater(e *memory.Episode, embeds bool) {
	embeds = embeds && g.embedder != nil
	if !(embeds && e.Embedding == nil) && !(g.writer != nil && byRule(e)) {
		return
	}
	g.late.mu.Lock()
	defer g.late.mu.Unlock()
	if len(g.late.waiting) < mostUnfinished {
		g.late.waiting = append(g.late.waiting, lateEpisode{e.Key, embeds})
	}
	if !g.late.working {
		g.late.working = true
		g.traces.beside(g.completeWaiting)
	}
}

// completeWaiting completes what waits, one after the other, and pauses where a model does not answer.
func (g *Episodes) completeWaiting(ctx context.Context) {
	g.late.mu.Lock()
	next, some := g.late.waiting[0], true
	g.late.mu.Unlock()
	for some {
		select {
		case <-ctx.Done():
			return
		case <-time.After(3 * g.modelTime):
		}
		for done := true; some && done; {
			if done = g.complete(ctx, next); ctx.Err() != nil {
				return
			}
			next, some = g.late.next(done)
		}
	}
}

// complete says whether nothing is left to do for an episode: it has what the models make of it, they make nothing that can be
// kept, or it cannot be changed.
func (g *Episodes) complete(ctx context.Context, late lateEpisode) (done bool) {
	if g.reading.Acquire(ctx, 1) != nil {
		return false
	}
	defer g.reading.Release(1)
	found, err := g.store.TraceEpisode(store.Unmetered(ctx), late.key)
	if err != nil || found == nil {
		return !errors.Is(err, store.ErrUnavailable)
	}
	e := *found.Episode
	rule := e.Insight
	if g.writer != nil && byRule(&e) {
		writing, cancel := context.WithTimeout(ctx, g.modelTime)
		text, err := g.tryWrite(writing, insightInstruction, summary.Account(&e))
		cancel()
		if err != nil {
			return false
		}
		if text != "" {
			e.Insight = text
		}
	}
	if late.embeds {
		texts := []string{embeddingText(&e)}
		vectors, err := g.tryEmbed(ctx, texts)
		if err != nil {
			return false
		}
		if vectors = g.usable(ctx, texts, vectors); vectors != nil {
			e.Embedding = vectors[0]
		}
	}
	if e.Insight == rule && e.Embedding == nil {
		return true
	}
	amendment := store.EpisodeAmendment{Episode: e, Events: found.Events, InputHash: found.InputHash, WasHash: found.InputHash, WasConcluded: e.Concluded}
	if found.Parts {
		amendment.Events, amendment.Logged = nil, len(found.Events)
	}
	err = g.store.AmendEpisode(ctx, amendment)
	return !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrUnavailable)
}
