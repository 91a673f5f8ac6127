package sqlite

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
	"mneme/store/storetest"
)

// requireGone makes sure that no file has any of the words once it was compacted.
func requireGone(t *testing.T, tenant *Tenant, words []string) {
	t.Helper()
	tenant.mustCompact(t)
	assert.Empty(t, traces(t, filepath.Dir(tenant.file.Path), words...))
	assert.NotEmpty(t, traces(t, filepath.Dir(tenant.file.Path), "stays"))
}

// mustCompact compacts the file, after which nothing is due.
func (t *Tenant) mustCompact(tb testing.TB) {
	tb.Helper()
	_, err := t.Compact(tb.Context())
	require.NoError(tb, err)
	require.False(tb, t.isDue(tb))
}

// isDue says whether the file is still to be vacuumed.
func (t *Tenant) isDue(tb testing.TB) (due bool) {
	tb.Helper()
	require.NoError(tb, t.file.Read(tb.Context(), func(c *db.Conn) error {
		_, there, err := schema.Setting(c, schema.SettingVacuum)
		due = there
		return err
	}))
	return due
}

func TestDeletedAgentIsInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	tenant.mustRecord(t, record("other", "what stays is here among others"))
	words := []string{"agentzz", "namezz", "runningzz", "shownzz", "saidzz", "lookzz", "spottedzz"}
	r := record("runningzz", "spottedzz")
	r.Episode.AgentKey, r.AgentName, r.Episode.SessionKey = "agentzz", new("namezz"), new("lookzz")
	tenant.mustRecord(t, r)
	_, err := store.Record(t.Context(), tenant, []store.CanvasActionRecord{{
		Canvas: "shownzz", Episode: new("runningzz"), CanvasType: "forms", Action: memory.CanvasAction{Action: memory.CanvasPresent, At: noon},
	}})
	require.NoError(t, err)
	for key, episode := range map[string]string{"saidzz": "runningzz", "other": "other"} { // both on the agent's canvas
		_, err = store.Record(t.Context(), tenant, []store.FeedbackRecord{{Feedback: memory.Feedback{
			Key: key, EpisodeKey: &episode, CanvasKey: new("shownzz"),
			Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: noon},
		}}})
		require.NoError(t, err)
	}
	tenant.mustObserve(t, notice("o", "about one that is gone", "agent:agentzz", "episode:runningzz"))
	for _, word := range words {
		require.NotEmpty(t, traces(t, dir, word), "%s was written", word)
	}
	count, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"agentzz"})
	require.NoError(t, err)
	assert.Equal(t, 1, count)
	requireGone(t, tenant, words)
	requireWordsAgree(t, tenant)
}

// Spans that name an agent go before there is an episode, and the agent itself.
func TestHeldSpansOfAnAgentAreInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	words := []string{"agentzz", "tracezz", "spottedzz"}
	spans := []store.HeldSpan{{Trace: "stays", Span: capture.Span{ID: "a", Agent: "another"}}}
	for i := range 50 {
		spans = append(spans, store.HeldSpan{Trace: "tracezz", Span: capture.Span{ID: fmt.Sprint(i), Parent: "0", Gave: memory.JSON(`"spottedzz"`)}})
	}
	spans[1].Span.Agent = "agentzz"
	_, err := tenant.HoldSpans(t.Context(), spans, noon, store.TraceRoom{Spans: 100, Bytes: 1 << 20})
	require.NoError(t, err)
	for _, word := range words {
		require.NotEmpty(t, traces(t, dir, word), "%s was written", word)
	}
	_, err = tenant.Delete(t.Context(), memory.KindAgent, []string{"agentzz"})
	require.NoError(t, err)
	requireGone(t, tenant, words)
}

// Many are deleted in another way than few.
func TestAgentOfManyEpisodesIsInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	var own, others []store.EpisodeRecord
	for i := range 250 {
		r := record(fmt.Sprintf("manyzz-%d", i), fmt.Sprintf("spottedzz%d manyzz", i))
		r.Episode.AgentKey = "agentzz"
		own = append(own, r)
		others = append(others, record(fmt.Sprint(i), fmt.Sprintf("what stays is here among others, number%d", i)))
	}
	tenant.mustRecord(t, others[:100]...)
	tenant.mustRecord(t, own...)
	tenant.mustRecord(t, others[100:]...)
	words := []string{"agentzz", "manyzz", "spottedzz"}
	for _, word := range words {
		require.NotEmpty(t, traces(t, dir, word), "%s was written", word)
	}
	count, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"agentzz"})
	require.NoError(t, err)
	assert.Equal(t, 250, count)
	requireGone(t, tenant, words)
	requireWordsAgree(t, tenant)
	tenant.mustRecord(t, record("after", "laterzz"))
	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "after"))
	requireGone(t, tenant, []string{"laterzz"})
	assert.Equal(t, []string{"7"}, tenant.saying(t, "number7"))
}

func TestDeletedPersonIsInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant := openTenant(t, dir)
	tenant.mustRecord(t, record("other", "what stays is here among others"))
	words := []string{"saidzz", "correctzz", "personzz", "betterzz", "wrongzz"}
	_, err := store.Record(t.Context(), tenant, []store.FeedbackRecord{{Feedback: memory.Feedback{
		Key: "saidzz", EpisodeKey: new("other"),
		Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, Corrections: new("correctzz"), CreatedBy: new("personzz"), CreatedAt: noon},
	}}})
	require.NoError(t, err)
	_, err = store.Record(t.Context(), tenant, []store.CorrectionRecord{{Correction: memory.Correction{
		Key: "betterzz", Topic: "t", Prediction: "wrongzz", Correction: "right", Importance: memory.ImportanceLow, CreatedBy: new("personzz"), CreatedAt: noon,
	}}})
	require.NoError(t, err)
	for _, word := range words {
		require.NotEmpty(t, traces(t, dir, word), "%s was written", word)
	}
	count, err := tenant.Delete(t.Context(), memory.KindPerson, []string{"personzz"})
	require.NoError(t, err)
	assert.Equal(t, 2, count)
	requireGone(t, tenant, words)
	requireWordsAgree(t, tenant)
}

// Deleted executions and profiles leave traces in the file, and so make a vacuum due: those that cannot be read, too.
func TestWhatWasLearnedMakesAVacuumDue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		damage string
		remove func(tenant *Tenant) (int, error)
	}{
		"an execution": {`PRAGMA foreign_keys = 1`, func(tenant *Tenant) (int, error) {
			return tenant.Delete(t.Context(), memory.KindExecution, []string{"x0"})
		}},
		"an unreadable execution": {`UPDATE executions SET quality = -7.5 WHERE key = 'x0'`, func(tenant *Tenant) (int, error) {
			return tenant.Discard(t.Context(), []string{"execution:x0"})
		}},
		"an unreadable profile": {`UPDATE profiles SET total = -7`, func(tenant *Tenant) (int, error) {
			return tenant.Discard(t.Context(), []string{memory.NodeID(memory.KindLearningProfile, memory.ProfileKey("a", "hunt"))})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tenant := openTenant(t, dir)
			_, err := tenant.InputKey(t.Context())
			require.NoError(t, err)
			hunts(t, tenant, "x", 3, noon)
			require.False(t, tenant.isDue(t))
			tamper(t, dir, test.damage)
			count, err := test.remove(tenant)
			require.NoError(t, err)
			require.Equal(t, 1, count)
			assert.True(t, tenant.isDue(t))
		})
	}
}
