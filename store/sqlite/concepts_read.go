package sqlite

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// conceptFields are what a concept keeps for good, conceptSaid what a refinement changes.
func conceptFields(p *memory.Concept) []column {
	return []column{{"name", &p.Name}, {"created_at", &p.CreatedAt}}
}

func conceptSaid(p *memory.Concept) []column {
	return []column{
		{"content", &p.Content}, {"labels", listIn(&p.Labels)}, {"revisions", listIn(&p.Revisions)}, {"updated_at", &p.UpdatedAt},
		{"tokens_before", &p.Receipt.TokensBefore}, {"tokens_after", &p.Receipt.TokensAfter}, {"redactions", listIn(&p.Receipt.Redactions)},
	}
}

// A concept is p, its node n, that of its memoir o.
var (
	conceptColumns = `n.key, coalesce(o.key, p.memoir) AS memoir, ` + selected("p", conceptFields(&memory.Concept{})) + `, ` +
		selected("p", conceptSaid(&memory.Concept{}))
	conceptScanner   = scannerOf(conceptFields, conceptSaid)
	insertingConcept = inserting("concepts", slices.Concat(conceptFields(&memory.Concept{}), conceptSaid(&memory.Concept{})), "id", "memoir", "input_hash")
	updatingConcept  = updating("concepts", conceptSaid(&memory.Concept{}), `id = :id`)
)

const (
	conceptTables = ` JOIN nodes n ON n.id = p.id LEFT JOIN nodes o ON o.id = p.memoir AND o.kind = 'memoir'`
	ofMemoir      = `p.memoir = (SELECT id FROM nodes WHERE kind = 'memoir' AND key = :memoir)`
)

func readConcept(r *row) *memory.Concept {
	p := &memory.Concept{Key: r.key(memory.KindConcept), MemoirKey: r.text()}
	conceptScanner.scan(p, r)
	for i := range p.Revisions {
		p.Revisions[i].At = p.Revisions[i].At.UTC()
	}
	return p
}

var conceptsByKey = `SELECT ` + conceptColumns + ` FROM json_each(:keys) w CROSS JOIN nodes q ON q.kind = 'concept' AND q.key = w.value
	JOIN concepts p ON p.id = q.id` + conceptTables

// Concepts reads concepts by key.
func (t *Tenant) Concepts(ctx context.Context, keys []string) ([]*memory.Concept, error) {
	return recordsByKey(ctx, t, memory.KindConcept, conceptsByKey, keys, readConcept, func(p *memory.Concept) string { return p.Key })
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
	find := `SELECT q.key, ` + conceptColumns + ` FROM json_each(:episodes) w
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
