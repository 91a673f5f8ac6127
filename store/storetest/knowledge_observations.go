package storetest

import (
	"fmt"
	"slices"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) observations(t *testing.T) {
	s.run(t, "every field comes back", observationFields)
	s.run(t, "texts come back byte for byte", func(m *tenant) {
		for i, text := range awkwardTexts {
			d := observation(string(rune('a'+i)), at(0)).saying(text)
			m.observe(d)
			m.Equal(d.read(), m.observation(string(rune('a'+i))), "%q", text)
		}
	})
	s.run(t, "the same content again is the same observation, other content a conflict", func(m *tenant) {
		m.observe(observation("o1", at(0)))
		m.access("o1", 2, 1)
		recorded := m.observed(observation("o1", at(0)), observation("o1", at(0)).saying("other"), observation("o2", at(0)))
		m.NoError(recorded[0].Err)
		m.False(recorded[0].Created)
		m.ErrorIs(recorded[1].Err, store.ErrConflict)
		m.True(recorded[2].Created)
		m.Equal(2, m.observation("o1").AccessCount)
		m.Equal("Content of o1", m.observation("o1").Content)
	})
	s.run(t, "observations come in the order of the keys, nil where there is none", func(m *tenant) {
		m.observe(observation("a", at(0)), observation("b", at(0)))
		found, err := store.Get[memory.Observation](m.ctx(), m, []string{"b", "none", "a", "b"})
		m.NoError(err)
		a, b := observation("a", at(0)).read(), observation("b", at(0)).read()
		m.Equal([]*memory.Observation{b, nil, a, b}, found)
		found, err = store.Get[memory.Observation](m.ctx(), m, nil)
		m.NoError(err)
		m.Equal([]*memory.Observation{}, found)
	})
	s.run(t, "reading counts no access", func(m *tenant) {
		m.observe(observation("o1", at(0)))
		m.observation("o1")
		m.listedObservations(store.ObservationQuery{Order: memory.LatestFirst})
		m.Zero(m.observation("o1").AccessCount)
		m.Nil(m.observation("o1").LastAccessedAt)
	})
	s.run(t, "a session comes into being with its observation", func(m *tenant) {
		m.observe(observation("o1", at(0)).in("s"))
		m.True(m.hasSession("s"))
	})
	s.run(t, "a session stays while an observation is in it", func(m *tenant) {
		m.observe(observation("o1", at(0)).in("s"))
		m.record(episode("e1", at(0)).in("s"))
		m.remove("e1")
		m.True(m.hasSession("s"))
		m.Equal(new("s"), m.observation("o1").SessionKey)
	})
	s.run(t, "accesses are added to those that are there", addAccesses)
}

func observationFields(m *tenant) {
	m.record(episode("e1", at(0)))
	full := observation("o1", at(3)).in("s").saying("Refunds take a week.").weighing(memory.ImportanceCritical).about("episode:e1")
	full.Observation.Receipt = memory.Receipt{TokensBefore: 9, TokensAfter: 7, Redactions: []memory.Redaction{{Kind: "private", Count: 2}}}
	m.observe(full, observation("o2", at(4)))
	m.Equal(full.read(), m.observation("o1"))
	m.Equal(observation("o2", at(4)).read(), m.observation("o2"))
}

// access tells of reads of an observation.
func (m *tenant) access(key string, count, minute int) {
	m.t.Helper()
	m.NoError(m.counted([]store.Access{{Key: key, Count: count, At: at(minute)}}))
}

func addAccesses(m *tenant) {
	m.observe(observation("o1", at(0)), observation("o2", at(0)), observation("o3", at(0)))
	m.NoError(m.counted([]store.Access{
		{Key: "o1", Count: 3, At: at(5)}, {Key: "gone", Count: 1, At: at(5)}, {Key: "o2", Count: 1, At: at(6)},
		{Key: "o1", Count: 2, At: at(4)},
	}))
	m.NoError(m.counted([]store.Access{{Key: "o1", Count: 1, At: at(7)}}))
	m.NoError(m.counted(nil))
	m.Equal(6, m.observation("o1").AccessCount)
	m.Equal(new(at(7)), m.observation("o1").LastAccessedAt)
	m.Equal(1, m.observation("o2").AccessCount)
	m.Equal(new(at(6)), m.observation("o2").LastAccessedAt)
	m.Equal(observation("o3", at(0)).read(), m.observation("o3"))
	m.access("o1", 1, 2)
	m.Equal(new(at(7)), m.observation("o1").LastAccessedAt, "the last access is the latest")
	m.observe(observation("gone", at(0)))
	m.Zero(m.observation("gone").AccessCount, "dropped, not kept for later")
}

func (s suite) corrections(t *testing.T) {
	s.run(t, "every field comes back", correctionFields)
	s.run(t, "texts come back byte for byte", func(m *tenant) {
		for i, text := range awkwardTexts {
			key := string(rune('a' + i))
			d := correction(key, text, at(0)).predicting(text).saying(text).within(text).by(text)
			m.correct(d)
			m.Equal(d.read(), m.correction(key), "%q", text)
			m.Equal(1, m.count(store.Count(m.ctx(), m, store.CorrectionsOf{Topic: &text})), "%q", text)
		}
	})
	s.run(t, "the same content again is the same correction, other content a conflict", func(m *tenant) {
		m.correct(correction("x1", "topic", at(0)))
		recorded := m.corrected(correction("x1", "topic", at(0)), correction("x1", "other", at(0)), correction("x2", "topic", at(0)))
		m.NoError(recorded[0].Err)
		m.False(recorded[0].Created)
		m.ErrorIs(recorded[1].Err, store.ErrConflict)
		m.True(recorded[2].Created)
		m.Equal("topic", m.correction("x1").Topic)
	})
	s.run(t, "corrections come in the order of the keys, nil where there is none", func(m *tenant) {
		m.correct(correction("a", "t", at(0)), correction("b", "t", at(0)))
		found, err := store.Get[memory.Correction](m.ctx(), m, []string{"b", "none", "a", "b"})
		m.NoError(err)
		a, b := correction("a", "t", at(0)).read(), correction("b", "t", at(0)).read()
		m.Equal([]*memory.Correction{b, nil, a, b}, found)
		found, err = store.Get[memory.Correction](m.ctx(), m, nil)
		m.NoError(err)
		m.Equal([]*memory.Correction{}, found)
	})
	s.run(t, "corrections are listed newest first, of one topic where it is given, in pages", correctionPages)
	s.run(t, "counts are by topic and importance, since an instant where it is given", correctionCounts)
}

func correctionFields(m *tenant) {
	m.record(episode("e1", at(0)))
	full := correction("x1", "refunds", at(3)).predicting("A day").saying("A week").within("Europe").by("ada").
		about("episode:e1").weighing(memory.ImportanceHigh)
	full.Correction.Receipt = memory.Receipt{TokensBefore: 9, TokensAfter: 7, Redactions: []memory.Redaction{{Kind: "private", Count: 2}}}
	m.correct(full, correction("x2", "", at(4)))
	m.Equal(full.read(), m.correction("x1"))
	m.Equal(correction("x2", "", at(4)).read(), m.correction("x2"))
}

func correctionPages(m *tenant) {
	want := map[string][]string{}
	for i := range 12 {
		topic := []string{"refund", "Refund", "refunds"}[i%3]
		key := fmt.Sprintf("x%02d", i)
		m.correct(correction(key, topic, at(20-i/2)))
		want[topic], want[""] = append(want[topic], key), append(want[""], key)
	}
	for topic, keys := range want {
		of := &topic
		if topic == "" {
			of = nil
		}
		m.Equal(len(keys), m.count(store.Count(m.ctx(), m, store.CorrectionsOf{Topic: of})))
		for _, limit := range []int{1, 3, len(keys), len(keys) + 1} {
			walked := walk(m, limit, func(page store.Page) ([]*memory.Correction, bool, error) {
				return store.List(m.ctx(), m, store.CorrectionsOf{Topic: of}, page)
			}, func(x *memory.Correction) store.Position { return store.Position{At: x.CreatedAt, Key: x.Key} })
			m.Equal(keys, keysOf(walked, func(x *memory.Correction) string { return x.Key }), "%q in pages of %d", topic, limit)
		}
	}
	m.Zero(m.count(store.Count(m.ctx(), m, store.CorrectionsOf{Topic: new("none")})))
}

func correctionCounts(m *tenant) {
	stats, err := m.CorrectionStats(m.ctx(), nil)
	m.NoError(err)
	m.Equal(memory.CorrectionStats{ByTopic: []memory.TopicCount{}, ByImportance: []memory.ImportanceCount{}}, stats)
	m.correct(
		correction("1", "seats", at(1)).weighing(memory.ImportanceLow), correction("2", "refunds", at(2)),
		correction("3", "Seats", at(3)).weighing(memory.ImportanceCritical), correction("4", "refunds", at(4)),
		correction("5", "seats", at(5)), correction("6", "bags", at(6)),
	)
	stats, err = m.CorrectionStats(m.ctx(), nil)
	m.NoError(err)
	m.Equal(memory.CorrectionStats{
		Total:   6,
		ByTopic: []memory.TopicCount{{Topic: "refunds", Count: 2}, {Topic: "seats", Count: 2}, {Topic: "Seats", Count: 1}, {Topic: "bags", Count: 1}},
		ByImportance: []memory.ImportanceCount{
			{Importance: memory.ImportanceCritical, Count: 1}, {Importance: memory.ImportanceMedium, Count: 4}, {Importance: memory.ImportanceLow, Count: 1},
		},
	}, stats)
	stats, err = m.CorrectionStats(m.ctx(), new(at(5)))
	m.NoError(err)
	m.Equal(memory.CorrectionStats{
		Total: 2, ByTopic: []memory.TopicCount{{Topic: "bags", Count: 1}, {Topic: "seats", Count: 1}},
		ByImportance: []memory.ImportanceCount{{Importance: memory.ImportanceMedium, Count: 2}},
	}, stats)
}

func (s suite) about(t *testing.T) {
	s.run(t, "annotations are about records of any kind, in the order of their ids", func(m *tenant) {
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
	s.run(t, "a session is there with whatever names it first", func(m *tenant) {
		sessions := []string{"session:of canvas", "session:of episode", "session:of feedback", "session:of observation"}
		m.observe(observation("o", at(0)).about(sessions...))
		m.record(episode("e", at(1)).in("of episode"))
		m.act(present("v", at(2)).in("of canvas").of("e"))
		m.react(thumbsUp("f", at(3)).in("of feedback").on("e"))
		m.observe(observation("n", at(4)).in("of observation"))
		m.Equal(sessions, m.observation("o").About)
	})
	s.run(t, "what names no record is refused, and its batch goes on", func(m *tenant) {
		annotations := m.observed(
			observation("bare", at(0)).about("episode:e", "e"), observation("kind", at(0)).about("planet:e"),
			observation("key", at(0)).about("episode:"), observation("fine", at(0)).about("episode:e"),
		)
		corrections := m.corrected(correction("kind", "topic", at(0)).about("x:y"), correction("fine", "topic", at(0)))
		for _, refused := range []store.Recorded{annotations[0], annotations[1], annotations[2], corrections[0]} {
			m.ErrorIs(refused.Err, store.ErrInvalid)
		}
		m.allCreated([]store.Recorded{annotations[3], corrections[1]})
		m.Equal([]bool{false, false, false, false}, m.exist("observation:bare", "observation:kind", "observation:key", "correction:kind"))
	})
	s.run(t, "waiting is for one kind of a key", func(m *tenant) {
		m.observe(observation("o", at(0)).about("canvas:k", "episode:k"))
		m.record(episode("k", at(0)))
		m.Equal([]string{"episode:k"}, m.observation("o").About)
		m.act(present("k", at(1)))
		m.Equal([]string{"canvas:k", "episode:k"}, m.observation("o").About)
	})
	s.run(t, "a deleted record goes, the annotation stays and does not wait for it again", func(m *tenant) {
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
			annotation, key := fmt.Sprint("o", round), fmt.Sprint("e", round)
			m.together(2, func(i int) error {
				if (i+round)%2 == 0 {
					return m.recordErr(episode(key, at(0)))
				}
				return fault(store.Record(m.ctx(), m, observationRecords([]observationDraft{
					observation(annotation, at(1)).about("episode:" + key),
				})))
			})
			m.Equal([]string{"episode:" + key}, m.observation(annotation).About)
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
	ids := append(judgedTenantOf(m).judgeOnce(),
		"agent:agent", "canvas:v", "concept:p", "correction:x", "episode:e", "execution:k", "feedback:f",
		"learningProfile:agent/refund", "memoir:m", "observation:n", "session:s",
	)
	slices.Sort(ids)
	m.Len(ids, len(memory.Kinds))
	return ids
}

// counted records accesses.
func (m *tenant) counted(accesses []store.Access) error {
	return fault(store.Record(m.ctx(), m, accesses))
}
