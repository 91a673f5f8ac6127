package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// LinkConcepts links two concepts, or finds them linked.
func (t *Tenant) LinkConcepts(ctx context.Context, relation memory.Relation) (memory.Relation, error) {
	if relation.Check() != nil {
		return memory.Relation{}, store.ErrInvalid
	}
	if t.file.IsNothing() {
		return memory.Relation{}, store.ErrNotFound
	}
	return answer(ctx, t.file.Write, func(tx *db.Tx) (memory.Relation, error) {
		_, err := linkConcepts(tx, &relation)
		return relation, err
	})
}

// linkConcepts links two concepts, and says whether that is new; else the relation gets the time of the one there.
func linkConcepts(tx *db.Tx, relation *memory.Relation) (linked bool, err error) {
	source, target := ends(tx, relation)
	if source == 0 || target == 0 {
		return false, store.ErrNotFound
	}
	if at, ok := linkedAt(tx, source, relation); ok {
		relation.CreatedAt = at
		return false, nil
	}
	graph.AddEdge(tx, source, string(relation.Type), target, relation.CreatedAt)
	return true, nil
}

// UnlinkConcepts removes a link, if it is there.
func (t *Tenant) UnlinkConcepts(ctx context.Context, relation memory.Relation) (removed bool, err error) {
	if t.file.IsNothing() {
		return false, ctx.Err()
	}
	err = t.file.Write(ctx, func(tx *db.Tx) error {
		source, target := ends(tx, &relation)
		if _, removed = linkedAt(tx, source, &relation); removed {
			graph.RemoveEdge(tx, source, string(relation.Type), target)
		}
		return nil
	})
	return removed && err == nil, err
}

// ends are the two concepts of a relation, 0 where there is none.
func ends(tx *db.Tx, relation *memory.Relation) (source, target int64) {
	return graph.NodeID(tx, memory.KindConcept, relation.SourceKey), graph.NodeID(tx, memory.KindConcept, relation.TargetKey)
}

// linkedAt is since when a relation is there, and whether it is.
func linkedAt(tx *db.Tx, source int64, relation *memory.Relation) (at time.Time, linked bool) {
	const find = `SELECT at FROM edges WHERE source = :source AND type = ` + graph.GivenType + ` AND target_ref = :target`
	linked = tx.One(find, func(r *db.Row) { at = r.Time() }, db.Arg("source", source),
		db.Arg("type", string(relation.Type)), db.Arg("target", memory.NodeID(memory.KindConcept, relation.TargetKey)))
	return at, linked
}

// maxRelations is how many relations of a concept are read.
const maxRelations = 1000

// The relations out of concepts and into them, of each type the first. The bound is the first that is
// too many; a blob sorts after all texts.
var (
	relationsOut = relationsOf(`n.key, e.type, n.key, k.key, e.at`, "source", "target")
	relationsIn  = relationsOf(`n.key, e.type, k.key, n.key, e.at`, "target", "source")
)

func relationsOf(columns, near, far string) string {
	return `SELECT ` + columns + strings.NewReplacer("{near}", near, "{far}", far).Replace(`
		FROM json_each(:concepts) w CROSS JOIN nodes n ON n.kind = 'concept' AND n.key = w.value
		CROSS JOIN json_each(:types) t
		CROSS JOIN edges e ON e.{near} = n.id AND e.type = t.value AND e.{far}_ref < ifnull(
			(SELECT b.{far}_ref FROM edges b WHERE b.{near} = n.id AND b.type = t.value
			 ORDER BY b.{far}_ref LIMIT 1 OFFSET :most), x'')
		JOIN nodes k ON k.id = e.{far}`)
}

// Relations reads the relations of concepts.
func (t *Tenant) Relations(ctx context.Context, query store.RelationsOf) (map[string][]memory.Relation, error) {
	concepts, types := db.List("concepts", db.Distinct(query.Concepts)), db.List("types", store.RelationNames(query.Types))
	related := make(relationsByConcept, len(query.Concepts))
	err := t.file.Snapshot(ctx, func(c *db.Conn) error {
		for _, find := range inDirection(query.Direction, relationsOut, relationsIn) {
			if err := c.Search(ctx, find, related.add, concepts, types, db.Arg("most", maxRelations)); err != nil {
				return err
			}
		}
		return nil
	})
	for key, relations := range related {
		slices.SortFunc(relations, compareRelations)
		related[key] = relations[:min(len(relations), maxRelations)]
	}
	return related, err
}

// relationsByConcept gathers relations.
type relationsByConcept map[string][]memory.Relation

func (l relationsByConcept) add(r *db.Row) {
	key := r.Text()
	l[key] = db.Keep(r, l[key], readRelation(r, memory.RelationType(r.Text())))
}

// readRelation reads the ends and the time of a relation of a type.
func readRelation(r *db.Row, kind memory.RelationType) memory.Relation {
	relation := memory.Relation{Type: kind, SourceKey: r.Text(), TargetKey: r.Text()}
	r.Of(store.KindRelation, memory.JoinKey(string(kind), relation.SourceKey, relation.TargetKey))
	relation.CreatedAt = r.Time()
	return relation
}

// inDirection picks the queries for links out of a node and into it.
func inDirection(direction memory.Direction, out, in string) []string {
	switch direction {
	case memory.DirectionOut:
		return []string{out}
	case memory.DirectionIn:
		return []string{in}
	default:
		return []string{out, in}
	}
}

func compareRelations(a, b memory.Relation) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.SourceKey, b.SourceKey), cmp.Compare(a.TargetKey, b.TargetKey))
}
