package memory_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/memorytest"
)

func TestSectionFollowsFromItsFinalJudgement(t *testing.T) {
	t.Parallel()
	section := memory.SectionsOf([]memory.Judgement{
		memorytest.Scoring(memorytest.Using(memorytest.Judged("verse_1", 1, memory.VerdictApprove, 3), "arpeggio"), 8.1),
		memorytest.Faulting(memorytest.Scoring(memorytest.Judged("verse_1", 0, memory.VerdictSoftFail, 9), 5), "LATE", ""),
		memorytest.Scoring(memorytest.Judged("verse_1", 1, memory.VerdictHardFail, 2), 3),
		memorytest.Judged("verse_1", 0, memory.VerdictValidationFail, 1),
	})[0]
	assert.Equal(t, "section:r/verse_1", section.ID())
	assert.Equal(t, "verse_1", section.Name())
	assert.Equal(t, memorytest.Seconds(1), section.StartedAt())
	assert.Equal(t, 2, section.Iterations())
	assert.True(t, section.Approved())
	assert.Equal(t, new(8.1), section.FinalScore())
	assert.Equal(t, []string{"arpeggio"}, section.Patterns())
	assert.Empty(t, section.Issues(), "what was repaired is no issue of the section")
}

func TestFinalJudgement(t *testing.T) {
	t.Parallel()
	first := memorytest.Judged("s", 1, memory.VerdictApprove, 5)
	tests := []struct {
		name  string
		other memory.Judgement
		final bool // the other one is
	}{
		{"a higher iteration counts, also when it came earlier", memorytest.Judged("s", 2, memory.VerdictSoftFail, 1), true},
		{"a lower iteration does not, also when it came later", memorytest.Judged("s", 0, memory.VerdictSoftFail, 9), false},
		{"of one iteration the later counts", memorytest.Judged("s", 1, memory.VerdictSoftFail, 6), true},
		{"and the earlier does not", memorytest.Judged("s", 1, memory.VerdictSoftFail, 4), false},
		{"of one time the greater key counts", memory.Judgement{
			Key: "z", RunKey: "r", SectionKey: memory.SectionKey("r", "s"), SectionType: "chorus", Iteration: 1, At: memorytest.Seconds(5),
		}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			section := memory.SectionsOf([]memory.Judgement{first, test.other})[0]
			want := first
			if test.final {
				want = test.other
			}
			assert.Equal(t, &want, section.Final())
			assert.Equal(t, want.SectionType, section.SectionType())
		})
	}
}

func TestSectionsComeAsTheyStarted(t *testing.T) {
	t.Parallel()
	sections := memory.SectionsOf([]memory.Judgement{
		memorytest.Judged("late", 0, memory.VerdictApprove, 4), memorytest.Judged("b", 1, memory.VerdictApprove, 9), memorytest.Judged("a", 0, memory.VerdictApprove, 2),
		memorytest.Judged("b", 0, memory.VerdictSoftFail, 2),
	})
	names := []string{}
	for _, section := range sections {
		names = append(names, section.Name())
	}
	assert.Equal(t, []string{"a", "b", "late"}, names)
	assert.Equal(t, []*memory.Section{}, memory.SectionsOf(nil))
}

func TestSectionNamesSurviveTheirKeys(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		run, name := rapid.StringN(1, 20, -1).Draw(t, "run"), rapid.StringN(1, 20, -1).Draw(t, "name")
		section := memory.Section{Key: memory.SectionKey(run, name), RunKey: run}
		assert.Equal(t, name, section.Name())
	})
}

func TestSectionsDoNotDependOnTheOrderOfJudgements(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		judgements := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) memory.Judgement {
			j := memorytest.Judged(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "section"), rapid.IntRange(0, 2).Draw(t, "iteration"),
				rapid.SampledFrom(memory.VerdictStatuses).Draw(t, "status"), 0)
			j.At = j.At.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "second")) * time.Second)
			return j
		}), 0, 8).Draw(t, "judgements")
		for i := range judgements {
			judgements[i].Key = string(rune('a' + i))
		}
		shuffled := rapid.Permutation(judgements).Draw(t, "shuffled")
		assert.Equal(t, memory.SectionsOf(judgements), memory.SectionsOf(shuffled))
	})
}

func TestContextHas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		context, pairs string
		want           bool
	}{
		{`{"energy":"high","tempo":120.0}`, `{"tempo":120}`, true}, {`{"energy":"high"}`, `{"energy":"high"}`, true},
		{`{"energy":"high"}`, `{"energy":"low"}`, false}, {`{"energy":"high"}`, `{"tempo":120}`, false}, {`{"energy":"high"}`, `{}`, true},
		{`{"a":{"b":[1]}}`, `{"a":{"b":[1.0]}}`, true}, {`"high"`, `"high"`, true}, {`"high"`, `"low"`, false}, {`"high"`, `{}`, true},
		{`{"a":1}`, `"a"`, false}, {"", `{}`, true}, {"", `{"a":1}`, false}, {"", `"a"`, false}, {"", "", true}, {`{"a":1}`, "", true}, {`{"a":null}`, `{"a":null}`, true}, {`{"b":1}`, `{"a":null}`, false},
	} {
		assert.Equal(t, test.want, memory.ContextHas(memory.JSON(test.context), memory.JSON(test.pairs)), "%s in %s", test.pairs, test.context)
	}
}
