package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
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

// linkShape is a query for one of the links. Causes and effects are followed from one end of their
// relationships to the other.
type linkShape struct {
	shape
	Link, Near, Far string
}

var linkNames = map[store.EpisodeLink]string{store.LinkPrevious: "previous", store.LinkNext: "next"}

func shapeOfLink(q store.LinkedQuery) (linkShape, error) {
	s := linkShape{shape: shape{AsOf: q.AsOf != nil}, Link: linkNames[q.Link]}
	switch q.Link {
	case store.LinkCausedBy:
		s.Near, s.Far = "from", "to"
	case store.LinkCauses:
		s.Near, s.Far = "to", "from"
	default:
		if s.Link == "" {
			return s, fmt.Errorf("%w: link %d", store.ErrInvalid, q.Link)
		}
	}
	return s, nil
}

// Linked reads the episodes that others are linked to; see store.EpisodeReader.
func (s *tenantStore) Linked(ctx context.Context, q store.LinkedQuery) (map[string]store.LinkedPage, error) {
	linked := map[string]store.LinkedPage{}
	if len(q.Episodes) == 0 {
		return linked, nil
	}
	asked, err := s.linkedQuery(q)
	if err != nil {
		return nil, err
	}
	rows, err := read(ctx, s.backend, asked, decodeLinked)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		linked[row.origin] = store.LinkedPage{Episodes: append(linked[row.origin].Episodes, row.episode)}
	}
	if _, single := linkNames[q.Link]; single {
		return linked, nil
	}
	for key, found := range linked {
		slices.SortFunc(found.Episodes, func(a, b *memory.Episode) int { return cmp.Compare(a.Key, b.Key) })
		found.Episodes, found.More, _ = page(found.Episodes, q.Page.Limit, nil)
		linked[key] = found
	}
	return linked, nil
}

func (s *tenantStore) linkedQuery(q store.LinkedQuery) (query, error) {
	shape, err := shapeOfLink(q)
	if err != nil {
		return query{}, err
	}
	from := ""
	if q.Page.After != nil {
		from = memory.NodeID(memory.KindEpisode, q.Page.After.Key)
	}
	values := parameters{"keys": setOf(q.Episodes...).sorted(), "page": after(from), "limit": q.Page.Limit + 1}
	contextParameters(values, q.AsOf)
	return s.query(rendered("linked", shape), values), nil
}

// CountLinked counts the causes or effects of episodes; see store.EpisodeReader.
func (s *tenantStore) CountLinked(ctx context.Context, q store.LinkedQuery) (map[string]int, error) {
	counts := map[string]int{}
	shape, err := shapeOfLink(q)
	if err != nil || len(q.Episodes) == 0 {
		return counts, err
	}
	values := parameters{"keys": setOf(q.Episodes...).sorted()}
	contextParameters(values, q.AsOf)
	_, err = read(ctx, s.backend, s.query(rendered("count_linked", shape), values), func(row *neo4j.Record) (struct{}, error) {
		f := fieldsOf(row.AsMap())
		counts[f.text("origin")] = f.integer("count")
		return struct{}{}, f.err
	})
	return counts, err
}

// linkedEpisode is an episode that another is linked to.
type linkedEpisode struct {
	origin  string
	episode *memory.Episode
}

func decodeLinked(row *neo4j.Record) (linkedEpisode, error) {
	origin, err := column[string]("origin")(row)
	if err != nil {
		return linkedEpisode{}, err
	}
	episode, err := decodeEpisode(row, 0, nil)
	return linkedEpisode{origin: origin, episode: episode}, err
}
