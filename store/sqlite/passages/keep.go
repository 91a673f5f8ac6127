package passages

import (
	"maps"
	"slices"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store/sqlite/db"
)

// waiting are the records of a write of many, whose passages are made at its end: the index of words keeps in memory
// what comes in order of ids, and writes it out at anything else.
type waiting map[int64]memory.Kind

// Index makes the passages of a written record, in place of its former ones; within a write of many, Write does.
func Index(tx *db.Tx, kind memory.Kind, node int64) {
	if later := db.Part[waiting](tx); later != nil {
		if *later == nil {
			*later = waiting{}
		}
		(*later)[node] = kind
		return
	}
	indexAll(tx, waiting{node: kind})
}

// Write makes the passages of the records of a write of many.
func Write(tx *db.Tx) {
	if later := db.Part[waiting](tx); later != nil {
		kinds := *later
		*later = nil
		indexAll(tx, kinds)
	}
}

// indexAll makes the passages of nodes.
func indexAll(tx *db.Tx, kinds waiting) {
	nodes := slices.Sorted(maps.Keys(kinds))
	const find = `SELECT o.node FROM json_each(:nodes) w CROSS JOIN passage_owners o ON o.node = w.value`
	known := tx.IDs(find, db.List("nodes", nodes))
	changes := make([]change, 0, len(nodes))
	for _, node := range nodes {
		wanted := db.Ask(tx, func(c *db.Conn) (*record, error) { return read(c, kinds[node], node) })
		if tx.Err() != nil {
			return
		}
		var there []split.Kept
		if _, ok := slices.BinarySearch(known, node); ok {
			there = db.Ask(tx, func(c *db.Conn) ([]split.Kept, error) { return keptOf(c, node, tx.Vectors) })
		}
		changes = append(changes, wanted.become(there))
	}
	apply(tx, changes)
}

// become is the change of a record's passages to what it says now.
func (r *record) become(there []split.Kept) change {
	c := change{owner: r.owner, Change: split.Become(there, r.said, r.leftOut)}
	for _, k := range c.Moved {
		if k.Stale { // what is in memory is kept up to date by new ids
			c.Gone, c.Added = append(c.Gone, k.ID), append(c.Added, split.Numbered{Number: k.Number, Passage: k.Passage})
		}
	}
	c.Moved = slices.DeleteFunc(c.Moved, func(k split.Kept) bool { return k.Stale })
	return c
}

// Append adds the passages of a part of a log to those of an episode.
func Append(tx *db.Tx, episode int64, part []memory.Event) {
	if db.Part[waiting](tx) != nil {
		Index(tx, memory.KindEpisode, episode)
		return
	}
	said := split.OfEvents(part)
	texts := make([]string, len(said))
	for i := range said {
		texts[i] = said[i].Text
	}
	const find = `SELECT id, number, CASE WHEN text IN (SELECT value FROM json_each(:texts)) THEN text END FROM passages WHERE node = :node ORDER BY number`
	there := db.Rows(tx, find, func(r *db.Row) split.Kept {
		return split.Kept{ID: r.Integer(), Number: r.Int(), Passage: memory.Passage{Text: r.AnyText()}}
	}, db.Arg("node", episode), db.List("texts", texts))
	d := change{owner: owner{node: episode, kind: memory.KindEpisode}}
	d.Change = split.Append(there, said, d.owner.read(tx))
	apply(tx, []change{d})
}

// keptOf reads the passages of a record; where vectors are made, those are stale that have none.
func keptOf(c *db.Conn, node int64, withVectors bool) ([]split.Kept, error) {
	const find = `SELECT id, number, code IS NULL AND :vectors, part, position, step, at, text FROM passages WHERE node = :node ORDER BY number`
	return db.All(c, find, func(r *db.Row) split.Kept {
		return split.Kept{ID: r.Integer(), Number: r.Int(), Stale: r.Bool(), Passage: memory.Passage{
			Part: memory.Part(r.AnyText()), Position: r.Int(), Step: r.AnyText(), At: r.AnyTime(), Text: r.AnyText(),
		}}
	}, db.Arg("node", node), db.Arg("vectors", withVectors))
}
