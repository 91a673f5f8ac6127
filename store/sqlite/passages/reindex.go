package passages

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// Due counts the records with passages that have no vector yet, up to most; all where that is below 0.
func Due(ctx context.Context, c *db.Conn, most int) (count int, err error) {
	const find = `SELECT count(*) FROM (SELECT DISTINCT node FROM passages WHERE code IS NULL LIMIT :most)`
	err = c.Search(ctx, find, func(r *db.Row) error {
		count = r.Int()
		return nil
	}, db.Arg("most", most))
	return count, err
}

// Vectors counts the records that have vectors, and those that have passages without one.
func Vectors(ctx context.Context, c *db.Conn) (made, due int, err error) {
	if due, err = Due(ctx, c, -1); err != nil {
		return 0, 0, err
	}
	const count = `SELECT count(DISTINCT node) FROM passages`
	err = c.Search(ctx, count, func(r *db.Row) error {
		made = r.Int() - due
		return nil
	})
	return made, due, err
}

// writing runs a write.
type writing = func(ctx context.Context, do func(*db.Conn) error) error

// inPart is how many records get their vectors in one transaction.
const inPart = 64

// Make makes the vectors that are due, in parts, and tells how far it is after each.
func Make(ctx context.Context, write writing, tell func(store.ReindexStep)) (made int, err error) {
	last, step := int64(0), store.ReindexStep{}
	for done := false; err == nil && !done; {
		var part map[int64]memory.Kind
		err = write(ctx, func(c *db.Conn) (err error) {
			if step.Made == 0 {
				if step.Due, err = Due(ctx, c, -1); err != nil {
					return err
				}
			}
			if part, err = dueAfter(ctx, c, last); err != nil {
				return err
			}
			return indexAll(c, part, nil)
		})
		if err != nil {
			break
		}
		for node := range part {
			last = max(last, node)
		}
		step.Made, done = step.Made+len(part), len(part) == 0
		if tell != nil && !done {
			tell(step)
		}
	}
	return step.Made, err
}

func dueAfter(ctx context.Context, c *db.Conn, last int64) (map[int64]memory.Kind, error) {
	part := map[int64]memory.Kind{}
	const find = `SELECT DISTINCT p.node, n.kind FROM passages p CROSS JOIN nodes n ON n.id = p.node
		WHERE p.code IS NULL AND p.node > :last ORDER BY p.node LIMIT :most`
	err := c.Search(ctx, find, func(r *db.Row) error {
		node := r.Integer()
		part[node] = memory.Kind(text(r))
		return nil
	}, db.Arg("last", last), db.Arg("most", inPart))
	return part, err
}
