package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// VerdictReceipt is a verdict as recorded, and what it asks of the next iteration of its section.
type VerdictReceipt struct {
	Verdict *memory.Verdict
	// RevisionRequest is nil where the verdict approves.
	RevisionRequest *judging.RevisionRequest
	// Feedback is the section's rejections so far in words; empty once the section is approved.
	Feedback string
}

// RecordVerdict records how an iteration of a section was judged.
func (g *Judging) RecordVerdict(ctx context.Context, input RecordVerdictInput) (*VerdictReceipt, error) {
	verdict, err := recordOne[memory.Verdict](ctx, g.tenant, memory.KindVerdict, input, g.verdictRecord, g.recordVerdicts)
	if err != nil {
		return nil, err
	}
	feedback, err := g.feedbackFor(ctx, verdict.SectionKey)
	if err != nil {
		return nil, fault("the section", err)
	}
	return &VerdictReceipt{Verdict: verdict, RevisionRequest: judging.RevisionRequestOf(verdict), Feedback: feedback}, nil
}

// feedbackFor is what the next iteration of a section is told.
func (g *Judging) feedbackFor(ctx context.Context, sectionKey string) (string, error) {
	sections, err := store.Get[memory.Section](ctx, g.store, []string{sectionKey})
	if err != nil || sections[0] == nil || sections[0].Approved() {
		return "", err
	}
	rejections, err := g.rejectionsOf(ctx, sectionKey)
	return judging.FormatFeedback(rejections), err
}

// rejectionsOf reads a section's last verdicts that do not approve: few, of whose plans nothing is kept.
func (g *Judging) rejectionsOf(ctx context.Context, sectionKey string) ([]*memory.Verdict, error) {
	query, page := store.VerdictQuery{Section: &sectionKey, Rejecting: true}, store.Page{Limit: judging.MaxFeedbackEntries}
	rejections, _, err := store.List(store.Unmetered(ctx), g.store, query, page)
	slices.SortFunc(rejections, func(a, b *memory.Verdict) int { return memory.ByIteration(a.Judgement, b.Judgement) })
	return rejections, err
}

// RecordVerdicts records a batch in order and reports each item.
func (g *Judging) RecordVerdicts(ctx context.Context, input RecordVerdictsInput) (*BatchResult, error) {
	return recordBatch(ctx, g.tenant, memory.KindVerdict, "verdicts", input.Verdicts, g.verdictRecord, g.recordVerdicts)
}

// recordVerdicts records verdicts with the thresholds that are applied to their judges now. They are no part of what was
// sent: the same verdict sent again later keeps the one that it was recorded under.
func (g *Judging) recordVerdicts(ctx context.Context, records []store.VerdictRecord) ([]store.Recorded, error) {
	var judges []string
	for i := range records {
		if judge := records[i].Verdict.JudgeID; judge != nil && records[i].Verdict.Score != nil {
			judges = append(judges, *judge)
		}
	}
	if len(judges) > 0 {
		applied, err := g.store.JudgeThresholds(ctx, distinct(judges))
		if err != nil {
			return nil, err
		}
		for i := range records {
			if v := &records[i].Verdict; v.JudgeID != nil && v.Score != nil {
				v.Threshold = judging.ThresholdFor(applied, *v.JudgeID, v.SectionType)
			}
		}
	}
	return store.Record(ctx, g.store, records)
}

// verdictRecord brings an input to the record that is stored, or says what is wrong with it.
func (g *Judging) verdictRecord(ctx context.Context, input RecordVerdictInput) (store.VerdictRecord, error) {
	b := g.boundary(ctx)
	clean := b.verdict(input)
	issues := memory.Mapped(clean.Issues, func(issue IssueInput) memory.Issue { return memory.Issue(issue) })
	judgement := memory.Judgement{
		Key: keyOr(clean.ID), RunKey: clean.RunID, SectionKey: memory.SectionKey(clean.RunID, clean.SectionID),
		SectionType: clean.SectionType, Context: clean.Context, JudgeID: clean.JudgeID, Status: clean.Status,
		Score: clean.Score, Iteration: clean.Iteration, Issues: issues, Patterns: clean.Patterns,
		At: valueOr(clean.At, g.clock()), Label: nil, LabelledBy: nil, // until somebody says
		Threshold: nil, // as it is recorded
	}
	b.fail(judgement.Check("judgeId"))
	record := store.VerdictRecord{
		InputHash: g.inputHash(ctx, b, clean),
		Verdict: memory.Verdict{
			Judgement: judgement,
			Feedback:  clean.Feedback, Strengths: clean.Strengths, Fixes: clean.Fixes, Plan: clean.Plan, Receipt: b.redactor.Receipt(),
		},
	}
	return record, b.err
}

// verdict is the input with bare keys and redacted texts, its section by the name that the run has for it.
func (b *boundary) verdict(input RecordVerdictInput) RecordVerdictInput {
	clean := RecordVerdictInput{
		ID:          b.optionalKey(memory.KindVerdict, "id", input.ID),
		RunID:       b.key(memory.KindRun, "runId", input.RunID),
		SectionType: b.label("sectionType", input.SectionType),
		Context:     b.circumstances(input.Context),
		JudgeID:     b.optionalLabel("judgeId", input.JudgeID),
		Iteration:   input.Iteration,
		Status:      input.Status,
		Score:       input.Score,
		Feedback:    b.optional("feedback", input.Feedback),
		Issues:      b.issues("issues", input.Issues),
		Strengths:   b.requiredTexts("strengths", input.Strengths),
		Fixes:       b.requiredTexts("fixes", input.Fixes),
		Patterns:    b.terms("patterns", input.Patterns),
		Plan:        b.json("plan", input.Plan),
		At:          b.optionalTime("at", input.At),
		SectionID:   "", // below
	}
	_, clean.SectionID = b.section(clean.RunID, input.SectionID)
	return clean
}

// section gives the key of a run's section, and the name by which the run knows it. It is given by that name
// or by its global id.
func (b *boundary) section(run, id string) (key, name string) {
	name, prefix := id, string(memory.KindSection)+":"
	if global, ok := strings.CutPrefix(id, prefix); ok {
		parts := memory.SplitKey(global)
		if len(parts) != 2 || !SameName(parts[0], run) || memory.JoinKey(parts...) != global {
			b.fail(memory.Invalid("sectionId", "is no section of the run"))
			return "", ""
		}
		name = parts[1]
	}
	name = b.label("sectionId", name)
	return memory.SectionKey(run, name), name
}

// sectionOf gives the run and the key of a section that may be given without its run where it is given by
// its global id.
func (b *boundary) sectionOf(run *string, id string) (known *string, key string) {
	if run == nil {
		parts := memory.SplitKey(memory.KeyOf(memory.KindSection, id))
		if !strings.HasPrefix(id, string(memory.KindSection)+":") || len(parts) != 2 {
			b.fail(memory.Invalid("sectionId", "needs the runId, unless it is a global id such as section:run-123/intro"))
			return nil, ""
		}
		named := b.label("sectionId", parts[0])
		run = &named
	}
	key, _ = b.section(*run, id)
	return run, key
}

func (b *boundary) issues(field string, inputs []IssueInput) []IssueInput {
	return each(b, field, inputs, func(place string, input IssueInput) IssueInput {
		return IssueInput{
			Code: b.label(place+".code", input.Code), Area: b.optionalLabel(place+".area", input.Area),
			Message: b.optional(place+".message", input.Message), Fix: b.optional(place+".fix", input.Fix),
		}
	})
}

// LabelVerdict keeps whether a person would have approved; a later label replaces an earlier one.
func (g *Judging) LabelVerdict(ctx context.Context, input LabelVerdictInput) (*memory.Verdict, error) {
	b := g.boundary(ctx)
	label := store.VerdictLabel{
		Verdict: b.key(memory.KindVerdict, "verdictId", input.VerdictID), Approve: input.Approve,
		LabelledBy: b.optionalLabel("labelledBy", input.LabelledBy),
	}
	if b.err != nil {
		return nil, b.err
	}
	if err := g.verdictIsOf(ctx, label.Verdict, input.JudgeID); err != nil {
		return nil, err
	}
	if err := g.labelVerdict(ctx, label); err != nil {
		return nil, g.faultAt(ctx, "verdictId", "the verdict", input.VerdictID, err)
	}
	return mustRead(ctx, "the verdict", label.Verdict, reading[memory.Verdict](g.store))
}

// verdictIsOf refuses a verdict of another judge than the one that is named, if one is.
func (g *Judging) verdictIsOf(ctx context.Context, verdict string, judge *string) error {
	if judge == nil {
		return nil
	}
	b := g.question(ctx)
	name := b.label("judgeId", *judge)
	if b.err != nil {
		return b.err
	}
	known, err := store.Get[memory.Verdict](ctx, g.store, []string{verdict})
	switch {
	case err != nil:
		return fault("the verdict", err)
	case known[0] != nil && (known[0].JudgeID == nil || *known[0].JudgeID != name):
		return memory.Invalid("verdictId", "names a verdict that is not of this judge")
	}
	return nil
}

// maxVerdictsRead bounds the verdicts that are read for those of a context, and verdictsAtOnce those of one read.
const (
	maxVerdictsRead = 20_000
	verdictsAtOnce  = 500
)

// Verdicts lists the verdicts that a filter keeps, newest first. For those of a context, and those of which a person said
// otherwise, no store has an index: up to 20,000 that meet the other conditions are read, and more are LIMIT_EXCEEDED.
func (g *Judging) Verdicts(ctx context.Context, filter VerdictFilter, input PageInput) (*Page[*memory.Verdict], error) {
	b := g.question(ctx)
	query := store.VerdictQuery{
		Judge: b.optionalLabel("judgeId", filter.JudgeID), Run: b.optionalKey(memory.KindRun, "runId", filter.RunID),
		SectionType: b.optionalLabel("sectionType", filter.SectionType),
	}
	keeps := keepsVerdicts{pairs: b.circumstances(filter.Context), disagreed: filter.Disagreed}
	if b.err != nil {
		return nil, b.err
	}
	verdicts := listOf(g.store, "the verdict", query)
	if !keeps.all() {
		verdicts.read = func(ctx context.Context, page store.Page) ([]*memory.Verdict, bool, error) {
			return g.keptVerdicts(ctx, query, keeps, page)
		}
		verdicts.count = func(ctx context.Context) (total int, err error) {
			err = g.eachKept(ctx, query, keeps, nil, func(*memory.Verdict) bool { total++; return true })
			return total, err
		}
	}
	page, err := verdicts.page(ctx, input, fingerprint("verdicts", filter))
	if err == nil {
		err = g.nothingFor(ctx, len(page.Items), calledSectionType(filter.SectionType), calledJudge(filter.JudgeID))
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

// argument is the one that keeps the fewest.
func (k keepsVerdicts) argument() string {
	if len(k.pairs) > 0 {
		return "context"
	}
	return "disagreed"
}

// keptVerdicts reads a page of the verdicts that are kept, and whether more such follow it. Only those of the page are read
// for the request, as the others are not answered.
func (g *Judging) keptVerdicts(
	ctx context.Context, query store.VerdictQuery, keeps keepsVerdicts, page store.Page,
) (found []*memory.Verdict, more bool, err error) {
	if page.Limit == 0 {
		return store.List(ctx, g.store, query, page)
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
	found, err = store.Get[memory.Verdict](ctx, g.store, keys)
	return slices.DeleteFunc(found, func(v *memory.Verdict) bool { return v == nil }), more, err // deleted since it was found
}

// eachKept hands over the verdicts that are kept, from a position on, as long as more are wanted.
func (g *Judging) eachKept(
	ctx context.Context, query store.VerdictQuery, keeps keepsVerdicts, after *store.Position, wanted func(*memory.Verdict) bool,
) error {
	all, sum := listOf(g.store, "the verdict", query), store.BudgetOf(ctx).Sum()
	page := store.Page{After: after, Limit: verdictsAtOnce}
	for read := 0; ; {
		part, follow, err := partOf(ctx, page, all.read)
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
		if !follow || len(part) == 0 {
			return nil
		}
		if read += len(part); read >= maxVerdictsRead {
			return memory.LimitExceeded(keeps.argument(), "is looked for among %d verdicts at most; ask for those of a run, a judge or a type of section", maxVerdictsRead)
		}
		page = store.Page{After: new(query.Place(part[len(part)-1])), Limit: min(2*len(part), verdictsAtOnce)}
	}
}

// VerdictsByKey reads verdicts in the order of the keys, nil where there is none.
func (g *Judging) VerdictsByKey(ctx context.Context, keys []string) ([]*memory.Verdict, error) {
	verdicts, err := store.Get[memory.Verdict](ctx, g.store, keys)
	return verdicts, fault("the verdict", err)
}

// RunCompletion is what became of the completion of a run.
type RunCompletion struct {
	// Sections is how many sections the run has.
	Sections int `json:"sections" jsonschema:"How many sections it has."`
	// PatternsUpdated is how many patterns of history it was folded into; 0 where that was done before.
	PatternsUpdated int `json:"patternsUpdated" jsonschema:"How many patterns of history it was folded into; 0 where that was done before."`
}

// CompleteRun ends a run and folds what it taught into history, once however often it is called.
func (g *Judging) CompleteRun(ctx context.Context, input CompleteRunInput) (*RunCompletion, error) {
	ctx = store.Unmetered(ctx)
	b := g.question(ctx)
	run := b.key(memory.KindRun, "runId", input.RunID)
	if b.err != nil {
		return nil, b.err
	}
	texts, err := g.textsOf(ctx, run)
	if err != nil {
		return nil, fault("the run", err)
	}
	completed, err := g.store.CompleteRun(ctx, store.RunCompletion{Run: run, At: g.clock(), Texts: texts})
	if err != nil {
		err = g.faultAt(ctx, "runId", "the run", input.RunID, err)
		if known, ok := errors.AsType[*memory.Error](err); ok && known.Code == memory.CodeNotFound {
			known.Message += "; it comes with its first verdict"
		}
		return nil, err
	}
	return &RunCompletion{Sections: completed.Sections, PatternsUpdated: completed.Patterns}, nil
}

// Runs lists all runs, newest first.
func (g *Judging) Runs(ctx context.Context, input PageInput) (*Page[*memory.Run], error) {
	return listOf(g.store, "the run", store.AllRuns{}).page(ctx, input, fingerprint("runs"))
}

// RunsByKey reads runs in the order of the keys, nil where there is none.
func (g *Judging) RunsByKey(ctx context.Context, keys []string) ([]*memory.Run, error) {
	runs, err := store.Get[memory.Run](ctx, g.store, keys)
	return runs, fault("the run", err)
}

// SectionsByKey reads sections in the order of the keys, nil where there is none.
func (g *Judging) SectionsByKey(ctx context.Context, keys []string) ([]*memory.Section, error) {
	sections, err := store.Get[memory.Section](ctx, g.store, keys)
	return sections, fault("the section", err)
}

// RunSections reads the sections of each run as they were first judged, by run key.
func (g *Judging) RunSections(ctx context.Context, runKeys []string) (map[string][]*memory.Section, error) {
	sections, err := g.store.SectionsOfRuns(ctx, runKeys)
	return sections, fault("the run", err)
}

// PatternSummary is a pattern as people and agents are told of it.
type PatternSummary struct {
	ID                    string             `json:"id"`
	Kind                  memory.PatternKind `json:"kind"`
	Description           string             `json:"description" jsonschema:"The approach; of an issue the latest message that came with its code."`
	IssueCode             string             `json:"issueCode,omitempty"`
	SectionType           string             `json:"sectionType"`
	Context               memory.JSON        `json:"context,omitempty"`
	Mined                 bool               `json:"mined,omitempty"`
	Rate                  float64            `json:"rate" jsonschema:"0 to 1: how often the approach was approved, or how often sections had the issue."`
	Total                 int                `json:"total" jsonschema:"Over how many sections."`
	AvgScore              *float64           `json:"avgScore,omitempty"`
	AvgRecoveryIterations *float64           `json:"avgRecoveryIterations,omitempty" jsonschema:"How many iterations it took on average to be approved in spite of the issue."`
	LastSeen              time.Time          `json:"lastSeen"`
}

// SummaryOfPattern sums up a pattern.
func SummaryOfPattern(p *memory.Pattern) PatternSummary {
	return PatternSummary{
		ID: p.ID(), Kind: p.Kind, Description: p.Description, IssueCode: valueOr(p.IssueCode, ""), SectionType: p.SectionType,
		Context: p.Context, Mined: p.Mined, Rate: p.Rate(), Total: p.Total, AvgScore: p.AvgScore(),
		AvgRecoveryIterations: p.AvgRecoveryIterations(), LastSeen: p.LastSeen,
	}
}
