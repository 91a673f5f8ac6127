package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/learning"
)

// Get reads known records; see store.Records.
func (s *tenantStore) Get(ctx context.Context, of any, keys []string) (any, error) {
	switch of.(type) {
	case *memory.Agent:
		return readByKey(ctx, s, cypher.Named("agents"), keys, decodeAgent)
	case *memory.Session:
		return readByKey(ctx, s, cypher.Named("sessions"), keys, decodeSession)
	case *memory.Canvas:
		return readByKey(ctx, s, cypher.Named("canvases"), keys, decodeCanvas)
	case *memory.Feedback:
		return readByKey(ctx, s, cypher.Named("feedback"), keys, decodeFeedback)
	case *memory.Memoir:
		return readByKey(ctx, s, cypher.Named("memoirs"), keys, decodeMemoir)
	case *memory.Concept:
		return readByKey(ctx, s, cypher.Named("concepts"), keys, decodeConcept)
	case *memory.Observation:
		return readByKey(ctx, s, cypher.Named("observations"), keys, decodeObservation)
	case *memory.Correction:
		return readByKey(ctx, s, cypher.Named("corrections"), keys, decodeCorrection)
	}
	return s.getLearned(ctx, of, keys)
}

// getLearned reads what follows from other records, or is kept of them, by key.
func (s *tenantStore) getLearned(ctx context.Context, of any, keys []string) (any, error) {
	switch of.(type) {
	case *memory.Execution:
		return s.Executions(ctx, keys)
	case *memory.Run:
		return readByKey(ctx, s, cypher.Named("runs"), keys, decodeRun)
	case *memory.Section:
		sections, err := s.sectionsOf(ctx, "section", keys)
		return store.InOrder(keys, sections, store.KeyOf), err
	case *memory.Verdict:
		return readByKey(ctx, s, cypher.Named("verdicts"), keys, decodeVerdict)
	case *memory.Pattern:
		return readByKey(ctx, s, cypher.Named("patterns"), keys, decodePattern)
	case *store.SectionTypeItem:
		return readByKey(ctx, s, cypher.Named("section_types"), keys, decodeSectionType)
	case *store.WholeEpisode:
		return s.wholeEpisodes(ctx, keys)
	case *store.Tombstone:
		return s.tombstonesOf(ctx, keys)
	}
	return nil, store.NotKept(of)
}

// readByKey runs a query for records by their keys and gives them in the order of the keys.
func readByKey[T any](
	ctx context.Context, s *tenantStore, reading cypher.Statement, keys []string, decode bolt.Decoder[*T],
) ([]*T, error) {
	if len(keys) == 0 {
		return []*T{}, nil
	}
	q := s.Query(reading, cypher.Parameters{"keys": linking.SetOf(keys...).Sorted()})
	found, err := bolt.Read(ctx, s.Connection, q, decode)
	if err != nil {
		return nil, err
	}
	return store.InOrder(keys, found, store.KeyOf), nil
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
		return listed(s, q, (*tenantStore).agentQuery, decodeAgent, nil)
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
		return uncounted(listed(s, q, (*tenantStore).judgementQuery, func(row *neo4j.Record) (*memory.Judgement, error) {
			j, err := decodeJudgement(row)
			return &j, err
		}, nil))
	case store.PatternQuery:
		return listed(s, q, (*tenantStore).patternQuery, decodePattern, nil)
	case store.DueTraces:
		return uncounted(listed(s, q, (*tenantStore).dueTraces, decodeDueTrace, nil))
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
