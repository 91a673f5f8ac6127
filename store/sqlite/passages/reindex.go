package passages

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/vectors"
)

// due are the passages of which vectors are due, as indexes know them, record after record.
const due = `(SELECT id, node FROM passages WHERE code IS NULL UNION ALL SELECT id, node FROM passages WHERE coalesce(length(embedding), 0) < :least
	UNION ALL SELECT id, node FROM passages WHERE coalesce(length(embedding), 0) > :longest)`

// lengths are those that an endpoint's vectors may have: any where that is 0, and none where no endpoint makes any.
func lengths(made bool, length, most int) []driver.NamedValue {
	least, longest := 0, math.MaxInt64
	switch {
	case length > 0:
		least, longest = length, length
	case made:
		least = 1
	}
	return []driver.NamedValue{db.Arg("least", least), db.Arg("longest", longest), db.Arg("most", most)}
}

// Due counts the records with passages of which vectors are due, up to most; all where that is below 0.
func Due(ctx context.Context, c *db.Conn, most int) (int, error) {
	const find = `SELECT count(*) FROM (SELECT DISTINCT node FROM ` + due + ` LIMIT :most)`
	count, err := c.Number(ctx, find, lengths(c.Embeddings.Made, c.Embeddings.Length, most)...)
	return int(count), err
}

// Vectors counts the records that have all vectors, and those of which some are due.
func Vectors(ctx context.Context, c *db.Conn) (made, due int, err error) {
	if due, err = Due(ctx, c, -1); err != nil {
		return 0, 0, err
	}
	all, err := c.Number(ctx, `SELECT count(DISTINCT node) FROM passages`)
	return int(all) - due, due, err
}

// using reads or writes.
type using[C any] = func(ctx context.Context, do func(*C) error) error

// inPart is of how many passages vectors are made in one transaction.
const inPart = 64

// Make makes the vectors that are due, in parts, and tells how far it is after each.
func Make(ctx context.Context, read using[db.Conn], write using[db.Tx], endpoint *store.Embedder, tell func(store.ReindexStep)) (made int, err error) {
	step, record, goesOn := store.ReindexStep{}, int64(0), false
	err = read(ctx, func(c *db.Conn) (err error) {
		if goesOn = c.Vectors; goesOn {
			step.Due, err = Due(ctx, c, -1)
		}
		return err
	})
	length := 0
	if endpoint != nil {
		length = endpoint.Length
	}
	for err == nil && goesOn {
		var part []lacking
		if part, err = nextDue(ctx, read, lengths(endpoint != nil, length, inPart)); err != nil || len(part) == 0 {
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
			if p.node != record {
				record = p.node
				step.Made++
			}
		}
		if tell != nil {
			tell(step)
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

// nextDue reads the next passages of which vectors are due.
func nextDue(ctx context.Context, read using[db.Conn], lengths []driver.NamedValue) (part []lacking, err error) {
	const find = `SELECT p.id, p.node, p.text FROM (SELECT DISTINCT id FROM ` + due + ` LIMIT :most) d CROSS JOIN passages p ON p.id = d.id`
	err = read(ctx, func(c *db.Conn) (err error) {
		part, err = db.AllWithin(ctx, c, find, func(r *db.Row) lacking { return lacking{r.Integer(), r.Integer(), r.AnyText(), nil} }, lengths...)
		return err
	})
	return part, err
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
		if len(v) == 0 || endpoint.Length > 0 && len(v) != endpoint.Length { // it would be due for ever
			return fmt.Errorf("the endpoint answered a vector of %d numbers", len(v))
		}
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
			d.kind = memory.Kind(r.AnyText())
			d.made, d.Added = p.made, []split.Numbered{{Number: r.Int(), Passage: memory.Passage{
				Part: memory.Part(r.AnyText()), Position: r.Int(), Step: r.AnyText(), At: r.AnyTime(), Text: p.text,
			}}}
		}, db.Arg("id", p.id)) {
			d.LeftOut = d.owner.read(tx)
			changes = append(changes, d)
		}
	}
	apply(tx, changes)
}
