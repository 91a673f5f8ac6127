package traversal

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
	walker := newWalker(w, neighbours)
	if w.After == nil {
		walker.page.Nodes = append(walker.page.Nodes, Visit{ID: w.Start})
	}
	for depth := 1; depth <= w.Depth && len(walker.level) > 0 && !walker.done; depth++ {
		if err := walker.descend(depth); err != nil {
			return Page{}, err
		}
	}
	return walker.page, nil
}

// walker makes one page of a Walk.
type walker struct {
	walk       Walk
	neighbours Neighbours
	most       int
	seen       map[string]bool // the nodes of page.Nearer
	level      []string        // those of the last distance that is known whole
	page       Page
	done       bool
}

func newWalker(w Walk, neighbours Neighbours) *walker {
	most := w.MaxNodes
	if most <= 0 {
		most = MaxWalkNodes
	}
	w.First = max(w.First, 1)
	return &walker{
		walk: w, neighbours: neighbours, most: most,
		seen: map[string]bool{w.Start: true}, level: []string{w.Start},
		page: Page{Nodes: []Visit{}, Nearer: []string{w.Start}},
	}
}

// descend goes one distance on: over it where earlier pages had it, else through it as far as needed.
func (w *walker) descend(depth int) error {
	after := w.walk.After
	switch {
	case after != nil && depth < after.Depth:
		return w.passOver()
	case after != nil && depth == after.Depth:
		return w.goThrough(depth, after.ID)
	}
	return w.goThrough(depth, "")
}

// passOver reads a distance whole without putting it on the page.
func (w *walker) passOver() error {
	level, err := w.unseen("", w.most-len(w.seen)+1)
	if err != nil {
		return err
	}
	w.complete(level)
	return nil
}

// goThrough puts the nodes of a distance on the page. Where the page has room for all of them, the
// distance is complete, and the walk goes on behind it.
func (w *walker) goThrough(depth int, after string) error {
	want := w.walk.First - len(w.page.Nodes) + 1 // one more says whether another page follows
	found, err := w.unseen(after, want)
	if err != nil {
		return err
	}
	for _, id := range found {
		w.page.Nodes = append(w.page.Nodes, Visit{Depth: depth, ID: id})
	}
	switch {
	case len(found) >= want:
		w.stop(true)
		return nil
	case depth == w.walk.Depth:
		return nil
	case after == "":
		w.complete(found)
		return nil
	}
	return w.passOver() // with what earlier pages had of it
}

// complete makes a distance the one to go on from, unless there is too much of it.
func (w *walker) complete(level []string) {
	if len(w.seen)+len(level) > w.most {
		w.page.Truncated = true
		w.stop(false)
		return
	}
	w.level = level
	w.page.Nearer = append(w.page.Nearer, level...)
	for _, id := range level {
		w.seen[id] = true
	}
}

func (w *walker) stop(more bool) {
	w.done, w.page.More = true, more
	w.page.Nodes = w.page.Nodes[:min(len(w.page.Nodes), w.walk.First)]
}

// unseen is the nodes of the next distance after an id, at most want: the neighbours of the level that
// are not nearer themselves.
func (w *walker) unseen(after string, want int) ([]string, error) {
	found := []string{}
	for limit := min(max(want, 1), walkRead); len(found) < want; limit = min(2*limit, walkRead) {
		ids, err := w.neighbours(w.level, after, limit)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if !w.seen[id] {
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
