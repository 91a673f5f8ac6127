package passages

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
)

// texts are passages of a part that say some texts.
func texts(part memory.Part, texts ...string) (all []memory.Passage) {
	for i, text := range texts {
		all = append(all, memory.Passage{Part: part, Position: i, Text: text})
	}
	return all
}

// many are so many passages of a log from a number on.
func many(from, count int) (all []memory.Passage) {
	for i := range count {
		all = append(all, memory.Passage{Part: memory.PartEvent, Position: from + i, Text: fmt.Sprint("entry ", from+i)})
	}
	return all
}

// asKept are passages with their numbers as ids.
func asKept(all []memory.Passage) []Kept {
	kept := make([]Kept, len(all))
	for i, p := range all {
		kept[i] = Kept{ID: int64(i), Number: i, Passage: p}
	}
	return kept
}

func TestBecome(t *testing.T) {
	t.Parallel()
	there := asKept(texts(memory.PartThought, "a", "b", "c"))
	said := []memory.Passage{there[2].Passage, {Part: memory.PartResult, Text: "b"}, there[0].Passage}
	c := Become(there, said, 7)
	moved := []Kept{{ID: 2, Number: 0, Passage: said[0]}, {ID: 0, Number: 2, Passage: said[2]}, {1, 1, true, said[1]}}
	assert.Equal(t, Change{Moved: moved, LeftOut: 7}, c, "what says the same stays, whatever says it")

	there[1].Stale = true
	c = Become(there, texts(memory.PartThought, "a", "b", "d"), 0)
	assert.Equal(t, Change{Added: []Numbered{{2, texts(memory.PartThought, "a", "b", "d")[2]}}, Moved: there[1:2], Gone: []int64{2}}, c)
	assert.True(t, (&Change{LeftOut: 1}).None())
}

// What is wrong with the passages of a record, whether its log came in parts or not.
func TestRight(t *testing.T) {
	t.Parallel()
	said := append(texts(memory.PartThought, "a", "b"), many(0, 3)...)
	at := func(all []Kept, i int, change func(*Kept)) []Kept {
		change(&all[i])
		return all
	}
	for name, test := range map[string]struct {
		there        []Kept
		lacks        int
		whole, parts bool
	}{
		"all":                     {asKept(said), 0, true, true},
		"a stale entry":           {at(asKept(said), 3, func(k *Kept) { k.Stale = true }), 0, false, false},
		"a stale thought":         {at(asKept(said), 0, func(k *Kept) { k.Stale = true }), 0, false, false},
		"an entry lost":           {asKept(said)[:4], 0, false, false},
		"an entry left out":       {asKept(said)[:4], 1, false, true},
		"an entry more":           {append(asKept(said), Kept{9, 9, false, many(7, 1)[0]}), 0, false, true},
		"a thought more":          {append(asKept(said), Kept{9, 9, false, texts(memory.PartThought, "c")[0]}), 0, false, false},
		"a thought twice":         {append(asKept(said), Kept{9, 9, false, said[0]}), 0, false, false},
		"a gap":                   {at(asKept(said), 4, func(k *Kept) { k.Number = 9 }), 0, false, true},
		"numbers that fall":       {at(asKept(said), 3, func(k *Kept) { k.Number = 1 }), 0, false, false},
		"an entry heard earlier":  {at(asKept(said), 4, func(k *Kept) { k.Position = 1 }), 0, false, true},
		"a thought out of place":  {at(asKept(said), 1, func(k *Kept) { k.Position = 5 }), 0, false, false},
		"a thought lost":          {asKept(said)[1:], 0, false, false},
		"a thought that was said": {at(asKept(said), 1, func(k *Kept) { k.Text = "c" }), 0, false, false},
	} {
		assert.Equal(t, test.whole, Right(test.there, said, test.lacks, false), name)
		assert.Equal(t, test.parts, Right(test.there, said, test.lacks, true), name+", in parts")
	}
}

// Whatever was there, what is said is there then, in its order, and nothing else.
func TestWhatIsSaidIsThereThen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		saying := rapid.StringMatching(`[a-h]`)
		there := asKept(texts(memory.PartThought, rapid.SliceOf(saying).Draw(t, "there")...))
		for i := range there {
			there[i].Position, there[i].Stale = 0, rapid.Bool().Draw(t, "stale")
		}
		var said []memory.Passage
		for _, text := range rapid.SliceOfDistinct(saying, rapid.ID).Draw(t, "said") {
			said = append(said, memory.Passage{Part: memory.PartThought, Text: text})
		}
		c := Become(there, said, 0)
		now := map[int]string{}
		for _, k := range there {
			if !slices.Contains(c.Gone, k.ID) && !slices.ContainsFunc(c.Moved, func(m Kept) bool { return m.ID == k.ID }) {
				now[k.Number] = k.Text
			}
		}
		for _, k := range c.Moved {
			now[k.Number] = k.Text
		}
		for _, k := range there {
			anew := func(m Kept) bool { return m.ID == k.ID && m.Stale }
			assert.True(t, !k.Stale || slices.Contains(c.Gone, k.ID) || slices.ContainsFunc(c.Moved, anew), "what is stale does not stay as it is")
		}
		for _, p := range c.Added {
			now[p.Number] = p.Text
		}
		assert.Len(t, now, len(said))
		assert.Equal(t, len(there)-len(c.Gone)+len(c.Added), len(said))
		for i, p := range said {
			assert.Equal(t, p.Text, now[i])
		}
	})
}

func TestWithLog(t *testing.T) {
	t.Parallel()
	there := asKept(append(texts(memory.PartObservation, "was"), texts(memory.PartEvent, "said", "done")...))
	all, leftOut := WithLog(texts(memory.PartResult, "done"), 2, there, 3)
	assert.Equal(t, []memory.Passage{{Part: memory.PartResult, Text: "done"}, {Part: memory.PartEvent, Text: "said"}}, all)
	assert.Equal(t, 3, leftOut)

	_, leftOut = WithLog(texts(memory.PartResult, "a"), 2, asKept(texts(memory.PartThought, "b")), 3)
	assert.Equal(t, 2, leftOut, "there was no log")

	all, leftOut = WithLog(texts(memory.PartResult, "a", "b"), 0, asKept(many(0, Most)), 3)
	assert.Len(t, all, Most)
	assert.Equal(t, 5, leftOut)
	assert.Equal(t, []int{998, 1001}, []int{all[2+998].Position, all[2+999].Position})
}

// Of a log that came in parts the first and the last passages stay.
func TestAppend(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ there, added, gone, kept int }{
		{0, 5, 0, 5}, {Most, 3, 3, 3}, {Most - 1, 3, 2, 3},
		{10, Most, 0, Most - 10}, {half, Most, 0, half}, {half + 1, Most, 1, half},
	} {
		name := fmt.Sprint(test.there, "+", test.added)
		c := Append(asKept(many(0, test.there)), many(test.there, test.added), 2)
		assert.Len(t, c.Gone, test.gone, name)
		assert.Len(t, c.Added, test.kept, name)
		assert.Equal(t, 2+max(0, test.there+test.added-Most), c.LeftOut, name)
		assert.Equal(t, test.there+test.added-1, c.Added[len(c.Added)-1].Number, name)
		if test.gone > 0 {
			assert.EqualValues(t, half, c.Gone[0], name)
		}
	}
	c := Append(asKept(many(0, 3)), many(1, 3), 0)
	assert.Equal(t, []Numbered{{3, many(3, 1)[0]}}, c.Added, "what is said already is passed over")
}
