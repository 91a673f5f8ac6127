package archtest_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	decision = regexp.MustCompile(`\bADRs?\s+(\d+)`)
	// refersToDecisions are the endings of files that may name a decision.
	refersToDecisions = []string{".go", ".cypher", ".sql", ".graphqls", ".ts", ".tsx", ".md", ".yml", ".yaml", ".sh", ".py"}
)

func TestDecisionsThatAreNamedExist(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	files, err := fs.Glob(root, "docs/adr/[0-9]*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i, name := range files {
		assert.True(t, strings.HasPrefix(path.Base(name), fmt.Sprintf("%04d-", i+1)), "%s: decisions are numbered from 1", name)
		text, err := fs.ReadFile(root, name)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(text), fmt.Sprintf("# %d. ", i+1)), "%s: the title has another number", name)
	}
	index, err := fs.ReadFile(root, "docs/adr/README.md")
	require.NoError(t, err)
	for _, name := range files {
		assert.Contains(t, string(index), "]("+path.Base(name)+")", "the index lacks a decision")
	}
	err = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || slices.Contains([]string{"node_modules", "dist", "bin"}, entry.Name())):
			return fs.SkipDir
		case entry.IsDir() || !slices.Contains(refersToDecisions, path.Ext(name)):
			return nil
		}
		text, err := fs.ReadFile(root, name)
		for _, found := range decision.FindAllStringSubmatch(string(text), -1) {
			number, _ := strconv.Atoi(found[1])
			assert.True(t, 1 <= number && number <= len(files), "%s names %s, which is not in docs/adr", name, found[0])
		}
		return err
	})
	require.NoError(t, err)
}
