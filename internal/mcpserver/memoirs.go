package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
)

var memoirCreateTool = tool[boundary.CreateMemoirInput, idAndName]{
	name: "memoir_create", title: "Create a memoir", hints: idempotent, rule: access.Records, core: true,
	about: "Makes a memoir: a named graph of concepts, such as what is known about one product. Look at memoir_list first.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.CreateMemoirInput) (idAndName, error) {
		memoir, err := result(tenant.Knowledge.CreateMemoir(ctx, in))
		return idAndName{ID: memoir.ID(), Name: memoir.Name}, err
	},
}

type idAndName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

var memoirListTool = tool[reading.PageInput, memoirListOutput]{
	name: "memoir_list", title: "List memoirs", hints: reads, rule: access.Reads.ForUsers(), core: true,
	about: "Lists the memoirs by name; memoir_inspect gives one with its concepts.",
	run: func(ctx context.Context, tenant *service.Tenant, in reading.PageInput) (memoirListOutput, error) {
		page, err := tenant.Knowledge.Memoirs(ctx, in)
		if err != nil {
			return memoirListOutput{}, err
		}
		return memoirListOutput{Memoirs: memory.Mapped(page.Items, bodyOfMemoir), pageOutput: nextOf(page)}, nil
	},
}

type memoirListOutput struct {
	Memoirs []memoirBody `json:"memoirs"`
	pageOutput
}

var memoirInspectTool = tool[memoirInspectInput, memoirInspectOutput]{
	name: "memoir_inspect", title: "Inspect a concept or a memoir", hints: reads, rule: access.Reads.ForUsers(), core: true,
	about: "Gives a concept whole, with its revisions and what it is related to; or a memoir with a page of its concepts. With depth also what is around it.",
	run:   memoirInspect,
}

type memoirInspectInput struct {
	ID    string `json:"id" jsonschema:"A concept by id or key, or a memoir by its id such as memoir:handbook."`
	Depth *int   `json:"depth,omitempty" jsonschema:"Brings the concepts up to so many relations away, 1 to 3; first (50 by default) and after page these."`
	reading.PageInput
}

type memoirInspectOutput struct {
	Concept   *conceptBody `json:"concept,omitempty"`
	Relations []related    `json:"relations,omitempty" jsonschema:"How the concept relates to others, the first 1,000; neighbourhood pages through more."`
	Memoir    *memoirBody  `json:"memoir,omitempty"`
	Concepts  []named      `json:"concepts,omitempty" jsonschema:"The memoir's concepts by name."`
	Around    *surrounding `json:"around,omitempty" jsonschema:"With depth: the concepts around it, nearest first, and how they are related."`
	pageOutput
}

// related is a relation as seen from one of its ends.
type related struct {
	Direction memory.Direction    `json:"direction" jsonschema:"OUT where it leads to the other concept, IN where it comes from it."`
	Type      memory.RelationType `json:"type"`
	ID        string              `json:"id" jsonschema:"The other concept."`
	Name      string              `json:"name,omitempty"`
}

type named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Note string `json:"note,omitempty" jsonschema:"Says so where the concept no longer holds."`
}

// surrounding is a page of a neighbourhood.
type surrounding struct {
	Nodes     []neighbour `json:"nodes"`
	Edges     []edge      `json:"edges"`
	Truncated bool        `json:"truncated,omitempty"`
}

// deepestInspection is how far around a concept an inspection looks; neighbourhood goes further.
const deepestInspection = 3

// memoirInspect gives a concept or a memoir, and with a depth what is around it in place of the memoir's list.
func memoirInspect(ctx context.Context, tenant *service.Tenant, in memoirInspectInput) (memoirInspectOutput, error) {
	if in.Depth != nil && (*in.Depth < 1 || *in.Depth > deepestInspection) {
		return memoirInspectOutput{}, memory.Invalid("depth", "is %d; it must be in 1…%d", *in.Depth, deepestInspection)
	}
	inspect := inspectConcept
	if kind, _, ok := memory.SplitID(in.ID); ok && kind == memory.KindMemoir {
		inspect = inspectMemoir
	}
	out, err := inspect(ctx, tenant, in)
	if err != nil || in.Depth == nil {
		return out, err
	}
	walk := neighbourhoodInput{
		Depth: in.Depth, First: in.First, After: in.After,
		Relations: memory.Mapped(memory.RelationTypes, func(t memory.RelationType) string { return string(t) }),
	}
	if out.Concept != nil {
		walk.ID = out.Concept.ID
	} else {
		walk.ID, walk.Relations = out.Memoir.ID, append(walk.Relations, "CONTAINS")
	}
	found, err := neighbourhood(ctx, tenant, walk)
	out.Around, out.pageOutput = &surrounding{Nodes: found.Nodes, Edges: found.Edges, Truncated: found.Truncated}, found.pageOutput
	return out, err
}

func inspectConcept(ctx context.Context, tenant *service.Tenant, in memoirInspectInput) (memoirInspectOutput, error) {
	concept, err := tenant.Knowledge.Concept(ctx, in.ID)
	if err != nil {
		return memoirInspectOutput{}, err
	}
	if concept == nil {
		return memoirInspectOutput{}, tenant.NotFound(ctx, "id", "the concept", in.ID)
	}
	notes, err := notesOf(ctx, tenant, concept)
	if err != nil {
		return memoirInspectOutput{}, err
	}
	relations, err := relationsOf(ctx, tenant, concept.Key)
	body := bodyOfConcept(concept, notes[concept.ID()])
	return memoirInspectOutput{Concept: &body, Relations: relations}, err
}

func inspectMemoir(ctx context.Context, tenant *service.Tenant, in memoirInspectInput) (memoirInspectOutput, error) {
	memoir, err := tenant.Knowledge.Memoir(ctx, &in.ID, nil)
	if err != nil {
		return memoirInspectOutput{}, err
	}
	if memoir == nil {
		return memoirInspectOutput{}, tenant.NotFound(ctx, "id", "the memoir", in.ID)
	}
	body := bodyOfMemoir(memoir)
	if in.Depth != nil {
		return memoirInspectOutput{Memoir: &body}, nil
	}
	page, err := tenant.Knowledge.MemoirConcepts(ctx, memoir.Key, in.PageInput)
	if err != nil {
		return memoirInspectOutput{}, err
	}
	notes, err := notesOf(ctx, tenant, memory.Mapped(page.Items, func(c *memory.Concept) memory.Node { return c })...)
	concepts := memory.Mapped(page.Items, func(c *memory.Concept) named { return named{ID: c.ID(), Name: c.Name, Note: notes[c.ID()]} })
	return memoirInspectOutput{Memoir: &body, Concepts: concepts, pageOutput: nextOf(page)}, err
}

// relationsOf lists a concept's relations with the names of the others.
func relationsOf(ctx context.Context, tenant *service.Tenant, key string) ([]related, error) {
	found, err := tenant.Knowledge.Relations(ctx, []string{key}, memory.DirectionBoth, nil)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, r := range found[key] {
		others = append(others, otherEnd(r, key))
	}
	names, err := namesOf(ctx, tenant, others)
	return memory.Mapped(found[key], func(r *memory.Relation) related {
		direction, other := memory.DirectionOut, otherEnd(r, key)
		if r.TargetKey == key {
			direction = memory.DirectionIn
		}
		return related{Direction: direction, Type: r.Type, ID: memory.NodeID(memory.KindConcept, other), Name: names[other]}
	}), err
}

func otherEnd(r *memory.Relation, key string) string {
	if r.SourceKey == key {
		return r.TargetKey
	}
	return r.SourceKey
}

type memoirBody struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	CreatedAt   time.Time `json:"createdAt"`
}

func bodyOfMemoir(m *memory.Memoir) memoirBody {
	return memoirBody{ID: m.ID(), Name: m.Name, Description: memory.OrZero(m.Description), CreatedAt: m.CreatedAt}
}
