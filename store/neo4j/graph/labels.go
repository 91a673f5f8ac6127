// Package graph is what records of all kinds have in common as nodes and relationships: labels and types of links, keys
// and their locks, the links that a write makes, what waits for records that are not there yet, and tombstones.
package graph

import (
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store/linking"
)

// LinkType is a type of relationship between records, with the kinds that it leads from and to. A type
// enters a query from the list below only.
type LinkType struct {
	Name     string
	From, To []memory.Kind
}

// LinkTypes are all of them. Every relationship carries its tenant and the global ids of its ends as
// tenant, from and to, under two indexes of its type (see the statement link_indexes): the links of a record that
// has very many are read in the order of the other ends, as many as are asked for.
var LinkTypes = func() []LinkType {
	episode, concept := []memory.Kind{memory.KindEpisode}, []memory.Kind{memory.KindConcept}
	canvas, feedback := []memory.Kind{memory.KindCanvas}, []memory.Kind{memory.KindFeedback}
	section := []memory.Kind{memory.KindSection}
	types := []LinkType{
		{"RAN", []memory.Kind{memory.KindAgent}, episode},
		{"IN_SESSION", slices.Concat(episode, canvas, feedback, []memory.Kind{memory.KindObservation}), []memory.Kind{memory.KindSession}},
		{"PRESENTED", episode, canvas},
		{"RECEIVED", episode, feedback},
		{
			"ON", []memory.Kind{memory.KindFeedback, memory.KindVerdict},
			[]memory.Kind{memory.KindCanvas, memory.KindSection},
		},
		{"IN_RUN", section, []memory.Kind{memory.KindRun}},
		{"LEARNED_FROM", []memory.Kind{memory.KindPattern}, section},
		{"INFORMED_BY", episode, episode},
		{"MENTIONS", episode, concept},
		{"CONTAINS", []memory.Kind{memory.KindMemoir}, concept},
		{"ABOUT", []memory.Kind{memory.KindObservation, memory.KindCorrection}, memory.Kinds},
		{
			"OF", []memory.Kind{memory.KindExecution, memory.KindLearningProfile},
			[]memory.Kind{memory.KindLearningProfile, memory.KindAgent},
		},
		{"FROM", []memory.Kind{memory.KindExecution}, episode},
	}
	for _, relation := range memory.RelationTypes {
		link := LinkType{string(relation), concept, concept}
		if relation == memory.RelationCausedBy { // also of episodes
			link.From, link.To = slices.Concat(concept, episode), slices.Concat(concept, episode)
		}
		types = append(types, link)
	}
	return types
}()

// KindOf is the kind of a label.
func KindOf(label string) memory.Kind {
	first := min(1, len(label))
	return memory.Kind(strings.ToLower(label[:first]) + label[first:])
}

// KeyLists takes global ids apart, as a parameter: the sorted keys by their kinds. Those that are no ids are left out.
func KeyLists(ids []string) map[memory.Kind][]string {
	lists := map[memory.Kind][]string{}
	for _, id := range linking.SetOf(ids...).Sorted() {
		if kind, key, ok := memory.SplitID(id); ok {
			lists[kind] = append(lists[kind], key)
		}
	}
	return lists
}
