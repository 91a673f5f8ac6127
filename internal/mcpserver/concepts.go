package mcpserver

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
)

var memoirAddConceptTool = tool[boundary.AddConceptInput, conceptOutput]{
	name: "memoir_add_concept", title: "Add a concept", hints: idempotent, rule: access.Records, core: true,
	about: "Adds one thing that is known to a memoir. Search first: what is there already is changed instead, or related to the new with memoir_link.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.AddConceptInput) (conceptOutput, error) {
		return conceptKept(tenant.Knowledge.AddConcept(ctx, in))
	},
}

// conceptOutput is a receipt for a concept.
type conceptOutput struct {
	ID         string             `json:"id"`
	MemoirID   string             `json:"memoirId"`
	Name       string             `json:"name"`
	Revisions  int                `json:"revisions" jsonschema:"How often it was refined."`
	Redactions []memory.Redaction `json:"redactions,omitempty" jsonschema:"What was private, and taken out."`
}

func conceptKept(concept *memory.Concept, err error) (conceptOutput, error) {
	c, err := result(concept, err)
	return conceptOutput{
		ID: c.ID(), MemoirID: memory.NodeID(memory.KindMemoir, c.MemoirKey), Name: c.Name,
		Revisions: len(c.Revisions), Redactions: c.Receipt.Redactions,
	}, err
}

var memoirRefineTool = tool[boundary.RefineConceptInput, conceptOutput]{
	name: "memoir_refine", title: "Refine a concept", hints: deletes, rule: access.Records.AndWith("purge: true", access.Administer),
	about: "Changes what a concept says; what it said before is kept as a revision, unless purge is asked for.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.RefineConceptInput) (conceptOutput, error) {
		return conceptKept(tenant.Knowledge.RefineConcept(ctx, in))
	},
}

var memoirLinkTool = tool[boundary.LinkConceptsInput, relationOutput]{
	name: "memoir_link", title: "Relate two concepts", hints: idempotent, rule: access.Records, core: true,
	about: "Relates two concepts, of whatever memoirs, read from source to target: \"source PART_OF target\".",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.LinkConceptsInput) (relationOutput, error) {
		relation, err := result(tenant.Knowledge.LinkConcepts(ctx, in))
		return relationOutput{
			SourceID: memory.NodeID(memory.KindConcept, relation.SourceKey),
			TargetID: memory.NodeID(memory.KindConcept, relation.TargetKey), Type: relation.Type,
		}, err
	},
}

type relationOutput struct {
	SourceID string              `json:"sourceId"`
	TargetID string              `json:"targetId"`
	Type     memory.RelationType `json:"type"`
}

var memoirSearchTool = tool[memoirSearchInput, hitsOutput[conceptHit]]{
	name: "memoir_search", title: "Search concepts", hints: reads, rule: access.Reads.ForUsers(),
	about: "Finds concepts by name, content and labels, best first, as short hits; memoir_inspect gives one whole.",
	run:   memoirSearch,
}

type memoirSearchInput struct {
	boundary.ConceptSearch
	reading.PageInput
}

type conceptHit struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	MemoirID string   `json:"memoirId"`
	Snippet  string   `json:"snippet" jsonschema:"What matches best, matching words between ** and **."`
	Score    float64  `json:"score" jsonschema:"How well it matches; 0 to 1, half for a superseded one."`
	Reasons  []string `json:"reasons,omitempty"`
	Note     string   `json:"note,omitempty" jsonschema:"Says so where the concept no longer holds."`
}

func memoirSearch(ctx context.Context, tenant *service.Tenant, in memoirSearchInput) (hitsOutput[conceptHit], error) {
	page, err := tenant.Retrieval.SearchConcepts(ctx, in.ConceptSearch, in.PageInput)
	return hitsOf(ctx, tenant, page, err, func(hit recalling.SearchHit, note string) conceptHit {
		c := hit.Concept()
		return conceptHit{
			ID: c.ID(), Name: c.Name, MemoirID: memory.NodeID(memory.KindMemoir, c.MemoirKey),
			Snippet: hit.Snippet, Score: hit.Score, Reasons: hit.Reasons, Note: note,
		}
	})
}

type conceptBody struct {
	ID        string                   `json:"id"`
	MemoirID  string                   `json:"memoirId"`
	Name      string                   `json:"name"`
	Content   string                   `json:"content"`
	Labels    []string                 `json:"labels,omitempty"`
	Note      string                   `json:"note,omitempty" jsonschema:"Says so where the concept no longer holds: what superseded or contradicts it."`
	Revisions []memory.ConceptRevision `json:"revisions,omitempty" jsonschema:"What it said before each refinement, the oldest first."`
	CreatedAt time.Time                `json:"createdAt"`
	UpdatedAt time.Time                `json:"updatedAt"`
}

func bodyOfConcept(c *memory.Concept, note string) conceptBody {
	return conceptBody{
		ID: c.ID(), MemoirID: memory.NodeID(memory.KindMemoir, c.MemoirKey), Name: c.Name, Content: c.Content, Labels: c.Labels,
		Note: note, Revisions: withLabels(c.Revisions), CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}
}

// withLabels writes revisions without labels as such, never as null.
func withLabels(revisions []memory.ConceptRevision) []memory.ConceptRevision {
	return memory.Mapped(revisions, func(r memory.ConceptRevision) memory.ConceptRevision {
		r.Labels = memory.OrEmpty(r.Labels)
		return r
	})
}

// notesOf says of each record that is a concept and no longer holds what superseded or contradicts it, by the concept's
// id. It costs two reads however many concepts there are.
func notesOf(ctx context.Context, tenant *service.Tenant, records ...memory.Node) (map[string]string, error) {
	var concepts []*memory.Concept
	for _, record := range records {
		if concept, ok := record.(*memory.Concept); ok {
			concepts = append(concepts, concept)
		}
	}
	if concepts == nil {
		return nil, nil
	}
	relations, err := tenant.Knowledge.Relations(ctx, memory.Mapped(concepts, func(c *memory.Concept) string { return c.Key }), memory.DirectionBoth,
		[]memory.RelationType{memory.RelationSupersededBy, memory.RelationContradicts})
	if err != nil {
		return nil, err
	}
	var others []string
	for _, c := range concepts {
		if by := memory.SupersededBy(c.Key, relations[c.Key]); by != "" {
			others = append(others, by)
		}
		others = append(others, memory.ContradictedBy(c.Key, relations[c.Key])...)
	}
	names, err := namesOf(ctx, tenant, others)
	if err != nil {
		return nil, err
	}
	notes := map[string]string{}
	for _, c := range concepts {
		by := memory.ContradictedBy(c.Key, relations[c.Key])
		if note := memory.ConceptNote(names[memory.SupersededBy(c.Key, relations[c.Key])], called(names, by)); note != "" {
			notes[c.ID()] = note
		}
	}
	return notes, nil
}

// namesOf reads the names of concepts by key; one that is gone has none.
func namesOf(ctx context.Context, tenant *service.Tenant, keys []string) (map[string]string, error) {
	names := map[string]string{}
	if len(keys) == 0 {
		return names, nil
	}
	slices.Sort(keys)
	concepts, err := service.ByKey[memory.Concept](tenant, memory.KindConcept)(ctx, slices.Compact(keys))
	for _, c := range concepts {
		if c != nil {
			names[c.Key] = c.Name
		}
	}
	return names, err
}

func called(names map[string]string, keys []string) []string {
	found := memory.Mapped(keys, func(key string) string { return names[key] })
	return slices.DeleteFunc(found, func(name string) bool { return name == "" })
}
