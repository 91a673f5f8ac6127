package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/restoring"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/schema"
)

var _ store.Backuper = (*Tenant)(nil)

// named are the columns of an annotation x with all that it is about, by the bytes of the names, or waits to be.
func named(columns string) string {
	return strings.Replace(columns, graph.AboutOf, `(SELECT json_group_array(name) FROM (
		SELECT l.target_ref AS name FROM edges l WHERE l.source = n.id AND l.type = 'ABOUT'
		UNION SELECT replace(w.kind, ' itself', '') || ':' || w.key FROM waiting w WHERE w.node = n.id ORDER BY 1))`, 1) + `, x.input_hash`
}

// episodesNamed is what an episode names by edges of a type, or waits for by a kind.
func episodesNamed(edge string, waits memory.Kind) string {
	return `(SELECT json_group_array(name) FROM (SELECT substr(l.target_ref, 9) AS name FROM edges l WHERE l.source = n.id AND l.type = '` + edge + `'
		UNION SELECT w.key FROM waiting w WHERE w.node = n.id AND w.kind = '` + string(waits) + `' ORDER BY 1))`
}

// inKeyOrder selects the records of a kind in the order of their keys, which is that of an index: it streams, as do all
// statements of an export.
func inKeyOrder(kind memory.Kind, columns, row string) string {
	return `SELECT ` + columns + ` FROM nodes n CROSS JOIN ` + row + ` WHERE n.kind = '` + string(kind) + `' ORDER BY n.key`
}

var (
	exportRelations = `SELECT s.key, t.key, e.at FROM nodes s CROSS JOIN edges e ON e.source = s.id AND e.type = ` + graph.GivenType + `
		JOIN nodes t ON t.id = e.target WHERE s.kind = 'concept' ORDER BY s.key, e.target_ref`

	exportEpisodes = `SELECT ` + episodeColumns + graph.AggregatesNow + `, e.input_hash, b.vector, ` +
		episodesNamed(graph.EdgeCausedBy, memory.KindEpisode) + `, ` + episodesNamed(graph.EdgeInformedBy, linking.Informed) + `, ` +
		episodesNamed(graph.EdgeMentions, memory.KindConcept) + `, e.id
		FROM nodes n CROSS JOIN episodes e ON e.id = n.id` + episodeTables + `
		LEFT JOIN embeddings b ON b.episode = e.id WHERE n.kind = 'episode' ORDER BY n.key`
	exportEvents = `SELECT ` + eventColumns + ` FROM events WHERE episode = :episode
		AND NOT EXISTS (SELECT 1 FROM logs l WHERE l.episode = :episode) ORDER BY seq`

	exportCanvases = `SELECT v.id, ` + canvasAlone + `, v.named_episode
		FROM nodes n CROSS JOIN canvases v ON v.id = n.id` + canvasEdge + `
		LEFT JOIN nodes o ON o.id = p.source
		LEFT JOIN edges i ON i.source = v.id AND i.type = 'IN_SESSION'
		LEFT JOIN nodes s ON s.id = i.target WHERE n.kind = 'canvas' ORDER BY n.key`
	exportActions = `SELECT ` + actionColumns + `, x.input_hash FROM canvas_actions x WHERE x.canvas = :canvas ORDER BY x.at, x.seq`

	exportedFeedback = feedbackColumns + `, f.input_hash, f.leads_by,
			(SELECT w.key FROM waiting w WHERE w.node = f.id AND w.kind = 'episode'),
			(SELECT w.key FROM waiting w WHERE w.node = f.id AND w.kind = 'canvas')
		FROM nodes n CROSS JOIN feedback f ON f.id = n.id` + feedbackEdge + `
		LEFT JOIN nodes o ON o.id = p.source` + feedbackEnds
	exportFeedback = exportedFeedback + ` WHERE n.kind = 'feedback' ORDER BY n.key`

	exportLogs = `SELECT n.key, e.input_hash, ` + eventColumns + ` FROM nodes n CROSS JOIN logs l ON l.episode = n.id
		JOIN episodes e ON e.id = n.id CROSS JOIN events ON events.episode = n.id WHERE n.kind = 'episode' ORDER BY n.key, seq`

	exportExecutions = `SELECT ` + learning.Columns + `, x.input_hash FROM nodes n CROSS JOIN executions x ON x.id = n.id LEFT JOIN nodes o ON o.id = x.profile
		WHERE n.kind = 'execution' AND n.key NOT GLOB 'episode:*' ORDER BY n.key`

	sectionsOfPattern = `(SELECT json_group_array(key) FROM (SELECT s.key FROM edges l JOIN nodes s ON s.id = l.target
		WHERE l.source = n.id AND l.type = 'LEARNED_FROM' ORDER BY s.key))`

	exportSectionTypes = sectionTypeColumns + ` FROM section_counts k ORDER BY k.key`

	exportSpans = `SELECT trace, span, data, arrived_at FROM spans ORDER BY trace, span`

	exportTombstones = `SELECT hash FROM tombstones ORDER BY hash`
)

// export hands over a tenant, in one state of it however long that takes.
type export struct {
	*db.Conn
	ctx   context.Context // lives as long as one call, whose context it is
	given func(store.Item) error
	// vectorLength is the tenant's.
	vectorLength int
	// inputKey goes in the place of the tenant's, where that is lost.
	inputKey []byte
}

// Export hands over all that the tenant keeps.
func (t *Tenant) Export(ctx context.Context, each func(store.Item) error) error {
	var lost *store.Damaged
	var inputKey []byte
	if _, err := t.InputKey(ctx); errors.As(err, &lost) {
		store.NoteDamage(ctx, lost)
		inputKey = store.NewInputKey()
	} else if err != nil {
		return err
	}
	return t.file.Snapshot(ctx, func(c *db.Conn) error {
		return (&export{Conn: c, ctx: ctx, given: each, inputKey: inputKey}).all()
	})
}

// all hands over everything, in order.
func (x *export) all() error {
	for _, step := range []func() error{
		x.tenant, x.hollow,
		x.each(inKeyOrder(memory.KindAgent, agentColumns, agentRow), func(r *db.Row) store.Item { return &store.AgentItem{Agent: *readAgent(r)} }),
		x.each(inKeyOrder(memory.KindMemoir, memoirColumns+`, m.input_hash`, memoirRow), func(r *db.Row) store.Item { return &store.MemoirRecord{Memoir: *readMemoir(r), InputHash: r.Blob()} }),
		x.each(inKeyOrder(memory.KindConcept, conceptColumns+`, p.input_hash`, conceptRow), func(r *db.Row) store.Item { return &store.ConceptRecord{Concept: *readConcept(r), InputHash: r.Blob()} }),
		x.relations,
		x.with(exportEpisodes, x.episode),
		x.each(exportLogs, readEventItem),
		x.with(exportCanvases, x.canvas),
		x.each(exportFeedback, func(r *db.Row) store.Item { return readFeedbackItem(r) }),
		x.each(exportExecutions, func(r *db.Row) store.Item {
			return &store.ExecutionRecord{Execution: *learning.Read(r), InputHash: r.Blob()}
		}),
		x.each(inKeyOrder(memory.KindRun, runColumns, runRow), func(r *db.Row) store.Item { return &store.RunItem{Run: *readRun(r)} }),
		x.each(inKeyOrder(memory.KindVerdict, verdictColumns+`, k.input_hash`, verdictRow), func(r *db.Row) store.Item { return &store.VerdictRecord{Verdict: *readVerdict(r), InputHash: r.Blob()} }),
		x.each(inKeyOrder(memory.KindPattern, patternColumns+`, `+sectionsOfPattern, patternRow), func(r *db.Row) store.Item {
			return &store.PatternItem{Pattern: *readPattern(r), Sections: db.ListOf[string](r)}
		}),
		x.each(exportSectionTypes, func(r *db.Row) store.Item { return readSectionType(r) }),
		x.each(exportJudgeThresholds, func(r *db.Row) store.Item {
			return &store.JudgeThresholdItem{JudgeThreshold: *readJudgeThreshold(r)}
		}),
		x.each(inKeyOrder(memory.KindObservation, named(observationColumns), observationRow), func(r *db.Row) store.Item {
			return &store.ObservationRecord{Observation: *readObservation(r), InputHash: r.Blob()}
		}),
		x.each(inKeyOrder(memory.KindCorrection, named(correctionColumns), correctionRow), func(r *db.Row) store.Item {
			return &store.CorrectionRecord{Correction: *readCorrection(r), InputHash: r.Blob()}
		}),
		x.each(exportSpans, func(r *db.Row) store.Item {
			item := &store.SpanItem{HeldSpan: readHeldSpan(r, r.Text())}
			item.ArrivedAt = r.Time()
			return item
		}),
		x.each(exportTombstones, func(r *db.Row) store.Item {
			hash := r.Blob()
			r.Of(store.KindTombstone, hex.EncodeToString(hash))
			if len(hash) != memory.TombstoneBytes {
				r.Fail("a tombstone has %d bytes", len(hash))
			}
			return store.Tombstone(hash)
		}),
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// hand hands over an item that nothing is wrong with, and tells of any other.
func (x *export) hand(item store.Item) error {
	if damaged := store.Validate(item); damaged != nil {
		store.NoteDamage(x.ctx, damaged)
		return nil
	}
	return x.given(item)
}

// each hands over what is read of each row that a statement finds.
func (x *export) each(find string, read func(r *db.Row) store.Item) func() error {
	return x.with(find, func(r *db.Row) (store.Item, error) { return read(r), nil })
}

// with is each for what other statements read more of.
func (x *export) with(find string, read func(r *db.Row) (store.Item, error)) func() error {
	row := func(r *db.Row) {
		item, err := read(r)
		var part *store.Damaged // of what it holds
		switch {
		case err == nil && r.Err == nil:
			err = x.hand(item)
		case r.Damaged():
			err = nil
		case errors.As(err, &part):
			store.NoteDamage(x.ctx, part)
			err = nil
		}
		r.Stop(err)
	}
	return func() error { return x.Search(x.ctx, find, row) }
}

func (x *export) tenant() error {
	key, err := schema.InputKey(x.Conn)
	if err != nil {
		return err
	}
	if key == nil {
		key = x.inputKey
	}
	if x.vectorLength, err = graph.PrevailingLength(x.Conn); err != nil {
		return err
	}
	return x.given(&store.TenantItem{InputKey: key, VectorLength: x.vectorLength})
}

func (x *export) relations() error {
	for _, kind := range memory.SortedRelationTypes() {
		err := x.Search(x.ctx, exportRelations, func(r *db.Row) {
			if relation := readRelation(r, kind); !r.Damaged() && r.Err == nil {
				r.Stop(x.hand(&store.RelationItem{Relation: relation}))
			}
		}, db.Arg("type", string(kind)))
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *export) episode(r *db.Row) (store.Item, error) {
	record := &store.EpisodeRecord{Episode: *readEpisode(r, 0), InputHash: r.Blob()}
	encoded := r.Blob()
	record.Episode.Embedding = graph.DecodeVector(encoded)
	err := memory.CheckVector(record.Episode.Embedding)
	if err == nil && len(encoded) > 0 && len(encoded) != 4*x.vectorLength {
		err = fmt.Errorf("has %d bytes", len(encoded))
	}
	if err != nil {
		store.NoteDamage(x.ctx, &store.Damaged{Kind: store.KindEmbedding, Key: record.Episode.Key, Cause: err})
		record.Episode.Embedding = nil
	}
	record.CausedBy, record.InformedBy, record.Mentions = db.ListOf[string](r), db.ListOf[string](r), db.ListOf[string](r)
	return record, x.Query(exportEvents, func(r *db.Row) {
		record.Events = append(record.Events, readEvent(r, record.Episode.Key))
	}, db.Arg("episode", r.Integer()))
}

// readEventItem reads an event of a log that came in parts.
func readEventItem(r *db.Row) store.Item {
	item := &store.EventItem{Episode: r.Key(memory.KindEpisode), InputHash: r.Blob()}
	r.OfEvent(item.Episode)
	item.Event = memory.Event{Sequence: r.Int()}
	eventScanner.Scan(&item.Event, r)
	return item
}

func (x *export) canvas(r *db.Row) (store.Item, error) {
	id := r.Integer()
	item := &store.CanvasItem{Canvas: *canvasScanner.Read(r)}
	item.Named = r.OptionalText()
	return item, x.Query(exportActions, func(r *db.Row) {
		r.Of(memory.KindCanvas, item.Key)
		var action memory.CanvasAction
		actionScanner.Scan(&action, r)
		hash := r.Blob()
		if action.ID == "" {
			hash = nil // it is compared with nothing
		}
		item.Actions, item.Hashes = append(item.Actions, action), append(item.Hashes, hash)
	}, db.Arg("canvas", id))
}

// readFeedbackItem reads a feedback with what it named.
func readFeedbackItem(r *db.Row) *store.FeedbackItem {
	return store.NewFeedbackItem(*readFeedback(r), r.Blob(), memory.Kind(r.Text()), r.OptionalText(), r.OptionalText())
}

// recordTables hold what the records of each kind say, each of which has a row there; of others their node is all.
var recordTables = map[memory.Kind][]string{
	memory.KindAgent: {"agents"}, memory.KindEpisode: {"episodes", "contents"}, memory.KindCanvas: {"canvases", "canvas_actions"},
	memory.KindFeedback: {"feedback"}, memory.KindMemoir: {"memoirs"}, memory.KindConcept: {"concepts"},
	memory.KindObservation: {"observations"}, memory.KindCorrection: {"corrections"},
	memory.KindExecution: {"executions"}, memory.KindLearningProfile: {"profiles"}, memory.KindRun: {"runs"},
	memory.KindVerdict: {"verdicts", "verdict_texts"}, memory.KindPattern: {"patterns"},
}

// keyColumns are the keys of the tables that have another than id.
var keyColumns = map[string]string{"contents": "episode", "canvas_actions": "canvas", "verdict_texts": "verdict"}

// hollow tells of the records of which something is gone that each has.
func (x *export) hollow() error {
	for _, kind := range memory.Kinds {
		for _, table := range recordTables[kind] {
			find := fmt.Sprintf(`SELECT n.key FROM nodes n WHERE n.kind = '%s' AND NOT EXISTS (SELECT 1 FROM %s x WHERE x.%s = n.id)`,
				kind, table, cmp.Or(keyColumns[table], "id"))
			err := x.Search(x.ctx, find, func(r *db.Row) {
				store.NoteDamage(x.ctx, &store.Damaged{Kind: kind, Key: r.Text(), Cause: fmt.Errorf("it has nothing in %s", table)})
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Restore takes items back in one transaction.
func (t *Tenant) Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	if len(items) == 0 {
		return []store.Recorded{}, nil
	}
	if _, err := t.InputKey(ctx); err != nil {
		return nil, err
	}
	return answer(ctx, t.writeTogether, func(tx *db.Tx) ([]store.Recorded, error) {
		return restoring.Restore(&erasure{linkerOf(tx)}, items, force)
	})
}

// RestoreTenant sets the input key of a tenant that has nothing that was hashed with another.
func (e *erasure) RestoreTenant(item *store.TenantItem) error {
	if !bytes.Equal(db.Ask(e.Tx, schema.InputKey), item.InputKey) && db.Ask(e.Tx, schema.AnyHashed) {
		return fmt.Errorf("%w: the tenant has records of its own, and another input key", store.ErrConflict)
	}
	*db.Part[inputKey](e.Tx) = item.InputKey
	e.Fail(schema.SetSetting(e.Conn, schema.SettingInputKey, item.InputKey))
	if item.VectorLength != 0 && db.Ask(e.Tx, graph.VectorLength) == 0 {
		e.Fail(schema.SetSetting(e.Conn, schema.SettingVectorLength, item.VectorLength))
	}
	return e.Err()
}

// Buried finds those that have a tombstone.
func (e *erasure) Buried(ids []string) (linking.KeySet, error) {
	buried := linking.KeySet{}
	if !e.Any(`tombstones`) {
		return buried, e.Err()
	}
	key := inputKeyOf(e.Tx)
	for _, id := range ids {
		if e.Has(`SELECT 1`+ofTombstone, db.Arg("hash", memory.Tombstone(key, id))) {
			buried.Add(id)
		}
	}
	return buried, e.Err()
}

// Unbury takes tombstones away.
func (e *erasure) Unbury(ids []string) error {
	if !e.Any(`tombstones`) {
		return e.Err()
	}
	key := inputKeyOf(e.Tx)
	for _, id := range ids {
		e.Exec(`DELETE`+ofTombstone, db.Arg("hash", memory.Tombstone(key, id)))
	}
	return e.Err()
}

// Present finds those that are there.
func (e *erasure) Present(ids []string) (linking.KeySet, error) {
	return linking.SetOf(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return graph.FindNode(e.Tx, id) == 0 })...), e.Err()
}

// WriteItems writes items of one type.
func (e *erasure) WriteItems(items []store.Item) ([]store.Recorded, error) {
	recorded, err := restoring.Write(writers, e.Tx, items)
	return recorded, cmp.Or(err, e.Err())
}

// kept makes a writer of a function that writes what is no record.
func kept[I store.Item](write func(tx *db.Tx, item I)) restoring.Writer[*db.Tx] {
	return restoring.Kept(func(tx *db.Tx, items []I) error {
		for i := 0; i < len(items) && tx.Err() == nil; i++ {
			write(tx, items[i])
		}
		return tx.Err()
	})
}

var writers = []restoring.Writer[*db.Tx]{
	restoring.Values(each(restoreAgent)), restoring.Values(each(createMemoir)), restoring.Values(each(restoreConcept)), restoring.Values(each(restoreRelation)),
	restoring.Values(each(recordEpisode)), restoring.Values(each(restoreEvent)), restoring.Items(linked(linking.RestoreCanvases)),
	restoring.Items(linked(linking.RestoreFeedback)), restoring.Values(each(recordExecution)), restoring.Values(each(restoreRun)),
	restoring.Values(each(recordVerdict)), restoring.Values(each(restorePattern)), kept(restoreSectionType), kept(restoreJudgeThreshold),
	restoring.Values(each(recordObservation)), restoring.Values(each(recordCorrection)), kept(restoreSpan), kept(restoreTombstone),
	restoring.Values(linked(linking.RecordCanvasActions)), restoring.Values(linked(linking.RecordFeedback)), restoring.Values(each(labelVerdict)),
}

func restoreAgent(tx *db.Tx, item *store.AgentItem) (created bool, err error) {
	known := graph.NodeID(tx, memory.KindAgent, item.Key) != 0
	if !known || item.Rename {
		graph.EnsureAgent(tx, item.Key, &item.Name)
	}
	return !known, nil
}

func restoreConcept(tx *db.Tx, record *store.ConceptRecord) (created bool, err error) {
	created, err = addConcept(tx, record)
	if created && len(record.Concept.Revisions) > 0 {
		tx.Put(updatingConcept, fields.ConceptContent(&record.Concept), db.Arg("id", graph.NodeID(tx, memory.KindConcept, record.Concept.Key)))
	}
	return created, err
}

func restoreRelation(tx *db.Tx, item *store.RelationItem) (created bool, err error) {
	relation := item.Relation
	return linkConcepts(tx, &relation)
}

// restoreRun writes a run with the times that it had.
func restoreRun(tx *db.Tx, item *store.RunItem) (created bool, err error) {
	if graph.NodeID(tx, memory.KindRun, item.Key) != 0 {
		return false, nil
	}
	id := ensureRun(tx, item.Key, item.StartedAt)
	tx.Exec(`UPDATE runs SET completed_at = :at WHERE id = :id`, db.Arg("id", id), db.Arg("at", item.CompletedAt))
	return true, nil
}

func restorePattern(tx *db.Tx, item *store.PatternItem) (created bool, err error) {
	if graph.NodeID(tx, memory.KindPattern, item.Key) != 0 {
		return false, nil
	}
	learn(tx, &judging.LearnedPattern{Pattern: item.Pattern, Sections: item.Sections}, item.LastSeen)
	return true, nil
}

func restoreSectionType(tx *db.Tx, item *store.SectionTypeItem) {
	tx.Put(insertingSectionType, sectionType(item), db.Arg("key", item.Key()))
}

// restoreJudgeThreshold keeps a threshold unless what is there is as late.
func restoreJudgeThreshold(tx *db.Tx, item *store.JudgeThresholdItem) {
	putJudgeThreshold(tx, &item.JudgeThreshold, ` WHERE excluded.at > judge_thresholds.at`)
}

func restoreSpan(tx *db.Tx, item *store.SpanItem) {
	data, err := memory.JSONOf(&item.HeldSpan)
	tx.Fail(err)
	addSpan(tx, &item.HeldSpan, item.ArrivedAt, data)
}

// inputKey is what tombstones are made with.
type inputKey []byte

// inputKeyOf reads it, a write of many records once.
func inputKeyOf(tx *db.Tx) []byte {
	known := db.Part[inputKey](tx)
	if known != nil && *known != nil {
		return *known
	}
	key := db.Ask(tx, schema.EnsureInputKey)
	if known != nil {
		*known = key
	}
	return key
}

func restoreTombstone(tx *db.Tx, hash store.Tombstone) {
	tx.Adds(`tombstones`)
	tx.Exec(`INSERT INTO tombstones (hash) VALUES (:hash) ON CONFLICT DO NOTHING`, db.Arg("hash", []byte(hash)))
}

const ofTombstone = ` FROM tombstones WHERE hash = :hash`

// tombstonesOfIDs reads the tombstones of ids.
func (t *Tenant) tombstonesOfIDs(ctx context.Context, ids []string) ([]*store.Tombstone, error) {
	found := make([]*store.Tombstone, len(ids))
	return found, t.file.Read(ctx, func(c *db.Conn) error {
		key, err := schema.InputKey(c)
		for i := 0; i < len(ids) && err == nil; i++ {
			hash := memory.Tombstone(key, ids[i])
			_, err = c.One(`SELECT 1`+ofTombstone, func(*db.Row) { found[i] = new(store.Tombstone(hash)) }, db.Arg("hash", hash))
		}
		return err
	})
}
