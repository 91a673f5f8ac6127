package traversal

import (
	"maps"
	"slices"
)

// PathLinks is what a search for a path asks of a graph.
type PathLinks struct {
	Along   Neighbours // one step in the direction of the path
	Against Neighbours // one step back; the same as Along where links are followed either way
	// Between answers the pairs of a source and a target, one of each list, that one step joins.
	Between func(sources, targets []string) ([][2]string, error)
}

// ShortestPath finds a shortest path of at most maxDepth steps, its ends included; nil where there is
// none. Of several it is the one whose ids sort first, compared from the start. It searches from both
// ends at once and takes the end that is through first, so that a node with a great many links on the
// way is not read whole. truncated says that it gave up at MaxWalkNodes nodes.
func ShortestPath(from, to string, maxDepth int, links PathLinks) (path []string, truncated bool, err error) {
	if from == to {
		return []string{from}, false, nil
	}
	start, end := newSide(from, links.Along), newSide(to, links.Against)
	for start.steps()+end.steps() < maxDepth {
		side, other := start, end
		for {
			through, err := side.read()
			if err != nil {
				return nil, false, err
			}
			if start.size()+end.size() > MaxWalkNodes {
				return nil, true, nil
			}
			if through {
				break
			}
			side, other = other, side
		}
		side.advance()
		if len(side.last()) == 0 {
			return nil, false, nil
		}
		meeting := slices.DeleteFunc(slices.Clone(side.last()), func(id string) bool {
			_, known := other.depth[id]
			return !known
		})
		if len(meeting) > 0 {
			return pathThrough(start, end, meeting, links)
		}
	}
	return nil, false, nil
}

// pathSide is one end of the search and what is known around it.
type pathSide struct {
	neighbours Neighbours
	levels     [][]string // by distance, each sorted
	depth      map[string]int
	next       []string // of the distance being read, as far as it is read
	after      string
}

func newSide(id string, neighbours Neighbours) *pathSide {
	return &pathSide{neighbours: neighbours, levels: [][]string{{id}}, depth: map[string]int{id: 0}}
}

func (s *pathSide) steps() int { return len(s.levels) - 1 }

func (s *pathSide) size() int { return len(s.depth) + len(s.next) }

func (s *pathSide) last() []string { return s.levels[len(s.levels)-1] }

// read goes on reading the next distance and says whether it is through.
func (s *pathSide) read() (through bool, err error) {
	ids, err := s.neighbours(s.last(), s.after, walkRead)
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		if _, known := s.depth[id]; !known {
			s.next = append(s.next, id)
		}
	}
	if len(ids) > 0 {
		s.after = ids[len(ids)-1]
	}
	return len(ids) < walkRead, nil
}

// advance makes the distance that was read the last one.
func (s *pathSide) advance() {
	for _, id := range s.next {
		s.depth[id] = len(s.levels)
	}
	s.levels = append(s.levels, s.next)
	s.next, s.after = nil, ""
}

// pathThrough is the first of the shortest paths, all of which lead through a meeting node. It finds
// which nodes around the start are on one, backwards, and then takes the first at every step.
func pathThrough(start, end *pathSide, meeting []string, links PathLinks) (path []string, truncated bool, err error) {
	on := meeting
	steps := make([][][2]string, start.steps()) // the steps around the start that are on a shortest path
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i], err = links.Between(start.levels[i], on); err != nil {
			return nil, false, err
		}
		on = sources(steps[i])
	}
	path = []string{start.levels[0][0]}
	for _, pairs := range steps {
		path = append(path, firstTarget(path[len(path)-1], pairs))
	}
	for i := end.steps() - 1; i >= 0; i-- {
		at := path[len(path)-1]
		pairs, err := links.Between([]string{at}, end.levels[i])
		if err != nil {
			return nil, false, err
		}
		path = append(path, firstTarget(at, pairs))
	}
	if slices.Contains(path, "") { // a link was removed meanwhile
		return nil, false, nil
	}
	return path, false, nil
}

func sources(pairs [][2]string) []string {
	ids := map[string]bool{}
	for _, pair := range pairs {
		ids[pair[0]] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// firstTarget is the target of a source that sorts first, empty where it has none.
func firstTarget(source string, pairs [][2]string) string {
	first := ""
	for _, pair := range pairs {
		if pair[0] == source && (first == "" || pair[1] < first) {
			first = pair[1]
		}
	}
	return first
}
