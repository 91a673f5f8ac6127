package learning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

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
	found, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("executions"), values), func(row *bolt.Fields) []*memory.Execution {
		oldest, executions := oldestIn(row), bolt.All(row, "executions", ExecutionOf)
		for _, e := range executions {
			profiles.Place(e, oldest)
		}
		return executions
	})
	if err != nil {
		return nil, err
	}
	return store.InOrder(keys, slices.Concat(found...), store.KeyOf), nil
}

// oldestIn reads the position of the oldest in a window.
func oldestIn(row *bolt.Fields) (oldest *store.Position) {
	for _, last := range bolt.All(row, "oldest", func(x *bolt.Fields) store.Position { return store.Position{At: x.Instant("at"), Key: x.Text("key")} }) {
		oldest = &last
	}
	return oldest
}

// ListExecutions reads a page.
func (s *Learner) ListExecutions(ctx context.Context, query *store.ExecutionsOf, page store.Page) ([]*memory.Execution, bool, error) {
	return profiles.List(query, page, func(l profiles.Listing) ([]profiles.Listed, error) {
		until := memory.ValueOr(l.AsOf, graph.Latest)
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
		}, func(row *bolt.Fields) profiles.Listed {
			return profiles.Listed{Oldest: oldestIn(row), Execution: bolt.In(row, "x", ExecutionOf)}
		}, nil)
		return page, err
	})
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
	found, err := bolt.Read(ctx, s.Connection, s.Query(asked, values), func(row *bolt.Fields) *memory.LearningProfile {
		return bolt.In(row, "profile", func(f *bolt.Fields) *memory.LearningProfile {
			p := ProfileOf(f)
			if f.Err == nil && filter.AsOf != nil {
				rewind(f, p, *filter.AsOf, row)
			}
			return p
		})
	})
	return profiles.Sort(found), err
}

// rewind makes a profile what it was at an instant, unless the executions beside it are not those that it counts.
func rewind(f *bolt.Fields, p *memory.LearningProfile, asOf time.Time, row *bolt.Fields) {
	if !p.LastUpdated().After(asOf) {
		p.AsOf = &asOf
		return
	}
	was := sealOf(p)
	later := bolt.In(row, "later", func(sums *bolt.Fields) *memory.LearningProfile {
		return &memory.LearningProfile{
			Total: sums.Integer("total"), Successful: sums.Integer("successful"), QualityBillionths: bolt.Required[int64](sums, "qualityBillionths"),
			LatencyMicros: bolt.Required[int64](sums, "latencyMicros"), Timed: sums.Integer("timed"),
		}
	})
	p.Rewind(asOf, later, memory.WindowOf(windowOf(row)))
	now := bolt.Required[int64](row, "seal")
	f.Check("later", cmp.Or(row.Err, p.Check()))
	if row.Err = nil; now != was {
		f.Check("seal", fmt.Errorf("%w: %d was %d", errTorn, now, was))
	}
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

func decodeRecord(row *bolt.Fields) agentRecord {
	agent := row.Text("agent")
	return agentRecord{agent, bolt.All(row, "tasks", func(f *bolt.Fields) *memory.LearningProfile { return countersOf(f, agent) })}
}

// EpisodeCounts adds episodes up by when they began and how they ended.
func (s *Learner) EpisodeCounts(ctx context.Context, query *store.CountsOf) ([]*memory.EpisodeCount, error) {
	form := graph.EpisodeShape{}
	form.Filter(query.Filter)
	values := graph.FilterParameters(query.Filter, nil)
	values["bucket"] = query.Bucket.Milliseconds()
	return bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("count_outcomes", form), values), func(f *bolt.Fields) *memory.EpisodeCount {
		return &memory.EpisodeCount{
			At: time.UnixMilli(int64(f.Integer("at"))).UTC(), Outcome: bolt.Word[memory.Outcome](f, "outcome"), Episodes: f.Integer("episodes"),
			Cost: f.Sum("cost"), FeedbackSum: f.Sum("feedbackSum"), FeedbackCount: f.Integer("feedbackCount"),
		}
	})
}

// OutcomeQuery asks for a page of how episodes turned out.
func (s *Learner) OutcomeQuery(query store.OutcomesOf, page store.Page, _ bool) bolt.Query {
	form := graph.EpisodeShape{OldestFirst: true, After: page.After != nil}
	form.Filter(query.Filter)
	values := graph.FilterParameters(query.Filter, nil)
	values["limit"] = page.Limit + 1
	graph.StartAfter(values, form, page.After)
	return s.Query(cypher.Rendered("list_outcomes", form), values)
}

// DecodeOutcome reads how an episode turned out.
func DecodeOutcome(f *bolt.Fields) *memory.EpisodeOutcome {
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
}
