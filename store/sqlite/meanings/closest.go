package meanings

import (
	"math/rand/v2"
	"slices"

	"mneme/store/async"
	"mneme/store/meaning"
)

const (
	// sampled is how many signatures are looked at to learn how near the nearest of all will be, in runs of so many that stand
	// together: one that stands alone costs as much as a run.
	sampled, run = 1 << 15, 16

	// signaturesEach are worth a processor of their own, and codesEach codes.
	signaturesEach, codesEach = 1 << 15, 1 << 10
)

// closest are the places of the signatures that are nearest to another, at most so many and in the order in which they were written.
// Of those that are equally near at the end, the last written.
func (s *signed) closest(asked meaning.Signature, most int) []int {
	return s.closestFrom(s.bound(asked, most), asked, most)
}

// closestFrom is closest where the nearest seem to be within a distance.
func (s *signed) closestFrom(bound int, asked meaning.Signature, most int) []int {
	places, distances := s.within(asked, bound)
	for len(places) < min(most, len(s.signatures)) { // the sample promised too much
		bound += 2
		places, distances = s.within(asked, bound)
	}
	var count [meaning.Dimensions + 1]int
	for _, distance := range distances {
		count[distance]++
	}
	last, spare := 0, most // the distance of the last of them, and how many of that distance
	for last < meaning.Dimensions && count[last] <= spare {
		spare -= count[last]
		last++
	}
	kept := make([]int, 0, min(len(places), most))
	for i, place := range slices.Backward(places) {
		at := int(distances[i])
		if at > last || at == last && spare == 0 {
			continue
		}
		if at == last {
			spare--
		}
		kept = append(kept, place)
	}
	slices.Reverse(kept)
	return kept
}

// bound is about the distance within which the nearest are, by a sample. Its places are chosen by chance, since what every so many of
// all are may be alike, as the titles of episodes are.
func (s *signed) bound(asked meaning.Signature, most int) int {
	var count [meaning.Dimensions + 1]int
	size := len(s.signatures)
	if size <= sampled {
		for i := range s.signatures {
			count[s.signatures[i].Distance(asked)]++
		}
	} else {
		chance := rand.New(rand.NewPCG(uint64(size), sampled)) //nolint:gosec // nothing secret depends on it
		for range sampled / run {
			from := chance.IntN(size - run + 1)
			for _, signature := range s.signatures[from : from+run] {
				count[signature.Distance(asked)]++
			}
		}
		most = most * sampled / size * 5 / 4
	}
	bound := 0
	for bound < meaning.Dimensions && count[bound] <= most {
		most -= count[bound]
		bound++
	}
	return bound
}

// within are the places of the signatures within a distance, in order, and their distances.
func (s *signed) within(asked meaning.Signature, bound int) (places []int, distances []uint8) {
	type part struct {
		places    []int
		distances []uint8
	}
	for _, found := range async.InParts(len(s.signatures), signaturesEach, func(from, until int) (found part) {
		found.places, found.distances = within(s.signatures[from:until], from, asked, bound)
		return found
	}) {
		places, distances = append(places, found.places...), append(distances, found.distances...)
	}
	return places, distances
}

func within(signatures []meaning.Signature, from int, asked meaning.Signature, bound int) (places []int, distances []uint8) {
	for i := range signatures {
		if distance := signatures[i].Distance(asked); distance <= bound {
			places, distances = append(places, from+i), append(distances, uint8(distance))
		}
	}
	return places, distances
}
