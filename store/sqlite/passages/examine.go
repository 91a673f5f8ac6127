package passages

import (
	"cmp"
	"context"

	"mneme/memory"
	"mneme/store/sqlite/db"
)

// CountWrong counts the records whose passages are not what they say.
func CountWrong(ctx context.Context, c *db.Conn) (wrong int, err error) {
	for _, kind := range kinds {
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

// isRight says whether the passages of a record are what follows from it. Of a log that came in parts some may be there that
// the whole log would not give, and others may be left out.
func isRight(c *db.Conn, kind memory.Kind, node int64) (bool, error) {
	wanted, err := read(c, kind, node)
	if err != nil {
		return false, err
	}
	there, err := keptOf(c, node, false)
	if err != nil {
		return false, err
	}
	d := wanted.become(there)
	if d.Fits(false) {
		return true, nil
	}
	inParts, err := c.One(`SELECT 1 FROM logs WHERE episode = :node`, func(*db.Row) {}, db.Arg("node", node))
	return d.Fits(inParts), err
}
