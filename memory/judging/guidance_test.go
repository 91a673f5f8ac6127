package judging_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/memory/memorytest"
)

// TestFourSections replays a song's light show, section by section.
func TestFourSections(t *testing.T) {
	t.Parallel()
	const medium = `{"energy":"medium"}`
	judgements := []memory.Judgement{}
	guide := func(section, context string) *judging.Guidance {
		return judging.Guide(judging.GuidanceSources{
			SectionKey: memory.SectionKey("r", section), Context: memory.JSON(context), Run: memory.SectionsOf(judgements),
		})
	}
	const issue = "⚠️ ISSUE: 'TEMPLATE_LANE_MISMATCH' occurred in verse_1"
	const intro = "✓ SUCCESSFUL PATTERN: Section 'intro' (score 8.5) in another context (energy is medium; nothing nearer worked so far) " +
		"used these approaches: gtpl_base_glow_warm for BASE"
	const chorus = "✓ SUCCESSFUL PATTERN: Section 'chorus_1' (score 8.2) with similar energy used these approaches: gtpl_rhythm_chase for BEAT"

	assert.Empty(t, guide("intro", medium).Warnings)
	judgements = append(judgements, memorytest.OfType(memorytest.Within(memorytest.Scoring(
		memorytest.Using(memorytest.Judged("intro", 0, memory.VerdictApprove, 0), "gtpl_base_glow_warm for BASE"), 8.5), medium), "intro"))

	assert.Equal(t, []string{intro}, guide("verse_1", high).Warnings, "the intro is of another energy, and all there is")
	judgements = append(judgements, memorytest.Faulting(memorytest.Within(memorytest.Scoring(
		memorytest.Judged("verse_1", 0, memory.VerdictSoftFail, 1), 6.2), high), "TEMPLATE_LANE_MISMATCH", ""))

	assert.Equal(t, []string{issue, intro}, guide("chorus_1", high).Warnings)
	judgements = append(judgements, memorytest.OfType(memorytest.Within(memorytest.Scoring(
		memorytest.Using(memorytest.Judged("chorus_1", 0, memory.VerdictApprove, 2), "gtpl_rhythm_chase for BEAT"), 8.2), high), "chorus"))

	assert.Equal(t, []string{issue, chorus}, guide("verse_2", high).Warnings)
	judgements = append(judgements, memorytest.Within(memorytest.Scoring(memorytest.Using(memorytest.Judged("verse_2", 0, memory.VerdictApprove, 3), "both"), 8.0), high))

	assert.Equal(t, []string{
		"✓ SUCCESSFUL PATTERN: Section 'intro' (score 8.5) with similar energy used these approaches: gtpl_base_glow_warm for BASE",
	}, guide("outro", medium).Warnings[1:])
	judgements = append(judgements, memorytest.Faulting(memorytest.Judged("bridge", 0, memory.VerdictHardFail, 4), "TEMPLATE_LANE_MISMATCH", ""))
	assert.Equal(t, []string{
		"⚠️ RECURRING ISSUE: 'TEMPLATE_LANE_MISMATCH' has occurred in 2 previous sections. Review validator rules carefully.",
		chorus,
		"✓ SUCCESSFUL PATTERN: Section 'verse_2' (score 8.0) with similar energy used these approaches: both",
	}, guide("outro", high).Warnings)
	assert.Equal(t, "⚠️ ISSUE: 'TEMPLATE_LANE_MISMATCH' occurred in bridge", guide("verse_1", high).Warnings[0],
		"a section is not warned of itself")
}

func TestSuccesses(t *testing.T) {
	t.Parallel()
	success := func(name string, second float64) memory.Judgement {
		return memorytest.Within(memorytest.Scoring(memorytest.Using(memorytest.Judged(name, 0, memory.VerdictApprove, second), "glow", "chase"), 8), high)
	}
	failed, silent := success("failed", 1), success("silent", 1)
	failed.Status, silent.Patterns = memory.VerdictSoftFail, []string{}
	unscored := success("unscored", 1)
	unscored.Score = nil
	tests := []struct {
		name  string
		other memory.Judgement
		in    string
		want  string // the words after "Section 'x' "; empty where nothing is shown
	}{
		{"equal context", success("x", 1), high, "(score 8.0) with similar energy used these approaches: glow, chase"},
		{"just below", memorytest.Scoring(success("x", 1), 7.99), high, ""},
		{"more decimals", memorytest.Scoring(success("x", 1), 8.25), high, "(score 8.25) with similar energy used these approaches: glow, chase"},
		{"another value", success("x", 1), low, "(score 8.0) in another context (energy is high; nothing nearer worked so far) used these approaches: glow, chase"},
		{"more context", success("x", 1), `{"energy":"high","tempo":120}`, "(score 8.0) with similar energy used these approaches: glow, chase"},
		{"less context", memorytest.Within(success("x", 1), `{"energy":"high","tempo":120}`), high, "(score 8.0) with similar energy used these approaches: glow, chase"},
		{"two fields", memorytest.Within(success("x", 1), `{"energy":"high","tempo":120}`), `{"energy":"high","tempo":120}`, "(score 8.0) with similar energy, tempo used these approaches: glow, chase"},
		{"a number written otherwise", memorytest.Within(success("x", 1), `{"tempo":120.0}`), `{"tempo":120}`, "(score 8.0) with similar tempo used these approaches: glow, chase"},
		{"no context", success("x", 1), "", "(score 8.0) in another context (energy is high) used these approaches: glow, chase"},
		{"it has no context", memorytest.Within(success("x", 1), ""), high, "(score 8.0) in another context (nothing nearer worked so far) used these approaches: glow, chase"},
		{"neither has a context", memorytest.Within(success("x", 1), ""), "", "(score 8.0) with similar context used these approaches: glow, chase"},
		{"not an object", memorytest.Within(success("x", 1), `"loud"`), `"loud"`, "(score 8.0) with similar context used these approaches: glow, chase"},
		{"not approved", failed, high, ""},
		{"no patterns", silent, high, ""},
		{"no score", unscored, high, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := judging.Guide(judging.GuidanceSources{Context: memory.JSON(test.in), Run: memory.SectionsOf([]memory.Judgement{test.other})})
			if test.want == "" {
				assert.Empty(t, g.Warnings)
				return
			}
			assert.Equal(t, []string{"✓ SUCCESSFUL PATTERN: Section 'x' " + test.want}, g.Warnings)
		})
	}
	near := judging.Guide(judging.GuidanceSources{Context: memory.JSON(`{"energy":"high","key":"A","tempo":120}`), Run: memory.SectionsOf([]memory.Judgement{
		memorytest.Scoring(success("one", 1), 9.9), memorytest.Within(success("two", 2), `{"energy":"high","key":"A","tempo":90}`),
		memorytest.Within(success("all", 3), `{"tempo":120.0,"energy":"high","key":"A"}`), memorytest.Scoring(memorytest.Within(success("none", 4), low), 10),
	})}).Warnings
	assert.Len(t, near, 3, "what shares nothing is not shown beside what is nearer")
	assert.Contains(t, near[0], "'all' (score 8.0) with similar energy, key, tempo used")
	assert.Contains(t, near[1], "'two' (score 8.0) with similar energy, key used")
	assert.Contains(t, near[2], "'one' (score 9.9) with similar energy used")

	many := []memory.Judgement{}
	for i := range 7 {
		many = append(many, memorytest.Scoring(success(fmt.Sprint("s", i), float64(i)), 8+float64(i)/10))
	}
	shown := judging.Guide(judging.GuidanceSources{Context: memory.JSON(high), Run: memory.SectionsOf(many)}).Warnings
	assert.Len(t, shown, 5)
	assert.Contains(t, shown[0], "'s6' (score 8.6)")
	assert.Contains(t, shown[4], "'s2' (score 8.2)")
}

func TestWarningsAreOfWhatCameUp(t *testing.T) {
	t.Parallel()
	run := memory.SectionsOf([]memory.Judgement{
		memorytest.Faulting(memorytest.Judged("repaired", 0, memory.VerdictSoftFail, 1), "REPAIRED", ""), memorytest.Judged("repaired", 1, memory.VerdictApprove, 2),
		memorytest.Faulting(memorytest.Faulting(memorytest.Judged("a", 0, memory.VerdictSoftFail, 3), "ONCE", ""), "ONCE", "again"),
		memorytest.Faulting(memorytest.Faulting(memorytest.Judged("b", 0, memory.VerdictApprove, 4), "TWICE", ""), "LAST", ""),
		memorytest.Faulting(memorytest.Judged("c", 0, memory.VerdictSoftFail, 5), "TWICE", ""),
	})
	assert.Equal(t, []string{
		"⚠️ RECURRING ISSUE: 'TWICE' has occurred in 2 previous sections. Review validator rules carefully.",
		"⚠️ ISSUE: 'REPAIRED' occurred in repaired; fixed in repaired after 1 more iteration",
		"⚠️ ISSUE: 'ONCE' occurred in a: again",
		"⚠️ ISSUE: 'LAST' occurred in b",
	}, judging.Guide(judging.GuidanceSources{Run: run}).Warnings)
}

func TestWarningsSayWhatFixedAnIssue(t *testing.T) {
	t.Parallel()
	const says = "BASE uses gtpl_base_* only."
	text := func(key string, feedback *string, fixes ...string) *memory.Verdict {
		return &memory.Verdict{Judgement: memory.Judgement{Key: key}, Feedback: feedback, Fixes: fixes}
	}
	ofTwo := text("verse_1/b", nil, "start on the beat", "swap the template")
	ofTwo.Issues = []memory.Issue{{Code: "BEAT", Fix: new("start on the beat")}, {Code: "LANES", Fix: new("swap the template")}}
	fails := func(section string, iteration int, second float64, message string) memory.Judgement {
		return memorytest.Using(memorytest.Faulting(memorytest.Judged(section, iteration, memory.VerdictSoftFail, second), "LANES", message), "chase")
	}
	passes := func(section string, iteration int, second float64, uses ...string) memory.Judgement {
		return memorytest.Using(memorytest.Judged(section, iteration, memory.VerdictApprove, second), uses...)
	}
	tests := []struct {
		name string
		run  []memory.Judgement
		told []*memory.Verdict
		keys []string // whose texts are asked for
		want string
	}{
		{"not fixed", []memory.Judgement{fails("verse_1", 0, 1, says)}, nil, []string{}, "⚠️ ISSUE: 'LANES' occurred in verse_1: BASE uses gtpl_base_* only"},
		{"by a fix", []memory.Judgement{fails("verse_1", 0, 1, says), passes("verse_1", 1, 2, "glow")},
			[]*memory.Verdict{text("verse_1/b", nil, "swap the template", "swap the template")}, []string{"verse_1/b"},
			"⚠️ ISSUE: 'LANES' occurred in verse_1: BASE uses gtpl_base_* only; fixed in verse_1 by swap the template"},
		{"by its own fix", []memory.Judgement{fails("verse_1", 0, 1, says), passes("verse_1", 1, 2, "glow")},
			[]*memory.Verdict{ofTwo}, []string{"verse_1/b"}, "⚠️ ISSUE: 'LANES' occurred in verse_1: BASE uses gtpl_base_* only; fixed in verse_1 by swap the template"},
		{"by an approach", []memory.Judgement{fails("verse_1", 0, 1, says), passes("verse_1", 1, 2, "chase", "glow")}, nil, []string{"verse_1/b"},
			"⚠️ ISSUE: 'LANES' occurred in verse_1: BASE uses gtpl_base_* only; fixed in verse_1 by glow"},
		{"by nothing said", []memory.Judgement{fails("verse_1", 0, 1, says), passes("verse_1", 3, 2, "chase")}, nil, []string{"verse_1/b"},
			"⚠️ ISSUE: 'LANES' occurred in verse_1: BASE uses gtpl_base_* only; fixed in verse_1 after 3 more iterations"},
		{"approved all the same", []memory.Judgement{fails("verse_1", 0, 1, says), memorytest.Faulting(passes("verse_1", 1, 2), "LANES", "")}, nil, []string{},
			"⚠️ ISSUE: 'LANES' occurred in verse_1: BASE uses gtpl_base_* only"},
		{"rejected for something else", []memory.Judgement{fails("verse_1", 0, 1, says), memorytest.Judged("verse_1", 1, memory.VerdictHardFail, 2)}, nil, []string{},
			"⚠️ ISSUE: 'LANES' occurred in verse_1: BASE uses gtpl_base_* only"},
		{"in words of the verdict", []memory.Judgement{fails("verse_1", 0, 1, "")}, []*memory.Verdict{nil, text("verse_1/b", new("wrong\nlane."))}, []string{"verse_1/b"},
			"⚠️ ISSUE: 'LANES' occurred in verse_1: wrong lane"},
		{"recurring", []memory.Judgement{fails("verse_1", 0, 1, says), passes("verse_1", 1, 2, "glow"), fails("verse_2", 0, 3, "the latest says")}, nil, []string{"verse_1/b"},
			"⚠️ RECURRING ISSUE: 'LANES' has occurred in 2 previous sections. Review validator rules carefully. the latest says; fixed in verse_1 by glow"},
		{"recurring without words", []memory.Judgement{fails("verse_1", 0, 1, ""), passes("verse_1", 1, 2, "glow"), fails("verse_2", 0, 3, "")}, nil, []string{"verse_2/d", "verse_1/b"},
			"⚠️ RECURRING ISSUE: 'LANES' has occurred in 2 previous sections. Review validator rules carefully. Fixed in verse_1 by glow"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			run := memory.SectionsOf(test.run)
			assert.Equal(t, test.keys, judging.LessonVerdicts(run, "r/verse_9"))
			assert.Equal(t, []string{test.want}, judging.Guide(judging.GuidanceSources{SectionKey: "r/verse_9", Run: run, Told: test.told}).Warnings)
		})
	}
	many, long := []memory.Judgement{}, strings.Repeat("long ", 1000)
	for i := range 100 {
		many = append(many, memorytest.Faulting(memorytest.Judged(fmt.Sprint("s", i), 0, memory.VerdictSoftFail, 1), fmt.Sprint("F", i), long))
	}
	warnings := judging.Guide(judging.GuidanceSources{Run: memory.SectionsOf(many)}).Warnings
	assert.Len(t, warnings, judging.MaxWarnedIssues)
	assert.Less(t, len(warnings[0]), 300)
}

// approach is what history says of an approach, and fault of an issue.
func approach(what string, hits, total int, scores ...float64) *memory.Pattern {
	p := &memory.Pattern{Key: "do/" + what, Kind: memory.PatternDo, Description: what, Hits: hits, Total: total, Scored: len(scores)}
	for _, score := range scores {
		p.ScoreSum += score
	}
	return p
}

func fault(code, says string, hits, total int) *memory.Pattern {
	return &memory.Pattern{Key: "dont/" + code, Kind: memory.PatternDont, Description: says, IssueCode: &code, Hits: hits, Total: total}
}

func TestDosAndDonts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		pattern *memory.Pattern
		want    string // empty where nothing is said
	}{
		{"approach", approach("use gtpl_base_glow_warm", 19, 20, 8.2), "DO use gtpl_base_glow_warm (success rate: 95%, avg score: 8.2)"},
		{"mean score", approach("x", 4, 5, 8, 9, 9), "DO x (success rate: 80%, avg score: 8.7)"},
		{"no scores", approach("x", 3, 3), "DO x (success rate: 100%)"},
		{"approach of two sections", approach("x", 2, 2, 9), ""},
		{"approach just below", approach("x", 79, 100, 9), ""},
		{"issue", fault("OVERLAP", "overlap on the same group", 4, 5), "DON'T overlap on the same group (fails 80% of time with OVERLAP)"},
		{"issue at the bound", fault("OVERLAP", "x", 3, 5), "DON'T x (fails 60% of time with OVERLAP)"},
		{"issue in a sentence", fault("UNREADABLE", "A pie of fourteen slices; nobody reads the small ones.", 4, 5),
			"DON'T: A pie of fourteen slices; nobody reads the small ones (fails 80% of time with UNREADABLE)"},
		{"a thing", approach("a bar chart", 3, 3), "DO: a bar chart (success rate: 100%)"},
		{"a name", approach("A3", 3, 3), "DO: A3 (success rate: 100%)"},
		{"no article", approach("answer first", 3, 3), "DO answer first (success rate: 100%)"},
		{"nothing", approach("", 3, 3), "DO  (success rate: 100%)"},
		{"issue just below", fault("OVERLAP", "x", 59, 100), ""},
		{"issue of a type of two sections", fault("OVERLAP", "x", 2, 2), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := judging.Guide(judging.GuidanceSources{Patterns: []*memory.Pattern{test.pattern}})
			said := append(append([]string{}, g.Dos...), g.Donts...)
			if test.want == "" {
				assert.Empty(t, said)
				assert.Empty(t, g.Patterns)
				return
			}
			assert.Equal(t, []string{test.want}, said)
			assert.Equal(t, []*memory.Pattern{test.pattern}, g.Patterns)
		})
	}
}

func TestGuidanceTellsTheBestFive(t *testing.T) {
	t.Parallel()
	patterns := []*memory.Pattern{approach("other context", 3, 3), approach("other context", 9, 9)}
	for i := range 7 {
		patterns = append(patterns, approach(fmt.Sprint("a", i), 90+i, 100), fault(fmt.Sprint("F", i), fmt.Sprint("f", i), 90+i, 100))
	}
	patterns[1].Key = "do/another"
	g := judging.Guide(judging.GuidanceSources{Patterns: patterns})
	assert.Equal(t, []string{
		"DO other context (success rate: 100%)", "DO a6 (success rate: 96%)", "DO a5 (success rate: 95%)", "DO a4 (success rate: 94%)", "DO a3 (success rate: 93%)",
	}, g.Dos)
	assert.Len(t, g.Donts, 5)
	assert.Equal(t, "DON'T f6 (fails 96% of time with F6)", g.Donts[0])
	assert.Same(t, patterns[1], g.Patterns[0], "of one approach the one of more sections")
	assert.Len(t, g.Patterns, 10)
}

// fullGuidance is of a section that was rejected twice, in a run with a warning, with a history.
func fullGuidance() *judging.Guidance {
	return judging.Guide(judging.GuidanceSources{
		SectionKey: memory.SectionKey("r", "verse_2"),
		Run: memory.SectionsOf([]memory.Judgement{
			memorytest.Faulting(memorytest.Judged("verse_1", 0, memory.VerdictSoftFail, 1), "LATE", ""),
			memorytest.Judged("verse_2", 0, memory.VerdictSoftFail, 2), memorytest.Judged("verse_2", 1, memory.VerdictSoftFail, 3),
		}),
		Patterns:   []*memory.Pattern{approach("glow", 3, 3, 8), fault("OVERLAP", "overlap", 4, 5)},
		Rejections: []*memory.Verdict{rejection(0, memory.VerdictSoftFail, "too\ndense"), rejection(1, memory.VerdictSoftFail, "too thin")},
	})
}

func promptBlock(t require.TestingT, g *judging.Guidance, maxTokens int) string {
	block, err := g.PromptBlock(maxTokens)
	require.NoError(t, err)
	return block
}

func TestPromptBlock(t *testing.T) {
	t.Parallel()
	block := promptBlock(t, fullGuidance(), 1000)
	assert.Equal(t, strings.Join([]string{
		"# Historical Learnings (from previous runs)", "",
		"## Patterns That Work Well ✓", "- DO glow (success rate: 100%, avg score: 8.0)", "",
		"## Common Pitfalls to Avoid ⚠️", "- DON'T overlap (fails 80% of time with OVERLAP)", "",
		"# Cross-Section Warnings (from this run)", "- ⚠️ ISSUE: 'LATE' occurred in verse_1", "",
		"# Iteration 3 - Refinement Feedback",
		"Feedback 1 (iteration 0, judge_soft_failure): too dense", "Feedback 2 (iteration 1, judge_soft_failure): too thin",
	}, "\n"), block)
	assert.Equal(t, block, promptBlock(t, fullGuidance(), memory.EstimateTokens(block)), "exactly fits")
	assert.Empty(t, promptBlock(t, judging.Guide(judging.GuidanceSources{}), 1000))
}

func TestPromptBlockSaysWhatTheLastRejectionAsksFor(t *testing.T) {
	t.Parallel()
	last := rejection(1, memory.VerdictSoftFail, "too thin")
	last.Issues = []memory.Issue{{Code: "THIN", Area: new("SOUND")}, {Code: "LATE", Area: new("TIMING")}}
	last.Fixes, last.Strengths = []string{"double the bass", "start on the beat"}, []string{"the curve of energy"}
	first := rejection(0, memory.VerdictSoftFail, "too dense")
	first.Fixes = []string{"what was asked before"}
	g := judging.Guide(judging.GuidanceSources{
		SectionKey: memory.SectionKey("r", "s"), Run: memory.SectionsOf([]memory.Judgement{memorytest.Judged("s", 1, memory.VerdictSoftFail, 2)}),
		Rejections: []*memory.Verdict{first, last},
	})
	assert.Equal(t, strings.Join([]string{
		"# Iteration 3 - Refinement Feedback",
		"Feedback 1 (iteration 0, judge_soft_failure): too dense", "Feedback 2 (iteration 1, judge_soft_failure): too thin",
		"Fix: double the bass", "Fix: start on the beat", "Keep: the curve of energy", "Focus on: SOUND, TIMING",
	}, "\n"), promptBlock(t, g, 1000))
	short := promptBlock(t, g, 30)
	assert.Contains(t, short, "Fix: double")
	assert.NotContains(t, short, "too dense", "the older feedback goes first")
}

func TestPromptBlockOfAnApprovedSection(t *testing.T) {
	t.Parallel()
	g := judging.Guide(judging.GuidanceSources{
		SectionKey: memory.SectionKey("r", "s"),
		Run:        memory.SectionsOf([]memory.Judgement{memorytest.Judged("s", 0, memory.VerdictSoftFail, 1), memorytest.Judged("s", 1, memory.VerdictApprove, 2)}),
		Rejections: []*memory.Verdict{rejection(0, memory.VerdictSoftFail, "too dense")},
	})
	assert.Empty(t, promptBlock(t, g, 1000), "there is nothing to refine")
}

func TestPromptBlockKeepsWhatMattersMost(t *testing.T) {
	t.Parallel()
	g := fullGuidance()
	newest := "# Iteration 3 - Refinement Feedback\nFeedback 2 (iteration 1, judge_soft_failure): too thin"
	assert.Equal(t, newest, promptBlock(t, g, memory.EstimateTokens(newest)))
	for _, none := range []int{0, -1} {
		_, err := g.PromptBlock(none)
		assert.ErrorContains(t, err, "maxTokens: must be a whole number above 0")
	}
}

func TestPromptBlockStaysWithinItsBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sources := judging.GuidanceSources{SectionKey: memory.SectionKey("r", "s")}
		judgements := []memory.Judgement{memorytest.Judged("s", 0, memory.VerdictSoftFail, 1)}
		for i := range rapid.IntRange(0, 6).Draw(t, "warnings") {
			judgements = append(judgements, memorytest.Faulting(memorytest.Judged(fmt.Sprint("o", i), 0, memory.VerdictSoftFail, 2), fmt.Sprint("CODE", i), ""))
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "rejections") {
			text := strings.Repeat("wörd ", rapid.IntRange(1, 200).Draw(t, "words"))
			sources.Rejections = append(sources.Rejections, rejection(i, memory.VerdictSoftFail, text))
		}
		for i := range rapid.IntRange(0, 6).Draw(t, "patterns") {
			sources.Patterns = append(sources.Patterns, approach(fmt.Sprint("a", i), 3, 3), fault(fmt.Sprint("F", i), "f", 3, 3))
		}
		sources.Run = memory.SectionsOf(judgements)
		tokens := rapid.IntRange(1, 600).Draw(t, "tokens")
		block := promptBlock(t, judging.Guide(sources), tokens)
		assert.LessOrEqual(t, memory.EstimateTokens(block), tokens)
		if len(sources.Rejections) > 0 && tokens >= 60 {
			assert.Contains(t, block, fmt.Sprintf("Feedback %d (iteration", len(sources.Rejections)), "the newest feedback stays")
		}
	})
}

// A section may name tens of thousands of issues. Gone through for each code, they took twenty seconds.
func TestGuidanceOfManyIssues(t *testing.T) {
	t.Parallel()
	var judgements []memory.Judgement
	for i := range 1000 {
		many := memorytest.Judged("s", i, memory.VerdictSoftFail, float64(i))
		for j := range 40 {
			many = memorytest.Faulting(many, fmt.Sprint("code ", i, " ", j), "message")
		}
		judgements = append(judgements, many)
	}
	run := memory.SectionsOf(judgements)
	judging.LessonVerdicts(run, "")
	guidance := judging.Guide(judging.GuidanceSources{Run: run})
	assert.Len(t, guidance.Warnings, judging.MaxWarnedIssues)
}
