package storetest

import (
	"fmt"
	"testing"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
)

// turns are the scores of observations in sessions, each with those around it.
func (s suite) turns(t *testing.T) {
	s.run(t, "a turn is scored by its words, what is said around it, its time and who says it", turnsByRule)
	s.run(t, "a late turn changes the scores of its neighbours", lateTurn)
	s.run(t, "a deleted turn changes the scores of its neighbours", deletedTurn)
}

// amongTurns searches observations with what stands around them.
func amongTurns(text string) store.SearchQuery {
	return store.SearchQuery{Text: text, Kinds: []memory.Kind{memory.KindObservation}, Neighbours: true}
}

// tellDialogue records a session in which people speak in turn, another one, and what is in none.
func tellDialogue(m *tenant) {
	m.t.Helper()
	for i, text := range []string{
		"Ann: The car would not start this morning.", "Ben: Was it the battery?", "Ann: Good question.", "Ben: I can come over.", "Ann: Please bring the cables.",
		"Ben: It rains all day.", "Ann: We had soup for lunch.", "Ben: Tickets for the concert were cheap.", "Ann: The battery came on the seventh.", "12345",
	} {
		m.observe(observation(fmt.Sprintf("t%02d", 2*i), at(10*i)).in("s").saying(text))
	}
	m.observe(
		observation("u1", at(5)).in("u").saying("Ben: The vehicle failed its ignition."), observation("u2", at(6)).in("u").saying("The battery is empty"),
		observation("alone", at(7)).saying("A battery lies on the table"), observation("after", at(60*24*40)).saying("A battery was sold"),
	)
}

// aboutDialogue are questions that are answered by words, by meaning, by those around, by time and by name.
var aboutDialogue = []string{
	"battery", "who asked about the battery", "What did Ann say about cables?", "the vehicle failed its ignition", "Ben on 2 March 2025", "concert in March 2025", "cheap tickets on 1 April",
}

func turnsByRule(m *tenant) {
	tellDialogue(m)
	lent, dated, spoken, meant := 0, 0, 0, 0
	for _, text := range aboutDialogue {
		for _, parts := range m.requireScoresOf(amongTurns(text)) {
			lent += countIf(parts.Words > parts.Own)
			dated += countIf(parts.Date > 0)
			spoken += countIf(parts.Speaker > 0)
			meant += countIf(parts.Words == 0 && parts.Meaning != 0)
		}
	}
	for what, n := range map[string]int{"lent words": lent, "a date": dated, "a speaker": spoken, "only meaning": meant} {
		m.Positive(n, "the questions try %s", what)
	}
}

func countIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// changesAround compares what a search finds with the rule before and after a change, and says that the change mattered to
// records that stay.
func changesAround(m *tenant, text string, change func(), stay ...string) {
	m.t.Helper()
	before := m.requireScoresOf(amongTurns(text))
	change()
	after := m.requireScoresOf(amongTurns(text))
	for _, key := range stay {
		id := memory.NodeID(memory.KindObservation, key)
		m.NotEqual(withoutRarity(before[id]), withoutRarity(after[id]), "%s stands next to what changed", id)
	}
}

// withoutRarity is what does not change with how many records there are in all: what neighbours lend, and the meaning.
func withoutRarity(p matching.Parts) [2]float64 { return [2]float64{p.Words - p.Own, p.Meaning} }

func lateTurn(m *tenant) {
	tellDialogue(m)
	changesAround(m, "cables", func() {
		m.observe(observation("late", at(25)).in("s").saying("Cables for a car that would not start?"))
	}, "t04", "t06", "t08")
	changesAround(m, "the weather forecast", func() { // it is said by nobody else
		m.observe(observation("later", at(55)).in("s").saying("The weather forecast says snow"))
	}, "t10", "t12")
}

func deletedTurn(m *tenant) {
	tellDialogue(m)
	changesAround(m, "cables", func() { m.NoError(Delete(m.ctx(), m, memory.KindObservation, "t06")) }, "t04")
	changesAround(m, "battery", func() { m.NoError(Delete(m.ctx(), m, memory.KindObservation, "t02")) }, "t00", "t04")
}
