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

	common []pair // what the contexts of its sections share
}

// MaxRunPatterns is how many patterns a run adds to at most: those of types first, then those of single pairs of contexts,
// then those of two. What a run with more of them says of the others is not kept.
const MaxRunPatterns = 20_000

// LearnFrom folds the sections of a run into what it adds to history: for all sections of a type, and for those made
// under each part of a context. A section that names no approach uses those that were mined of the plan of its final verdict,
// by its key (see Mine). The order of the sections does not matter but for the rounding of sums, and for what a run with more than
// MaxRunPatterns leaves out; memory.SectionsOf gives one.
func LearnFrom(sections []*memory.Section, mined map[string][]string) RunLearning {
	counts, learned := map[string]*SectionCount{}, learnedPatterns{}
	taught := make([]teaching, len(sections))
	for i, section := range sections {
		taught[i] = teachingOf(section, mined)
	}
	for pairs := range partSizes {
		for i := range taught {
			of := &taught[i]
			for _, part := range of.parts[pairs] {
				count := &SectionCount{SectionType: of.section.SectionType(), Context: part}
				if key := count.Key(); counts[key] != nil {
					count = counts[key]
				} else {
					counts[key] = count
				}
				count.Sections++
				approaches, codes := of.approaches, of.codes
				if part != nil {
					approaches, codes = approaches[:min(len(approaches), MaxPartSubjects)], codes[:min(len(codes), MaxPartSubjects)]
				}
				for _, approach := range approaches {
					gain := approachIn(of.section, part, approach)
					gain.Mined = of.byMining
					learned.add(of, gain)
				}
				for _, code := range codes {
					learned.add(of, issueIn(of.section, part, code))
				}
			}
		}
	}
	learning := RunLearning{Sections: []SectionCount{}, Patterns: learned.all()}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		learning.Sections = append(learning.Sections, *counts[key])
	}
	return learning
}

// learnedPatterns are what sections add to history so far, by the keys of the patterns.
type learnedPatterns map[string]*LearnedPattern

// add adds what a section says of a pattern, unless there are as many others as there may be.
func (l learnedPatterns) add(of *teaching, gain memory.Pattern) {
	pattern := l[gain.Key]
	if pattern == nil && len(l) >= MaxRunPatterns {
		return
	}
	if pattern == nil {
		pattern = &LearnedPattern{Pattern: gain, common: of.pairs}
		l[gain.Key] = pattern
	} else {
		pattern.Add(&gain)
		pattern.common = sharedPairs(pattern.common, of.pairs)
	}
	if gain.Context == nil {
		pattern.Sections = append(pattern.Sections, of.section.Key)
	}
}

// all are the patterns by their keys, approaches with what the contexts of their sections share.
func (l learnedPatterns) all() []LearnedPattern {
	all := make([]LearnedPattern, 0, len(l))
	for _, key := range slices.Sorted(maps.Keys(l)) {
		pattern := l[key]
		if pattern.Kind == memory.PatternDo {
			pattern.Common = objectOf(pattern.common...)
		}
		all = append(all, *pattern)
	}
	return all
}

// partSizes is how many sizes the parts of a context have, in pairs: none, one and two.
const partSizes = 3

// teaching is what is counted of a section, and the parts of its context by which it is, by their number of pairs.
type teaching struct {
	section           *memory.Section
	approaches, codes []string
	byMining          bool   // the approaches were mined
	pairs             []pair // of its context that count; none of one that is no object
	parts             [partSizes][]memory.JSON
}

func teachingOf(section *memory.Section, mined map[string][]string) teaching {
	of := teaching{section: section, codes: codesIn(section), pairs: slices.DeleteFunc(pairsOf(section.Context()), func(p pair) bool { return p.whole })}
	of.approaches, of.byMining = approachesIn(section, mined)
	for _, part := range Parts(section.Context()) {
		pairs := len(pairsOf(part))
		of.parts[pairs] = append(of.parts[pairs], part)
	}
	return of
}

// approachesIn are those that the final verdict names, else those that were mined of its plan.
func approachesIn(s *memory.Section, mined map[string][]string) (approaches []string, byMining bool) {
	if named := distinct(s.Patterns()); len(named) > 0 {
		return named, false
	}
	return distinct(mined[s.Final().Key]), true
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
