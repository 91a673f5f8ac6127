package transfer_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/internal/testneo4j"
	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// checkValues fills a tenant, lets a function spoil records and say which, and sees that each is found and told, that
// the export without them can be imported as a whole, and that all is well once they are mended.
func checkValues(ctx context.Context, t *testing.T, svc *service.Service, id string, spoil func(pattern string) []string) {
	t.Helper()
	tenant := servicetest.Bind(ctx, t, svc)
	fill(ctx, t, tenant)
	load(ctx, t, tenant, `
{"kind": "episode", "record": {"id": "parts", "agentId": "a", "observation": "Seen.", "endedAt": "2026-05-01T00:00:09Z", "startedAt": "2026-05-01T00:00:00Z"}}
{"kind": "episode", "record": {"id": "vector", "agentId": "a", "observation": "Seen.", "embedding": [1, 0, 0]}}
{"kind": "memoir", "record": {"id": "m", "name": "M"}}
{"kind": "concept", "record": {"id": "old", "memoirId": "m", "name": "Old", "content": "Seen."}}
{"kind": "concept", "record": {"id": "spare", "memoirId": "m", "name": "Spare", "content": "Seen."}}
{"kind": "observation", "record": {"id": "early", "content": "Seen."}}
{"kind": "observation", "record": {"id": "counted", "content": "Seen."}}
{"kind": "observation", "record": {"id": "mute", "content": "Seen."}}
{"kind": "verdict", "record": {"id": "bad", "runId": "r", "sectionId": "cover", "sectionType": "page", "judgeId": "editor", "iteration": 0, "status": "APPROVE", "at": "2025-01-01T12:10:00Z"}}
`, importer.Options{})
	patterns, err := tenant.Judging.Patterns(ctx, boundary.PatternFilter{}, reading.PageInput{})
	require.NoError(t, err)
	want := spoil(patterns.Items[0].Key)

	var file bytes.Buffer
	var unread faults.Unreadable
	_, err = transfer.Export(unread.Within(ctx), tenant, &file, nil)
	require.True(t, memory.CodeOf(err) == memory.CodeDamaged, "%v", err)
	assert.Equal(t, want, ids(unread.Errors()))
	assert.Empty(t, load(ctx, t, openSQLite(t), file.String(), importer.Options{KeepGoing: true}).Faults, "what is exported can be imported")

	examined, err := svc.Examine(ctx)
	require.NoError(t, err)
	var told []string
	for _, finding := range examined {
		if finding.Tenant == id {
			told = append(told, finding.Unreadable...)
		}
	}
	assert.Subset(t, told, want)
	_, err = tenant.Upkeep.Discard(ctx, told)
	require.NoError(t, err)
	require.NoError(t, tenant.Upkeep.Rebuild(ctx, nil))
	examined, err = svc.Examine(ctx)
	require.NoError(t, err)
	for _, finding := range examined {
		assert.True(t, finding.Tenant != id || finding.Fault == "", "%s: %s", finding.Part, finding.Fault)
	}
	assert.NotEmpty(t, export(ctx, t, tenant))
}

func ids(errs []*memory.Error) []string {
	found := make([]string, len(errs))
	for i, err := range errs {
		found[i] = err.ID
	}
	return found
}

// Values that can be decoded, and that no caller may send: each is found, told and left out of an export, which then
// can be imported as a whole, and mending removes it.
func TestValuesOutOfRangeAreNotExported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	checkValues(t.Context(), t, serve(t, backend), "default", func(pattern string) []string {
		db, err := sql.Open("sqlite", filepath.Join(dir, "default.db")+"?_pragma=busy_timeout(10000)")
		require.NoError(t, err)
		defer func() { require.NoError(t, db.Close()) }()
		const of = ` = (SELECT id FROM nodes WHERE kind || ':' || key = ?)`
		spoiled := map[string]string{
			"feedback:f":          `UPDATE feedback SET rating = -7 WHERE id` + of,
			"observation:counted": `UPDATE observations SET access_count = -1 WHERE id` + of,
			"observation:early":   `UPDATE observations SET created_at = -1 WHERE id` + of,
			"observation:mute":    `UPDATE observations SET content = ' ' WHERE id` + of,
			"concept:spare":       `UPDATE concepts SET tokens_before = -5 WHERE id` + of,
			"concept:old":         `UPDATE concepts SET revisions = '[{"content":"x","labels":[],"at":"1969-01-01T00:00:00Z"}]' WHERE id` + of,
			"episode:e":           `UPDATE episodes SET ended_at = started_at - 1 WHERE id` + of,
			"episode:parts":       `UPDATE contents SET segments = '[{"kind":"x","text":"x","startedAt":"2026-01-01T00:00:00Z"}]' WHERE episode` + of,
			"canvas:c":            `UPDATE canvas_actions SET at = 253402300800000 WHERE canvas` + of,
			"verdict:bad":         `UPDATE verdicts SET iteration = -3 WHERE id` + of,
			"pattern:" + pattern:  `UPDATE patterns SET hits = total + 1 WHERE id` + of,
			"sectionType:tally":   `INSERT INTO section_counts SELECT substr(?1, 13), substr(?1, 13), NULL, -1`,
			"judgeThreshold:far":  `INSERT INTO judge_thresholds SELECT substr(?1, 16), substr(?1, 16), NULL, 2e9, 0`,
			"embedding:vector":    `UPDATE embeddings SET vector = zeroblob(length(vector)) WHERE episode = (SELECT id FROM nodes WHERE 'embedding:' || key = ?)`,
			"span:trace/root":     `UPDATE spans SET data = replace(data, '"kind":"agent"', '"kind":"angel"') WHERE 'span:' || trace || '/' || span = ?`,
		}
		for id, text := range spoiled {
			changed, err := db.ExecContext(t.Context(), text, id)
			require.NoError(t, err, id)
			rows, err := changed.RowsAffected()
			require.NoError(t, err)
			require.Positive(t, rows, id)
		}
		return slices.Sorted(maps.Keys(spoiled))
	})
}

func TestValuesOutOfRangeAreNotExportedOnNeo4j(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	backend, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	connection, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })
	tenant := "t-" + strings.ToLower(rand.Text())
	checkValues(service.WithTenant(t.Context(), tenant), t, serve(t, backend), tenant, func(pattern string) []string {
		spoiled := map[string]string{
			"feedback:f":          `MATCH (n:Feedback {tenant: $tenant, key: $key}) SET n.rating = -7`,
			"observation:counted": `MATCH (n:Observation {tenant: $tenant, key: $key}) SET n.accessCount = -1`,
			"observation:early":   `MATCH (n:Observation {tenant: $tenant, key: $key}) SET n.createdAt = datetime('1969-01-01T00:00:00Z')`,
			"observation:mute":    `MATCH (n:Observation {tenant: $tenant, key: $key}) SET n.content = ' '`,
			"concept:spare":       `MATCH (n:Concept {tenant: $tenant, key: $key}) SET n.tokensBefore = -5`,
			"episode:e":           `MATCH (n:Episode {tenant: $tenant, key: $key}) SET n.endedAt = n.startedAt - duration('PT1S')`,
			"canvas:c":            `MATCH (n:Canvas {tenant: $tenant, key: $key}) SET n.actionTimes = [at IN n.actionTimes | datetime('1969-01-01T00:00:00Z')]`,
			"verdict:bad":         `MATCH (n:Verdict {tenant: $tenant, key: $key}) SET n.iteration = -3`,
			"pattern:" + pattern:  `MATCH (n:Pattern {tenant: $tenant, key: $key}) SET n.hits = n.total + 1`,
			"sectionType:tally":   `CREATE (n:SectionType {tenant: $tenant, key: $key, sections: -1})`,
			"judgeThreshold:far":  `CREATE (n:JudgeThreshold {tenant: $tenant, key: $key, judge: $key, threshold: 2e9, at: datetime('2026-01-01T00:00:00Z')})`,
		}
		for id, text := range spoiled {
			_, key, _ := strings.Cut(id, ":")
			result, err := driver.ExecuteQuery(t.Context(), connection, text, map[string]any{"tenant": tenant, "key": key}, driver.EagerResultTransformer)
			require.NoError(t, err, id)
			require.True(t, result.Summary.Counters().ContainsUpdates(), id)
		}
		return slices.Sorted(maps.Keys(spoiled))
	})
}
