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
