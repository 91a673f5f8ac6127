package passages

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store/sqlite/db"
)

// State says what there is of passages, and what is wrong with them.
type State struct {
	Passages int
	// Records are those whose passages are not what package memory/passages makes of them.
	Records int
	// Unindexed are passages without words in the index, and words without a passage.
	Unindexed int
	// Vectors cannot be any.
	Vectors int
	// Miscounted is 1 where the totals are wrong.
	Miscounted int
}

// Examine compares the passages with what the records say.
func Examine(ctx context.Context, c *db.Conn) (s State, err error) {
	const read = `SELECT count(*), count(*) FILTER (WHERE length(code) NOT IN (0, 128)),
			(SELECT count(*) FROM passages p WHERE NOT EXISTS (SELECT 1 FROM passage_words_docsize d WHERE d.id = p.id))
			+ (SELECT count(*) FROM passage_words_docsize d WHERE NOT EXISTS (SELECT 1 FROM passages p WHERE p.id = d.id)),
			count(*) IS NOT (SELECT there FROM passage_totals)
		FROM passages`
	err = c.Search(ctx, read, func(r *db.Row) {
		s.Passages, s.Vectors, s.Unindexed, s.Miscounted = r.Int(), r.Int(), r.Int(), r.Int()
	})
	for _, kind := range kinds {
		nodes := []int64{}
		if err == nil {
			nodes, err = nodesOf(c, kind)
		}
		for i := 0; err == nil && i < len(nodes); i++ {
			if err = ctx.Err(); err != nil {
				break
			}
			var is bool
			if is, err = isRight(c, kind, nodes[i]); !is {
				s.Records++
			}
		}
	}
	return s, err
}

// isRight says whether the passages of a record are what follows from it. Of a log that came in parts some may be there that
// the whole log would not give, and others may be left out.
func isRight(c *db.Conn, kind memory.Kind, node int64) (bool, error) {
	wanted, err := read(c, kind, node)
	if err != nil {
		return false, err
	}
	there, err := keptOf(c, node)
	if err != nil {
		return false, err
	}
	d := difference(wanted, there, false)
	if len(d.added)+len(d.moved)+len(d.gone) == 0 {
		return true, nil
	}
	inParts, err := c.One(`SELECT 1 FROM logs WHERE episode = :node`, func(*db.Row) {}, db.Arg("node", node))
	if err != nil || !inParts {
		return false, err
	}
	return !slices.ContainsFunc(d.added, func(p numbered) bool { return p.Part != memory.PartEvent }), nil
}
