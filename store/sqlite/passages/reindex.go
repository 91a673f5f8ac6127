package passages

import (
	"context"
	"sync"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/vectors"
)

// progress is how far this process has come in a file with an endpoint's vectors. Ids only grow: it looks only behind.
type progress struct {
	mutex  sync.Mutex
	length int // of the vectors
	upTo   map[memory.Kind]int64
}

// anyKind stands for all where only built-in vectors are made: an index knows which are due.
var anyKind = []memory.Kind{""}

func scopes(made bool) []memory.Kind {
	if made {
		return split.Kinds
	}
	return anyKind
}

// due are the conditions of passages p of which vectors are due, those of an endpoint of a length; 0 for any.
func due(c *db.Conn, kind memory.Kind, length int) (w db.Conditions) {
	if kind == "" {
		w.Add(`p.code IS NULL`)
		return w
	}
	p := db.Kept[progress](c)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if length > 0 && p.length != length {
		p.length, p.upTo = length, map[memory.Kind]int64{}
	}
	first, last := Range(kind)
	w.Add(`p.id BETWEEN :first AND :last`, db.Arg("first", max(first, p.upTo[kind]+1)), db.Arg("last", last))
	w.Add(`(p.code IS NULL OR p.embedding IS NULL OR length(p.embedding) <> :length AND :length <> 0)`, db.Arg("length", length))
	return w
}

func (p *progress) reached(kind memory.Kind, id int64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.upTo != nil {
		p.upTo[kind] = id
	}
}

// Due counts the records with passages of which vectors are due, up to most; all where that is below 0.
func Due(ctx context.Context, c *db.Conn, most int) (count int, err error) {
	for _, kind := range scopes(c.Embeddings.Made) {
		w := due(c, kind, c.Embeddings.Length)
		find := `SELECT count(*) FROM (SELECT DISTINCT p.node FROM passages p WHERE ` + w.SQL() + ` LIMIT :most)`
		err = c.Search(ctx, find, func(r *db.Row) {
			count += r.Int()
		}, append(w.Args, db.Arg("most", most))...)
		if err != nil {
			break
		}
	}
	return count, err
}

// Vectors counts the records that have all vectors, and those of which some are due.
func Vectors(ctx context.Context, c *db.Conn) (made, due int, err error) {
	if due, err = Due(ctx, c, -1); err != nil {
		return 0, 0, err
	}
	const count = `SELECT count(DISTINCT node) FROM passages`
	err = c.Search(ctx, count, func(r *db.Row) {
		made = r.Int() - due
	})
	return made, due, err
}

// using reads or writes.
type using[C any] = func(ctx context.Context, do func(*C) error) error

// inPart is of how many passages vectors are made in one transaction.
const inPart = 64

// Make makes the vectors that are due, in parts, and tells how far it is after each.
func Make(ctx context.Context, read using[db.Conn], write using[db.Tx], endpoint *store.Embedder, tell func(store.ReindexStep)) (made int, err error) {
	step, record := store.ReindexStep{}, int64(0)
	err = read(ctx, func(c *db.Conn) (err error) {
		step.Due, err = Due(ctx, c, -1)
		return err
	})
	for _, kind := range scopes(endpoint != nil) {
		for after := int64(0); err == nil; {
			var part []lacking
			if part, err = nextDue(ctx, read, kind, after, endpoint); err != nil || len(part) == 0 {
				break
			}
			if err = embed(ctx, endpoint, part); err == nil {
				err = write(ctx, func(tx *db.Tx) error {
					renew(tx, part)
					return nil
				})
			}
			if err != nil {
				break
			}
			for _, p := range part {
				if after = p.id; p.node != record {
					record = p.node
					step.Made++
				}
			}
			if tell != nil {
				tell(step)
			}
		}
	}
	return step.Made, err
}

// lacking is a passage of which vectors are due, with those that were made.
type lacking struct {
	id, node int64
	text     string
	made     *made
}

// nextDue reads the next passages behind an id. Where there are none, it keeps in mind that it came to the end.
func nextDue(ctx context.Context, read using[db.Conn], kind memory.Kind, after int64, endpoint *store.Embedder) (part []lacking, err error) {
	err = read(ctx, func(c *db.Conn) error {
		var w db.Conditions
		latest := int64(0)
		if kind == "" {
			w = due(c, kind, 0)
		} else {
			w = due(c, kind, endpoint.Length)
			w.Add(`p.id > :after`, db.Arg("after", after))
			if latest, err = Latest(c, kind); err != nil {
				return err
			}
		}
		find := `SELECT p.id, p.node, p.text FROM passages p WHERE ` + w.SQL() + ` LIMIT :most` // in the order of ids, or of records by the index
		part, err = db.AllWithin(ctx, c, find, func(r *db.Row) lacking { return lacking{r.Integer(), r.Integer(), text(r), nil} },
			append(w.Args, db.Arg("most", inPart))...)
		if err == nil && len(part) == 0 && kind != "" {
			db.Kept[progress](c).reached(kind, latest)
		}
		return err
	})
	return part, err
}

// Latest is the last id of a passage of a kind; 0 for none.
func Latest(c *db.Conn, kind memory.Kind) (latest int64, err error) {
	first, last := Range(kind)
	const find = `SELECT coalesce(max(id), 0) FROM passages WHERE id BETWEEN :first AND :last`
	_, err = c.One(find, func(r *db.Row) { latest = r.Integer() }, db.Arg("first", first), db.Arg("last", last))
	return latest, err
}

// embed makes the vectors of passages.
func embed(ctx context.Context, endpoint *store.Embedder, part []lacking) error {
	texts := make([]string, len(part))
	for i := range part {
		texts[i] = part[i].text
		part[i].made = makeOf(texts[i], true)
	}
	if endpoint == nil {
		return nil
	}
	embeddings, err := endpoint.Embed(ctx, texts)
	for i, v := range embeddings {
		part[i].made.embedding = vectors.Bytes(vectors.Code(v))
	}
	return err
}

// renew replaces passages that are still there by ones with vectors. New ids keep the vectors in memory up to date.
func renew(tx *db.Tx, part []lacking) {
	changes := make([]change, 0, len(part))
	for _, p := range part {
		const find = `SELECT n.kind, p.number, p.part, p.position, p.step, p.at FROM passages p CROSS JOIN nodes n ON n.id = p.node WHERE p.id = :id`
		d := change{owner: owner{node: p.node}, Change: split.Change{Gone: []int64{p.id}}}
		if tx.One(find, func(r *db.Row) {
			d.kind = memory.Kind(text(r))
			d.added = []numbered{{split.Numbered{Number: r.Int(), Passage: memory.Passage{
				Part: memory.Part(text(r)), Position: r.Int(), Step: text(r), At: r.AnyTime(), Text: p.text,
			}}, p.made}}
		}, db.Arg("id", p.id)) {
			d.LeftOut = d.owner.read(tx)
			changes = append(changes, d)
		}
	}
	apply(tx, changes)
}
