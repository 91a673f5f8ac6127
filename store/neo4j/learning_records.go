package neo4j

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

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
