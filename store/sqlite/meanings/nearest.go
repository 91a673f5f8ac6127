package meanings

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
)

const (
	// mostFound is how many vectors are found by their signatures, at some 100 ns each: one in foundOf, but no fewer than leastFound.
	mostFound, foundOf, leastFound = 16_000, 128, 4000

	// MostAsked is how many of these are looked up, as far as a filter is to pass some: those that seem nearest by their sketches.
	MostAsked = 4000

	// mostRead is how many of these that pass are compared, at some µs for one that is not in memory.
	mostRead = 256
)

// Near is a record by how near its meaning is to that of a query.
type Near struct {
	Node    int64
	Meaning float64 // see matching.Best
}

// Nearest are the records of a kind whose meanings are nearest to a query's, the nearest first and at most so many, none
// further than matching.LeastMeaning. They are found by their signatures, so that a few may be missing. Only those that pass
// count, where passes is not nil: it is asked for many nodes at once, and answers those that do.
func Nearest(ctx context.Context, c *db.Conn, kind memory.Kind, query meaning.Code, most int, passes func(nodes []int64) ([]int64, error)) ([]Near, error) {
	s := db.Kept[signatures](c)
	last, err := s.update(ctx, c)
	if err != nil {
		return nil, err
	}
	for {
		found, read, gone, err := search{ctx, c, kind, query, most, passes}.among(s.nearest(kind, &query))
		if err != nil {
			return nil, err
		}
		if s.sweep(kind, gone, last) <= read/2 { // else they kept others out
			return found, nil
		}
	}
}

// search is that for the nearest of one query.
type search struct {
	ctx    context.Context // it lives as long as the call
	conn   *db.Conn
	kind   memory.Kind
	query  meaning.Code
	most   int
	passes func(nodes []int64) ([]int64, error)
}

// firstLook is how many of those that promise most are looked up at first; each time that nearer ones may still be among the rest, as
// many as before are added.
const firstLook = 128

// among compares those that promise most and pass, until none of the rest promises more than what was found, or enough were compared. It
// answers how many revisions it looked up, too, and which of them are gone, in order.
func (s search) among(promise []promising) (found []Near, looked int, gone []int64, err error) {
	for compared := 0; len(promise) > 0 && looked < MostAsked && compared < mostRead; {
		size := min(len(promise), max(firstLook, looked), MostAsked-looked)
		db.BringForward(promise, size, promisesMore)
		part := promise[:size]
		promise, looked = promise[size:], looked+size
		slices.SortFunc(part, byPromise)
		there, missing, err := s.there(part)
		if err != nil {
			return nil, 0, nil, err
		}
		there = there[:min(len(there), mostRead-compared)]
		compared += len(there)
		more, err := s.compared(there)
		if err != nil {
			return nil, 0, nil, err
		}
		found, gone = first(append(found, more...), s.most), append(gone, missing...)
		if len(found) == s.most && part[size-1].promise < found[s.most-1].Meaning {
			break
		}
	}
	slices.Sort(gone)
	return found, looked, gone, nil
}

// NearestOf is Nearest among these records of a kind, all of which are compared.
func NearestOf(ctx context.Context, c *db.Conn, kind memory.Kind, nodes []int64, query meaning.Code, most int, passes func(nodes []int64) ([]int64, error)) ([]Near, error) {
	if _, err := db.Kept[signatures](c).update(ctx, c); err != nil {
		return nil, err
	}
	vector := query.Vector()
	asked := vector.Asked()
	var found []Near
	err := of(ctx, c, kind, nodes, func(node int64, codes []Kept) {
		if near := (Near{node, Best(&asked, codes)}); near.Meaning >= matching.LeastMeaning {
			found = append(found, near)
		}
	})
	if err != nil {
		return nil, err
	}
	return firstPassing(first(found, len(found)), most, passes)
}

// first are the nearest.
func first(found []Near, most int) []Near {
	slices.SortFunc(found, func(a, b Near) int { return cmp.Or(cmp.Compare(b.Meaning, a.Meaning), cmp.Compare(b.Node, a.Node)) })
	return found[:min(len(found), most)]
}

// firstPassing are the first that pass, at most so many; no more are asked for than it takes.
func firstPassing(found []Near, most int, passes func(nodes []int64) ([]int64, error)) ([]Near, error) {
	if passes == nil {
		return found[:min(len(found), most)], nil
	}
	var kept []Near
	for part := range slices.Chunk(found, most) {
		nodes := make([]int64, len(part))
		for i, n := range part {
			nodes[i] = n.Node
		}
		those, err := passes(nodes)
		if err != nil {
			return nil, err
		}
		slices.Sort(those)
		for _, n := range part {
			if _, found := slices.BinarySearch(those, n.Node); found && len(kept) < most {
				kept = append(kept, n)
			}
		}
		if len(kept) == most {
			break
		}
	}
	return kept, nil
}

// promising is a revision by how near its vector is, or where that is not in memory, may well be.
type promising struct {
	revision, node int64
	promise        float64
}

// deviations is how many standard deviations nearer than it seems by its sketch a vector may well be.
const deviations = 2

func byPromise(a, b promising) int {
	return cmp.Or(cmp.Compare(b.promise, a.promise), cmp.Compare(b.revision, a.revision))
}

func promisesMore(a, b *promising) bool { return byPromise(*a, *b) < 0 }

// nearest are the revisions of a kind that promise to be near, of those whose signatures are nearest, each once.
func (s *signatures) nearest(kind memory.Kind, query *meaning.Code) []promising {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	of := s.kinds[kind]
	if of == nil {
		return nil
	}
	guess, length := query.Guess(), query.Length()
	places := of.closest(query.Signature(), min(mostFound, max(leastFound, len(of.signatures)/foundOf)))
	near := make([]promising, 0, len(places))
	for _, i := range places {
		var promise float64
		if code := of.codeAt(i); code != nil {
			promise = code.like(query, length)
		} else {
			cosine, deviation := guess.Cosine(of.sketch(i))
			promise = cosine + deviations*deviation
		}
		if promise >= matching.LeastMeaning {
			near = append(near, promising{of.revisions[i], of.nodes[i], promise})
		}
	}
	return once(near)
}

// once has each revision once, by what promises most of it. Those of one revision are next to each other.
func once(near []promising) []promising {
	kept := near[:0]
	for _, p := range near {
		if last := len(kept) - 1; last >= 0 && kept[last].revision == p.revision {
			kept[last].promise = max(kept[last].promise, p.promise)
		} else {
			kept = append(kept, p)
		}
	}
	return kept
}

// there are the revisions that are there and whose records pass, in their order; gone are those that are no more.
func (s search) there(part []promising) (there []promising, gone []int64, err error) {
	nodes := make([]int64, len(part))
	for i, p := range part {
		nodes[i] = p.node
	}
	current, err := revisionsOf(s.ctx, s.conn, db.Distinct(nodes))
	if err != nil {
		return nil, nil, err
	}
	nodes = nodes[:0]
	for _, p := range part {
		if current[p.node] == p.revision {
			there, nodes = append(there, p), append(nodes, p.node)
		} else {
			gone = append(gone, p.revision)
		}
	}
	if s.passes == nil || len(there) == 0 {
		return there, gone, nil
	}
	kept, err := s.passes(nodes)
	slices.Sort(kept)
	return slices.DeleteFunc(there, func(p promising) bool {
		_, passes := slices.BinarySearch(kept, p.node)
		return !passes
	}), gone, err
}

// compared compares the vectors of revisions.
func (s search) compared(there []promising) (found []Near, err error) {
	revisions := make([]int64, len(there))
	for i, p := range there {
		revisions[i] = p.revision
	}
	return found, Codes(s.ctx, s.conn, s.kind, revisions, func(i int, codes []Kept) {
		near := Near{there[i].node, -1}
		for k := range codes {
			near.Meaning = max(near.Meaning, s.query.Cosine(&codes[k].Code))
		}
		if near.Meaning >= matching.LeastMeaning {
			found = append(found, near)
		}
	})
}
