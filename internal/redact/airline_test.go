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
	"mneme/memory/redaction"
)

// The 5,308 messages of 200 runs of an airline's agent hold reservation codes, payment ids, prices and
// policies, and what judges say of the answers of models is any text there is; no secret is in either.
func TestNoRealTextIsTakenForASecret(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]int{
		"tau-bench/gpt-4o-airline.json": 10_000, "pandalm/testset-v1.json": 3_000, "pandalm/gpt-3.5-turbo-testset-v1.json": 1_000,
	} {
		t.Run(file, func(t *testing.T) {
			path := filepath.Join(cmp.Or(os.Getenv("MNEME_TEST_DATA"), "../../../shared/data"), filepath.FromSlash(file))
			text, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) && os.Getenv("MNEME_TEST_DATA") == "" {
				t.Skipf("left out: there is no %s; MNEME_TEST_DATA says where the data is", path)
			}
			require.NoError(t, err)
			var value any
			require.NoError(t, json.Unmarshal(text, &value))
			assert.Greater(t, checkPlain(t, "", value), least)
			r := redaction.Redactor{Rules: redact.Rules()}
			r.JSON(text)
			assert.Empty(t, r.Receipt().Redactions, "as one value of JSON")
			_, redactions := redact.Text(string(text))
			assert.Empty(t, redactions, "as a text")
		})
	}
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
