package judging

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"mneme/memory"
)

// Texts are what the verdicts of a run say beyond their judgements, by the keys of the verdicts.
type Texts struct {
	Mined    map[string][]string // the approaches of sections whose final verdict names none (see Mine)
	Feedback map[string]string   // of those that Silent names
}

// Silent are the verdicts that name an issue without saying what it is.
func Silent(sections []*memory.Section) (keys []string) {
	for _, section := range sections {
		for _, j := range section.Judgements {
			if slices.ContainsFunc(j.Issues, isSilent) {
				keys = append(keys, j.Key)
			}
		}
	}
	return keys
}

func isSilent(issue memory.Issue) bool {
	return issue.Message == nil || strings.TrimSpace(*issue.Message) == ""
}

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

// The bounds of what a run adds to history, so that a run of a thousand sections completes in a second or two: what is
// of types first, then of single pairs of contexts, then of two. What a run with more says of the others is not kept.
const (
	// MaxRunPatterns is how many patterns it adds to.
	MaxRunPatterns = 10_000
	// MaxRunParts is how many types, and parts of contexts of these, its sections are counted under.
	MaxRunParts = 10_000
	// MaxPartSections is how many of its sections count by parts of their contexts; more count for their types alone.
	MaxPartSections = 2_000
)

// LearnFrom folds the sections of a run into what it adds to history: for all sections of a type, and for those made
// under each part of a context. A section without approaches uses those mined of the plan of its final verdict, by its
// key; an issue without a message is described by the verdict's feedback. The order of the sections matters only for
// the rounding of sums, and for what is left out beyond MaxRunPatterns; memory.SectionsOf gives one.
func LearnFrom(sections []*memory.Section, texts Texts) RunLearning {
	counts, learned := map[string]*SectionCount{}, learnedPatterns{}
	taught := make([]teaching, len(sections))
	for i, section := range sections {
		if taught[i] = teachingOf(section, texts); i < MaxPartSections {
			taught[i].divide()
		}
	}
	for pairs := range partSizes {
		full := len(learned) >= MaxRunPatterns // of parts of this size there is none among them
		for i := range taught {
			of := &taught[i]
			for _, part := range of.parts[pairs] {
				if countSection(counts, of, part) && !full {
					learned.learn(of, part)
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

// countSection counts a section under a part of its context, and says that it did: not where sections were counted
// under as many others as there may be.
func countSection(counts map[string]*SectionCount, of *teaching, part contextPart) bool {
	sectionType := of.section.SectionType()
	key := memory.SectionsKeyOf(sectionType, part.key)
	if counts[key] == nil {
		if len(counts) >= MaxRunParts {
			return false
		}
		counts[key] = &SectionCount{SectionType: sectionType, Context: part.context}
	}
	counts[key].Sections++
	return true
}

// contextPart is a part of a context with its key.
type contextPart struct {
	context memory.JSON
	key     string
}

// subject is what a pattern is about: there is one for each.
type subject struct {
	kind                    memory.PatternKind
	sectionType, part, what string
}

// learnedPatterns are what sections add to history so far.
type learnedPatterns map[subject]*LearnedPattern

// learn adds what a section says of its approaches and issues in a part of its context.
func (l learnedPatterns) learn(of *teaching, part contextPart) {
	approaches, codes := of.approaches, of.codes
	if part.context != nil {
		approaches, codes = approaches[:min(len(approaches), MaxPartSubjects)], codes[:min(len(codes), MaxPartSubjects)]
	}
	for _, approach := range approaches {
		l.add(of, part, memory.PatternDo, approach)
	}
	for _, code := range codes {
		l.add(of, part, memory.PatternDont, code)
	}
}

// add adds what a section says of a pattern, unless there are as many others as there may be.
func (l learnedPatterns) add(of *teaching, part contextPart, kind memory.PatternKind, what string) {
	about := subject{kind, of.section.SectionType(), part.key, what}
	pattern := l[about]
	if pattern == nil && len(l) >= MaxRunPatterns {
		return
	}
	gain := of.gain(part.context, kind, what)
	if pattern == nil {
		gain.Key = memory.PatternKey(kind, gain.SectionType, gain.Context, what)
		pattern = &LearnedPattern{Pattern: gain, common: of.pairs}
		l[about] = pattern
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
	for _, pattern := range l {
		if pattern.Kind == memory.PatternDo {
			pattern.Common = objectOf(pattern.common...)
		}
		all = append(all, *pattern)
	}
	slices.SortFunc(all, func(a, b LearnedPattern) int { return cmp.Compare(a.Key, b.Key) })
	return all
}

// teaching is what is counted of a section, and the parts of its context by which it is, by their number of pairs.
type teaching struct {
	section           *memory.Section
	approaches, codes []string
	issues            map[string]*issueSeen // by their codes
	byMining          bool                  // the approaches were mined
	pairs             []pair                // of its context that count; none of one that is no object
	parts             [partSizes][]contextPart
}

func teachingOf(section *memory.Section, texts Texts) teaching {
	of := teaching{section: section, approaches: memory.Distinct(section.Patterns()), parts: [partSizes][]contextPart{{{}}}} // of the type
	if len(of.approaches) == 0 {
		of.approaches, of.byMining = memory.Distinct(texts.Mined[section.Final().Key]), true
	}
	of.codes, of.issues = issuesOf(section, texts.Feedback)
	of.pairs = slices.DeleteFunc(pairsOf(section.Context()), func(p pair) bool { return p.whole })
	return of
}

// divide lets it count by the parts of its context, too.
func (t *teaching) divide() {
	for pairs, parts := range partsBySize(t.section.Context()) {
		t.parts[pairs] = memory.Mapped(parts, func(part memory.JSON) contextPart { return contextPart{part, memory.ContextKey(part)} })
	}
}

// issueSeen is what judgements say of an issue.
type issueSeen struct {
	first, last *memory.Judgement // that name it, in their order
	latest      *memory.Judgement // by time, of those with a message if there is one
	message     string            // the latest; empty where there is none
	at          time.Time         // the latest
}

// hear takes in what a judgement says of the issue.
func (s *issueSeen) hear(j *memory.Judgement, message string) {
	newer := s.latest == nil || !j.At.Before(s.latest.At)
	switch {
	case message != "" && (newer || s.message == ""):
		s.latest, s.message = j, message
	case newer && s.message == "":
		s.latest = j
	}
}

// issuesOf are the issues of all iterations by their codes, in the order in which they came up. All are gone through
// once: to look for each code among them, in each part of the context, takes the square of their number.
func issuesOf(s *memory.Section, feedback map[string]string) (codes []string, issues map[string]*issueSeen) {
	issues = map[string]*issueSeen{}
	for i := range s.Judgements {
		j := &s.Judgements[i]
		for _, issue := range j.Issues {
			seen := issues[issue.Code]
			if seen == nil {
				seen = &issueSeen{first: j}
				issues[issue.Code], codes = seen, append(codes, issue.Code)
			}
			message := feedback[j.Key]
			if !isSilent(issue) {
				message = *issue.Message
			}
			seen.hear(j, message)
			if seen.last = j; j.At.After(seen.at) {
				seen.at = j.At
			}
		}
	}
	return codes, issues
}

// gain is what the section adds to a pattern, which has no key yet.
func (t *teaching) gain(part memory.JSON, kind memory.PatternKind, what string) memory.Pattern {
	gain := memory.Pattern{Kind: kind, Description: what, SectionType: t.section.SectionType(), Context: part}
	if score := t.section.FinalScore(); score != nil {
		gain.Scored, gain.ScoreSum = 1, *score
	}
	final, approved := t.section.Final(), t.section.Approved()
	if kind == memory.PatternDo {
		gain.Total, gain.LastSeen, gain.Mined = 1, final.At, t.byMining
		if approved {
			gain.Hits = 1
		}
		return gain
	}
	seen := t.issues[what]
	gain.IssueCode, gain.Hits, gain.LastSeen = &what, 1, seen.at
	if seen.message != "" {
		gain.Description, gain.SaidAt = seen.message, new(seen.latest.At)
	}
	if approved {
		gain.Recovered, gain.RecoverySum = 1, final.Iteration-seen.first.Iteration
	}
	return gain
}
