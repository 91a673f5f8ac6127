package sqlite

import (
	"context"
	"slices"

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
