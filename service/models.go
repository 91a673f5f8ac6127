package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/memory/judging"
	"mneme/memory/prose"
	"mneme/memory/summary"
	"mneme/store"
)

// embed asks the configured embedder, if there is one, for the vector of a question. A model only makes things better: where it fails, or
// answers what nobody can use, that is logged and the call goes on without.
func (t *tenant) embed(ctx context.Context, text string) []float32 {
	if t.embedder == nil {
		return nil
	}
	vectors, err := t.tryEmbed(ctx, []string{text})
	if err != nil {
		t.withoutModel(ctx, "embedding failed; going on without a vector", err)
		return nil
	}
	if memory.CheckVector(vectors[0]) != nil {
		return nil
	}
	return vectors[0]
}

// tryEmbed gives a vector for each text, all of one length.
func (t *tenant) tryEmbed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, t.modelTime/2)
	defer cancel()
	vectors, err := t.embedder.Embed(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("the embedder answered %d vectors for %d texts", len(vectors), len(texts))
	}
	if err != nil {
		return nil, err
	}
	length := cmp.Or(t.vectorLength, len(vectors[0]))
	t.embedded.Store(int64(length))
	for _, vector := range vectors {
		if len(vector) != length {
			return nil, fmt.Errorf("the embedder answered a vector of %d numbers, not %d", len(vector), length)
		}
	}
	return vectors, nil
}

// endpoint is the embedder as a store asks it; nil where there is none. The length of its vectors is asked for once.
func (t *tenant) endpoint(ctx context.Context) (*store.Embedder, error) {
	if t.embedder == nil {
		return nil, nil
	}
	if t.embedded.Load() == 0 {
		if _, err := t.tryEmbed(ctx, []string{"length"}); err != nil {
			return nil, err
		}
	}
	length := int(t.embedded.Load())
	return &store.Embedder{Length: length, Embed: func(ctx context.Context, texts []string) ([][]float32, error) {
		vectors, err := t.tryEmbed(ctx, texts)
		if err == nil && int(t.embedded.Load()) != length {
			err = errors.New("the embedder answers vectors of another length than before")
		}
		return vectors, err
	}}, nil
}

// Writer is a model that writes short texts.
type Writer interface {
	// Write answers what it writes on a text as an instruction tells it to, never an empty text.
	Write(ctx context.Context, instruction, text string) (string, error)
}

// ErrModelAway is that of an Embedder or a Writer that did not answer lately and is not asked for a while. It is logged by who
// says so.
var ErrModelAway = errors.New("the model does not answer, and is left alone for a while")

// withoutModel logs why a call goes on without what a model makes.
func (t *tenant) withoutModel(ctx context.Context, message string, err error) {
	if !errors.Is(err, ErrModelAway) {
		t.log.WarnContext(ctx, message, "error", err)
	}
}

const (
	// usualModelTime is what a call spends on models, for all of its records together; less than a request has. A writer has three
	// quarters of it, and the embedder half of it at most. What was not made by then is completed later.
	usualModelTime = 20 * time.Second
	// maxWriting is how many texts of a call are asked for at a time.
	maxWriting = 4
)

const insightInstruction = "You explain to another agent why the episode below succeeded or failed. " +
	"Write two or three plain sentences: what decided the outcome, and what to do the same or differently next time. " +
	"Use only what the record says. Where it does not show the cause, say so. No heading, no list."

const patternInstruction = "Below is what recurs in an agent's episodes, and the newest of the episodes that show it. " +
	"Write one or two plain sentences for an agent that meets this again: what these episodes have in common, and what to do. " +
	"Use only what the records say. Do not repeat the counts. No heading, no list."

// write asks the configured model for a text on each of several, and hands over those that came. A model
// only makes things better: where it fails, that is logged and the call goes on.
func (t *tenant) write(ctx context.Context, instruction string, texts []string, accept func(i int, text string)) {
	if len(texts) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.modelTime*3/4)
	defer cancel()
	written := make([]string, len(texts))
	var group errgroup.Group
	group.SetLimit(maxWriting)
	for i, text := range texts {
		group.Go(func() error {
			answer, err := t.tryWrite(ctx, instruction, text)
			if err != nil {
				t.withoutModel(ctx, "the model wrote nothing; going on with the text that the rule wrote", err)
			}
			written[i] = answer
			return nil
		})
	}
	_ = group.Wait() // it has no errors
	for i, text := range written {
		if text != "" {
			accept(i, text)
		}
	}
}

// tryWrite is empty where what the model says cannot be kept. It comes from redacted texts, and is a text that enters all the same.
func (t *tenant) tryWrite(ctx context.Context, instruction, text string) (string, error) {
	answer, err := t.writer.Write(ctx, instruction, text)
	b := t.boundary(ctx)
	if answer = b.text("text", answer); err != nil || b.err != nil {
		return "", err
	}
	return strings.TrimSpace(answer), nil
}

// writeInsights has the model, if there is one, write the insights that the rule wrote so far, of episodes
// that ended.
func (t *tenant) writeInsights(ctx context.Context, episodes ...*memory.Episode) {
	if t.writer == nil {
		return
	}
	var texts []string
	var wanting []*memory.Episode
	for _, e := range episodes {
		if byRule(e) {
			texts, wanting = append(texts, summary.Account(e)), append(wanting, e)
		}
	}
	t.write(ctx, insightInstruction, texts, func(i int, text string) { wanting[i].Insight = text })
}

// byRule says whether an episode ended, and a rule wrote why.
func byRule(e *memory.Episode) bool {
	return e.Outcome != memory.OutcomeUnknown && e.Insight == summary.Insight(e)
}

// enrich has the model write insights of records. What it does not give now is completed later.
func (g *Episodes) enrich(ctx context.Context, records []store.EpisodeRecord) {
	episodes := make([]*memory.Episode, len(records))
	for i := range records {
		episodes[i] = &records[i].Episode
	}
	g.writeInsights(ctx, episodes...)
	for _, e := range episodes {
		g.completeLater(e)
	}
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

// next is what comes after the first, which goes where it is done, and else to the end: it may be that one which the model does not
// take. Where nothing waits, the work is over.
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

// completeLater has an episode that lacks what a model makes of it completed in the background, once that answers.
func (t *tenant) completeLater(e *memory.Episode) {
	if t.writer != nil && byRule(e) {
		t.await(e.Key)
	}
}

// resume looks through the newest episodes of the last day: a server that ended may have left some to be completed.
func (t *tenant) resume(ctx context.Context) {
	since := t.clock().Add(-24 * time.Hour)
	filter := store.EpisodeFilter{OutcomeKnown: true, Since: &since}
	newest, _, err := store.List(store.Unmetered(ctx), t.store, store.EpisodeQuery{Filter: filter}, store.Page{Limit: maxResumed})
	if err != nil {
		t.log.WarnContext(ctx, "what a model is to complete was not looked for", "error", err)
	}
	for _, e := range newest {
		t.await(e.Key)
	}
}

func (t *tenant) await(episode string) {
	t.late.mu.Lock()
	defer t.late.mu.Unlock()
	if len(t.late.waiting) < maxUnfinished {
		t.late.waiting = append(t.late.waiting, episode)
	}
	if !t.late.working {
		t.late.working = true
		t.traces.beside(t.completeWaiting)
	}
}

// completeWaiting completes what waits, one after the other, and pauses where a model does not answer.
func (t *tenant) completeWaiting(ctx context.Context) {
	t.late.mu.Lock()
	next, some := t.late.waiting[0], true
	t.late.mu.Unlock()
	for some {
		select {
		case <-ctx.Done():
			return
		case <-time.After(3 * t.modelTime):
		}
		for done := true; some && done; {
			if done = t.complete(ctx, next); ctx.Err() != nil {
				return
			}
			next, some = t.late.next(done)
		}
	}
}

// complete says whether nothing is left to do for an episode: it has what the models make of it, they make nothing that can be
// kept, or it cannot be changed.
func (t *tenant) complete(ctx context.Context, key string) (done bool) {
	if t.reading.Acquire(ctx, 1) != nil {
		return false
	}
	defer t.reading.Release(1)
	all := t.store
	if narrowed, ok := all.(*ofUser); ok { // what waits is of all users, whoever began to complete it
		all = narrowed.all
	}
	found, err := all.TraceEpisode(store.Unmetered(ctx), key)
	if err != nil || found == nil {
		return !errors.Is(err, store.ErrUnavailable)
	}
	e := *found.Episode
	if !byRule(&e) {
		return true
	}
	writing, cancel := context.WithTimeout(ctx, t.modelTime)
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

// comment has the model, if there is one, add to what the rule found, from the newest of the episodes that show it.
func (u *Upkeep) comment(ctx context.Context, found []consolidation.Finding) error {
	if u.writer == nil {
		return nil
	}
	texts := make([]string, len(found))
	for i, pattern := range found {
		episodes, err := u.store.Episodes(ctx, store.EpisodesByKey{Keys: pattern.Episodes, Parts: store.WithFeedback})
		if err != nil {
			return err
		}
		episodes = slices.DeleteFunc(episodes, func(e *memory.Episode) bool { return e == nil }) // deleted meanwhile
		texts[i] = pattern.Content + "\n\n" + summary.Accounts(episodes)
	}
	u.write(ctx, patternInstruction, texts, func(i int, text string) { found[i].Content += "\n" + text })
	return nil
}

// The bounds of mining: how many plans are read at a time, and how many known approaches a model is told.
const (
	plansPerRead    = 20
	knownApproaches = 20
	// maxMining is how many runs are mined at a time in the process, because each holds tens of megabytes. Others go on
	// while one waits for a model.
	maxMining = 4
	// foldingTime is what is left of a call's time for folding the run into history: a model is waited for until then.
	foldingTime = 10 * time.Second
)

// textsOf is what the texts of a run's verdicts teach. A run that was completed teaches nothing again.
func (g *Judging) textsOf(ctx context.Context, run string) (texts judging.Texts, err error) {
	if err := g.mining.Acquire(ctx, 1); err != nil {
		return texts, err
	}
	defer g.mining.Release(1)
	runs, err := store.Get[memory.Run](ctx, g.store, []string{run})
	if err != nil || runs[0] == nil || runs[0].CompletedAt != nil {
		return texts, err
	}
	sections, err := g.store.SectionsOfRuns(ctx, []string{run})
	if err != nil {
		return texts, err
	}
	if texts.Feedback, err = g.feedbackOf(ctx, judging.Silent(sections[run])); err == nil {
		texts.Mined, err = g.minePlans(ctx, sections[run])
	}
	return texts, err
}

// feedbackOf is what verdicts say in short, by their keys.
func (g *Judging) feedbackOf(ctx context.Context, keys []string) (map[string]string, error) {
	feedback := map[string]string{}
	for part := range slices.Chunk(keys, plansPerRead) {
		verdicts, err := store.Get[memory.Verdict](ctx, g.store, part)
		if err != nil {
			return nil, err
		}
		for _, v := range verdicts {
			if v != nil && v.Feedback != nil {
				feedback[v.Key] = prose.Shorten(prose.OneLine(*v.Feedback), snippetRunes)
			}
		}
	}
	return feedback, nil
}

// minePlans says what sections used that name no approaches, by the plans of their verdicts: by rule, and by the configured model where its
// answer can be used.
func (g *Judging) minePlans(ctx context.Context, sections []*memory.Section) (map[string][]string, error) {
	plans, err := g.readPlans(ctx, judging.PlansOf(sections))
	if err != nil || len(plans) == 0 {
		return nil, err
	}
	known := map[string]bool{}
	// Before the model, which then has what is left of the time.
	if err := g.knownApproaches(ctx, known, plans, func(p *judging.MinedPlan) []string { return p.Values }); err != nil {
		return nil, err
	}
	if err := g.writeMined(ctx, plans); err != nil {
		return nil, err
	}
	if err := g.knownApproaches(ctx, known, plans, func(p *judging.MinedPlan) []string { return p.Phrases }); err != nil {
		return nil, err
	}
	mined := judging.Mine(plans, func(sectionType, approach string) bool { return known[approachKey(sectionType, approach)] })
	for verdict, approaches := range mined {
		mined[verdict] = g.unsuspicious(ctx, approaches)
	}
	return mined, nil
}

// readPlans gives the plans that are there, with what the rule sees in them.
func (g *Judging) readPlans(ctx context.Context, of []judging.MinedPlan) ([]judging.MinedPlan, error) {
	plans := make([]judging.MinedPlan, 0, len(of))
	for part := range slices.Chunk(of, plansPerRead) {
		keys := memory.Mapped(part, func(plan judging.MinedPlan) string { return plan.VerdictKey })
		verdicts, err := store.Get[memory.Verdict](ctx, g.store, keys)
		if err != nil {
			return nil, err
		}
		for i, verdict := range verdicts {
			if verdict == nil || len(verdict.Plan) == 0 || len(verdict.Plan) > judging.MaxMinedPlanBytes {
				continue
			}
			plan := part[i]
			plan.Values = formedApproaches(judging.PlanValues(verdict.Plan))
			if g.writer != nil {
				plan.Excerpt = judging.PlanExcerpt(verdict.Plan)
			}
			plans = append(plans, plan)
		}
	}
	return plans, nil
}

// formedApproaches are approaches in the form of names, as those that verdicts name are; those that have none are left out.
func formedApproaches(approaches []string) []string {
	formed := make([]string, 0, len(approaches))
	for _, approach := range approaches {
		if form, ok := NameForm(approach); ok {
			formed = append(formed, form)
		}
	}
	return formed
}

// unsuspicious leaves out what put together looks like a secret that none of its parts held.
func (t *tenant) unsuspicious(ctx context.Context, approaches []string) []string {
	return slices.DeleteFunc(approaches, func(approach string) bool {
		b := t.boundary(ctx)
		return b.text("plan", approach) != approach || b.err != nil
	})
}

// writeMined has the model, if there is one and time for it, name the approaches of plans that can be compared. Where its
// answer is not what was asked for, or does not come in time, those of the rule stay.
func (g *Judging) writeMined(ctx context.Context, plans []judging.MinedPlan) error {
	if g.writer == nil {
		return nil
	}
	asked := judging.Comparable(plans)
	texts := make([]string, len(asked))
	for i, places := range asked {
		shown := memory.Mapped(places, func(place int) judging.MinedPlan { return plans[place] })
		best, _, err := store.List(ctx, g.store, store.PatternQuery{
			Kind: new(memory.PatternDo), SectionType: &shown[0].SectionType, Context: new(""),
		}, store.Page{Limit: knownApproaches})
		if err != nil {
			return err
		}
		known := memory.Mapped(best, func(pattern *memory.Pattern) string { return pattern.Description })
		texts[i] = judging.MiningText(shown, known)
	}
	writing := ctx
	if deadline, has := ctx.Deadline(); has && len(asked) > 0 {
		limited, cancel := context.WithDeadline(ctx, deadline.Add(-foldingTime))
		defer cancel()
		if limited.Err() != nil {
			g.log.WarnContext(ctx, "there is no time left for the model; going on with what the rule sees in the plans")
			return nil
		}
		writing = limited
	}
	g.write(writing, judging.MiningInstruction, texts, func(i int, text string) {
		approaches, err := judging.ReadMined(text, len(asked[i]))
		if err != nil {
			g.log.WarnContext(ctx, "what the model wrote on plans cannot be used; going on with what the rule sees in them", "error", err)
			return
		}
		for n, place := range asked[i] {
			plans[place].Phrases, plans[place].Written = formedApproaches(approaches[n]), true
		}
	})
	return nil
}

func approachKey(sectionType, approach string) string {
	return memory.PatternKey(memory.PatternDo, sectionType, nil, approach)
}

// knownApproaches adds which approaches of final plans history knows, by their keys.
func (g *Judging) knownApproaches(
	ctx context.Context, known map[string]bool, plans []judging.MinedPlan, of func(*judging.MinedPlan) []string,
) error {
	var keys []string
	for i := range plans {
		if plans[i].Final {
			for _, approach := range of(&plans[i]) {
				keys = append(keys, approachKey(plans[i].SectionType, approach))
			}
		}
	}
	for part := range slices.Chunk(distinct(keys), MaxList) {
		patterns, err := store.Get[memory.Pattern](ctx, g.store, part)
		if err != nil {
			return err
		}
		for _, pattern := range patterns {
			if pattern != nil {
				known[pattern.Key] = true
			}
		}
	}
	return nil
}
