package sqlite

import (
	"context"
	"fmt"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// Delete deletes records of a kind, in parts.
func (t *Tenant) Delete(ctx context.Context, kind memory.Kind, keys []string) (int, error) {
	forget, can := forgetting[kind]
	if !can {
		return 0, fmt.Errorf("%w: a %s is not deleted by its key", store.ErrInvalid, kind)
	}
	keys, err := store.Known(ctx, t, kind, keys)
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	return t.file.InParts(ctx, func(tx *db.Tx) (gone int, done bool, err error) {
		passed, gone := forget(tombstonesOf(tx), keys)
		keys = keys[passed:]
		return gone, len(keys) == 0, nil
	})
}

// forgetting deletes the next of some records of a kind. It says how many keys it is done with, and how many records
// there were.
var forgetting = map[memory.Kind]func(g tombstones, keys []string) (passed, gone int){
	memory.KindEpisode:     func(g tombstones, keys []string) (passed, gone int) { return g.forgetEpisodes(keys, nil) },
	memory.KindCanvas:      inOnePart(memory.KindCanvas, tombstones.forgetCanvases),
	memory.KindFeedback:    inOnePart(memory.KindFeedback, tombstones.forgetFeedback),
	memory.KindConcept:     inOnePart(memory.KindConcept, tombstones.forgetNodes),
	memory.KindObservation: inOnePart(memory.KindObservation, tombstones.forgetNodes),
	memory.KindCorrection:  inOnePart(memory.KindCorrection, tombstones.forgetNodes),
	memory.KindVerdict:     inOnePart(memory.KindVerdict, tombstones.forgetVerdicts),
	memory.KindSection:     judgedIn(memory.KindSection, verdictsInSection),
	memory.KindRun:         judgedIn(memory.KindRun, verdictsInRun),
	memory.KindExecution: func(g tombstones, keys []string) (passed, gone int) {
		part := keys[:min(maxInPart, len(keys))]
		return len(part), g.forgetExecutions("", part)
	},
}

// inOnePart deletes as many records as go into a part.
func inOnePart(kind memory.Kind, forget func(g tombstones, nodes []int64)) func(g tombstones, keys []string) (passed, gone int) {
	return func(g tombstones, keys []string) (passed, gone int) {
		passed = min(maxInPart, len(keys))
		nodes := g.nodesOf(kind, keys[:passed])
		forget(g, nodes)
		return passed, len(nodes)
	}
}

// A part is up to 100 episodes: some hundred milliseconds where they are long.
const episodesAtOnce = 100

var nextEpisodes = `SELECT w.key, n.id, (SELECT count(*) FROM (
		SELECT 1 FROM edges o WHERE o.source = n.id AND o.type IN ('PRESENTED', 'RECEIVED') LIMIT :most)), ` + bytesOf + `
	FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'episode' AND n.key = w.value
		LEFT JOIN episodes e ON e.id = n.id LEFT JOIN nodes a ON a.id = e.agent AND a.kind = 'agent'
	WHERE :agent IS NULL OR a.id IS NULL OR a.key = :agent ORDER BY w.key`

// forgetEpisodes deletes as many episodes as own no more than goes into a part, of an agent or of any where that is nil. Where
// one owns more, some of that goes first. Feedback of others on their canvases no longer names these where the agent goes, else
// it waits for such canvases again.
func (g tombstones) forgetEpisodes(keys []string, agent *string) (passed, gone int) {
	part := keys[:min(episodesAtOnce, len(keys))]
	var own []int64
	owned, bytes, rich := 0, int64(0), -1 // at which one owns more
	passed = len(part)
	g.Each(nextEpisodes, func(r *db.Row) {
		at, id, more := r.Int(), r.Integer(), r.Int()
		owned, bytes = owned+more, bytes+r.Integer()
		if (owned > maxInPart || bytes > bytesInPart) && len(own) > 0 {
			passed = min(passed, at)
			return
		}
		if more > maxInPart {
			rich = at
		}
		own = append(own, id)
	}, db.List("keys", part), db.Arg("agent", agent), db.Arg("most", maxInPart+1))
	if rich < 0 {
		deleteEpisodes(g.Tx, own, agent == nil, g.forgetNodes)
		return passed, len(own)
	}
	g.add(memory.NodeID(memory.KindEpisode, part[rich])) // before what is of it goes
	some := g.IDs(ownedByEpisode, db.Arg("episode", own[0]), db.Arg("limit", maxInPart))
	if agent == nil {
		awaitCanvases(g.Tx, some)
	}
	graph.Discount(g.Tx, some)
	g.forgetNodes(some)
	return 0, 0
}

const (
	verdictsInSection = `SELECT id FROM verdicts WHERE section = :id LIMIT :limit`
	verdictsInRun     = `SELECT id FROM verdicts WHERE run = :id LIMIT :limit`
)

// judgedIn deletes a section or a run with as many of its verdicts as go into a part; it goes with the last.
func judgedIn(kind memory.Kind, verdictsIn string) func(g tombstones, keys []string) (passed, gone int) {
	return func(g tombstones, keys []string) (passed, gone int) {
		id := graph.NodeID(g.Tx, kind, keys[0])
		if id == 0 { // another deleted it meanwhile
			return 1, 0
		}
		verdicts := g.IDs(verdictsIn, db.Arg("id", id), db.Arg("limit", maxInPart))
		if g.forgetVerdicts(verdicts); len(verdicts) == maxInPart {
			return 0, 0
		}
		g.forgetNodes([]int64{id}) // where it had none
		return 1, 1
	}
}

// forgetVerdicts deletes verdicts, and then the sections and runs that have no others.
func (g tombstones) forgetVerdicts(verdicts []int64) {
	const unsay = `UPDATE patterns SET description = issue_code, said_at = NULL WHERE id IN (
		SELECT p.id FROM verdicts k JOIN json_each(k.issues) i JOIN patterns p ON p.section_type = k.section_type AND p.kind = 'DONT'
			AND p.issue_code = i.value ->> 'code' AND p.said_at = k.at
		WHERE k.id IN (SELECT value FROM json_each(:verdicts)))`
	list := db.List("verdicts", verdicts)
	g.Exec(unsay, list)
	const within = `SELECT section FROM verdicts WHERE id IN (SELECT value FROM json_each(:verdicts))
		UNION SELECT run FROM verdicts WHERE id IN (SELECT value FROM json_each(:verdicts))`
	owners := g.IDs(within, list)
	g.forgetNodes(verdicts)
	const empty = `SELECT value FROM json_each(:owners) WHERE NOT EXISTS (SELECT 1 FROM verdicts WHERE section = value)
		AND NOT EXISTS (SELECT 1 FROM verdicts WHERE run = value)`
	g.forgetNodes(g.IDs(empty, db.List("owners", owners)))
}

// forgetCanvases takes canvases out of the counts of their episodes and deletes them. Feedback on them stays with its
// episode.
func (g tombstones) forgetCanvases(canvases []int64) {
	const unname = `DELETE FROM edges WHERE type = 'ON' AND target IN (SELECT value FROM json_each(:canvases))`
	g.Exec(unname, db.List("canvases", canvases))
	graph.Discount(g.Tx, canvases)
	g.forgetNodes(canvases)
}

// DeleteMemoir deletes a memoir with its concepts, in parts.
func (t *Tenant) DeleteMemoir(ctx context.Context, key string) (concepts int, err error) {
	if t.file.IsNothing() {
		return 0, store.ErrNotFound
	}
	began := false
	return t.file.InParts(ctx, func(tx *db.Tx) (gone int, done bool, err error) {
		memoir := graph.NodeID(tx, memory.KindMemoir, key)
		switch {
		case memoir == 0 && !began:
			return 0, false, store.ErrNotFound
		case memoir == 0: // another deleted it meanwhile
			return 0, true, nil
		}
		began = true
		g := tombstonesOf(tx)
		g.add(memory.NodeID(memory.KindMemoir, key))
		some := g.IDs(`SELECT id FROM concepts WHERE memoir = :memoir LIMIT :limit`, db.Arg("memoir", memoir), db.Arg("limit", maxInPart))
		if g.forgetNodes(some); len(some) < maxInPart {
			g.forgetNodes([]int64{memoir})
		}
		return len(some), len(some) < maxInPart, nil
	})
}

const (
	ownEpisodes = `WITH own (id) AS (SELECT value FROM json_each(:own))
		SELECT id FROM own UNION ALL
		SELECT e.target FROM own JOIN edges e ON e.source = own.id AND e.type IN ('PRESENTED', 'RECEIVED')`
	releaseSpans = `DELETE FROM spans WHERE trace IN (SELECT key FROM nodes WHERE id IN (SELECT value FROM json_each(:own)))`
)

// deleteEpisodes deletes episodes with what they own. Awaited says that feedback of others waits for their canvases; remove
// deletes the nodes.
func deleteEpisodes(tx *db.Tx, own []int64, awaited bool, remove func(nodes []int64)) {
	list := db.List("own", own)
	tx.Exec(releaseSpans, list)
	var executions []string
	tx.Each(`SELECT ref FROM nodes WHERE id IN (SELECT value FROM json_each(:own))`, func(r *db.Row) { executions = append(executions, r.Text()) }, list)
	learning.Delete(tx, executions) // which have the ids of the episodes as their keys
	all := tx.IDs(ownEpisodes, list)
	if awaited {
		awaitCanvases(tx, all)
	}
	remove(all)
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

// ownedByEpisode reads on in the order of the links, which no part of a deletion sorts: all that is left of 100,000. Feedback comes
// first, which may be on its canvases.
const ownedByEpisode = `SELECT target FROM edges WHERE source = :episode AND type IN ('PRESENTED', 'RECEIVED')
	ORDER BY type DESC, target_ref DESC LIMIT :limit`
