package verdicts

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/memory/prose"
	"mneme/service/boundary"
	"mneme/store"
)

// The bounds of mining: how many plans are read at a time, and how many known approaches a model is told.
const (
	plansPerRead    = 20
	knownApproaches = 20
	// feedbackRunes is how much is told of what a verdict says.
	feedbackRunes = 200
	// foldingTime is what is left of a call's time for folding the run into history: a model is waited for until then.
	foldingTime = 10 * time.Second
)

// textsOf is what the texts of a run's verdicts teach. A run that was completed teaches nothing again.
func (g *Judging) textsOf(ctx context.Context, run string) (texts judging.Texts, err error) {
	if err := g.t.Mining.Acquire(ctx, 1); err != nil {
		return texts, err
	}
	defer g.t.Mining.Release(1)
	known, err := store.GetOne[memory.Run](ctx, g.t.Store, run)
	if err != nil || known == nil || known.CompletedAt != nil {
		return texts, err
	}
	sections, err := store.All(ctx, g.t.Store, store.SectionsOf{Runs: []string{run}})
	if err != nil {
		return texts, err
	}
	if texts.Feedback, err = g.feedbackOf(ctx, judging.Silent(sections)); err == nil {
		texts.Mined, err = g.minePlans(ctx, sections)
	}
	return texts, err
}

// feedbackOf is what verdicts say in short, by their keys.
func (g *Judging) feedbackOf(ctx context.Context, keys []string) (map[string]string, error) {
	feedback := map[string]string{}
	for part := range slices.Chunk(keys, plansPerRead) {
		verdicts, err := store.Get[memory.Verdict](ctx, g.t.Store, part)
		if err != nil {
			return nil, err
		}
		for _, v := range verdicts {
			if v != nil && v.Feedback != nil {
				feedback[v.Key] = prose.Shorten(prose.OneLine(*v.Feedback), feedbackRunes)
			}
		}
	}
	return feedback, nil
}

// minePlans says what sections used that name no approaches, by the plans of their verdicts: by rule, and by the
// configured model where its answer can be used.
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
		mined[verdict] = slices.DeleteFunc(approaches, func(approach string) bool {
			b := g.t.Boundary(ctx) // put together it may look like a secret that none of its parts held
			return b.Text("plan", approach) != approach || b.Err() != nil
		})
	}
	return mined, nil
}

// readPlans gives the plans that are there, with what the rule sees in them.
func (g *Judging) readPlans(ctx context.Context, of []judging.MinedPlan) ([]judging.MinedPlan, error) {
	plans := make([]judging.MinedPlan, 0, len(of))
	for part := range slices.Chunk(of, plansPerRead) {
		keys := memory.Mapped(part, func(plan judging.MinedPlan) string { return plan.VerdictKey })
		verdicts, err := store.Get[memory.Verdict](ctx, g.t.Store, keys)
		if err != nil {
			return nil, err
		}
		for i, verdict := range verdicts {
			if verdict == nil || len(verdict.Plan) == 0 || len(verdict.Plan) > judging.MaxMinedPlanBytes {
				continue
			}
			plan := part[i]
			plan.Values = memory.Mapped(judging.PlanValues(verdict.Plan), boundary.NameForm)
			if g.t.Writer != nil {
				plan.Excerpt = judging.PlanExcerpt(verdict.Plan)
			}
			plans = append(plans, plan)
		}
	}
	return plans, nil
}

// writeMined has the model, if there is one and time for it, name the approaches of plans that can be compared. Where
// its answer is not what was asked for, or does not come in time, those of the rule stay.
func (g *Judging) writeMined(ctx context.Context, plans []judging.MinedPlan) error {
	if g.t.Writer == nil {
		return nil
	}
	asked := judging.Comparable(plans)
	texts := make([]string, len(asked))
	for i, places := range asked {
		shown := memory.Mapped(places, func(place int) judging.MinedPlan { return plans[place] })
		best, _, err := store.List(ctx, g.t.Store, store.PatternQuery{
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
			g.t.Log.WarnContext(ctx, "there is no time left for the model; going on with what the rule sees in the plans")
			return nil
		}
		writing = limited
	}
	g.t.Write(writing, judging.MiningInstruction, texts, func(i int, text string) {
		approaches, err := judging.ReadMined(text, len(asked[i]))
		if err != nil {
			g.t.Log.WarnContext(ctx, "what the model wrote on plans cannot be used; going on with what the rule sees in them", "error", err)
			return
		}
		for n, place := range asked[i] {
			plans[place].Phrases, plans[place].Written = memory.Mapped(approaches[n], boundary.NameForm), true
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
	for part := range slices.Chunk(memory.Distinct(keys), boundary.MaxList) {
		patterns, err := store.Get[memory.Pattern](ctx, g.t.Store, part)
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
