package meanings

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
)

// MostCompared is how many vectors are compared: those whose signatures are nearest.
const MostCompared = 4000

// signatures are those of all vectors of a file, in memory, by kind and in the order in which they were written. A record
// that was written anew or deleted is still in it under its old revision, which is nowhere else, until they are swept.
type signatures struct {
	mutex sync.RWMutex
	kinds map[memory.Kind]*signed
	last  int64 // the latest revision
}

// mostCodes is how many codes of a kind are in memory too, 66 MB of them: those written last. The others are read. An episode of
// a title, an observation, a result and an insight has five.
const mostCodes = 500_000

// signed are the signatures of a kind, each with the revision that has its vector and the record, and the codes of the last of
// them.
type signed struct {
	signatures []meaning.Signature
	revisions  []int64
	nodes      []int64
	codes      []Kept
	most       int // codes in memory, and an eighth more
}

// Kept is a code and the length of its vector.
type Kept struct {
	Code   meaning.Code
	length float32
}

// like is how near a code is to a query of a length.
func (k *Kept) like(query *meaning.Code, length float64) float64 {
	if k.length == 0 || length == 0 {
		return 0
	}
	return float64(query.Product(&k.Code)) / (length * float64(k.length))
}

func lengthOf(c *meaning.Code) float64 { return math.Sqrt(float64(c.Product(c))) }

// add takes in what was written last.
func (s *signed) add(revision, node int64, code meaning.Code) {
	s.signatures, s.revisions, s.nodes = append(s.signatures, code.Signature()), append(s.revisions, revision), append(s.nodes, node)
	if s.codes = append(s.codes, Kept{code, float32(lengthOf(&code))}); len(s.codes) > s.most+s.most/8 {
		s.codes = append(make([]Kept, 0, s.most+s.most/4), s.codes[len(s.codes)-s.most:]...)
	}
}

// codeAt is in memory, or nil.
func (s *signed) codeAt(i int) *Kept {
	if i -= len(s.signatures) - len(s.codes); i < 0 {
		return nil
	}
	return &s.codes[i]
}

// keep leaves out all from a place on but those that stay.
func (s *signed) keep(from int, stays func(revision int64) bool) {
	kept, read := from, len(s.signatures)-len(s.codes)
	codes := s.codes[:max(0, from-read)]
	for i := from; i < len(s.revisions); i++ {
		if !stays(s.revisions[i]) {
			continue
		}
		s.signatures[kept], s.revisions[kept], s.nodes[kept] = s.signatures[i], s.revisions[i], s.nodes[i]
		if kept++; i >= read {
			codes = append(codes, s.codes[i-read])
		}
	}
	s.signatures, s.revisions, s.nodes, s.codes = s.signatures[:kept], s.revisions[:kept], s.nodes[:kept], codes
}

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

// firstRead is how many vectors are read at first; each time that nearer ones may still be among the rest, as many as before
// are added.
const firstRead = 128

// among reads the vectors of those that promise most, until none of the rest promises more than what was found. It answers
// how many revisions it read, too, and which of them are gone, in order.
func (s search) among(signed []promising) (found []Near, read int, gone []int64, err error) {
	for len(signed) > 0 {
		part := signed[:min(len(signed), max(firstRead, read))]
		signed = signed[len(part):]
		read += len(part)
		more, missing, err := s.compared(part)
		if err != nil {
			return nil, 0, nil, err
		}
		if more, err = passing(more, s.passes); err != nil {
			return nil, 0, nil, err
		}
		found, gone = first(append(found, more...), s.most), append(gone, missing...)
		if len(found) == s.most && len(signed) > 0 && signed[0].promise < found[s.most-1].Meaning {
			break
		}
	}
	slices.Sort(gone)
	return found, read, gone, nil
}

// within is how near what is signed at a distance may well be. Of two vectors at an angle each bit of their signatures
// differs with a probability of angle/π (Charikar 2002), so that the distance has a standard deviation of at most √n/2; two
// of these are allowed for.
func within(distance int) float64 {
	slack := math.Sqrt(meaning.Dimensions)
	return math.Cos(math.Pi * max(0, float64(distance)-slack) / meaning.Dimensions)
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
	found, err = passing(found, passes)
	return first(found, most), err
}

// first are the nearest.
func first(found []Near, most int) []Near {
	slices.SortFunc(found, func(a, b Near) int { return cmp.Or(cmp.Compare(b.Meaning, a.Meaning), cmp.Compare(b.Node, a.Node)) })
	return found[:min(len(found), most)]
}

func passing(found []Near, passes func(nodes []int64) ([]int64, error)) ([]Near, error) {
	if passes == nil || len(found) == 0 {
		return found, nil
	}
	nodes := make([]int64, len(found))
	for i, n := range found {
		nodes[i] = n.Node
	}
	kept, err := passes(nodes)
	slices.Sort(kept)
	return slices.DeleteFunc(found, func(n Near) bool {
		_, passes := slices.BinarySearch(kept, n.Node)
		return !passes
	}), err
}

// update reads what was written since the last time, and answers the latest revision that the connection sees.
func (s *signatures) update(ctx context.Context, c *db.Conn) (last int64, err error) {
	if _, err := c.One(`SELECT coalesce(max(revision), 0) FROM meanings`, func(r *db.Row) { last = r.Integer() }); err != nil {
		return 0, err
	}
	s.mutex.RLock()
	current := s.last >= last
	s.mutex.RUnlock()
	if current {
		return last, nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.kinds == nil {
		s.kinds = map[memory.Kind]*signed{}
	}
	const read = `SELECT revision, node, kind, codes FROM meanings WHERE revision > :last AND model = :model ORDER BY revision`
	err = c.Search(ctx, read, func(r *db.Row) error {
		revision, node := r.Integer(), r.Integer()
		name, _ := db.Read[string](r) // of what is damaged, no kind
		kind := memory.Kind(name)
		of := s.kinds[kind]
		if of == nil {
			of = &signed{most: mostCodes}
			s.kinds[kind] = of
		}
		for code := range codesIn(r.Blob()) {
			of.add(revision, node, code)
		}
		s.last = revision
		return nil
	}, db.Arg("last", s.last), db.Arg("model", meaning.Name))
	return last, err
}

// promising is a revision by how near its vector is, or where that is not in memory, may well be.
type promising struct {
	revision, node int64
	promise        float64
}

// nearest are the revisions of a kind that promise to be near, those that promise most first and each once, of MostCompared
// whose signatures are nearest. Of those that are equally near at the end, the last written.
func (s *signatures) nearest(kind memory.Kind, query *meaning.Code) []promising {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	of := s.kinds[kind]
	if of == nil {
		return nil
	}
	distances := make([]uint8, len(of.signatures))
	var count [meaning.Dimensions + 1]int
	asked, length := query.Signature(), lengthOf(query)
	for i, signature := range of.signatures {
		distance := signature.Distance(asked)
		distances[i] = uint8(distance)
		count[distance]++
	}
	bound, spare := 0, MostCompared // of those at the bound
	for bound < meaning.Dimensions && count[bound] <= spare {
		spare -= count[bound]
		bound++
	}
	near := make([]promising, 0, min(len(distances), MostCompared))
	for i := len(distances) - 1; i >= 0; i-- {
		at := int(distances[i])
		if at > bound || at == bound && spare == 0 {
			continue
		}
		if at == bound {
			spare--
		}
		p := promising{of.revisions[i], of.nodes[i], within(at)}
		if code := of.codeAt(i); code != nil {
			p.promise = code.like(query, length)
		}
		if p.promise >= matching.LeastMeaning {
			near = append(near, p)
		}
	}
	return mostFirst(near)
}

// mostFirst has each revision once, by what promises most of it. Those of one revision are next to each other.
func mostFirst(near []promising) []promising {
	kept := near[:0]
	for _, p := range near {
		if last := len(kept) - 1; last >= 0 && kept[last].revision == p.revision {
			kept[last].promise = max(kept[last].promise, p.promise)
		} else {
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, func(a, b promising) int {
		return cmp.Or(cmp.Compare(b.promise, a.promise), cmp.Compare(b.revision, a.revision))
	})
	return kept
}

// compared compares the vectors of revisions; gone are those that are no more.
func (s search) compared(part []promising) (found []Near, gone []int64, err error) {
	nodes, asked := make([]int64, len(part)), make(map[int64]bool, len(part))
	for i, p := range part {
		nodes[i], asked[p.revision] = p.node, true
	}
	there, revisions, err := revisionsOf(s.ctx, s.conn, db.Distinct(nodes))
	if err != nil {
		return nil, nil, err
	}
	at := 0 // of those that are asked for
	for i, revision := range revisions {
		if asked[revision] {
			there[at], revisions[at] = there[i], revision
			at++
			delete(asked, revision)
		}
	}
	err = Codes(s.ctx, s.conn, s.kind, revisions[:at], func(i int, codes []Kept) {
		near := Near{there[i], -1}
		for k := range codes {
			near.Meaning = max(near.Meaning, s.query.Cosine(&codes[k].Code))
		}
		if near.Meaning >= matching.LeastMeaning {
			found = append(found, near)
		}
	})
	return found, slices.Collect(maps.Keys(asked)), err
}

// sweep takes out what is gone, and answers how many those are. What came after the latest revision that the reader sees
// is not gone.
func (s *signatures) sweep(kind memory.Kind, gone []int64, last int64) int {
	gone = slices.DeleteFunc(gone, func(revision int64) bool { return revision > last })
	if len(gone) == 0 {
		return 0
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	of := s.kinds[kind]
	from, _ := slices.BinarySearch(of.revisions, gone[0])
	of.keep(from, func(revision int64) bool {
		_, isGone := slices.BinarySearch(gone, revision)
		return !isGone
	})
	return len(gone)
}
