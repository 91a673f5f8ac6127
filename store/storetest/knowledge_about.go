package storetest

import (
	"fmt"
	"slices"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) about(t *testing.T) {
	s.run(t, "remarks are about records of any kind, in the order of their ids", func(m *tenant) {
		ids := m.oneOfEachKind()
		backwards := []string{}
		for _, id := range ids {
			backwards = append([]string{id}, backwards...)
		}
		m.observe(observation("o", at(5)).about(append(backwards, ids[0])...))
		m.correct(correction("c", "topic", at(5)).about(backwards...))
		m.Equal(ids, m.observation("o").About)
		m.Equal(ids, m.correction("c").About)
	})
	s.run(t, "what is not there yet is waited for, whatever its kind", func(m *tenant) {
		ids := append(judgedIDs(),
			"agent:agent", "canvas:v", "concept:p", "correction:x", "episode:e", "execution:k", "feedback:f",
			"learningProfile:agent/refund", "memoir:m", "observation:n", "session:s",
		)
		slices.Sort(ids)
		m.observe(observation("o", at(5)).about(append(ids, "episode:never")...))
		m.correct(correction("c", "topic", at(5)).about(ids...))
		m.Equal([]string{}, m.observation("o").About)
		m.Equal([]string{}, m.correction("c").About)
		m.Equal(ids, m.oneOfEachKind())
		m.Equal(ids, m.observation("o").About)
		m.Equal(ids, m.correction("c").About)
	})
	s.run(t, "what names no record is refused, and its batch goes on", func(m *tenant) {
		remarks := m.observed(
			observation("bare", at(0)).about("episode:e", "e"), observation("kind", at(0)).about("planet:e"),
			observation("key", at(0)).about("episode:"), observation("fine", at(0)).about("episode:e"),
		)
		corrections := m.corrected(correction("kind", "topic", at(0)).about("x:y"), correction("fine", "topic", at(0)))
		for _, refused := range []store.Recorded{remarks[0], remarks[1], remarks[2], corrections[0]} {
			m.ErrorIs(refused.Err, store.ErrInvalid)
		}
		m.allCreated([]store.Recorded{remarks[3], corrections[1]})
		m.Equal([]bool{false, false, false, false}, m.exist("observation:bare", "observation:kind", "observation:key", "correction:kind"))
	})
	s.run(t, "waiting is for one kind of a key", func(m *tenant) {
		m.observe(observation("o", at(0)).about("canvas:k", "episode:k"))
		m.record(episode("k", at(0)))
		m.Equal([]string{"episode:k"}, m.observation("o").About)
		m.act(present("k", at(1)))
		m.Equal([]string{"canvas:k", "episode:k"}, m.observation("o").About)
	})
	s.run(t, "a deleted record goes, the remark stays and does not wait for it again", func(m *tenant) {
		m.record(episode("e1", at(0)).in("s"), episode("e2", at(0)))
		m.act(present("v1", at(1)).of("e1"))
		m.react(thumbsUp("f1", at(1)).on("e1"))
		about := []string{"canvas:v1", "episode:e1", "episode:e2", "feedback:f1", "session:s"}
		m.observe(observation("o", at(2)).about(about...))
		m.correct(correction("c", "topic", at(2)).about(about...))
		m.remove("e1")
		m.Equal([]string{"episode:e2"}, m.observation("o").About)
		m.Equal([]string{"episode:e2"}, m.correction("c").About)
		m.record(episode("e1", at(0)))
		m.Equal([]string{"episode:e2"}, m.observation("o").About)
	})
	s.run(t, "what arrives together is linked", func(m *tenant) {
		for round := range 6 {
			remark, key := fmt.Sprint("o", round), fmt.Sprint("e", round)
			m.together(2, func(i int) error {
				if (i+round)%2 == 0 {
					return m.recordErr(episode(key, at(0)))
				}
				return fault(m.RecordObservations(m.ctx(), observationRecords([]observationDraft{
					observation(remark, at(1)).about("episode:" + key),
				})))
			})
			m.Equal([]string{"episode:" + key}, m.observation(remark).About)
		}
	})
}

// oneOfEachKind records one of each kind and gives their ids, sorted.
func (m *tenant) oneOfEachKind() []string {
	m.t.Helper()
	m.remember(memoir("m"))
	m.learn(concept("p"))
	m.record(episode("e", at(0)).in("s"))
	m.act(present("v", at(1)).of("e"))
	m.react(thumbsUp("f", at(1)).on("e"))
	m.observe(observation("n", at(1)))
	m.correct(correction("x", "topic", at(1)))
	m.execute(execution("k", at(1)))
	ids := append(courtOf(m).judgeOnce(),
		"agent:agent", "canvas:v", "concept:p", "correction:x", "episode:e", "execution:k", "feedback:f",
		"learningProfile:agent/refund", "memoir:m", "observation:n", "session:s",
	)
	slices.Sort(ids)
	m.Len(ids, len(memory.Kinds))
	return ids
}
