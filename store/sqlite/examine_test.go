package sqlite

import (
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
	"mneme/store/sqlite/learning"
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
	_, err = tenant.RecordCanvasActions(ctx, []store.CanvasActionRecord{{
		Canvas: "v1", Episode: new("e1"), CanvasType: "chart", Action: memory.CanvasAction{Action: memory.CanvasPresent, At: noon},
	}})
	require.NoError(t, err)
	_, err = tenant.RecordFeedback(ctx, []store.FeedbackRecord{
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
	_, err = tenant.CreateMemoirs(ctx, []store.MemoirRecord{{Memoir: memory.Memoir{Key: "m1", Name: "Handbook", CreatedAt: noon}}})
	require.NoError(t, err)
	_, err = tenant.AddConcepts(ctx, []store.ConceptRecord{{Concept: memory.Concept{
		Key: "c1", MemoirKey: "m1", Name: "Refund", Content: "Within 30 days", CreatedAt: noon, UpdatedAt: noon,
	}}})
	require.NoError(t, err)
	_, err = tenant.RecordObservations(ctx, []store.ObservationRecord{{Observation: memory.Observation{
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
		assert.False(t, f.Fault == "" && f.Mend != nil, "%+v", f)
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
	c, err := db.Connect(t.Context(), db.DSN(filepath.Join(dir, "t.db"), time.Second))
	require.NoError(t, err)
	require.NoError(t, c.Script(sql))
	require.NoError(t, c.Close())
}

func TestExamineFindsWhatIsBrokenAndMendsWhatItCan(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		sql      string
		part     string
		fault    string
		remedy   string
		mendable bool
		then     string // what is to be mended after it
	}{
		"a stem is lost": {
			sql: `DELETE FROM stems WHERE stem LIKE 'walr%'`, part: "word index",
			fault: "0 words, 1 counts and the stems of 0 records", remedy: "Make the word index anew", mendable: true,
		},
		"texts were changed": {
			sql: `UPDATE contents SET observation = 'a seal' WHERE observation = 'a walrus'`, part: "word index",
			fault: "2 words, 2 counts and the stems of 1 records", remedy: "Make the word index anew", mendable: true,
		},
		"the index is empty": {
			sql: `INSERT INTO words (words) VALUES ('delete-all')`, part: "word index",
			fault: "words, 0 counts and the stems of 0 records are not", remedy: "Make the word index anew", mendable: true,
		},
		"a vector is too short": {
			sql: `UPDATE meanings SET codes = x'01' WHERE kind = 'observation'`, part: "meanings",
			fault: "1 record has what no vector can be", remedy: "Make the vectors", mendable: true,
		},
		"vectors are lost": {
			sql: `DELETE FROM meanings`, part: "meanings",
			fault: "7 records have no vector, and none is said to be due", remedy: "Make the vectors", mendable: true,
		},
		"a vector is of another kind, and one of nothing": {
			sql: `PRAGMA foreign_keys = 0; UPDATE meanings SET kind = 'agent' WHERE kind = 'episode'; UPDATE meanings SET node = 99 WHERE kind = 'observation'`, part: "meanings",
			fault: "3 records have what no vector can be", remedy: "Make the vectors", mendable: true,
		},
		"a column is missing": {
			sql: `ALTER TABLE feedback DROP COLUMN comment`, part: "schema",
			fault: "missing are feedback.comment", remedy: "put a backup in the place of ",
		},
		"an index is missing": {
			sql: `DROP INDEX episodes_by_time; DROP INDEX edges_by_target`, part: "schema",
			fault: "missing are the indexes edges_by_target, episodes_by_time", remedy: "CREATE UNIQUE INDEX edges_by_target", mendable: true,
		},
		"a table is missing": {
			sql: `DROP TABLE canvas_actions`, part: "schema",
			fault: "missing are canvas_actions", remedy: "put a backup in the place of ",
		},
		"a newer schema": {
			sql: `PRAGMA user_version = 99`, part: "schema",
			fault: "version 99 is not that of this program", remedy: "Export it with the version that made it",
		},
		"links repeat other ids": {
			sql:  `UPDATE edges SET target_ref = 'episode:other' WHERE type = 'RAN' AND target_ref = 'episode:e1'; UPDATE edges SET source_ref = 'x' WHERE type = 'CONTAINS'`,
			part: "links", fault: "2 of 14 links", remedy: "Write the ids", mendable: true,
		},
		"a link between the wrong kinds": {
			sql: `INSERT INTO edges (source, type, target_ref, target, source_ref, at)
				SELECT s.id, 'MENTIONS', t.ref, t.id, s.ref, 0 FROM nodes s, nodes t WHERE s.ref = 'agent:a' AND t.ref = 'concept:c1'`,
			part: "links", fault: "MENTIONS from agent to concept", remedy: "put a backup in the place of ",
		},
		"a link leads to nothing": {
			sql: `INSERT INTO edges (source, type, target_ref, target, source_ref, at)
				SELECT id, 'CAUSED_BY', 'episode:gone', 999, ref, 0 FROM nodes WHERE ref = 'episode:e1'; INSERT INTO waiting VALUES ('episode', 'e9', 999)`,
			part: "dangling references", fault: "1 in edges, 1 in waiting", remedy: "remove the links", mendable: true,
		},
		"a record's node is gone": {
			sql: `DELETE FROM nodes WHERE ref = 'memoir:m1'`, part: "dangling references",
			fault: "in memoirs", remedy: "the records whose owner is gone", mendable: true, then: "word index",
		},
		"a record says nothing": {
			sql: `DELETE FROM contents WHERE observation = 'a walrus'`, part: "what is stored",
			fault: "1 cannot be read, and are left out of answers and exports: episode:e2", remedy: "remove what cannot be read", mendable: true,
		},
		"records without their owners": {
			sql:  `DELETE FROM edges WHERE type IN ('RAN', 'CONTAINS') OR type = 'IN_SESSION' AND source_ref IN ('episode:e1', 'observation:o1')`,
			part: "owners", fault: "2 episodes without their agent, 1 episodes without their session, 1 observations without their session, 1 concepts without their memoir",
			remedy: "Link these records", mendable: true,
		},
		"an episode of two agents": {
			sql: `INSERT INTO nodes (kind, key) VALUES ('agent', 'b'); INSERT INTO agents SELECT id, 'b' FROM nodes WHERE ref = 'agent:b';
				INSERT INTO edges (source, type, target_ref, target, source_ref, at)
				SELECT s.id, 'RAN', t.ref, t.id, s.ref, 0 FROM nodes s, nodes t WHERE s.ref = 'agent:b' AND t.ref = 'episode:e1'`,
			part: "owners", fault: "1 with another: RAN of episodes", remedy: "Link these records", mendable: true,
		},
		"miscounted": {
			sql: `UPDATE episodes SET canvas_action_count = 7, feedback_sum = 0.5; UPDATE canvases SET agent = NULL`, part: "counters",
			fault: "2 episodes have wrong counts or sums, 1 canvases", remedy: "Count again", mendable: true,
		},
		"feedback that waits by its row alone": {
			sql: `UPDATE feedback SET waiting = 1 - waiting`, part: "counters",
			fault: "feedback waits by its row and not by its link", remedy: "Count again", mendable: true,
		},
		"a profile that counts wrong": {
			sql: `UPDATE profiles SET total = 3`, part: "profiles",
			fault: "1 profiles do not sum up their executions", remedy: "Sum up anew", mendable: true,
		},
		"a profile that sums up wrong": {
			sql: `UPDATE profiles SET quality_billionths = 7, latest_at = 8`, part: "profiles",
			fault: "1 profiles do not sum up their executions", remedy: "Sum up anew", mendable: true,
		},
		"columns that repeat keys": {
			sql: `UPDATE profiles SET task_type = '{'; UPDATE episode_executions SET key = '{'; UPDATE profiles SET agent = (SELECT id FROM nodes WHERE kind = 'episode' LIMIT 1)`, part: "keys",
			fault: "1 profiles of another agent, 1 profiles of another task type, 1 episodes with other executions", remedy: "Write it", mendable: true,
		},
		"an episode that no profile counts": {
			sql: `PRAGMA foreign_keys = 1; DELETE FROM nodes WHERE kind IN ('learningProfile', 'execution')`, part: "profiles",
			fault: "1 episodes with a task type and an outcome are in no profile", remedy: "Count them", mendable: true,
		},
		"waiting for what is there": {
			sql: `INSERT INTO waiting SELECT w.column1, w.column2, n.id FROM (VALUES ('execution', 'x1', 'feedback:f2'), ('concept', 'c1', 'episode:e2'),
				('about', 'memoir:m1', 'observation:o1'), ('canvas', 'v1', 'feedback:f2'), ('episode', 'e1', 'episode:e2')) w JOIN nodes n ON n.ref = w.column3`,
			part: "waiting", fault: "5 of 6 wait for a record that is there", remedy: "Link them", mendable: true,
		},
		"no input key": {
			sql: `DELETE FROM settings WHERE name = 'input_key'`, part: "settings",
			fault: "the setting input_key is gone", remedy: "Without one, make another key", mendable: true,
		},
		"a vector of another length": {
			sql: `UPDATE embeddings SET vector = zeroblob(12)`, part: "vectors",
			fault: "1 of 1 embeddings have another length", remedy: "Remove them", mendable: true,
		},
		"a damaged index": {
			sql:  `PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'started_at', 'ended_at') WHERE name = 'episodes_by_time'`,
			part: "integrity", fault: "SQLite finds it damaged", remedy: ".recover",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			backend := openBackend(t, dir)
			furnish(t, bindTenant(t, backend))
			requireWhole(t, examined(t, backend))
			tamper(t, dir, test.sql)
			broken := examined(t, backend)
			require.Contains(t, broken, test.part)
			assert.Contains(t, broken[test.part].Fault, test.fault)
			assert.Contains(t, broken[test.part].Remedy, test.remedy)
			assert.Equal(t, "t", broken[test.part].Tenant)
			require.Equal(t, test.mendable, broken[test.part].Mend != nil)
			assert.Equal(t, broken[test.part].Fault, examined(t, backend)[test.part].Fault, "to examine changes nothing")
			if test.mendable {
				require.NoError(t, broken[test.part].Mend(t.Context()))
				left := examined(t, backend)
				if test.then != "" {
					require.NoError(t, left[test.then].Mend(t.Context()))
					left = examined(t, backend)
				}
				requireWhole(t, left)
			}
		})
	}
}

// profilesAsTheyAre are the profiles by what their columns say.
func profilesAsTheyAre(t *testing.T, tenant *Tenant) (found []string) {
	t.Helper()
	require.NoError(t, tenant.file.Read(t.Context(), func(c *db.Conn) error {
		const read = `SELECT n.key, a.key, p.task_type FROM profiles p JOIN nodes n ON n.id = p.id JOIN nodes a ON a.id = p.agent ORDER BY n.key`
		return c.Query(read, func(r *db.Row) error {
			found = append(found, strings.Join([]string{r.Text(), r.Text(), r.Text()}, " is "))
			return nil
		})
	}))
	return found
}

// Columns that stand in each other's way are mended, and what cannot be mended does not hinder the others.
func TestRepeatedColumnsThatClashAreMended(t *testing.T) {
	t.Parallel()
	const (
		swapped    = `UPDATE profiles SET task_type = task_type || '!'; UPDATE profiles SET task_type = iif(task_type = 'hunt!', 'fish', 'hunt')`
		otherAgent = `UPDATE profiles SET task_type = task_type || id;
			UPDATE profiles SET agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = iif(agent = (SELECT id FROM nodes WHERE ref = 'agent:a'), 'b', 'a'));
			UPDATE profiles SET task_type = substr(task_type, 1, 4)`
		renamed = `UPDATE nodes SET key = 'elsewhere' WHERE ref = 'agent:b'`
	)
	whole := []string{"a/fish is a is fish", "a/hunt is a is hunt", "b/fish is b is fish", "b/hunt is b is hunt"}
	for name, test := range map[string]struct {
		sql, fault, left string
		mended           []string
	}{
		"task types":            {sql: swapped, fault: "4 profiles of another task type", mended: whole},
		"agents":                {sql: otherAgent, fault: "4 profiles of another agent", mended: whole},
		"agents and task types": {sql: otherAgent + ";" + swapped, fault: "4 profiles of another agent, 4 profiles of another task type", mended: whole},
		"an agent is not there": {
			sql: swapped + ";" + renamed, fault: "2 profiles of another task type, 2 profiles of an agent that is not there", left: "2 profiles of an agent that is not there",
			mended: []string{"a/fish is a is fish", "a/hunt is a is hunt", "b/fish is elsewhere is hunt", "b/hunt is elsewhere is fish"},
		},
		"an agent is not there, and one of its profiles is in the way": {
			sql:   otherAgent + ";" + renamed,
			fault: "2 profiles of another agent, 2 profiles of an agent that is not there", left: "2 profiles of an agent that is not there",
			mended: []string{"a/fish is a is fish", "a/hunt is a is hunt"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			backend := openBackend(t, dir)
			tenant := bindTenant(t, backend)
			for _, of := range []string{"a/fish", "a/hunt", "b/fish", "b/hunt"} {
				agent, taskType, _ := strings.Cut(of, "/")
				e := record(agent+" "+taskType, "a walrus")
				e.Episode.AgentKey, e.Episode.TaskType = agent, new(taskType)
				tenant.mustRecord(t, e)
			}
			require.Equal(t, whole, profilesAsTheyAre(t, tenant))
			tamper(t, dir, test.sql)
			broken := examined(t, backend)["keys"]
			assert.Contains(t, broken.Fault, test.fault)
			require.NotNil(t, broken.Mend)
			require.NoError(t, broken.Mend(t.Context()))
			assert.Subset(t, profilesAsTheyAre(t, tenant), test.mended)
			left := examined(t, backend)["keys"]
			if test.left == "" {
				requireWhole(t, map[string]store.Finding{"keys": left})
				return
			}
			assert.Contains(t, left.Fault, test.left)
			assert.Contains(t, left.Remedy, "put a backup in the place of ")
			assert.Nil(t, left.Mend)
		})
	}
}

// Mending that looks for long ends with its context.
func TestMendingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	backend := openBackend(t, t.TempDir())
	tenant := bindTenant(t, backend)
	furnish(t, tenant)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	err := tenant.file.Write(t.Context(), func(c *db.Conn) error { return learning.SumUp(canceled, c) })
	require.ErrorIs(t, err, context.Canceled)
}

// What waited for records that are there has found them when it was mended.
func TestMendedWaitsAreLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := openBackend(t, dir)
	tenant := bindTenant(t, backend)
	furnish(t, tenant)
	tamper(t, dir, `INSERT INTO waiting SELECT 'execution', 'x1', id FROM nodes WHERE ref = 'feedback:f2'`)
	require.NoError(t, examined(t, backend)["waiting"].Mend(t.Context()))
	found, err := tenant.Feedback(t.Context(), []string{"f2"})
	require.NoError(t, err)
	assert.Equal(t, new("e1"), found[0].EpisodeKey)
	assert.Equal(t, 2, tenant.number(t, `SELECT feedback_count FROM episodes x JOIN nodes n USING (id) WHERE n.key = 'e1'`))
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

	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(path(".check-1"), old, old))
	require.NoError(t, os.Chmod(path("t.db"), 0o644))
	require.NoError(t, os.Chmod(dir, 0o757))
	parts = examined(t, backend)
	assert.Equal(t, "others than the owner may use "+dir+", "+path("t.db"), parts["permissions"].Fault)
	assert.Equal(t, "chmod 755 "+dir+"; chmod 600 "+path("t.db"), parts["permissions"].Remedy)
	assert.Equal(t, "rm "+path(".check-1"), parts["leftover files"].Remedy)
	for _, part := range []string{"permissions", "leftover files"} {
		require.NoError(t, parts[part].Mend(t.Context()))
	}
	requireWhole(t, examined(t, backend))

	require.NoError(t, os.WriteFile(path("gone.db-wal"), []byte("x"), 0o600))
	orphan := examined(t, backend)["leftover files"]
	assert.Contains(t, orphan.Fault, "gone.db-wal")
	assert.Contains(t, orphan.Remedy, "its latest writes")
	assert.Nil(t, orphan.Mend)
}

func TestExamineTellsForeignFiles(t *testing.T) {
	t.Parallel()
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
