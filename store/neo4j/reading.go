package neo4j

import (
	"context"
	"reflect"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// reader reads known records of a type.
type reader func(ctx context.Context, s *tenantStore, keys []string) (any, error)

// readers are those of all types.
var readers = map[reflect.Type]reader{
	reflect.TypeFor[*memory.Agent]():       byKey(cypher.Named("agents"), agentOf),
	reflect.TypeFor[*memory.Session]():     byKey(cypher.Named("sessions"), sessionOf),
	reflect.TypeFor[*memory.Canvas]():      byKey(cypher.Named("canvases"), graph.CanvasOf),
	reflect.TypeFor[*memory.Feedback]():    byKey(cypher.Named("feedback"), feedbackOf),
	reflect.TypeFor[*memory.Memoir]():      byKey(cypher.Named("memoirs"), memoirOf),
	reflect.TypeFor[*memory.Concept]():     byKey(cypher.Named("concepts"), conceptOf),
	reflect.TypeFor[*memory.Observation](): byKey(cypher.Named("observations"), observationOf),
	reflect.TypeFor[*memory.Correction]():  byKey(cypher.Named("corrections"), correctionOf),
	reflect.TypeFor[*memory.Run]():         byKey(cypher.Named("runs"), runOf),
	reflect.TypeFor[*memory.Verdict]():     byKey(cypher.Named("verdicts"), verdictOf),
	reflect.TypeFor[*memory.Pattern]():     byKey(cypher.Named("patterns"), patternOf),

	reflect.TypeFor[*store.SectionTypeItem](): byKey(cypher.Named("section_types"), sectionTypeOf),
	reflect.TypeFor[*memory.Execution]():      reading((*tenantStore).Executions),
	reflect.TypeFor[*store.WholeEpisode]():    reading((*tenantStore).wholeEpisodes),
	reflect.TypeFor[*store.Tombstone]():       reading((*tenantStore).tombstonesOf),
	reflect.TypeFor[*memory.Section](): reading(func(s *tenantStore, ctx context.Context, keys []string) ([]*memory.Section, error) {
		sections, err := s.sectionsOf(ctx, "section", keys)
		return store.InOrder(keys, sections, store.KeyOf), err
	}),
}

// reading makes a reader of a method.
func reading[T any](read func(s *tenantStore, ctx context.Context, keys []string) ([]*T, error)) reader {
	return func(ctx context.Context, s *tenantStore, keys []string) (any, error) { return read(s, ctx, keys) }
}

// byKey makes a reader of a query for records by their keys.
func byKey[T any](asked cypher.Statement, of bolt.Decoder[*T]) reader {
	return reading(func(s *tenantStore, ctx context.Context, keys []string) ([]*T, error) {
		if len(keys) == 0 {
			return []*T{}, nil
		}
		q := s.Query(asked, cypher.Parameters{"keys": linking.SetOf(keys...).Sorted()})
		found, err := bolt.Read(ctx, s.Connection, q, bolt.Node(of))
		return store.InOrder(keys, found, store.KeyOf), err
	})
}

// grouped reads rows by the key in a column.
func grouped[T any](ctx context.Context, s *tenantStore, column string, q bolt.Query, decode bolt.Decoder[T]) (map[string][]T, error) {
	type keyed struct {
		key   string
		value T
	}
	rows, err := bolt.Read(ctx, s.Connection, q, func(row *bolt.Fields) keyed { return keyed{row.Text(column), decode(row)} })
	groups := map[string][]T{}
	for _, row := range rows {
		groups[row.key] = append(groups[row.key], row.value)
	}
	return groups, err
}

// Get reads known records; see store.Records.
func (s *tenantStore) Get(ctx context.Context, of any, keys []string) (any, error) {
	if read, known := readers[reflect.TypeOf(of)]; known {
		return read(ctx, s, keys)
	}
	return nil, store.NotKept(of)
}

// List reads a page of what a query lists; see store.Records.
func (s *tenantStore) List(ctx context.Context, query any, page store.Page) (any, bool, error) {
	switch q := query.(type) {
	case store.EventsOf:
		return s.listEvents(ctx, q.Episode, page)
	case store.ExecutionsOf:
		return s.ListExecutions(ctx, &q, page)
	case store.SpansOf:
		return s.listSpans(ctx, &q, page.Limit)
	}
	if l := s.listing(query); l != nil {
		return l.read(ctx, page)
	}
	found, err := s.whole(ctx, query, page.Limit)
	return found, false, err
}

// whole reads all that a query lists which is listed whole.
func (s *tenantStore) whole(ctx context.Context, query any, limit int) (any, error) {
	switch q := query.(type) {
	case store.TaskTypesOf:
		return s.taskTypes(ctx, q.Agents)
	case store.TrajectoriesOf:
		return s.Trajectories(ctx, &q)
	case store.CandidateQuery:
		return s.candidates(ctx, &q, limit)
	case store.SectionsOf:
		return s.sectionsOf(ctx, "run", q.Runs)
	case store.ThresholdsOf:
		return s.thresholdsOf(ctx, q.Judges)
	case store.ProfilesOf:
		return s.Profiles(ctx, &q)
	case store.AgentRecordsOf:
		return s.AgentRecords(ctx, &q)
	case store.CountsOf:
		return s.EpisodeCounts(ctx, &q)
	}
	return nil, store.NotKept(query)
}

// Count counts what a query lists; see store.Records.
func (s *tenantStore) Count(ctx context.Context, query any) (int, error) {
	switch q := query.(type) {
	case store.EventsOf:
		return s.Number(ctx, s.Query(cypher.Named("count_events"), cypher.Parameters{"key": q.Episode}))
	case store.SpansOf:
		return s.Number(ctx, s.Query(cypher.Named("count_spans"), cypher.Parameters{"trace": q.Trace}))
	}
	if l := s.listing(query); l != nil {
		return s.Number(ctx, l.ask(store.Page{}, true))
	}
	return 0, store.NotKept(query)
}

var agentOf = bolt.Reading(fields.Agent)

// taskTypes reads the task types of agents; see store.TaskTypesOf.
func (s *tenantStore) taskTypes(ctx context.Context, agents []string) (all []*store.AgentTaskTypes, err error) {
	if len(agents) == 0 {
		return nil, nil
	}
	q := s.Query(cypher.Named("task_types"), cypher.Parameters{"agents": linking.SetOf(agents...).Sorted()})
	return bolt.Read(ctx, s.Connection, q, func(f *bolt.Fields) *store.AgentTaskTypes {
		types := bolt.List[string](f, "taskTypes")
		slices.Sort(types)
		return &store.AgentTaskTypes{Agent: f.Text("agent"), Types: types}
	})
}

func sessionOf(f *bolt.Fields) *memory.Session { return &memory.Session{Key: f.Text("key")} }
