package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// Get reads records by key.
func (t *Tenant) Get(ctx context.Context, of any, keys []string) (any, error) {
	switch of.(type) {
	case *memory.Agent:
		return recordsByKey(ctx, t, memory.KindAgent, agentsByKey, keys, readAgent)
	case *memory.Session:
		return recordsByKey(ctx, t, memory.KindSession, sessionsByKey, keys, readSession)
	case *memory.Canvas:
		return t.canvases(ctx, keys)
	case *memory.Feedback:
		return recordsByKey(ctx, t, memory.KindFeedback, feedbackByKey, keys, readFeedback)
	case *memory.Memoir:
		return recordsByKey(ctx, t, memory.KindMemoir, memoirsByKey, keys, readMemoir)
	case *memory.Concept:
		return recordsByKey(ctx, t, memory.KindConcept, conceptsByKey, keys, readConcept)
	case *memory.Observation:
		return recordsByKey(ctx, t, memory.KindObservation, observationsByKey, keys, readObservation)
	case *memory.Correction:
		return recordsByKey(ctx, t, memory.KindCorrection, correctionsByKey, keys, readCorrection)
	}
	return t.getLearned(ctx, of, keys)
}

// getLearned reads what follows from other records, or is kept of them, by key.
func (t *Tenant) getLearned(ctx context.Context, of any, keys []string) (any, error) {
	switch of.(type) {
	case *memory.Execution:
		return t.executions(ctx, keys)
	case *memory.Run:
		return recordsByKey(ctx, t, memory.KindRun, runsByKey, keys, readRun)
	case *memory.Section:
		sections, err := t.sections(ctx, judgementsOfSections, keys)
		return store.InOrder(keys, sections, store.KeyOf), err
	case *memory.Verdict:
		return recordsByKey(ctx, t, memory.KindVerdict, verdictsByKey, keys, readVerdict)
	case *memory.Pattern:
		return recordsByKey(ctx, t, memory.KindPattern, patternsByKey, keys, readPattern)
	case *store.SectionTypeItem:
		return recordsByKey(ctx, t, store.KindSectionType, sectionTypesByKey, keys, readSectionType)
	case *store.WholeEpisode:
		return t.wholeEpisodes(ctx, keys)
	case *store.Tombstone:
		return t.tombstonesOfIDs(ctx, keys)
	}
	return nil, store.NotKept(of)
}

// List reads a page of what a query lists.
func (t *Tenant) List(ctx context.Context, query any, page store.Page) (any, bool, error) {
	switch q := query.(type) {
	case store.EpisodeQuery:
		return t.listEpisodes(ctx, &q, page)
	case store.EventsOf:
		find, w := eventsPage(&q, &page)
		return listPage(ctx, t, page.Limit, func(r *db.Row) *memory.Event { return new(readEvent(r, q.Episode)) }, find, w)
	case store.OutcomesOf:
		find, w := outcomesPage(&q, &page)
		return listPage(ctx, t, page.Limit, readOutcome, find, w)
	case store.CanvasesOf:
		return t.listCanvases(ctx, &q, page)
	case store.FeedbackOf:
		return t.listFeedback(ctx, &q, page)
	case store.ExecutionsOf:
		return t.listExecutions(ctx, &q, page)
	case store.AllAgents:
		find, w := agentsPage(&page)
		return listPage(ctx, t, page.Limit, readAgent, find, w)
	case store.DueTraces:
		find, w := dueTraces(&q)
		return listPage(ctx, t, page.Limit, readDueTrace, find, w)
	case store.SpansOf:
		return t.listSpans(ctx, &q, page.Limit)
	}
	return t.listKnowledge(ctx, query, page)
}

// listKnowledge reads a page of what is known beside experiences.
func (t *Tenant) listKnowledge(ctx context.Context, query any, page store.Page) (any, bool, error) {
	switch q := query.(type) {
	case store.MemoirsOf:
		find, w := memoirsPage(&q, &page)
		return listPage(ctx, t, page.Limit, readMemoir, find, w)
	case store.ConceptsOf:
		find, w := conceptsPage(&q, &page)
		return listPage(ctx, t, page.Limit, readConcept, find, w)
	case store.ObservationQuery:
		if err := t.chargeWeights(ctx, &q); err != nil {
			return nil, false, err
		}
		find, w := observationsPage(&q, &page)
		return listPage(ctx, t, page.Limit, readObservation, find, w)
	case store.CorrectionsOf:
		find, w := correctionsPage(&q, &page)
		return listPage(ctx, t, page.Limit, readCorrection, find, w)
	case store.AllRuns:
		find, w := runsPage(&page)
		return listPage(ctx, t, page.Limit, readRun, find, w)
	case store.VerdictQuery:
		find, w := verdictsPage(&q, &page)
		return listPage(ctx, t, page.Limit, readVerdict, find, w)
	case store.JudgementQuery:
		find, w := judgementsPage(&q, &page)
		return listPage(ctx, t, page.Limit, readJudgement, find, w)
	case store.PatternQuery:
		find, w := patternsPage(&q, &page)
		return listPage(ctx, t, page.Limit, readPattern, find, w)
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
	from, w := counted(query)
	switch {
	case from == "":
		return 0, store.NotKept(query)
	case len(w.Texts) > 0:
		from += ` WHERE ` + w.SQL()
	}
	return t.count(ctx, `SELECT count(*)`+from, w.Args)
}

// counted says where the records of a query are; nowhere of what is not counted.
func counted(query any) (from string, w db.Conditions) {
	switch q := query.(type) {
	case store.EpisodeQuery:
		from, w = ` FROM episodes e`, graph.Filtered(&q.Filter, nil)
	case store.EventsOf:
		from = ` FROM events`
		w.Add(inEpisode, db.Arg("episode", q.Episode))
	case store.SpansOf:
		from = ` FROM spans`
		w.Add(`trace = :trace`, db.Arg("trace", q.Trace))
	case store.CanvasesOf:
		from, w = countedCanvases(&q)
	case store.FeedbackOf:
		from, w = countedFeedback(&q)
	case store.AllAgents:
		from = ` FROM agents`
	case store.MemoirsOf:
		from, w = memoirsOf(&q)
	case store.ConceptsOf:
		from, w = conceptsOf(&q)
	case store.ObservationQuery:
		from = ` FROM observations x`
		w, _ = observationsOf(&q)
	case store.CorrectionsOf:
		from, w = correctionsOf(&q)
	case store.AllRuns:
		from = ` FROM runs`
	case store.VerdictQuery:
		from, w = verdictsOf(&q)
	case store.PatternQuery:
		from, w = patternsOf(&q)
	}
	return from, w
}
