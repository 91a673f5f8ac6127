package neo4j

import (
	"context"
	"reflect"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/learning"
)

// reader reads known records of a type.
type reader func(ctx context.Context, s *tenantStore, keys []string) (any, error)

// readers are those of all types.
var readers = map[reflect.Type]reader{
	reflect.TypeFor[*memory.Agent]():       byKey(cypher.Named("agents"), agentOf),
	reflect.TypeFor[*memory.Session]():     byKey(cypher.Named("sessions"), sessionOf),
	reflect.TypeFor[*memory.Canvas]():      byKey(cypher.Named("canvases"), decodeCanvas),
	reflect.TypeFor[*memory.Feedback]():    byKey(cypher.Named("feedback"), decodeFeedback),
	reflect.TypeFor[*memory.Memoir]():      byKey(cypher.Named("memoirs"), decodeMemoir),
	reflect.TypeFor[*memory.Concept]():     byKey(cypher.Named("concepts"), decodeConcept),
	reflect.TypeFor[*memory.Observation](): byKey(cypher.Named("observations"), decodeObservation),
	reflect.TypeFor[*memory.Correction]():  byKey(cypher.Named("corrections"), decodeCorrection),
	reflect.TypeFor[*memory.Run]():         byKey(cypher.Named("runs"), decodeRun),
	reflect.TypeFor[*memory.Verdict]():     byKey(cypher.Named("verdicts"), decodeVerdict),
	reflect.TypeFor[*memory.Pattern]():     byKey(cypher.Named("patterns"), decodePattern),

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
func byKey[T any](asked cypher.Statement, decode bolt.Decoder[*T]) reader {
	return reading(func(s *tenantStore, ctx context.Context, keys []string) ([]*T, error) {
		if len(keys) == 0 {
			return []*T{}, nil
		}
		q := s.Query(asked, cypher.Parameters{"keys": linking.SetOf(keys...).Sorted()})
		found, err := bolt.Read(ctx, s.Connection, q, decode)
		return store.InOrder(keys, found, store.KeyOf), err
	})
}

// Get reads known records; see store.Records.
func (s *tenantStore) Get(ctx context.Context, of any, keys []string) (any, error) {
	if read, known := readers[reflect.TypeOf(of)]; known {
		return read(ctx, s, keys)
	}
	return nil, store.NotKept(of)
}

// listing is a list of records.
type listing struct {
	read  func(ctx context.Context, page store.Page) (any, bool, error)
	count func() bolt.Query
}

// uncounted is a listing that is not counted.
func uncounted(l *listing) *listing {
	l.count = nil
	return l
}

// listed is the listing of a query. Place is nil where an index tells all records apart; see bolt.ReadPage.
func listed[Q, T any](
	s *tenantStore, query Q, ask func(s *tenantStore, query Q, page store.Page, count bool) bolt.Query, decode bolt.Decoder[*T],
	place func(*T) store.Position,
) *listing {
	return &listing{func(ctx context.Context, page store.Page) (any, bool, error) {
		return bolt.ReadPage(ctx, s.Connection, page, func(p store.Page) bolt.Query { return ask(s, query, p, false) }, decode, place)
	}, func() bolt.Query { return ask(s, query, store.Page{}, true) }}
}

// listing is that of a query; nil where it is not known.
func (s *tenantStore) listing(query any) *listing {
	switch q := query.(type) {
	case store.EpisodeQuery:
		return listed(s, q, (*tenantStore).episodeQuery, episodeDecoder(q.Parts, nil), q.Place)
	case store.OutcomesOf:
		return uncounted(listed(s, q, (*tenantStore).OutcomeQuery, learning.DecodeOutcome, nil))
	case store.CanvasesOf:
		return listed(s, q, (*tenantStore).canvasQuery, decodeCanvas, q.Place)
	case store.FeedbackOf:
		return listed(s, q, (*tenantStore).feedbackQuery, decodeFeedback, q.Place)
	case store.AllAgents:
		return listed(s, q, (*tenantStore).agentQuery, agentOf, nil)
	case store.MemoirsOf:
		return listed(s, q, (*tenantStore).memoirQuery, decodeMemoir, nil)
	case store.ConceptsOf:
		return listed(s, q, (*tenantStore).conceptQuery, decodeConcept, nil)
	case store.ObservationQuery:
		return listed(s, q, (*tenantStore).observationQuery, decodeObservation, q.Place)
	case store.CorrectionsOf:
		return listed(s, q, (*tenantStore).correctionQuery, decodeCorrection, q.Place)
	case store.AllRuns:
		return listed(s, q, (*tenantStore).runQuery, decodeRun, q.Place)
	case store.VerdictQuery:
		return listed(s, q, (*tenantStore).verdictQuery, decodeVerdict, q.Place)
	case store.JudgementQuery:
		return uncounted(listed(s, q, (*tenantStore).judgementQuery, bolt.NodeIn("judgement", judgementOf), nil))
	case store.PatternQuery:
		return listed(s, q, (*tenantStore).patternQuery, decodePattern, nil)
	case store.DueTraces:
		return uncounted(listed(s, q, (*tenantStore).dueTraces, dueTraceOf, nil))
	}
	return nil
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
	if l := s.listing(query); l != nil && l.count != nil {
		return s.Number(ctx, l.count())
	}
	return 0, store.NotKept(query)
}
