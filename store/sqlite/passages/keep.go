package passages

import (
	"maps"
	"slices"
	"sync"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store/sqlite/db"
)

// waiting are the records of a write of many, whose passages are made at its end: the index of words keeps in memory what comes in
// the order of ids, and writes it out at anything else. Their words and vectors are made beside the write.
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

// Index makes the passages of a record that was written, in place of those that it had; within a write of many records, Write does.
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
		var there []kept
		if _, ok := slices.BinarySearch(known, node); ok {
			there = db.Ask(tx, func(c *db.Conn) ([]kept, error) { return keptOf(c, node) })
		}
		changes = append(changes, difference(wanted, there, tx.Vectors))
	}
	apply(tx, changes)
}

// said is what tells a passage from others of its record.
type said struct {
	part     memory.Part
	position int
	step     string
	at       int64
	text     string
}

func saidIn(p *memory.Passage) said {
	return said{p.Part, p.Position, p.Step, p.At.UnixMilli(), p.Text}
}

// difference leaves the passages that stay what they are, but for their numbers, and those that lack vectors where these are made.
func difference(wanted *record, there []kept, withVectors bool) change {
	d := change{owner: wanted.owner}
	stays := make(map[said]kept, len(there))
	for _, k := range there {
		if before, twice := stays[saidIn(&k.Passage)]; twice {
			d.gone = append(d.gone, before.id)
		}
		stays[saidIn(&k.Passage)] = k
	}
	for number, p := range wanted.said {
		k, ok := stays[saidIn(&p)]
		switch {
		case !ok || withVectors && k.due:
			d.added = append(d.added, numbered{number, p, wanted.madeAt(number)})
			continue
		case k.number != number:
			k.number = number
			d.moved = append(d.moved, k)
		}
		delete(stays, saidIn(&p))
	}
	for _, k := range stays {
		d.gone = append(d.gone, k.id)
	}
	return d
}

// Append adds the passages of a part of a log to those of an episode. Of too many it leaves out those in the middle.
func Append(tx *db.Tx, episode int64, part []memory.Event) {
	if later := db.Part[waiting](tx); later != nil {
		later.know(memory.KindEpisode, episode)
		return
	}
	added := split.OfEvents(part)
	texts := make([]string, len(added))
	for i := range added {
		texts[i] = added[i].Text
	}
	known := map[string]bool{}
	const find = `SELECT text FROM passages WHERE node = :node AND text IN (SELECT value FROM json_each(:texts))`
	tx.Each(find, func(r *db.Row) { known[text(r)] = true }, db.Arg("node", episode), db.List("texts", texts))
	added = slices.DeleteFunc(added, func(p memory.Passage) bool { return known[p.Text] })
	if len(added) == 0 {
		return
	}
	d, there, last := change{owner: owner{node: episode, kind: memory.KindEpisode}}, 0, -1
	d.owner.read(tx)
	const count = `SELECT count(*), coalesce(max(number), -1) FROM passages WHERE node = :node`
	tx.One(count, func(r *db.Row) { there, last = r.Int(), r.Int() }, db.Arg("node", episode))
	for i, p := range added {
		d.added = append(d.added, numbered{last + 1 + i, p, nil})
	}
	if gone := d.leaveOut(there); gone > 0 {
		const find = `SELECT id FROM passages WHERE node = :node ORDER BY number LIMIT :gone OFFSET :first`
		d.gone = tx.IDs(find, db.Arg("node", episode), db.Arg("gone", gone), db.Arg("first", first))
	}
	apply(tx, []change{d})
}

// first is how many of the first passages stay of a log that came in parts.
const first = split.Most / 2

// leaveOut keeps no more new passages than a record may have beside those that are there, and says how many of these go, behind the first.
func (d *change) leaveOut(there int) (gone int) {
	excess := max(0, there+len(d.added)-split.Most)
	d.leftOut += excess
	gone = min(excess, max(0, there-first))
	if rest := excess - gone; rest > 0 {
		from := max(0, first-there)
		d.added = slices.Delete(d.added, from, from+rest)
	}
	return gone
}

// kept is a passage that is there; due says that it has no vector.
type kept struct {
	id     int64
	number int
	due    bool
	memory.Passage
}

func keptOf(c *db.Conn, node int64) (there []kept, err error) {
	const find = `SELECT id, number, part, position, step, at, text, code IS NULL FROM passages WHERE node = :node ORDER BY number`
	err = c.Query(find, func(r *db.Row) {
		there = append(there, kept{id: r.Integer(), number: r.Int(), Passage: memory.Passage{
			Part: memory.Part(text(r)), Position: r.Int(), Step: text(r), At: r.AnyTime(), Text: text(r),
		}, due: r.Bool()})
	}, db.Arg("node", node))
	return there, err
}
