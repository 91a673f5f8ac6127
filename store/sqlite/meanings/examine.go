package meanings

import (
	"context"
	"fmt"

	"mneme/memory/matching"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
)

// wrong are rows that cannot be: of bytes that are no codes, or of a record of another kind.
var wrong = fmt.Sprintf(`(length(m.codes) %% %[1]d <> 0 OR length(m.codes) > iif(m.kind = 'episode', %[2]d, 1) * %[1]d
	OR m.kind IS NOT (SELECT kind FROM nodes n WHERE n.id = m.node) OR m.kind NOT IN (%[3]s))`, meaning.Dimensions, matching.MostParts, whose)

// State is what there is.
type State struct {
	Records int // that have vectors
	Due     int // that have none
	Wrong   int // rows that cannot be
	// Unknown says that all are said to have vectors, and some have none.
	Unknown bool
}

// Examine counts what there is.
func Examine(ctx context.Context, c *db.Conn) (s State, err error) {
	if s.Due, err = Due(ctx, c, -1); err != nil {
		return s, err
	}
	read := `SELECT count(*), total(` + wrong + `) FROM meanings m`
	err = c.Search(ctx, read, func(r *db.Row) error {
		s.Records, s.Wrong = r.Int(), int(r.Float())
		return nil
	})
	if err != nil {
		return s, err
	}
	complete, err := Complete(c)
	s.Unknown = complete && s.Due > 0
	return s, err
}

// Discard removes all vectors, so that all are due.
func Discard(c *db.Conn) error {
	if err := c.Exec(`DELETE FROM meanings`); err != nil {
		return err
	}
	return markDue(c)
}
