package passages

import (
	"cmp"
	"context"

	"mneme/memory"
	split "mneme/memory/passages"
	"mneme/store/sqlite/db"
)

// CountWrong counts the records whose passages are not what they say.
func CountWrong(ctx context.Context, c *db.Conn) (wrong int, err error) {
	for _, kind := range split.Kinds {
		nodes, err := nodesOf(c, kind)
		if err != nil {
			return 0, err
		}
		for _, node := range nodes {
			right, err := isRight(c, kind, node)
			if err = cmp.Or(ctx.Err(), err); err != nil {
				return 0, err
			}
			if !right {
				wrong++
			}
		}
	}
	return wrong, nil
}

// isRight says whether the passages of a record are what follows from it.
func isRight(c *db.Conn, kind memory.Kind, node int64) (bool, error) {
	wanted, err := read(c, kind, node)
	if err != nil {
		return false, err
	}
	there, err := keptOf(c, node, false)
	if err != nil {
		return false, err
	}
	if split.Right(there, wanted.said, 0, false) {
		return true, nil
	}
	lacks := 0
	inParts, err := c.One(`SELECT o.left_out FROM logs l JOIN passage_owners o ON o.node = l.episode WHERE l.episode = :node`,
		func(r *db.Row) { lacks = r.Int() }, db.Arg("node", node))
	return inParts && split.Right(there, wanted.said, lacks, true), err
}
