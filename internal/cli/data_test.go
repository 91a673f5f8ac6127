package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
)

// done runs a command that must succeed and gives what it said.
func done(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	got := mneme(t, nil, stdin, args...)
	require.Zero(t, got.status, got.err)
	return got.out
}

func TestExportImportExport(t *testing.T) {
	t.Parallel()
	from, to, dir := t.TempDir(), t.TempDir(), t.TempDir()
	done(t, "", "demo", "--data", from)
	first := done(t, "", "export", "--data", from)
	assert.Greater(t, strings.Count(first, "\n"), 500)
	packed := filepath.Join(dir, "memory.jsonl.gz")
	assert.Contains(t, done(t, "", "export", "--data", from, packed), "exported 5 agents")
	info, err := os.Stat(packed)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	assert.Contains(t, done(t, "", "import", "--format", "jsonl", "--data", to, packed), "imported 5 agents")
	assert.Equal(t, first, done(t, "", "export", "--data", to, "-"))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing is left beside the file")
}

func TestExportOfATenant(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	done(t, twoEpisodes, "import", "--format", "jsonl", "--data", dir, "--tenant", "acme", "-")
	assert.Contains(t, done(t, "", "export", "--data", dir, "--tenant", "acme"), `"e1"`)
	for _, none := range [][]string{nil, {"--tenant", "nosuch"}} {
		for _, args := range [][]string{{"export"}, {"backup", filepath.Join(t.TempDir(), "b.db")}, {"recall", "x"}, {"memory", "prune"}, {"agents", "rank", "x"}, {"judges", "analyze"}, {"forget", "--person", "p"}} {
			got := mneme(t, nil, "", append(append(args, "--data", dir), none...)...)
			assert.Equal(t, 1, got.status, args)
			assert.Contains(t, got.err, "in "+dir+", which has acme\n", args)
			left, err := filepath.Glob(filepath.Join(dir, "*.db"))
			require.NoError(t, err)
			assert.Equal(t, []string{filepath.Join(dir, "acme.db")}, left, args)
		}
	}
	none := filepath.Join(t.TempDir(), "none")
	for _, args := range [][]string{{"demo"}, {"recall", "x"}, {"mcp"}} {
		for _, tenant := range []string{"x/y", "", "../x"} {
			got := mneme(t, nil, "", append(args, "--data", none, "--tenant", tenant)...)
			assert.Equal(t, 2, got.status, got.err)
			assert.Contains(t, got.err, "must be 1–64 characters of a–z", args)
			assert.NoDirExists(t, none)
		}
	}
}

// A tenant that a key opens is there, and empty, before anything is recorded of it.
func TestATenantOfAKeyIsEmpty(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	made(t, dir, "--tenant", "acme")
	done(t, twoEpisodes, "import", "--format", "jsonl", "--data", dir, "--tenant", "other", "-")
	assert.Contains(t, done(t, "", "recall", "--data", dir, "--tenant", "acme", "x"), "No episode is remembered yet. mneme demo --data "+dir+" --tenant acme fills")
	assert.Contains(t, done(t, "", "search", "--data", dir, "--tenant", "acme", "x"), "Nothing matches.")
	done(t, "", "export", "--data", dir, "--tenant", "acme")

	made(t, dir, "--tenant", "third")
	got := mneme(t, nil, "", "recall", "--data", dir, "--tenant", "fourth", "x")
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.err, "there is no tenant fourth in sqlite in "+dir+", which has acme, other, third\n")
	assert.NoFileExists(t, filepath.Join(dir, "thrid.db"))
}

func TestExportThroughALinkAndAPipe(t *testing.T) {
	t.Parallel()
	data, dir := t.TempDir(), t.TempDir()
	done(t, twoEpisodes, "import", "--format", "jsonl", "--data", data, "-")
	want := done(t, "", "export", "--data", data)
	target, link := filepath.Join(dir, "target.jsonl"), filepath.Join(dir, "link.jsonl")
	require.NoError(t, os.WriteFile(target, nil, 0o600))
	require.NoError(t, os.Symlink(target, link))
	done(t, "", "export", "--data", data, link)
	got, err := os.ReadFile(target)
	require.NoError(t, err)
	assert.Equal(t, want, string(got))

	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	read := make(chan []byte)
	go func() {
		text, _ := os.ReadFile(pipe)
		read <- text
	}()
	done(t, "", "export", "--data", data, pipe)
	assert.Equal(t, want, string(<-read))
}

func TestImportOfNoFileMakesNoMemory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "none")
	got := mneme(t, nil, "", "import", "--format", "jsonl", "--data", dir, filepath.Join(t.TempDir(), "nofile.jsonl"))
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.err, "mneme: there is no file ")
	assert.Contains(t, got.err, "nofile.jsonl")
	assert.NoDirExists(t, dir)
	got = mneme(t, nil, "", "import", "--format", "jsonl", "--data", dir, t.TempDir())
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.err, "is a directory; name the files in it")
	assert.NoDirExists(t, dir)
	got = mneme(t, nil, "", "import", "--format", "xml", "--data", dir, "-")
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.err, "must be jsonl, tau-bench, events, executions, verdicts, claude-code or codex")
	assert.NoDirExists(t, dir)
}

func TestExportNamesWhereItCannotWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	done(t, twoEpisodes, "import", "--format", "jsonl", "--data", dir, "-")
	file := filepath.Join(dir, "nowhere", "memory.jsonl")
	got := mneme(t, nil, "", "export", "--data", dir, file)
	assert.Equal(t, 1, got.status)
	assert.Equal(t, "mneme: "+file+" cannot be written: no such file or directory\n", got.err)
	elsewhere := t.TempDir()
	got = mneme(t, nil, "", "export", "--data", dir, elsewhere)
	assert.Equal(t, 1, got.status)
	assert.Equal(t, "mneme: "+elsewhere+" cannot be written: is a directory\n", got.err)
}

// An export never takes the place of what it exports, by whatever name the file goes.
func TestExportLeavesItsDataAlone(t *testing.T) {
	dir, elsewhere := beginning(t), t.TempDir()
	whole := done(t, "", "export", "--data", dir)
	database := filepath.Join(dir, "default.db")
	symlink, hard, within := filepath.Join(elsewhere, "symlink"), filepath.Join(elsewhere, "hard"), filepath.Join(elsewhere, "within")
	require.NoError(t, os.Symlink(database, symlink))
	require.NoError(t, os.Link(database, hard))
	require.NoError(t, os.Symlink(dir, within))
	t.Chdir(dir)
	for _, file := range []string{
		database, "default.db", symlink, hard, filepath.Join(within, "default.db"), filepath.Join(within, "other.db"),
		database + "-wal", database + "-shm", database + "-journal", "./new.db",
	} {
		got := mneme(t, nil, "", "export", "--data", dir, file)
		assert.Equal(t, 1, got.status, file)
		assert.Contains(t, got.err, "belongs to the data that is exported", file)
		assert.NoFileExists(t, filepath.Join(dir, "other.db"))
		assert.Equal(t, whole, done(t, "", "export", "--data", dir), file)
	}
	done(t, "", "export", "--data", dir, "memory.jsonl")
	assert.FileExists(t, "memory.jsonl", "beside the data is no matter")
}

// beginning is a data directory in which nothing but an agent is stored.
func beginning(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	got := mneme(t, nil, `{"kind": "agent", "record": {"id": "a", "name": "A"}}`, "import", "--format", "jsonl", "--data", dir, "-")
	require.Zero(t, got.status, got.err)
	return dir
}

func TestAskingMakesNoMemory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "none")
	for _, args := range [][]string{{"export"}, {"backup", filepath.Join(t.TempDir(), "b.db")}, {"recall", "x"}, {"forget", "--agent", "a"}, {"memory", "prune"}, {"compact"}, {"rebuild"}} {
		got := mneme(t, nil, "", append(args, "--data", dir)...)
		assert.Equal(t, 1, got.status, args)
		assert.Contains(t, got.err, "there is no data directory", args)
		assert.NoDirExists(t, dir, args)
		empty := t.TempDir()
		got = mneme(t, nil, "", append(args, "--data", empty)...)
		assert.Equal(t, 1, got.status, args)
		assert.Contains(t, got.err, "nothing was stored yet in the directory", args)
		files, err := os.ReadDir(empty)
		require.NoError(t, err)
		assert.Empty(t, files, args)
	}
}

func TestForget(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	done(t, twoEpisodes+`{"kind": "feedback", "record": {"episodeId": "e1", "type": "THUMBS_UP", "createdBy": "zoezz"}}`,
		"import", "--format", "jsonl", "--data", dir, "-")
	before := done(t, "", "export", "--data", dir)
	const trace = "0af7651916cd43dd8448eb211c80319c"
	assert.Equal(t, "Would delete 1 feedback, corrections and labels by zoezz.\n",
		done(t, "", "forget", "--data", dir, "--person", "zoezz", "--dry-run"))
	assert.Contains(t, done(t, "", "forget", "--data", dir, "--trace", trace, "--dry-run"), "Would delete 0 spans of the trace "+trace+".")
	assert.Contains(t, done(t, "", "forget", "--data", dir, "--agent", "a", "--dry-run"), "Would delete agent:a, and with it 2 episodes.\n")
	assert.JSONEq(t, `{"deletedId": "agent:a", "episodes": 2, "dryRun": true}`, done(t, "", "forget", "--data", dir, "--agent", "a", "--dry-run", "--json"))
	for _, args := range [][]string{{"--agent", "a"}, {"--person", "zoezz"}, {"--record", "episode:e1"}, {"--unreadable", "episode:e1"}, {"episodes", "--agent", "a"}} {
		unasked := mneme(t, nil, "", append([]string{"forget", "--data", dir}, args...)...)
		assert.Equal(t, 2, unasked.status, args)
		assert.Contains(t, unasked.err, "This deletes ", args)
		assert.Contains(t, unasked.err, "Nothing was done. Say so with --yes", args)
		assert.Empty(t, unasked.out, args)
	}
	assert.Equal(t, before, done(t, "", "export", "--data", dir), "neither a dry run nor one that was not confirmed changes anything")

	assert.Contains(t, done(t, "", "forget", "--data", dir, "--person", "zoezz", "--yes"), "Deleted 1 feedback, corrections and labels by zoezz.")
	assert.Contains(t, done(t, "", "forget", "--data", dir, "--trace", trace), "Deleted 0 spans of the trace "+trace+".")
	assert.JSONEq(t, `{"deletedId": "agent:a", "episodes": 2, "dryRun": false}`, done(t, "", "forget", "--data", dir, "--agent", "a", "--yes", "--json"))
	for _, word := range []string{"zoezz", "One.", "episode:e1"} {
		assert.False(t, inFiles(t, dir, word), word)
	}
	assert.Contains(t, done(t, before, "import", "--format", "jsonl", "--data", dir, "-"), "left out 4 records that were deleted for good")
	assert.NotContains(t, done(t, "", "export", "--data", dir), "zoezz")
	done(t, before, "import", "--format", "jsonl", "--data", dir, "--force", "-")
	assert.Equal(t, before, done(t, "", "export", "--data", dir))

	for name, tt := range map[string]struct {
		args   []string
		status int
		err    string
	}{
		"nobody":            {nil, 2, "[agent person record trace unreadable] is required"},
		"both":              {[]string{"--agent", "a", "--person", "b"}, 2, "[agent person] were all set"},
		"an empty agent":    {[]string{"--agent", ""}, 2, "the id must not be empty"},
		"an unknown agent":  {[]string{"--agent", "none"}, 1, "does not exist"},
		"a dry run of none": {[]string{"--agent", "none", "--dry-run"}, 1, "does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			got := mneme(t, nil, "", append([]string{"forget", "--data", dir}, tt.args...)...)
			assert.Equal(t, tt.status, got.status, got.err)
			assert.Contains(t, got.err, tt.err)
		})
	}
}

// One record, or those that a filter fits, go as an agent does; where nothing goes, the file is left alone.
func TestForgetRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	done(t, twoEpisodes+`{"kind": "memoir", "record": {"id": "m", "name": "M"}}
		{"kind": "concept", "record": {"id": "c", "memoirId": "m", "name": "walruszz", "content": "Known"}}`,
		"import", "--format", "jsonl", "--data", dir, "-")
	before := done(t, "", "export", "--data", dir)
	assert.Contains(t, done(t, "", "forget", "--data", dir, "--record", "memoir:m", "--dry-run"), "Would delete memoir:m, and with it 1 concept.\n")
	assert.Contains(t, done(t, "", "forget", "episodes", "--data", dir, "--agent", "a", "--dry-run"), "Would delete 2 episodes.\n")
	assert.Equal(t, before, done(t, "", "export", "--data", dir), "a dry run changes nothing")

	assert.Contains(t, done(t, "", "forget", "--data", dir, "--record", "memoir:m", "--yes"), "Deleted memoir:m, and with it 1 concept.")
	assert.False(t, inFiles(t, dir, "walruszz"))
	assert.JSONEq(t, `{"candidates": 2, "deleted": 2, "dryRun": false}`, done(t, "", "forget", "episodes", "--data", dir, "--agent", "a", "--yes", "--json"))
	assert.False(t, inFiles(t, dir, "One."))
	assert.Contains(t, done(t, before, "import", "--format", "jsonl", "--data", dir, "-"), "left out 4 records that were deleted for good")

	unheard := mneme(t, nil, "", "forget", "--data", dir, "--person", "nobody")
	require.Zero(t, unheard.status, unheard.err)
	assert.Equal(t, "Deleted nothing: nobody named nobody, as createdBy and labelledBy have it, has said anything that is kept.\n", unheard.out)

	for args, says := range map[string]string{
		"--record episode:none": `the episode "episode:none" does not exist`, "--record agent:a": "must be the global id of a record", "--record e1": "must be the global id of a record",
		"episodes": "must say which episodes", "episodes --min-feedback 7": "--min-feedback",
	} {
		got := mneme(t, nil, "", append([]string{"forget", "--data", dir, "--dry-run"}, strings.Fields(args)...)...)
		if strings.HasPrefix(args, "episodes") {
			got = mneme(t, nil, "", append([]string{"forget", "episodes", "--data", dir}, strings.Fields(args)[1:]...)...)
		}
		assert.NotZero(t, got.status, args)
		assert.Contains(t, got.err, says, args)
	}
}

// unwrapped is what a table says, in one line.
func unwrapped(table string) string { return strings.Join(strings.Fields(table), " ") }

// inFiles says whether a word stands in any file of a directory.
func inFiles(t *testing.T, dir, word string) bool {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		if bytes.Contains(content, []byte(word)) {
			return true
		}
	}
	return false
}

// A server has the files open, and forgets too: nothing is left in them while it goes on.
func TestForgetAndBackupBesideAServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, dir)
	require.NoError(t, s.record(t.Context(), "besidezz"))
	require.True(t, inFiles(t, dir, "besidezz"))
	copied := t.TempDir()
	var answer struct{ Bytes int64 }
	require.NoError(t, json.Unmarshal([]byte(done(t, "", "backup", "--data", dir, "--json", filepath.Join(copied, "default.db"))), &answer))
	assert.Positive(t, answer.Bytes)
	before := done(t, "", "export", "--data", dir)
	assert.Contains(t, before, "besidezz")
	assert.Equal(t, before, done(t, "", "export", "--data", copied))

	var agent string
	for line := range strings.Lines(before) {
		var head struct {
			Kind string
			Kept struct{ Key string }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &head))
		if head.Kind == "agent" {
			agent = head.Kept.Key
		}
	}
	done(t, "", "forget", "--data", dir, "--agent", agent, "--yes")
	assert.False(t, s.has(t, "besidezz"))
	assert.False(t, inFiles(t, dir, "besidezz"))
}

func TestCompact(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	done(t, twoEpisodes, "import", "--format", "jsonl", "--data", dir, "-")
	var sizes struct{ Before, After int64 }
	require.NoError(t, json.Unmarshal([]byte(done(t, "", "compact", "--data", dir, "--json")), &sizes))
	assert.Positive(t, sizes.After)
	assert.Regexp(t, `^Compacted [\d.]+ MB to [\d.]+ MB\.\n$`, done(t, "", "compact", "--data", dir))
	assert.Contains(t, done(t, "", "doctor", "--data", dir), "nothing of it is left in the file")
}

func TestRebuildMakesVectorsThatAreDue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := map[string]string{"MNEME_EMBEDDER": "off"}
	require.Zero(t, mneme(t, env, twoEpisodes, "import", "--format", "jsonl", "--data", dir, "-").status)
	assert.Contains(t, mneme(t, env, "", "doctor", "--data", dir).out, "not made (MNEME_EMBEDDER=off)")
	require.Zero(t, mneme(t, env, "", "rebuild", "--data", dir).status)
	assert.Contains(t, unwrapped(done(t, "", "doctor", "--data", dir)), "those of 2 more are due: a server makes them in the background, or mneme rebuild")
	assert.Regexp(t, `^Rebuilt what follows from the records of default in [\d.]+m?s\.\n$`, done(t, "", "rebuild", "--data", dir))
	assert.Contains(t, done(t, "", "doctor", "--data", dir), "vectors of 2 records")
}

func TestRebuildOfAllTenants(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tenant := range []string{"a", "b"} {
		done(t, twoEpisodes, "import", "--format", "jsonl", "--data", dir, "--tenant", tenant, "-")
		spoil(t, filepath.Join(dir, tenant+".db"), `UPDATE episodes SET feedback_count = 99`)
	}
	told := mneme(t, nil, "", "doctor", "--data", dir)
	assert.Equal(t, 1, told.status)
	assert.Contains(t, told.out, "b: counters: 2 episodes have wrong counts or sums\n  Make it anew of the records: mneme rebuild\n")
	assert.JSONEq(t, `{"tenant": "a"}`, done(t, "", "rebuild", "--data", dir, "--tenant", "a", "--json"))
	assert.Equal(t, 1, mneme(t, nil, "", "doctor", "--data", dir).status, "of b")
	done(t, "", "rebuild", "--data", dir, "--all")
	done(t, "", "doctor", "--data", dir)
	assert.Equal(t, 2, mneme(t, nil, "", "rebuild", "--data", dir, "--all", "--tenant", "a").status)
	got := mneme(t, map[string]string{"MNEME_EMBEDDER": "endpoint"}, "", "rebuild", "--data", dir)
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.err, "Set MNEME_EMBEDDER_URL")
}

func TestBackupOverwritesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "there")
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	got := mneme(t, nil, "", "backup", "--data", beginning(t), path)
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.err, "is there already")
}

// A backup among the data would be a tenant of its own, or take the place of the keys.
func TestBackupLeavesItsDataAlone(t *testing.T) {
	dir, elsewhere := beginning(t), t.TempDir()
	symlink, within := filepath.Join(elsewhere, "symlink"), filepath.Join(elsewhere, "within")
	require.NoError(t, os.Symlink(filepath.Join(dir, "default.db"), symlink))
	require.NoError(t, os.Symlink(dir, within))
	t.Chdir(dir)
	for _, file := range []string{filepath.Join(dir, "nightly.db"), "./nightly.db", "_keys.db", "default.db-wal", "default.db", symlink, filepath.Join(within, "nightly.db")} {
		got := mneme(t, nil, "", "backup", "--data", dir, file)
		assert.Equal(t, 1, got.status, file)
		assert.Contains(t, got.err, "belongs to the data that is copied", file)
	}
	files, err := filepath.Glob("*.db")
	require.NoError(t, err)
	assert.Equal(t, []string{"default.db"}, files)
	done(t, "", "backup", "--data", dir, filepath.Join(elsewhere, "nightly.db"))
}

// A backup takes the place of a memory whatever became of that, but under no server, and nothing else takes it.
func TestRestore(t *testing.T) {
	t.Parallel()
	data, elsewhere := beginning(t), t.TempDir()
	at := func(name string) string { return filepath.Join(elsewhere, name) }
	restore := func(args ...string) result {
		return mneme(t, nil, "", append([]string{"restore", "--data", data}, args...)...)
	}
	done(t, "", "backup", "--data", data, at("b.db"))
	before := done(t, "", "export", "--data", data)
	done(t, twoEpisodes, "import", "--data", data, "--format", "jsonl", "-")
	changed := done(t, "", "export", "--data", data)
	require.NotEqual(t, before, changed)

	require.NoError(t, os.WriteFile(at("text.db"), []byte("no database"), 0o600))
	spoil(t, at("theirs.db"), `CREATE TABLE theirs (x)`)
	spoil(t, at("later.db"), `PRAGMA application_id = 0x6d6e656d; PRAGMA user_version = 9999; CREATE TABLE later (id)`)
	backup, err := os.ReadFile(at("b.db"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(at("cut.db"), backup[:len(backup)/2], 0o600))
	for file, says := range map[string]string{
		"text.db": "not a database", "theirs.db": "another program", "later.db": "another version", "cut.db": "malformed", "gone.db": "no such file", "": "no regular file",
	} {
		refused := restore("--yes", at(file))
		assert.Equal(t, 1, refused.status, file)
		assert.Contains(t, refused.err, says, file)
	}
	refused := restore(filepath.Join(data, "default.db"))
	assert.Contains(t, refused.err, "belongs to the data")
	refused = restore(at("b.db"))
	assert.Equal(t, 2, refused.status)
	assert.Contains(t, refused.err, "is replaced by "+at("b.db")+" for good.\nNothing was done. Say so with --yes")
	assert.Equal(t, 2, mneme(t, nil, "", "restore", "--store", "neo4j://localhost:7687", at("b.db")).status)
	s := serve(t, data)
	refused = restore("--yes", at("b.db"))
	assert.Equal(t, 1, refused.status)
	assert.Contains(t, refused.err, "another process has it open\nStop the servers on "+data)
	s.kill(t)
	assert.Equal(t, changed, done(t, "", "export", "--data", data))

	path := filepath.Join(data, "default.db")
	for what, spoiled := range map[string]func() error{
		"whole": func() error { return nil }, "damaged": func() error { return os.WriteFile(path, []byte("no database"), 0o600) }, "gone": func() error { return os.Remove(path) },
		"beside the log of another": func() error {
			return errors.Join(os.WriteFile(path+"-wal", backup, 0o600), os.WriteFile(path, backup, 0o600))
		},
	} {
		require.NoError(t, spoiled())
		assert.Equal(t, "The memory of tenant default is that of "+at("b.db")+".\n", done(t, "", "restore", "--yes", "--data", data, at("b.db")), what)
		assert.Equal(t, before, done(t, "", "export", "--data", data), what)
		done(t, "", "doctor", "--data", data)
	}
	done(t, "", "restore", "--data", data, "--tenant", "new", at("b.db"))
	assert.Equal(t, strings.Count(before, "\n"), strings.Count(done(t, "", "export", "--data", data, "--tenant", "new"), "\n"))
}

// The damaged memory of one tenant keeps no other from being served.
func TestOthersAreServedBesideADamagedMemory(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	done(t, twoEpisodes, "import", "--data", data, "--tenant", "acme", "--format", "jsonl", "-")
	require.NoError(t, os.WriteFile(filepath.Join(data, "default.db"), []byte("no database"), 0o600))
	_, warned := greeting(t, data)
	assert.Contains(t, warned, "Attention: the memory of tenant default cannot be used: ")
	assert.NotEmpty(t, done(t, "", "export", "--data", data, "--tenant", "acme"))
	told := mneme(t, nil, "", "doctor", "--data", data)
	assert.Equal(t, 1, told.status)
	assert.Contains(t, told.out, "mneme restore FILE")
}

func TestBackupsThatCannotBeWritten(t *testing.T) {
	dir := beginning(t)
	t.Chdir(t.TempDir())
	got := mneme(t, nil, "", "backup", "--data", dir, "nowhere/backup.db")
	assert.Equal(t, 1, got.status)
	assert.Equal(t, "mneme: nowhere/backup.db cannot be written: no such file or directory\n", got.err)
}

func TestBackupAndCompactOnNeo4jExplainThemselves(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	env := map[string]string{"MNEME_NEO4J_USER": server.User, "MNEME_NEO4J_PASSWORD": server.Password}
	run := func(stdin string, args ...string) result {
		return mneme(t, env, stdin, append(args, "--store", server.URL)...)
	}
	require.Equal(t, 0, run(twoEpisodes, "import", "--format", "jsonl", "--tenant", "t-backup", "-").status)
	got := run("", "backup", "--tenant", "t-backup", filepath.Join(t.TempDir(), "x"))
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.err, "mneme export FILE")
	assert.Contains(t, run("", "compact", "--tenant", "t-backup").out, "mneme has nothing to compact")
	for _, args := range [][]string{{"export"}, {"recall", "x"}, {"memory", "prune"}} {
		got := run("", append(args, "--tenant", "t-nosuch")...)
		assert.Equal(t, 1, got.status, args)
		assert.Contains(t, got.err, "there is no tenant t-nosuch in neo4j at ", args)
	}
}
