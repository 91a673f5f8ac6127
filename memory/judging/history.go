package judging

import (
	"maps"
	"slices"

	"mneme/memory"
)

// RunLearning is what a completed run adds to history.
type RunLearning struct {
	// SectionTypes counts its sections by type. The Total of every issue of the type, also of one that the
	// run did not have, grows by it.
	SectionTypes map[string]int
	Patterns     []LearnedPattern // by key
}

// LearnedPattern is what a run adds to one pattern. The counters are increments; the Total of an issue is
// left 0, because it is the type's (see RunLearning.SectionTypes).
type LearnedPattern struct {
	memory.Pattern
	Sections []string // the keys of the sections it was learned from, in the run's order
}

// LearnFrom folds the sections of a run into what it adds to history. The order of the sections does not
// matter but for the rounding of sums; memory.SectionsOf gives one.
func LearnFrom(sections []*memory.Section) RunLearning {
	learning := RunLearning{SectionTypes: map[string]int{}, Patterns: []LearnedPattern{}}
	learned := map[string]*LearnedPattern{}
	add := func(section *memory.Section, gain memory.Pattern) {
		pattern := learned[gain.Key]
		if pattern == nil {
			pattern = &LearnedPattern{Pattern: gain}
			learned[gain.Key] = pattern
		} else {
			pattern.Add(&gain)
		}
		pattern.Sections = append(pattern.Sections, section.Key)
	}
	for _, section := range sections {
		learning.SectionTypes[section.SectionType()]++
		for _, approach := range distinct(section.Patterns()) {
			add(section, approachIn(section, approach))
		}
		for _, code := range codesIn(section) {
			add(section, issueIn(section, code))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(learned)) {
		learning.Patterns = append(learning.Patterns, *learned[key])
	}
	return learning
}

// codesIn are those of the issues of all iterations, in the order in which they came up.
func codesIn(s *memory.Section) []string {
	var codes []string
	for _, j := range s.Judgements {
		for _, issue := range j.Issues {
			codes = append(codes, issue.Code)
		}
	}
	return distinct(codes)
}

func approachIn(section *memory.Section, approach string) memory.Pattern {
	gain := gainOf(section, memory.PatternDo, section.Context(), approach)
	gain.Total, gain.LastSeen = 1, section.Final().At
	if section.Approved() {
		gain.Hits = 1
	}
	return gain
}

func issueIn(section *memory.Section, code string) memory.Pattern {
	gain := gainOf(section, memory.PatternDont, nil, code)
	gain.IssueCode, gain.Hits = &code, 1
	first := -1
	for _, j := range section.Judgements {
		for _, issue := range j.Issues {
			if issue.Code != code {
				continue
			}
			if first < 0 {
				first = j.Iteration
			}
			gain.Seen(j.At, issue.Message)
		}
	}
	if section.Approved() {
		gain.Recovered, gain.RecoverySum = 1, section.Final().Iteration-first
	}
	return gain
}

// gainOf is a pattern with nothing counted yet but the section's score.
func gainOf(section *memory.Section, kind memory.PatternKind, context memory.JSON, what string) memory.Pattern {
	gain := memory.Pattern{
		Key:  memory.PatternKey(kind, section.SectionType(), context, what),
		Kind: kind, Description: what, SectionType: section.SectionType(), Context: context,
	}
	if score := section.FinalScore(); score != nil {
		gain.Scored, gain.ScoreSum = 1, *score
	}
	return gain
}

// distinct leaves out what came before, keeping the order.
func distinct[T comparable](values []T) []T {
	seen := map[T]bool{}
	kept := []T{}
	for _, v := range values {
		if !seen[v] {
			seen[v] = true
			kept = append(kept, v)
		}
	}
	return kept
}
