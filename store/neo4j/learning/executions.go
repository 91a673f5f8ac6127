package learning

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// Executions reads known executions; see store.ExecutionStore.
func (s *Learner) Executions(ctx context.Context, keys []string) ([]*memory.Execution, error) {
	if len(keys) == 0 {
		return []*memory.Execution{}, nil
	}
	q := s.Query(cypher.Named("executions"), cypher.Parameters{"keys": graph.SetOf(keys...).Sorted()})
	found, err := bolt.Read(ctx, s.Connection, q, decodeExecutions)
	if err != nil {
		return nil, err
	}
	return store.InOrder(keys, slices.Concat(found...), func(e *memory.Execution) string { return e.Key }), nil
}

// decodeExecutions reads a profile and those of its executions that are asked for.
func decodeExecutions(row *neo4j.Record) ([]*memory.Execution, error) {
	if profile, known := row.Get("p"); known && profile == nil {
		return bolt.NodeList(row, "executions", func(f *bolt.Fields) *memory.Execution {
			f.Key(memory.KindExecution)
			f.Check("profile", errors.New("is gone"))
			f.Torn() // which it may be because it is being deleted
			return nil
		})
	}
	node, err := bolt.Column[neo4j.Node]("p")(row)
	if err != nil {
		return nil, err
	}
	f := &bolt.Fields{Node: node}
	f.Key(memory.KindLearningProfile)
	p := WholeProfileOf(f)
	var left []*bolt.LeftOut
	window := map[string]*memory.Execution{}
	switch fault := bolt.FaultIn(f.Err); {
	case fault != nil: // the archive is readable without the window
		left = append(left, fault)
	case f.Err != nil:
		return nil, f.Err
	default:
		for _, e := range p.Executions() {
			window[e.Key] = e
		}
	}
	agent, taskType, _ := memory.SplitProfileKey(f.Text("key"))
	executions, err := bolt.NodeList(row, "executions", func(f *bolt.Fields) *memory.Execution {
		if e := window[f.Key(memory.KindExecution)]; e != nil {
			return e
		}
		return ArchivedOf(f, agent, taskType)
	})
	if err := bolt.CollectLeftOut(err, &left); err != nil {
		return nil, err
	}
	return executions, bolt.LeftOutError(left)
}

// ListExecutions reads a page; see store.ExecutionStore. As of an instant the archive begins where the
// window of then ends.
func (s *Learner) ListExecutions(
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
	window, more := bolt.Page(window, query.Page.Limit)
	return window, more, nil
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
func (s *Learner) listArchived(
	ctx context.Context, query store.ExecutionsOf, after *store.Position,
) ([]*memory.Execution, bool, error) {
	return bolt.ReadPage(ctx, s.Connection, query.Page, func(p store.Page) bolt.Query {
		return s.Query(cypher.Named("list_archived"), archiveParameters(memory.ProfileKey(query.Agent, query.TaskType), after, p.Limit+1))
	}, archivedDecoder(query.Agent, query.TaskType), nil)
}

// archiveParameters ask for the latest archived executions of a profile before a position; nil is the end
// of time.
func archiveParameters(profile string, after *store.Position, limit int) cypher.Parameters {
	values := cypher.Parameters{"profile": profile, "until": bolt.Instant(graph.Latest), "afterAt": nil, "afterKey": "", "limit": limit}
	if after != nil {
		values["until"], values["afterAt"], values["afterKey"] = bolt.Instant(after.At), bolt.Instant(after.At), after.Key
	}
	return values
}

// AgentRecords sums up what agents have done; see store.ProfileReader. As of an instant it reads the
// profiles of then, and which agents were at work.
func (s *Learner) AgentRecords(ctx context.Context, query store.AgentRecordsOf) ([]memory.AgentRecord, error) {
	if query.Agents != nil && len(query.Agents) == 0 {
		return []memory.AgentRecord{}, nil
	}
	values := cypher.Parameters{"agents": graph.SetOf(query.Agents...).Sorted()}
	if query.AsOf != nil {
		values["asOf"] = bolt.Instant(*query.AsOf)
	}
	asked := s.Query(cypher.Rendered("agent_records", recordShape{Agents: query.Agents != nil, AsOf: query.AsOf != nil}), values)
	records, err := bolt.Read(ctx, s.Connection, asked, decodeRecord)
	if err == nil && query.AsOf != nil {
		records, err = s.pastRecords(ctx, records, query)
	}
	slices.SortFunc(records, func(a, b memory.AgentRecord) int { return strings.Compare(a.AgentKey, b.AgentKey) })
	return records, err
}

// recordShape is a query for the records of agents.
type recordShape struct{ Agents, AsOf bool }

// pastRecords adds what agents had done to those that had an episode.
func (s *Learner) pastRecords(
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
	for _, agent := range graph.SortedKeys(records) {
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
	f := bolt.FieldsOf(row.AsMap())
	record := memory.AgentRecord{AgentKey: f.Text("agent"), Tasks: []memory.TaskRecord{}}
	var left []*bolt.LeftOut
	for _, properties := range bolt.List[map[string]any](f, "tasks") {
		task := bolt.FieldsOf(properties)
		counters := countersOf(task, record.AgentKey)
		if fault := bolt.FaultIn(task.Err); fault != nil {
			left = append(left, fault)
			continue
		}
		record.Tasks = append(record.Tasks, taskRecord(counters))
	}
	slices.SortFunc(record.Tasks, func(a, b memory.TaskRecord) int { return strings.Compare(a.TaskType, b.TaskType) })
	return record, cmp.Or(f.Err, bolt.LeftOutError(left))
}

// AllTaskTypes reads the task types there are; see store.ProfileReader.
func (s *Learner) AllTaskTypes(ctx context.Context) ([]string, error) {
	q := s.Query(cypher.Named("all_task_types"), nil)
	types, err := bolt.Read(ctx, s.Connection, q, bolt.Column[string]("taskType"))
	slices.Sort(types)
	return types, err
}

// EpisodeCounts adds episodes up by when they began and how they ended; see store.ProfileReader.
func (s *Learner) EpisodeCounts(ctx context.Context, filter store.EpisodeFilter, bucket time.Duration) ([]memory.EpisodeCount, error) {
	form := graph.EpisodeShape{}
	form.Filter(filter)
	values := graph.FilterParameters(filter)
	values["bucket"] = bucket.Milliseconds()
	return bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("count_outcomes", form), values), bolt.Decoded(func(f *bolt.Fields) memory.EpisodeCount {
		return memory.EpisodeCount{
			At: time.UnixMilli(int64(f.Integer("at"))).UTC(), Outcome: bolt.Word[memory.Outcome](f, "outcome"), Episodes: f.Integer("episodes"),
			FeedbackSum: f.Sum("feedbackSum"), FeedbackCount: f.Integer("feedbackCount"),
		}
	}))
}

// EpisodeOutcomes reads a page of how episodes turned out; see store.ProfileReader.
func (s *Learner) EpisodeOutcomes(
	ctx context.Context, query store.OutcomesOf,
) ([]memory.EpisodeOutcome, bool, error) {
	form := graph.EpisodeShape{OldestFirst: true, After: query.Page.After != nil}
	form.Filter(query.Filter)
	values := graph.FilterParameters(query.Filter)
	graph.StartAfter(values, form, query.Page.After)
	return bolt.ReadPage(ctx, s.Connection, query.Page, func(p store.Page) bolt.Query {
		values["limit"] = p.Limit + 1
		return s.Query(cypher.Rendered("list_outcomes", form), values)
	}, decodeOutcome, nil)
}

var decodeOutcome = bolt.Decoded(func(f *bolt.Fields) memory.EpisodeOutcome {
	outcome := memory.EpisodeOutcome{
		Key: f.Key(memory.KindEpisode), StartedAt: f.Instant("startedAt"), Outcome: bolt.Word[memory.Outcome](f, "outcome"),
		Interventions: []memory.FeedbackSource{},
	}
	_, outcome.FeedbackSum, outcome.FeedbackCount = graph.Aggregates(f.Node.Props["aggregates"])
	for _, source := range bolt.List[string](f, "interventions") {
		outcome.Interventions = append(outcome.Interventions, memory.FeedbackSource(source))
	}
	slices.Sort(outcome.Interventions)
	return outcome
})
