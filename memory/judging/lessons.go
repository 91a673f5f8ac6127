package judging

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// The bounds of what a run teaches of issues.
const (
	// MaxWarnedIssues is how many issues of a run its other sections are warned of.
	MaxWarnedIssues = 25
	// maxWarningText is how long a message, and what fixed an issue, is in a warning, in characters.
	maxWarningText = 200
	// maxRemedies is how many fixes or approaches a warning names.
	maxRemedies = 3
)

// lesson is what a run teaches of an issue.
type lesson struct {
	issueSeen
	code     string
	sections []*memory.Section // that had it in any iteration
	repaired *memory.Section   // the first that had it and was approved without it; nil where there is none
	rejected *memory.Judgement // the last one of that section that names it
}

// lessonsOf are the issues that came up in sections, also those that were repaired: those of most sections first, then
// as they came up, at most MaxWarnedIssues.
func lessonsOf(sections []*memory.Section) []*lesson {
	byCode, lessons := map[string]*lesson{}, []*lesson{}
	for _, section := range sections {
		codes, issues := issuesOf(section, nil)
		for _, code := range codes {
			of, seen := byCode[code], issues[code]
			if of == nil {
				of = &lesson{code: code}
				byCode[code], lessons = of, append(lessons, of)
			}
			of.hear(seen.latest, seen.message)
			of.sections = append(of.sections, section)
			if of.repaired == nil && section.Approved() && seen.last != section.Final() {
				of.repaired, of.rejected = section, seen.last
			}
		}
	}
	slices.SortStableFunc(lessons, func(a, b *lesson) int { return cmp.Compare(len(b.sections), len(a.sections)) })
	return lessons[:min(len(lessons), MaxWarnedIssues)]
}

// LessonVerdicts are the keys of the verdicts whose texts say more of the issues that a section of a run is warned of:
// what the judge said, and what was asked for.
func LessonVerdicts(run []*memory.Section, sectionKey string) []string {
	keys := []string{}
	for _, l := range lessonsOf(othersOf(run, sectionKey)) {
		if l.message == "" {
			keys = append(keys, l.latest.Key)
		}
		if l.rejected != nil {
			keys = append(keys, l.rejected.Key)
		}
	}
	return memory.Distinct(keys)
}

// issueWarnings warns once of each issue that came up in the run, with what the judge said and what fixed it.
func issueWarnings(sections []*memory.Section, told []*memory.Verdict) []string {
	texts := map[string]*memory.Verdict{}
	for _, v := range told {
		if v != nil {
			texts[v.Key] = v
		}
	}
	return memory.Mapped(lessonsOf(sections), func(l *lesson) string { return l.warning(texts) })
}

func (l *lesson) warning(texts map[string]*memory.Verdict) string {
	said := l.message
	if v := texts[l.latest.Key]; said == "" && v != nil && v.Feedback != nil {
		said = *v.Feedback
	}
	said = strings.TrimSuffix(shortened(said), ".")
	warning, before := fmt.Sprintf("⚠️ ISSUE: '%s' occurred in %s", l.code, l.sections[0].Name()), ": "
	if len(l.sections) > 1 {
		warning, before = fmt.Sprintf("⚠️ RECURRING ISSUE: '%s' has occurred in %d previous sections. Review validator rules carefully.",
			l.code, len(l.sections)), " "
	}
	if said != "" {
		warning += before + said
	}
	fixed := l.fixed(texts)
	if fixed != "" && said == "" && len(l.sections) > 1 {
		return warning + " F" + strings.TrimPrefix(fixed, "f")
	}
	if fixed != "" {
		warning += "; " + fixed
	}
	return warning
}

// fixes are what a verdict asks for because of the issue: its own, or the verdict's where that names nothing else.
func (l *lesson) fixes(v *memory.Verdict) (fixes []string) {
	others := false
	for _, issue := range v.Issues {
		if others = others || issue.Code != l.code; issue.Code == l.code && issue.Fix != nil {
			fixes = append(fixes, *issue.Fix)
		}
	}
	if len(fixes) == 0 && !others {
		fixes = v.Fixes
	}
	return memory.Distinct(fixes)
}

// fixed says in which section the issue was repaired, and by what: the fixes that were asked for, else the approaches
// that came with the approval, else how many iterations it took. It is empty where the issue was not repaired.
func (l *lesson) fixed(texts map[string]*memory.Verdict) string {
	if l.repaired == nil {
		return ""
	}
	final, remedies := l.repaired.Final(), []string{}
	if v := texts[l.rejected.Key]; v != nil {
		remedies = l.fixes(v)
	}
	if len(remedies) == 0 {
		remedies = slices.DeleteFunc(memory.Distinct(final.Patterns), func(p string) bool { return slices.Contains(l.rejected.Patterns, p) })
	}
	if len(remedies) == 0 {
		return fmt.Sprintf("fixed in %s after %s", l.repaired.Name(), prose.Plural(final.Iteration-l.rejected.Iteration, "more iteration"))
	}
	return fmt.Sprintf("fixed in %s by %s", l.repaired.Name(), shortened(strings.Join(remedies[:min(len(remedies), maxRemedies)], "; ")))
}

func shortened(text string) string { return prose.Shorten(prose.OneLine(text), maxWarningText) }
