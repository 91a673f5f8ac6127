package learning

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/profiles"
)

// Learner reads what agents learn by. It is safe for concurrent use.
type Learner struct{ *bolt.Tenant }

// Executions reads known executions.
func (s *Learner) Executions(ctx context.Context, keys []string) ([]*memory.Execution, error) {
	if len(keys) == 0 {
		return []*memory.Execution{}, nil
	}
	values := cypher.Parameters{"keys": linking.SetOf(keys...).Sorted(), "until": bolt.Instant(graph.Latest), "windowSize": memory.WindowSize}
	found, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("executions"), values), func(row *neo4j.Record) ([]*memory.Execution, error) {
		oldest, fault := oldestIn(row)
		executions, err := bolt.NodeList(row, "executions", ExecutionOf)
		for _, e := range executions {
			profiles.Place(e, oldest)
		}
		return executions, cmp.Or(fault, err)
	})
	if err != nil {
		return nil, err
	}
	return store.InOrder(keys, slices.Concat(found...), store.KeyOf), nil
}

// oldestIn reads the position of the oldest in a window.
func oldestIn(row *neo4j.Record) (oldest *store.Position, err error) {
	f := bolt.FieldsOf(row.AsMap())
	for _, properties := range bolt.List[map[string]any](f, "oldest") {
		x := bolt.FieldsOf(properties)
		oldest, f.Err = &store.Position{At: x.Instant("at"), Key: x.Text("key")}, cmp.Or(f.Err, x.Err)
	}
	return oldest, f.Err
}

// ListExecutions reads a page.
func (s *Learner) ListExecutions(ctx context.Context, query *store.ExecutionsOf, page store.Page) ([]*memory.Execution, bool, error) {
	return profiles.List(query, page, func(l profiles.Listing) ([]profiles.Listed, error) {
		until := graph.Latest
		if l.AsOf != nil {
			until = *l.AsOf
		}
		values := cypher.Parameters{
			"profile": memory.ProfileKey(l.Agent, l.TaskType), "until": bolt.Instant(until), "windowSize": memory.WindowSize,
			"from": bolt.Instant(until), "afterAt": nil, "afterKey": "", "skip": l.Skip,
		}
		if l.After != nil && !l.After.At.After(until) {
			values["from"], values["afterAt"], values["afterKey"] = bolt.Instant(l.After.At), bolt.Instant(l.After.At), l.After.Key
		}
		page, _, err := bolt.ReadPage(ctx, s.Connection, store.Page{Limit: l.Limit}, func(p store.Page) bolt.Query {
			values["limit"] = p.Limit + 1
			return s.Query(cypher.Named("list_executions"), values)
		}, decodeListed, nil)
		return page, err
	})
}

var decodeExecution = bolt.NodeIn("x", ExecutionOf)

func decodeListed(row *neo4j.Record) (listed profiles.Listed, err error) {
	if listed.Oldest, err = oldestIn(row); err == nil {
		listed.Execution, err = decodeExecution(row)
	}
	return listed, err
}

// profileShape is a query for profiles.
type profileShape struct{ Agents, TaskTypes, AsOf bool }

// Index names the properties of the index that finds them.
func (s profileShape) Index() string {
	if s.TaskTypes {
		return "tenant, taskType, agent"
	}
	return "tenant, agent, taskType"
}

// Profiles reads profiles in one round trip.
func (s *Learner) Profiles(ctx context.Context, filter *store.ProfilesOf) ([]*memory.LearningProfile, error) {
	if filter.Agents != nil && len(filter.Agents) == 0 || filter.TaskTypes != nil && len(filter.TaskTypes) == 0 {
		return []*memory.LearningProfile{}, nil
	}
	values := cypher.Parameters{
		"agents": linking.SetOf(filter.Agents...).Sorted(), "taskTypes": linking.SetOf(filter.TaskTypes...).Sorted(), "windowSize": memory.WindowSize,
	}
	if filter.AsOf != nil {
		values["until"] = bolt.Instant(*filter.AsOf)
	}
	asked := cypher.Rendered("profiles", profileShape{filter.Agents != nil, filter.TaskTypes != nil, filter.AsOf != nil})
	found, err := bolt.Read(ctx, s.Connection, s.Query(asked, values), func(row *neo4j.Record) (*memory.LearningProfile, error) {
		properties, err := bolt.Column[map[string]any]("profile")(row)
		if err != nil {
			return nil, err
		}
		f := bolt.FieldsOf(properties)
		p := ProfileOf(f)
		if f.Err == nil && filter.AsOf != nil {
			rewind(f, p, *filter.AsOf, row)
		}
		return p, f.Err
	})
	return profiles.Sort(found), err
}

// rewind makes a profile what it was at an instant, unless the executions beside it are not those that it counts.
func rewind(f *bolt.Fields, p *memory.LearningProfile, asOf time.Time, row *neo4j.Record) {
	if !p.LastUpdated().After(asOf) {
		p.AsOf = &asOf
		return
	}
	beside, was := bolt.FieldsOf(row.AsMap()), sealOf(p)
	properties, err := bolt.Column[map[string]any]("later")(row)
	sums := bolt.FieldsOf(properties)
	later := &memory.LearningProfile{
		Total: sums.Integer("total"), Successful: sums.Integer("successful"), QualityBillionths: bolt.Required[int64](sums, "qualityBillionths"),
		LatencyMicros: bolt.Required[int64](sums, "latencyMicros"), Timed: sums.Integer("timed"),
	}
	p.Rewind(asOf, later, memory.WindowOf(windowOf(beside)))
	f.Check("later", cmp.Or(err, beside.Err, sums.Err, p.Check()))
	if bolt.Required[int64](beside, "seal") != was && f.Err == nil {
		f.Check("seal", errTorn)
	}
	f.Torn()
}

// windowOf reads what the part window gives.
func windowOf(f *bolt.Fields) (latest []*memory.Execution) {
	qualities := bolt.List[float64](f, "quality")
	for i, at := range bolt.List[int64](f, "at") {
		latest = append(latest, &memory.Execution{At: time.UnixMilli(at), Quality: qualities[i]})
	}
	return latest
}

// AgentRecords sums up what agents have done. As of an instant it reads the profiles and the agents at work then.
func (s *Learner) AgentRecords(ctx context.Context, query *store.AgentRecordsOf) ([]*memory.AgentRecord, error) {
	if query.Agents != nil && len(query.Agents) == 0 {
		return []*memory.AgentRecord{}, nil
	}
	values := cypher.Parameters{"agents": linking.SetOf(query.Agents...).Sorted()}
	if query.AsOf != nil {
		values["asOf"] = bolt.Instant(*query.AsOf)
	}
	asked := s.Query(cypher.Rendered("agent_records", recordShape{Agents: query.Agents != nil, AsOf: query.AsOf != nil}), values)
	found, err := bolt.Read(ctx, s.Connection, asked, decodeRecord)
	var agents []string
	var counted []*memory.LearningProfile
	for _, record := range found {
		agents, counted = append(agents, record.agent), append(counted, record.tasks...)
	}
	if err == nil && query.AsOf != nil {
		counted, err = s.Profiles(ctx, &store.ProfilesOf{Agents: query.Agents, AsOf: query.AsOf})
	}
	return profiles.Records(agents, counted), err
}

// recordShape is a query for the records of agents.
type recordShape struct{ Agents, AsOf bool }

// agentRecord is an agent with the counters of its profiles.
type agentRecord struct {
	agent string
	tasks []*memory.LearningProfile
}

func decodeRecord(row *neo4j.Record) (agentRecord, error) {
	f := bolt.FieldsOf(row.AsMap())
	record := agentRecord{agent: f.Text("agent")}
	var left []*bolt.LeftOut
	for _, properties := range bolt.List[map[string]any](f, "tasks") {
		task := bolt.FieldsOf(properties)
		counters := countersOf(task, record.agent)
		if fault := bolt.FaultIn(task.Err); fault != nil {
			left = append(left, fault)
			continue
		}
		record.tasks = append(record.tasks, counters)
	}
	return record, cmp.Or(f.Err, bolt.LeftOutError(left))
}

// EpisodeCounts adds episodes up by when they began and how they ended.
func (s *Learner) EpisodeCounts(ctx context.Context, query *store.CountsOf) ([]*memory.EpisodeCount, error) {
	form := graph.EpisodeShape{}
	form.Filter(query.Filter)
	values := graph.FilterParameters(query.Filter)
	values["bucket"] = query.Bucket.Milliseconds()
	return bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("count_outcomes", form), values), bolt.Decoded(func(f *bolt.Fields) *memory.EpisodeCount {
		return &memory.EpisodeCount{
			At: time.UnixMilli(int64(f.Integer("at"))).UTC(), Outcome: bolt.Word[memory.Outcome](f, "outcome"), Episodes: f.Integer("episodes"),
			Cost: f.Sum("cost"), FeedbackSum: f.Sum("feedbackSum"), FeedbackCount: f.Integer("feedbackCount"),
		}
	}))
}

// OutcomeQuery asks for a page of how episodes turned out.
func (s *Learner) OutcomeQuery(query store.OutcomesOf, page store.Page, _ bool) bolt.Query {
	form := graph.EpisodeShape{OldestFirst: true, After: page.After != nil}
	form.Filter(query.Filter)
	values := graph.FilterParameters(query.Filter)
	values["limit"] = page.Limit + 1
	graph.StartAfter(values, form, page.After)
	return s.Query(cypher.Rendered("list_outcomes", form), values)
}

// DecodeOutcome reads how an episode turned out.
var DecodeOutcome = bolt.Decoded(func(f *bolt.Fields) *memory.EpisodeOutcome {
	outcome := &memory.EpisodeOutcome{
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
