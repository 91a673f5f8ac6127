package meanings

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
)

// MostCompared is how many vectors are compared exactly: those whose signatures are nearest.
const MostCompared = 4000

// signatures are those of all vectors of a file, in memory, by kind and in the order in which they were written. A record
// that was written anew or deleted is still in it under its old revision, which is nowhere else, until they are swept.
type signatures struct {
	mutex sync.RWMutex
	kinds map[memory.Kind]*signed
	last  int64 // the latest revision
}

// signed are the signatures of a kind, each with the revision that has its vector.
type signed struct {
	signatures []meaning.Signature
	revisions  []int64
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
	var found []Near
	for again := true; again; {
		revisions := s.nearest(kind, query.Signature())
		var gone []int64
		if found, gone, err = compared(ctx, c, revisions, query); err != nil {
			return nil, err
		}
		again = s.sweep(kind, gone, last) > len(revisions)/2 // they kept others out
	}
	return first(found, most, passes)
}

// NearestOf is Nearest among some records, which are all compared.
func NearestOf(ctx context.Context, c *db.Conn, nodes []int64, query meaning.Code, most int, passes func(nodes []int64) ([]int64, error)) ([]Near, error) {
	vectors, err := Of(ctx, c, nodes)
	if err != nil {
		return nil, err
	}
	asked := query.Vector()
	var found []Near
	for node, parts := range vectors {
		if near := (Near{node, matching.Best(asked[:], parts)}); near.Meaning >= matching.LeastMeaning {
			found = append(found, near)
		}
	}
	return first(found, most, passes)
}

// first are the nearest of those that pass.
func first(found []Near, most int, passes func(nodes []int64) ([]int64, error)) ([]Near, error) {
	if passes != nil && len(found) > 0 {
		var err error
		if found, err = passing(found, passes); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(found, func(a, b Near) int { return cmp.Or(cmp.Compare(b.Meaning, a.Meaning), cmp.Compare(b.Node, a.Node)) })
	return found[:min(len(found), most)], nil
}

func passing(found []Near, passes func(nodes []int64) ([]int64, error)) ([]Near, error) {
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
	const read = `SELECT revision, kind, codes FROM meanings WHERE revision > :last AND model = :model ORDER BY revision`
	err = c.Search(ctx, read, func(r *db.Row) error {
		revision := r.Integer()
		name, _ := db.Read[string](r) // of what is damaged, no kind
		kind := memory.Kind(name)
		of := s.kinds[kind]
		if of == nil {
			of = &signed{}
			s.kinds[kind] = of
		}
		for code := range codesIn(r.Blob()) {
			of.signatures, of.revisions = append(of.signatures, code.Signature()), append(of.revisions, revision)
		}
		s.last = revision
		return nil
	}, db.Arg("last", s.last), db.Arg("model", meaning.Name))
	return last, err
}

// nearest are the revisions of a kind whose signatures are nearest, each once. Of those that are equally near at the
// end, the last written.
func (s *signatures) nearest(kind memory.Kind, query meaning.Signature) []int64 {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	of := s.kinds[kind]
	if of == nil {
		return nil
	}
	distances := make([]uint8, len(of.signatures))
	var count [meaning.Dimensions + 1]int
	for i, signature := range of.signatures {
		distance := signature.Distance(query)
		distances[i] = uint8(distance)
		count[distance]++
	}
	bound, spare := 0, MostCompared // of those at the bound
	for bound < meaning.Dimensions && count[bound] <= spare {
		spare -= count[bound]
		bound++
	}
	revisions := make([]int64, 0, min(len(distances), MostCompared))
	for i, distance := range slices.Backward(distances) {
		if at := int(distance); at < bound || at == bound && spare > 0 {
			if at == bound {
				spare--
			}
			revisions = append(revisions, of.revisions[i])
		}
	}
	slices.Reverse(revisions)
	return slices.Compact(revisions)
}

// compared reads the vectors of revisions and compares them; gone are those that are no more.
func compared(ctx context.Context, c *db.Conn, revisions []int64, query meaning.Code) (found []Near, gone []int64, err error) {
	list, err := db.JSONOf(revisions)
	if err != nil {
		return nil, nil, err
	}
	const read = `SELECT m.revision, m.node, m.codes FROM json_each(:revisions) w CROSS JOIN meanings m ON m.revision = w.value`
	err = c.Search(ctx, read, func(r *db.Row) error {
		for revision := r.Integer(); len(revisions) > 0 && revisions[0] <= revision; revisions = revisions[1:] {
			if revisions[0] < revision {
				gone = append(gone, revisions[0])
			}
		}
		near := Near{r.Integer(), -1}
		for code := range codesIn(r.Blob()) {
			near.Meaning = max(near.Meaning, query.Cosine(&code))
		}
		if near.Meaning >= matching.LeastMeaning {
			found = append(found, near)
		}
		return nil
	}, db.Arg("revisions", list))
	return found, append(gone, revisions...), err
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
	kept, _ := slices.BinarySearch(of.revisions, gone[0])
	for i, left := kept, gone; i < len(of.revisions); i++ {
		for len(left) > 0 && left[0] < of.revisions[i] {
			left = left[1:]
		}
		if len(left) == 0 || left[0] != of.revisions[i] {
			of.signatures[kept], of.revisions[kept] = of.signatures[i], of.revisions[i]
			kept++
		}
	}
	of.signatures, of.revisions = of.signatures[:kept], of.revisions[:kept]
	return len(gone)
}

// codesIn are the codes that are kept together.
func codesIn(kept []byte) iter.Seq[meaning.Code] {
	return func(yield func(meaning.Code) bool) {
		for part := range slices.Chunk(kept, meaning.Dimensions) {
			if code, err := meaning.CodeOf(part); err == nil && !yield(code) {
				return
			}
		}
	}
}

// Of reads the vectors of records: for each that has any, that of the whole and then those of its lines.
func Of(ctx context.Context, c *db.Conn, nodes []int64) (map[int64][][]float32, error) {
	list, err := db.JSONOf(nodes)
	if err != nil {
		return nil, err
	}
	vectors := make(map[int64][][]float32, len(nodes))
	const read = `SELECT m.node, m.codes FROM json_each(:nodes) w CROSS JOIN meanings m ON m.node = w.value WHERE m.model = :model`
	err = c.Search(ctx, read, func(r *db.Row) error {
		node := r.Integer()
		vectors[node] = vectorsIn(r.Blob())
		return nil
	}, db.Arg("nodes", list), db.Arg("model", meaning.Name))
	return vectors, err
}

func vectorsIn(kept []byte) (vectors [][]float32) {
	for code := range codesIn(kept) {
		v := code.Vector()
		vectors = append(vectors, v[:])
	}
	return vectors
}
