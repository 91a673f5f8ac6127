package sqlite

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two indexes of edges hold one type each. A statement that compares the type with a bare parameter is prepared anew
// each time this is bound, as the indexes might serve that value: linking 100,000 canvases took twice as long.
func TestNoStatementIsPreparedAnewForTheTypeOfAnEdge(t *testing.T) {
	t.Parallel()
	bare, given := regexp.MustCompile(`\btype (=|IN) \(?:`), 0
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		assert.Empty(t, bare.FindAllString(string(source), -1), "%s: use graph.GivenType", path)
		given += strings.Count(string(source), "type = ` + graph.GivenType")
		return err
	}))
	require.NotZero(t, given)
}
