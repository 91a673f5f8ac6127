package service

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// RunCompletion is what became of the completion of a run.
type RunCompletion struct {
	// Sections is how many sections the run has.
	Sections int
	// PatternsUpdated is how many patterns of history it was folded into; 0 where that was done before.
	PatternsUpdated int
}

// CompleteRun ends a run and folds what it taught into history, once however often it is called.
func (g *Judging) CompleteRun(ctx context.Context, input CompleteRunInput) (*RunCompletion, error) {
	ctx = store.Unmetered(ctx)
	b := g.question(ctx)
	run := b.key(memory.KindRun, "runId", input.RunID)
	if b.err != nil {
		return nil, b.err
	}
	completed, err := g.store.CompleteRun(ctx, store.RunCompletion{Run: run, At: g.clock()})
	if err != nil {
		return nil, notFoundAt(fault("the run", err), "runId", "the run does not exist; it comes with its first verdict")
	}
	return &RunCompletion{Sections: completed.Sections, PatternsUpdated: completed.Patterns}, nil
}

// Runs lists all runs, newest first.
func (g *Judging) Runs(ctx context.Context, input PageInput) (*Page[*memory.Run], error) {
	request, err := pageRequest(input, fingerprint("runs"), nil)
	if err != nil {
		return nil, err
	}
	runs, more, err := g.store.ListRuns(ctx, request.page)
	if err != nil {
		return nil, fault("the run", err)
	}
	return newPage(request, runs, more, counted("the run", g.store.CountRuns), func(r *memory.Run) store.Position {
		return store.Position{At: r.StartedAt, Key: r.Key}
	}), nil
}

// RunsByKey reads runs in the order of the keys, nil where there is none.
func (g *Judging) RunsByKey(ctx context.Context, keys []string) ([]*memory.Run, error) {
	runs, err := g.store.Runs(ctx, keys)
	return runs, fault("the run", err)
}

// SectionsByKey reads sections in the order of the keys, nil where there is none.
func (g *Judging) SectionsByKey(ctx context.Context, keys []string) ([]*memory.Section, error) {
	sections, err := g.store.Sections(ctx, keys)
	return sections, fault("the section", err)
}

// RunSections reads the sections of each run as they were first judged, by run key.
func (g *Judging) RunSections(ctx context.Context, runKeys []string) (map[string][]*memory.Section, error) {
	sections, err := g.store.SectionsOfRuns(ctx, runKeys)
	return sections, fault("the run", err)
}
