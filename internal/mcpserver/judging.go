package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/judging"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/verdicts"
)

var recordVerdictTool = tool[boundary.RecordVerdictInput, recordVerdictOutput]{
	name: "record_verdict", title: "Record a verdict", hints: adds, rule: access.Records,
	about: "Records how a judge, or a check by rule, decided on one iteration of a section of a run, and answers what the next iteration needs.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.RecordVerdictInput) (recordVerdictOutput, error) {
		receipt, err := tenant.Judging.RecordVerdict(ctx, in)
		if err != nil {
			return recordVerdictOutput{}, err
		}
		verdict := receipt.Verdict
		return recordVerdictOutput{
			ID: verdict.ID(), SectionID: memory.NodeID(memory.KindSection, verdict.SectionKey),
			Threshold: verdict.Threshold, Would: verdict.ThresholdApproves(),
			RevisionRequest: receipt.RevisionRequest, Feedback: receipt.Feedback, Redactions: verdict.Receipt.Redactions,
		}, nil
	},
}

type recordVerdictOutput struct {
	ID              string                   `json:"id"`
	SectionID       string                   `json:"sectionId"`
	Threshold       *float64                 `json:"threshold,omitempty" jsonschema:"On trial for this judge."`
	Would           *bool                    `json:"thresholdApproves,omitempty" jsonschema:"What it would have decided."`
	RevisionRequest *judging.RevisionRequest `json:"revisionRequest,omitempty" jsonschema:"What the verdict asks of the next iteration; left out where it approves."`
	Feedback        string                   `json:"feedback,omitempty" jsonschema:"The section's rejections so far, a line each, for the next iteration; left out once it is approved."`
	Redactions      []memory.Redaction       `json:"redactions,omitempty" jsonschema:"What was private, and taken out."`
}

var completeRunTool = tool[boundary.CompleteRunInput, verdicts.RunCompletion]{
	name: "complete_run", title: "Complete a run", hints: idempotent, rule: access.Records,
	about: "Call this once a run's sections are judged: folds what it taught into the history that guidance draws on, once.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.CompleteRunInput) (verdicts.RunCompletion, error) {
		return result(tenant.Judging.CompleteRun(ctx, in))
	},
}

var guidanceTool = tool[guidanceInput, guidanceOutput]{
	name: "guidance", title: "Get guidance for a section", hints: reads, rule: access.Reads,
	about: "Call this before making or improving a section of a run: what its verdicts said, what went wrong and well in the run so far, what to do and not to do by earlier runs.",
	run: func(ctx context.Context, tenant *service.Tenant, in guidanceInput) (guidanceOutput, error) {
		found, err := tenant.Judging.Guidance(ctx, in.GuidanceInput)
		if err != nil {
			return guidanceOutput{}, err
		}
		block, err := found.PromptBlock(memory.ValueOr(in.MaxTokens, promptTokens))
		return guidanceOutput{
			PromptBlock: block, Warnings: memory.OrEmpty(found.Warnings), Dos: memory.OrEmpty(found.Dos), Donts: memory.OrEmpty(found.Donts),
			PatternIDs: memory.Mapped(found.Patterns, func(p *memory.Pattern) string { return p.ID() }),
		}, err
	},
}

type guidanceInput struct {
	boundary.GuidanceInput
	MaxTokens *int `json:"maxTokens,omitempty" jsonschema:"How long the promptBlock may be, in tokens of four bytes; 1,000 by default."`
}

type guidanceOutput struct {
	PromptBlock string   `json:"promptBlock" jsonschema:"All of it as text for a prompt; empty where there is nothing to say."`
	Warnings    []string `json:"warnings" jsonschema:"From the run: issues with what fixed them, then successes in the nearest contexts."`
	Dos         []string `json:"dos" jsonschema:"From history: approaches that worked, the best first."`
	Donts       []string `json:"donts" jsonschema:"From history: what to avoid, the most frequent first."`
	PatternIDs  []string `json:"patternIds" jsonschema:"The patterns behind dos and donts, in their order."`
}

type runBody struct {
	ID          string        `json:"id"`
	StartedAt   time.Time     `json:"startedAt"`
	CompletedAt *time.Time    `json:"completedAt,omitempty" jsonschema:"When it was folded into history."`
	Sections    []sectionBody `json:"sections" jsonschema:"Its sections, as they were first judged."`
}

func bodyOfRun(r *memory.Run, sections []*memory.Section) runBody {
	return runBody{ID: r.ID(), StartedAt: r.StartedAt, CompletedAt: r.CompletedAt, Sections: memory.Mapped(sections, bodyOfSection)}
}

type sectionBody struct {
	ID          string         `json:"id"`
	Name        string         `json:"name"`
	RunID       string         `json:"runId"`
	SectionType string         `json:"sectionType"`
	Context     memory.JSON    `json:"context,omitempty"`
	FinalScore  *float64       `json:"finalScore,omitempty"`
	Iterations  int            `json:"iterations"`
	Approved    bool           `json:"approved"`
	Issues      []memory.Issue `json:"issues,omitempty" jsonschema:"The faults that it still has."`
	Patterns    []string       `json:"patterns,omitempty" jsonschema:"The approaches that it used in the end."`
	VerdictIDs  []string       `json:"verdictIds" jsonschema:"All verdicts on it, by iteration and time."`
}

func bodyOfSection(s *memory.Section) sectionBody {
	return sectionBody{
		ID: s.ID(), Name: s.Name(), RunID: s.RunID(), SectionType: s.SectionType(), Context: s.Context(), FinalScore: s.FinalScore(),
		Iterations: s.Iterations(), Approved: s.Approved(), Issues: s.Issues(), Patterns: s.Patterns(),
		VerdictIDs: memory.Mapped(s.Judgements, func(j memory.Judgement) string { return j.ID() }),
	}
}

type verdictBody struct {
	ID          string               `json:"id"`
	RunID       string               `json:"runId"`
	SectionID   string               `json:"sectionId"`
	SectionType string               `json:"sectionType"`
	Context     memory.JSON          `json:"context,omitempty"`
	JudgeID     string               `json:"judgeId,omitempty"`
	Iteration   int                  `json:"iteration"`
	Status      memory.VerdictStatus `json:"status"`
	Score       *float64             `json:"score,omitempty"`
	Feedback    string               `json:"feedback,omitempty"`
	Issues      []memory.Issue       `json:"issues,omitempty"`
	Strengths   []string             `json:"strengths,omitempty"`
	Fixes       []string             `json:"fixes,omitempty"`
	Patterns    []string             `json:"patterns,omitempty"`
	Plan        memory.JSON          `json:"plan,omitempty"`
	Threshold   *float64             `json:"threshold,omitempty"`
	Would       *bool                `json:"thresholdApproves,omitempty"`
	Label       *bool                `json:"label,omitempty" jsonschema:"Whether a person would have approved."`
	LabelledBy  string               `json:"labelledBy,omitempty"`
	At          time.Time            `json:"at"`
}

func bodyOfVerdict(v *memory.Verdict) verdictBody {
	return verdictBody{
		ID: v.ID(), RunID: memory.NodeID(memory.KindRun, v.RunKey), SectionID: memory.NodeID(memory.KindSection, v.SectionKey),
		SectionType: v.SectionType, Context: v.Context, JudgeID: memory.OrZero(v.JudgeID), Iteration: v.Iteration, Status: v.Status,
		Score: v.Score, Feedback: memory.OrZero(v.Feedback), Issues: v.Issues, Strengths: v.Strengths, Fixes: v.Fixes,
		Threshold: v.Threshold, Would: v.ThresholdApproves(),
		Patterns: v.Patterns, Plan: v.Plan, Label: v.Label, LabelledBy: memory.OrZero(v.LabelledBy), At: v.At,
	}
}

var judgeTendenciesTool = tool[judgeTendenciesInput, judgeTendenciesOutput]{
	name: "judge_tendencies", title: "See how a judge judges", hints: idempotent, rule: access.Reads.AndWith("with a label: writer; with a threshold, or remove", access.Administer),
	about: "Says how a judge decides and agrees with people. With threshold applies one on trial: later verdicts say what it would have decided. With label keeps what a person says of a verdict.",
	run:   judgeTendencies,
}

type judgeTendenciesInput struct {
	JudgeID     string   `json:"judgeId" jsonschema:"Who judged."`
	Threshold   *float64 `json:"threshold,omitempty" jsonschema:"The score from which on to approve."`
	Remove      bool     `json:"remove,omitempty" jsonschema:"Takes it away instead."`
	SectionType *string  `json:"sectionType,omitempty" jsonschema:"Only on sections of this type."`

	Label *boundary.LabelVerdictInput `json:"label,omitempty" jsonschema:"What a person would have decided, only where one said so."`
}

type judgeTendenciesOutput struct {
	Says         []string `json:"says"`
	Verdicts     int      `json:"verdicts"`
	ApprovalRate float64  `json:"approvalRate"`
	AverageScore *float64 `json:"averageScore,omitempty"`
	Kappa        *float64 `json:"kappa,omitempty"` // absent where nobody labelled what it judged, or where it says nothing
	// ProposedThreshold is the one that agrees best with people, absent where too few said what they would decide.
	ProposedThreshold *float64 `json:"proposedThreshold,omitempty"`
}

// label keeps what a person says of a verdict of the judge.
func (in judgeTendenciesInput) label(ctx context.Context, tenant *service.Tenant) error {
	label := *in.Label
	label.JudgeID = &in.JudgeID
	_, err := tenant.Judging.LabelVerdict(ctx, label)
	return renamed(err, func(field string) string {
		if field == "" || field == "judgeId" {
			return field
		}
		return "label." + field
	})
}

// change labels a verdict, or sets or takes away a threshold, where that is asked for.
func (in judgeTendenciesInput) change(ctx context.Context, tenant *service.Tenant) error {
	switch {
	case in.Label != nil && (in.Remove || in.Threshold != nil || in.SectionType != nil):
		return memory.Invalid("label", "comes without threshold, remove and sectionType")
	case in.Label != nil:
		return in.label(ctx, tenant)
	case in.Remove && in.Threshold != nil:
		return memory.Invalid("threshold", "must be left out where the threshold is taken away")
	case !in.Remove && in.Threshold == nil && in.SectionType != nil:
		return memory.Invalid("sectionType", "comes with a threshold, or with remove")
	case in.Remove || in.Threshold != nil:
		_, err := tenant.Judging.ApplyJudgeThreshold(ctx, boundary.ApplyJudgeThresholdInput{JudgeID: in.JudgeID, SectionType: in.SectionType, Threshold: in.Threshold})
		return err
	}
	return nil
}

func judgeTendencies(ctx context.Context, tenant *service.Tenant, in judgeTendenciesInput) (judgeTendenciesOutput, error) {
	if err := in.change(ctx, tenant); err != nil {
		return judgeTendenciesOutput{}, err
	}
	t, err := result(tenant.Judging.JudgeTendencies(ctx, in.JudgeID, nil))
	if err != nil {
		return judgeTendenciesOutput{}, err
	}
	out := judgeTendenciesOutput{
		Says: t.Lines(), Verdicts: t.Verdicts, ApprovalRate: t.ApprovalRate, AverageScore: t.AverageScore,
		ProposedThreshold: t.ThresholdProposal.Threshold,
	}
	if t.HumanAgreement != nil {
		out.Kappa = t.HumanAgreement.Kappa
	}
	return out, nil
}
