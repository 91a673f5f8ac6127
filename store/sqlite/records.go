package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"reflect"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// getter reads records of a type in the order of their keys, nil where there is none.
type getter func(ctx context.Context, t *Tenant, keys []string) (any, error)

// getters are by a nil pointer of the type that they read.
var getters = map[any]getter{
	(*memory.Agent)(nil):          found(memory.KindAgent, byKeys(memory.KindAgent, agentColumns, agentRow), readAgent),
	(*memory.Session)(nil):        found(memory.KindSession, sessionsByKey, readSession),
	(*memory.Canvas)(nil):         keyed(memory.KindCanvas, canvasesOfKeys),
	(*memory.Feedback)(nil):       found(memory.KindFeedback, feedbackByKey, readFeedback),
	(*memory.Memoir)(nil):         found(memory.KindMemoir, byKeys(memory.KindMemoir, memoirColumns, memoirRow), readMemoir),
	(*memory.Concept)(nil):        found(memory.KindConcept, byKeys(memory.KindConcept, conceptColumns, conceptRow), readConcept),
	(*memory.Observation)(nil):    found(memory.KindObservation, byKeys(memory.KindObservation, observationColumns, observationRow), readObservation),
	(*memory.Correction)(nil):     found(memory.KindCorrection, byKeys(memory.KindCorrection, correctionColumns, correctionRow), readCorrection),
	(*memory.Execution)(nil):      keyed(memory.KindExecution, learning.ByKey),
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
	return keyed(kind, func(_ context.Context, c *db.Conn, keys []string) ([]*T, error) {
		return db.All(c, find, read, db.List("keys", keys))
	})
}

// keyed puts the records of a kind in the order of their keys, and tells of those that cannot be read.
func keyed[T any](kind memory.Kind, read func(ctx context.Context, c *db.Conn, keys []string) ([]*T, error)) getter {
	return func(ctx context.Context, t *Tenant, keys []string) (any, error) {
		return answer(ctx, t.file.Snapshot, func(c *db.Conn) ([]*T, error) {
			found, err := read(ctx, c, keys)
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
	reflect.TypeFor[store.CanvasesOf]():       listed((*Tenant).listCanvases, canvasesOf),
	reflect.TypeFor[store.FeedbackOf]():       paged(feedbackPage, readFeedback, feedbackOf),
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
	reflect.TypeFor[store.TrajectoriesOf]():   listed((*Tenant).Trajectories, nil),
	reflect.TypeFor[store.TaskTypesOf]():      entire((*file.File).Read, taskTypes),
	reflect.TypeFor[store.CandidateQuery]():   entire((*file.File).Read, candidates),
	reflect.TypeFor[store.SectionsOf]():       entire((*file.File).Read, sectionsOfRuns),
	reflect.TypeFor[store.ThresholdsOf]():     entire((*file.File).Read, thresholds),
	reflect.TypeFor[store.CountsOf]():         entire((*file.File).Read, episodeCounts),
	reflect.TypeFor[store.AgentRecordsOf]():   entire((*file.File).Snapshot, agentRecords),
	reflect.TypeFor[store.ProfilesOf]():       entire((*file.File).Snapshot, learning.WholeProfiles),
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

// entire lists all that a function reads, of some queries as many as a page holds.
func entire[Q, T any](
	in func(*file.File, context.Context, func(*db.Conn) error) error, read func(ctx context.Context, c *db.Conn, query *Q, limit int) ([]*T, error),
) listing {
	return listed(func(t *Tenant, ctx context.Context, query *Q, page store.Page) ([]*T, bool, error) {
		var found []*T
		err := in(t.file, ctx, func(c *db.Conn) (err error) {
			found, err = read(ctx, c, query, page.Limit)
			return err
		})
		return found, false, err
	}, nil)
}

// List reads a page of what a query lists.
func (t *Tenant) List(ctx context.Context, query any, page store.Page) (any, bool, error) {
	if l, known := listings[reflect.TypeOf(query)]; known {
		return l.list(ctx, t, query, page)
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

// tellGone tells of records that are there although reading them by their keys, in the same state, found nothing:
// something of them is gone.
func tellGone[T any](c *db.Conn, kind memory.Kind, keys []string, found []*T) error {
	var missing []string
	for i, record := range found {
		if record == nil {
			missing = append(missing, keys[i])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	const there = `SELECT n.key FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = :kind AND n.key = w.value`
	return c.Query(there, func(r *db.Row) {
		store.NoteDamage(c.Reads, gone(kind, r.Text()))
	}, db.List("keys", missing), db.Arg("kind", string(kind)))
}

func gone(kind memory.Kind, key string) *store.Damaged {
	return &store.Damaged{Kind: kind, Key: key, Cause: errors.New("something of it is gone")}
}

// listPage reads one record more than a page holds, which says whether more follow.
func listPage[T any](ctx context.Context, t *Tenant, limit int, read func(*db.Row) *T, find string, w db.Conditions) ([]*T, bool, error) {
	return wholePage(ctx, t.file.Read, limit, func(c *db.Conn, most int) (found []*T, err error) {
		return db.AllWithin(ctx, c, find, read, append(w.Args[:len(w.Args):len(w.Args)], db.Arg("limit", most))...)
	})
}

// reader is a way to read: File.Read, or File.Snapshot.
type reader = func(context.Context, func(*db.Conn) error) error

// answer gives what a function reads or writes.
func answer[C, T any](ctx context.Context, in func(context.Context, func(*C) error) error, do func(*C) (T, error)) (found T, err error) {
	err = in(ctx, func(c *C) (err error) {
		found, err = do(c)
		return err
	})
	return found, err
}

// each hands the rows of a query to a function.
func (t *Tenant) each(ctx context.Context, find string, each func(*db.Row), args ...driver.NamedValue) error {
	return t.file.Read(ctx, func(c *db.Conn) error { return c.Search(ctx, find, each, args...) })
}

// wholePage reads a page, and one record more, which says whether more follow. Where some cannot be read it reads
// further, so that a page is full as long as there are others.
func wholePage[T any](ctx context.Context, in reader, limit int, read func(c *db.Conn, most int) ([]T, error)) ([]T, bool, error) {
	for most := limit + 1; ; most *= 2 {
		var found []T
		left := 0
		err := in(ctx, func(c *db.Conn) (err error) {
			c.Left = 0
			found, err = read(c, most)
			left = c.Left
			return err
		})
		if err != nil {
			return nil, false, err
		}
		if left == 0 || len(found) > limit || len(found)+left < most {
			page, more := store.Cut(found, limit)
			return page, more, nil
		}
	}
}

// count runs a query for one number.
func (t *Tenant) count(ctx context.Context, sql string, args []driver.NamedValue) (int, error) {
	count, err := answer(ctx, t.file.Read, func(c *db.Conn) (int64, error) { return c.Number(ctx, sql, args...) })
	return int(count), err
}

// recorders write records of one type each.
var recorders = []func(ctx context.Context, t *Tenant, records any) (recorded []store.Recorded, known bool, err error){
	recorder(each(recordNewEpisode)), recorder(linked(linking.RecordCanvasActions)), recorder(linked(linking.RecordFeedback)),
	recorder(each(createMemoir)), recorder(each(addConcept)), recorder(each(recordObservation)), recorder(each(recordCorrection)),
	recorder(each(recordExecution)), recorder(each(recordVerdict)), recorder(each(nameAgent)), recorder(each(replaceJudgeThreshold)),
	recorder(each(addAccess)), recorder(each(putOffTrace)), changer(labelVerdict), changer(refine),
}

// Record writes records in one transaction.
func (t *Tenant) Record(ctx context.Context, records any) ([]store.Recorded, error) {
	for _, record := range recorders {
		if recorded, known, err := record(ctx, t, records); known {
			return recorded, err
		}
	}
	return nil, store.NotKept(records)
}

func recorder[R any](record batch[R]) func(context.Context, *Tenant, any) ([]store.Recorded, bool, error) {
	return func(ctx context.Context, t *Tenant, records any) (recorded []store.Recorded, known bool, err error) {
		typed, known := records.([]R)
		if known {
			recorded, err = answer(ctx, t.writeTogether, func(tx *db.Tx) ([]store.Recorded, error) { return record(tx, typed) })
		}
		return recorded, known, err
	}
}

// changer is recorder of what changes other records: where nothing is, none of them is there.
func changer[R any](change func(*db.Tx, *R) (created bool, err error)) func(context.Context, *Tenant, any) ([]store.Recorded, bool, error) {
	record := recorder(each(change))
	return func(ctx context.Context, t *Tenant, records any) ([]store.Recorded, bool, error) {
		if changes, known := records.([]R); known && t.file.IsNothing() {
			return slices.Repeat([]store.Recorded{{Err: store.ErrNotFound}}, len(changes)), true, ctx.Err()
		}
		return record(ctx, t, records)
	}
}

func nameAgent(tx *db.Tx, agent *store.AgentItem) (created bool, err error) {
	graph.EnsureAgent(tx, agent.Key, &agent.Name)
	return false, nil
}

func replaceJudgeThreshold(tx *db.Tx, item *store.JudgeThresholdItem) (created bool, err error) {
	putJudgeThreshold(tx, &item.JudgeThreshold, "")
	return false, nil
}

// batch writes records of one type, and answers for each.
type batch[R any] = func(tx *db.Tx, records []R) ([]store.Recorded, error)

// each makes a batch of a function that writes one record. What is at fault with one is found before it changes
// anything, so the others go on.
func each[R any](record func(tx *db.Tx, record *R) (created bool, err error)) batch[R] {
	return func(tx *db.Tx, records []R) ([]store.Recorded, error) {
		recorded := make([]store.Recorded, len(records))
		for i := 0; i < len(records) && tx.Err() == nil; i++ {
			tx.Fail(tx.Context.Err())
			created, err := record(tx, &records[i])
			recorded[i] = store.Recorded{Key: store.KeyOf(&records[i]), Created: created, Err: err}
		}
		return recorded, nil
	}
}

// linked makes a batch of a function of package linking.
func linked[R any](record func(tx linking.Tx, records []R) ([]store.Recorded, error)) batch[R] {
	return func(tx *db.Tx, records []R) ([]store.Recorded, error) { return record(linkerOf(tx), records) }
}
