package passages

import (
	"slices"

	"mneme/memory"
)

// Kept is a passage of a record as a store has it.
type Kept struct {
	ID     int64 // the store's own
	Number int   // its place
	Stale  bool  // it is to be made anew in its place: it says the same, but what it is found by is missing, or is not right any more
	memory.Passage
}

// Numbered is a passage at its place in a record.
type Numbered struct {
	Number int
	memory.Passage
}

// Change is what becomes of the passages of a record.
type Change struct {
	Added   []Numbered
	Moved   []Kept // with their new numbers, and as they are now
	Gone    []int64
	LeftOut int // how many passages the record lacks of what it says
}

// saying is what tells a passage from others of its record.
type saying struct {
	part     memory.Part
	position int
	step     string
	at       int64
	text     string
}

func sayingOf(p *memory.Passage) saying {
	return saying{p.Part, p.Position, p.Step, p.At.UnixMilli(), p.Text}
}

// Become returns the change of a record's passages where it says something else: those whose texts it still says stay.
func Become(there []Kept, said []memory.Passage, leftOut int) Change {
	c := Change{LeftOut: leftOut}
	same, others := make(map[saying]Kept, len(there)), map[string][]Kept{}
	leave := func(k Kept) { others[k.Text] = append(others[k.Text], k) }
	for _, k := range there {
		if _, twice := same[sayingOf(&k.Passage)]; twice || k.Stale {
			leave(k)
			continue
		}
		same[sayingOf(&k.Passage)] = k
	}
	var fresh []Numbered
	for number, p := range said {
		k, ok := same[sayingOf(&p)]
		switch delete(same, sayingOf(&p)); {
		case !ok:
			fresh = append(fresh, Numbered{number, p})
		case k.Number != number:
			k.Number = number
			c.Moved = append(c.Moved, k)
		}
	}
	for _, k := range same {
		leave(k)
	}
	for _, p := range fresh {
		if left := others[p.Text]; len(left) > 0 {
			others[p.Text] = left[1:]
			c.Moved = append(c.Moved, Kept{left[0].ID, p.Number, true, p.Passage})
			continue
		}
		c.Added = append(c.Added, p)
	}
	for _, left := range others {
		for _, k := range left {
			c.Gone = append(c.Gone, k.ID)
		}
	}
	return c
}

// None says that all stays as it is, but perhaps for what is left out.
func (c *Change) None() bool { return len(c.Added)+len(c.Moved)+len(c.Gone) == 0 }

// Right says whether a record that lacks so many passages has those that it should have, in the order of their numbers.
// Of a log that came in parts there may be others than of the whole log, and gaps between the numbers.
func Right(there []Kept, said []memory.Passage, lacks int, inParts bool) bool {
	c := Become(there, said, lacks)
	if !inParts {
		return c.None()
	}
	texts, last := map[string]bool{}, -1
	for _, k := range there {
		if k.Stale || k.Number <= last || k.Part != memory.PartEvent && (texts[k.Text] || slices.Contains(c.Gone, k.ID)) {
			return false
		}
		texts[k.Text], last = true, k.Number
	}
	misplaced := func(k Kept) bool { return k.Stale && k.Part != memory.PartEvent }
	return !slices.ContainsFunc(c.Moved, misplaced) && (lacks > 0 || !slices.ContainsFunc(c.Added, func(p Numbered) bool { return !texts[p.Text] }))
}

// half is how many of the first passages stay of a log that came in parts, and as many of the last.
const half = Most / 2

// WithLog adds to what an episode says now, of which it lacks some, what its log said that came before, in the order of
// the numbers, and returns how many passages it lacks then. Before it lacked others, of its log too.
func WithLog(said []memory.Passage, lacks int, there []Kept, lacked int) ([]memory.Passage, int) {
	own := make(map[string]bool, len(said))
	for _, p := range said {
		own[p.Text] = true
	}
	var logged []memory.Passage
	for _, k := range there {
		if k.Part != memory.PartEvent {
			continue
		}
		lacks = max(lacks, lacked)
		if !own[k.Text] {
			logged = append(logged, k.Passage)
		}
	}
	if over := len(said) + len(logged) - Most; over > 0 {
		first := (Most - len(said)) / 2
		logged, lacks = slices.Delete(logged, first, first+over), lacks+over
	}
	return slices.Concat(said, logged), lacks
}

// Append returns the change of an episode's passages, in the order of their numbers, where a part of its log says more.
// there must hold those with the part's texts, too. Beyond Most it leaves a gap in the middle.
func Append(there []Kept, part []memory.Passage, leftOut int) Change {
	known, next := make(map[string]bool, len(there)), 0
	for _, k := range there {
		known[k.Text], next = true, k.Number+1
	}
	var added []Numbered
	for _, p := range part {
		if !known[p.Text] {
			added = append(added, Numbered{next + len(added), p})
		}
	}
	over := max(0, len(there)+len(added)-Most)
	gone := min(over, max(0, len(there)-half))
	first := min(len(added), max(0, half-len(there)))
	c := Change{Added: slices.Delete(added, first, first+over-gone), LeftOut: leftOut + over}
	for _, k := range there[min(len(there), half):][:gone] {
		c.Gone = append(c.Gone, k.ID)
	}
	return c
}
