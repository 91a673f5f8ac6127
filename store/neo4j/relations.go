package neo4j

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// LinkConcepts links two concepts, once; see store.ConceptWriter.
func (s *tenantStore) LinkConcepts(ctx context.Context, relation memory.Relation) (memory.Relation, error) {
	if err := relation.Check(); err != nil {
		return memory.Relation{}, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	text, err := expand("link_concepts", string(relation.Type))
	if err != nil {
		return memory.Relation{}, err
	}
	linked := relation
	return linked, s.write(ctx, func(t *transaction) error {
		values := parameters{"source": relation.SourceKey, "target": relation.TargetKey, "at": instant(relation.CreatedAt)}
		times, err := rowsOfText(t, "link_concepts", text, values, column[time.Time]("at"))
		if err != nil {
			return err
		}
		if len(times) == 0 {
			return store.ErrNotFound
		}
		linked.CreatedAt = times[0].UTC()
		return nil
	})
}

// UnlinkConcepts removes a link; see store.ConceptWriter.
func (s *tenantStore) UnlinkConcepts(ctx context.Context, relation memory.Relation) (removed bool, err error) {
	if !relation.Type.Valid() {
		return false, nil
	}
	text, err := expand("unlink_concepts", string(relation.Type))
	if err != nil {
		return false, err
	}
	return removed, s.write(ctx, func(t *transaction) error {
		values := parameters{"source": relation.SourceKey, "target": relation.TargetKey}
		counts, err := rowsOfText(t, "unlink_concepts", text, values, column[int64]("removed"))
		removed = slices.ContainsFunc(counts, func(n int64) bool { return n > 0 })
		return err
	})
}

// mostRelations is how many relations of a concept are read.
const mostRelations = 1000

// Relations reads the relations of concepts; see store.ConceptLinks.
func (s *tenantStore) Relations(ctx context.Context, q store.RelationsOf) (map[string][]memory.Relation, error) {
	relations := map[string][]memory.Relation{}
	out, in := linkEnds(conceptIDs(q.Concepts), relationNames(q.Types), q.Direction)
	if len(out)+len(in) == 0 {
		return relations, nil
	}
	text, err := expandOnce("relations", sortedRelationTypes())
	if err != nil {
		return nil, err
	}
	values := parameters{"out": out, "in": in, "limit": mostRelations}
	found, err := read(ctx, s.backend, s.query("relations", text, values), decodeRelation)
	for _, r := range found {
		if of := relations[r.of]; len(of) < mostRelations {
			relations[r.of] = append(of, r.Relation)
		}
	}
	return relations, err
}

// relationNames are the names of the types, or of all where types is nil.
func relationNames(types []memory.RelationType) []string {
	if types == nil {
		types = memory.RelationTypes
	}
	return texts(types, func(t memory.RelationType) string { return string(t) })
}

// sortedRelationTypes are all of them in the order in which relations come.
func sortedRelationTypes() []string { return slices.Sorted(slices.Values(relationNames(nil))) }

func conceptIDs(keys []string) []string {
	return texts(keys, func(key string) string { return memory.NodeID(memory.KindConcept, key) })
}

// relationOf is a relation with the concept that was asked for.
type relationOf struct {
	of string
	memory.Relation
}

func decodeRelation(row *neo4j.Record) (relationOf, error) {
	f := fieldsOf(row.AsMap())
	key := func(name string) string { return memory.KeyOf(memory.KindConcept, f.text(name)) }
	return relationOf{of: key("id"), Relation: memory.Relation{
		Type: memory.RelationType(f.text("type")), SourceKey: key("source"), TargetKey: key("target"), CreatedAt: f.instant("at"),
	}}, f.err
}

// Mentioned reads the concepts that episodes mention; see store.ConceptLinks.
func (s *tenantStore) Mentioned(ctx context.Context, episodes []string) (map[string][]*memory.Concept, error) {
	concepts := map[string][]*memory.Concept{}
	if len(episodes) == 0 {
		return concepts, nil
	}
	values := parameters{"keys": setOf(episodes...).sorted()}
	found, err := read(ctx, s.backend, s.query("mentioned", statement("mentioned"), values), decodeMention)
	for _, mention := range found {
		concepts[mention.episode] = append(concepts[mention.episode], mention.concept)
	}
	return concepts, err
}

// mention is a concept that an episode mentions.
type mention struct {
	episode string
	concept *memory.Concept
}

func decodeMention(row *neo4j.Record) (mention, error) {
	episode, err := column[string]("episode")(row)
	if err != nil {
		return mention{}, err
	}
	concept, err := decodeConcept(row)
	return mention{episode: episode, concept: concept}, err
}
