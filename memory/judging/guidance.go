package judging

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mneme/memory"
)

// The bounds of guidance.
const (
	// SuccessScore is the least final score of an approved section that others are shown as a success.
	SuccessScore = 8.0
	// MaxGuidance is how many approaches, issues and successes guidance tells of, the best of each.
	MaxGuidance = 5
)

// GuidanceSources is what guidance for a section draws on.
type GuidanceSources struct {
	SectionKey string            // empty where the section has no name yet
	Context    memory.JSON       // what the section is, or is to be, made under
	Run        []*memory.Section // the sections of the run so far, this one too where it was judged before
	Told       []*memory.Verdict // what LessonVerdicts names of the run
	Patterns   []*memory.Pattern // what history has on sections of the type, in any part of the context
	Evidence   []*memory.Pattern // what Evidence names of these
	Sections   map[string]int    // how many sections history has of what Evidence names, by memory.SectionsKey
	Rejections []*memory.Verdict // this section's own, oldest first
}

// Guidance is what to know before a section is made, or made better.
type Guidance struct {
	Warnings []string // from the run: issues, then successes
	Dos      []string
	Donts    []string
	Patterns []*memory.Pattern // those behind Dos and Donts, in their order

	iteration int              // of the iteration to come, numbered from 1
	feedback  []string         // on the iterations before; none where the section is approved
	revision  *RevisionRequest // what the last of them asks for
}

// Guide draws up guidance from all three tiers: the section's own feedback, the run, and history.
func Guide(from GuidanceSources) *Guidance {
	g := &Guidance{Warnings: []string{}, Dos: []string{}, Donts: []string{}, Patterns: []*memory.Pattern{}}
	for _, section := range from.Run {
		if section.Key == from.SectionKey && !section.Approved() {
			g.iteration, g.feedback = section.Iterations()+1, feedbackEntries(from.Rejections)
			if n := len(from.Rejections); n > 0 {
				g.revision = RevisionRequestOf(from.Rejections[n-1])
			}
		}
	}
	others := othersOf(from.Run, from.SectionKey)
	g.Warnings = append(issueWarnings(others, from.Told), successes(others, from.Context)...)
	known := evidence{patterns: map[string]*memory.Pattern{}, sections: from.Sections}
	for _, pattern := range slices.Concat(from.Patterns, from.Evidence) {
		known.patterns[pattern.Key] = pattern
	}
	for _, told := range known.best(from.Patterns, memory.PatternDo, from.Context) {
		g.Dos, g.Patterns = append(g.Dos, told.line()), append(g.Patterns, told.pattern)
	}
	for _, told := range known.best(from.Patterns, memory.PatternDont, from.Context) {
		g.Donts, g.Patterns = append(g.Donts, told.line()), append(g.Patterns, told.pattern)
	}
	return g
}

// othersOf are the sections of a run but one.
func othersOf(run []*memory.Section, key string) []*memory.Section {
	return slices.DeleteFunc(slices.Clone(run), func(s *memory.Section) bool { return s.Key == key })
}

// successes shows what the best approved sections used, whatever their type: those that share pairs of the context,
// most first; where there are none, others, which says so.
func successes(sections []*memory.Section, context memory.JSON) []string {
	key, asked := memory.ContextKey(context), pairsOf(context)
	type success struct {
		*memory.Section
		shared []pair
		like   int // how many they are; more than any where the context is the same
	}
	best := []success{}
	for _, s := range sections {
		if !s.Approved() || s.FinalScore() == nil || *s.FinalScore() < SuccessScore || len(s.Patterns()) == 0 {
			continue
		}
		shared := sharedPairs(asked, pairsOf(s.Context()))
		like := len(shared)
		if memory.ContextKey(s.Context()) == key {
			like = MaxContextPairs + 1
		}
		best = append(best, success{s, shared, like})
	}
	slices.SortStableFunc(best, func(a, b success) int {
		return cmp.Or(cmp.Compare(b.like, a.like), cmp.Compare(*b.FinalScore(), *a.FinalScore()))
	})
	shown := []string{}
	for _, s := range best[:min(len(best), MaxGuidance)] {
		likeness := "with similar " + cmp.Or(keysOf(s.shared), "context")
		if s.like == 0 {
			if best[0].like > 0 {
				break
			}
			words := []string{contextWords(s.Context())}
			if len(context) > 0 { // else none was asked for, so that none is nearer
				words = append(words, "nothing nearer worked so far")
			}
			likeness = "in another context (" + strings.TrimPrefix(strings.Join(words, "; "), "; ") + ")"
		}
		shown = append(shown, fmt.Sprintf("✓ SUCCESSFUL PATTERN: Section '%s' (score %s) %s used these approaches: %s",
			s.Name(), scoreText(*s.FinalScore()), likeness, strings.Join(s.Patterns(), ", ")))
	}
	return shown
}

// keysOf names pairs by their keys.
func keysOf(pairs []pair) string {
	return strings.Join(memory.Mapped(pairs, func(p pair) string { return p.key }), ", ")
}

// scoreText is a score with at least one decimal: 8.0, 8.25.
func scoreText(score float64) string {
	text := strconv.FormatFloat(score, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// told is a pattern that guidance tells of.
type told struct {
	pattern *memory.Pattern
	only    memory.JSON // where alone it was seen, if the context that is asked for is another
}

// best is the patterns of a kind that are told for a context, best first, at most MaxGuidance. Of those that say the
// same of several contexts the best one stands for all. Approaches that were only seen elsewhere come last.
func (e evidence) best(patterns []*memory.Pattern, kind memory.PatternKind, context memory.JSON) []told {
	kept, said := []told{}, map[string]bool{}
	sorted := slices.SortedFunc(slices.Values(patterns), memory.BestPatternFirst)
	for _, elsewhere := range []bool{false, true} {
		for _, p := range sorted {
			if p.Kind != kind || len(kept) == MaxGuidance || said[p.Subject()] || !e.tells(p, context) {
				continue
			}
			part := e.confined(p)
			if (part != nil) != elsewhere {
				continue
			}
			said[p.Subject()] = true
			of := p
			if there := e.of(p, part); part != nil && there != nil {
				of = there
			}
			kept = append(kept, told{of, part})
		}
	}
	return kept
}

// line is the pattern in words, with its part of the context. What does not read on after DO or DON'T follows a colon.
func (t told) line() string {
	p, what := t.pattern, t.pattern.Description
	if first, _ := utf8.DecodeRuneInString(what); unicode.IsUpper(first) || startsWithArticle(what) {
		what = ": " + strings.TrimSuffix(what, ".")
	} else {
		what = " " + what
	}
	rate := strconv.FormatFloat(100*p.Rate(), 'f', 0, 64) + "%"
	where := ""
	switch {
	case t.only != nil:
		where = ", seen only where " + contextWords(t.only)
	case p.Context != nil:
		where = ", where " + contextWords(p.Context)
	}
	if p.Kind == memory.PatternDont {
		return fmt.Sprintf("DON'T%s (fails %s of time with %s%s)", what, rate, p.Subject(), where)
	}
	score := ""
	if mean := p.AvgScore(); mean != nil {
		score = fmt.Sprintf(", avg score: %.1f", *mean)
	}
	mined := ""
	if p.Mined {
		mined = "mined from plans; "
	}
	return fmt.Sprintf("DO%s (%ssuccess rate: %s%s%s)", what, mined, rate, score, where)
}

// startsWithArticle says whether a text is about a thing rather than an act: "a pie of everything".
func startsWithArticle(text string) bool {
	word, _, more := strings.Cut(text, " ")
	return more && (word == "a" || word == "an" || word == "the")
}
