package neo4j

import (
	"context"
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
	q := s.query("executions", statement("executions"), parameters{"keys": setOf(keys...).sorted()})
	found, err := whole(ctx, func() ([][]*memory.Execution, error) {
		return read(ctx, s.backend, q, decodeExecutions)
	})
	if err != nil {
		return nil, err
	}
	return inOrder(keys, slices.Concat(found...), executionKey), nil
}

// decodeExecutions reads a profile and those of its executions that are asked for.
func decodeExecutions(row *neo4j.Record) ([]*memory.Execution, error) {
	node, err := column[neo4j.Node]("p")(row)
	if err != nil {
		return nil, err
	}
	f := &fields{node: node}
	p := f.wholeProfile()
	if f.err != nil {
		return nil, f.err
	}
	window := map[string]*memory.Execution{}
	for _, e := range p.Executions() {
		window[e.Key] = e
	}
	return nodeList(row, "executions", func(f *fields) *memory.Execution {
		if e := window[f.text("key")]; e != nil {
			return e
		}
		return f.archived(p.AgentKey, p.TaskType)
	})
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
	values := archiveParameters(memory.ProfileKey(query.Agent, query.TaskType), after, query.Page.Limit+1)
	q := s.query("list_archived", statement("list_archived"), values)
	executions, err := whole(ctx, func() ([]*memory.Execution, error) {
		return read(ctx, s.backend, q, archivedDecoder(query.Agent, query.TaskType))
	})
	return page(executions, query.Page.Limit, err)
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
