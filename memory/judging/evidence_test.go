package judging_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/memory/memorytest"
)

// TestWilson has the intervals of Newcombe's first paper (Two-sided confidence intervals for the single proportion,
// 1998, table I, method 3), and small ones worked by hand.
func TestWilson(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		hits, total int
		low, high   float64
	}{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718},
		{7, 10, 0.3968, 0.8922}, {4, 4, 0.5101, 1}, {0, 4, 0, 0.4899}, {0, 0, 0, 1},
	} {
		low, high := judging.Wilson(test.hits, test.total)
		assert.InDelta(t, test.low, low, 1e-4, "%d of %d", test.hits, test.total)
		assert.InDelta(t, test.high, high, 1e-4, "%d of %d", test.hits, test.total)
	}
}

// TestSeparated has the intervals of Newcombe's second paper (table II, method 10): 56/70 − 48/80 is 0.0524…0.3339,
// 9/10 − 3/10 is 0.1705…0.8090, 6/7 − 2/7 is 0.0582…0.8062, 5/56 − 0/29 is −0.0381…0.1926.
func TestSeparated(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		hits, total, otherHits, otherTotal int
		want                               bool
	}{
		{56, 70, 48, 80, true}, {9, 10, 3, 10, true}, {6, 7, 2, 7, true}, {5, 56, 0, 29, false},
		{7, 10, 0, 10, true}, {4, 4, 0, 4, true}, {4, 4, 2, 4, false}, {0, 10, 7, 10, false}, {5, 10, 5, 10, false},
		{4, 4, 0, 0, false}, {0, 0, 0, 4, false},
	} {
		assert.Equal(t, test.want, judging.Separated(test.hits, test.total, test.otherHits, test.otherTotal), fmt.Sprint(test))
	}
}

// sections completes runs of one section each under a context, so many of which have an issue and the others not; where
// they use an approach, those without the issue are approved.
func (h *history) made(context, issue string, faulty, sound int, uses ...string) {
	for i := range faulty + sound {
		j := memorytest.Scoring(memorytest.Using(memorytest.Judged("v", 0, memory.VerdictApprove, float64(i%20)), uses...), 9)
		if context != "" {
			j = memorytest.Within(j, context)
		}
		if i < faulty {
			j.Status = memory.VerdictSoftFail
			j = memorytest.Faulting(j, issue, "BASE uses gtpl_base_* only")
		}
		h.complete(j)
	}
}

// guide is what history says for a context; "" for any.
func (h *history) guide(context string) *judging.Guidance {
	var in memory.JSON
	if context != "" {
		in = memory.JSON(context)
	}
	return judging.Guide(judging.GuidanceSources{Context: in, Patterns: h.all(), Sections: h.sections})
}

const calm = `{"energy":"calm"}`

func TestPartsOfContexts(t *testing.T) {
	t.Parallel()
	const fails = "DON'T: BASE uses gtpl_base_* only (fails %s%% of time with LANES%s)"
	type some struct {
		context       string
		faulty, sound int
	}
	tests := []struct {
		name     string
		sections []some
		asked    string
		want     []string // of DON'T
	}{
		{"seven of ten high ones fail, ten calm ones pass", []some{{high, 7, 3}, {calm, 0, 10}}, high, []string{fmt.Sprintf(fails, "70", ", where energy is high")}},
		{"asked for any context", []some{{high, 7, 3}, {calm, 0, 10}}, "", []string{fmt.Sprintf(fails, "70", ", where energy is high")}},
		{"asked for the calm", []some{{high, 7, 3}, {calm, 0, 10}}, calm, nil},
		{"asked for more than was seen", []some{{high, 7, 3}, {calm, 0, 10}}, `{"energy":"high","tempo":120}`, []string{fmt.Sprintf(fails, "70", ", where energy is high")}},
		{"four are enough", []some{{high, 4, 0}, {calm, 0, 4}}, high, []string{fmt.Sprintf(fails, "100", ", where energy is high")}},
		{"three are not", []some{{high, 3, 0}, {calm, 0, 9}}, high, nil},
		{"chance would do", []some{{high, 6, 4}, {calm, 4, 6}}, high, nil},
		{"the type says the same", []some{{high, 10, 0}, {calm, 7, 3}}, high, []string{fmt.Sprintf(fails, "85", "")}},
		{"the type says it, the calm speaks against it", []some{{high, 20, 0}, {calm, 0, 8}}, calm, nil},
		{"one pair says it", []some{{`{"energy":"high","key":"A"}`, 5, 0}, {`{"energy":"high","key":"B"}`, 5, 0}, {`{"energy":"calm","key":"A"}`, 0, 10}},
			`{"energy":"high","key":"A"}`, []string{fmt.Sprintf(fails, "100", ", where energy is high")}},
		{"only two pairs together", []some{
			{`{"energy":"high","key":"A"}`, 10, 0}, {`{"energy":"high","key":"B"}`, 0, 10}, {`{"energy":"calm","key":"A"}`, 0, 10}, {`{"energy":"calm","key":"B"}`, 0, 10},
		}, `{"energy":"high","key":"A"}`, []string{fmt.Sprintf(fails, "100", ", where energy is high and key is A")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHistory()
			for _, s := range test.sections {
				h.made(s.context, "LANES", s.faulty, s.sound)
			}
			assert.ElementsMatch(t, test.want, h.guide(test.asked).Donts)
		})
	}
}

func TestApproachesInPartsOfContexts(t *testing.T) {
	t.Parallel()
	h := newHistory()
	h.made(high, "LANES", 7, 3, "glow")
	h.made(calm, "LANES", 0, 10, "glow")
	assert.Equal(t, []string{"DO glow (success rate: 100%, avg score: 9.0, where energy is calm)"}, h.guide(calm).Dos)
	assert.Empty(t, h.guide(high).Dos)
	assert.Equal(t, memory.JSON(calm), h.guide(calm).Patterns[0].Context)

	h = newHistory()
	h.made(high, "LANES", 5, 1, "glow")
	h.made(calm, "LANES", 0, 30, "glow")
	assert.Equal(t, []string{"DO glow (success rate: 86%, avg score: 9.0)"}, h.guide("").Dos)
	assert.Equal(t, []string{"DO glow (success rate: 86%, avg score: 9.0)"}, h.guide(`{"energy":"low"}`).Dos)
	assert.Empty(t, h.guide(high).Dos, "where energy is high it is one of six")
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	glow := &memory.Pattern{Kind: memory.PatternDo, SectionType: "verse", Description: "glow", Context: memory.JSON(high)}
	key := func(part string) string {
		return memory.PatternKey(memory.PatternDo, "verse", memory.JSON(part), "glow")
	}
	sections := func(part string) string { return memory.SectionsKey("verse", memory.JSON(part)) }
	patterns, counts := judging.Evidence([]*memory.Pattern{glow, glow}, nil)
	assert.Equal(t, []string{key(""), key(high)}, patterns)
	assert.Equal(t, []string{sections(""), sections(high)}, counts)
	patterns, counts = judging.Evidence([]*memory.Pattern{glow}, memory.JSON(`{"energy":"high","tempo":1}`))
	assert.Equal(t, []string{key(""), key(high), key(`{"tempo":1}`), key(`{"energy":"high","tempo":1}`)}, patterns)
	assert.Len(t, counts, 4)
	glow.Common = memory.JSON(`{"energy":"high","key":"A"}`)
	patterns, counts = judging.Evidence([]*memory.Pattern{glow}, memory.JSON(calm))
	assert.Equal(t, []string{key(""), key(calm), key(high), key(`{"key":"A"}`), key(`{"energy":"high","key":"A"}`)}, patterns, "where all of its sections were, too")
	assert.Len(t, counts, 5)
}

// An approach is told of where it was tried.
func TestApproachesAreToldWhereTheyWereTried(t *testing.T) {
	t.Parallel()
	const does, where, only = "DO glow (success rate: 100%, avg score: 9.0)", "DO glow (success rate: 100%%, avg score: 9.0, where %s)", "DO glow (success rate: 100%%, avg score: 9.0, seen only where %s)"
	type some struct {
		context string
		uses    string
		n       int
	}
	calmA, calmB, highA := `{"energy":"calm","key":"A"}`, `{"energy":"calm","key":"B"}`, `{"energy":"high","key":"A"}`
	onlyCalm := []some{{calm, "glow", 10}, {high, "chase", 10}}
	tests := []struct {
		name     string
		sections []some
		asked    string
		want     string
	}{
		{"where it was", onlyCalm, calm, fmt.Sprintf(where, "energy is calm")},
		{"anywhere", onlyCalm, "", fmt.Sprintf(where, "energy is calm")},
		{"where it was not, though it could have been", onlyCalm, high, ""},
		{"where nothing was", onlyCalm, `{"energy":"low"}`, fmt.Sprintf(only, "energy is calm")},
		{"where it is not said", onlyCalm, `{"tempo":120}`, fmt.Sprintf(only, "energy is calm")},
		{"there was nothing else", []some{{calm, "glow", 10}}, high, does},
		{"it was tried in both", []some{{calm, "glow", 10}, {high, "glow", 2}, {high, "chase", 8}}, high, does},
		{"chance may have left it out", []some{{calm, "glow", 4}, {calm, "chase", 36}, {high, "chase", 4}}, high, fmt.Sprintf(only, "energy is calm")},
		{"three sections", []some{{calm, "glow", 3}, {high, "chase", 3}}, calm, fmt.Sprintf(only, "energy is calm")},
		{"of several parts the narrowest", []some{{calmA, "glow", 5}, {calmB, "chase", 5}, {highA, "chase", 5}}, calmA, fmt.Sprintf(where, "energy is calm and key is A")},
		{"outside of the narrowest", []some{{calmA, "glow", 10}, {calmB, "chase", 10}, {highA, "chase", 10}}, calmB, ""},
		{"of equal parts the widest", []some{{calmA, "glow", 5}, {highA, "chase", 5}}, calmA, fmt.Sprintf(where, "energy is calm")},
		{"in two of three", []some{{calm, "glow", 5}, {`{"energy":"low"}`, "glow", 5}, {high, "chase", 10}}, high, ""},
		{"what is no object", []some{{`"calm"`, "glow", 5}, {`"high"`, "chase", 5}}, `"high"`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHistory()
			for _, s := range test.sections {
				h.made(s.context, "LANES", 0, s.n, s.uses)
			}
			told := ""
			guide := h.guide(test.asked)
			for i, line := range guide.Dos {
				if guide.Patterns[i].Description == "glow" {
					told += line
				}
			}
			assert.Equal(t, test.want, told)
		})
	}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	a, b, c := approach("a", 3, 3), approach("b", 9, 9), approach("c", 8, 9)
	assert.Equal(t, []*memory.Pattern{b, a}, judging.Candidates([]*memory.Pattern{a, b, c, a}, 2))
	few := approach("few", 3, 3)
	few.Context = memory.JSON(high)
	assert.Equal(t, []*memory.Pattern{b, c}, judging.Candidates([]*memory.Pattern{few, c, b}, 2), "what is never told takes no place")
	f := fault("F", "f", 9, 9)
	assert.Equal(t, []*memory.Pattern{b, f}, judging.Candidates([]*memory.Pattern{a, b, f}, 1), "of each kind")
}
