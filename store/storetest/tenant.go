package storetest

import (
	"context"
	"crypto/rand"
	"strings"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// tester is what a test needs of *testing.T, *testing.B and *rapid.T.
type tester interface {
	require.TestingT
	Helper()
	Context() context.Context
}

// tenant is a tenant with verbs that fail the test where the store does.
type tenant struct {
	store.Store
	*require.Assertions
	t tester
}

func bind(t tester, backend store.Backend, id string) *tenant {
	t.Helper()
	bound, err := backend.Tenant(t.Context(), id)
	require.NoError(t, err)
	_, err = bound.InputKey(t.Context()) // as is asked for before anything is written
	require.NoError(t, err)
	return &tenant{Store: bound, Assertions: require.New(t), t: t}
}

func randomTenant() string { return "t-" + strings.ToLower(rand.Text()) }

func (m *tenant) ctx() context.Context { return m.t.Context() }

// record records new episodes in one batch.
func (m *tenant) record(drafts ...episodeDraft) {
	m.t.Helper()
	m.allCreated(m.recorded(drafts...))
}

// recorded records episodes in one batch and gives what became of each.
func (m *tenant) recorded(drafts ...episodeDraft) []store.Recorded {
	m.t.Helper()
	recorded, err := store.Record(m.ctx(), m, episodeRecords(drafts))
	m.NoError(err)
	m.Len(recorded, len(drafts))
	for i, draft := range drafts {
		m.Equal(draft.Episode.Key, recorded[i].Key)
	}
	return recorded
}

// act records new canvas actions in one batch.
func (m *tenant) act(drafts ...actionDraft) {
	m.t.Helper()
	m.allCreated(m.acted(drafts...))
}

// acted records canvas actions in one batch and gives what became of each.
func (m *tenant) acted(drafts ...actionDraft) []store.Recorded {
	m.t.Helper()
	recorded, err := store.Record(m.ctx(), m, actionRecords(drafts))
	m.NoError(err)
	m.Len(recorded, len(drafts))
	for i, draft := range drafts {
		m.Equal(draft.Canvas, recorded[i].Key)
	}
	return recorded
}

// react records new feedback in one batch.
func (m *tenant) react(drafts ...feedbackDraft) {
	m.t.Helper()
	m.allCreated(m.reacted(drafts...))
}

// reacted records feedback in one batch and gives what became of each.
func (m *tenant) reacted(drafts ...feedbackDraft) []store.Recorded {
	m.t.Helper()
	recorded, err := store.Record(m.ctx(), m, feedbackRecords(drafts))
	m.NoError(err)
	m.Len(recorded, len(drafts))
	for i, draft := range drafts {
		m.Equal(draft.Feedback.Key, recorded[i].Key)
	}
	return recorded
}

func (m *tenant) allCreated(recorded []store.Recorded) {
	m.t.Helper()
	for _, r := range recorded {
		m.NoError(r.Err, r.Key)
		m.True(r.Created, r.Key)
	}
}

// remove deletes an episode.
func (m *tenant) remove(key string) {
	m.t.Helper()
	m.NoError(Delete(m.ctx(), m, memory.KindEpisode, key))
}

// Delete deletes one record, and is ErrNotFound where there is none.
func Delete(ctx context.Context, s store.Eraser, kind memory.Kind, key string) error {
	count, err := s.Delete(ctx, kind, []string{key})
	if err == nil && count == 0 {
		err = store.ErrNotFound
	}
	return err
}

func nameAgent(ctx context.Context, s store.Store, agent memory.Agent) error {
	return fault(store.Record(ctx, s, []store.AgentItem{{Agent: agent}}))
}

func labelVerdict(ctx context.Context, s store.Store, label store.VerdictLabel) error {
	return fault(store.Record(ctx, s, []store.VerdictLabel{label}))
}

func applyJudgeThreshold(ctx context.Context, s store.Store, threshold memory.JudgeThreshold) error {
	return fault(store.Record(ctx, s, []store.JudgeThresholdItem{{JudgeThreshold: threshold}}))
}
