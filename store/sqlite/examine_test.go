package sqlite

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
)

// furnish records something of every kind.
func furnish(t *testing.T, tenant *Tenant) {
	t.Helper()
	ctx := t.Context()
	_, err := tenant.InputKey(ctx)
	require.NoError(t, err)
	e := record("e1", "delayed flights")
	e.Episode.SessionKey, e.Episode.Embedding, e.Episode.ExecutionIDs = new("s"), []float32{1, 2}, []string{"x1"}
	e.Mentions = []string{"c1"}
	worked := record("e2", "a walrus")
	worked.Episode.TaskType = new("hunt")
	tenant.mustRecord(t, e, worked)
	_, err = store.Record(ctx, tenant, []store.CanvasActionRecord{{
		Canvas: "v1", Episode: new("e1"), CanvasType: "chart", Action: memory.CanvasAction{Action: memory.CanvasPresent, At: noon},
	}})
	require.NoError(t, err)
	_, err = store.Record(ctx, tenant, []store.FeedbackRecord{
		{Feedback: memory.Feedback{
			Key: "f1", CanvasKey: new("v1"),
			Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: noon},
		}},
		{Feedback: memory.Feedback{
			Key: "f2", SessionKey: new("elsewhere"),
			Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: noon},
		}},
	})
	require.NoError(t, err)
	_, err = store.Record(ctx, tenant, []store.MemoirRecord{{Memoir: memory.Memoir{Key: "m1", Name: "Handbook", CreatedAt: noon}}})
	require.NoError(t, err)
	_, err = store.Record(ctx, tenant, []store.ConceptRecord{{Concept: memory.Concept{
		Key: "c1", MemoirKey: "m1", Name: "Refund", Content: "Within 30 days", CreatedAt: noon, UpdatedAt: noon,
	}}})
	require.NoError(t, err)
	_, err = store.Record(ctx, tenant, []store.ObservationRecord{{Observation: memory.Observation{
		Key: "o1", SessionKey: new("s"), Content: "Flights are late", Importance: memory.ImportanceHigh, CreatedAt: noon, About: []string{"episode:e1"},
	}}})
	require.NoError(t, err)
}

// examined are the findings of a backend by part, with those of the tenant "t".
func examined(t *testing.T, backend *Backend) map[string]store.Finding {
	t.Helper()
	findings, err := backend.Examine(t.Context())
	require.NoError(t, err)
	parts := map[string]store.Finding{}
	for _, f := range findings {
		assert.Equal(t, f.Fault == "", f.Remedy == "", "%+v", f)
		parts[f.Part] = f
	}
	return parts
}

func requireWhole(t *testing.T, parts map[string]store.Finding) {
	t.Helper()
	for _, f := range parts {
		require.Empty(t, f.Fault, f.Part)
		require.NotEmpty(t, f.Found, f.Part)
	}
}

// tamper changes a file as another program would, without the checks that mneme has made.
func tamper(t *testing.T, dir, sql string) {
	t.Helper()
	path := filepath.Join(dir, "t.db")
	require.NoError(t, file.MakePrivate(path))
	c, err := db.Connect(t.Context(), db.DSN(path, time.Second))
	require.NoError(t, err)
	require.NoError(t, c.Script(sql))
	require.NoError(t, c.Close())
}

func TestExamineFindsWhatIsBroken(t *testing.T) {
	for name, test := range map[string]struct{ sql, part, fault, remedy string }{
		"texts were changed": {
			sql: `UPDATE contents SET observation = 'a seal' WHERE observation = 'a walrus'`, part: "passages", fault: "1 records have other passages than they say",
		},
		"a passage is lost": {
			sql: `DELETE FROM passages WHERE id = (SELECT min(id) FROM passages)`, part: "passages",
			fault: "1 records have other passages than they say; 1 passages are not in the index of words, or words in it have no passage",
		},
		"a passage says something else": {
			sql: `UPDATE passages SET text = 'a seal' WHERE id = (SELECT max(id) FROM passages)`, part: "passages", fault: "1 records have other passages than they say",
		},
		"passages have no words": {
			sql: `DELETE FROM passage_words_docsize`, part: "passages", fault: "passages are not in the index of words",
		},
		"the index of passages is gone": {
			sql: `DROP TABLE passage_words`, part: "schema", fault: "missing are passage_words, passage_words_config",
		},
		"a passage has half a vector": {
			sql: `UPDATE passages SET code = x'01' WHERE id = (SELECT max(id) FROM passages)`, part: "passages", fault: "1 passages have what no vector can be",
		},
		"an index is missing": {
			sql: `DROP INDEX episodes_by_time; DROP INDEX edges_by_target`, part: "schema", fault: "missing are edges_by_target, episodes_by_time",
		},
		"an index lacks an entry": {
			sql: `PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = sql || ' WHERE 0' WHERE name = 'episodes_by_time'; PRAGMA writable_schema = RESET;
				REINDEX episodes_by_time; PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, ' WHERE 0', '') WHERE name = 'episodes_by_time'; PRAGMA writable_schema = RESET`,
			part: "integrity", fault: "missing from index episodes_by_time",
		},
		"a table is missing": {
			sql: `DROP TABLE canvas_actions`, part: "schema", fault: "missing are canvas_actions", remedy: "put a backup in the place of ",
		},
		"a newer schema": {
			sql: `PRAGMA user_version = 99`, part: "schema", fault: "version 99 is not that of this program", remedy: "Export it with the version that made it",
		},
		"links repeat other ids": {
			sql:  `UPDATE edges SET target_ref = 'episode:other' WHERE type = 'RAN' AND target_ref = 'episode:e1'; UPDATE edges SET source_ref = 'x' WHERE type = 'CONTAINS'`,
			part: "links", fault: "2 links repeat other ids",
		},
		"a link leads to nothing": {
			sql: `INSERT INTO edges (source, type, target_ref, target, source_ref, at)
				SELECT id, 'CAUSED_BY', 'episode:gone', 999, ref, 0 FROM nodes WHERE ref = 'episode:e1'; INSERT INTO waiting VALUES ('episode', 'e9', 999)`,
			part: "references", fault: "2 rows lead to records that are gone", remedy: "mneme rebuild",
		},
		"a record says nothing": {
			sql: `DELETE FROM contents WHERE observation = 'a walrus'`, part: "records",
			fault: "1 cannot be read, and are left out of answers and exports: episode:e2", remedy: "mneme forget --unreadable episode:e2",
		},
		"records without their owners": {
			sql: `DELETE FROM edges WHERE type IN ('RAN', 'CONTAINS') OR type = 'IN_SESSION' AND source_ref IN ('episode:e1', 'observation:o1')`, part: "owners",
			fault: "5 records are not linked with what they belong to",
		},
		"an episode of two agents": {
			sql: `INSERT INTO nodes (kind, key) VALUES ('agent', 'b'); INSERT INTO agents SELECT id, 'b' FROM nodes WHERE ref = 'agent:b';
				INSERT INTO edges (source, type, target_ref, target, source_ref, at)
				SELECT s.id, 'RAN', t.ref, t.id, s.ref, 0 FROM nodes s, nodes t WHERE s.ref = 'agent:b' AND t.ref = 'episode:e1'`,
			part: "owners", fault: "1 records are linked with another",
		},
		"an episode with other executions": {
			sql: `UPDATE episode_executions SET key = '{'`, part: "owners", fault: "2 episodes are found by other executions than they list",
		},
		"miscounted": {
			sql: `UPDATE episodes SET canvas_action_count = 7, feedback_sum = 0.5`, part: "counters",
			fault: "2 episodes have wrong counts or sums",
		},
		"a canvas of another agent": {
			sql: `UPDATE canvases SET agent = NULL`, part: "owners", fault: "1 canvases repeat another agent than their episode's",
		},
		"feedback that waits by its row alone": {
			sql: `UPDATE feedback SET waiting = 1 - waiting`, part: "waiting", fault: "canvases or feedback say wrongly whether they wait",
		},
		"a log of another length": {
			sql: `INSERT INTO logs SELECT id, 1, 1, 0 FROM episodes`, part: "counters", fault: "2 logs have another length than is said",
		},
		"a profile that counts wrong": {
			sql: `UPDATE profiles SET total = 3`, part: "profiles", fault: "1 profiles do not sum up their executions",
		},
		"a profile that sums up wrong": {
			sql: `UPDATE profiles SET quality_billionths = 7`, part: "profiles", fault: "1 profiles do not sum up their executions",
		},
		"an episode that no profile counts": {
			sql: `PRAGMA foreign_keys = 1; DELETE FROM nodes WHERE kind IN ('learningProfile', 'execution')`, part: "profiles",
			fault: "1 episodes with a task type and an outcome are in no profile",
		},
		"waiting for what is there": {
			sql: `INSERT INTO waiting SELECT w.column1, w.column2, n.id FROM (VALUES ('execution', 'x1', 'feedback:f2'), ('concept', 'c1', 'episode:e2'),
				('memoir', 'm1', 'observation:o1'), ('canvas', 'v1', 'feedback:f2'), ('episode', 'e1', 'episode:e2')) w JOIN nodes n ON n.ref = w.column3`,
			part: "waiting", fault: "5 records wait for something that is there",
		},
		"no input key": {
			sql: `DELETE FROM settings WHERE name = 'input_key'`, part: "settings", fault: "the setting input_key is gone", remedy: "mneme forget --unreadable setting:input_key",
		},
		"an embedding of another length": {
			sql: `UPDATE embeddings SET vector = zeroblob(12)`, part: "records", fault: "embedding:e1", remedy: "mneme forget --unreadable embedding:e1",
		},
		"damaged beyond its indexes": {
			sql: `CREATE TEMP TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = 'observations'; PRAGMA writable_schema = 1;
				UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'observations'; PRAGMA writable_schema = RESET;
				UPDATE observations SET importance = NULL; PRAGMA writable_schema = 1;
				UPDATE sqlite_schema SET sql = (SELECT sql FROM temp.kept) WHERE name = 'observations'; PRAGMA writable_schema = RESET`,
			part: "integrity", fault: "SQLite finds it damaged: NULL value in observations.importance", remedy: ".recover",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			backend := openBackend(t, dir)
			tenant := bindTenant(t, backend)
			furnish(t, tenant)
			requireWhole(t, examined(t, backend))
			tamper(t, dir, test.sql)
			broken := examined(t, backend)
			require.Contains(t, broken, test.part)
			assert.Contains(t, broken[test.part].Fault, test.fault)
			assert.Contains(t, broken[test.part].Remedy, cmp.Or(test.remedy, store.RemedyRebuild))
			assert.Equal(t, "t", broken[test.part].Tenant)
			assert.Equal(t, broken[test.part].Fault, examined(t, backend)[test.part].Fault, "to examine changes nothing")
			if remedy := broken[test.part].Remedy; strings.Contains(remedy, "mneme rebuild") || strings.Contains(remedy, "mneme forget") {
				putRight(t, backend, tenant)
			}
		})
	}
}

// putRight does what the doctor says, until all is whole.
func putRight(t *testing.T, backend *Backend, tenant *Tenant) {
	t.Helper()
	for range 2 {
		for _, f := range examined(t, backend) {
			if len(f.Unreadable) > 0 {
				count, err := tenant.Discard(t.Context(), f.Unreadable)
				require.NoError(t, err)
				require.Len(t, f.Unreadable, count)
			}
		}
		require.NoError(t, tenant.Rebuild(t.Context(), nil))
	}
	requireWhole(t, examined(t, backend))
}

// What waited for records that are there has found them when it was rebuilt.
func TestRebuiltWaitsAreLinks(t *testing.T) {
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	furnish(t, tenant)
	tamper(t, dir, `INSERT INTO waiting SELECT 'execution', 'x1', id FROM nodes WHERE ref = 'feedback:f2'`)
	require.NoError(t, tenant.Rebuild(t.Context(), nil))
	found, err := store.Get[memory.Feedback](t.Context(), tenant, []string{"f2"})
	require.NoError(t, err)
	assert.Equal(t, new("e1"), found[0].EpisodeKey)
	assert.Equal(t, 2, tenant.number(t, `SELECT feedback_count FROM episodes x JOIN nodes n USING (id) WHERE n.key = 'e1'`))
}

// Events stay, for subscribers that resume.
func TestRebuildKeepsEvents(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	furnish(t, tenant)
	notices := tenant.number(t, `SELECT count(*) FROM notices`)
	require.Positive(t, notices)
	require.NoError(t, tenant.Rebuild(t.Context(), nil))
	assert.Equal(t, notices, tenant.number(t, `SELECT count(*) FROM notices`))
}

func TestExamineLooksAtTheDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	furnish(t, bindTenant(t, backend))
	path := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(path("notes.txt"), nil, 0o644))
	require.NoError(t, os.WriteFile(path(".check-1"), nil, 0o600))
	parts := examined(t, backend)
	requireWhole(t, parts)
	assert.Equal(t, "not mneme's: notes.txt", parts["leftover files"].Found)
	assert.Contains(t, parts["data directory"].Found, "1 tenant,")

	require.NoError(t, os.Chmod(path("t.db"), 0o644))
	require.NoError(t, os.Chmod(dir, 0o757))
	parts = examined(t, backend)
	assert.Equal(t, "others than the owner may use "+dir+", "+path("t.db"), parts["permissions"].Fault)
	assert.Equal(t, "chmod 755 "+dir+"; chmod 600 "+path("t.db"), parts["permissions"].Remedy)
	require.NoError(t, os.WriteFile(path("gone.db-wal"), []byte("x"), 0o600))
	orphan := examined(t, backend)["leftover files"]
	assert.Contains(t, orphan.Fault, "gone.db-wal")
	assert.Contains(t, orphan.Remedy, "its latest writes")
}

func TestExamineTellsForeignFiles(t *testing.T) {
	foreign := t.TempDir()
	tamper(t, foreign, `CREATE TABLE theirs (x)`)
	found := examined(t, openBackend(t, foreign))
	assert.Contains(t, found["schema"].Fault, "another program")
	assert.NotContains(t, found, "records")

	empty := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(empty, "t.db"), nil, 0o600))
	found = examined(t, openBackend(t, empty))
	requireWhole(t, found)
	assert.Equal(t, "nothing was written yet", found["schema"].Found)
}

func TestExamineEndsWithItsContext(t *testing.T) {
	t.Parallel()
	backend := openBackend(t, t.TempDir())
	furnish(t, bindTenant(t, backend))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := backend.Examine(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, backend.Close(t.Context()))
	_, err = backend.Examine(t.Context())
	require.ErrorIs(t, err, store.ErrUnavailable)
}
