package passages

import (
	"maps"
	"slices"
	"sync"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store/sqlite/db"
)

// waiting are the records of a write of many, whose passages are made at its end: the index of words keeps in memory
// what comes in order of ids, and writes it out at anything else. Words and vectors are made beside the write.
type waiting struct {
	kinds   map[int64]memory.Kind
	records map[int64]*record // those that were read; the others are read at the end
	part    []*record         // the last of them, which nobody works at yet
	making  sync.WaitGroup
}

// recordsTogether are worth a wait for a processor.
const recordsTogether = 16

// know notes a record, to be read at the end.
func (w *waiting) know(kind memory.Kind, node int64) {
	if w.kinds == nil {
		w.kinds, w.records = map[int64]memory.Kind{}, map[int64]*record{}
	}
	w.kinds[node] = kind
	delete(w.records, node)
}

func (w *waiting) add(tx *db.Tx, kind memory.Kind, node int64) {
	w.know(kind, node)
	found := readIn(tx, kind, node)
	w.records[node], w.part = found, append(w.part, found)
	if len(w.part) == recordsTogether {
		w.make(tx.Vectors)
	}
}

func (w *waiting) make(withVectors bool) {
	part := w.part
	w.part = nil
	w.making.Go(func() {
		for _, r := range part {
			r.make(withVectors)
		}
	})
}

// Index makes the passages of a written record, in place of its former ones; within a write of many, Write does.
func Index(tx *db.Tx, kind memory.Kind, node int64) {
	if later := db.Part[waiting](tx); later != nil {
		later.add(tx, kind, node)
		return
	}
	indexAll(tx, map[int64]memory.Kind{node: kind}, nil)
}

// Write makes the passages of the records of a write of many.
func Write(tx *db.Tx) {
	if later := db.Part[waiting](tx); later != nil {
		later.making.Wait()
		kinds, records := later.kinds, later.records
		later.kinds, later.records, later.part = nil, nil, nil // the last few are made with the others
		indexAll(tx, kinds, records)
	}
}

// indexAll makes the passages of nodes, of which some were read.
func indexAll(tx *db.Tx, kinds map[int64]memory.Kind, records map[int64]*record) {
	nodes := slices.Sorted(maps.Keys(kinds))
	const find = `SELECT o.node FROM json_each(:nodes) w CROSS JOIN passage_owners o ON o.node = w.value`
	known := tx.IDs(find, db.List("nodes", nodes))
	changes := make([]change, 0, len(nodes))
	for _, node := range nodes {
		wanted := records[node]
		if wanted == nil {
			wanted = readIn(tx, kinds[node], node)
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
	for _, p := range c.Added {
		c.added = append(c.added, numbered{p, r.madeAt(p.Number)})
	}
	return c
}

// Append adds the passages of a part of a log to those of an episode.
func Append(tx *db.Tx, episode int64, part []memory.Event) {
	if later := db.Part[waiting](tx); later != nil {
		later.know(memory.KindEpisode, episode)
		return
	}
	said := split.OfEvents(part)
	texts := make([]string, len(said))
	for i := range said {
		texts[i] = said[i].Text
	}
	there := db.Ask(tx, func(c *db.Conn) ([]split.Kept, error) {
		const find = `SELECT id, number, CASE WHEN text IN (SELECT value FROM json_each(:texts)) THEN text END FROM passages WHERE node = :node ORDER BY number`
		return db.All(c, find, func(r *db.Row) split.Kept {
			return split.Kept{ID: r.Integer(), Number: r.Int(), Passage: memory.Passage{Text: text(r)}}
		}, db.Arg("node", episode), db.List("texts", texts))
	})
	d := change{owner: owner{node: episode, kind: memory.KindEpisode}}
	d.Change = split.Append(there, said, d.owner.read(tx))
	for _, p := range d.Added {
		d.added = append(d.added, numbered{Numbered: p})
	}
	apply(tx, []change{d})
}

// keptOf reads the passages of a record; where vectors are made, those are stale that have none.
func keptOf(c *db.Conn, node int64, withVectors bool) ([]split.Kept, error) {
	const find = `SELECT id, number, code IS NULL AND :vectors, part, position, step, at, text FROM passages WHERE node = :node ORDER BY number`
	return db.All(c, find, func(r *db.Row) split.Kept {
		return split.Kept{ID: r.Integer(), Number: r.Int(), Stale: r.Bool(), Passage: memory.Passage{
			Part: memory.Part(text(r)), Position: r.Int(), Step: text(r), At: r.AnyTime(), Text: text(r),
		}}
	}, db.Arg("node", node), db.Arg("vectors", withVectors))
}
