package neo4j

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

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

// AgentRecords sums up what agents have done; see store.ProfileReader. As of an instant it reads the
// profiles of then, and which agents were at work.
func (s *tenantStore) AgentRecords(ctx context.Context, query store.AgentRecordsOf) ([]memory.AgentRecord, error) {
	if query.Agents != nil && len(query.Agents) == 0 {
		return []memory.AgentRecord{}, nil
	}
	values := parameters{"agents": setOf(query.Agents...).sorted()}
	if query.AsOf != nil {
		values["asOf"] = instant(*query.AsOf)
	}
	records, err := whole(ctx, func(ctx context.Context) ([]memory.AgentRecord, error) {
		return read(ctx, s.backend, s.query(rendered("agent_records", recordShape{Agents: query.Agents != nil, AsOf: query.AsOf != nil}), values), decodeRecord)
	})
	if err == nil && query.AsOf != nil {
		records, err = s.pastRecords(ctx, records, query)
	}
	slices.SortFunc(records, func(a, b memory.AgentRecord) int { return strings.Compare(a.AgentKey, b.AgentKey) })
	return records, err
}

// recordShape is a query for the records of agents.
type recordShape struct{ Agents, AsOf bool }

// pastRecords adds what agents had done to those that had an episode.
func (s *tenantStore) pastRecords(
	ctx context.Context, idle []memory.AgentRecord, query store.AgentRecordsOf,
) ([]memory.AgentRecord, error) {
	profiles, err := s.profiles(ctx, store.ProfileFilter{Agents: query.Agents, AsOf: query.AsOf}, false)
	records := map[string]memory.AgentRecord{}
	for _, record := range idle {
		records[record.AgentKey] = record
	}
	for _, p := range profiles {
		records[p.AgentKey] = memory.AgentRecord{
			AgentKey: p.AgentKey, Tasks: append(records[p.AgentKey].Tasks, taskRecord(p)),
		}
	}
	all := make([]memory.AgentRecord, 0, len(records))
	for _, agent := range sortedKeys(records) {
		all = append(all, records[agent])
	}
	return all, err
}

func taskRecord(p *memory.LearningProfile) memory.TaskRecord {
	return memory.TaskRecord{
		TaskType: p.TaskType, Total: p.Total, Successful: p.Successful, QualityBillionths: p.QualityBillionths,
	}
}

func decodeRecord(row *neo4j.Record) (memory.AgentRecord, error) {
	f := fieldsOf(row.AsMap())
	record := memory.AgentRecord{AgentKey: f.text("agent"), Tasks: []memory.TaskRecord{}}
	var left []*leftOut
	for _, properties := range list[map[string]any](f, "tasks") {
		task := fieldsOf(properties)
		counters := task.counters(record.AgentKey)
		if fault := faultIn(task.err); fault != nil {
			left = append(left, fault)
			continue
		}
		record.Tasks = append(record.Tasks, taskRecord(counters))
	}
	slices.SortFunc(record.Tasks, func(a, b memory.TaskRecord) int { return strings.Compare(a.TaskType, b.TaskType) })
	return record, cmp.Or(f.err, leftOutError(left))
}

// AllTaskTypes reads the task types there are; see store.ProfileReader.
func (s *tenantStore) AllTaskTypes(ctx context.Context) ([]string, error) {
	q := s.query(named("all_task_types"), nil)
	types, err := read(ctx, s.backend, q, column[string]("taskType"))
	slices.Sort(types)
	return types, err
}

// EpisodeOutcomes reads a page of how episodes turned out; see store.ProfileReader.
func (s *tenantStore) EpisodeOutcomes(
	ctx context.Context, query store.OutcomesOf,
) ([]memory.EpisodeOutcome, bool, error) {
	form := shape{OldestFirst: true, After: query.Page.After != nil}
	form.filter(query.Filter)
	values := filterParameters(query.Filter)
	startAfter(values, form, query.Page.After)
	return wholePage(ctx, query.Page.Limit, func(ctx context.Context, limit int) ([]memory.EpisodeOutcome, error) {
		values["limit"] = limit + 1
		return read(ctx, s.backend, s.query(rendered("list_outcomes", form), values), decodeOutcome)
	})
}

func decodeOutcome(row *neo4j.Record) (memory.EpisodeOutcome, error) {
	f := fieldsOf(row.AsMap())
	outcome := memory.EpisodeOutcome{
		Key: f.key(memory.KindEpisode), StartedAt: f.instant("startedAt"), Outcome: word[memory.Outcome](f, "outcome"),
		Interventions: []memory.FeedbackSource{},
	}
	_, outcome.FeedbackSum, outcome.FeedbackCount = aggregates(f.node.Props["aggregates"])
	for _, source := range list[string](f, "interventions") {
		outcome.Interventions = append(outcome.Interventions, memory.FeedbackSource(source))
	}
	slices.Sort(outcome.Interventions)
	return outcome, f.err
}
