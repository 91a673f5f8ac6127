package archtest_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The documents stay short enough to be read. Words are what strings.Fields finds, code and tables included.
func TestSizesOfTheDocuments(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	assert.LessOrEqual(t, len(read(t, root, "README.md")), 8<<10, "bytes of README.md")
	assert.LessOrEqual(t, len(read(t, root, "CONTRIBUTING.md")), 6<<10, "bytes of CONTRIBUTING.md")
	assert.LessOrEqual(t, words(t, root, "CHANGELOG.md"), 500, "words of CHANGELOG.md")

	all := words(t, root, "README.md") + words(t, root, "CONTRIBUTING.md") + words(t, root, "CHANGELOG.md")
	guides, decisions := 0, 0
	numbered := regexp.MustCompile(`^docs/adr/\d{4}-`)
	require.NoError(t, fs.WalkDir(root, "docs", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		n := words(t, root, name)
		all += n
		switch {
		case path.Dir(name) == "docs":
			guides += n
		case numbered.MatchString(name):
			decisions++
			assert.LessOrEqual(t, n, 300, "words of %s", name)
		}
		return nil
	}))
	assert.LessOrEqual(t, decisions, 25, "decisions in docs/adr")
	assert.LessOrEqual(t, guides, 22_000, "words of the guides in docs")
	assert.LessOrEqual(t, all, 35_000, "words of README, CONTRIBUTING, CHANGELOG and docs")
}

// maxComment is how many columns a line of a comment may have, a tab as one: more than that is not read beside code.
const maxComment = 120

func TestLinesOfCommentsAreShort(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	comment := regexp.MustCompile(`(?m)^[ \t]*//.*$`)
	checked := 0
	require.NoError(t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && name != "."):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		text := read(t, root, name)
		if generated.MatchString(text) {
			return nil
		}
		checked++
		for _, place := range comment.FindAllStringIndex(text, -1) {
			columns := utf8.RuneCountInString(text[place[0]:place[1]])
			assert.LessOrEqual(t, columns, maxComment, "columns of %s:%d", name, 1+strings.Count(text[:place[0]], "\n"))
		}
		return nil
	}))
	assert.Greater(t, checked, 500, "files of Go")
}

func read(t *testing.T, root fs.FS, name string) string {
	t.Helper()
	text, err := fs.ReadFile(root, name)
	require.NoError(t, err)
	return string(text)
}

func words(t *testing.T, root fs.FS, name string) int {
	t.Helper()
	return len(strings.Fields(read(t, root, name)))
}
