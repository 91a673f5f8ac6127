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

func (w *waiting) add(c *db.Conn, kind memory.Kind, node int64) error {
	if w.kinds == nil {
		w.kinds, w.records = map[int64]memory.Kind{}, map[int64]*record{}
	}
	w.kinds[node] = kind
	found, err := read(c, kind, node)
	if err != nil {
		return err
	}
	w.records[node], w.part = found, append(w.part, found)
	if len(w.part) == recordsTogether {
		w.make(c.Vectors)
	}
	return nil
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
func Index(c *db.Conn, kind memory.Kind, node int64) error {
	if later := db.Part[waiting](c); later != nil {
		return later.add(c, kind, node)
	}
	return indexAll(c, map[int64]memory.Kind{node: kind}, nil)
}

// Write makes the passages of the records of a write of many.
func Write(c *db.Conn) error {
	later := db.Part[waiting](c)
	if later == nil {
		return nil
	}
	later.making.Wait()
	kinds, records := later.kinds, later.records
	later.kinds, later.records, later.part = nil, nil, nil // the last few are made with the others
	return indexAll(c, kinds, records)
}

// indexAll makes the passages of nodes, of which some were read.
func indexAll(c *db.Conn, kinds map[int64]memory.Kind, records map[int64]*record) (err error) {
	nodes := slices.Sorted(maps.Keys(kinds))
	var known []int64
	const find = `SELECT o.node FROM json_each(:nodes) w CROSS JOIN passage_owners o ON o.node = w.value`
	if known, err = db.All(c, find, (*db.Row).Integer, db.Arg("nodes", db.JSONOf(nodes))); err != nil {
		return err
	}
	changes := make([]change, 0, len(nodes))
	for _, node := range nodes {
		wanted := records[node]
		if wanted == nil {
			if wanted, err = read(c, kinds[node], node); err != nil {
				return err
			}
		}
		var there []kept
		if _, is := slices.BinarySearch(known, node); is {
			if there, err = keptOf(c, node); err != nil {
				return err
			}
		}
		changes = append(changes, difference(c, wanted, there))
	}
	return apply(c, changes)
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

// difference leaves the passages that stay what they are, but for their numbers.
func difference(c *db.Conn, wanted *record, there []kept) change {
	d := change{owner: wanted.owner}
	stays := make(map[said]kept, len(there))
	for _, k := range there {
		if before, twice := stays[saidIn(&k.Passage)]; twice {
			d.gone = append(d.gone, before.id)
		}
		stays[saidIn(&k.Passage)] = k
	}
	for number, p := range wanted.said {
		k, is := stays[saidIn(&p)]
		switch {
		case !is || c.Vectors && k.due:
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
func Append(c *db.Conn, episode int64, part []memory.Event) error {
	if later := db.Part[waiting](c); later != nil {
		if later.kinds == nil {
			later.kinds, later.records = map[int64]memory.Kind{}, map[int64]*record{}
		}
		later.kinds[episode] = memory.KindEpisode
		delete(later.records, episode)
		return nil
	}
	added := split.OfEvents(part)
	texts := make([]string, len(added))
	for i := range added {
		texts[i] = added[i].Text
	}
	const find = `SELECT text FROM passages WHERE node = :node AND text IN (SELECT value FROM json_each(:texts))`
	known, err := db.All(c, find, text, db.Arg("node", episode), db.Arg("texts", db.JSONOf(texts)))
	if err != nil {
		return err
	}
	added = slices.DeleteFunc(added, func(p memory.Passage) bool { return slices.Contains(known, p.Text) })
	if len(added) == 0 {
		return nil
	}
	d, there, last := change{owner: owner{node: episode, kind: memory.KindEpisode}}, 0, -1
	if err := d.owner.read(c); err != nil {
		return err
	}
	const count = `SELECT count(*), coalesce(max(number), -1) FROM passages WHERE node = :node`
	if _, err := c.One(count, func(r *db.Row) { there, last = r.Int(), r.Int() }, db.Arg("node", episode)); err != nil {
		return err
	}
	for i, p := range added {
		d.added = append(d.added, numbered{last + 1 + i, p, nil})
	}
	if gone := d.leaveOut(there); gone > 0 {
		const find = `SELECT id FROM passages WHERE node = :node ORDER BY number LIMIT :gone OFFSET :first`
		d.gone, err = db.All(c, find, (*db.Row).Integer, db.Arg("node", episode), db.Arg("gone", gone), db.Arg("first", first))
		if err != nil {
			return err
		}
	}
	return apply(c, []change{d})
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
	err = c.Query(find, func(r *db.Row) error {
		there = append(there, kept{id: r.Integer(), number: r.Int(), Passage: memory.Passage{
			Part: memory.Part(text(r)), Position: r.Int(), Step: text(r), At: r.AnyTime(), Text: text(r),
		}, due: r.Bool()})
		return nil
	}, db.Arg("node", node))
	return there, err
}
