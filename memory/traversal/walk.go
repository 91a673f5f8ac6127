package traversal

import "cmp"

// The bounds of walking a graph.
const (
	MaxWalkDepth = 6
	// MaxWalkNodes is how many nodes a walk keeps in mind; what lies behind more of them is not looked for.
	MaxWalkNodes = 10_000
	// walkRead is the most ids that one question of a walk asks for.
	walkRead = 1000
)

// Neighbours answers the distinct global ids linked to any of the given ones, in the order of their
// bytes, only those that sort after an id, at most limit. Fewer than limit are all there are.
type Neighbours func(of []string, after string, limit int) ([]string, error)

// Visit is a node that a walk came to, and its distance from the start. A walk is in the order of
// (Depth, ID), and a Visit is a position in it.
type Visit struct {
	Depth int
	ID    string
}

// Walk is a walk around a node, breadth first, of which it answers one page. Pages follow a position,
// not a count, so while others write, every node whose distance did not change comes once.
type Walk struct {
	Start string
	Depth int    // the largest distance
	First int    // the length of a page, at least 1
	After *Visit // the last node of the page before; nil for the first page, which begins with Start at depth 0
	// MaxNodes is in place of MaxWalkNodes where it is above 0.
	MaxNodes int
}

// Page is a page of a walk.
type Page struct {
	Nodes []Visit
	More  bool // another page follows
	// Truncated says that the walk ends here because it came upon MaxNodes, not because there is no more.
	Truncated bool
	// Nearer is the nodes of all distances that are done with, by distance: those of the pages so far
	// except what belongs to the distance at which this page stopped.
	Nearer []string
}

// Page answers the page. Distances are read whole up to the one that the page ends with, at most MaxNodes nodes in all;
// that one is read as far as the page needs, so that a node with a great many links answers without reading them all.
func (w Walk) Page(neighbours Neighbours) (Page, error) {
	w.First, w.MaxNodes = max(w.First, 1), cmp.Or(max(w.MaxNodes, 0), MaxWalkNodes)
	around := surroundings{neighbours: neighbours, seen: map[string]bool{}}
	around.add([]string{w.Start})
	page, after := Page{Nodes: []Visit{}}, Visit{}
	if w.After != nil {
		after = *w.After
	} else {
		page.Nodes = append(page.Nodes, Visit{ID: w.Start})
	}
	for depth := 1; depth <= w.Depth && len(around.level) > 0; depth++ {
		var level []string
		var err error
		whole := false
		if depth >= after.Depth {
			from := ""
			if depth == after.Depth {
				from = after.ID
			}
			want := w.First - len(page.Nodes) + 1 // one more says whether another page follows
			if level, err = around.next(from, want); err != nil {
				return Page{}, err
			}
			for _, id := range level {
				page.Nodes = append(page.Nodes, Visit{Depth: depth, ID: id})
			}
			if page.More = len(level) >= want; page.More {
				page.Nodes = page.Nodes[:w.First]
			}
			if page.More || depth == w.Depth {
				break
			}
			whole = from == ""
		}
		if !whole { // also what earlier pages had
			if level, err = around.next("", w.MaxNodes-len(around.seen)+1); err != nil {
				return Page{}, err
			}
		}
		if page.Truncated = len(around.seen)+len(level) > w.MaxNodes; page.Truncated {
			break
		}
		around.add(level)
	}
	page.Nearer = around.nearer
	return page, nil
}

// surroundings are the nodes around the start of a walk, of the distances that are read whole.
type surroundings struct {
	neighbours Neighbours
	seen       map[string]bool
	nearer     []string // those in seen, by distance
	level      []string // those of the last distance
}

// add takes in the next distance.
func (s *surroundings) add(level []string) {
	s.level, s.nearer = level, append(s.nearer, level...)
	for _, id := range level {
		s.seen[id] = true
	}
}

// next are the nodes of the next distance after an id, at most want: the neighbours of the last that are not nearer.
func (s *surroundings) next(after string, want int) ([]string, error) {
	found := []string{}
	for limit := min(max(want, 1), walkRead); len(found) < want; limit = min(2*limit, walkRead) {
		ids, err := s.neighbours(s.level, after, limit)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if !s.seen[id] {
				found = append(found, id)
			}
		}
		if len(ids) < limit {
			break
		}
		after = ids[len(ids)-1]
	}
	return found[:min(len(found), max(want, 0))], nil
}
