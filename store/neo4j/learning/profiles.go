package learning

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// profileShape is a query for profiles.
type profileShape struct {
	Agents, TaskTypes bool
	AsOf              bool
	Whole             bool // with all columns of the windows
}

// Index names the properties of the index that finds them.
func (s profileShape) Index() string {
	if s.TaskTypes {
		return "tenant, taskType, agent"
	}
	return "tenant, agent, taskType"
}

// Profiles reads profiles in one round trip; see store.ProfileReader.
func (s *Learner) Profiles(ctx context.Context, filter store.ProfileFilter) ([]*memory.LearningProfile, error) {
	profiles, err := s.profiles(ctx, filter, false)
	for _, p := range profiles {
		p.Window.Keys, p.Window.Success, p.Window.LatencyMs = nil, nil, nil
	}
	return profiles, err
}

// profiles reads profiles with all columns of their windows, or without those that a ranking does without.
func (s *Learner) profiles(
	ctx context.Context, filter store.ProfileFilter, allColumns bool,
) ([]*memory.LearningProfile, error) {
	if filter.Agents != nil && len(filter.Agents) == 0 || filter.TaskTypes != nil && len(filter.TaskTypes) == 0 {
		return []*memory.LearningProfile{}, nil
	}
	form := profileShape{
		Agents: filter.Agents != nil, TaskTypes: filter.TaskTypes != nil, AsOf: filter.AsOf != nil,
		Whole: allColumns || filter.AsOf != nil,
	}
	profiles, err := bolt.Read(ctx, s.Connection, s.profileQuery(form, filter), profileDecoder(form, filter.AsOf))
	profiles = slices.DeleteFunc(profiles, func(p *memory.LearningProfile) bool { return p.Total == 0 })
	slices.SortFunc(profiles, func(a, b *memory.LearningProfile) int {
		return cmp.Or(cmp.Compare(a.AgentKey, b.AgentKey), cmp.Compare(a.TaskType, b.TaskType))
	})
	return profiles, err
}

func (s *Learner) profileQuery(form profileShape, filter store.ProfileFilter) bolt.Query {
	values := cypher.Parameters{
		"agents": graph.SetOf(filter.Agents...).Sorted(), "taskTypes": graph.SetOf(filter.TaskTypes...).Sorted(),
		"windowSize": memory.WindowSize,
	}
	if form.AsOf {
		values["asOf"] = bolt.Instant(*filter.AsOf)
	}
	return s.Query(cypher.Rendered("profiles", form), values)
}

// profileDecoder reads rows of the statement profiles.
func profileDecoder(form profileShape, asOf *time.Time) bolt.Decoder[*memory.LearningProfile] {
	decode := profileOf
	if form.Whole {
		decode = WholeProfileOf
	}
	return func(row *neo4j.Record) (*memory.LearningProfile, error) {
		properties, err := bolt.Column[map[string]any]("profile")(row)
		if err != nil {
			return nil, err
		}
		f := bolt.FieldsOf(properties)
		p := decode(f)
		if f.Err != nil || asOf == nil {
			return p, f.Err
		}
		p.AsOf = asOf
		return p, pastProfile(p, row)
	}
}

// pastProfile makes a profile what it was as of its instant; one that had no executions then has a Total
// of 0.
func pastProfile(p *memory.LearningProfile, row *neo4j.Record) error {
	beside, seal := bolt.FieldsOf(row.AsMap()), wholeSealOf(p)
	archive, err := bolt.NodeList(row, "archive", func(f *bolt.Fields) *memory.Execution {
		return ArchivedOf(f, p.AgentKey, p.TaskType)
	})
	if err != nil { // without one of them it is another profile
		var partial *bolt.Partial
		if errors.As(err, &partial) {
			return partial.Left[0].Err
		}
		return err
	}
	for _, e := range p.Executions() {
		if e.At.After(*p.AsOf) {
			p.Remove(*e)
		}
	}
	sums, err := bolt.Column[map[string]any]("later")(row)
	if err != nil {
		return err
	}
	later := bolt.FieldsOf(sums)
	p.Total -= later.Integer("total")
	p.Successful -= later.Integer("successful")
	p.QualityBillionths -= bolt.Required[int64](later, "qualityBillionths")
	p.LatencyMicros -= bolt.Required[int64](later, "latencyMicros")
	p.Timed -= later.Integer("timed")
	for _, e := range archive[:min(len(archive), memory.WindowSize-len(p.Window.At))] {
		e.Archived = false
		p.Refill(*e)
	}
	if bolt.Required[int64](beside, "seal") != seal || len(p.Window.At) != min(p.Total, memory.WindowSize) {
		beside.Of(memory.KindLearningProfile, memory.ProfileKey(p.AgentKey, p.TaskType))
		beside.Check("archive", errTorn) // it is not that of this profile
		beside.Torn()
	}
	return cmp.Or(beside.Err, later.Err)
}
