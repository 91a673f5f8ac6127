package testneo4j_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
)

func TestNothingIsNotedAtFirst(t *testing.T) {
	server, err := testneo4j.Load(t.TempDir())
	require.NoError(t, err)
	require.Nil(t, server)
	require.NoError(t, testneo4j.Down(t.Context(), t.TempDir(), os.Stderr), "there is nothing to stop")
}

func TestRootIsWhereTheModuleIs(t *testing.T) {
	root, err := testneo4j.Root()
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(root, "go.mod"))
	t.Chdir(t.TempDir())
	_, err = testneo4j.Root()
	require.ErrorContains(t, err, "inside the repository")
}

// A server that is noted and gone, as after a crash, is cleared away and nothing else is touched.
func TestDownClearsWhatIsGone(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	notePath := filepath.Join(root, ".neo4j", "server.json")
	require.NoError(t, os.Mkdir(filepath.Dir(notePath), 0o700))
	note := `{"url": "neo4j://127.0.0.1:1", "user": "neo4j", "password": "x", "pid": 1, "directory": "` + filepath.ToSlash(data) + `"}`
	require.NoError(t, os.WriteFile(notePath, []byte(note), 0o600))

	server, err := testneo4j.Load(root)
	require.NoError(t, err)
	require.Equal(t, "neo4j://127.0.0.1:1", server.URL)
	require.False(t, server.Alive(t.Context()), "process 1 is another's")
	require.NoError(t, testneo4j.Down(t.Context(), root, os.Stderr))
	require.NoFileExists(t, notePath)
	require.NoDirExists(t, data)
}

func TestTheEnvironmentNamesTheServer(t *testing.T) {
	t.Setenv(testneo4j.EnvURL, "neo4j://there.invalid")
	t.Setenv(testneo4j.EnvUser, "someone")
	t.Setenv(testneo4j.EnvPassword, "secret")
	require.Equal(t, testneo4j.Server{URL: "neo4j://there.invalid", User: "someone", Password: "secret"}, testneo4j.Named())

	t.Setenv(testneo4j.EnvURL, "")
	t.Setenv(testneo4j.EnvRequired, "")
	t.Run("absent", func(t *testing.T) {
		defer func() { require.True(t, t.Skipped()) }()
		testneo4j.Reach(t)
	})
}
