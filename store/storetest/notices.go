package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

func (s suite) notices(t *testing.T) {
	s.run(t, "each record that begins is told once, in order, and what is sent again is not", func(m *tenant) {
		m.Zero(m.latest())
		m.record(episode("e1", at(0)))
		m.react(thumbsUp("f1", at(1)).on("e1"))
		recorded, err := store.Record(m.ctx(), m, verdictRecords([]verdictDraft{verdict("v1", "run", "s", at(2))}))
		m.NoError(err)
		m.allCreated(recorded)
		m.recorded(episode("e1", at(0)))
		m.reacted(thumbsUp("f1", at(1)).on("e1"))
		m.told(0, "episode e1", "feedback f1", "verdict v1")
	})
	s.run(t, "executions are told with their task type, also those that episodes are or become", func(m *tenant) {
		m.execute(execution("x1", at(0)).doing("refund"))
		m.record(episode("e1", at(1)).doing("booking"), episode("e2", at(2)).doing("refund").unconcluded())
		m.NoError(m.ConcludeEpisode(m.ctx(), store.EpisodeConclusion{Key: "e2", Outcome: memory.OutcomeFailure}))
		notices := m.noticesAfter(0)
		told := map[string]int{}
		for _, n := range notices {
			told[string(n.Kind)+" "+n.TaskType]++
		}
		m.Equal(map[string]int{"execution refund": 2, "execution booking": 1, "episode booking": 1, "episode refund": 1}, told)
	})
	s.run(t, "records are told with what subscriptions choose by, and how long they are", func(m *tenant) {
		text := strings.Repeat("It rains. ", 2000)
		m.record(episode("e1", at(0)).by("ada").doing("refund").seeing(text))
		m.react(thumbsUp("f1", at(1)).on("e1"), thumbsUp("f2", at(2)))
		recorded, err := store.Record(m.ctx(), m, verdictRecords([]verdictDraft{verdict("v1", "run", "s", at(3)).by("judy")}))
		m.NoError(err)
		m.allCreated(recorded)
		told := map[string]store.Heading{}
		for _, n := range m.noticesAfter(0) {
			if n.Kind != memory.KindExecution {
				told[n.Key] = n.Heading
			}
			m.Equal(n.Key == "e1", n.Bytes >= int64(len(text)), n.Key)
			m.Less(n.Bytes, int64(2*len(text)))
		}
		m.Equal(map[string]store.Heading{
			"e1": {Agent: "ada", TaskType: "refund"}, "f1": {Agent: "ada", Episode: "e1"}, "f2": {}, "v1": {Judge: "judy", Run: "run", SectionType: "verse"},
		}, told)
	})
	s.run(t, "who reads on from a number gets what comes after it, in pages", func(m *tenant) {
		for i := range 7 {
			m.record(episode(fmt.Sprint("e", i), at(i)))
		}
		var keys []string
		for after, latest := int64(0), m.latest(); after < latest; {
			page, err := m.Notices(m.ctx(), after, 3)
			m.NoError(err)
			m.LessOrEqual(len(page.Notices), 3)
			m.Greater(page.UpTo, after)
			for _, n := range page.Notices {
				keys = append(keys, n.Key)
			}
			after = page.UpTo
		}
		m.Equal([]string{"e0", "e1", "e2", "e3", "e4", "e5", "e6"}, keys)
		m.told(m.latest())
	})
	s.run(t, "what is deleted is not told any more, and numbers do not come again", func(m *tenant) {
		m.record(episode("e1", at(0)), episode("e2", at(1)))
		before := m.latest()
		m.remove("e2")
		m.told(0, "episode e1")
		m.record(episode("e3", at(2)))
		m.told(before, "episode e3")
		m.told(0, "episode e1", "episode e3")
	})
	s.run(t, "a number from before what is kept, or that was never given, is refused", func(m *tenant) {
		m.record(episode("e1", at(0)), episode("e2", at(1)))
		first := m.noticesAfter(0)[0].Number
		m.NoError(m.TrimNotices(m.ctx(), day)) // all are later
		m.told(0, "episode e1", "episode e2")
		latest := m.latest()
		m.NoError(m.TrimNotices(m.ctx(), time.Now().Add(time.Hour)))
		m.told(latest)
		for _, number := range []int64{0, first, latest + 1} {
			_, err := m.Notices(m.ctx(), number, 10)
			m.ErrorIs(err, store.ErrNoticesGone, number)
		}
		m.Equal(latest, m.latest())
		m.record(episode("e3", at(2)))
		m.told(latest, "episode e3")
		m.NoError(m.TrimNotices(m.ctx(), time.Now().Add(-time.Hour)))
		m.told(latest, "episode e3")
	})
	t.Run("what a tenant records is nobody else's", func(t *testing.T) {
		backend := s.open(t)
		m, other := bind(t, backend, randomTenant()), bind(t, backend, randomTenant())
		m.record(episode("e1", at(0)))
		other.Zero(other.latest())
		other.told(0)
		unknown, err := backend.Tenant(t.Context(), randomTenant())
		require.NoError(t, err)
		_, err = unknown.Notices(t.Context(), m.latest(), 10)
		require.ErrorIs(t, err, store.ErrNoticesGone)
		_, err = other.Notices(t.Context(), m.latest(), 10)
		require.ErrorIs(t, err, store.ErrNoticesGone)
	})
	s.run(t, "an alert that rises is told once, and again when it fell and rises again", func(m *tenant) {
		m.keepAlerts("a", "b")
		m.told(0, "alert a", "alert b")
		m.record(episode("e1", at(0)))
		latest := m.latest()
		m.keepAlerts("b", "a")
		m.told(latest)
		m.keepAlerts("b", "c")
		m.told(0, "alert b", "episode e1", "alert c")
		m.told(latest, "alert c")
		latest = m.latest()
		m.keepAlerts("b", "c", "a")
		m.told(latest, "alert a")
		m.keepAlerts()
		m.told(0, "episode e1")
	})
	s.run(t, "a look for alerts that ends late changes nothing, nor does one that never began", func(m *tenant) {
		early, err := m.BeginAlerts(m.ctx())
		m.NoError(err)
		m.keepAlerts("a")
		m.NoError(m.KeepAlerts(m.ctx(), early, []string{"b"}))
		m.told(0, "alert a")
		m.NoError(m.KeepAlerts(m.ctx(), early+100, []string{"b"}))
		m.told(0, "alert a")
	})
	s.run(t, "of many that look for alerts at once, one tells of each", func(m *tenant) {
		m.keepAlerts()
		var looking sync.WaitGroup
		for range 8 {
			looking.Go(func() { m.keepAlerts("a", "b") })
		}
		looking.Wait()
		m.told(0, "alert a", "alert b")
	})
	s.run(t, "alerts are trimmed as records are, and not told again", func(m *tenant) {
		m.keepAlerts("a")
		m.NoError(m.TrimNotices(m.ctx(), time.Now().Add(time.Hour)))
		latest := m.latest()
		m.keepAlerts("a", "b")
		m.told(latest, "alert b")
		_, err := m.Notices(m.ctx(), 0, 10)
		m.ErrorIs(err, store.ErrNoticesGone)
	})
	s.run(t, "readers beside many writers miss none, get none twice and agree on the order", noticesUnderLoad)
}

// noticesUnderLoad has readers follow while writers write, each transaction several records.
func noticesUnderLoad(m *tenant) {
	const writers, writes, each, readers = 8, 6, 3, 3
	ctx, cancel := context.WithTimeout(m.ctx(), time.Minute)
	defer cancel()
	var writing, reading sync.WaitGroup
	followed := make([][]string, readers)
	for r := range readers {
		reading.Go(func() { followed[r] = follow(ctx, m, writers*writes*each) })
	}
	for w := range writers {
		writing.Go(func() {
			for i := range writes {
				var drafts []episodeDraft
				for j := range each {
					drafts = append(drafts, episode(fmt.Sprintf("e-%d-%d-%d", w, i, j), at(i)).by(fmt.Sprint("agent", w)))
				}
				_, err := store.Record(ctx, m, episodeRecords(drafts))
				m.NoError(err)
			}
		})
	}
	writing.Wait()
	reading.Wait()
	for _, keys := range followed {
		m.Equal(followed[0], keys)
	}
	m.Len(followed[0], writers*writes*each)
	for w := range writers { // one writer's writes were each acknowledged before the next
		var own []string
		for _, key := range followed[0] {
			if prefix := fmt.Sprintf("e-%d-", w); len(key) > len(prefix) && key[:len(prefix)] == prefix {
				own = append(own, key[:len(key)-2])
			}
		}
		m.True(slices.IsSorted(own), own)
		m.Len(slices.Compact(own), writes)
	}
}

// follow reads on until so many were told.
func follow(ctx context.Context, m *tenant, count int) (keys []string) {
	for after := int64(0); len(keys) < count && ctx.Err() == nil; {
		if _, err := m.LatestNotice(ctx); err != nil {
			m.NoError(err)
			return keys
		}
		page, err := m.Notices(ctx, after, 10)
		if err != nil {
			m.NoError(err)
			return keys
		}
		for _, n := range page.Notices {
			if n.Number <= after {
				m.Greater(n.Number, after)
			}
			after = n.Number
			keys = append(keys, n.Key)
		}
		after = page.UpTo
	}
	return keys
}

// keepAlerts looks for alerts, and finds these.
func (m *tenant) keepAlerts(digests ...string) {
	m.t.Helper()
	look, err := m.BeginAlerts(m.ctx())
	m.NoError(err)
	if digests == nil {
		digests = []string{}
	}
	m.NoError(m.KeepAlerts(m.ctx(), look, digests))
}

func (m *tenant) latest() int64 {
	m.t.Helper()
	number, err := m.LatestNotice(m.ctx())
	m.NoError(err)
	return number
}

func (m *tenant) noticesAfter(number int64) []store.Notice {
	m.t.Helper()
	m.latest() // a store may number then
	page, err := m.Notices(m.ctx(), number, 1000)
	m.NoError(err)
	m.Equal(m.latest(), page.UpTo)
	return page.Notices
}

// told compares what comes after a number, as "kind key".
func (m *tenant) told(after int64, wanted ...string) {
	m.t.Helper()
	told := []string{}
	for _, n := range m.noticesAfter(after) {
		told = append(told, string(n.Kind)+" "+n.Key)
	}
	m.Equal(append([]string{}, wanted...), told)
}
