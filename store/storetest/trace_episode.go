package storetest

import (
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
)

// traceLog is a log of some spans, whose entries all say the same.
func traceLog(spans, says int) []memory.Event {
	log := make([]memory.Event, spans)
	for i := range log {
		data := fmt.Sprintf(`{"id":"%d","name":"%s"}`, says, strings.Repeat("x", 40*(says%5)))
		log[i] = memory.Event{Sequence: i, Type: "tool_span", Data: memory.JSON(data), At: at(i)}
	}
	return log
}

func (m *tenant) traceEpisode(trace string) *store.WholeEpisode {
	found, err := store.GetOne[store.WholeEpisode](m.ctx(), m, trace)
	m.NoError(err)
	return found
}

func traceEpisode(m *tenant) {
	m.Nil(m.traceEpisode("t"))
	d := amendable("t").logging(traceLog(2345, 0)...) // more than any page
	m.record(d, amendable("other"), episode("bare", at(0)))
	found := m.traceEpisode("t")
	m.Equal(m.episode("t"), found.Episode)
	m.Equal(d.Events, found.Events)
	m.Equal(hash(d), found.InputHash)
	m.Empty(m.traceEpisode("bare").Events)
	a := amendment("t")
	a.WasHash = found.InputHash
	m.NoError(m.AmendEpisode(m.ctx(), a))
	m.Equal(&store.WholeEpisode{Episode: m.episode("t"), Events: a.Events, InputHash: amendedHash}, m.traceEpisode("t"))
	m.NoError(Delete(m.ctx(), m, memory.KindEpisode, "t"))
	m.Nil(m.traceEpisode("t"))
}

// traceEpisodeOfOneMoment reads an episode again and again while somebody amends it.
func traceEpisodeOfOneMoment(m *tenant) {
	const amendments, readers = 60, 3
	d := amendable("t").logging(traceLog(1, 0)...)
	m.record(d)
	read := make([][]*store.WholeEpisode, readers)
	m.together(readers+1, func(i int) error {
		for says, was := 1, hash(d); says <= amendments; says++ {
			if i == readers {
				a := saying(says)
				a.WasHash, was = was, a.InputHash
				if err := m.AmendEpisode(m.ctx(), a); err != nil {
					return err
				}
				continue
			}
			found, err := store.GetOne[store.WholeEpisode](m.ctx(), m, "t")
			if err != nil {
				return err
			}
			read[i] = append(read[i], found)
		}
		return nil
	})
	for _, found := range slices.Concat(read...) {
		says := 0
		if n, _ := fmt.Sscanf(string(found.InputHash), "says %d", &says); n == 1 {
			want := saying(says)
			m.Equal(want.Events, found.Events)
			m.Equal([]any{want.Episode.Title, want.Episode.Actions}, []any{found.Episode.Title, found.Episode.Actions})
		}
	}
}

// saying is an amendment all of whose parts say the same.
func saying(says int) store.EpisodeAmendment {
	a := amendment("t")
	a.Episode.Embedding, a.Episode.Title, a.Episode.Concluded = nil, fmt.Sprint(says), false
	a.Episode.Actions = make([]memory.Action, 1+says%7)
	for i := range a.Episode.Actions {
		a.Episode.Actions[i] = memory.Action{StepName: fmt.Sprint(says), Result: memory.JSON(`"` + strings.Repeat("y", 50*(says%5)) + `"`)}
	}
	a.Events, a.InputHash = traceLog(1+says%7, says), fmt.Appendf(nil, "says %d", says)
	return a
}
