package judging

import (
	"maps"
	"slices"

	"mneme/memory"
)

// RunLearning is what a completed run adds to history.
type RunLearning struct {
	// Sections counts its sections by type and part of a context, by key. The Total of every issue there, also of one
	// that the run did not have, grows by it.
	Sections []SectionCount
	Patterns []LearnedPattern // by key
}

// SectionCount is how many sections of a type a run had, of all or of those made under a part of a context.
type SectionCount struct {
	SectionType string
	Context     memory.JSON // the part; null for all of the type
	Sections    int
}

// Key is that under which they are counted.
func (c *SectionCount) Key() string { return memory.SectionsKey(c.SectionType, c.Context) }

// LearnedPattern is what a run adds to one pattern. The counters are increments; the Total of an issue is
// left 0, because it is that of its sections (see RunLearning.Sections).
type LearnedPattern struct {
	memory.Pattern
	// Sections are the keys of the sections it was learned from, in the run's order. Those of a part of a context are
	// among those of the type, and are not named again.
	Sections []string
}

// LearnFrom folds the sections of a run into what it adds to history: for all sections of a type, and for those made
// under each part of a context. The order of the sections does not matter but for the rounding of sums;
// memory.SectionsOf gives one.
func LearnFrom(sections []*memory.Section) RunLearning {
	counts, learned := map[string]*SectionCount{}, map[string]*LearnedPattern{}
	add := func(section *memory.Section, gain memory.Pattern) {
		pattern := learned[gain.Key]
		if pattern == nil {
			pattern = &LearnedPattern{Pattern: gain}
			learned[gain.Key] = pattern
		} else {
			pattern.Add(&gain)
		}
		if gain.Context == nil {
			pattern.Sections = append(pattern.Sections, section.Key)
		}
	}
	for _, section := range sections {
		approaches, codes := distinct(section.Patterns()), codesIn(section)
		for _, part := range Parts(section.Context()) {
			count := SectionCount{SectionType: section.SectionType(), Context: part}
			if counts[count.Key()] == nil {
				counts[count.Key()] = &count
			}
			counts[count.Key()].Sections++
			if part != nil {
				approaches, codes = approaches[:min(len(approaches), MaxPartSubjects)], codes[:min(len(codes), MaxPartSubjects)]
			}
			for _, approach := range approaches {
				add(section, approachIn(section, part, approach))
			}
			for _, code := range codes {
				add(section, issueIn(section, part, code))
			}
		}
	}
	learning := RunLearning{Sections: []SectionCount{}, Patterns: []LearnedPattern{}}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		learning.Sections = append(learning.Sections, *counts[key])
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

func approachIn(section *memory.Section, part memory.JSON, approach string) memory.Pattern {
	gain := gainOf(section, memory.PatternDo, part, approach)
	gain.Total, gain.LastSeen = 1, section.Final().At
	if section.Approved() {
		gain.Hits = 1
	}
	return gain
}

func issueIn(section *memory.Section, part memory.JSON, code string) memory.Pattern {
	gain := gainOf(section, memory.PatternDont, part, code)
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
