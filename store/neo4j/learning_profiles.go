package neo4j

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
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
func (s *tenantStore) Profiles(ctx context.Context, filter store.ProfileFilter) ([]*memory.LearningProfile, error) {
	profiles, err := s.profiles(ctx, filter, false)
	for _, p := range profiles {
		p.Window.Keys, p.Window.Success, p.Window.LatencyMs = nil, nil, nil
	}
	return profiles, err
}

// profiles reads profiles with all columns of their windows, or without those that a ranking does without.
func (s *tenantStore) profiles(
	ctx context.Context, filter store.ProfileFilter, allColumns bool,
) ([]*memory.LearningProfile, error) {
	if filter.Agents != nil && len(filter.Agents) == 0 || filter.TaskTypes != nil && len(filter.TaskTypes) == 0 {
		return []*memory.LearningProfile{}, nil
	}
	form := profileShape{
		Agents: filter.Agents != nil, TaskTypes: filter.TaskTypes != nil, AsOf: filter.AsOf != nil,
		Whole: allColumns || filter.AsOf != nil,
	}
	profiles, err := whole(ctx, func(ctx context.Context) ([]*memory.LearningProfile, error) {
		return read(ctx, s.backend, s.profileQuery(form, filter), profileDecoder(form, filter.AsOf))
	})
	profiles = slices.DeleteFunc(profiles, func(p *memory.LearningProfile) bool { return p.Total == 0 })
	slices.SortFunc(profiles, func(a, b *memory.LearningProfile) int {
		return cmp.Or(cmp.Compare(a.AgentKey, b.AgentKey), cmp.Compare(a.TaskType, b.TaskType))
	})
	return profiles, err
}

func (s *tenantStore) profileQuery(form profileShape, filter store.ProfileFilter) query {
	values := parameters{
		"agents": setOf(filter.Agents...).sorted(), "taskTypes": setOf(filter.TaskTypes...).sorted(),
		"windowSize": memory.WindowSize,
	}
	if form.AsOf {
		values["asOf"] = instant(*filter.AsOf)
	}
	return s.query(rendered("profiles", form), values)
}

// profileDecoder reads rows of the statement profiles.
func profileDecoder(form profileShape, asOf *time.Time) decoder[*memory.LearningProfile] {
	decode := (*fields).profile
	if form.Whole {
		decode = (*fields).wholeProfile
	}
	return func(row *neo4j.Record) (*memory.LearningProfile, error) {
		properties, err := column[map[string]any]("profile")(row)
		if err != nil {
			return nil, err
		}
		f := fieldsOf(properties)
		p := decode(f)
		if f.err != nil || asOf == nil {
			return p, f.err
		}
		p.AsOf = asOf
		return p, pastProfile(p, row)
	}
}

// pastProfile makes a profile what it was as of its instant; one that had no executions then has a Total
// of 0.
func pastProfile(p *memory.LearningProfile, row *neo4j.Record) error {
	beside, seal := fieldsOf(row.AsMap()), wholeSealOf(p)
	archive, err := nodeList(row, "archive", func(f *fields) *memory.Execution {
		return f.archived(p.AgentKey, p.TaskType)
	})
	if err != nil { // without one of them it is another profile
		var partial *partly
		if errors.As(err, &partial) {
			return partial.left[0].err
		}
		return err
	}
	for _, e := range p.Executions() {
		if e.At.After(*p.AsOf) {
			p.Remove(*e)
		}
	}
	sums, err := column[map[string]any]("later")(row)
	if err != nil {
		return err
	}
	later := fieldsOf(sums)
	p.Total -= later.integer("total")
	p.Successful -= later.integer("successful")
	p.QualityBillionths -= required[int64](later, "qualityBillionths")
	p.LatencyMicros -= required[int64](later, "latencyMicros")
	p.Timed -= later.integer("timed")
	for _, e := range archive[:min(len(archive), memory.WindowSize-len(p.Window.At))] {
		e.Archived = false
		p.Refill(*e)
	}
	if required[int64](beside, "seal") != seal || len(p.Window.At) != min(p.Total, memory.WindowSize) {
		beside.of(memory.KindLearningProfile, memory.ProfileKey(p.AgentKey, p.TaskType))
		beside.fail("archive", errTorn) // it is not that of this profile
		beside.torn()
	}
	return cmp.Or(beside.err, later.err)
}
