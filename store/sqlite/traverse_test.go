package sqlite

import (
	"database/sql/driver"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	driversqlite "modernc.org/sqlite"

	"mneme/store/sqlite/db"
)

// lookUps counts the calls of the SQL function look_up, which hands its argument on.
var lookUps atomic.Int64

func init() {
	driversqlite.MustRegisterScalarFunction("look_up", 1, func(_ *driversqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		lookUps.Add(1)
		return args[0], nil
	})
}

// lookUp finds the look-ups in the edges of a node, by which hubs are read.
var lookUp = regexp.MustCompile(`\(SELECT min\(\w+_ref\)[^)]*\)`)

// openHub opens a tenant in which the memoir "m" contains as many concepts, and the last of them belongs
// to another as well.
func openHub(t *testing.T, neighbours int) (tenant *Tenant) {
	t.Helper()
	tenant = openTenant(t, t.TempDir())
	tenant.change(t, `INSERT INTO nodes (kind, key) VALUES ('memoir', 'm'), ('concept', 'parent')`)
	tenant.change(t, fmt.Sprintf(`WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < %d)
		INSERT INTO nodes (kind, key) SELECT 'concept', printf('c%%06d', i) FROM c`, neighbours))
	for _, types := range [][2]string{{"memoir:m", "CONTAINS"}, {"concept:parent", "PART_OF"}} {
		tenant.change(t, fmt.Sprintf(`INSERT INTO edges (source, type, target_ref, target, source_ref, at)
			SELECT h.id, '%s', n.ref, n.id, h.ref, 0 FROM nodes h, nodes n WHERE h.ref = '%s' AND n.kind = 'concept' AND n.id <> h.id`,
			types[1], types[0]))
	}
	return tenant
}

// A page of a hub costs a look-up for each neighbour on it, and a few for where its types begin and end.
func TestAHubIsReadByThePage(t *testing.T) {
	t.Parallel()
	const page = 100
	tenant := openHub(t, 100_000)
	query := lookUp.ReplaceAllString(neighboursOut, `look_up($0)`)
	require.Equal(t, 2, strings.Count(query, "look_up"))
	for _, after := range []string{"", "concept:c050000"} {
		read := 0
		lookUps.Store(0)
		require.NoError(t, tenant.file.Read(t.Context(), func(c *db.Conn) error {
			return c.Query(query, func(*db.Row) {
				read++
			}, db.Arg("ids", `[["memoir", "m"]]`), db.Arg("relations", nil), db.Arg("after", after), db.Arg("limit", page))
		}))
		assert.Equal(t, page, read)
		assert.LessOrEqual(t, lookUps.Load(), int64(page+2))
	}
}

// No look-up scans: each finds its place in an index by the node, the type and the neighbour's id.
func TestHubsAreReadByAnIndex(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	tenant.mustRecord(t, record("e1", "x"))
	for query, index := range map[string]string{
		neighboursOut: `PRIMARY KEY (source=? AND type=? AND target_ref>?)`,
		neighboursIn:  `COVERING INDEX edges_by_target (target=? AND type=? AND source_ref>?)`,
	} {
		var plan []string
		require.NoError(t, tenant.file.Read(t.Context(), func(c *db.Conn) error {
			return c.Query(`EXPLAIN QUERY PLAN `+query, func(r *db.Row) {
				r.Column += 3
				plan = append(plan, r.Text())
			}, db.Arg("ids", "[]"), db.Arg("relations", nil), db.Arg("after", ""), db.Arg("limit", 1))
		}))
		assert.Equal(t, 2, strings.Count(strings.Join(plan, "\n"), "SEARCH edges USING "+index), plan)
		for _, step := range plan {
			assert.NotRegexp(t, `SCAN (edges|nodes)`, step)
		}
	}
}
