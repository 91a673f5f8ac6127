package neo4j

import (
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
