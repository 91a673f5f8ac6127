package sqlite

import (
	"database/sql/driver"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// Of a session with 100,000 canvases or episodes a write reads what is near in time: all is found by the two indexes,
// in their order.
func TestSessionsAreReadByTime(t *testing.T) {
	t.Parallel()
	c, err := db.Connect(t.Context(), filepath.Join(t.TempDir(), "plans.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	require.NoError(t, schema.Own.Make(c))
	const episodes, reactions = "USING COVERING INDEX edges_episodes_in_session (target=? AND at", "USING COVERING INDEX edges_reactions_in_session (target=? AND at"
	for _, test := range []struct {
		sql    string
		uses   string
		times  int
		others []string
	}{
		{nearest, episodes, 4, []string{"at", "window", "users"}},
		{neighbours, episodes, 2, []string{"at", "users"}},
		{anyReaction, reactions, 1, []string{"since"}},
		{reactionsBetween, reactions, 1, []string{"from", "until", "most"}},
	} {
		args := []driver.NamedValue{db.Arg("session", "s")}
		for _, name := range test.others {
			args = append(args, db.Arg(name, 1))
		}
		var steps []string
		require.NoError(t, c.Query(`EXPLAIN QUERY PLAN `+test.sql, func(r *db.Row) {
			r.Column += 3
			steps = append(steps, r.Text())
		}, args...))
		plan := strings.Join(steps, "\n")
		assert.Equal(t, test.times, strings.Count(plan, test.uses), plan)
		for _, step := range steps {
			assert.NotRegexp(t, `^SCAN (edges|episodes|nodes|e|n)\b`, step, plan)
		}
	}
}
