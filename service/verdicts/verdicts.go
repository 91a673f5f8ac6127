// Package verdicts is judged work: verdicts and labels, runs, what they teach, and how judges judge.
package verdicts

import (
	"context"
	"errors"
	"slices"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// Judging is judged work: verdicts and labels, runs, what they teach, and how judges judge.
type Judging struct{ t *tenancy.Tenant }

// New are those of a tenant.
func New(t *tenancy.Tenant) *Judging { return &Judging{t} }

// VerdictReceipt is a verdict as recorded, and what it asks of the next iteration of its section.
type VerdictReceipt struct {
	Verdict *memory.Verdict
	// RevisionRequest is nil where the verdict approves.
	RevisionRequest *judging.RevisionRequest
	// Feedback is the section's rejections so far in words; empty once the section is approved.
	Feedback string
}

// RecordVerdict records how an iteration of a section was judged.
func (g *Judging) RecordVerdict(ctx context.Context, input boundary.RecordVerdictInput) (*VerdictReceipt, error) {
	verdict, err := tenancy.RecordOne[memory.Verdict](ctx, g.t, memory.KindVerdict, input, (*boundary.Boundary).Verdict, g.recordVerdicts)
	if err != nil {
		return nil, err
	}
	receipt := &VerdictReceipt{Verdict: verdict, RevisionRequest: judging.RevisionRequestOf(verdict)}
	section, err := store.GetOne[memory.Section](ctx, g.t.Store, verdict.SectionKey)
	if err == nil && section != nil && !section.Approved() {
		var rejections []*memory.Verdict
		rejections, err = g.rejectionsOf(ctx, verdict.SectionKey)
		receipt.Feedback = judging.FormatFeedback(rejections)
	}
	if err != nil {
		return nil, faults.Of("the section", err)
	}
	return receipt, nil
}

// rejectionsOf reads a section's last verdicts that do not approve: few, of whose plans nothing is kept.
func (g *Judging) rejectionsOf(ctx context.Context, sectionKey string) ([]*memory.Verdict, error) {
	query, page := store.VerdictQuery{Section: &sectionKey, Rejecting: true}, store.Page{Limit: judging.MaxFeedbackEntries}
	rejections, _, err := store.List(store.Unmetered(ctx), g.t.Store, query, page)
	slices.SortFunc(rejections, func(a, b *memory.Verdict) int { return memory.ByIteration(a.Judgement, b.Judgement) })
	return rejections, err
}

// RecordVerdicts records a batch in order and reports each item.
func (g *Judging) RecordVerdicts(ctx context.Context, input boundary.RecordVerdictsInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, g.t, memory.KindVerdict, "verdicts", input.Verdicts, (*boundary.Boundary).Verdict, g.recordVerdicts)
}

// recordVerdicts records verdicts with the thresholds that are applied to their judges now. They are no part of what
// was sent: the same verdict sent again later keeps the one that it was recorded under.
func (g *Judging) recordVerdicts(ctx context.Context, t *tenancy.Tenant, records []store.VerdictRecord) ([]store.Recorded, error) {
	var judges []string
	for i := range records {
		if judge := records[i].Verdict.JudgeID; judge != nil && records[i].Verdict.Score != nil {
			judges = append(judges, *judge)
		}
	}
	if len(judges) > 0 {
		applied, err := store.All(ctx, g.t.Store, store.ThresholdsOf{Judges: memory.Distinct(judges)})
		if err != nil {
			return nil, err
		}
		for i := range records {
			if v := &records[i].Verdict; v.JudgeID != nil && v.Score != nil {
				v.Threshold = judging.ThresholdFor(applied, *v.JudgeID, v.SectionType)
			}
		}
	}
	return store.Record(ctx, t.Store, records)
}

// LabelVerdict keeps whether a person would have approved; a later label replaces an earlier one.
func (g *Judging) LabelVerdict(ctx context.Context, input boundary.LabelVerdictInput) (*memory.Verdict, error) {
	label, err := g.t.Boundary(ctx).VerdictLabel(input)
	if err != nil {
		return nil, err
	}
	if err := g.verdictIsOf(ctx, label.Verdict, input.JudgeID); err != nil {
		return nil, err
	}
	if err := g.labelVerdict(ctx, label); err != nil {
		return nil, g.t.FaultAt(ctx, "verdictId", "the verdict", input.VerdictID, err)
	}
	return reading.MustRead(ctx, "the verdict", label.Verdict, reading.ByKey[memory.Verdict](g.t.Store))
}

// verdictIsOf refuses a verdict of another judge than the one that is named, if one is.
func (g *Judging) verdictIsOf(ctx context.Context, verdict string, judge *string) error {
	if judge == nil {
		return nil
	}
	b := g.t.Question(ctx)
	name := b.Label("judgeId", *judge)
	if b.Err() != nil {
		return b.Err()
	}
	known, err := store.GetOne[memory.Verdict](ctx, g.t.Store, verdict)
	switch {
	case err != nil:
		return faults.Of("the verdict", err)
	case known != nil && (known.JudgeID == nil || *known.JudgeID != name):
		return memory.Invalid("verdictId", "names a verdict that is not of this judge")
	}
	return nil
}

// maxVerdictsRead bounds the verdicts that are read for those of a context, and verdictsAtOnce those of one read.
const (
	maxVerdictsRead = 20_000
	verdictsAtOnce  = 500
)

// Verdicts lists the verdicts that a filter keeps, newest first. No store has an index of contexts, or of verdicts that
// a person contradicted: up to 20,000 that meet the other conditions are read, and more are LIMIT_EXCEEDED.
func (g *Judging) Verdicts(ctx context.Context, filter boundary.VerdictFilter, input reading.PageInput) (*reading.Page[*memory.Verdict], error) {
	b := g.t.Question(ctx)
	query := store.VerdictQuery{
		Judge: b.OptionalLabel("judgeId", filter.JudgeID), Run: b.OptionalKey(memory.KindRun, "runId", filter.RunID),
		SectionType: b.OptionalLabel("sectionType", filter.SectionType),
	}
	keeps := keepsVerdicts{pairs: b.Circumstances(filter.Context), disagreed: filter.Disagreed}
	if b.Err() != nil {
		return nil, b.Err()
	}
	verdicts := reading.ListOf(g.t.Store, "the verdict", query)
	if !keeps.all() {
		verdicts.Read = func(ctx context.Context, page store.Page) ([]*memory.Verdict, bool, error) {
			return g.keptVerdicts(ctx, query, keeps, page)
		}
		verdicts.Count = func(ctx context.Context) (total int, err error) {
			err = g.eachKept(ctx, query, keeps, nil, func(*memory.Verdict) bool { total++; return true })
			return total, err
		}
	}
	page, err := verdicts.Page(ctx, input, reading.Fingerprint("verdicts", filter))
	if err == nil {
		err = g.t.NothingFor(ctx, len(page.Items), tenancy.SectionTypes.Called("sectionType", filter.SectionType), tenancy.Judges.Called("judgeId", filter.JudgeID))
	}
	return page, err
}

// keepsVerdicts is what no store filters by.
type keepsVerdicts struct {
	pairs     memory.JSON // made under all of these
	disagreed bool        // a person said otherwise
}

func (k keepsVerdicts) all() bool { return len(k.pairs) == 0 && !k.disagreed }

func (k keepsVerdicts) keep(v *memory.Verdict) bool {
	if k.disagreed && (v.Label == nil || *v.Label == (v.Status == memory.VerdictApprove)) {
		return false
	}
	return memory.ContextHas(v.Context, k.pairs)
}

// keptVerdicts reads a page of the verdicts that are kept, and whether more such follow it. Only those of the page are
// read for the request, as the others are not answered.
func (g *Judging) keptVerdicts(
	ctx context.Context, query store.VerdictQuery, keeps keepsVerdicts, page store.Page,
) (found []*memory.Verdict, more bool, err error) {
	if page.Limit == 0 {
		return store.List(ctx, g.t.Store, query, page)
	}
	var keys []string
	err = g.eachKept(ctx, query, keeps, page.After, func(v *memory.Verdict) bool {
		if more = len(keys) == page.Limit; !more {
			keys = append(keys, v.Key)
		}
		return !more
	})
	if err != nil || len(keys) == 0 {
		return nil, false, err
	}
	found, err = store.Get[memory.Verdict](ctx, g.t.Store, keys)
	return slices.DeleteFunc(found, func(v *memory.Verdict) bool { return v == nil }), more, err // deleted since it was found
}

// eachKept hands over the verdicts that are kept, from a position on, as long as more are wanted.
func (g *Judging) eachKept(
	ctx context.Context, query store.VerdictQuery, keeps keepsVerdicts, after *store.Position, wanted func(*memory.Verdict) bool,
) error {
	read, sum := 0, store.BudgetOf(ctx).Sum()
	for part, err := range reading.ListOf(g.t.Store, "the verdict", query).Parts(ctx, after, verdictsAtOnce) {
		if err == nil && read >= maxVerdictsRead {
			argument := "disagreed"
			if len(keeps.pairs) > 0 { // which keep fewer
				argument = "context"
			}
			err = memory.LimitExceeded(argument, "is looked for among %d verdicts at most; ask for those of a run, a judge or a type of section", maxVerdictsRead)
		}
		if err == nil {
			err = sum.Add(len(part))
		}
		if err != nil {
			return err
		}
		for _, v := range part {
			if keeps.keep(v) && !wanted(v) {
				return nil
			}
		}
		read += len(part)
	}
	return nil
}

// RunCompletion is what became of the completion of a run.
type RunCompletion struct {
	// Sections is how many sections the run has.
	Sections int `json:"sections" jsonschema:"How many sections it has."`
	// PatternsUpdated is how many patterns of history it was folded into; 0 where that was done before.
	PatternsUpdated int `json:"patternsUpdated" jsonschema:"How many patterns of history it was folded into; 0 where that was done before."`
}

// CompleteRun ends a run and folds what it taught into history, once however often it is called.
func (g *Judging) CompleteRun(ctx context.Context, input boundary.CompleteRunInput) (*RunCompletion, error) {
	ctx = store.Unmetered(ctx)
	b := g.t.Question(ctx)
	run := b.Key(memory.KindRun, "runId", input.RunID)
	if b.Err() != nil {
		return nil, b.Err()
	}
	texts, err := g.textsOf(ctx, run)
	if err != nil {
		return nil, faults.Of("the run", err)
	}
	completed, err := g.t.Store.CompleteRun(ctx, store.RunCompletion{Run: run, At: g.t.Clock(), Texts: texts})
	if err != nil {
		err = g.t.FaultAt(ctx, "runId", "the run", input.RunID, err)
		if known, ok := errors.AsType[*memory.Error](err); ok && known.Code == memory.CodeNotFound {
			known.Message += "; it comes with its first verdict"
		}
		return nil, err
	}
	return &RunCompletion{Sections: completed.Sections, PatternsUpdated: completed.Patterns}, nil
}

// Runs lists all runs, newest first.
func (g *Judging) Runs(ctx context.Context, input reading.PageInput) (*reading.Page[*memory.Run], error) {
	return reading.ListOf(g.t.Store, "the run", store.AllRuns{}).Page(ctx, input, reading.Fingerprint("runs"))
}

// RunSections reads the sections of each run as they were first judged, by run key.
func (g *Judging) RunSections(ctx context.Context, runKeys []string) (map[string][]*memory.Section, error) {
	sections, err := store.All(ctx, g.t.Store, store.SectionsOf{Runs: runKeys})
	ofRuns := make(map[string][]*memory.Section, len(runKeys))
	for _, section := range sections {
		ofRuns[section.RunKey] = append(ofRuns[section.RunKey], section)
	}
	return ofRuns, faults.Of("the run", err)
}

// labelVerdict keeps a label, unless an import brings one by a person who is forgotten.
func (g *Judging) labelVerdict(ctx context.Context, label store.VerdictLabel) error {
	if _, importing := tenancy.ImportOf(ctx); !importing { // and no key is made for a verdict that is not there
		return tenancy.ItemOf(store.Record(ctx, g.t.Store, []store.VerdictLabel{label}))
	}
	if _, err := g.t.InputKey(ctx); err != nil {
		return err
	}
	return g.t.RestoreOne(ctx, &label, store.Owners(&label))
}
