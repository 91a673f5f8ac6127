package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
)

var recordVerdictTool = tool[recordVerdictInput, recordVerdictOutput]{
	name: "record_verdict", title: "Record a verdict", hints: adds,
	about: "Records how a judge, or a check by rule, decided on one iteration of a section of a run, and answers what the next iteration needs. What a run taught is history once the run is completed.",
	run:   recordVerdict,
}

// recordVerdictInput describes service.RecordVerdictInput.
type recordVerdictInput struct {
	ID          *string              `json:"id,omitempty" jsonschema:"The key to record it under, 1 to 512 bytes; one is made where it is left out."`
	RunID       string               `json:"runId" jsonschema:"The run, by id or key; one that nobody knew comes into being."`
	SectionID   string               `json:"sectionId" jsonschema:"What the run calls the section, such as verse_1, or its global id; one that nobody knew comes into being."`
	SectionType string               `json:"sectionType" jsonschema:"What kind of section it is, such as chorus; history is learned by it."`
	Context     memory.JSON          `json:"context,omitempty" jsonschema:"Under what it was made, as JSON such as {\"energy\": \"high\"}; approaches are learned by it, as a whole."`
	JudgeID     *string              `json:"judgeId,omitempty" jsonschema:"Who judged; left out with VALIDATION_FAIL, which no judge gave."`
	Iteration   int                  `json:"iteration" jsonschema:"The number of the iteration, from 0."`
	Status      memory.VerdictStatus `json:"status" jsonschema:"What was decided: good enough, worth another iteration, wrong, or failed by a check by rule."`
	Score       *float64             `json:"score,omitempty" jsonschema:"How good it was, on the judge's own scale; 8 or more is shown to others as a success."`
	Feedback    *string              `json:"feedback,omitempty" jsonschema:"What the judge has to say."`
	Issues      []service.IssueInput `json:"issues,omitempty" jsonschema:"The faults."`
	Strengths   []string             `json:"strengths,omitempty" jsonschema:"What was good and is to be kept."`
	Fixes       []string             `json:"fixes,omitempty" jsonschema:"What is to be done."`
	Patterns    []string             `json:"patterns,omitempty" jsonschema:"The approaches that the section used, in the same words each time."`
	Plan        memory.JSON          `json:"plan,omitempty" jsonschema:"What was judged, as JSON."`
	At          *time.Time           `json:"at,omitempty" jsonschema:"When it was decided, such as 2026-06-01T12:00:00Z; now where it is left out."`
}

// issueInput describes service.IssueInput.
type issueInput struct {
	Code    string  `json:"code" jsonschema:"What kind of fault, such as LANE_OVERLAP; issues are counted by it."`
	Area    *string `json:"area,omitempty" jsonschema:"What it is about, such as TIMING."`
	Message *string `json:"message,omitempty" jsonschema:"The fault in words."`
}

type recordVerdictOutput struct {
	ID              string             `json:"id"`
	SectionID       string             `json:"sectionId"`
	RevisionRequest *revisionRequest   `json:"revisionRequest,omitempty" jsonschema:"What the verdict asks of the next iteration; left out where it approves."`
	Feedback        string             `json:"feedback,omitempty" jsonschema:"The section's rejections so far, a line each, for the next iteration; left out once it is approved."`
	Redactions      []memory.Redaction `json:"redactions,omitempty" jsonschema:"Which private parts and secrets were taken out before it was kept."`
}

type revisionRequest struct {
	FocusAreas        []string `json:"focusAreas" jsonschema:"What to look at."`
	SpecificFixes     []string `json:"specificFixes" jsonschema:"What to do."`
	Avoid             []string `json:"avoid" jsonschema:"What not to lose."`
	ContextForPlanner string   `json:"contextForPlanner,omitempty" jsonschema:"What the judge said."`
}

func recordVerdict(ctx context.Context, tenant *service.Tenant, in recordVerdictInput) (recordVerdictOutput, error) {
	receipt, err := tenant.Judging.RecordVerdict(ctx, service.RecordVerdictInput(in))
	if err != nil {
		return recordVerdictOutput{}, err
	}
	verdict := receipt.Verdict
	output := recordVerdictOutput{
		ID: verdict.ID(), SectionID: memory.NodeID(memory.KindSection, verdict.SectionKey),
		Feedback: receipt.Feedback, Redactions: verdict.Receipt.Redactions,
	}
	if request := receipt.RevisionRequest; request != nil {
		output.RevisionRequest = new(revisionRequest(*request))
	}
	return output, nil
}

var guidanceTool = tool[guidanceInput, guidanceOutput]{
	name: "guidance", title: "Get guidance for a section", hints: reads,
	about: "Call this before making a section of a run, or making it better. Answers what its verdicts said, what went wrong and well in the run so far, and what to do and not to do by earlier runs, ready for a prompt.",
	run:   guidance,
}

type guidanceInput struct {
	RunID       *string     `json:"runId,omitempty" jsonschema:"The run, by id or key; nothing is said of a run where it is left out."`
	SectionID   *string     `json:"sectionId,omitempty" jsonschema:"What the run calls the section, with the runId, or its global id; left out where it has no name yet."`
	SectionType string      `json:"sectionType" jsonschema:"What kind of section it is, exactly as record_verdict names it."`
	Context     memory.JSON `json:"context,omitempty" jsonschema:"Under what it is made, as JSON; approaches are those of an equal context, or of any where it is left out."`
	MaxTokens   *int        `json:"maxTokens,omitempty" jsonschema:"How long the promptBlock may be, in tokens of four bytes; 1,000 where it is left out."`
}

type guidanceOutput struct {
	PromptBlock string   `json:"promptBlock" jsonschema:"All of it as text for a prompt, with the section's own feedback; empty where there is nothing to say."`
	Warnings    []string `json:"warnings" jsonschema:"From the run: what other sections ended with, then successes in an equal context."`
	Dos         []string `json:"dos" jsonschema:"From history: approaches that worked, the best first."`
	Donts       []string `json:"donts" jsonschema:"From history: what to avoid, the most frequent first."`
	PatternIDs  []string `json:"patternIds" jsonschema:"The patterns behind dos and donts, in their order."`
}

func guidance(ctx context.Context, tenant *service.Tenant, in guidanceInput) (guidanceOutput, error) {
	found, err := tenant.Judging.Guidance(ctx, service.GuidanceInput{
		RunID: in.RunID, SectionID: in.SectionID, SectionType: in.SectionType, Context: in.Context,
	})
	if err != nil {
		return guidanceOutput{}, err
	}
	maxTokens := promptTokens
	if in.MaxTokens != nil {
		maxTokens = *in.MaxTokens
	}
	block, err := found.PromptBlock(maxTokens)
	return guidanceOutput{
		PromptBlock: block, Warnings: orNone(found.Warnings), Dos: orNone(found.Dos), Donts: orNone(found.Donts),
		PatternIDs: mapped(found.Patterns, func(p *memory.Pattern) string { return p.ID() }),
	}, err
}

type runBody struct {
	ID          string        `json:"id"`
	StartedAt   time.Time     `json:"startedAt"`
	CompletedAt *time.Time    `json:"completedAt,omitempty" jsonschema:"When it was folded into history."`
	Sections    []sectionBody `json:"sections" jsonschema:"Its sections, as they were first judged."`
}

func bodyOfRun(r *memory.Run, sections []*memory.Section) runBody {
	return runBody{ID: r.ID(), StartedAt: r.StartedAt, CompletedAt: r.CompletedAt, Sections: mapped(sections, bodyOfSection)}
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
		VerdictIDs: mapped(s.Judgements, func(j memory.Judgement) string { return j.ID() }),
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
	Label       *bool                `json:"label,omitempty" jsonschema:"Whether a person would have approved."`
	LabelledBy  string               `json:"labelledBy,omitempty"`
	At          time.Time            `json:"at"`
}

func bodyOfVerdict(v *memory.Verdict) verdictBody {
	return verdictBody{
		ID: v.ID(), RunID: memory.NodeID(memory.KindRun, v.RunKey), SectionID: memory.NodeID(memory.KindSection, v.SectionKey),
		SectionType: v.SectionType, Context: v.Context, JudgeID: orEmpty(v.JudgeID), Iteration: v.Iteration, Status: v.Status,
		Score: v.Score, Feedback: orEmpty(v.Feedback), Issues: v.Issues, Strengths: v.Strengths, Fixes: v.Fixes,
		Patterns: v.Patterns, Plan: v.Plan, Label: v.Label, LabelledBy: orEmpty(v.LabelledBy), At: v.At,
	}
}

type patternBody struct {
	ID                    string             `json:"id"`
	Kind                  memory.PatternKind `json:"kind"`
	Description           string             `json:"description" jsonschema:"The approach; of an issue the latest message that came with its code."`
	IssueCode             string             `json:"issueCode,omitempty"`
	SectionType           string             `json:"sectionType"`
	Context               memory.JSON        `json:"context,omitempty"`
	Rate                  float64            `json:"rate" jsonschema:"0 to 1: how often the approach was approved, or how often sections had the issue."`
	Total                 int                `json:"total" jsonschema:"Over how many sections."`
	AvgScore              *float64           `json:"avgScore,omitempty"`
	AvgRecoveryIterations *float64           `json:"avgRecoveryIterations,omitempty" jsonschema:"How many iterations it took on average to be approved in spite of the issue."`
	LastSeen              time.Time          `json:"lastSeen"`
}

func bodyOfPattern(p *memory.Pattern) patternBody {
	return patternBody{
		ID: p.ID(), Kind: p.Kind, Description: p.Description, IssueCode: orEmpty(p.IssueCode), SectionType: p.SectionType,
		Context: p.Context, Rate: p.Rate(), Total: p.Total, AvgScore: p.AvgScore(),
		AvgRecoveryIterations: p.AvgRecoveryIterations(), LastSeen: p.LastSeen,
	}
}
