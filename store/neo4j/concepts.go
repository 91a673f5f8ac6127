package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

// memoirProperties are what a memoir's node holds.
func memoirProperties(tenant string, record *store.MemoirRecord) cypher.Parameters {
	m := &record.Memoir
	properties := cypher.Parameters{
		"tenant": tenant, "key": m.Key, "name": m.Name, "description": m.Description,
		"createdAt": bolt.Instant(m.CreatedAt), "inputHash": graph.HashText(record.InputHash),
	}
	return properties
}

var decodeMemoir = bolt.NodeIn("m", memoirOf)

func memoirOf(f *bolt.Fields) *memory.Memoir {
	return &memory.Memoir{
		Key: f.Key(memory.KindMemoir), Name: f.Text("name"), Description: f.OptionalText("description"), CreatedAt: f.Instant("createdAt"),
	}
}

// conceptProperties are what a concept's node holds from the start.
func conceptProperties(tenant string, record *store.ConceptRecord) cypher.Parameters {
	c := &record.Concept
	properties := conceptSayings(c)
	properties["tenant"], properties["key"], properties["memoir"], properties["name"] = tenant, c.Key, c.MemoirKey, c.Name
	properties["createdAt"], properties["inputHash"] = bolt.Instant(c.CreatedAt), graph.HashText(record.InputHash)
	return properties
}

// conceptSayings are what a refinement may change, but for the revisions.
func conceptSayings(c *memory.Concept) cypher.Parameters {
	properties := cypher.Parameters{"content": c.Content, "labels": bolt.OrNothing(c.Labels), "updatedAt": bolt.Instant(c.UpdatedAt)}
	encodeReceipt(properties, c.Receipt)
	return properties
}

var decodeConcept = bolt.NodeIn("c", conceptOf)

func conceptOf(f *bolt.Fields) *memory.Concept {
	return &memory.Concept{
		Key: f.Key(memory.KindConcept), MemoirKey: f.Text("memoir"), Name: f.Text("name"), Content: f.Text("content"),
		Labels: bolt.List[string](f, "labels"), Revisions: revisionsOf(f), Receipt: receiptOf(f),
		CreatedAt: f.Instant("createdAt"), UpdatedAt: f.Instant("updatedAt"),
	}
}

// revisionsOf reads a list of texts of JSON, because a node holds no list of lists.
func revisionsOf(f *bolt.Fields) []memory.ConceptRevision {
	texts := bolt.List[string](f, "revisions")
	revisions := make([]memory.ConceptRevision, len(texts))
	for i, text := range texts {
		f.Check("revisions", bolt.DecodeKept(text, &revisions[i]))
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
	return readByKey(ctx, s, cypher.Named("memoirs"), keys, decodeMemoir, func(m *memory.Memoir) string { return m.Key })
}

// MemoirByName reads the memoir of a name; see store.ConceptReader.
func (s *tenantStore) MemoirByName(ctx context.Context, name string) (*memory.Memoir, error) {
	q := s.Query(cypher.Named("memoir_by_name"), cypher.Parameters{"name": name})
	found, err := bolt.Read(ctx, s.Connection, q, decodeMemoir)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// byName are the values of a query that lists by name, from after a position.
func byName(p store.Page) cypher.Parameters {
	values := cypher.Parameters{"first": true, "after": "", "limit": p.Limit + 1}
	if p.After != nil {
		values["first"], values["after"] = false, p.After.Key
	}
	return values
}

// ListMemoirs reads a page of memoirs; see store.ConceptReader.
func (s *tenantStore) ListMemoirs(ctx context.Context, p store.Page) ([]*memory.Memoir, bool, error) {
	return bolt.ReadPage(ctx, s.Connection, p, func(p store.Page) bolt.Query {
		return s.Query(cypher.Named("list_memoirs"), byName(p))
	}, decodeMemoir, nil)
}

// CountMemoirs counts the memoirs; see store.ConceptReader.
func (s *tenantStore) CountMemoirs(ctx context.Context) (int, error) {
	return s.Count(ctx, s.Query(cypher.Named("count_memoirs"), nil))
}

// Concepts reads known concepts; see store.ConceptReader.
func (s *tenantStore) Concepts(ctx context.Context, keys []string) ([]*memory.Concept, error) {
	return readByKey(ctx, s, cypher.Named("concepts"), keys, decodeConcept, func(c *memory.Concept) string { return c.Key })
}

// ListConcepts reads a page of a memoir's concepts; see store.ConceptReader.
func (s *tenantStore) ListConcepts(ctx context.Context, memoir string, p store.Page) ([]*memory.Concept, bool, error) {
	return bolt.ReadPage(ctx, s.Connection, p, func(p store.Page) bolt.Query {
		values := byName(p)
		values["memoir"] = memoir
		return s.Query(cypher.Named("list_concepts"), values)
	}, decodeConcept, nil)
}

// CountConcepts counts a memoir's concepts; see store.ConceptReader.
func (s *tenantStore) CountConcepts(ctx context.Context, memoir string) (int, error) {
	return s.Count(ctx, s.Query(cypher.Named("count_concepts"), cypher.Parameters{"memoir": memoir}))
}

// RefineConcept changes what a concept says and keeps what it said; see store.ConceptWriter.
func (s *tenantStore) RefineConcept(ctx context.Context, r store.ConceptRefinement) error {
	return s.write(ctx, func(t *transaction) error {
		found, err := bolt.RowsOf(t.Transaction, cypher.Named("locked_concept"), cypher.Parameters{"key": r.Key}, decodeConcept)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return store.ErrNotFound
		}
		refined, changed, err := found[0].Refine(r.Content, r.Labels, r.Purge, r.At)
		if err != nil || !changed {
			return err
		}
		refined.Receipt = found[0].Receipt.Plus(r.Receipt)
		return t.saveRefined(&refined)
	})
}

func (t *transaction) saveRefined(c *memory.Concept) error {
	revisions, err := encodeRevisions(c.Revisions)
	if err != nil {
		return err
	}
	properties := conceptSayings(c)
	properties["revisions"] = revisions
	said := passages.OfConcept(c)
	said.Properties = cypher.Parameters{"tenant": t.TenantID, "memoir": c.MemoirKey, "createdAt": c.CreatedAt}
	return t.Run(cypher.Named("set_concept"), cypher.Parameters{
		"key": c.Key, "properties": properties, "retold": passages.Retold(memory.KindConcept, said, false, t.store.making()),
	}, nil)
}
