package find

import (
	"cmp"
	"context"
	"math"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/async"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/meanings"
	"mneme/store/neo4j/words"
)

// nearQuery says among which records those are sought that are nearest by what they mean.
type nearQuery struct {
	few      []string            // what the text index is asked for: records that are all compared
	indexes  []cypher.Parameters // of vectors: they span tenants, and find about the nearest
	compared int                 // of each of few, at most
}

// amount is about how many records of a kind a filter lets pass, or where known is false, at most; and how many all tenants have.
type amount struct {
	passing, everywhere float64
	known               bool
}

// add asks for the records of a kind that pass what is required. All are compared where they are few, or where the nearest of the
// index would be others' and they are not too many; else the index is asked. Where they may be few, both are: first of what passes, some.
// Own asks the text index for all that the tenant has.
func (n *nearQuery) add(v words.Vocabulary, kind memory.Kind, own string, of amount, exact int, required []string) {
	neighbours := wantedNeighbours * of.everywhere / max(of.passing, 1)
	most := exact
	if neighbours > mostNeighbours {
		most = mostAlone * exact
	}
	few, looked := of.passing <= float64(most), 2*most+1
	if few || len(required) > 0 && (!of.known || of.passing <= float64(looked)) {
		n.few = append(n.few, allOf(v, required))
		n.compared = max(n.compared, looked) // passing is about how many they are
	}
	if !few {
		if len(required) > 0 { // what passes may lie further off than the rest
			neighbours *= 2
		}
		n.indexes = append(n.indexes, cypher.Parameters{
			"name": meanings.Index(kind), "neighbours": int(min(max(neighbours, wantedNeighbours), mostNeighbours)), "own": []string{own},
		})
	}
}

// allOf asks for the records of a kind that have what is required, which none of another has. To ask for all of a kind the index
// goes through all of them each time.
func allOf(v words.Vocabulary, required []string) string {
	if len(required) == 0 {
		return v.IDs("")
	}
	return words.All(required...)
}

// leastScore is what the index gives what is just near enough to be found, and a little less, as it holds vectors less exactly.
const leastScore = (1 + matching.LeastMeaning - 0.02) / 2

// own asks the text index for the tenant's records of a kind, of which there are about so many: all, or the newest.
func (s *Recaller) own(ctx context.Context, kind memory.Kind, records float64) (string, error) {
	v := words.VocabularyOf(s.TenantID, kind)
	if records <= mostOwn {
		return v.IDs(""), nil
	}
	known, err := s.sampled(ctx, kind)
	if err != nil || known.share == 0 {
		return v.IDs(""), err
	}
	all := stretch{v.Second(graph.Earliest), v.Second(graph.Latest)}
	return words.InRange(known.newest(all, nil, mostOwn, math.Inf(1)), all.to), nil
}

// sense is what a text means, where that is compared; else there is none.
type sense struct {
	vector []float32          // as the indexes take it
	means  *meanings.Question // as codes are compared with it
}

// senseOf is what a text means.
func (s *Recaller) senseOf(text string) sense {
	if !s.Vectors {
		return sense{}
	}
	vector, means := meanings.Asked(text)
	if !means {
		return sense{}
	}
	return sense{vector, meanings.Ask(vector)}
}

// near is a record that is found by what it means.
type near struct {
	kind    memory.Kind
	key, id string
	meaning float64
}

// give sets the values of a statement that looks for what is near.
func (n *nearQuery) give(values cypher.Parameters, vector []float32) {
	values["few"], values["indexes"], values["vector"], values["compared"] = n.few, n.indexes, vector, n.compared
	values["wanted"], values["kept"], values["leastScore"], values["mostOwn"] = store.NearestMatches, wantedNeighbours, leastScore, mostOwn
}

// nearest are the records of each kind that are nearest to what a text means, none further than matching.LeastMeaning. Where few pass a
// filter, all of them are compared, else what the index of vectors finds.
func (s *Recaller) nearest(ctx context.Context, text sense, among nearQuery, asked cypher.Statement, values cypher.Parameters) (found []near, err error) {
	if len(text.vector) == 0 || len(among.few)+len(among.indexes) == 0 {
		return nil, nil
	}
	among.give(values, text.vector)
	err = s.Each(ctx, s.Query(asked, values), func(f *bolt.Fields) { found = nearestOf(f, text.means) })
	return found, err
}

// begin reads something while its caller goes on, until finish is called.
func begin[T any](read func() (T, error)) (finish func() (T, error)) {
	type answer struct {
		found T
		err   error
	}
	wait := async.Begin(func() (a answer) {
		a.found, a.err = read()
		return a
	})
	return func() (T, error) {
		a := wait()
		return a.found, a.err
	}
}

// nearestOf are the nearest of each kind among what a statement found.
func nearestOf(f *bolt.Fields, means *meanings.Question) []near {
	all := decodeNear(f, means)
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(b.meaning, a.meaning), cmp.Compare(a.key, b.key)) })
	counts, first := map[memory.Kind]int{}, all[:0]
	for _, n := range all {
		if counts[n.kind]++; counts[n.kind] <= store.NearestMatches {
			first = append(first, n)
		}
	}
	return first
}

func decodeNear(f *bolt.Fields, means *meanings.Question) (all []near) {
	keys := bolt.List[string](f, "keys")
	labels, ids := bolt.Parallel[string](f, "labels", len(keys)), bolt.Parallel[string](f, "ids", len(keys))
	codes := bolt.Parallel[any](f, "codes", len(keys))
	for i, key := range keys {
		found := near{kindsByLabel[labels[i]], key, ids[i], 0}
		found.meaning, _ = means.Best(codes[i])
		if found.meaning >= matching.LeastMeaning {
			all = append(all, found)
		}
	}
	return all
}

func idsOf(all []near) []string { return bolt.Texts(all, func(n near) string { return n.id }) }

// compare says how near the meaning of a record is to that of the query, with those that stand around it.
func (f *found) compare(vector []float32) {
	own := meanings.Vectors(f.codes)
	if len(vector) == 0 || len(own) == 0 {
		return
	}
	f.parts.Compared = true
	if f.run == nil {
		f.parts.Meaning = matching.Best(vector, own)
		return
	}
	f.parts.Meaning = matching.Around(vector, own[0], f.beside(-1), f.beside(1))
}

// beside are the vectors of those that stand before or after a turn, the nearest first, nil for one that has none.
func (f *found) beside(direction int) (vectors [][]float32) {
	for step := 1; step <= matching.Beside; step++ {
		at := f.place + step*direction
		if at < 0 || at >= len(f.run.turns) {
			break
		}
		var whole []float32
		if own := meanings.Vectors(f.run.turns[at].codes); len(own) > 0 {
			whole = own[0]
		}
		vectors = append(vectors, whole)
	}
	return vectors
}
