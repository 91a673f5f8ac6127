package passages

import (
	"slices"

	"mneme/memory"
)

// Kept is a passage of a record as a store has it.
type Kept struct {
	ID     int64 // the store's own
	Number int   // its place
	Stale  bool  // it is to be made anew: what it is found by is missing, or is not right any more
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
	Moved   []Kept // with their new numbers
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

// Become returns what becomes of the passages that are there where a record says something else: those that it still says stay.
func Become(there []Kept, said []memory.Passage, leftOut int) Change {
	c := Change{LeftOut: leftOut}
	stays := make(map[saying]Kept, len(there))
	for _, k := range there {
		if _, twice := stays[sayingOf(&k.Passage)]; twice || k.Stale {
			c.Gone = append(c.Gone, k.ID)
			continue
		}
		stays[sayingOf(&k.Passage)] = k
	}
	for number, p := range said {
		k, ok := stays[sayingOf(&p)]
		switch delete(stays, sayingOf(&p)); {
		case !ok:
			c.Added = append(c.Added, Numbered{number, p})
		case k.Number != number:
			k.Number = number
			c.Moved = append(c.Moved, k)
		}
	}
	for _, k := range stays {
		c.Gone = append(c.Gone, k.ID)
	}
	return c
}

// Fits says whether the passages are right that would become others so. Of a log that came in parts some may be there that the
// whole log would not give, and others may be left out.
func (c *Change) Fits(inParts bool) bool {
	if inParts {
		return !slices.ContainsFunc(c.Added, func(p Numbered) bool { return p.Part != memory.PartEvent })
	}
	return len(c.Added)+len(c.Moved)+len(c.Gone) == 0
}

// half is how many of the first passages stay of a log that came in parts, and as many of the last.
const half = Most / 2

// WithLog adds to what an episode says now what its log said that came before, in the order of the numbers, and returns how many passages were left
// out by then.
func WithLog(said []memory.Passage, there []Kept, leftOut int) ([]memory.Passage, int) {
	own := make(map[string]bool, len(said))
	for _, p := range said {
		own[p.Text] = true
	}
	var logged []memory.Passage
	for _, k := range there {
		if k.Part == memory.PartEvent && !own[k.Text] {
			logged = append(logged, k.Passage)
		}
	}
	if over := len(said) + len(logged) - Most; over > 0 {
		first := (Most - len(said)) / 2
		logged, leftOut = slices.Delete(logged, first, first+over), leftOut+over
	}
	return slices.Concat(said, logged), leftOut
}

// Append returns what becomes of the passages of an episode, in the order of their numbers, where a part of its log says more. Of what is there it needs
// the texts that the part has, too. Of too many it leaves out those in the middle, and leaves a gap in the numbers.
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
