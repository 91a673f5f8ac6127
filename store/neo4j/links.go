package neo4j

import (
	"maps"
	"slices"

	"mneme/memory"
)

// linkType is a type of relationship between records, with the kinds that it leads from and to. A type
// enters a query from the list below only.
type linkType struct {
	Name     string
	from, to []memory.Kind
}

// linkTypes are all of them. Every relationship carries its tenant and the global ids of its ends as
// tenant, from and to, under two indexes of its type (see the statement link_indexes): the links of a record that
// has very many are read in the order of the other ends, as many as are asked for.
var linkTypes = func() []linkType {
	episode, concept := []memory.Kind{memory.KindEpisode}, []memory.Kind{memory.KindConcept}
	canvas, feedback := []memory.Kind{memory.KindCanvas}, []memory.Kind{memory.KindFeedback}
	section := []memory.Kind{memory.KindSection}
	types := []linkType{
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
		{"MENTIONS", episode, concept},
		{"CONTAINS", []memory.Kind{memory.KindMemoir}, concept},
		{"ABOUT", []memory.Kind{memory.KindObservation, memory.KindCorrection}, sortedKinds(labels)},
		{
			"OF", []memory.Kind{memory.KindExecution, memory.KindLearningProfile},
			[]memory.Kind{memory.KindLearningProfile, memory.KindAgent},
		},
		{"FROM", []memory.Kind{memory.KindExecution}, episode},
	}
	for _, relation := range memory.RelationTypes {
		link := linkType{string(relation), concept, concept}
		if relation == memory.RelationCausedBy { // also of episodes
			link.from, link.to = slices.Concat(concept, episode), slices.Concat(concept, episode)
		}
		types = append(types, link)
	}
	return types
}()

// labels are the labels of the nodes of a kind. A label enters a query from this list only.
var labels = map[memory.Kind]string{
	memory.KindAgent: "Agent", memory.KindSession: "Session", memory.KindEpisode: labelEpisode,
	memory.KindCanvas: labelCanvas, memory.KindFeedback: labelFeedback, memory.KindMemoir: "Memoir",
	memory.KindConcept: "Concept", memory.KindObservation: labelObservation, memory.KindCorrection: labelCorrection,
	memory.KindRun: "Run", memory.KindSection: "Section", memory.KindVerdict: "Verdict", memory.KindPattern: "Pattern",
	memory.KindLearningProfile: "LearningProfile", memory.KindExecution: "Execution",
}

func sortedKinds(labels map[memory.Kind]string) []memory.Kind {
	return slices.Sorted(maps.Keys(labels))
}

// keysByKind takes global ids apart; those that are none are left out.
func keysByKind(ids []string) map[memory.Kind]keySet {
	keys := map[memory.Kind]keySet{}
	for _, id := range ids {
		kind, key, ok := memory.SplitID(id)
		if !ok {
			continue
		}
		if keys[kind] == nil {
			keys[kind] = keySet{}
		}
		keys[kind].add(key)
	}
	return keys
}

// keyLists gives keys as a parameter: the sorted keys by the name of their kind.
func keyLists(keys map[memory.Kind]keySet) parameters {
	lists := parameters{}
	for kind, set := range keys {
		lists[string(kind)] = set.sorted()
	}
	return lists
}
