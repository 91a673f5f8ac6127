package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
)

// A concept is p, its node n, that of its memoir o.
var (
	conceptColumns   = `n.key, coalesce(o.key, p.memoir) AS memoir, ` + db.Selected("p", fields.Concept(&memory.Concept{}), fields.ConceptContent(&memory.Concept{}))
	readConcept      = db.ScannerOf(fields.Concept, fields.ConceptContent).Read
	insertingConcept = db.Inserting("concepts", slices.Concat(fields.Concept(&memory.Concept{}), fields.ConceptContent(&memory.Concept{})), "id", "memoir", "input_hash")
	updatingConcept  = db.Updating("concepts", fields.ConceptContent(&memory.Concept{}), `id = :id`)
)

const (
	conceptOwner  = ` LEFT JOIN nodes o ON o.id = p.memoir AND o.kind = 'memoir'`
	conceptTables = ` JOIN nodes n ON n.id = p.id` + conceptOwner
	conceptRow    = `concepts p ON p.id = n.id` + conceptOwner
)

// conceptsOf says where the concepts of a memoir are.
func conceptsOf(query *store.ConceptsOf) (from string, w db.Conditions) {
	w.Add(graph.OfMemoir, db.Arg("memoir", query.Memoir))
	return ` FROM concepts p`, w
}

// conceptsPage selects a page of them by name.
func conceptsPage(query *store.ConceptsOf, page *store.Page) (find string, w db.Conditions) {
	from, w := conceptsOf(query)
	w.AddAfterName(`p.name`, page.After)
	return `SELECT ` + conceptColumns + from + conceptTables + ` WHERE ` + w.SQL() + ` ORDER BY p.name LIMIT :limit`, w
}

// Mentioned reads the concepts that episodes mention.
func (t *Tenant) Mentioned(ctx context.Context, episodes []string) (map[string][]*memory.Concept, error) {
	find := `SELECT q.key, ` + conceptColumns + ` FROM json_each(:episodes) w
		CROSS JOIN nodes q ON q.kind = 'episode' AND q.key = w.value
		JOIN edges l ON l.source = q.id AND l.type = 'MENTIONS' JOIN concepts p ON p.id = l.target` + conceptTables + ` ORDER BY p.name, n.key`
	mentioned := make(map[string][]*memory.Concept, len(episodes))
	err := t.each(ctx, find, func(r *db.Row) {
		key := r.Text()
		mentioned[key] = db.Keep(r, mentioned[key], readConcept(r))
	}, db.List("episodes", db.Distinct(episodes)))
	return mentioned, err
}

func addConcept(tx *db.Tx, record *store.ConceptRecord) (created bool, err error) {
	p := record.Concept
	if known, err := sameAsRecorded(tx, memory.KindConcept, p.Key, record.InputHash); known || err != nil {
		return false, err
	}
	memoir := graph.NodeID(tx, memory.KindMemoir, p.MemoirKey)
	if memoir == 0 {
		return false, store.ErrNotFound
	}
	if tx.Has(`SELECT 1 FROM concepts WHERE memoir = :memoir AND name = :name`, db.Arg("memoir", memoir), db.Arg("name", p.Name)) {
		return false, store.ErrConflict
	}
	id := graph.AddNode(tx, memory.KindConcept, p.Key)
	p.Revisions = nil // a new concept has none
	tx.Put(insertingConcept, slices.Concat(fields.Concept(&p), fields.ConceptContent(&p)), db.Arg("id", id), db.Arg("memoir", memoir),
		db.Arg("input_hash", record.InputHash))
	graph.AddEdge(tx, memoir, graph.EdgeContains, id, p.CreatedAt)
	passages.Index(tx, memory.KindConcept, id)
	arrive(tx, memory.KindConcept, p.Key)
	return true, nil
}

// refine changes what a concept says and keeps what it said.
func refine(tx *db.Tx, refinement *store.ConceptRefinement) (created bool, err error) {
	id := graph.NodeID(tx, memory.KindConcept, refinement.Key)
	var concept memory.Concept
	find := `SELECT ` + conceptColumns + ` FROM concepts p` + conceptTables + ` WHERE p.id = :id`
	if id == 0 || !tx.One(find, func(r *db.Row) { concept = *readConcept(r) }, db.Arg("id", id)) {
		return false, store.ErrNotFound
	}
	refined, changed, err := concept.Refine(refinement.Content, refinement.Labels, refinement.Purge, refinement.At)
	if err != nil || !changed {
		return false, err
	}
	if refinement.Purge {
		tx.Fail(schema.MarkVacuum(tx.Conn))
	}
	refined.Receipt = concept.Receipt.Plus(refinement.Receipt)
	tx.Put(updatingConcept, fields.ConceptContent(&refined), db.Arg("id", id))
	passages.Index(tx, memory.KindConcept, id)
	return false, nil
}

func createMemoir(tx *db.Tx, record *store.MemoirRecord) (created bool, err error) {
	m := &record.Memoir
	if known, err := sameAsRecorded(tx, memory.KindMemoir, m.Key, record.InputHash); known || err != nil {
		return false, err
	}
	if tx.Has(`SELECT 1 FROM memoirs WHERE name = :name`, db.Arg("name", m.Name)) {
		return false, store.ErrConflict
	}
	id := graph.AddNode(tx, memory.KindMemoir, m.Key)
	tx.Put(insertMemoir, fields.Memoir(m), db.Arg("id", id), db.Arg("input_hash", record.InputHash))
	passages.Index(tx, memory.KindMemoir, id)
	return true, nil
}

// A memoir is m, its node n.
var (
	memoirColumns = `n.key, ` + db.Selected("m", fields.Memoir(&memory.Memoir{}))
	readMemoir    = db.ScannerOf(fields.Memoir).Read
	insertMemoir  = db.Inserting("memoirs", fields.Memoir(&memory.Memoir{}), "id", "input_hash")
	memoirRow     = `memoirs m ON m.id = n.id`
)

// memoirsOf says where memoirs are.
func memoirsOf(query *store.MemoirsOf) (from string, w db.Conditions) {
	w.AddGiven(`m.name = :name`, "name", query.Name)
	return ` FROM memoirs m`, w
}

// memoirsPage selects a page of them by name.
func memoirsPage(query *store.MemoirsOf, page *store.Page) (find string, w db.Conditions) {
	from, w := memoirsOf(query)
	w.AddAfterName(`m.name`, page.After)
	return `SELECT ` + memoirColumns + from + ` JOIN nodes n ON n.id = m.id WHERE ` + w.SQL() + ` ORDER BY m.name LIMIT :limit`, w
}

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
	related := make(map[string][]memory.Relation, len(query.Concepts))
	add := func(r *db.Row) {
		key := r.Text()
		related[key] = db.Keep(r, related[key], readRelation(r, memory.RelationType(r.Text())))
	}
	err := t.file.Snapshot(ctx, func(c *db.Conn) error {
		for _, find := range inDirection(query.Direction, relationsOut, relationsIn) {
			if err := c.Search(ctx, find, add, concepts, types, db.Arg("most", maxRelations)); err != nil {
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
