package archtest_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A release has one version, which these files name.
func TestThePackagesHaveOneVersion(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	named := map[string]string{}
	for file, pattern := range map[string]string{
		"packaging/release.sh":            `VERSION:-([\d.]+)`,
		"packaging/install.sh":            `(?m)^version=([\d.]+)$`,
		"packaging/check.sh":              `(?m)^version=([\d.]+) `,
		"clients/python/pyproject.toml":   `(?m)^version = "([\d.]+)"$`,
		"clients/typescript/package.json": `(?m)^  "version": "([\d.]+)",$`,
		"docker-compose.yml":              `MNEME_IMAGE:-mneme:([\d.]+)`,
		"docs/operations.md":              `mneme_([\d.]+)_amd64\.deb`,
		"CHANGELOG.md":                    `(?m)^## ([\d.]+)`,
	} {
		found := regexp.MustCompile(pattern).FindStringSubmatch(read(t, root, file))
		require.NotNil(t, found, "%s names no version", file)
		named[file] = found[1]
	}
	for file, version := range named {
		assert.Equal(t, named["packaging/release.sh"], version, file)
	}
}
