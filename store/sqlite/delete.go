package sqlite

import (
	"context"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// Delete deletes records of a kind, in parts.
func (t *Tenant) Delete(ctx context.Context, kind memory.Kind, keys []string) (count int, err error) {
	forget, can := forgetting[kind]
	if !can {
		return 0, fmt.Errorf("%w: a %s is not deleted by its key", store.ErrInvalid, kind)
	}
	if keys, err = store.Known(ctx, t, kind, keys); err != nil || len(keys) == 0 {
		return 0, err
	}
	if _, err := t.InputKey(ctx); err != nil { // tombstones are made with it
		return 0, err
	}
	err = t.file.InParts(ctx, func(c *db.Conn) (done bool, err error) {
		g, err := tombstonesOf(c)
		if err != nil {
			return false, err
		}
		passed, gone, err := forget(g, ctx, keys)
		keys, count = keys[passed:], count+gone
		return len(keys) == 0, err
	})
	return count, err
}

// forgetting deletes the next of some records of a kind. It says how many keys it is done with, and how many records
// there were.
var forgetting = map[memory.Kind]func(g tombstones, ctx context.Context, keys []string) (passed, gone int, err error){
	memory.KindEpisode:     tombstones.forgetSomeEpisodes,
	memory.KindCanvas:      inOnePart(memory.KindCanvas, tombstones.forgetCanvases),
	memory.KindFeedback:    inOnePart(memory.KindFeedback, tombstones.forgetFeedback),
	memory.KindConcept:     inOnePart(memory.KindConcept, tombstones.forgetNodes),
	memory.KindObservation: inOnePart(memory.KindObservation, tombstones.forgetNodes),
	memory.KindCorrection:  inOnePart(memory.KindCorrection, tombstones.forgetNodes),
	memory.KindVerdict:     inOnePart(memory.KindVerdict, tombstones.forgetVerdicts),
	memory.KindSection:     judgedIn(memory.KindSection, verdictsInSection),
	memory.KindRun:         judgedIn(memory.KindRun, verdictsInRun),
	memory.KindExecution: func(g tombstones, ctx context.Context, keys []string) (passed, gone int, err error) {
		passed = min(mostInPart, len(keys))
		gone, err = g.forgetExecutions(ctx, nil, keys[:passed])
		return passed, gone, err
	},
}

// inOnePart deletes as many records as go into a part.
func inOnePart(kind memory.Kind, forget func(g tombstones, nodes []int64) error) func(g tombstones, ctx context.Context, keys []string) (passed, gone int, err error) {
	return func(g tombstones, ctx context.Context, keys []string) (passed, gone int, err error) {
		passed = min(mostInPart, len(keys))
		nodes, err := g.nodesOf(ctx, kind, keys[:passed])
		if err != nil {
			return 0, 0, err
		}
		return passed, len(nodes), forget(g, nodes)
	}
}

// forgetSomeEpisodes deletes as many episodes as own no more than goes into a part. Where one owns more, some of
// that goes first.
func (g tombstones) forgetSomeEpisodes(ctx context.Context, keys []string) (passed, gone int, err error) {
	owned, bytes := 0, int64(0)
	for ; passed < min(episodesAtOnce, len(keys)); passed++ {
		id := int64(0)
		there, err := g.One(`SELECT n.id, `+bytesOf+` FROM nodes n WHERE n.kind = 'episode' AND n.key = :key`, func(r *db.Row) {
			id, bytes = r.Integer(), bytes+r.Integer()
		}, db.Arg("key", keys[passed]))
		if err != nil {
			return 0, 0, err
		}
		if !there { // another deleted it meanwhile
			continue
		}
		if bytes > bytesInPart && gone > 0 {
			return passed, gone, nil
		}
		more, err := ownedNodes(ctx, g.Conn, id, mostInPart+1)
		if err != nil {
			return 0, 0, err
		}
		owned += len(more)
		switch {
		case owned > mostInPart && gone > 0:
			return passed, gone, nil
		case owned > mostInPart:
			if err := g.add(memory.NodeID(memory.KindEpisode, keys[passed])); err != nil { // before what is of it goes
				return 0, 0, err
			}
			if err := awaitCanvases(g.Conn, more); err != nil {
				return 0, 0, err
			}
			return passed, 0, g.forgetOwned(more)
		}
		if err := deleteEpisode(g.Conn, id, keys[passed], g.forgetNodes); err != nil {
			return 0, 0, err
		}
		gone++
	}
	return passed, gone, nil
}

const (
	verdictsInSection = `SELECT id FROM verdicts WHERE section = :id LIMIT :limit`
	verdictsInRun     = `SELECT id FROM verdicts WHERE run = :id LIMIT :limit`
)

// judgedIn deletes a section or a run with as many of its verdicts as go into a part; it goes with the last.
func judgedIn(kind memory.Kind, verdictsIn string) func(g tombstones, ctx context.Context, keys []string) (passed, gone int, err error) {
	return func(g tombstones, ctx context.Context, keys []string) (passed, gone int, err error) {
		id, err := graph.NodeID(g.Conn, kind, keys[0])
		if err != nil || id == 0 { // another deleted it meanwhile
			return 1, 0, err
		}
		verdicts, err := db.AllWithin(ctx, g.Conn, verdictsIn, (*db.Row).Integer, db.Arg("id", id), db.Arg("limit", mostInPart))
		if err != nil {
			return 0, 0, err
		}
		if err := g.forgetVerdicts(verdicts); err != nil || len(verdicts) == mostInPart {
			return 0, 0, err
		}
		return 1, 1, g.forgetNodes([]int64{id}) // where it had none
	}
}

// forgetVerdicts deletes verdicts, and then the sections and runs that have no others.
func (g tombstones) forgetVerdicts(verdicts []int64) error {
	const unsay = `UPDATE patterns SET description = issue_code, said_at = NULL WHERE id IN (
		SELECT p.id FROM verdicts k JOIN json_each(k.issues) i JOIN patterns p ON p.section_type = k.section_type AND p.kind = 'DONT'
			AND p.issue_code = i.value ->> 'code' AND p.description = i.value ->> 'message'
		WHERE k.id IN (SELECT value FROM json_each(:verdicts)))`
	if err := g.Exec(unsay, db.Arg("verdicts", db.JSONOf(verdicts))); err != nil {
		return err
	}
	const within = `SELECT section FROM verdicts WHERE id IN (SELECT value FROM json_each(:verdicts))
		UNION SELECT run FROM verdicts WHERE id IN (SELECT value FROM json_each(:verdicts))`
	owners, err := db.All(g.Conn, within, (*db.Row).Integer, db.Arg("verdicts", db.JSONOf(verdicts)))
	if err != nil {
		return err
	}
	if err := g.forgetNodes(verdicts); err != nil {
		return err
	}
	const empty = `SELECT value FROM json_each(:owners) WHERE NOT EXISTS (SELECT 1 FROM verdicts WHERE section = value)
		AND NOT EXISTS (SELECT 1 FROM verdicts WHERE run = value)`
	left, err := db.All(g.Conn, empty, (*db.Row).Integer, db.Arg("owners", db.JSONOf(owners)))
	if err != nil {
		return err
	}
	return g.forgetNodes(left)
}

// forgetCanvases takes canvases out of the counts of their episodes and deletes them. Feedback on them stays with its
// episode.
func (g tombstones) forgetCanvases(canvases []int64) error {
	list := db.JSONOf(canvases)
	const unname = `DELETE FROM edges WHERE type = 'ON' AND target IN (SELECT value FROM json_each(:canvases))`
	if err := g.Exec(unname, db.Arg("canvases", list)); err != nil {
		return err
	}
	for _, canvas := range canvases {
		if err := graph.MoveCanvas(g.Conn, canvas, 0); err != nil {
			return err
		}
	}
	return g.forgetNodes(canvases)
}

// DeleteMemoir deletes a memoir with its concepts, in parts.
func (t *Tenant) DeleteMemoir(ctx context.Context, key string) (concepts int, err error) {
	if t.file.IsNothing() {
		return 0, store.ErrNotFound
	}
	if _, err := t.InputKey(ctx); err != nil { // tombstones are made with it
		return 0, err
	}
	began := false
	err = t.file.InParts(ctx, func(c *db.Conn) (done bool, err error) {
		memoir, err := graph.NodeID(c, memory.KindMemoir, key)
		switch {
		case err != nil:
			return false, err
		case memoir == 0 && !began:
			return false, store.ErrNotFound
		case memoir == 0: // another deleted it meanwhile
			return true, nil
		}
		began = true
		g, err := tombstonesOf(c)
		if err != nil {
			return false, err
		}
		gone, err := g.forgetConceptsOf(ctx, memoir, key)
		concepts += gone
		if err != nil || gone == mostInPart {
			return false, err
		}
		return true, g.forgetNodes([]int64{memoir})
	})
	return concepts, err
}

// forgetConceptsOf deletes some concepts of a memoir, which has its tombstone then.
func (g tombstones) forgetConceptsOf(ctx context.Context, memoir int64, key string) (gone int, err error) {
	if err := g.add(memory.NodeID(memory.KindMemoir, key)); err != nil {
		return 0, err
	}
	var part []int64
	part, err = db.AllWithin(ctx, g.Conn, `SELECT id FROM concepts WHERE memoir = :memoir LIMIT :limit`, (*db.Row).Integer, db.Arg("memoir", memoir), db.Arg("limit", mostInPart))
	if err != nil {
		return 0, err
	}
	return len(part), g.forgetNodes(part)
}

// deleteEpisode deletes an episode with what it owns; remove deletes the nodes.
func deleteEpisode(c *db.Conn, id int64, key string, remove func(nodes []int64) error) error {
	if err := c.Exec(`DELETE FROM spans WHERE trace = :key`, db.Arg("key", key)); err != nil {
		return err
	}
	canvases, err := graph.TargetsOf(c, id, graph.EdgePresented)
	if err != nil {
		return err
	}
	feedback, err := graph.TargetsOf(c, id, graph.EdgeReceived)
	if err != nil {
		return err
	}
	if err := awaitCanvases(c, canvases); err != nil {
		return err
	}
	executions, anew, err := learning.DiscountEpisode(c, id)
	if err != nil {
		return err
	}
	if err := remove(slices.Concat([]int64{id}, canvases, feedback, executions)); err != nil {
		return err
	}
	for _, profile := range anew {
		if err := learning.Rebuild(c, profile); err != nil {
			return err
		}
	}
	return nil
}

// awaitCanvases lets the feedback of others on canvases of an episode wait for those again.
func awaitCanvases(c *db.Conn, canvases []int64) error {
	const add = `INSERT INTO waiting (kind, key, node)
		SELECT v.kind, v.key, o.source FROM json_each(:canvases) w
			JOIN nodes v ON v.id = w.value
			JOIN edges p ON p.target = v.id AND p.type = 'PRESENTED'
			JOIN edges o ON o.target = v.id AND o.type = 'ON'
		WHERE NOT EXISTS (SELECT 1 FROM edges r WHERE r.target = o.source AND r.type = 'RECEIVED' AND r.source = p.source)
		ON CONFLICT DO NOTHING`
	list := db.JSONOf(canvases)
	return c.Exec(add, db.Arg("canvases", list))
}

// ownedByEpisode reads on in the order of the links, which no part of a deletion sorts: all that is left of 100,000.
const ownedByEpisode = `SELECT target FROM edges WHERE source = :episode AND type IN ('PRESENTED', 'RECEIVED')
	ORDER BY type DESC, target_ref DESC LIMIT :limit`

// ownedNodes are what an episode owns: feedback first, which may be on its canvases. There is no more of it
// than a limit.
func ownedNodes(ctx context.Context, c *db.Conn, episode int64, limit int) (owned []int64, err error) {
	return db.AllWithin(ctx, c, ownedByEpisode, (*db.Row).Integer, db.Arg("episode", episode), db.Arg("limit", limit))
}

// removeFromEpisode takes nodes out of the aggregates of the episode that owns them, before they are deleted.
func removeFromEpisode(c *db.Conn, owned []int64) error {
	for _, id := range owned {
		if err := graph.MoveFeedback(c, id, 0); err != nil {
			return err
		}
		if err := graph.MoveCanvas(c, id, 0); err != nil {
			return err
		}
	}
	return nil
}
