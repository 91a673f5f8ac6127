package recalling

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/traversal"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/store"
)

// Neighbourhood is a page of what is around a record, nearest first, with the links among its nodes.
type Neighbourhood struct {
	Nodes     []NeighbourNode
	Edges     []GraphEdge
	Truncated bool
	Page      *reading.Page[NeighbourNode] // cursors; Items are Nodes
}

// NeighbourNode is a record and its distance from where the walk began.
type NeighbourNode struct {
	Node  memory.Node
	Depth int
}

// GraphEdge is a link between two records, by global ids.
type GraphEdge store.Link

// The bounds of a neighbourhood.
const (
	DefaultNeighbours = 50
	MaxNeighbours     = 500  // more than of a list: each page walks anew from the beginning
	maxEdges          = 5000 // of one page
)

// Neighbourhood walks breadth first from a record over links of any kinds. Nodes come by distance, then
// by id; a node that was deleted while the page was read is left out, and so is feedback that was replaced.
func (g *Retrieval) Neighbourhood(ctx context.Context, input boundary.NeighbourhoodInput, include boundary.Include) (*Neighbourhood, error) {
	input.Relations = upper(input.Relations)
	walk, request, err := g.planWalk(ctx, input)
	if err != nil {
		return nil, err
	}
	if err := g.t.MustExist(ctx, "id", walk.Start); err != nil {
		return nil, err
	}
	page, err := walk.Page(g.neighbours(ctx, input.Relations, input.Direction))
	if err != nil {
		return nil, faults.Of("the record", err)
	}
	found, err := g.fittingNodes(ctx, visited(page.Nodes), include)
	if err != nil {
		return nil, faults.Of("the record", err)
	}
	for i, node := range found {
		if f, ok := node.(*memory.Feedback); ok && f.ReplacedAt != nil && page.Nodes[i].ID != walk.Start {
			found[i] = nil // it counts no more, here as elsewhere
		}
	}
	if walk.First = len(found); walk.First < len(page.Nodes) {
		if page, err = walk.Page(g.neighbours(ctx, input.Relations, input.Direction)); err != nil {
			return nil, faults.Of("the record", err)
		}
	}
	peers, err := g.peers(ctx, walk, page, input.Relations, input.Direction)
	if err != nil {
		return nil, faults.Of("the record", err)
	}
	return g.neighbourhood(ctx, request, page, found, slices.Concat(page.Nearer, peers), input.Relations)
}

// upper gives names of links as they are kept, in whatever case they come; nil stays nil.
func upper(names []string) []string {
	names = slices.Clone(names)
	for i, name := range names {
		names[i] = strings.ToUpper(name)
	}
	return names
}

// peers finds the nodes that are linked to those of a page and were on earlier pages although they are as
// far away: a page that ends within the distance at which it begins leaves them out of its Nearer.
func (g *Retrieval) peers(ctx context.Context, walk traversal.Walk, page traversal.Page, relations []string, direction memory.Direction) ([]string, error) {
	after, last := walk.After, len(page.Nodes)-1
	if after == nil || last < 0 || page.Nodes[last].Depth != after.Depth || slices.Contains(page.Nearer, page.Nodes[last].ID) {
		return nil, nil
	}
	linked, err := upTo(after.ID, visited(page.Nodes), g.neighbours(ctx, relations, memory.DirectionBoth))
	if err != nil || len(linked) == 0 {
		return nil, err
	}
	steps, err := g.t.Store.LinksBetween(ctx, page.Nearer, linked, relations, 10*traversal.MaxWalkNodes)
	if err != nil {
		return nil, err
	}
	nearer, found := setOf(page.Nearer), map[string]bool{}
	for _, step := range steps {
		if direction != memory.DirectionIn && nearer[step.Source] && !nearer[step.Target] {
			found[step.Target] = true
		}
		if direction != memory.DirectionOut && nearer[step.Target] && !nearer[step.Source] {
			found[step.Source] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// upTo reads the neighbours that sort up to an id, at most MaxWalkNodes.
func upTo(last string, of []string, neighbours traversal.Neighbours) ([]string, error) {
	const batch = 1000
	var found []string
	for after := ""; len(found) < traversal.MaxWalkNodes; after = found[len(found)-1] {
		ids, err := neighbours(of, after, batch)
		if err != nil {
			return nil, err
		}
		end, _ := slices.BinarySearch(ids, last+"\x00")
		found = append(found, ids[:end]...)
		if end < batch {
			break
		}
	}
	return found, nil
}

func visited(visits []traversal.Visit) []string {
	return memory.Mapped(visits, func(v traversal.Visit) string { return v.ID })
}

func (g *Retrieval) planWalk(ctx context.Context, input boundary.NeighbourhoodInput) (traversal.Walk, reading.Request, error) {
	b := g.t.Question(ctx)
	walk := traversal.Walk{Start: b.GlobalID("id", input.ID), Depth: b.Within("depth", memory.ValueOr(input.Depth, 1), 1, traversal.MaxWalkDepth)}
	b.Relations("relations", input.Relations)
	page := input.Page
	page.First = new(b.Within("first", memory.ValueOr(page.First, DefaultNeighbours), 1, MaxNeighbours))
	if b.Err() != nil {
		return walk, reading.Request{}, b.Err()
	}
	query := reading.Fingerprint("neighbourhood", input.ID, walk.Depth, input.Relations, input.Direction)
	r, err := reading.PageUpTo(MaxNeighbours, page, query, nil)
	if err != nil {
		return walk, r, err
	}
	walk.First = r.Page.Limit
	if after := r.Page.After; after != nil {
		walk.After = &traversal.Visit{Depth: after.Sequence, ID: after.Key}
	}
	return walk, r, nil
}

// neighbours asks the store on behalf of a walk.
func (g *Retrieval) neighbours(ctx context.Context, relations []string, direction memory.Direction) traversal.Neighbours {
	return func(of []string, after string, limit int) ([]string, error) {
		return g.t.Store.Neighbours(ctx, store.AdjacencyQuery{Of: of, Relations: relations, Direction: direction, After: after, Limit: limit})
	}
}

// neighbourhood is a page of a walk, given its records, with the links among them and to earlier ones.
func (g *Retrieval) neighbourhood(
	ctx context.Context, r reading.Request, page traversal.Page, found []memory.Node, earlier, relations []string,
) (*Neighbourhood, error) {
	ids := visited(page.Nodes)
	links, err := g.t.Store.LinksBetween(ctx, ids, slices.Concat(earlier, ids), relations, maxEdges)
	if err != nil {
		return nil, faults.Of("the record", err)
	}
	answer := &Neighbourhood{Nodes: []NeighbourNode{}, Edges: []GraphEdge{}, Truncated: page.Truncated || len(links) == maxEdges}
	gone := map[string]bool{}
	var visits []traversal.Visit
	for i, visit := range page.Nodes {
		if found[i] == nil {
			gone[visit.ID] = true
			continue
		}
		answer.Nodes = append(answer.Nodes, NeighbourNode{Node: found[i], Depth: visit.Depth})
		visits = append(visits, visit)
	}
	for _, link := range links {
		if !gone[link.Source] && !gone[link.Target] {
			answer.Edges = append(answer.Edges, GraphEdge(link))
		}
	}
	answer.Page = reading.NewPage(r, answer.Nodes, page.More, nil, func(i int) store.Position {
		return store.Position{Sequence: visits[i].Depth, Key: visits[i].ID}
	})
	return answer, nil
}

// Path finds a shortest path between two records over links in either direction; nil where there is none
// of at most MaxDepth steps.
func (g *Retrieval) Path(ctx context.Context, input boundary.PathInput, include boundary.Include) (*Neighbourhood, error) {
	b := g.t.Question(ctx)
	from, to, relations := b.GlobalID("from", input.From), b.GlobalID("to", input.To), upper(input.Relations)
	maxDepth := b.Within("maxDepth", memory.ValueOr(input.MaxDepth, traversal.MaxWalkDepth), 1, traversal.MaxWalkDepth)
	b.Relations("relations", relations)
	if b.Err() != nil {
		return nil, b.Err()
	}
	if err := cmp.Or(g.t.MustExist(ctx, "from", from), g.t.MustExist(ctx, "to", to)); err != nil {
		return nil, err
	}
	neighbours := g.neighbours(ctx, relations, memory.DirectionBoth)
	path, truncated, err := traversal.ShortestPath(from, to, maxDepth, traversal.PathLinks{
		Along: neighbours, Against: neighbours, Between: g.pairs(ctx, relations),
	})
	if err != nil {
		return nil, faults.Of("the record", err)
	}
	if path == nil && !truncated {
		return nil, nil
	}
	page := traversal.Page{Truncated: truncated}
	for i, id := range path {
		page.Nodes = append(page.Nodes, traversal.Visit{Depth: i, ID: id})
	}
	found, err := g.nodesOf(ctx, path, include)
	if err != nil {
		return nil, faults.Of("the record", err)
	}
	answer, err := g.neighbourhood(ctx, reading.Request{First: true}, page, found, nil, relations)
	if err != nil {
		return nil, err
	}
	answer.Edges = slices.DeleteFunc(answer.Edges, func(e GraphEdge) bool { return !consecutive(path, e) })
	return answer, nil
}

// pairs answers which sources and targets are joined by links of some types, in either direction.
func (g *Retrieval) pairs(ctx context.Context, relations []string) func(sources, targets []string) ([][2]string, error) {
	return func(sources, targets []string) ([][2]string, error) {
		links, err := g.t.Store.LinksBetween(ctx, sources, targets, relations, 10*traversal.MaxWalkNodes)
		if err != nil {
			return nil, err
		}
		var joined [][2]string
		among := setOf(sources)
		for _, link := range links {
			if among[link.Source] {
				joined = append(joined, [2]string{link.Source, link.Target})
			}
			if among[link.Target] {
				joined = append(joined, [2]string{link.Target, link.Source})
			}
		}
		return joined, nil
	}
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// consecutive says whether an edge joins two steps of a path.
func consecutive(path []string, edge GraphEdge) bool {
	for i := 1; i < len(path); i++ {
		if path[i-1] == edge.Source && path[i] == edge.Target || path[i] == edge.Source && path[i-1] == edge.Target {
			return true
		}
	}
	return false
}
