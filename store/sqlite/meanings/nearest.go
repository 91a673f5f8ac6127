package meanings

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/async"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
)

const (
	// mostFound is how many vectors are found by their signatures, at some 100 ns each: one in foundOf, but no fewer than leastFound.
	mostFound, foundOf, leastFound = 16_000, 128, 4000

	// mostAsked is how many of these are looked up, as far as a filter is to pass some: those that seem nearest by their sketches. Of so
	// few that may be found all are compared.
	mostAsked = 4000

	// mostListed is how many records are listed that a filter lets pass, at some 0.3 µs each: one of so many vectors, but always
	// as many as are asked.
	mostListed, listedOf = 20_000, 200

	// mostRead is how many of these that pass are compared, at some µs for one that is not in memory.
	mostRead = 256
)

// Near is a record by how near its meaning is to that of a query.
type Near struct {
	Node    int64
	Meaning float64 // see matching.Best
}

// Wanted says what is to be found.
type Wanted struct {
	Kind  memory.Kind
	Query meaning.Vector
	// Most is how many at most, 1 or more.
	Most int
	// Among lists the only records that may be found, in the order of their numbers, if they are fewer than so many; all is false where
	// they are not, or nothing lists them. It is nil where any may be found.
	Among func(most int) (nodes []int64, all bool, err error)
	// Passes is asked for many records at once, and answers those that pass; nil where all do.
	Passes func(nodes []int64) ([]int64, error)
}

// Nearest are the records of a kind whose meanings are nearest to a query's, the nearest first, none further than
// matching.LeastMeaning. Where there are many they are found by their signatures, so that a few may be missing.
func Nearest(ctx context.Context, c *db.Conn, w Wanted) ([]Near, error) {
	finish, err := BeginNearest(ctx, c, w)
	if err != nil {
		return nil, err
	}
	found, _, err := finish()
	return found, err
}

// BeginNearest is Nearest in two steps: what is in memory is looked through while the caller uses the connection for something else, until
// finish is called, once, by whoever uses the connection and on the same state of the database, which does the rest. It says, too, whether
// there are some that were not compared and may be as near.
func BeginNearest(ctx context.Context, c *db.Conn, w Wanted) (finish func() (found []Near, some bool, err error), err error) {
	s := db.Kept[signatures](c)
	last, err := s.update(ctx, c)
	if err != nil {
		return nil, err
	}
	may := anyone
	if w.Among != nil {
		nodes, all, err := w.Among(s.worthListing(w.Kind))
		if err != nil {
			return nil, err
		}
		if all && len(nodes) <= mostAsked {
			return func() ([]Near, bool, error) {
				found, err := nearestOf(ctx, c, w, nodes)
				return found, false, err
			}, nil
		}
		if all {
			may = func(node int64) bool {
				_, found := slices.BinarySearch(nodes, node)
				return found
			}
		}
	}
	query := w.Query.Code()
	looked := async.Begin(func() promises { return s.nearest(w.Kind, &query, may) })
	return func() ([]Near, bool, error) {
		for promise := looked(); ; promise = s.nearest(w.Kind, &query, may) {
			found, read, gone, err := search{ctx, c, w}.among(&promise)
			if err != nil {
				return nil, false, err
			}
			if s.sweep(w.Kind, gone, last) <= read/2 { // else they kept others out
				return found, promise.some, nil
			}
		}
	}, nil
}

func anyone(int64) bool { return true }

// worthListing is how many records are listed to find out which may be found: more than are compared only where these are few of all.
func (s *signatures) worthListing(kind memory.Kind) int {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	most := mostAsked + 1
	if of := s.kinds[kind]; of != nil {
		most = max(most, min(mostListed, len(of.signatures)/listedOf))
	}
	return most
}

// search is that for the nearest of one query.
type search struct {
	ctx  context.Context // it lives as long as the call
	conn *db.Conn
	Wanted
}

// firstLook is how many of those that promise most are looked up at first; each time that nearer ones may still be among the rest, as
// many as before are added.
const firstLook = 128

// among compares those that promise most and pass, until none of the rest promises more than what was found, or enough were compared. It
// answers how many revisions it looked up, too, and which of them are gone, in order, and notes where some are left.
func (s search) among(all *promises) (found []Near, looked int, gone []int64, err error) {
	promise, enough := all.list, false
	for compared := 0; len(promise) > 0 && !enough && looked < mostAsked && compared < mostRead; {
		size := min(len(promise), max(firstLook, looked), mostAsked-looked)
		db.BringForward(promise, size, promisesMore)
		part := promise[:size]
		promise, looked = promise[size:], looked+size
		slices.SortFunc(part, byPromise)
		there, missing, err := s.there(part)
		if err != nil {
			return nil, 0, nil, err
		}
		if most := mostRead - compared; len(there) > most {
			there, all.some = there[:most], true
		}
		compared += len(there)
		more, err := s.compared(there)
		if err != nil {
			return nil, 0, nil, err
		}
		found, gone = first(append(found, more...), s.Most), append(gone, missing...)
		enough = len(found) == s.Most && part[size-1].promise < found[s.Most-1].Meaning
	}
	all.some = all.some || len(promise) > 0 && !enough
	slices.Sort(gone)
	return found, looked, gone, nil
}

// nearestOf compares all of some records.
func nearestOf(ctx context.Context, c *db.Conn, w Wanted, nodes []int64) ([]Near, error) {
	asked := w.Query.Asked()
	var found []Near
	err := of(ctx, c, w.Kind, nodes, func(node int64, codes []Kept) {
		if near := (Near{node, Best(&asked, codes)}); near.Meaning >= matching.LeastMeaning {
			found = append(found, near)
		}
	})
	if err != nil {
		return nil, err
	}
	return firstPassing(first(found, len(found)), w.Most, w.Passes)
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

// promises are revisions that promise to be near; some says that others may be.
type promises struct {
	list []promising
	some bool
}

// deviations is how many standard deviations nearer than it seems by its sketch a vector may well be.
const deviations = 2

func byPromise(a, b promising) int {
	return cmp.Or(cmp.Compare(b.promise, a.promise), cmp.Compare(b.revision, a.revision))
}

func promisesMore(a, b *promising) bool { return byPromise(*a, *b) < 0 }

// nearest are the revisions that promise to be near, of those whose signatures are nearest and that may be found, each once.
func (s *signatures) nearest(kind memory.Kind, query *meaning.Code, may func(node int64) bool) promises {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	of := s.kinds[kind]
	if of == nil {
		return promises{}
	}
	most := min(mostFound, max(leastFound, len(of.signatures)/foundOf))
	places := of.closest(query.Signature(), most)
	guess, length := query.Guess(), query.Length()
	list := once(slices.Concat(async.InParts(len(places), codesEach, func(from, until int) []promising {
		return of.promises(places[from:until], query, guess, length, may)
	})...))
	return promises{list: list, some: len(of.signatures) > most}
}

// promises are those of the revisions at some places that may be found and may be near.
func (s *signed) promises(places []int, query *meaning.Code, guess *meaning.Guess, length float64, may func(node int64) bool) []promising {
	near := make([]promising, 0, len(places))
	for _, i := range places {
		if !may(s.nodes[i]) {
			continue
		}
		var promise float64
		if code := s.codeAt(i); code != nil {
			promise = code.like(query, length)
		} else {
			cosine, deviation := guess.Cosine(s.sketch(i))
			promise = cosine + deviations*deviation
		}
		if promise >= matching.LeastMeaning {
			near = append(near, promising{s.revisions[i], s.nodes[i], promise})
		}
	}
	return near
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
	if s.Passes == nil || len(there) == 0 {
		return there, gone, nil
	}
	kept, err := s.Passes(nodes)
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
	asked := s.Query.Asked()
	err = Codes(s.ctx, s.conn, s.Kind, revisions, func(i int, codes []Kept) {
		if near := (Near{there[i].node, Best(&asked, codes)}); near.Meaning >= matching.LeastMeaning {
			found = append(found, near)
		}
	})
	return found, err
}
