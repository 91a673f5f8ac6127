package sqlite

import (
	"context"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/forgetting"
	"mneme/store/profiles"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// Delete deletes what is of a kind, in parts.
func (t *Tenant) Delete(ctx context.Context, kind memory.Kind, keys []string) (int, error) {
	switch {
	case !t.file.IsNothing():
		return forgetting.Delete(ctx, &eraser{Tenant: t}, kind, keys)
	case kind == memory.KindAgent || kind == memory.KindMemoir:
		return 0, store.ErrNotFound
	}
	return 0, ctx.Err()
}

// CountSaid counts what a person said.
func (t *Tenant) CountSaid(ctx context.Context, person string) (int, error) {
	return forgetting.CountSaid(ctx, &eraser{Tenant: t}, person)
}

// PruneObservations removes what weighs too little, in parts.
func (t *Tenant) PruneObservations(ctx context.Context, p store.Pruning) (int, error) {
	if p.DryRun {
		w := graph.Lighter(&p)
		return t.count(ctx, `SELECT count(*) FROM observations x WHERE `+w.SQL(), w.Args)
	}
	return forgetting.Prune(ctx, &eraser{Tenant: t}, &p)
}

// eraser is a tenant as package forgetting has it.
type eraser struct {
	*Tenant
	rested time.Time
}

// Another process that waits to write asks every 100 ms whether it can.
const (
	restAfter = 100 * time.Millisecond
	rest      = 120 * time.Millisecond
)

// Part lets others write in between.
func (e *eraser) Part(ctx context.Context, do func(forgetting.Tx) error) error {
	if e.rested.IsZero() {
		e.rested = time.Now()
	} else if time.Since(e.rested) > restAfter {
		time.Sleep(rest)
		e.rested = time.Now()
	}
	return e.file.Erase(ctx, func(tx *db.Tx) error { return do(&erasure{linkerOf(tx)}) })
}

// dependents finds what depends on a record. An unreadable episode may be only the link that says whose it is.
var dependents = map[forgetting.Dependents]string{
	forgetting.EpisodesOf: `WITH a (id) AS (SELECT id FROM nodes WHERE kind = 'agent' AND key = :of)
		SELECT n.key FROM (SELECT e.id FROM a JOIN episodes e ON e.agent = a.id UNION SELECT r.target FROM a JOIN edges r ON r.source = a.id AND r.type = 'RAN') d
		JOIN nodes n ON n.id = d.id LEFT JOIN episodes e ON e.id = n.id ORDER BY coalesce(e.ended_at, e.started_at)`,
	forgetting.ExecutionsOf: `SELECT n.key FROM nodes p JOIN edges o ON o.target = p.id AND o.type = 'OF' JOIN nodes n ON n.id = o.source
		WHERE ` + itsProfiles + ` AND n.key NOT GLOB 'episode:*' ORDER BY o.at`,
	forgetting.ConsolidatedOf:    `SELECT key FROM nodes WHERE kind = 'observation' AND substr(key, 1, length(:of)) = :of`,
	forgetting.ConceptsOf:        `SELECT n.key FROM concepts c JOIN nodes n ON n.id = c.id WHERE c.memoir = ` + ofNode + `'memoir')`,
	forgetting.VerdictsOfSection: `SELECT key FROM verdicts WHERE section = ` + ofNode + `'section')`,
	forgetting.VerdictsOfRun:     `SELECT key FROM verdicts WHERE run = ` + ofNode + `'run')`,
	forgetting.FeedbackBy:        `SELECT n.key FROM feedback x JOIN nodes n ON n.id = x.id WHERE x.created_by = :of`,
	forgetting.CorrectionsBy:     `SELECT n.key FROM corrections x JOIN nodes n ON n.id = x.id WHERE x.created_by = :of`,
	forgetting.VerdictsBy:        `SELECT n.key FROM verdicts x JOIN nodes n ON n.id = x.id WHERE x.labelled_by = :of`,
}

const (
	ofNode = `(SELECT id FROM nodes WHERE key = :of AND kind = `
	// The keys of an agent's profiles p begin with that of the one for no type.
	itsProfiles = `p.kind = 'learningProfile' AND p.key >= :of AND substr(p.key, 1, length(:of)) = :of`
)

// Find finds what depends on a record.
func (e *eraser) Find(ctx context.Context, what forgetting.Dependents, of string) ([]string, error) {
	if what == forgetting.ExecutionsOf {
		of = memory.ProfileKey(of, "")
	}
	return answer(ctx, e.file.Snapshot, func(c *db.Conn) ([]string, error) {
		return db.AllWithin(ctx, c, dependents[what], (*db.Row).Text, db.Arg("of", of))
	})
}

// FindTraces shows the spans that are held.
func (e *eraser) FindTraces(ctx context.Context, to *store.AgentTraces) error {
	const find = `SELECT trace, EXISTS (SELECT 1 FROM nodes WHERE kind = 'episode' AND key = trace), span, data FROM spans ORDER BY trace`
	return e.each(ctx, find, func(r *db.Row) {
		trace, recorded := r.Text(), r.Bool()
		held := readHeldSpan(r, trace)
		if r.Err == nil {
			to.Add(&held, recorded)
			return
		}
		data, _ := r.Named("data").(string)
		to.AddUnread(trace, []byte(data), recorded)
		r.Err = nil
	})
}

// Loosen has nothing to do: links and logs go with their records, however many.
func (e *eraser) Loosen(context.Context, memory.Kind, []string) error { return nil }

// Light finds what weighs too little.
func (e *eraser) Light(ctx context.Context, p *store.Pruning) ([]string, error) {
	w := graph.Lighter(p)
	return answer(ctx, e.file.Snapshot, func(c *db.Conn) ([]string, error) {
		return db.AllWithin(ctx, c, `SELECT n.key FROM observations x JOIN nodes n ON n.id = x.id WHERE `+w.SQL(), (*db.Row).Text, w.Args...)
	})
}

// erasure is a write as packages forgetting and restoring have it.
type erasure struct{ *linker }

// Learning deletes what was learned.
func (e *erasure) Learning() profiles.Tx { return learning.Write(e.Tx) }

func (e *erasure) Bury(ids ...string) error {
	key := inputKeyOf(e.Tx)
	for _, id := range ids {
		restoreTombstone(e.Tx, memory.Tombstone(key, id))
	}
	return e.Err()
}

// nodes are those of records that are there, which are about to be deleted.
func (e *erasure) nodes(kind memory.Kind, keys []string) []int64 {
	return graph.NodesOf(e.Tx, kind, keys)
}

// texts are the texts that a query of nodes gives.
func (e *erasure) texts(find string, nodes []int64) []string {
	return db.Rows(e.Tx, find, (*db.Row).Text, db.List("nodes", nodes))
}

func (e *erasure) Hold(kind memory.Kind, keys []string) ([]forgetting.Held, error) {
	const find = `SELECT n.key, coalesce(o.key, ''), (SELECT count(*) FROM canvas_actions WHERE canvas = n.id),
			CASE WHEN f.score BETWEEN -1 AND 1 THEN f.score ELSE 0.0 END, f.score IS NOT NULL AND f.replaced_at IS NULL
		FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = :kind AND n.key = w.value
		LEFT JOIN edges p ON p.target = n.id AND p.type IN ('PRESENTED', 'RECEIVED') LEFT JOIN nodes o ON o.id = p.source LEFT JOIN feedback f ON f.id = n.id`
	return db.Rows(e.Tx, find, func(r *db.Row) forgetting.Held {
		return forgetting.Held{Key: r.Text(), Episode: r.Text(), Actions: r.Int(), Score: r.Sum(), Counts: r.Bool()}
	}, db.List("keys", keys), db.Arg("kind", string(kind))), e.Err()
}

func (e *erasure) DetachFeedback(keys []string, waitAgain bool) error {
	canvases := e.nodes(memory.KindCanvas, keys)
	if waitAgain {
		awaitCanvases(e.Tx, canvases)
	} else {
		const unname = `DELETE FROM edges WHERE type = 'ON' AND target IN (SELECT value FROM json_each(:canvases))`
		e.Exec(unname, db.List("canvases", canvases))
	}
	return e.Err()
}

// awaitCanvases lets the feedback of others on canvases of an episode wait for those again.
func awaitCanvases(tx *db.Tx, canvases []int64) {
	const add = `INSERT INTO waiting (kind, key, node)
		SELECT v.kind, v.key, o.source FROM json_each(:canvases) w
			JOIN nodes v ON v.id = w.value
			JOIN edges p ON p.target = v.id AND p.type = 'PRESENTED'
			JOIN edges o ON o.target = v.id AND o.type = 'ON'
		WHERE NOT EXISTS (SELECT 1 FROM edges r WHERE r.target = o.source AND r.type = 'RECEIVED' AND r.source = p.source)
		ON CONFLICT DO NOTHING`
	tx.Exec(add, db.List("canvases", canvases))
}

func (e *erasure) LockEpisodes(keys []string) (*forgetting.Episodes, error) {
	const (
		there    = `SELECT key FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))`
		canvases = `SELECT n.key FROM json_each(:nodes) w JOIN edges p ON p.source = w.value AND p.type = 'PRESENTED' JOIN nodes n ON n.id = p.target`
	)
	nodes, all := e.nodes(memory.KindEpisode, keys), &forgetting.Episodes{}
	all.There, all.Canvases = e.texts(there, nodes), e.texts(canvases, nodes)
	all.Executions = e.texts(there, e.nodes(memory.KindExecution, memory.Mapped(all.There, memory.EpisodeExecutionKey)))
	all.Profiles = learning.ProfilesOf(e.Tx, all.Executions)
	return all, e.Err()
}

func (e *erasure) DeleteEpisodes(keys []string) ([]string, error) {
	const (
		release = `DELETE FROM spans WHERE trace IN (SELECT key FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes)))`
		owned   = `SELECT target FROM json_each(:nodes) w JOIN edges e ON e.source = w.value AND e.type IN ('PRESENTED', 'RECEIVED')`
		named   = `SELECT ref FROM nodes WHERE id IN (SELECT value FROM json_each(:nodes))`
	)
	nodes := e.nodes(memory.KindEpisode, keys)
	e.Exec(release, db.List("nodes", nodes))
	own := e.IDs(owned, db.List("nodes", nodes))
	awaitCanvases(e.Tx, own)
	ids := e.texts(named, own)
	graph.DeleteNodes(e.Tx, append(nodes, own...))
	return ids, e.Err()
}

func (e *erasure) ProfilesOf(executions []string) ([]string, error) {
	return learning.ProfilesOf(e.Tx, executions), e.Err()
}

func (e *erasure) Unsay(verdicts []string) (sections, runs []string, err error) {
	const (
		unsay = `UPDATE patterns SET description = issue_code, said_at = NULL WHERE id IN (
			SELECT p.id FROM verdicts k JOIN json_each(k.issues) i JOIN patterns p ON p.section_type = k.section_type AND p.kind = 'DONT'
				AND p.issue_code = i.value ->> 'code' AND p.said_at = k.at
			WHERE k.id IN (SELECT value FROM json_each(:verdicts)))`
		within = `SELECT key FROM nodes WHERE id IN (SELECT %s FROM verdicts WHERE id IN (SELECT value FROM json_each(:nodes)))`
	)
	nodes := e.nodes(memory.KindVerdict, verdicts)
	e.Exec(unsay, db.List("verdicts", nodes))
	return e.texts(fmt.Sprintf(within, "section"), nodes), e.texts(fmt.Sprintf(within, "run"), nodes), e.Err()
}

func (e *erasure) Unlabel(person string, verdicts []string) (int, error) {
	const labelled = ` verdicts WHERE labelled_by = :person AND id IN (SELECT value FROM json_each(:verdicts))`
	nodes := db.List("verdicts", e.nodes(memory.KindVerdict, verdicts))
	found := e.IDs(`SELECT id FROM`+labelled, nodes, db.Arg("person", person))
	e.Exec(`UPDATE verdicts SET label = NULL, labelled_by = NULL WHERE id IN (SELECT value FROM json_each(:verdicts))`, db.List("verdicts", found))
	return len(found), e.Err()
}

// busy are the records that a record n has.
var busy = map[memory.Kind]string{
	memory.KindAgent:   `SELECT 1 FROM episodes WHERE agent = n.id UNION ALL SELECT 1 FROM profiles WHERE agent = n.id`,
	memory.KindMemoir:  `SELECT 1 FROM concepts WHERE memoir = n.id`,
	memory.KindSection: `SELECT 1 FROM verdicts WHERE section = n.id`,
	memory.KindRun:     `SELECT 1 FROM verdicts WHERE run = n.id`,
}

func (e *erasure) Idle(kind memory.Kind, keys []string) ([]string, error) {
	if kind == memory.KindAgent {
		for _, key := range keys {
			e.tidyAgent(key)
		}
	}
	idle := `SELECT n.key FROM nodes n WHERE n.id IN (SELECT value FROM json_each(:nodes)) AND NOT EXISTS (` + busy[kind] + `)`
	return e.texts(idle, e.nodes(kind, keys)), e.Err()
}

// tidyAgent removes what an agent's profiles still count of episodes that are gone, and what is no record any more.
func (e *erasure) tidyAgent(key string) {
	for _, profile := range db.Rows(e.Tx, `SELECT p.key FROM nodes p WHERE `+itsProfiles, (*db.Row).Text, db.Arg("of", memory.ProfileKey(key, ""))) {
		learning.SumUp(e.Tx, profile, true)
	}
	agent := graph.NodeID(e.Tx, memory.KindAgent, key)
	for _, table := range []string{"episodes", "canvases", "profiles"} {
		const remove = `DELETE FROM %s AS x WHERE x.agent = :agent AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = x.id)`
		e.Exec(fmt.Sprintf(remove, table), db.Arg("agent", agent))
	}
}

func (e *erasure) Delete(kind memory.Kind, keys []string) (int, error) {
	nodes := e.nodes(kind, keys)
	graph.DeleteNodes(e.Tx, nodes)
	return len(nodes), e.Err()
}

func (e *erasure) ForgetName(key string) (bool, error) {
	agent := graph.NodeID(e.Tx, memory.KindAgent, key)
	e.Exec(`UPDATE agents SET name = :key WHERE id = :agent`, db.Arg("key", key), db.Arg("agent", agent))
	return agent != 0, e.Err()
}

func (e *erasure) DropTraces(traces []string) (spans int, err error) {
	const held = ` FROM spans WHERE trace IN (SELECT value FROM json_each(:traces))`
	e.One(`SELECT count(*)`+held, func(r *db.Row) { spans = r.Int() }, db.List("traces", traces))
	e.Exec(`DELETE`+held, db.List("traces", traces))
	return spans, e.Err()
}

func (e *erasure) StillLight(p *store.Pruning, keys []string) ([]string, error) {
	w := graph.Lighter(p)
	find := `SELECT n.key FROM json_each(:nodes) o CROSS JOIN observations x ON x.id = o.value JOIN nodes n ON n.id = x.id WHERE ` + w.SQL()
	return db.Rows(e.Tx, find, (*db.Row).Text, append(w.Args, db.List("nodes", e.nodes(memory.KindObservation, keys)))...), e.Err()
}
