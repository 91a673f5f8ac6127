package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// memoirProperties are what a memoir's node holds.
func memoirProperties(tenant string, record *store.MemoirRecord) parameters {
	m := &record.Memoir
	properties := parameters{
		"tenant": tenant, "key": m.Key, "name": m.Name, "description": m.Description,
		"createdAt": instant(m.CreatedAt), "inputHash": hashText(record.InputHash),
	}
	giveWords(memory.KindMemoir, properties)
	return properties
}

func decodeMemoir(row *neo4j.Record) (*memory.Memoir, error) {
	node, err := column[neo4j.Node]("m")(row)
	f := &fields{node: node, err: err}
	return f.memoir(), f.err
}

func (f *fields) memoir() *memory.Memoir {
	return &memory.Memoir{
		Key: f.key(memory.KindMemoir), Name: f.text("name"), Description: f.optionalText("description"), CreatedAt: f.instant("createdAt"),
	}
}

// conceptProperties are what a concept's node holds from the start.
func conceptProperties(tenant string, record *store.ConceptRecord) parameters {
	c := &record.Concept
	properties := conceptSayings(tenant, c)
	properties["tenant"], properties["key"], properties["memoir"], properties["name"] = tenant, c.Key, c.MemoirKey, c.Name
	properties["createdAt"], properties["inputHash"] = instant(c.CreatedAt), hashText(record.InputHash)
	return properties
}

// conceptSayings are what a refinement may change, but for the revisions.
func conceptSayings(tenant string, c *memory.Concept) parameters {
	properties := parameters{"content": c.Content, "labels": orNothing(c.Labels), "updatedAt": instant(c.UpdatedAt)}
	encodeReceipt(properties, c.Receipt)
	properties["words"] = vocabularyOf(tenant, memory.KindConcept).words(memory.KindConcept, parameters{
		"memoir": c.MemoirKey, "name": c.Name, "content": c.Content, "labels": c.Labels,
	})
	return properties
}

func decodeConcept(row *neo4j.Record) (*memory.Concept, error) {
	node, err := column[neo4j.Node]("c")(row)
	f := &fields{node: node, err: err}
	return f.concept(), f.err
}

func (f *fields) concept() *memory.Concept {
	return &memory.Concept{
		Key: f.key(memory.KindConcept), MemoirKey: f.text("memoir"), Name: f.text("name"), Content: f.text("content"),
		Labels: list[string](f, "labels"), Revisions: f.revisions(), Receipt: f.receipt(),
		CreatedAt: f.instant("createdAt"), UpdatedAt: f.instant("updatedAt"),
	}
}

// revisions reads a list of texts of JSON, because a node holds no list of lists.
func (f *fields) revisions() []memory.ConceptRevision {
	texts := list[string](f, "revisions")
	revisions := make([]memory.ConceptRevision, len(texts))
	for i, text := range texts {
		f.check("revisions", decodeKept(text, &revisions[i]))
		if revisions[i].Labels == nil {
			revisions[i].Labels = []string{}
		}
	}
	return revisions
}

// encodeRevisions is the inverse of revisions.
func encodeRevisions(revisions []memory.ConceptRevision) ([]string, error) {
	texts := make([]string, len(revisions))
	for i, revision := range revisions {
		text, err := memory.JSONOf(revision)
		if err != nil {
			return nil, err
		}
		texts[i] = string(text)
	}
	return texts, nil
}

// Memoirs reads known memoirs; see store.ConceptReader.
func (s *tenantStore) Memoirs(ctx context.Context, keys []string) ([]*memory.Memoir, error) {
	return readByKey(ctx, s, named("memoirs"), keys, decodeMemoir, func(m *memory.Memoir) string { return m.Key })
}

// MemoirByName reads the memoir of a name; see store.ConceptReader.
func (s *tenantStore) MemoirByName(ctx context.Context, name string) (*memory.Memoir, error) {
	q := s.query(named("memoir_by_name"), parameters{"name": name})
	found, err := read(ctx, s.backend, q, decodeMemoir)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// byName are the values of a query that lists by name, from after a position.
func byName(p store.Page) parameters {
	values := parameters{"first": true, "after": "", "limit": p.Limit + 1}
	if p.After != nil {
		values["first"], values["after"] = false, p.After.Key
	}
	return values
}

// ListMemoirs reads a page of memoirs; see store.ConceptReader.
func (s *tenantStore) ListMemoirs(ctx context.Context, p store.Page) ([]*memory.Memoir, bool, error) {
	return wholePage(ctx, p.Limit, func(ctx context.Context, limit int) ([]*memory.Memoir, error) {
		values := byName(store.Page{After: p.After, Limit: limit})
		return read(ctx, s.backend, s.query(named("list_memoirs"), values), decodeMemoir)
	})
}

// CountMemoirs counts the memoirs; see store.ConceptReader.
func (s *tenantStore) CountMemoirs(ctx context.Context) (int, error) {
	return s.count(ctx, s.query(named("count_memoirs"), nil))
}

// Concepts reads known concepts; see store.ConceptReader.
func (s *tenantStore) Concepts(ctx context.Context, keys []string) ([]*memory.Concept, error) {
	return readByKey(ctx, s, named("concepts"), keys, decodeConcept, func(c *memory.Concept) string { return c.Key })
}

// ListConcepts reads a page of a memoir's concepts; see store.ConceptReader.
func (s *tenantStore) ListConcepts(ctx context.Context, memoir string, p store.Page) ([]*memory.Concept, bool, error) {
	return wholePage(ctx, p.Limit, func(ctx context.Context, limit int) ([]*memory.Concept, error) {
		values := byName(store.Page{After: p.After, Limit: limit})
		values["memoir"] = memoir
		return read(ctx, s.backend, s.query(named("list_concepts"), values), decodeConcept)
	})
}

// CountConcepts counts a memoir's concepts; see store.ConceptReader.
func (s *tenantStore) CountConcepts(ctx context.Context, memoir string) (int, error) {
	return s.count(ctx, s.query(named("count_concepts"), parameters{"memoir": memoir}))
}

// RefineConcept changes what a concept says and keeps what it said; see store.ConceptWriter.
func (s *tenantStore) RefineConcept(ctx context.Context, r store.ConceptRefinement) error {
	return s.write(ctx, func(t *transaction) error {
		found, err := rowsOf(t, named("locked_concept"), parameters{"key": r.Key}, decodeConcept)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return store.ErrNotFound
		}
		refined, changed := found[0].Refine(r.Content, r.Labels, r.At)
		if !changed {
			return nil
		}
		refined.Receipt = r.Receipt
		return t.saveRefined(&refined)
	})
}

func (t *transaction) saveRefined(c *memory.Concept) error {
	revisions, err := encodeRevisions(c.Revisions)
	if err != nil {
		return err
	}
	properties := conceptSayings(t.tenant, c)
	properties["revisions"] = revisions
	return t.run(named("set_concept"), parameters{"key": c.Key, "properties": properties}, nil)
}
