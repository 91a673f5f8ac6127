package passages

import (
	"cmp"
	"database/sql/driver"
	"slices"
	"time"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store/async"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/vectors"
)

// owner is what is kept of a record beside its passages.
type owner struct {
	node  int64
	kind  memory.Kind
	marks vectors.Marks // of what it belongs to, of its task type or topic, and of whose it is
	at    time.Time
}

func (o *owner) read(tx *db.Tx) (leftOut int) {
	const find = `SELECT first, second, third, fourth, at, left_out FROM passage_owners WHERE node = :node`
	tx.One(find, func(r *db.Row) {
		o.marks = vectors.Marks{uint32(r.Integer()), uint32(r.Integer()), uint32(r.Integer()), uint32(r.Integer())}
		o.at, leftOut = r.AnyTime(), r.Int()
	}, db.Arg("node", o.node))
	return leftOut
}

func (o *owner) write(tx *db.Tx, leftOut int) {
	const save = `INSERT INTO passage_owners (node, first, second, third, fourth, at, left_out) VALUES (:node, :first, :second, :third, :fourth, :at, :left_out)
		ON CONFLICT DO UPDATE SET at = excluded.at, left_out = excluded.left_out`
	tx.Exec(save, db.Arg("node", o.node), db.Arg("first", int64(o.marks[0])), db.Arg("second", int64(o.marks[1])),
		db.Arg("third", int64(o.marks[2])), db.Arg("fourth", int64(o.marks[3])), db.Arg("at", o.at), db.Arg("left_out", leftOut))
}

// change is what becomes of the passages of a record.
type change struct {
	owner
	split.Change
	made *made // what the only one that is added is found by, where that is known
}

// made is what a passage is found by.
type made struct {
	stems     string
	code      []byte // nil where no vectors are made
	embedding []byte // an endpoint's vector as a code; nil where none was made
}

// row is a new passage with its place in the record.
type row struct {
	*owner
	split.Numbered
	made *made
	id   int64
}

// apply changes the passages of records, and then the index of their words in the order of ids.
func apply(tx *db.Tx, changes []change) {
	var rows []row
	var gone []int64
	for i := range changes {
		d := &changes[i]
		for _, p := range d.Added {
			rows = append(rows, row{owner: &d.owner, Numbered: p, made: d.made})
		}
		gone = append(gone, d.Gone...)
		d.keep(tx)
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Compare(slices.Index(split.Kinds, a.kind), slices.Index(split.Kinds, b.kind))
	})
	makeAll(rows, tx.Vectors)
	last := numbers(tx, len(rows))
	for i := range rows {
		first, _ := Range(rows[i].kind)
		rows[i].id = first + last - int64(len(rows)-1-i)
		rows[i].insert(tx)
	}
	unindex(tx, gone)
	for i := range rows {
		rows[i].index(tx)
	}
}

// keep writes what needs no new passage.
func (d *change) keep(tx *db.Tx) {
	if !d.None() {
		d.owner.write(tx, d.LeftOut)
	}
	for _, k := range d.Moved {
		tx.Exec(`UPDATE passages SET number = :number WHERE id = :id`, db.Arg("number", k.Number), db.Arg("id", k.ID))
	}
	for _, id := range d.Gone {
		tx.Exec(`DELETE FROM passages WHERE id = :id`, db.Arg("id", id))
	}
}

// together is how many passages are worth a processor of their own.
const together = 16

func makeAll(rows []row, withVectors bool) {
	async.InParts(len(rows), together, func(from, until int) struct{} {
		for i := from; i < until; i++ {
			if rows[i].made == nil {
				rows[i].made = makeOf(rows[i].Text, withVectors)
			}
		}
		return struct{}{}
	})
}

func makeOf(text string, withVector bool) *made {
	m := &made{stems: lexical.Stems(text)}
	if withVector {
		m.code = meaning.Code(text)
	}
	return m
}

// numbers gives so many numbers to passages, and answers the last. An impossible last one begins anew.
func numbers(tx *db.Tx, many int) (last int64) {
	if many == 0 {
		return 0
	}
	const give = `UPDATE passage_last SET number = number + :many WHERE number BETWEEN 0 AND 1099511627775 RETURNING number`
	for known := false; !known && tx.Err() == nil; {
		if known = tx.One(give, func(r *db.Row) { last = r.Integer() }, db.Arg("many", many)); !known {
			tx.Exec(`INSERT OR REPLACE INTO passage_last (id, number) SELECT 1, coalesce(max(id & 1099511627775), 0) FROM passages`)
		}
	}
	return last
}

func (p *row) insert(tx *db.Tx) {
	const put = `INSERT INTO passages (id, node, number, part, position, step, at, text, code, embedding)
		VALUES (:id, :node, :number, :part, :position, :step, :at, :text, :code, :embedding)`
	tx.Exec(put, db.Arg("id", p.id), db.Arg("node", p.node), db.Arg("number", p.Number), db.Arg("part", string(p.Part)),
		db.Arg("position", p.Position), db.Arg("step", p.Step), db.Arg("at", p.At), db.Arg("text", p.Text),
		db.Arg("code", orNull(p.made.code)), db.Arg("embedding", orNull(p.made.embedding)))
}

func orNull(bytes []byte) any {
	if bytes == nil {
		return nil
	}
	return bytes
}

func (p *row) index(tx *db.Tx) {
	const put = `INSERT INTO passage_words (rowid, marks, stems) VALUES (:id, :marks, :stems)`
	tx.Exec(put, db.Arg("id", p.id), db.Arg("marks", marksText(p.marks)), db.Arg("stems", p.made.stems))
}

// unindex takes the words of passages out of the index.
func unindex(tx *db.Tx, ids []int64) {
	slices.Sort(ids)
	for _, id := range ids {
		tx.Exec(`DELETE FROM passage_words WHERE rowid = :id`, db.Arg("id", id))
	}
}

// Remove takes away the passages of nodes, a parameter of that name, before these are deleted.
func Remove(tx *db.Tx, nodes driver.NamedValue) {
	Write(tx)
	ids := tx.IDs(`SELECT p.id FROM json_each(:nodes) w CROSS JOIN passages p ON p.node = w.value`, nodes)
	if len(ids) > 0 {
		tx.Exec(`DELETE FROM passages WHERE node IN (SELECT value FROM json_each(:nodes))`, nodes)
		unindex(tx, ids)
	}
}
