package redact

import (
	"slices"
	"strings"
	"sync"

	"mneme/internal/redact/counted"
)

// detector is all the rules and the words to look for.
type detector struct {
	words  *finder
	rules  []*rule
	starts [][]int32 // of a word: the rules that it is an anchor of
	needed [][]int32 // of a rule: the words of which one must stand in the text

	alphabets map[alphabet]int // by number, for shape.run
}

// secrets is the detector; it is made when the first text comes, in a few milliseconds. Expressions are
// compiled when one is needed for the first time.
var secrets = sync.OnceValue(func() *detector { return newDetector(append(fromGitleaks(), ownRules()...)) })

func newDetector(rules []*rule) *detector {
	d := &detector{rules: rules, needed: make([][]int32, len(rules)), alphabets: map[alphabet]int{}}
	index := map[string]int32{}
	var words []string
	wordOf := func(word string) int32 {
		word = strings.ToLower(word)
		if _, known := index[word]; !known {
			index[word] = int32(len(words))
			words = append(words, word)
			d.starts = append(d.starts, nil)
		}
		return index[word]
	}
	for i, r := range rules {
		d.number(&r.shape)
		if r.assigns != nil {
			for j := range r.assigns.values {
				d.number(&r.assigns.values[j].shape)
			}
		}
		for _, anchor := range r.anchors {
			word := wordOf(anchor)
			d.starts[word] = append(d.starts[word], int32(i))
		}
		for _, keyword := range r.needs {
			d.needed[i] = append(d.needed[i], wordOf(keyword))
		}
	}
	d.words = newFinder(words)
	return d
}

// number gives shapes of the same alphabet the same number.
func (d *detector) number(s *shape) {
	number, known := d.alphabets[s.letters]
	if !known {
		number = len(d.alphabets)
		d.alphabets[s.letters] = number
	}
	s.run = number
}

// finding is a secret in a text.
type finding struct {
	start, end int
	kind       string
}

// in finds the secrets in a text, by their beginnings; they may overlap. work is how many bytes it looked at
// for that, which is linear in the text whatever it holds. It ends early where stop says so.
func (d *detector) in(text string, stop func() error) (found []finding, work int) {
	hits := d.words.in(text)
	if len(hits) == 0 {
		return nil, len(text)
	}
	s := &scan{
		detector: d, text: counted.New(text), present: make([]bool, len(d.starts)), through: make([]int, len(d.rules)),
		stretches: make([]span, len(d.alphabets)),
	}
	for _, hit := range hits {
		s.present[hit.word] = true
	}
	for i, hit := range hits {
		if i%hitsBetweenStops == hitsBetweenStops-1 && stop() != nil {
			return nil, len(text) + s.text.Work()
		}
		for _, rule := range d.starts[hit.word] {
			s.at(rule, hit.at)
		}
	}
	slices.SortFunc(s.found, func(a, b finding) int { return a.start - b.start })
	return s.found, len(text) + s.text.Work()
}

// hitsBetweenStops is how many places are looked at, in about a millisecond, before it is asked whether to go on.
const hitsBetweenStops = 1024
