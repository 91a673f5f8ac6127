package meanings

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/store/meaning"
)

// Whatever is written, written anew and swept in whatever order, the place of a record is that of the first code of its latest revision.
func TestOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &signed{}
		latest := map[int64]int64{}
		for revision := range rapid.Int64Range(1, 3*mostLate).Draw(t, "revisions") {
			node := rapid.Int64Range(1, 50).Draw(t, "node")
			if rapid.IntRange(0, 3).Draw(t, "new") > 0 {
				node = 100 + revision
			}
			latest[node] = revision
			for range 1 + revision%3 {
				s.add(&vector{revision: revision, node: node})
			}
			if revision%700 == 699 {
				from := rapid.IntRange(0, len(s.revisions)-1).Draw(t, "from")
				for from > 0 && s.revisions[from-1] == s.revisions[from] {
					from--
				}
				s.keep(from, func(revision int64) bool { return revision%5 != 0 || slices.Contains(s.revisions[:from], revision) })
			}
		}
		there := map[int64]int{} // the first place of the latest revision of each
		for i, node := range s.nodes {
			if before, is := there[node]; !is || s.revisions[before] < s.revisions[i] {
				there[node] = i
			}
		}
		var nodes []int64
		for node := range latest {
			nodes = append(nodes, node)
		}
		slices.Sort(nodes)
		for i, place := range s.order.placesOf(s, nodes) {
			want, is := there[nodes[i]]
			if !is {
				want = -1
			}
			if int(place) != want {
				t.Fatalf("record %d is at %d and found at %d", nodes[i], want, place)
			}
		}
	})
}

func TestAhead(t *testing.T) {
	t.Parallel()
	list := make([]int32, 40)
	for i := range list {
		list[i] = int32(2 * i)
	}
	for limit := int32(-1); limit < 82; limit++ {
		want := 0
		for _, x := range list {
			if x <= limit {
				want++
			}
		}
		assert.Equal(t, want, ahead(list, func(x int32) bool { return x <= limit }), "up to %d", limit)
	}
	assert.Zero(t, ahead(nil, func(int32) bool { return true }))
}

// A guess is about as near as the nearest of a record's codes is.
func TestGuess(t *testing.T) {
	t.Parallel()
	codes := directions(400)
	s := signedOf(codes)
	query := codes[101]
	guess := query.Guess()
	assert.InDelta(t, 1, s.guess(guess, 100), 0.1)
	off := 0.0
	for record := range len(codes) / 2 {
		exact := max(0, query.Cosine(&codes[2*record]), query.Cosine(&codes[2*record+1]))
		off += (exact - s.guess(guess, 2*record)) * (exact - s.guess(guess, 2*record))
	}
	assert.Less(t, off/float64(len(codes)/2), 0.04*0.04)
	assert.Zero(t, s.guess(guess, -1))
	assert.Zero(t, (&signed{}).guess((&meaning.Code{}).Guess(), 0))
}
