package judging_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/memory/memorytest"
)

func TestPlanValues(t *testing.T) {
	t.Parallel()
	for plan, want := range map[string][]string{
		`{"tempo":120.0,"lanes":[{"template":"glow","on":true},{"template":"glow"},{"template":"pulse"}],"tags":["a",1]}`: {
			"set lanes[].on to true", "set lanes[].template to glow", "set lanes[].template to pulse", "set tags[] to a", "set tags[] to 1", "set tempo to 120",
		},
		`{"a":{"b.c":{"d":1}},"e":null,"f":"","g":"two\nlines","h h":2,"i\u202e":1,"j":"\u0007"}`: {"set a.b.c.d to 1", "set h h to 2"},
		`"a text"`: nil, `[]`: nil, `null`: nil, ``: nil, `{"broken`: nil,
		`{"long":"` + strings.Repeat("x", 65) + `","` + strings.Repeat("k", 65) + `":1}`: nil,
		`{"text":"` + strings.Repeat("x", judging.MaxMinedPlanBytes) + `","a":1}`:        nil,
		strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60):                      nil,
	} {
		assert.Equal(t, want, judging.PlanValues(memory.JSON(plan)), "%.80s", plan)
	}
	many := []string{}
	for i := range 600 {
		many = append(many, fmt.Sprintf(`"k%03d":%d`, i, i))
	}
	assert.Len(t, judging.PlanValues(memory.JSON("{"+strings.Join(many, ",")+"}")), 512)
}

func mined(verdict string, approved, final bool, approaches ...string) judging.MinedPlan {
	return judging.MinedPlan{VerdictKey: verdict, SectionType: "verse", Approved: approved, Final: final, Values: approaches}
}

// written is a plan with rule values that a model was shown, and the phrases that it named of it.
func written(plan judging.MinedPlan, phrases ...string) judging.MinedPlan {
	plan.Phrases, plan.Written = phrases, true
	return plan
}

func TestMine(t *testing.T) {
	t.Parallel()
	nothing := func(string, string) bool { return false }
	only := func(known string) func(string, string) bool {
		return func(_, approach string) bool { return approach == known }
	}
	for name, test := range map[string]struct {
		plans []judging.MinedPlan
		known func(string, string) bool
		want  map[string][]string
	}{
		"what the refused plan lacks": {
			[]judging.MinedPlan{mined("v2", true, true, "tempo 120", "lane glow"), mined("v1", false, false, "tempo 90", "lane glow")},
			nothing, map[string][]string{"v2": {"tempo 120"}},
		},
		"nothing new where nothing was refused": {
			[]judging.MinedPlan{mined("v1", true, true, "tempo 120")}, nothing, map[string][]string{},
		},
		"what is known counts for and against": {
			[]judging.MinedPlan{mined("v1", true, true, "tempo 120"), mined("v2", false, true, "tempo 120", "lane glow")},
			only("tempo 120"), map[string][]string{"v1": {"tempo 120"}, "v2": {"tempo 120"}},
		},
		"a refusal of another type of section tells nothing": {
			[]judging.MinedPlan{mined("v1", true, true, "tempo 120"), {VerdictKey: "v2", SectionType: "intro", Final: true, Values: []string{"x"}}},
			nothing, map[string][]string{},
		},
		"a refused plan in which nothing is seen is none": {
			[]judging.MinedPlan{mined("v1", true, true, "tempo 120"), mined("v2", false, true)}, nothing, map[string][]string{},
		},
		"a phrase of no refused plan, also where the rule sees nothing in one": {
			[]judging.MinedPlan{written(mined("v1", true, true, "tempo 120"), "x"), written(mined("v2", false, true))},
			nothing, map[string][]string{"v1": {"x"}},
		},
		"with phrases, values are not new": {
			[]judging.MinedPlan{
				written(mined("v1", true, true, "tempo 120"), "x"), mined("v2", true, true, "tempo 120"),
				written(mined("v3", false, true, "tempo 90"), "y"), mined("v4", false, true, "tempo 120"),
			}, nothing, map[string][]string{"v1": {"x"}},
		},
		"with an empty answer nothing is new": {
			[]judging.MinedPlan{written(mined("v1", true, true, "tempo 120")), written(mined("v2", false, true, "tempo 90"))}, nothing, map[string][]string{},
		},
		"with phrases, known values count for and against": {
			[]judging.MinedPlan{written(mined("v1", true, true, "tempo 120"), "x"), written(mined("v2", false, true, "tempo 120"))},
			only("tempo 120"), map[string][]string{"v1": {"tempo 120", "x"}, "v2": {"tempo 120"}},
		},
		"a phrase that is a refused plan's value separates nothing": {
			[]judging.MinedPlan{written(mined("v1", true, true), "tempo 120"), written(mined("v2", false, true, "tempo 120"))}, nothing, map[string][]string{},
		},
		"nothing": {nil, nothing, map[string][]string{}},
	} {
		assert.Equal(t, test.want, judging.Mine(test.plans, test.known), name)
	}
	many := []string{}
	for i := range 100 {
		many = append(many, fmt.Sprint("new ", i))
	}
	assert.Len(t, judging.Mine([]judging.MinedPlan{mined("v1", true, true, many...), mined("v2", false, true, "other")}, nothing)["v1"], judging.MaxMined)
}

func TestPlansOfARun(t *testing.T) {
	t.Parallel()
	named := memorytest.Using(memorytest.Judged("named", 0, memory.VerdictApprove, 0), "glow")
	run := memory.SectionsOf([]memory.Judgement{
		named, memorytest.Judged("a", 0, memory.VerdictSoftFail, 1), memorytest.Judged("a", 1, memory.VerdictHardFail, 2),
		memorytest.Judged("a", 2, memory.VerdictApprove, 3), memorytest.Judged("b", 0, memory.VerdictValidationFail, 4),
	})
	told := []string{}
	for _, plan := range judging.PlansOf(run) {
		told = append(told, fmt.Sprint(plan.VerdictKey, plan.Approved, plan.Final))
	}
	require.Len(t, told, 4)
	assert.Contains(t, told[0], "true true", "final ones come first")
	assert.Contains(t, told[1], "false true")
	assert.Contains(t, told[2], "false false")
	var many []memory.Judgement
	for i := range 300 {
		many = append(many, memorytest.Judged(fmt.Sprint(i), 0, memory.VerdictSoftFail, float64(i)))
	}
	assert.Len(t, judging.PlansOf(memory.SectionsOf(many)), judging.MaxMinedPlans)
}

func TestReadMined(t *testing.T) {
	t.Parallel()
	got, err := judging.ReadMined(` [{"approach": "keep one template", "plans": [1, 3]}, {"approach": "start on 1", "plans": [3]}] `, 3)
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"keep one template"}, nil, {"keep one template", "start on 1"}}, got)
	got, err = judging.ReadMined(`[]`, 1)
	require.NoError(t, err)
	assert.Equal(t, [][]string{nil}, got)
	for _, bad := range []string{
		``, `null`, `{}`, `Here it is: []`, `[] that is all`, `[{"approach": "", "plans": [1]}]`, `[{"approach": "x", "plans": []}]`,
		`[{"approach": "x", "plans": [0]}]`, `[{"approach": "x", "plans": [4]}]`, `[{"approach": "x", "plans": [1, 1]}]`,
		`[{"approach": "x\u202ey", "plans": [1]}]`, `[{"approach": "x\u200by", "plans": [1]}]`, `[{"approach": "x\u0007y", "plans": [1]}]`,
		`[{"approach": "two\nlines", "plans": [1]}]`, `[{"approach": 1, "plans": [1]}]`,
		`[{"approach": "` + strings.Repeat("x", 161) + `", "plans": [1]}]`,
		`[` + strings.Repeat(`{"approach": "x", "plans": [1]},`, 8) + `{"approach": "y", "plans": [1]}]`,
	} {
		_, err := judging.ReadMined(bad, 3)
		assert.Error(t, err, "%.60s", bad)
	}
}

func TestComparablePlans(t *testing.T) {
	t.Parallel()
	plans := []judging.MinedPlan{mined("a", true, true), {SectionType: "intro", Approved: true}, mined("b", false, true), {SectionType: "outro"}}
	for range 10 {
		plans = append(plans, mined("c", true, true))
	}
	assert.Equal(t, [][]int{{0, 4, 5, 6, 2}}, judging.Comparable(plans), "of intros none was refused, of outros none approved")
	assert.Empty(t, judging.Comparable(nil))
	plans = nil
	for i := range 20 {
		kind := fmt.Sprint(i)
		plans = append(plans, judging.MinedPlan{SectionType: kind, Approved: true}, judging.MinedPlan{SectionType: kind})
	}
	assert.Len(t, judging.Comparable(plans), judging.MaxModelTypes)
}

func TestMiningText(t *testing.T) {
	t.Parallel()
	plans := []judging.MinedPlan{
		{Approved: true, Excerpt: judging.PlanExcerpt(memory.JSON(`{"tempo":120}`))},
		{Excerpt: judging.PlanExcerpt(memory.JSON(`{"text":"` + strings.Repeat("x ", 5000) + `"}`))},
	}
	text := judging.MiningText(plans, []string{"glow"})
	assert.Contains(t, text, "Plan 1 (approved): {\"tempo\":120}\nPlan 2 (refused): ")
	assert.True(t, strings.HasSuffix(text, "Known approaches:\n- glow\n"))
	assert.Less(t, len(text), 3000)
	assert.Equal(t, judging.MaxModelPlans, strings.Count(judging.MiningText(make([]judging.MinedPlan, 20), nil), "(refused)"))
}

// A run adds to a bounded number of patterns, those of types first.
func TestARunAddsToABoundedNumberOfPatterns(t *testing.T) {
	t.Parallel()
	var judgements []memory.Judgement
	for s := range 30 {
		section := memorytest.Judged(fmt.Sprint("s", s), 0, memory.VerdictApprove, float64(s))
		section.Context = memory.JSON(fmt.Sprintf(`{"a":%d,"b":%d,"c":%d,"d":%d,"e":%d,"f":%d,"g":%d,"h":%d}`, s, s, s, s, s, s, s, s))
		for i := range 40 {
			section.Patterns = append(section.Patterns, fmt.Sprint(s, "-", i))
		}
		judgements = append(judgements, section)
	}
	learned := judging.LearnFrom(memory.SectionsOf(judgements), judging.Texts{})
	assert.Len(t, learned.Patterns, judging.MaxRunPatterns, "of 1,200 for types, 7,680 for pairs and 26,880 for two pairs")
	of := map[int]int{}
	for _, pattern := range learned.Patterns {
		of[strings.Count(string(pattern.Context), ":")]++
	}
	assert.Equal(t, map[int]int{0: 1200, 1: 7680, 2: judging.MaxRunPatterns - 8880}, of)

	judgements = nil
	for s := range judging.MaxPartSections + 100 {
		section := memorytest.Judged(fmt.Sprint("s", s), 0, memory.VerdictApprove, float64(s))
		section.Context = memory.JSON(fmt.Sprintf(`{"a":%d,"b":%d,"c":%d,"d":"all"}`, s, s, s))
		section.Patterns = []string{"glow"}
		judgements = append(judgements, section)
	}
	learned = judging.LearnFrom(memory.SectionsOf(judgements), judging.Texts{})
	assert.Len(t, learned.Sections, judging.MaxRunParts, "of 2 + 2,000 × 9 that its first 2,000 sections have")
	assert.Len(t, learned.Patterns, judging.MaxRunParts, "one for each of them")
	assert.Equal(t, judging.MaxPartSections+100, learned.Sections[0].Sections, "the type counts all of its sections")
	of = map[int]int{}
	for _, count := range learned.Sections {
		of[strings.Count(string(count.Context), ":")] += count.Sections
		if string(count.Context) == `{"d":"all"}` {
			assert.Equal(t, judging.MaxPartSections, count.Sections)
		}
	}
	assert.Equal(t, map[int]int{0: judging.MaxPartSections + 100, 1: 4 * judging.MaxPartSections, 2: judging.MaxRunParts - 2 - 3*judging.MaxPartSections}, of)
}

func TestMinedApproachesAreMarked(t *testing.T) {
	t.Parallel()
	section := memorytest.Judged("s", 0, memory.VerdictApprove, 1)
	named := memorytest.Using(memorytest.Judged("named", 0, memory.VerdictApprove, 1), "glow")
	learned := judging.LearnFrom(memory.SectionsOf([]memory.Judgement{section, named}), judging.Texts{Mined: map[string][]string{
		section.Key: {"set tempo to 120"}, named.Key: {"set tempo to 90"},
	}}).Patterns
	require.Len(t, learned, 2, "what a verdict names counts alone")
	marked := map[string]bool{}
	for _, pattern := range learned {
		marked[pattern.Description] = pattern.Mined
	}
	assert.Equal(t, map[string]bool{"set tempo to 120": true, "glow": false}, marked)
	p := memory.Pattern{Kind: memory.PatternDo, Description: "set tempo to 120", Hits: 3, Total: 3, Mined: true}
	assert.Equal(t, "DO set tempo to 120 (mined from plans; success rate: 100%)", judging.Advice(&p))
	p.Add(&memory.Pattern{Hits: 1, Total: 1})
	assert.False(t, p.Mined, "since a verdict named it")
}
