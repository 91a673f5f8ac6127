package matching_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/matching"
)

func TestBagWorked(t *testing.T) {
	t.Parallel()
	var bag matching.Bag
	assert.Empty(t, bag.String())
	bag.Add("late flight", 2)
	bag.Add("refund flight 42", 1)
	assert.Equal(t, 7, bag.Length)
	assert.Equal(t, `7 42 flight"3 late"2 refund`, bag.String())

	q := matching.Choose([]matching.Word{{Stem: "fli", Records: 1}, {Stem: "flight", Records: 1}, {Stem: "42", Records: 1}, {Stem: "late", Records: 1}}, 9)
	assert.Equal(t, matching.Document{Counts: []float64{0, 3, 1, 2}, Length: 2}, q.Document(bag.String(), memory.KindObservation, 3.5))
	assert.Equal(t, matching.Document{Length: 1}, q.Document("7 other words", memory.KindObservation, 7), "none of them")
	assert.Equal(t, matching.Document{Counts: []float64{0, 0.75, 0.25, 0.5}, Length: 2}, q.Document(bag.String(), memory.KindEpisode, 3.5), "four in an observation are one")
	assert.Zero(t, q.Document("", memory.KindObservation, 3.5))
	assert.Zero(t, q.Document("no bag", memory.KindObservation, 3.5))
}

func TestBagsComeBack(t *testing.T) {
	t.Parallel()
	stem := rapid.StringMatching(`[a-z0-9é'._]{1,6}`)
	rapid.Check(t, func(t *rapid.T) {
		var bag matching.Bag
		for range rapid.IntRange(0, 4).Draw(t, "texts") {
			bag.Add(strings.Join(rapid.SliceOfN(stem, 0, 6).Draw(t, "stems"), " "), rapid.IntRange(1, 3).Draw(t, "weight"))
		}
		read, err := matching.ParseBag(bag.String())
		require.NoError(t, err)
		assert.Equal(t, bag.Length, read.Length)
		assert.True(t, maps.Equal(bag.Counts, read.Counts))

		asked := []matching.Word{}
		for stem := range bag.Counts {
			asked = append(asked, matching.Word{Stem: stem, Records: 1})
		}
		q := matching.Choose(asked, 10)
		d := q.Document(bag.String(), memory.KindObservation, 1)
		for i, stem := range q.Stems {
			assert.InDelta(t, bag.Counts[stem], d.Counts[i], 0)
		}
	})
}

func FuzzBag(f *testing.F) {
	for _, text := range []string{"", "1 a", `7 42 flight"3 late"2 refund`, `2 a"2`, "2 a", `2 a"1 b`, "2 a a", "1  a", "-1 a", `3 a"3"`, "x"} {
		f.Add(text)
	}
	q := matching.Choose([]matching.Word{{Stem: "a", Records: 1}, {Stem: "flight", Records: 1}}, 9)
	f.Fuzz(func(t *testing.T, text string) {
		d := q.Document(text, memory.KindObservation, 2)
		score := q.Alone(d)
		assert.True(t, score >= 0 && score <= 1, "%v of %q", score, text)
		if bag, err := matching.ParseBag(text); err == nil {
			again, err := matching.ParseBag(bag.String())
			require.NoError(t, err)
			assert.Equal(t, bag, again)
		}
	})
}
