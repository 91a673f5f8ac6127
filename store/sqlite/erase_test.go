package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/storetest"
)

// traces says which of the words stand in any of a tenant's files, but for their first letters: the
// word index leaves out what a word shares with the one before it.
func traces(t assert.TestingT, dir string, words ...string) (found []string) {
	paths, err := filepath.Glob(filepath.Join(dir, "t.db*"))
	assert.NoError(t, err)
	assert.NotEmpty(t, paths)
	for _, path := range paths {
		content, err := os.ReadFile(path)
		assert.NoError(t, err)
		for _, word := range words {
			if bytes.Contains(content, []byte(word[2:])) {
				found = append(found, filepath.Base(path)+": "+word)
			}
		}
	}
	return found
}

// secrets are words that no other record has, one for each place where a text can be. Each is its own
// stem, so that the word index is searched as well.
var secrets = []string{
	"keyzz", "sessionzz", "titlezz", "observzz", "thoughtzz", "stepzz", "resultzz", "insightzz", "runzz", "metazz", "eventzz",
	"canvaszz", "componentzz", "actionzz", "feedbackzz", "correctzz", "personzz", "hashzz", "causezz",
}

func recordSecrets(t *testing.T, tenant *Tenant) {
	t.Helper()
	r := record("keyzz", "observzz")
	e := &r.Episode
	e.SessionKey, e.Title, e.Thoughts, e.Result, e.Insight = new("sessionzz"), "titlezz", []string{"thoughtzz"}, new("resultzz"), "insightzz"
	e.Actions, e.ExecutionIDs, e.Metadata = []memory.Action{{StepName: "stepzz"}}, []string{"runzz"}, memory.JSON(`"metazz"`)
	r.Events, r.CausedBy, r.InputHash = []memory.Event{{Type: "eventzz", At: noon}}, []string{"causezz"}, []byte("hashzz")
	tenant.mustRecord(t, r)
	shown := store.CanvasActionRecord{
		Canvas: "canvaszz", Episode: new("keyzz"), CanvasType: "forms", ComponentType: new("componentzz"),
		Action: memory.CanvasAction{Action: memory.CanvasPresent, At: noon, Metadata: memory.JSON(`"actionzz"`)},
	}
	_, err := store.Record(t.Context(), tenant, []store.CanvasActionRecord{shown})
	require.NoError(t, err)
	reaction := store.FeedbackRecord{Feedback: memory.Feedback{
		Key: "feedbackzz", EpisodeKey: new("keyzz"),
		Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, Corrections: new("correctzz"), CreatedBy: new("personzz"), CreatedAt: noon},
	}}
	_, err = store.Record(t.Context(), tenant, []store.FeedbackRecord{reaction})
	require.NoError(t, err)
}

func TestDeletedTextIsInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	for i := range 50 {
		tenant.mustRecord(t, record(string(rune('A'+i)), "what stays is here among others"))
	}
	recordSecrets(t, tenant)
	for i := range 50 {
		tenant.mustRecord(t, record(string(rune('ａ'+i)), "what stays is here among others"))
	}
	for _, secret := range secrets {
		require.NotEmpty(t, traces(t, dir, secret), "%s was written", secret)
	}
	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "keyzz"))
	tenant.mustCompact(t)
	assert.Empty(t, traces(t, dir, secrets...))
	assert.NotEmpty(t, traces(t, dir, "stays"))
}
