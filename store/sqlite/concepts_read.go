package sqlite

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// A concept is p, its node n, that of its memoir o.
const (
	conceptColumns = `n.key, coalesce(o.key, p.memoir), p.name, p.content, p.labels, p.revisions, p.created_at, p.updated_at,
		p.tokens_before, p.tokens_after, p.redactions`
	conceptTables = ` JOIN nodes n ON n.id = p.id LEFT JOIN nodes o ON o.id = p.memoir AND o.kind = 'memoir'`
	ofMemoir      = `p.memoir = (SELECT id FROM nodes WHERE kind = 'memoir' AND key = :memoir)`
)

func readConcept(r *row) *memory.Concept {
	p := &memory.Concept{
		Key: r.key(memory.KindConcept), MemoirKey: r.text(), Name: r.text(), Content: r.text(), Labels: listOf[string](r),
		Revisions: listOf[memory.ConceptRevision](r), CreatedAt: r.time(), UpdatedAt: r.time(), Receipt: r.receipt(),
	}
	for i := range p.Revisions {
		p.Revisions[i].At = p.Revisions[i].At.UTC()
	}
	return p
}

// Concepts reads concepts by key.
func (t *Tenant) Concepts(ctx context.Context, keys []string) ([]*memory.Concept, error) {
	const find = `SELECT ` + conceptColumns + ` FROM json_each(:keys) w CROSS JOIN nodes q ON q.kind = 'concept' AND q.key = w.value
		JOIN concepts p ON p.id = q.id` + conceptTables
	return recordsByKey(ctx, t, memory.KindConcept, find, keys, readConcept, func(p *memory.Concept) string { return p.Key })
}

// ListConcepts reads a page of a memoir's concepts by name.
func (t *Tenant) ListConcepts(ctx context.Context, memoir string, page store.Page) ([]*memory.Concept, bool, error) {
	var w conditions
	w.add(ofMemoir, arg("memoir", memoir))
	w.addAfterName(`p.name`, page.After)
	find := `SELECT ` + conceptColumns + ` FROM concepts p` + conceptTables + ` WHERE ` + w.sql() + ` ORDER BY p.name LIMIT :limit`
	return listPage(ctx, t, find, w, page.Limit, readConcept)
}

// CountConcepts counts a memoir's concepts.
func (t *Tenant) CountConcepts(ctx context.Context, memoir string) (int, error) {
	var w conditions
	w.add(ofMemoir, arg("memoir", memoir))
	return t.count(ctx, `SELECT count(*) FROM concepts p WHERE `+w.sql(), w.args)
}

// Mentioned reads the concepts that episodes mention.
func (t *Tenant) Mentioned(ctx context.Context, episodes []string) (map[string][]*memory.Concept, error) {
	const find = `SELECT q.key, ` + conceptColumns + ` FROM json_each(:episodes) w
		CROSS JOIN nodes q ON q.kind = 'episode' AND q.key = w.value
		JOIN edges l ON l.source = q.id AND l.type = 'MENTIONS' JOIN concepts p ON p.id = l.target` + conceptTables
	list, err := jsonOf(distinct(episodes))
	if err != nil {
		return nil, err
	}
	mentioned := make(map[string][]*memory.Concept, len(episodes))
	err = t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			key := r.text()
			mentioned[key] = keep(r, mentioned[key], readConcept(r))
			return nil
		}, arg("episodes", list))
	})
	if err != nil {
		return nil, err
	}
	for _, concepts := range mentioned {
		slices.SortFunc(concepts, func(a, b *memory.Concept) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
		})
	}
	return mentioned, nil
}
