package meanings

import (
	"context"
	"slices"
	"sync"

	"mneme/memory"
	"mneme/store/async"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
)

// signatures are those of all vectors of a file, in memory, by kind and in the order in which they were written. A record
// that was written anew or deleted is still in it under its old revision, which is nowhere else, until they are swept.
type signatures struct {
	mutex sync.RWMutex
	kinds map[memory.Kind]*signed
	last  int64 // the latest revision
}

// What is in memory of a kind is at most about memoryOfKind: sketches of all, and codes of those written last as far as they fit
// in, but no fewer than leastCodes. The other codes are read. An episode of a title, an observation, a result and an insight has five.
const (
	memoryOfKind = 64_000_000
	leastCodes   = 50_000
	spareOf      = 12

	// inPreparation is how many vectors are prepared at a time while others are read, and mostPreparing how many times as many.
	inPreparation, mostPreparing = 2048, 2

	sketchBytes = 2*meaning.Dimensions/8 + 1 + 16 // with the revision and the record
	codeBytes   = meaning.Dimensions + 4
)

// signed are the sketches of a kind, each with the revision that has its vector and the record, and the codes of the last of
// them. Signatures stand apart, so that nothing else is read to find the nearest of them.
type signed struct {
	signatures []meaning.Signature
	sizes      []meaning.Signature
	fits       []uint8
	revisions  []int64
	nodes      []int64
	codes      []Kept
	memory     int // in bytes
	order      order
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

// vector is one that was read, and what is kept of it.
type vector struct {
	kind           memory.Kind
	revision, node int64
	Kept
	sketch meaning.Sketch
}

// prepare computes what is kept beside codes, which takes as long as to read them.
func prepare(part []vector) []vector {
	for i := range part {
		v := &part[i]
		v.length, v.sketch = float32(v.Code.Length()), v.Code.Sketch()
	}
	return part
}

// add takes in what was written last. Of the codes there may be up to leastCodes too many, until trim.
func (s *signed) add(v *vector) {
	if last := len(s.revisions) - 1; last < 0 || s.revisions[last] != v.revision {
		s.order.add(s, v.node, len(s.revisions))
	}
	s.signatures, s.sizes, s.fits = append(s.signatures, v.sketch.Signs), append(s.sizes, v.sketch.Sizes), append(s.fits, v.sketch.Fit)
	s.revisions, s.nodes = append(s.revisions, v.revision), append(s.nodes, v.node)
	s.codes = append(s.codes, v.Kept)
	if len(s.codes) > s.mostCodes()*(spareOf+1)/spareOf+leastCodes {
		s.trim()
	}
}

// trim leaves out the codes that were written first, where there are too many.
func (s *signed) trim() {
	if most := s.mostCodes(); len(s.codes) > most+most/spareOf {
		s.codes = append(make([]Kept, 0, most+most/spareOf+1), s.codes[len(s.codes)-most:]...)
	}
}

func (s *signed) sketch(i int) meaning.Sketch {
	return meaning.Sketch{Signs: s.signatures[i], Sizes: s.sizes[i], Fit: s.fits[i]}
}

// codeAt is in memory, or nil.
func (s *signed) codeAt(i int) *Kept {
	if i -= len(s.signatures) - len(s.codes); i < 0 {
		return nil
	}
	return &s.codes[i]
}

// mostCodes is how many codes are in memory, and up to a share more: one in spareOf, so that not each that comes moves all.
func (s *signed) mostCodes() int {
	return max(leastCodes, (s.memory-len(s.signatures)*sketchBytes)/codeBytes*spareOf/(spareOf+1))
}

// keep leaves out all from a place on but those that stay.
func (s *signed) keep(from int, stays func(revision int64) bool) {
	kept, read := from, len(s.signatures)-len(s.codes)
	codes := s.codes[:max(0, from-read)]
	moved := make([]int32, len(s.revisions)-from)
	for i := from; i < len(s.revisions); i++ {
		if !stays(s.revisions[i]) {
			moved[i-from] = -1
			continue
		}
		moved[i-from] = int32(kept)
		s.signatures[kept], s.sizes[kept], s.fits[kept] = s.signatures[i], s.sizes[i], s.fits[i]
		s.revisions[kept], s.nodes[kept] = s.revisions[i], s.nodes[i]
		if kept++; i >= read {
			codes = append(codes, s.codes[i-read])
		}
	}
	s.signatures, s.sizes, s.fits = s.signatures[:kept], s.sizes[:kept], s.fits[:kept]
	s.revisions, s.nodes, s.codes = s.revisions[:kept], s.nodes[:kept], codes
	s.order.move(from, moved)
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
	defer s.trim()
	const find = `SELECT revision, node, kind, codes FROM meanings WHERE revision > :last ORDER BY revision`
	part, read := make([]vector, 0, inPreparation), s.last
	var waiting []func() []vector // parts that are prepared meanwhile, in order
	err = c.Search(ctx, find, func(r *db.Row) error {
		v := vector{revision: r.Integer(), node: r.Integer()}
		name, _ := db.Read[string](r) // of what is damaged, no kind
		v.kind = memory.Kind(name)
		for code := range codesIn(r.Blob()) {
			v.Code = code
			part = append(part, v)
		}
		read = v.revision
		if len(part) < inPreparation {
			return nil
		}
		whole := part
		waiting, part = append(waiting, async.Begin(func() []vector { return prepare(whole) })), make([]vector, 0, cap(part))
		if len(waiting) > mostPreparing {
			s.add(waiting[0]())
			waiting = waiting[1:]
		}
		return nil
	}, db.Arg("last", s.last))
	for _, wait := range waiting {
		s.add(wait())
	}
	s.add(prepare(part))
	s.last = read // also of what says nothing
	return last, err
}

// add takes in vectors in the order in which they were written.
func (s *signatures) add(part []vector) {
	if s.kinds == nil {
		s.kinds = map[memory.Kind]*signed{}
	}
	for i := range part {
		v := &part[i]
		of := s.kinds[v.kind]
		if of == nil {
			of = &signed{memory: memoryOfKind}
			s.kinds[v.kind] = of
		}
		of.add(v)
		s.last = v.revision
	}
}

func (s *signatures) trim() {
	for _, of := range s.kinds {
		of.trim()
	}
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
