package neo4j

import (
	"context"
	"errors"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// Executions reads known executions; see store.ExecutionStore.
func (s *tenantStore) Executions(ctx context.Context, keys []string) ([]*memory.Execution, error) {
	if len(keys) == 0 {
		return []*memory.Execution{}, nil
	}
	q := s.query(named("executions"), parameters{"keys": setOf(keys...).sorted()})
	found, err := whole(ctx, func(ctx context.Context) ([][]*memory.Execution, error) {
		return read(ctx, s.backend, q, decodeExecutions)
	})
	if err != nil {
		return nil, err
	}
	return inOrder(keys, slices.Concat(found...), executionKey), nil
}

// decodeExecutions reads a profile and those of its executions that are asked for.
func decodeExecutions(row *neo4j.Record) ([]*memory.Execution, error) {
	if profile, known := row.Get("p"); known && profile == nil {
		return nodeList(row, "executions", func(f *fields) *memory.Execution {
			f.key(memory.KindExecution)
			f.fail("profile", errors.New("is gone"))
			f.torn() // which it may be because it is being deleted
			return nil
		})
	}
	node, err := column[neo4j.Node]("p")(row)
	if err != nil {
		return nil, err
	}
	f := &fields{node: node}
	f.key(memory.KindLearningProfile)
	p := f.wholeProfile()
	var left []*leftOut
	window := map[string]*memory.Execution{}
	switch fault := faultIn(f.err); {
	case fault != nil: // the archive is readable without the window
		left = append(left, fault)
	case f.err != nil:
		return nil, f.err
	default:
		for _, e := range p.Executions() {
			window[e.Key] = e
		}
	}
	agent, taskType, _ := memory.SplitProfileKey(f.text("key"))
	executions, err := nodeList(row, "executions", func(f *fields) *memory.Execution {
		if e := window[f.key(memory.KindExecution)]; e != nil {
			return e
		}
		return f.archived(agent, taskType)
	})
	if err := collectLeftOut(err, &left); err != nil {
		return nil, err
	}
	return executions, leftOutError(left)
}

// ListExecutions reads a page; see store.ExecutionStore. As of an instant the archive begins where the
// window of then ends.
func (s *tenantStore) ListExecutions(
	ctx context.Context, query store.ExecutionsOf,
) ([]*memory.Execution, bool, error) {
	after := query.Page.After
	if query.Archived && query.AsOf == nil {
		return s.listArchived(ctx, query, after)
	}
	profiles, err := s.profiles(ctx, store.ProfileFilter{
		Agents: []string{query.Agent}, TaskTypes: []string{query.TaskType}, AsOf: query.AsOf,
	}, true)
	if err != nil || len(profiles) == 0 {
		return []*memory.Execution{}, false, err
	}
	window := profiles[0].Executions()
	if query.Archived {
		return s.listArchived(ctx, query, earlier(after, window[0]))
	}
	slices.Reverse(window)
	if after != nil {
		window = slices.DeleteFunc(window, func(e *memory.Execution) bool { return !precedes(e, after) })
	}
	return page(window, query.Page.Limit, nil)
}

// precedes says whether an execution is older than a position.
func precedes(e *memory.Execution, position *store.Position) bool {
	return memory.CompareExecutions(e, &memory.Execution{At: position.At, Key: position.Key}) < 0
}

// earlier is the older of a position, which may be nil, and that of an execution.
func earlier(position *store.Position, e *memory.Execution) *store.Position {
	if position != nil && !precedes(e, position) {
		return position
	}
	return &store.Position{At: e.At, Key: e.Key}
}

// listArchived reads archived executions that are older than a position.
func (s *tenantStore) listArchived(
	ctx context.Context, query store.ExecutionsOf, after *store.Position,
) ([]*memory.Execution, bool, error) {
	return wholePage(ctx, query.Page.Limit, func(ctx context.Context, limit int) ([]*memory.Execution, error) {
		values := archiveParameters(memory.ProfileKey(query.Agent, query.TaskType), after, limit+1)
		q := s.query(named("list_archived"), values)
		return whole(ctx, func(ctx context.Context) ([]*memory.Execution, error) {
			return read(ctx, s.backend, q, archivedDecoder(query.Agent, query.TaskType))
		})
	})
}

// archiveParameters ask for the latest archived executions of a profile before a position; nil is the end
// of time.
func archiveParameters(profile string, after *store.Position, limit int) parameters {
	values := parameters{"profile": profile, "until": instant(latest), "afterAt": nil, "afterKey": "", "limit": limit}
	if after != nil {
		values["until"], values["afterAt"], values["afterKey"] = instant(after.At), instant(after.At), after.Key
	}
	return values
}
