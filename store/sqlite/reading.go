package sqlite

import (
	"context"
	"reflect"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/learning"
)

// getter reads records of a type in the order of their keys, nil where there is none.
type getter func(ctx context.Context, t *Tenant, keys []string) (any, error)

// getters are by a nil pointer of the type that they read.
var getters = map[any]getter{
	(*memory.Agent)(nil):          found(memory.KindAgent, byKeys(memory.KindAgent, agentColumns, agentRow), readAgent),
	(*memory.Session)(nil):        found(memory.KindSession, sessionsByKey, readSession),
	(*memory.Canvas)(nil):         read((*Tenant).canvases),
	(*memory.Feedback)(nil):       found(memory.KindFeedback, feedbackByKey, readFeedback),
	(*memory.Memoir)(nil):         found(memory.KindMemoir, byKeys(memory.KindMemoir, memoirColumns, memoirRow), readMemoir),
	(*memory.Concept)(nil):        found(memory.KindConcept, byKeys(memory.KindConcept, conceptColumns, conceptRow), readConcept),
	(*memory.Observation)(nil):    found(memory.KindObservation, byKeys(memory.KindObservation, observationColumns, observationRow), readObservation),
	(*memory.Correction)(nil):     found(memory.KindCorrection, byKeys(memory.KindCorrection, correctionColumns, correctionRow), readCorrection),
	(*memory.Execution)(nil):      read((*Tenant).executions),
	(*memory.Run)(nil):            found(memory.KindRun, byKeys(memory.KindRun, runColumns, runRow), readRun),
	(*memory.Section)(nil):        read((*Tenant).sectionsByKey),
	(*memory.Verdict)(nil):        found(memory.KindVerdict, byKeys(memory.KindVerdict, verdictColumns, verdictRow), readVerdict),
	(*memory.Pattern)(nil):        found(memory.KindPattern, byKeys(memory.KindPattern, patternColumns, patternRow), readPattern),
	(*store.SectionTypeItem)(nil): found(store.KindSectionType, sectionTypesByKey, readSectionType),
	(*store.WholeEpisode)(nil):    read((*Tenant).wholeEpisodes),
	(*store.Tombstone)(nil):       read((*Tenant).tombstonesOfIDs),
}

func read[T any](get func(t *Tenant, ctx context.Context, keys []string) ([]*T, error)) getter {
	return func(ctx context.Context, t *Tenant, keys []string) (any, error) { return get(t, ctx, keys) }
}

// byKeys selects the records of a kind by their keys: columns of their node n, and of their row with what is
// joined to it.
func byKeys(kind memory.Kind, columns, row string) string {
	return `SELECT ` + columns + ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = '` + string(kind) + `' AND n.key = w.value CROSS JOIN ` + row
}

// found reads the records of a kind that a statement finds by their keys.
func found[T any](kind memory.Kind, find string, read func(*db.Row) *T) getter {
	return func(ctx context.Context, t *Tenant, keys []string) (any, error) {
		return answer(ctx, t.file.Snapshot, func(c *db.Conn) ([]*T, error) {
			found, err := db.All(c, find, read, db.List("keys", keys))
			if err != nil {
				return nil, err
			}
			ordered := store.InOrder(keys, found, store.KeyOf)
			return ordered, tellGone(c, kind, keys, ordered)
		})
	}
}

// Get reads records by key.
func (t *Tenant) Get(ctx context.Context, of any, keys []string) (any, error) {
	if get := getters[of]; get != nil {
		return get(ctx, t, keys)
	}
	return nil, store.NotKept(of)
}

// listing is how the records of a type of query are listed.
type listing struct {
	list func(ctx context.Context, t *Tenant, query any, page store.Page) (any, bool, error)
	// from says where they are, to count them; nil for what is not counted.
	from func(query any) (string, db.Conditions)
}

// listings are by the type of the query.
var listings = map[reflect.Type]listing{
	reflect.TypeFor[store.EpisodeQuery]():     listed((*Tenant).listEpisodes, episodesOf),
	reflect.TypeFor[store.EventsOf]():         listed((*Tenant).listEvents, eventsOf),
	reflect.TypeFor[store.OutcomesOf]():       paged(outcomesPage, readOutcome, nil),
	reflect.TypeFor[store.CanvasesOf]():       listed((*Tenant).listCanvases, countedCanvases),
	reflect.TypeFor[store.FeedbackOf]():       paged(feedbackPage, readFeedback, countedFeedback),
	reflect.TypeFor[store.ExecutionsOf]():     listed((*Tenant).listExecutions, nil),
	reflect.TypeFor[store.AllAgents]():        paged(agentsPage, readAgent, all[store.AllAgents](` FROM agents`)),
	reflect.TypeFor[store.DueTraces]():        paged(dueTraces, readDueTrace, nil),
	reflect.TypeFor[store.SpansOf]():          listed((*Tenant).listSpans, spansOf),
	reflect.TypeFor[store.MemoirsOf]():        paged(memoirsPage, readMemoir, memoirsOf),
	reflect.TypeFor[store.ConceptsOf]():       paged(conceptsPage, readConcept, conceptsOf),
	reflect.TypeFor[store.ObservationQuery](): listed((*Tenant).listObservations, countedObservations),
	reflect.TypeFor[store.CorrectionsOf]():    paged(correctionsPage, readCorrection, correctionsOf),
	reflect.TypeFor[store.AllRuns]():          paged(runsPage, readRun, all[store.AllRuns](` FROM runs`)),
	reflect.TypeFor[store.VerdictQuery]():     paged(verdictsPage, readVerdict, verdictsOf),
	reflect.TypeFor[store.JudgementQuery]():   paged(judgementsPage, readJudgement, nil),
	reflect.TypeFor[store.PatternQuery]():     paged(patternsPage, readPattern, patternsOf),
}

func listed[Q, T any](
	list func(t *Tenant, ctx context.Context, query *Q, page store.Page) ([]*T, bool, error), from func(*Q) (string, db.Conditions),
) listing {
	l := listing{list: func(ctx context.Context, t *Tenant, query any, page store.Page) (any, bool, error) {
		q, _ := query.(Q)
		return list(t, ctx, &q, page)
	}}
	if from != nil {
		l.from = func(query any) (string, db.Conditions) {
			q, _ := query.(Q)
			return from(&q)
		}
	}
	return l
}

// paged lists what one statement reads of a page.
func paged[Q, T any](
	page func(*Q, *store.Page) (string, db.Conditions), read func(*db.Row) *T, from func(*Q) (string, db.Conditions),
) listing {
	return listed(func(t *Tenant, ctx context.Context, query *Q, p store.Page) ([]*T, bool, error) {
		find, w := page(query, &p)
		return listPage(ctx, t, p.Limit, read, find, w)
	}, from)
}

// all is where the records are that a query without conditions lists.
func all[Q any](from string) func(*Q) (string, db.Conditions) {
	return func(*Q) (string, db.Conditions) { return from, db.Conditions{} }
}

// List reads a page of what a query lists.
func (t *Tenant) List(ctx context.Context, query any, page store.Page) (any, bool, error) {
	if l, known := listings[reflect.TypeOf(query)]; known {
		return l.list(ctx, t, query, page)
	}
	return t.listWhole(ctx, query, page.Limit)
}

// listWhole reads what is listed whole.
func (t *Tenant) listWhole(ctx context.Context, query any, limit int) (any, bool, error) {
	switch q := query.(type) {
	case store.TaskTypesOf:
		types, err := t.taskTypes(ctx, q.Agents)
		return types, false, err
	case store.TrajectoriesOf:
		steps, err := t.Trajectories(ctx, &q)
		return steps, false, err
	case store.CandidateQuery:
		return whole(ctx, t.file.Read, func(c *db.Conn) ([]*memory.Pattern, error) { return candidates(c, &q, limit) })
	case store.SectionsOf:
		sections, err := t.sections(ctx, judgementsOfRuns, q.Runs)
		return sections, false, err
	case store.ThresholdsOf:
		return whole(ctx, t.file.Read, func(c *db.Conn) ([]*memory.JudgeThreshold, error) {
			return db.All(c, thresholdsOfJudges, readJudgeThreshold, db.List("judges", db.Distinct(q.Judges)))
		})
	case store.ProfilesOf:
		return whole(ctx, t.file.Snapshot, func(c *db.Conn) ([]*memory.LearningProfile, error) {
			return learning.Profiles(ctx, c, &q, true)
		})
	case store.CountsOf:
		return whole(ctx, t.file.Read, func(c *db.Conn) ([]*memory.EpisodeCount, error) { return episodeCounts(ctx, c, &q) })
	case store.AgentRecordsOf:
		return whole(ctx, t.file.Snapshot, func(c *db.Conn) ([]*memory.AgentRecord, error) { return agentRecords(ctx, c, &q) })
	}
	return nil, false, store.NotKept(query)
}

// Count counts what a query lists.
func (t *Tenant) Count(ctx context.Context, query any) (int, error) {
	if q, ok := query.(store.ObservationQuery); ok {
		if err := t.chargeWeights(ctx, &q); err != nil {
			return 0, err
		}
	}
	l := listings[reflect.TypeOf(query)]
	if l.from == nil {
		return 0, store.NotKept(query)
	}
	from, w := l.from(query)
	return t.count(ctx, `SELECT count(*)`+from+` WHERE `+w.SQL(), w.Args)
}
