package service

import (
	"context"
	"errors"
	"time"

	"mneme/memory"
	"mneme/store"
)

// ExecutionReceipt is an execution as recorded, and the profile that it counts in.
type ExecutionReceipt struct {
	Execution *memory.Execution
	Profile   *memory.LearningProfile
}

// RecordExecution counts one piece of work of an agent in its profile for the type of task.
func (l *Learning) RecordExecution(ctx context.Context, input RecordExecutionInput) (*ExecutionReceipt, error) {
	execution, err := recordOne[memory.Execution](ctx, l.tenant, memory.KindExecution, input, l.executionRecord, keeper[store.ExecutionRecord](l.tenant))
	if err != nil {
		return nil, err
	}
	profile, err := mustRead(ctx, "the profile", memory.ProfileKey(execution.AgentKey, execution.TaskType), l.profilesByKey)
	return &ExecutionReceipt{Execution: execution, Profile: profile}, err
}

// RecordExecutions counts a batch in order and reports each item.
func (l *Learning) RecordExecutions(ctx context.Context, input RecordExecutionsInput) (*BatchResult, error) {
	return recordBatch(ctx, l.tenant, memory.KindExecution, "executions", input.Executions, l.executionRecord, keeper[store.ExecutionRecord](l.tenant))
}

func (l *Learning) executionRecord(ctx context.Context, input RecordExecutionInput) (store.ExecutionRecord, error) {
	b := l.boundary(ctx)
	clean := RecordExecutionInput{
		ID:      b.optionalKey(memory.KindExecution, "id", input.ID),
		AgentID: b.key(memory.KindAgent, "agentId", input.AgentID), TaskType: b.label("taskType", input.TaskType),
		Success: input.Success, Quality: *b.share("quality", &input.Quality),
		LatencyMs: b.latency("latencyMs", input.LatencyMs), At: b.optionalTime("at", input.At),
	}
	if clean.ID != nil {
		b.fail(memory.CheckExecutionKey("id", *clean.ID))
	}
	record := store.ExecutionRecord{
		InputHash: l.inputHash(ctx, b, clean),
		Execution: memory.Execution{
			Key: keyOr(clean.ID), AgentKey: clean.AgentID, TaskType: clean.TaskType, Success: clean.Success,
			Quality: clean.Quality, LatencyMs: clean.LatencyMs, At: valueOr(clean.At, l.clock()),
		},
	}
	return record, b.err
}

func (b *boundary) latency(field string, ms *float64) *float64 {
	if ms != nil && !(*ms >= 0 && *ms <= memory.MaxLatencyMs) {
		b.fail(memory.Invalid(field, "is %v; it must be in 0…%v", *ms, memory.MaxLatencyMs))
	}
	return ms
}

// ProfileExecutions lists the executions of a profile, the latest first: those that its expertise is made
// of, or the archived ones; as of the profile's instant where it has one.
func (l *Learning) ProfileExecutions(ctx context.Context, profile *memory.LearningProfile, archived bool, input PageInput) (*Page[*memory.Execution], error) {
	total := len(profile.Window.At)
	if archived {
		total = profile.Total - total
	}
	query := store.ExecutionsOf{Agent: profile.AgentKey, TaskType: profile.TaskType, Archived: archived, AsOf: profile.AsOf}
	executions := listOf(l.store, "the profile", query)
	executions.read = func(ctx context.Context, page store.Page) ([]*memory.Execution, bool, error) {
		executions, more, err := store.List(ctx, l.store, query, page)
		if damaged, ok := errors.AsType[*store.Damaged](err); ok {
			store.NoteDamage(ctx, damaged) // the profiles beside it are answered
			return nil, false, nil
		}
		return executions, more, err
	}
	executions.count = func(context.Context) (int, error) { return total, nil }
	return executions.page(ctx, input, fingerprint("executions", profile.ID(), archived, profile.AsOf))
}

// RecordExecutionInput is one piece of work of an agent, and how well it went.
type RecordExecutionInput struct {
	ID        *string    `json:"id,omitempty" jsonschema:"The key to record it under, not beginning with episode:; one is made by default."`
	AgentID   string     `json:"agentId" jsonschema:"Who did the work, by id or key; one that nobody knew comes into being."`
	TaskType  string     `json:"taskType" jsonschema:"What type of task it was, such as refund_request."`
	Success   bool       `json:"success" jsonschema:"Whether it succeeded."`
	Quality   float64    `json:"quality" jsonschema:"How good the work was, 0 to 1."`
	LatencyMs *float64   `json:"latencyMs,omitempty" jsonschema:"How long it took, in milliseconds, 0 to 1e11."`
	At        *time.Time `json:"at,omitempty" jsonschema:"When it was done, such as 2026-06-01T12:00:00Z; now by default."`
}

// RecordExecutionsInput is a batch of executions, applied in order.
type RecordExecutionsInput struct {
	Executions []RecordExecutionInput `json:"executions"`
}

// SelectionInput asks which agents are good at a type of task; without a situation, or with a blank one, by the type alone.
type SelectionInput struct {
	TaskType  string     `json:"taskType" jsonschema:"The type of task, exactly as record_episode and record_execution name it; one that an agent has done, or explore to be given any agent."`
	Situation *string    `json:"situation,omitempty" jsonschema:"The task at hand in plain words: what came of similar ones refines the choice."`
	AsOf      *time.Time `json:"asOf,omitempty" jsonschema:"Answers as of this instant: only what was known then."`
}
