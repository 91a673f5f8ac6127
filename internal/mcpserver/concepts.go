package mcpserver

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/service"
)

var memoirAddConceptTool = tool[memoirAddConceptInput, conceptOutput]{
	name: "memoir_add_concept", title: "Add a concept", hints: settles,
	about: "Adds one thing that is known to a memoir. Search first: what is there already is changed with memoir_refine, or related to the new with memoir_link.",
	run: func(ctx context.Context, tenant *service.Tenant, in memoirAddConceptInput) (conceptOutput, error) {
		return conceptKept(tenant.Knowledge.AddConcept(ctx, service.AddConceptInput(in)))
	},
}

// memoirAddConceptInput describes service.AddConceptInput.
type memoirAddConceptInput struct {
	ID       *string  `json:"id,omitempty" jsonschema:"The key to add it under; one is made where it is left out."`
	MemoirID string   `json:"memoirId" jsonschema:"The memoir, by id or key; memoir_list tells them, memoir_create makes one."`
	Name     string   `json:"name" jsonschema:"What it is called, 1 to 512 bytes; no other concept of the memoir may be called so."`
	Content  string   `json:"content" jsonschema:"What is known about it."`
	Labels   []string `json:"labels,omitempty" jsonschema:"Words to file it under."`
}

// conceptOutput is a receipt for a concept.
type conceptOutput struct {
	ID         string             `json:"id"`
	MemoirID   string             `json:"memoirId"`
	Name       string             `json:"name"`
	Revisions  int                `json:"revisions" jsonschema:"How often it was refined."`
	Redactions []memory.Redaction `json:"redactions,omitempty" jsonschema:"Which private parts and secrets were taken out before it was kept."`
}

func conceptKept(c *memory.Concept, err error) (conceptOutput, error) {
	if err != nil {
		return conceptOutput{}, err
	}
	return conceptOutput{
		ID: c.ID(), MemoirID: memory.NodeID(memory.KindMemoir, c.MemoirKey), Name: c.Name,
		Revisions: len(c.Revisions), Redactions: c.Receipt.Redactions,
	}, nil
}

var memoirRefineTool = tool[memoirRefineInput, conceptOutput]{
	name: "memoir_refine", title: "Refine a concept", hints: settles,
	about: "Changes what a concept says; what it said before is kept as a revision.",
	run: func(ctx context.Context, tenant *service.Tenant, in memoirRefineInput) (conceptOutput, error) {
		refinement := service.RefineConceptInput{ID: in.ID, Content: in.Content}
		if in.Labels != nil {
			refinement.Labels = &in.Labels
		}
		return conceptKept(tenant.Knowledge.RefineConcept(ctx, refinement))
	},
}

type memoirRefineInput struct {
	ID      string   `json:"id" jsonschema:"The concept, by id or key; memoir_search finds it."`
	Content *string  `json:"content,omitempty" jsonschema:"What is known about it now, whole; what it says stays where it is left out."`
	Labels  []string `json:"labels,omitempty" jsonschema:"All its labels from now on; they stay where it is left out, and an empty list takes them away."`
}

var memoirLinkTool = tool[memoirLinkInput, relationOutput]{
	name: "memoir_link", title: "Relate two concepts", hints: settles,
	about: "Relates two concepts, of whatever memoirs, read from source to target: \"source PART_OF target\". A concept that is superseded or contradicted says so from then on wherever it is shown.",
	run:   memoirLink,
}

// memoirLinkInput describes service.LinkConceptsInput.
type memoirLinkInput struct {
	SourceID string              `json:"sourceId" jsonschema:"The concept it leads from, by id or key; memoir_search finds it."`
	TargetID string              `json:"targetId" jsonschema:"The concept it leads to, by id or key; not the same one."`
	Type     memory.RelationType `json:"type" jsonschema:"How the source relates to the target. SUPERSEDED_BY leads from the old to the new, CONTRADICTS from the one that holds."`
}

type relationOutput struct {
	SourceID string              `json:"sourceId"`
	TargetID string              `json:"targetId"`
	Type     memory.RelationType `json:"type"`
}

func memoirLink(ctx context.Context, tenant *service.Tenant, in memoirLinkInput) (relationOutput, error) {
	relation, err := tenant.Knowledge.LinkConcepts(ctx, service.LinkConceptsInput(in))
	if err != nil {
		return relationOutput{}, err
	}
	return relationOutput{
		SourceID: memory.NodeID(memory.KindConcept, relation.SourceKey),
		TargetID: memory.NodeID(memory.KindConcept, relation.TargetKey), Type: relation.Type,
	}, nil
}

var memoirSearchTool = tool[memoirSearchInput, memoirSearchOutput]{
	name: "memoir_search", title: "Search concepts", hints: reads,
	about: "Finds concepts by name, content and labels, best first, as short hits; memoir_inspect gives one whole, with what it is related to.",
	run:   memoirSearch,
}

type memoirSearchInput struct {
	Query    string   `json:"query" jsonschema:"What is looked for, in plain words: never query syntax."`
	MemoirID *string  `json:"memoirId,omitempty" jsonschema:"Only in this memoir, by id or key."`
	Labels   []string `json:"labels,omitempty" jsonschema:"Only concepts that have all of these labels."`
	pageInput
}

type memoirSearchOutput struct {
	Hits []conceptHit `json:"hits"`
	foundOutput
}

type conceptHit struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	MemoirID string  `json:"memoirId"`
	Snippet  string  `json:"snippet" jsonschema:"The part that matches best, at most 200 characters, matching words between ** and **."`
	Score    float64 `json:"score" jsonschema:"How well it matches, 0 to 1."`
	Note     string  `json:"note,omitempty" jsonschema:"Says so where the concept no longer holds."`
}

func memoirSearch(ctx context.Context, tenant *service.Tenant, in memoirSearchInput) (memoirSearchOutput, error) {
	search := service.ConceptSearch{Query: in.Query, MemoirID: in.MemoirID, Labels: in.Labels}
	page, err := tenant.Retrieval.SearchConcepts(ctx, search, in.page())
	if err != nil {
		return memoirSearchOutput{}, err
	}
	notes, err := notesOf(ctx, tenant, mapped(page.Items, service.SearchHit.Concept))
	if err != nil {
		return memoirSearchOutput{}, err
	}
	found, err := foundOf(ctx, page)
	hits := mapped(page.Items, func(hit service.SearchHit) conceptHit {
		c := hit.Concept()
		return conceptHit{
			ID: c.ID(), Name: c.Name, MemoirID: memory.NodeID(memory.KindMemoir, c.MemoirKey),
			Snippet: hit.Snippet, Score: hit.Score, Note: notes[c.Key],
		}
	})
	return memoirSearchOutput{Hits: hits, foundOutput: found}, err
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
	return mapped(revisions, func(r memory.ConceptRevision) memory.ConceptRevision {
		r.Labels = orNone(r.Labels)
		return r
	})
}

// notesOf says of each concept that no longer holds what superseded or contradicts it, by the concept's
// key. It costs two reads however many concepts there are.
func notesOf(ctx context.Context, tenant *service.Tenant, concepts []*memory.Concept) (map[string]string, error) {
	if len(concepts) == 0 {
		return nil, nil
	}
	relations, err := tenant.Knowledge.Relations(ctx, mapped(concepts, func(c *memory.Concept) string { return c.Key }), service.DirectionBoth,
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
			notes[c.Key] = note
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
	concepts, err := tenant.Knowledge.ConceptsByKey(ctx, slices.Compact(keys))
	for _, c := range concepts {
		if c != nil {
			names[c.Key] = c.Name
		}
	}
	return names, err
}

func called(names map[string]string, keys []string) []string {
	var found []string
	for _, key := range keys {
		if name := names[key]; name != "" {
			found = append(found, name)
		}
	}
	return found
}
