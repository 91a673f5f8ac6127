package judging

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
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
	// MinPatternSections is how many sections a rate is over before it says anything.
	MinPatternSections = 3
	// MinDoRate and MinDontRate are the least rates of an approach worth following and of an issue worth
	// avoiding.
	MinDoRate   = 0.80
	MinDontRate = 0.60
	// MaxGuidance is how many approaches, issues and successes guidance tells of, the best of each.
	MaxGuidance = 5
)

// GuidanceSources is what guidance for a section draws on.
type GuidanceSources struct {
	SectionKey string            // empty where the section has no name yet
	Context    memory.JSON       // what the section is, or is to be, made under
	Run        []*memory.Section // the sections of the run so far, this one too where it was judged before
	Patterns   []*memory.Pattern // what history has on sections of the type (and context)
	Rejections []*memory.Verdict // this section's own, oldest first
}

// Guidance is what to know before a section is made, or made better.
type Guidance struct {
	Warnings []string // from the run: issues, then successes
	Dos      []string
	Donts    []string
	Patterns []*memory.Pattern // those behind Dos and Donts, in their order

	iteration int      // of the iteration to come, numbered from 1
	feedback  []string // on the iterations before; none where the section is approved
}

// Guide draws up guidance from all three tiers: the section's own feedback, the run, and history.
func Guide(from GuidanceSources) *Guidance {
	g := &Guidance{Warnings: []string{}, Dos: []string{}, Donts: []string{}, Patterns: []*memory.Pattern{}}
	others := []*memory.Section{}
	for _, section := range from.Run {
		if section.Key != from.SectionKey {
			others = append(others, section)
			continue
		}
		if !section.Approved() {
			g.iteration, g.feedback = section.Iterations()+1, feedbackEntries(from.Rejections)
		}
	}
	g.Warnings = append(issueWarnings(others), successes(others, from.Context)...)
	for _, pattern := range best(from.Patterns, memory.PatternDo, MinDoRate) {
		g.Dos, g.Patterns = append(g.Dos, Advice(pattern)), append(g.Patterns, pattern)
	}
	for _, pattern := range best(from.Patterns, memory.PatternDont, MinDontRate) {
		g.Donts, g.Patterns = append(g.Donts, Advice(pattern)), append(g.Patterns, pattern)
	}
	return g
}

// issueWarnings warns once of each issue that sections of the run ended with, of those of most sections
// first, then as they came up.
func issueWarnings(sections []*memory.Section) []string {
	codes, seenIn := []string{}, map[string][]*memory.Section{}
	for _, section := range sections {
		for _, code := range distinct(codesOf(section.Issues())) {
			codes = append(codes, code)
			seenIn[code] = append(seenIn[code], section)
		}
	}
	codes = distinct(codes)
	slices.SortStableFunc(codes, func(a, b string) int { return cmp.Compare(len(seenIn[b]), len(seenIn[a])) })
	warnings := make([]string, len(codes))
	for i, code := range codes {
		warnings[i] = issueWarning(code, seenIn[code])
	}
	return warnings
}

func issueWarning(code string, sections []*memory.Section) string {
	if len(sections) == 1 {
		return fmt.Sprintf("⚠️ ISSUE: '%s' occurred in %s", code, sections[0].Name())
	}
	return fmt.Sprintf("⚠️ RECURRING ISSUE: '%s' has occurred in %d previous sections. Review validator rules carefully.",
		code, len(sections))
}

func codesOf(issues []memory.Issue) []string {
	codes := make([]string, len(issues))
	for i, issue := range issues {
		codes[i] = issue.Code
	}
	return codes
}

// successes shows what the best approved sections of equal context used, whatever their type.
func successes(sections []*memory.Section, context memory.JSON) []string {
	key := memory.ContextKey(context)
	like := slices.DeleteFunc(slices.Clone(sections), func(s *memory.Section) bool {
		return !s.Approved() || s.FinalScore() == nil || *s.FinalScore() < SuccessScore ||
			len(s.Patterns()) == 0 || memory.ContextKey(s.Context()) != key
	})
	slices.SortStableFunc(like, func(a, b *memory.Section) int { return cmp.Compare(*b.FinalScore(), *a.FinalScore()) })
	shown := []string{}
	for _, s := range like[:min(len(like), MaxGuidance)] {
		shown = append(shown, fmt.Sprintf("✓ SUCCESSFUL PATTERN: Section '%s' (score %s) with similar %s used these approaches: %s",
			s.Name(), scoreText(*s.FinalScore()), contextNames(context), strings.Join(s.Patterns(), ", ")))
	}
	return shown
}

// contextNames is what a context is about: the names of its fields, such as "energy"; "context" where
// it has none.
func contextNames(context memory.JSON) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(context, &fields) != nil || len(fields) == 0 {
		return "context"
	}
	return strings.Join(slices.Sorted(maps.Keys(fields)), ", ")
}

// scoreText is a score with at least one decimal: 8.0, 8.25.
func scoreText(score float64) string {
	text := strconv.FormatFloat(score, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// best is the patterns of a kind that say enough, best first, at most MaxGuidance. Of those that say the
// same of several contexts the best one stands for all.
func best(patterns []*memory.Pattern, kind memory.PatternKind, rate float64) []*memory.Pattern {
	kept := slices.DeleteFunc(slices.Clone(patterns), func(p *memory.Pattern) bool {
		return p.Kind != kind || p.Total < MinPatternSections || p.Rate() < rate
	})
	slices.SortFunc(kept, memory.BestPatternFirst)
	said := map[string]bool{}
	kept = slices.DeleteFunc(kept, func(p *memory.Pattern) bool {
		before := said[p.Subject()]
		said[p.Subject()] = true
		return before
	})
	return kept[:min(len(kept), MaxGuidance)]
}

// Advice is the pattern in words. What is no phrase that goes on behind DO or DON'T stands behind a colon.
func Advice(p *memory.Pattern) string {
	what := p.Description
	if first, _ := utf8.DecodeRuneInString(what); unicode.IsUpper(first) || startsWithArticle(what) {
		what = ": " + strings.TrimSuffix(what, ".")
	} else {
		what = " " + what
	}
	rate := strconv.FormatFloat(100*p.Rate(), 'f', 0, 64)
	if p.Kind == memory.PatternDont {
		return fmt.Sprintf("DON'T%s (fails %s%% of time with %s)", what, rate, p.Subject())
	}
	if score := p.AvgScore(); score != nil {
		return fmt.Sprintf("DO%s (success rate: %s%%, avg score: %.1f)", what, rate, *score)
	}
	return fmt.Sprintf("DO%s (success rate: %s%%)", what, rate)
}

// startsWithArticle says whether a text is about a thing rather than an act: "a pie of everything".
func startsWithArticle(text string) bool {
	word, _, more := strings.Cut(text, " ")
	return more && (word == "a" || word == "an" || word == "the")
}
