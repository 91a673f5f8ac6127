package redact_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/redact"
)

// The 5,308 messages of 200 runs of an airline's agent hold reservation codes, payment ids, prices and
// policies, and no secret.
func TestNoAirlineTextIsTakenForASecret(t *testing.T) {
	path := filepath.Join(cmp.Or(os.Getenv("MNEME_TEST_DATA"), "../../../shared/data"), "tau-bench", "gpt-4o-airline.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("MNEME_TEST_DATA") == "" {
		t.Skipf("left out: there is no %s; MNEME_TEST_DATA says where the data is", path)
	}
	require.NoError(t, err)
	var runs any
	require.NoError(t, json.Unmarshal(text, &runs))
	assert.Greater(t, checkPlain(t, "", runs), 10_000)
}

// checkPlain checks every string of a JSON value, under its name, and counts them.
func checkPlain(t *testing.T, name string, value any) (strings int) {
	switch value := value.(type) {
	case string:
		clean, _ := redact.Named(name, value)
		assert.Equal(t, value, clean)
		return 1
	case []any:
		for _, item := range value {
			strings += checkPlain(t, name, item)
		}
	case map[string]any:
		for key, item := range value {
			strings += checkPlain(t, key, item)
		}
	}
	return strings
}
