package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

func (s suite) learningAsOf(t *testing.T) {
	s.run(t, "a profile is what it was, at every instant", func(m *tenant) {
		drafts := m.executionsAt(115)
		for _, minute := range []int{-1, 0, 5, 99, 100, 107, 113, 114, 200} {
			m.requireProfile(plain(drafts), "agent", "refund", new(at(minute)))
		}
	})
	s.run(t, "an execution is known at its time, an episode at its end", func(m *tenant) {
		e := episode("e", at(1)).doing("refund").until(at(5))
		m.record(e)
		m.Nil(m.profile("agent", "refund", new(at(4))))
		m.requireProfile(executionsOfEpisodes(e), "agent", "refund", new(at(5)))
	})
	s.run(t, "what comes late was known at its time all along", func(m *tenant) {
		m.execute(execution("new", at(9)))
		m.Nil(m.profile("agent", "refund", new(at(5))))
		m.execute(execution("late", at(2)).failing())
		m.requireProfile(plain([]executionDraft{execution("late", at(2)).failing()}), "agent", "refund", new(at(5)))
	})
	s.run(t, "what was deleted is gone from every instant", func(m *tenant) {
		m.record(episode("a", at(1)).doing("refund"), episode("b", at(2)).doing("refund"))
		m.remove("a")
		m.Nil(m.profile("agent", "refund", new(at(1))))
		m.requireProfile(executionsOfEpisodes(episode("b", at(2)).doing("refund")), "agent", "refund", new(at(2)))
	})
}

// history is a tenant and the executions that it must have.
type history struct {
	*world
	executions map[string]memory.Execution
	open       map[string]episodeDraft // episodes whose outcome is unknown
}

func (s suite) learningLaws(t *testing.T) {
	s.check(t, "profiles are those of the executions that are there, in whatever order they came", 8, func(m *tenant, random *rapid.T) {
		h := &history{world: newWorld(m, random), executions: map[string]memory.Execution{}, open: map[string]episodeDraft{}}
		h.fillWindow()
		for i := range rapid.IntRange(1, 10).Draw(random, "acts") {
			switch rapid.IntRange(0, 3).Draw(random, "act") {
			case 0:
				h.work(i)
			case 1:
				h.live(i)
			case 2:
				h.end()
			default:
				h.forget()
			}
		}
		h.requireProfiles()
	})
}

// fillWindow has one profile reach the size of a window, or go a little beyond it.
func (h *history) fillWindow() {
	drafts := make([]executionDraft, rapid.SampledFrom([]int{0, 98, 103}).Draw(h.random, "filled"))
	for i := range drafts {
		drafts[i] = execution(benchmarkKey(i), at(i%13)).by("ada").worth(float64(i) / 128)
	}
	h.execute(drafts...)
	for _, d := range drafts {
		h.executions[d.Execution.Key] = d.Execution
	}
}

// work records an execution by itself.
func (h *history) work(i int) {
	d := execution(fmt.Sprint("x", i), h.moment()).by(oneOf(h.world, "agent", "ada", "eve")).
		doing(oneOf(h.world, "task type", "refund", "flights")).worth(rapid.Float64Range(0, 1).Draw(h.random, "quality"))
	d.Execution.Success = h.chance("succeeds")
	d.Execution.LatencyMs = maybe(h.world, "latency", 0.25, 1000)
	h.execute(d)
	h.executions[d.Execution.Key] = d.Execution
}

// live records an episode.
func (h *history) live(i int) {
	d := h.draftEpisode(fmt.Sprint("e", i)).by(oneOf(h.world, "agent", "ada", "eve"))
	d.Episode.TaskType = maybe(h.world, "task type", "refund", "flights")
	d.Episode.Concluded = d.Episode.Outcome != memory.OutcomeUnknown
	d.Episode.Quality = maybe(h.world, "quality", 0.125, 0.7)
	d.Episode.Embedding = nil
	h.record(d)
	if d.Episode.Concluded {
		h.ran(d)
	} else {
		h.open[d.Episode.Key] = d
	}
}

func (h *history) ran(d episodeDraft) {
	if e := memory.ExecutionOf(&d.Episode); e != nil {
		h.executions[e.Key] = *e
	}
}

// end concludes an episode, where one is open.
func (h *history) end() {
	if len(h.open) == 0 {
		return
	}
	d := h.open[rapid.SampledFrom(slices.Sorted(maps.Keys(h.open))).Draw(h.random, "ends")]
	delete(h.open, d.Episode.Key)
	c := conclusion(d.Episode.Key, oneOf(h.world, "outcome", memory.OutcomeSuccess, memory.OutcomeFailure))
	c.Quality = maybe(h.world, "quality", 0.3)
	h.NoError(h.ConcludeEpisode(h.ctx(), c))
	d = d.ending(c.Outcome)
	if c.Quality != nil {
		d = d.graded(*c.Quality)
	}
	h.ran(d)
}

// forget deletes an episode, where one is an execution.
func (h *history) forget() {
	keys := []string{}
	for _, e := range h.executions {
		if episode := e.EpisodeKey(); episode != nil {
			keys = append(keys, *episode)
		}
	}
	if len(keys) == 0 {
		return
	}
	slices.Sort(keys)
	key := rapid.SampledFrom(keys).Draw(h.random, "goes")
	h.remove(key)
	delete(h.executions, memory.EpisodeExecutionKey(key))
}

// requireProfiles compares all there is, now and as of an instant.
func (h *history) requireProfiles() {
	h.t.Helper()
	all := slices.SortedFunc(maps.Values(h.executions), func(a, b memory.Execution) int { return cmp.Compare(a.Key, b.Key) })
	asOf := h.moment()
	profiles := 0
	for _, agent := range []string{"ada", "eve"} {
		for _, taskType := range []string{"refund", "flights"} {
			h.requireProfile(all, agent, taskType, nil)
			h.requireProfile(all, agent, taskType, &asOf)
			if profileOf(all, agent, taskType, nil) != nil {
				profiles++
			}
		}
	}
	h.Len(h.profilesOf(store.ProfilesOf{}), profiles)
	h.Equal(recordsOf(all, nil), withTasks(h.records(nil, nil)))
	h.Equal(recordsOf(all, &asOf), withTasks(h.records(nil, &asOf)))
}

// recordsOf is the records of the agents that have executions.
func recordsOf(executions []memory.Execution, asOf *time.Time) []memory.AgentRecord {
	records := []memory.AgentRecord{}
	for _, agent := range []string{"ada", "eve"} {
		r := memory.AgentRecord{AgentKey: agent}
		for _, taskType := range []string{"flights", "refund"} {
			if p := profileOf(executions, agent, taskType, asOf); p != nil {
				r.Tasks = append(r.Tasks, memory.TaskRecord{
					TaskType: taskType, Total: p.Total, Successful: p.Successful, QualityBillionths: p.QualityBillionths,
				})
			}
		}
		if r.Tasks != nil {
			records = append(records, r)
		}
	}
	return records
}

func withTasks(records []memory.AgentRecord) []memory.AgentRecord {
	return slices.DeleteFunc(records, func(r memory.AgentRecord) bool { return len(r.Tasks) == 0 })
}

func (s suite) learningTogether(t *testing.T) {
	s.run(t, "64 writers at once each count once", func(m *tenant) {
		var want []memory.Execution
		for i := range 64 {
			want = append(want, execution(fmt.Sprint("x", i), at(i)).worth(float64(i)/64).Execution)
		}
		m.together(len(want), func(i int) error {
			return m.executeErr(execution(fmt.Sprint("x", i), at(i)).worth(float64(i) / 64))
		})
		m.requireProfile(want, "agent", "refund", nil)
	})
	s.run(t, "the same execution at once counts once", func(m *tenant) {
		m.Equal(8, m.createdOf(func(int) ([]store.Recorded, error) {
			return store.Record(m.ctx(), m, executionRecords([]executionDraft{execution("x", at(0))}))
		}), "none is refused")
		m.requireProfile(plain([]executionDraft{execution("x", at(0))}), "agent", "refund", nil)
	})
	s.run(t, "of executions with one key and other content one counts", func(m *tenant) {
		m.Equal(1, m.createdOf(func(i int) ([]store.Recorded, error) {
			return store.Record(m.ctx(), m, executionRecords([]executionDraft{execution("x", at(i)).by(fmt.Sprint(i))}))
		}))
		m.Len(m.profilesOf(store.ProfilesOf{}), 1)
	})
	s.run(t, "an episode that is concluded by many counts once", func(m *tenant) {
		m.record(episode("e", at(0)).doing("refund").unconcluded())
		m.together(8, func(int) error {
			err := m.ConcludeEpisode(m.ctx(), conclusion("e", memory.OutcomeSuccess))
			if errors.Is(err, store.ErrConflict) {
				return nil
			}
			return err
		})
		m.requireProfile(executionsOfEpisodes(episode("e", at(0)).doing("refund")), "agent", "refund", nil)
	})
	s.run(t, "windows that overflow and refill at once stay whole", refillTogether)
}

func (m *tenant) executeErr(d executionDraft) error {
	return fault(store.Record(m.ctx(), m, executionRecords([]executionDraft{d})))
}

// refillTogether deletes episodes of a full window while executions come in.
func refillTogether(m *tenant) {
	var drafts []episodeDraft
	for i := range 105 {
		drafts = append(drafts, episode(fmt.Sprintf("e%03d", i), at(i)).doing("refund").graded(float64(i)/128))
	}
	m.record(drafts...)
	want := executionsOfEpisodes(drafts[8:]...)
	for i := range 8 {
		want = append(want, execution(fmt.Sprint("x", i), at(13*i)).failing().Execution)
	}
	m.together(16, func(i int) error {
		if i < 8 {
			return Delete(m.ctx(), m, memory.KindEpisode, drafts[i].Episode.Key)
		}
		return m.executeErr(execution(fmt.Sprint("x", i-8), at(13*(i-8))).failing())
	})
	m.requireProfile(want, "agent", "refund", nil)
}
