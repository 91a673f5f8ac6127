package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// CreateMemoirs writes a batch in one transaction.
func (t *Tenant) CreateMemoirs(ctx context.Context, records []store.MemoirRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, createMemoir, func(r *store.MemoirRecord) string { return r.Memoir.Key })
}

const hashOfMemoir = `SELECT m.input_hash FROM nodes n LEFT JOIN memoirs m ON m.id = n.id WHERE n.kind = :kind AND n.key = :key`

func createMemoir(c *conn, record *store.MemoirRecord) (created bool, err error) {
	m := &record.Memoir
	if known, err := sameAsRecorded(c, memory.KindMemoir, m.Key, hashOfMemoir, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	taken, err := c.one(`SELECT 1 FROM memoirs WHERE name = :name`, func(*row) {}, arg("name", m.Name))
	if err != nil {
		return false, err
	}
	if taken {
		return false, store.ErrConflict
	}
	id, err := addNode(c, memory.KindMemoir, m.Key)
	if err != nil {
		return false, err
	}
	if err := c.put(insertMemoir, memoirFields(m), arg("id", id), arg("input_hash", blob(record.InputHash))); err != nil {
		return false, err
	}
	return true, index(c, memory.KindMemoir, id)
}

func memoirFields(m *memory.Memoir) []column {
	return []column{{"name", &m.Name}, {"description", &m.Description}, {"created_at", &m.CreatedAt}}
}

// A memoir is m, its node n.
var (
	memoirColumns = `SELECT n.key, ` + selected("m", memoirFields(&memory.Memoir{}))
	memoirScanner = scannerOf(memoirFields)
	insertMemoir  = inserting("memoirs", memoirFields(&memory.Memoir{}), "id", "input_hash")
)

func readMemoir(r *row) *memory.Memoir {
	m := &memory.Memoir{Key: r.key(memory.KindMemoir)}
	memoirScanner.scan(m, r)
	return m
}

var memoirsByKey = memoirColumns + ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'memoir' AND n.key = w.value
	JOIN memoirs m ON m.id = n.id`

// Memoirs reads memoirs by key.
func (t *Tenant) Memoirs(ctx context.Context, keys []string) ([]*memory.Memoir, error) {
	return recordsByKey(ctx, t, memory.KindMemoir, memoirsByKey, keys, readMemoir, func(m *memory.Memoir) string { return m.Key })
}

// MemoirByName reads the memoir of a name.
func (t *Tenant) MemoirByName(ctx context.Context, name string) (found *memory.Memoir, err error) {
	find := memoirColumns + ` FROM memoirs m JOIN nodes n ON n.id = m.id WHERE m.name = :name`
	err = t.read(ctx, func(c *conn) error {
		_, err := c.one(find, func(r *row) { found = readMemoir(r) }, arg("name", name))
		return err
	})
	return found, err
}

// ListMemoirs reads a page by name.
func (t *Tenant) ListMemoirs(ctx context.Context, page store.Page) ([]*memory.Memoir, bool, error) {
	var w conditions
	w.addAfterName(`m.name`, page.After)
	find := memoirColumns + ` FROM memoirs m JOIN nodes n ON n.id = m.id WHERE ` + w.sql() + ` ORDER BY m.name LIMIT :limit`
	return listPage(ctx, t, find, w, page.Limit, readMemoir)
}

// CountMemoirs counts them.
func (t *Tenant) CountMemoirs(ctx context.Context) (int, error) {
	return t.count(ctx, `SELECT count(*) FROM memoirs`, nil)
}
