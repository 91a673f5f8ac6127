package neo4j

import (
	"cmp"
	"context"
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

func (s *tenantStore) profiles(
	ctx context.Context, filter store.ProfileFilter, whole bool,
) ([]*memory.LearningProfile, error) {
	if filter.Agents != nil && len(filter.Agents) == 0 || filter.TaskTypes != nil && len(filter.TaskTypes) == 0 {
		return []*memory.LearningProfile{}, nil
	}
	text, err := expand("profiles", profileShape{
		Agents: filter.Agents != nil, TaskTypes: filter.TaskTypes != nil, AsOf: filter.AsOf != nil,
		Whole: whole || filter.AsOf != nil,
	})
	if err != nil {
		return nil, err
	}
	values := parameters{
		"agents": setOf(filter.Agents...).sorted(), "taskTypes": setOf(filter.TaskTypes...).sorted(),
		"windowSize": memory.WindowSize,
	}
	decode := decodeProfile
	if whole {
		decode = decodeWholeProfile
	}
	if filter.AsOf != nil {
		values["asOf"] = instant(*filter.AsOf)
		decode = pastProfileDecoder(filter.AsOf)
	}
	profiles, err := read(ctx, s.backend, s.query("profiles", text, values), decode)
	profiles = slices.DeleteFunc(profiles, func(p *memory.LearningProfile) bool { return p.Total == 0 })
	slices.SortFunc(profiles, func(a, b *memory.LearningProfile) int {
		return cmp.Or(cmp.Compare(a.AgentKey, b.AgentKey), cmp.Compare(a.TaskType, b.TaskType))
	})
	return profiles, err
}

func decodeProfile(row *neo4j.Record) (*memory.LearningProfile, error) {
	f := fieldsOf(row.AsMap())
	return f.profile(), f.err
}

func decodeWholeProfile(row *neo4j.Record) (*memory.LearningProfile, error) {
	f := fieldsOf(row.AsMap())
	return f.wholeProfile(), f.err
}

// pastProfileDecoder reads profiles as of an instant; one that had no executions then has a Total of 0.
func pastProfileDecoder(asOf *time.Time) decoder[*memory.LearningProfile] {
	return func(row *neo4j.Record) (*memory.LearningProfile, error) {
		f := fieldsOf(row.AsMap())
		p := f.wholeProfile()
		archive, err := nodeList(row, "archive", func(f *fields) *memory.Execution {
			return f.archived(p.AgentKey, p.TaskType)
		})
		if err = cmp.Or(f.err, err); err != nil {
			return nil, err
		}
		p.AsOf = asOf
		for _, e := range p.Executions() {
			if e.At.After(*asOf) {
				p.Remove(*e)
			}
		}
		f.takeLater(p)
		for _, e := range archive[:min(len(archive), memory.WindowSize-len(p.Window.At))] {
			e.Archived = false
			p.Refill(*e)
		}
		return p, f.err
	}
}

// takeLater takes the archived executions that came later out of the counters.
func (f *fields) takeLater(p *memory.LearningProfile) {
	p.Total -= f.integer("laterTotal")
	p.Successful -= f.integer("laterSuccessful")
	p.QualityBillionths -= required[int64](f, "laterBillionths")
	p.LatencyMicros -= required[int64](f, "laterMicros")
	p.Timed -= f.integer("laterTimed")
}
