package storetest

import (
	"fmt"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) corrections(t *testing.T) {
	s.run(t, "every field comes back", correctionFields)
	s.run(t, "texts come back byte for byte", func(m *tenant) {
		for i, text := range awkwardTexts {
			key := string(rune('a' + i))
			d := correction(key, text, at(0)).predicting(text).saying(text).within(text).by(text)
			m.correct(d)
			m.Equal(d.read(), m.correction(key), "%q", text)
			m.Equal(1, m.count(m.CountCorrections(m.ctx(), &text)), "%q", text)
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
		found, err := m.Corrections(m.ctx(), []string{"b", "none", "a", "b"})
		m.NoError(err)
		a, b := correction("a", "t", at(0)).read(), correction("b", "t", at(0)).read()
		m.Equal([]*memory.Correction{b, nil, a, b}, found)
		found, err = m.Corrections(m.ctx(), nil)
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
		m.Equal(len(keys), m.count(m.CountCorrections(m.ctx(), of)))
		for _, limit := range []int{1, 3, len(keys), len(keys) + 1} {
			walked := walk(m, limit, func(page store.Page) ([]*memory.Correction, bool, error) {
				return m.ListCorrections(m.ctx(), of, page)
			}, func(x *memory.Correction) store.Position { return store.Position{At: x.CreatedAt, Key: x.Key} })
			m.Equal(keys, keysOf(walked, func(x *memory.Correction) string { return x.Key }), "%q in pages of %d", topic, limit)
		}
	}
	m.Zero(m.count(m.CountCorrections(m.ctx(), new("none"))))
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
