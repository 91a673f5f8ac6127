package neo4j

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// LinkConcepts links two concepts, once; see store.ConceptWriter.
func (s *tenantStore) LinkConcepts(ctx context.Context, relation memory.Relation) (memory.Relation, error) {
	if err := relation.Check(); err != nil {
		return memory.Relation{}, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	linked := relation
	err := s.write(ctx, func(t *transaction) error {
		pairs, err := t.linkConcepts([]memory.Relation{relation})
		if err != nil {
			return err
		}
		linked.CreatedAt = pairs[0].at
		return pairs[0].Err
	})
	return linked, err
}

// linkedPair says since when two concepts are linked, and whether that is new.
type linkedPair struct {
	store.Recorded
	at time.Time
}

// linkConcepts links pairs of concepts, the same ones by the same type once.
func (t *transaction) linkConcepts(relations []memory.Relation) ([]linkedPair, error) {
	if len(relations) > 1 { // one locks its source itself
		var concepts []string
		for i := range relations {
			concepts = append(concepts, relations[i].SourceKey, relations[i].TargetKey)
		}
		if _, err := graph.LockEnds(t.Transaction, memory.NodeIDs(memory.KindConcept, concepts)); err != nil {
			return nil, err
		}
	}
	rows := map[memory.RelationType][]cypher.Parameters{}
	for i, r := range relations {
		rows[r.Type] = append(rows[r.Type], cypher.Parameters{"place": i, "source": r.SourceKey, "target": r.TargetKey, "at": bolt.Instant(r.CreatedAt)})
	}
	linked := slices.Repeat([]linkedPair{{Recorded: store.Recorded{Err: store.ErrNotFound}}}, len(relations))
	for _, kind := range slices.Sorted(maps.Keys(rows)) {
		err := t.Run(cypher.Rendered("link_concepts", string(kind)), cypher.Parameters{"links": rows[kind]}, func(f *bolt.Fields) {
			for again, place := range bolt.List[int64](f, "places") {
				linked[place] = linkedPair{store.Recorded{Created: again == 0 && !bolt.Required[bool](f, "known")}, f.Instant("at")}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return linked, nil
}

// UnlinkConcepts removes a link; see store.ConceptWriter.
func (s *tenantStore) UnlinkConcepts(ctx context.Context, relation memory.Relation) (removed bool, err error) {
	if !relation.Type.Valid() {
		return false, nil
	}
	count, err := written(ctx, s, func(t *transaction) (int, error) {
		values := cypher.Parameters{"source": relation.SourceKey, "target": relation.TargetKey}
		return bolt.FirstOf(t.Transaction, cypher.Rendered("unlink_concepts", string(relation.Type)), values, bolt.Column[int]("removed"))
	})
	return count > 0, err
}

// maxRelations is how many relations of a concept are read.
const maxRelations = 1000

// Relations reads the relations of concepts in one round trip; see store.ConceptLinks.
func (s *tenantStore) Relations(ctx context.Context, q store.RelationsOf) (map[string][]memory.Relation, error) {
	if len(q.Concepts) == 0 {
		return map[string][]memory.Relation{}, nil
	}
	out, in := followed(store.RelationNames(q.Types), q.Direction)
	names := store.RelationNames(nil)
	if len(q.Types) == 1 { // no others are read
		names = store.RelationNames(q.Types)
	}
	return grouped(ctx, s, "of", s.Query(cypher.Rendered("relations", strings.Join(names, "|")), cypher.Parameters{
		"keys": linking.SetOf(q.Concepts...).Sorted(), "out": out, "in": in, "limit": maxRelations,
	}), func(f *bolt.Fields) memory.Relation {
		return memory.Relation{
			Type: memory.RelationType(f.Text("type")), CreatedAt: f.Instant("at"),
			SourceKey: memory.KeyOf(memory.KindConcept, f.Text("source")), TargetKey: memory.KeyOf(memory.KindConcept, f.Text("target")),
		}
	})
}

// Mentioned reads the concepts that episodes mention; see store.ConceptLinks.
func (s *tenantStore) Mentioned(ctx context.Context, episodes []string) (map[string][]*memory.Concept, error) {
	if len(episodes) == 0 {
		return map[string][]*memory.Concept{}, nil
	}
	asked := s.Query(cypher.Named("mentioned"), cypher.Parameters{"keys": linking.SetOf(episodes...).Sorted()})
	return grouped(ctx, s, "episode", asked, bolt.Node(conceptOf))
}
