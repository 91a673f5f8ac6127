package boundary

import (
	"strings"

	"mneme/memory"
	"mneme/store"
)

// Execution is the record of an execution.
func (b *Boundary) Execution(input RecordExecutionInput) (store.ExecutionRecord, error) {
	clean := RecordExecutionInput{
		ID:      b.OptionalKey(memory.KindExecution, "id", input.ID),
		AgentID: b.Key(memory.KindAgent, "agentId", input.AgentID), TaskType: b.Label("taskType", input.TaskType),
		Success: input.Success, Quality: *b.Share("quality", &input.Quality),
		LatencyMs: input.LatencyMs, At: b.OptionalTime("at", input.At),
	}
	ms := ValueOr(input.LatencyMs, 0)
	b.Require(ms >= 0 && ms <= memory.MaxLatencyMs, "latencyMs", "is %v; it must be in 0…%v", ms, memory.MaxLatencyMs)
	if clean.ID != nil {
		b.Fail(memory.CheckExecutionKey("id", *clean.ID))
	}
	record := store.ExecutionRecord{
		InputHash: b.hash(clean),
		Execution: memory.Execution{
			Key: keyOr(clean.ID), AgentKey: clean.AgentID, TaskType: clean.TaskType, Success: clean.Success,
			Quality: clean.Quality, LatencyMs: clean.LatencyMs, At: ValueOr(clean.At, b.Clock()),
		},
	}
	return record, b.err
}

// Verdict brings an input to the record that is stored, or says what is wrong with it.
func (b *Boundary) Verdict(input RecordVerdictInput) (store.VerdictRecord, error) {
	clean := RecordVerdictInput{
		ID:          b.OptionalKey(memory.KindVerdict, "id", input.ID),
		RunID:       b.Key(memory.KindRun, "runId", input.RunID),
		SectionType: b.Label("sectionType", input.SectionType),
		Context:     b.Circumstances(input.Context),
		JudgeID:     b.OptionalLabel("judgeId", input.JudgeID),
		Iteration:   input.Iteration,
		Status:      input.Status,
		Score:       input.Score,
		Feedback:    b.Optional("feedback", input.Feedback),
		Issues: each(b, "issues", input.Issues, func(place string, issue IssueInput) IssueInput {
			return IssueInput(b.issue(place, memory.Issue(issue)))
		}),
		Strengths: b.requiredTexts("strengths", input.Strengths),
		Fixes:     b.requiredTexts("fixes", input.Fixes),
		Patterns:  b.terms("patterns", input.Patterns),
		Plan:      b.json("plan", input.Plan),
		At:        b.OptionalTime("at", input.At),
		SectionID: "", // below
	}
	sectionKey, name := b.section(clean.RunID, input.SectionID)
	clean.SectionID = name // by which the run knows it
	issues := memory.Mapped(clean.Issues, func(issue IssueInput) memory.Issue { return memory.Issue(issue) })
	judgement := memory.Judgement{
		Key: keyOr(clean.ID), RunKey: clean.RunID, SectionKey: sectionKey,
		SectionType: clean.SectionType, Context: clean.Context, JudgeID: clean.JudgeID, Status: clean.Status,
		Score: clean.Score, Iteration: clean.Iteration, Issues: issues, Patterns: clean.Patterns,
		At: ValueOr(clean.At, b.Clock()), Label: nil, LabelledBy: nil, // until somebody says
		Threshold: nil, // as it is recorded
	}
	b.Fail(judgement.Check("judgeId"))
	record := store.VerdictRecord{
		InputHash: b.hash(clean),
		Verdict: memory.Verdict{
			Judgement: judgement,
			Feedback:  clean.Feedback, Strengths: clean.Strengths, Fixes: clean.Fixes, Plan: clean.Plan, Receipt: b.redacting.Receipt(),
		},
	}
	return record, b.err
}

// section gives the key of a run's section, and the name by which the run knows it. It is given by that name
// or by its global id.
func (b *Boundary) section(run, id string) (key, name string) {
	name, prefix := id, string(memory.KindSection)+":"
	if global, ok := strings.CutPrefix(id, prefix); ok {
		parts := memory.SplitKey(global)
		of := len(parts) == 2 && SameName(parts[0], run) && memory.JoinKey(parts...) == global
		if !b.Require(of, "sectionId", "is no section of the run") {
			return "", ""
		}
		name = parts[1]
	}
	name = b.Label("sectionId", name)
	return memory.SectionKey(run, name), name
}

// SectionOf gives the run and the key of a section that may be given without its run where it is given by
// its global id.
func (b *Boundary) SectionOf(run *string, id string) (known *string, key string) {
	if run == nil {
		parts := memory.SplitKey(memory.KeyOf(memory.KindSection, id))
		global := strings.HasPrefix(id, string(memory.KindSection)+":") && len(parts) == 2
		if !b.Require(global, "sectionId", "needs the runId, unless it is a global id such as section:run-123/intro") {
			return nil, ""
		}
		named := b.Label("sectionId", parts[0])
		run = &named
	}
	key, _ = b.section(*run, id)
	return run, key
}

func (b *Boundary) issue(place string, issue memory.Issue) memory.Issue {
	return memory.Issue{
		Code: b.Label(place+".code", issue.Code), Area: b.OptionalLabel(place+".area", issue.Area),
		Message: b.Optional(place+".message", issue.Message), Fix: b.Optional(place+".fix", issue.Fix),
	}
}

// VerdictLabel is what a person says of a verdict.
func (b *Boundary) VerdictLabel(input LabelVerdictInput) (store.VerdictLabel, error) {
	label := store.VerdictLabel{
		Verdict: b.Key(memory.KindVerdict, "verdictId", input.VerdictID), Approve: input.Approve,
		LabelledBy: b.OptionalLabel("labelledBy", input.LabelledBy),
	}
	return label, b.err
}

// JudgeThreshold is from which score on a judge's verdicts would approve.
func (b *Boundary) JudgeThreshold(input ApplyJudgeThresholdInput) (memory.JudgeThreshold, error) {
	threshold := memory.JudgeThreshold{
		JudgeKey: b.Label("judgeId", input.JudgeID), SectionType: b.OptionalLabel("sectionType", input.SectionType),
		Threshold: input.Threshold, At: b.Clock(),
	}
	b.Fail(threshold.Check())
	return threshold, b.err
}
