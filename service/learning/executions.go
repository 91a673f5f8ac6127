package learning

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// ExecutionReceipt is an execution as recorded, and the profile that it counts in.
type ExecutionReceipt struct {
	Execution *memory.Execution
	Profile   *memory.LearningProfile
}

// RecordExecution counts one piece of work of an agent in its profile for the type of task.
func (l *Learning) RecordExecution(ctx context.Context, input boundary.RecordExecutionInput) (*ExecutionReceipt, error) {
	execution, err := tenancy.RecordOne[memory.Execution](ctx, l.t, memory.KindExecution, input, (*boundary.Boundary).Execution, tenancy.Keep)
	if err != nil {
		return nil, err
	}
	profile, err := reading.MustRead(ctx, "the profile", memory.ProfileKey(execution.AgentKey, execution.TaskType), l.t.ProfilesByKey)
	return &ExecutionReceipt{Execution: execution, Profile: profile}, err
}

// RecordExecutions counts a batch in order and reports each item.
func (l *Learning) RecordExecutions(ctx context.Context, input boundary.RecordExecutionsInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, l.t, memory.KindExecution, "executions", input.Executions, (*boundary.Boundary).Execution, tenancy.Keep)
}

// ProfileExecutions lists the executions of a profile, the latest first: those that its expertise is made
// of, or the archived ones; as of the profile's instant where it has one.
func (l *Learning) ProfileExecutions(ctx context.Context, profile *memory.LearningProfile, archived bool, input reading.PageInput) (*reading.Page[*memory.Execution], error) {
	total := len(profile.Window.At)
	if archived {
		total = profile.Total - total
	}
	query := store.ExecutionsOf{Agent: profile.AgentKey, TaskType: profile.TaskType, Archived: archived, AsOf: profile.AsOf}
	executions := reading.ListOf(l.t.Store, "the profile", query)
	executions.Read = func(ctx context.Context, page store.Page) ([]*memory.Execution, bool, error) {
		executions, more, err := store.List(ctx, l.t.Store, query, page)
		if damaged, ok := errors.AsType[*store.Damaged](err); ok {
			store.NoteDamage(ctx, damaged) // the profiles beside it are answered
			return nil, false, nil
		}
		return executions, more, err
	}
	executions.Count = func(context.Context) (int, error) { return total, nil }
	return executions.Page(ctx, input, reading.Fingerprint("executions", profile.ID(), archived, profile.AsOf))
}
