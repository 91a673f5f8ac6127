package archtest_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	// what a heading's anchor leaves out, as GitHub makes it
	unanchored = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	documents := 0
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "bin" || entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && name != "."):
			return fs.SkipDir
		case filepath.Ext(name) != ".md":
			return nil
		}
		documents++
		text, err := fs.ReadFile(root, name)
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			checkLink(t, root, name, found[1])
		}
		return err
	})
	require.NoError(t, err)
	require.Greater(t, documents, 10, "the documents were not found")
}

// checkLink looks for the file and the heading that a link names; links to elsewhere are not followed.
func checkLink(t *testing.T, root fs.FS, document, target string) {
	t.Helper()
	if strings.Contains(target, "://") {
		return
	}
	file, anchor, _ := strings.Cut(target, "#")
	name := document
	if file != "" {
		name = path.Join(path.Dir(document), file)
	}
	if _, err := fs.Stat(root, name); err != nil {
		t.Errorf("%s links to %s, which is not there", document, target)
		return
	}
	if anchor == "" {
		return
	}
	text, err := fs.ReadFile(root, name)
	require.NoError(t, err)
	for _, found := range heading.FindAllStringSubmatch(string(text), -1) {
		plain := unanchored.ReplaceAllString(strings.ToLower(found[1]), "")
		if strings.ReplaceAll(plain, " ", "-") == anchor {
			return
		}
	}
	t.Errorf("%s links to %s, and %s has no such heading", document, target, name)
}
