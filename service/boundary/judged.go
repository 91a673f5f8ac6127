package boundary

import (
	"strings"

	"mneme/memory"
	"mneme/store"
)

// Execution is the record of an execution.
func (b *Boundary) Execution(input RecordExecutionInput) (store.ExecutionRecord, error) {
	id, at := b.OptionalKey(memory.KindExecution, "id", input.ID), b.OptionalTime("at", input.At)
	if id != nil {
		b.Fail(memory.CheckExecutionKey("id", *id))
	}
	ms := memory.ValueOr(input.LatencyMs, 0)
	b.Require(ms >= 0 && ms <= memory.MaxLatencyMs, "latencyMs", "is %v; it must be in 0…%v", ms, memory.MaxLatencyMs)
	execution := memory.Execution{
		Key: keyOr(id), AgentKey: b.Key(memory.KindAgent, "agentId", input.AgentID), TaskType: b.Label("taskType", input.TaskType), Success: input.Success,
		Quality: *b.Share("quality", &input.Quality), LatencyMs: input.LatencyMs, At: memory.OrZero(at),
	}
	record := store.ExecutionRecord{InputHash: b.hash(execution), Execution: execution}
	record.Execution.At = memory.ValueOr(at, b.Clock())
	return record, b.err
}

// Verdict brings an input to the record that is stored, or says what is wrong with it.
func (b *Boundary) Verdict(input RecordVerdictInput) (store.VerdictRecord, error) {
	run, at := b.Key(memory.KindRun, "runId", input.RunID), b.OptionalTime("at", input.At)
	verdict := memory.Verdict{
		Judgement: memory.Judgement{
			Key:         keyOr(b.OptionalKey(memory.KindVerdict, "id", input.ID)),
			RunKey:      run,
			SectionKey:  b.section(run, input.SectionID),
			SectionType: b.Label("sectionType", input.SectionType),
			Context:     b.Circumstances(input.Context),
			JudgeID:     b.OptionalLabel("judgeId", input.JudgeID),
			Iteration:   input.Iteration,
			Status:      input.Status,
			Score:       input.Score,
			Issues: each(b, "issues", input.Issues, func(place string, issue IssueInput) memory.Issue {
				return b.issue(place, memory.Issue(issue))
			}),
			Patterns: b.terms("patterns", input.Patterns),
			At:       memory.OrZero(at),
			Label:    nil, LabelledBy: nil, // until somebody says
			Threshold: nil, // as it is recorded
		},
		Feedback:  b.Optional("feedback", input.Feedback),
		Strengths: b.requiredTexts("strengths", input.Strengths),
		Fixes:     b.requiredTexts("fixes", input.Fixes),
		Plan:      b.json("plan", input.Plan),
		Receipt:   memory.Receipt{}, // below
	}
	b.Fail(verdict.Check("judgeId"))
	record := store.VerdictRecord{InputHash: b.hash(verdict), Verdict: verdict}
	record.Verdict.At, record.Verdict.Receipt = memory.ValueOr(at, b.Clock()), b.redacting.Receipt()
	return record, b.err
}

// section is the key of a run's section, which is given by the name by which the run knows it, or by its global id.
func (b *Boundary) section(run, id string) string {
	name, prefix := id, string(memory.KindSection)+":"
	if global, ok := strings.CutPrefix(id, prefix); ok {
		parts := memory.SplitKey(global)
		of := len(parts) == 2 && SameName(parts[0], run) && memory.JoinKey(parts...) == global
		if !b.Require(of, "sectionId", "is no section of the run") {
			return ""
		}
		name = parts[1]
	}
	return memory.SectionKey(run, b.Label("sectionId", name))
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
	return run, b.section(*run, id)
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
