package meanings

import (
	"cmp"
	"slices"
)

// order has the places of the first codes of revisions, by record. Of a record with several revisions the latest stands last.
type order struct {
	sorted []int32
	// late are those that came out of order, as of records that were written anew, by place.
	late []int32
}

// mostLate is how many may be out of order until they are sorted in.
const mostLate = 1024

// add takes in the place of a revision that comes after all others.
func (o *order) add(s *signed, node int64, place int) {
	if size := len(o.sorted); size == 0 || s.nodes[o.sorted[size-1]] <= node {
		o.sorted = append(o.sorted, int32(place))
		return
	}
	if len(o.late) >= max(mostLate, len(o.sorted)/64) {
		o.sortIn(s)
	}
	o.late = append(o.late, int32(place))
}

// sortIn sorts those in that came out of order.
func (o *order) sortIn(s *signed) {
	byNode := func(a, b int32) int { return cmp.Or(cmp.Compare(s.nodes[a], s.nodes[b]), cmp.Compare(a, b)) }
	slices.SortFunc(o.late, byNode)
	sorted, all := o.sorted, make([]int32, 0, len(o.sorted)+len(o.late))
	for _, place := range o.late {
		until, _ := slices.BinarySearchFunc(sorted, place, byNode)
		all, sorted = append(append(all, sorted[:until]...), place), sorted[until:]
	}
	o.sorted, o.late = append(all, sorted...), o.late[:0]
}

// move says where the places from one on are now, −1 for those that are gone.
func (o *order) move(from int, moved []int32) {
	for _, places := range []*[]int32{&o.sorted, &o.late} {
		*places = slices.DeleteFunc(*places, func(place int32) bool { return int(place) >= from && moved[int(place)-from] < 0 })
		for i, place := range *places {
			if int(place) >= from {
				(*places)[i] = moved[int(place)-from]
			}
		}
	}
}

// placesOf are the places of the latest revisions of records, which are sorted and each once; −1 for one that is not there.
func (o *order) placesOf(s *signed, nodes []int64) []int32 {
	places, rest := make([]int32, len(nodes)), o.sorted
	for i, node := range nodes {
		after := ahead(rest, func(place int32) bool { return s.nodes[place] <= node })
		if places[i] = -1; after > 0 && s.nodes[rest[after-1]] == node {
			places[i] = rest[after-1]
		}
		rest = rest[after:]
	}
	for _, place := range o.late {
		if i, is := slices.BinarySearch(nodes, s.nodes[place]); is {
			places[i] = max(places[i], place)
		}
	}
	return places
}

// ahead is how many of the first of a list are before, which most of the rest are not; it doubles its steps (Bentley and Yao 1976).
func ahead(list []int32, before func(int32) bool) int {
	low, step := 0, 1
	for low+step <= len(list) && before(list[low+step-1]) {
		low, step = low+step, 2*step
	}
	high := min(low+step-1, len(list))
	for low < high {
		if middle := (low + high) / 2; before(list[middle]) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
