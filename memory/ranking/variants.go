package ranking

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mneme/memory"
	"mneme/memory/prose"
)

// MaxAbout is how many characters of an observation are read to compare it (Candidate.About). One that fills them is
// like no other: it may only begin as others do.
const MaxAbout = 1500

// variantShare is the share of words from which on two observations are variants of one. In the sample those are
// requests that differ in a name or a number; from 0.7 on, reports on other products and quarters would be one, too.
const variantShare = 0.8

// Grouped groups near-identical episodes: one type of task, and observations that share most words. The first of a
// group that did not go wrong stands for it, if it matches about as well, else the first. The others are its Siblings.
func Grouped(ranked []Ranked, w Weights) []Ranked {
	var groups [][]Ranked
	var words [][]string // of the first of each group
	place := make(map[string]int, len(ranked))
	for i, r := range ranked {
		place[r.Key] = i
		var said []string
		if utf8.RuneCountInString(r.About) < MaxAbout {
			said = wordsOf(r.About)
		}
		at := 0
		for at < len(groups) && (groups[at][0].TaskType != r.TaskType || share(words[at], said) < variantShare) {
			at++
		}
		if at == len(groups) {
			groups, words = append(groups, nil), append(words, said)
		}
		groups[at] = append(groups[at], r)
	}
	hits := make([]Ranked, len(groups))
	for i, group := range groups {
		best := max(0, slices.IndexFunc(group, func(r Ranked) bool {
			return !w.WentWrong(r.Candidate) && r.Semantic() > group[0].Semantic()-sameMatch
		}))
		hits[i] = group[best]
		for _, sibling := range slices.Delete(group, best, best+1) {
			hits[i].Siblings = append(hits[i].Siblings, sibling.Candidate)
		}
	}
	slices.SortFunc(hits, func(a, b Ranked) int { return place[a.Key] - place[b.Key] })
	return hits
}

// Turned is how often something was done, and how it turned out.
type Turned struct {
	Times     int `json:"times"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
}

// Turned counts a hit and its siblings.
func (r Ranked) Turned() Turned {
	t := Turned{Times: 1 + len(r.Siblings)}
	for _, c := range append(slices.Clone(r.Siblings), r.Candidate) {
		switch c.Outcome {
		case memory.OutcomeSuccess:
			t.Succeeded++
		case memory.OutcomeFailure:
			t.Failed++
		}
	}
	return t
}

// Words are such as "4 times, 1 succeeded, 2 failed, 1 unknown".
func (t Turned) Words() string {
	said := prose.Plural(t.Times, "time")
	if t.Succeeded > 0 {
		said += fmt.Sprintf(", %d succeeded", t.Succeeded)
	}
	if t.Failed > 0 {
		said += fmt.Sprintf(", %d failed", t.Failed)
	}
	if open := t.Times - t.Succeeded - t.Failed; open > 0 && open < t.Times {
		said += fmt.Sprintf(", %d unknown", open)
	}
	return said
}

// wordsOf are the words of a text, each once, in order.
func wordsOf(text string) []string {
	words := strings.Fields(strings.ToLower(text))
	slices.Sort(words)
	return slices.Compact(words)
}

// share is the part of the words of two texts that both have, in 0…1.
func share(a, b []string) float64 {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch strings.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return float64(both) / float64(max(len(a)+len(b)-both, 1))
}
