package redact

import (
	"strings"
	"sync"

	"mneme/memory"
)

// detector is all the rules, and where to try them.
type detector struct {
	rules   []*rule
	anchors map[[2]byte][]anchor // by their first two bytes
}

// anchor is a text, in lower case, that every match of a rule begins with one of.
type anchor struct {
	text string
	rule int
}

// secrets is the detector; it is made when the first text comes, in a few milliseconds. Expressions are
// compiled when one is needed for the first time.
var secrets = sync.OnceValue(func() *detector { return newDetector(append(fromGitleaks(), memory.Mapped(patterns, rule.made)...)) })

func newDetector(rules []*rule) *detector {
	d := &detector{rules: rules, anchors: map[[2]byte][]anchor{}}
	for i, r := range rules {
		for _, text := range r.anchors {
			text = strings.ToLower(text)
			first := [2]byte{text[0], text[1]}
			d.anchors[first] = append(d.anchors[first], anchor{text, i})
		}
	}
	return d
}

// finding is a secret in a text.
type finding struct {
	start, end int
	kind       string
}

// in finds the secrets in a text, by their beginnings; they may overlap. It ends early where stop says so.
func (d *detector) in(text string, stop func() error) []finding {
	s := &scan{detector: d, text: text, lower: inLower(text), through: make([]int, len(d.rules)), needed: make([]*bool, len(d.rules))}
	tried := 0
	for at := range len(text) - 1 {
		for _, a := range d.anchors[[2]byte{s.lower[at], s.lower[at+1]}] {
			if !strings.HasPrefix(s.lower[at:], a.text) {
				continue
			}
			if tried++; tried%triesBetweenStops == 0 && stop() != nil {
				return nil
			}
			s.try(a.rule, at)
		}
	}
	return s.found
}

// inLower is a text with its letters of ASCII in lower case, so that all else stays in its place.
func inLower(text string) string {
	lower := []byte(text)
	for i, b := range lower {
		if 'A' <= b && b <= 'Z' {
			lower[i] = b + 'a' - 'A'
		}
	}
	return string(lower)
}

// triesBetweenStops is how many places are looked at before it is asked whether to go on.
const triesBetweenStops = 128
