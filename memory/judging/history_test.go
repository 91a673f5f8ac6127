package judging_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/memory/memorytest"
)

// history adds runs up as a store does.
type history struct {
	sections map[string]int
	patterns map[string]*memory.Pattern
}

func newHistory() *history {
	return &history{sections: map[string]int{}, patterns: map[string]*memory.Pattern{}}
}

func (h *history) complete(judgements ...memory.Judgement) judging.RunLearning {
	learning := judging.LearnFrom(memory.SectionsOf(judgements), judging.Texts{})
	for _, count := range learning.Sections {
		h.sections[count.Key()] += count.Sections
	}
	for _, gain := range learning.Patterns {
		if pattern := h.patterns[gain.Key]; pattern != nil {
			pattern.Add(&gain.Pattern)
		} else {
			h.patterns[gain.Key] = &gain.Pattern
		}
	}
	for _, pattern := range h.patterns {
		if pattern.Kind == memory.PatternDont {
			pattern.Total = h.sections[memory.SectionsKey(pattern.SectionType, pattern.Context)]
		}
	}
	return learning
}

// all is what history knows, whatever the type and context.
func (h *history) all() []*memory.Pattern {
	patterns := []*memory.Pattern{}
	for _, pattern := range h.patterns {
		patterns = append(patterns, pattern)
	}
	return patterns
}

func (h *history) issue(sectionType, code string) *memory.Pattern {
	return h.patterns[memory.PatternKey(memory.PatternDont, sectionType, nil, code)]
}

func (h *history) approach(sectionType, context, what string) *memory.Pattern {
	var in memory.JSON
	if context != "" {
		in = memory.JSON(context)
	}
	return h.patterns[memory.PatternKey(memory.PatternDo, sectionType, in, what)]
}

const high, low = `{"energy":"high"}`, `{"energy":"low"}`

func TestApproachesAreLearned(t *testing.T) {
	t.Parallel()
	h := newHistory()
	learning := h.complete(
		memorytest.Within(memorytest.Scoring(memorytest.Using(memorytest.Judged("v1", 0, memory.VerdictApprove, 1), "glow", "glow", "chase"), 9), high),
		memorytest.Within(memorytest.Scoring(memorytest.Using(memorytest.Judged("v2", 0, memory.VerdictHardFail, 2), "glow"), 4), high),
		memorytest.Within(memorytest.Using(memorytest.Judged("v3", 0, memory.VerdictApprove, 3), "glow"), low),
		memorytest.Within(memorytest.Using(memorytest.Judged("v4", 0, memory.VerdictSoftFail, 4), "chase"), high),
		memorytest.Within(memorytest.Scoring(memorytest.Using(memorytest.Judged("v4", 1, memory.VerdictApprove, 5), "glow"), 8), high),
	)
	assert.ElementsMatch(t, []judging.SectionCount{
		{SectionType: "verse", Sections: 4}, {SectionType: "verse", Context: memory.JSON(high), Sections: 3}, {SectionType: "verse", Context: memory.JSON(low), Sections: 1},
	}, learning.Sections)
	glow := h.approach("verse", high, "glow")
	assert.Equal(t, 3, glow.Total)
	assert.Equal(t, 2, glow.Hits)
	assert.InDelta(t, 2.0/3, glow.Rate(), 1e-12)
	assert.InDelta(t, 7, *glow.AvgScore(), 1e-12, "(9 + 4 + 8) / 3")
	assert.Equal(t, memorytest.Seconds(5), glow.LastSeen)
	assert.Nil(t, glow.AvgRecoveryIterations())
	assert.Equal(t, "glow", glow.Description)
	assert.Equal(t, memory.JSON(high), glow.Context)

	inLow := h.approach("verse", low, "glow")
	assert.InDelta(t, 1, inLow.Rate(), 0)
	assert.Nil(t, inLow.AvgScore(), "no score is not a score of 0")

	chase := h.approach("verse", high, "chase")
	assert.Equal(t, 1, chase.Total, "an approach that was given up is not the section's")
	all := h.approach("verse", "", "glow")
	assert.Equal(t, []int{3, 4}, []int{all.Hits, all.Total}, "of all verses")
}

func TestIssuesAreLearned(t *testing.T) {
	t.Parallel()
	h := newHistory()
	h.complete(
		memorytest.Faulting(memorytest.Faulting(memorytest.Judged("v1", 0, memory.VerdictValidationFail, 1), "LATE", "start on the beat"), "LATE", "do not drag"),
		memorytest.Judged("v1", 1, memory.VerdictSoftFail, 2),
		memorytest.Scoring(memorytest.Judged("v1", 3, memory.VerdictApprove, 3), 8),
		memorytest.Faulting(memorytest.Scoring(memorytest.Judged("v2", 0, memory.VerdictSoftFail, 4), 5), "LATE", ""),
		memorytest.Judged("v3", 0, memory.VerdictApprove, 5),
		memorytest.Faulting(memorytest.OfType(memorytest.Judged("c1", 0, memory.VerdictApprove, 6), "chorus"), "LATE", "not so late"),
	)
	late := h.issue("verse", "LATE")
	assert.Equal(t, 2, late.Hits, "of a section once, in any iteration")
	assert.Equal(t, 3, late.Total, "sections of the type")
	assert.InDelta(t, 2.0/3, late.Rate(), 1e-12)
	assert.InDelta(t, 6.5, *late.AvgScore(), 1e-12)
	assert.InDelta(t, 3, *late.AvgRecoveryIterations(), 0, "from iteration 0 to 3; v2 did not recover")
	assert.Equal(t, "do not drag", late.Description, "the latest message; an issue without one leaves it")
	assert.Equal(t, memorytest.Seconds(4), late.LastSeen)
	assert.Equal(t, new("LATE"), late.IssueCode)
	assert.Nil(t, late.Context)
	assert.InDelta(t, 0, *h.issue("chorus", "LATE").AvgRecoveryIterations(), 0)

	h.complete(memorytest.Judged("v1", 0, memory.VerdictApprove, 9), memorytest.Judged("v2", 0, memory.VerdictApprove, 9))
	assert.Equal(t, 5, late.Total, "a run without the issue counts too")
	assert.Equal(t, 2, late.Hits)
}

func TestAddingUpPatterns(t *testing.T) {
	t.Parallel()
	h := newHistory()
	h.complete(memorytest.Faulting(memorytest.Scoring(memorytest.Judged("v1", 0, memory.VerdictSoftFail, 10), 4), "LATE", "second"))
	h.complete(memorytest.Faulting(memorytest.Scoring(memorytest.Judged("v1", 0, memory.VerdictSoftFail, 5), 6), "LATE", "first"))
	late := h.issue("verse", "LATE")
	assert.Equal(t, "second", late.Description, "the latest by its time, not by the completion")
	assert.Equal(t, memorytest.Seconds(10), late.LastSeen)
	assert.InDelta(t, 5, *late.AvgScore(), 1e-12)
	h.complete(memorytest.Faulting(memorytest.Judged("v1", 0, memory.VerdictSoftFail, 20), "LATE", ""))
	assert.Equal(t, "second", late.Description)
	assert.Equal(t, memorytest.Seconds(20), late.LastSeen)

	h.complete(memorytest.Faulting(memorytest.Judged("v1", 0, memory.VerdictSoftFail, 1), "MUTE", ""))
	assert.Equal(t, "MUTE", h.issue("verse", "MUTE").Description, "the code where nothing was ever said")
}

func TestLearningNamesItsSections(t *testing.T) {
	t.Parallel()
	learning := judging.LearnFrom(memory.SectionsOf([]memory.Judgement{
		memorytest.Using(memorytest.Judged("b", 0, memory.VerdictApprove, 1), "glow"), memorytest.Using(memorytest.Judged("a", 0, memory.VerdictSoftFail, 2), "glow"),
	}), judging.Texts{})
	assert.Equal(t, []string{"r/b", "r/a"}, learning.Patterns[0].Sections)
	assert.Equal(t, judging.RunLearning{Sections: []judging.SectionCount{}, Patterns: []judging.LearnedPattern{}}, judging.LearnFrom(nil, judging.Texts{}))
}

func TestPatternKeys(t *testing.T) {
	t.Parallel()
	key := func(kind memory.PatternKind, sectionType, context, what string) string {
		var in memory.JSON
		if context != "" {
			in = memory.JSON(context)
		}
		return memory.PatternKey(kind, sectionType, in, what)
	}
	long := key(memory.PatternDo, "verse/1", high, strings.Repeat("x", 1<<20))
	assert.Regexp(t, "^do/verse%2F1/[0-9a-f]{32}$", long)
	keys := map[string]bool{}
	for _, k := range []string{
		key(memory.PatternDo, "verse", high, "a"), key(memory.PatternDont, "verse", high, "a"), key(memory.PatternDo, "chorus", high, "a"),
		key(memory.PatternDo, "verse", low, "a"), key(memory.PatternDo, "verse", "", "a"), key(memory.PatternDo, "verse", high, "A"),
		key(memory.PatternDo, "verse", "null", "a"),
	} {
		keys[k] = true
	}
	assert.Len(t, keys, 7)
	assert.Empty(t, memory.ContextKey(nil))
	assert.Equal(t, memory.ContextKey(memory.JSON(high)), memory.ContextKey(memory.JSON(high)))
}

func TestBestPatternFirst(t *testing.T) {
	t.Parallel()
	pattern := func(key string, hits, total int) *memory.Pattern {
		return &memory.Pattern{Key: key, Hits: hits, Total: total}
	}
	order := []*memory.Pattern{pattern("z", 10, 10), pattern("a", 3, 3), pattern("b", 3, 3), pattern("c", 9, 10), pattern("d", 0, 0)}
	for i := range order[1:] {
		assert.Negative(t, memory.BestPatternFirst(order[i], order[i+1]), fmt.Sprint(i))
		assert.Positive(t, memory.BestPatternFirst(order[i+1], order[i]), fmt.Sprint(i))
	}
}

func TestHistoryGuides(t *testing.T) {
	t.Parallel()
	h := newHistory()
	guide := func() *judging.Guidance { return judging.Guide(judging.GuidanceSources{Patterns: h.all()}) }
	for i, status := range []memory.VerdictStatus{memory.VerdictApprove, memory.VerdictSoftFail, memory.VerdictApprove} {
		assert.Empty(t, guide().Patterns, "%d sections say nothing", i)
		h.complete(
			memorytest.Faulting(memorytest.Judged("v", 0, memory.VerdictValidationFail, 1), "LATE", "start late"),
			memorytest.Scoring(memorytest.Using(memorytest.Judged("v", 1, status, 2), "glow", "chase"), 7+float64(i)),
			memorytest.OfType(memorytest.Scoring(memorytest.Using(memorytest.Judged("c", 0, memory.VerdictApprove, 2), "glow"), 9), "chorus"),
		)
	}
	assert.Equal(t, []string{"DO glow (success rate: 100%, avg score: 9.0)"}, guide().Dos, "in a chorus; in a verse it is two of three")
	assert.Equal(t, []string{"DON'T start late (fails 100% of time with LATE)"}, guide().Donts)
	h.complete(memorytest.Judged("v1", 0, memory.VerdictApprove, 3), memorytest.Judged("v2", 0, memory.VerdictApprove, 3))
	assert.Equal(t, []string{"DON'T start late (fails 60% of time with LATE)"}, guide().Donts, "3 of 5")
	h.complete(memorytest.Judged("v1", 0, memory.VerdictApprove, 3))
	assert.Empty(t, guide().Donts, "3 of 6")
}

func TestContextsAreEqualHoweverTheirNumbersAreWritten(t *testing.T) {
	t.Parallel()
	key := memory.ContextKey(memory.JSON(`{"bars":[8,{"at":-0.5}],"tempo":120}`))
	assert.Equal(t, key, memory.ContextKey(memory.JSON(`{"bars":[8.0,{"at":-5e-1}],"tempo":1.20e2}`)))
	for _, other := range []string{
		`{"bars":[8,{"at":0.5}],"tempo":120}`, `{"bars":[8,{"at":-0.5}],"tempo":120.5}`, `{"bars":[8,{"at":-0.5}],"tempo":"120"}`,
	} {
		assert.NotEqual(t, key, memory.ContextKey(memory.JSON(other)), other)
	}
	for _, pair := range [][2]string{{"9007199254740993", "9007199254740992"}, {"12345678901234567890", "12345678901234567891"}, {"1e999", "2e999"}} {
		assert.NotEqual(t, memory.ContextKey(memory.JSON(pair[0])), memory.ContextKey(memory.JSON(pair[1])), "nothing is rounded together")
	}
}

func TestMeansOfPatternsHaveNoLastBits(t *testing.T) {
	t.Parallel()
	pattern := memory.Pattern{Scored: 1, ScoreSum: 8.8}
	pattern.Add(&memory.Pattern{Scored: 1, ScoreSum: 8.4})
	assert.Equal(t, 8.6, *pattern.AvgScore())
}

func TestIssuesAreLearnedByPartsOfContexts(t *testing.T) {
	t.Parallel()
	h := newHistory()
	both := `{"energy":"high","tempo":120}`
	h.complete(
		memorytest.Within(memorytest.Faulting(memorytest.Judged("v1", 0, memory.VerdictSoftFail, 1), "LATE", ""), both),
		memorytest.Within(memorytest.Judged("v2", 0, memory.VerdictApprove, 2), high),
		memorytest.Judged("v3", 0, memory.VerdictApprove, 3),
	)
	for part, total := range map[string]int{"": 3, high: 2, `{"tempo":120}`: 1, both: 1} {
		late := h.patterns[memory.PatternKey(memory.PatternDont, "verse", memory.JSON(part), "LATE")]
		if assert.NotNil(t, late, part) {
			assert.Equal(t, []int{1, total}, []int{late.Hits, late.Total}, part)
		}
	}
	assert.Len(t, h.patterns, 4)
}

func TestSectionsAreNamedByThePatternsOfTheirType(t *testing.T) {
	t.Parallel()
	learning := judging.LearnFrom(memory.SectionsOf([]memory.Judgement{
		memorytest.Within(memorytest.Using(memorytest.Judged("a", 0, memory.VerdictApprove, 1), "glow"), high),
	}), judging.Texts{})
	for _, pattern := range learning.Patterns {
		if pattern.Context == nil {
			assert.Equal(t, []string{"r/a"}, pattern.Sections)
		} else {
			assert.Empty(t, pattern.Sections)
		}
	}
	assert.Len(t, learning.Patterns, 2)
}

func TestManyApproachesAreNotAllCountedByParts(t *testing.T) {
	t.Parallel()
	section := memorytest.Within(memorytest.Judged("a", 0, memory.VerdictSoftFail, 1), `{"a":1,"b":2}`)
	for i := range 1000 {
		section = memorytest.Faulting(section, fmt.Sprint("F", i), "")
		section.Patterns = append(section.Patterns, fmt.Sprint("a", i))
	}
	assert.Len(t, judging.LearnFrom(memory.SectionsOf([]memory.Judgement{section}), judging.Texts{}).Patterns, 2*1000+2*3*judging.MaxPartSubjects)
}

// A section may name tens of thousands of issues, and a run have a thousand sections with the same approaches: both
// take a part of a second. Looking for each code among all issues, or hashing a key for each part, took ten.
func TestLearningFromManyIssuesAndApproaches(t *testing.T) {
	t.Parallel()
	var issues, approaches []memory.Judgement
	for i := range 1000 {
		many := memorytest.Judged("s", i, memory.VerdictSoftFail, float64(i))
		named := memorytest.Judged(fmt.Sprint("s", i), 0, memory.VerdictApprove, float64(i))
		named.Context = memory.JSON(`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}`)
		for j := range 40 {
			many = memorytest.Faulting(many, fmt.Sprint("code ", i, " ", j), fmt.Sprint("message ", i))
			named.Patterns = append(named.Patterns, fmt.Sprint("approach ", j))
		}
		issues, approaches = append(issues, many), append(approaches, named)
	}
	for _, run := range [][]memory.Judgement{issues, approaches} {
		assert.NotEmpty(t, judging.LearnFrom(memory.SectionsOf(run), judging.Texts{}).Patterns)
	}
	learned := judging.LearnFrom(memory.SectionsOf(approaches), judging.Texts{})
	assert.Len(t, learned.Patterns, 40+36*judging.MaxPartSubjects, "of the type, and of the parts of the context")
	for _, pattern := range learned.Patterns {
		assert.Equal(t, []int{1000, 1000}, []int{pattern.Hits, pattern.Total})
	}
}
