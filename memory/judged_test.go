package memory_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
)

// judged is a judgement of a section of the run "r", by a judge "j", at the given second.
func judged(section string, iteration int, status memory.VerdictStatus, second float64) memory.Judgement {
	return memory.Judgement{
		Key: section + "/" + string(rune('a'+int(second))), RunKey: "r", SectionKey: memory.SectionKey("r", section),
		SectionType: "verse", JudgeID: new("j"), Status: status, Iteration: iteration, At: seconds(second),
		Issues: []memory.Issue{}, Patterns: []string{},
	}
}

func scoring(j memory.Judgement, score float64) memory.Judgement { j.Score = &score; return j }

func using(j memory.Judgement, patterns ...string) memory.Judgement { j.Patterns = patterns; return j }

func within(j memory.Judgement, context string) memory.Judgement {
	j.Context = memory.JSON(context)
	return j
}

func ofType(j memory.Judgement, sectionType string) memory.Judgement {
	j.SectionType = sectionType
	return j
}

// faulting adds an issue with a message, or without one where it is empty.
func faulting(j memory.Judgement, code, message string) memory.Judgement {
	issue := memory.Issue{Code: code}
	if message != "" {
		issue.Message = &message
	}
	j.Issues = append(j.Issues, issue)
	return j
}

func TestSectionFollowsFromItsFinalJudgement(t *testing.T) {
	section := memory.SectionsOf([]memory.Judgement{
		scoring(using(judged("verse_1", 1, memory.VerdictApprove, 3), "arpeggio"), 8.1),
		faulting(scoring(judged("verse_1", 0, memory.VerdictSoftFail, 9), 5), "LATE", ""),
		scoring(judged("verse_1", 1, memory.VerdictHardFail, 2), 3),
		judged("verse_1", 0, memory.VerdictValidationFail, 1),
	})[0]
	assert.Equal(t, "section:r/verse_1", section.ID())
	assert.Equal(t, "verse_1", section.Name())
	assert.Equal(t, seconds(1), section.StartedAt())
	assert.Equal(t, 2, section.Iterations())
	assert.True(t, section.Approved())
	assert.Equal(t, new(8.1), section.FinalScore())
	assert.Equal(t, []string{"arpeggio"}, section.Patterns())
	assert.Empty(t, section.Issues(), "what was repaired is no issue of the section")
}

func TestFinalJudgement(t *testing.T) {
	first := judged("s", 1, memory.VerdictApprove, 5)
	tests := []struct {
		name  string
		other memory.Judgement
		final bool // the other one is
	}{
		{"a higher iteration counts, also when it came earlier", judged("s", 2, memory.VerdictSoftFail, 1), true},
		{"a lower iteration does not, also when it came later", judged("s", 0, memory.VerdictSoftFail, 9), false},
		{"of one iteration the later counts", judged("s", 1, memory.VerdictSoftFail, 6), true},
		{"and the earlier does not", judged("s", 1, memory.VerdictSoftFail, 4), false},
		{"of one time the greater key counts", memory.Judgement{
			Key: "z", RunKey: "r", SectionKey: memory.SectionKey("r", "s"), SectionType: "chorus", Iteration: 1, At: seconds(5),
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
	sections := memory.SectionsOf([]memory.Judgement{
		judged("late", 0, memory.VerdictApprove, 4), judged("b", 1, memory.VerdictApprove, 9), judged("a", 0, memory.VerdictApprove, 2),
		judged("b", 0, memory.VerdictSoftFail, 2),
	})
	names := []string{}
	for _, section := range sections {
		names = append(names, section.Name())
	}
	assert.Equal(t, []string{"a", "b", "late"}, names)
	assert.Equal(t, []*memory.Section{}, memory.SectionsOf(nil))
}

func TestSectionNamesSurviveTheirKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run, name := rapid.StringN(1, 20, -1).Draw(t, "run"), rapid.StringN(1, 20, -1).Draw(t, "name")
		section := memory.Section{Key: memory.SectionKey(run, name), RunKey: run}
		assert.Equal(t, name, section.Name())
	})
}

func TestSectionsDoNotDependOnTheOrderOfJudgements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		judgements := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) memory.Judgement {
			j := judged(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "section"), rapid.IntRange(0, 2).Draw(t, "iteration"),
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
