package traversal

import (
	"maps"
	"slices"
)

// OnCycles gives the ids, sorted, from which links lead back to themselves: those of every strongly connected part of
// more than one (Kosaraju), and those linked with themselves.
func OnCycles(links [][2]string) []string {
	along, against := map[string][]string{}, map[string][]string{}
	found := map[string]bool{}
	for _, link := range links {
		along[link[0]], against[link[1]] = append(along[link[0]], link[1]), append(against[link[1]], link[0])
		found[link[0]] = found[link[0]] || link[0] == link[1]
	}
	seen, order := map[string]bool{}, []string{}
	for _, id := range slices.Sorted(maps.Keys(along)) {
		order = append(order, finished(id, along, seen)...)
	}
	seen = map[string]bool{}
	for _, id := range slices.Backward(order) {
		if part := finished(id, against, seen); len(part) > 1 {
			for _, member := range part {
				found[member] = true
			}
		}
	}
	maps.DeleteFunc(found, func(_ string, on bool) bool { return !on })
	return slices.Sorted(maps.Keys(found))
}

// finished walks depth first from an id to what was not seen, and gives that in the order in which it was done with.
func finished(id string, next map[string][]string, seen map[string]bool) (order []string) {
	type step struct {
		id   string
		left []string
	}
	if seen[id] {
		return nil
	}
	seen[id] = true
	for path := []step{{id, next[id]}}; len(path) > 0; {
		last := &path[len(path)-1]
		if len(last.left) == 0 {
			order = append(order, last.id)
			path = path[:len(path)-1]
			continue
		}
		to := last.left[0]
		last.left = last.left[1:]
		if !seen[to] {
			seen[to] = true
			path = append(path, step{to, next[to]})
		}
	}
	return order
}
