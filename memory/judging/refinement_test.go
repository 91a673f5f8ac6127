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

// rejection is a verdict that says no.
func rejection(iteration int, status memory.VerdictStatus, feedback string) *memory.Verdict {
	v := &memory.Verdict{Judgement: memorytest.Judged("verse_1", iteration, status, float64(iteration)), Strengths: []string{}, Fixes: []string{}}
	if feedback != "" {
		v.Feedback = &feedback
	}
	return v
}

func TestFormatFeedback(t *testing.T) {
	t.Parallel()
	silent := rejection(2, memory.VerdictSoftFail, "")
	silent.Judgement = memorytest.Faulting(memorytest.Faulting(silent.Judgement, "LATE", "starts late"), "MUTE", "")
	tests := []struct {
		name       string
		rejections []*memory.Verdict
		want       string
	}{
		{"none", nil, ""},
		{
			"one of each kind",
			[]*memory.Verdict{
				rejection(0, memory.VerdictValidationFail, "lane 3 is unknown"), rejection(1, memory.VerdictHardFail, "off beat"),
				rejection(2, memory.VerdictSoftFail, " too dense\n"),
			},
			"Feedback 1 (iteration 0, validation_failure): lane 3 is unknown\n" +
				"Feedback 2 (iteration 1, judge_hard_failure): off beat\n" +
				"Feedback 3 (iteration 2, judge_soft_failure): too dense",
		},
		{"issues speak where the judge does not", []*memory.Verdict{silent}, "Feedback 1 (iteration 2, judge_soft_failure): LATE: starts late; MUTE"},
		{"nothing was said", []*memory.Verdict{rejection(0, memory.VerdictHardFail, " ")}, "Feedback 1 (iteration 0, judge_hard_failure): no reason given"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, judging.FormatFeedback(test.rejections)) })
	}
}

func TestFeedbackKeepsTheLast25(t *testing.T) {
	t.Parallel()
	rejections := []*memory.Verdict{}
	for i := range 30 {
		rejections = append(rejections, rejection(i, memory.VerdictSoftFail, fmt.Sprint("no ", i)))
	}
	lines := strings.Split(judging.FormatFeedback(rejections), "\n")
	assert.Len(t, lines, 25)
	assert.Equal(t, "Feedback 1 (iteration 5, judge_soft_failure): no 5", lines[0])
	assert.Equal(t, "Feedback 25 (iteration 29, judge_soft_failure): no 29", lines[24])
}

func TestRevisionRequest(t *testing.T) {
	t.Parallel()
	v := rejection(0, memory.VerdictSoftFail, "BASE lane should use gtpl_base_*")
	v.Issues = []memory.Issue{
		{Code: "A", Area: new("LANES")}, {Code: "B", Area: new("TIMING")}, {Code: "C", Area: new("LANES")}, {Code: "D"}, {Code: "E", Area: new("")},
	}
	v.Fixes = []string{"use gtpl_base_glow_warm", "start on beat 1", "use gtpl_base_glow_warm"}
	v.Strengths = []string{"good contrast"}
	assert.Equal(t, &judging.RevisionRequest{
		FocusAreas:        []string{"LANES", "TIMING"},
		SpecificFixes:     []string{"use gtpl_base_glow_warm", "start on beat 1"},
		Avoid:             []string{"Keep: good contrast"},
		ContextForPlanner: "BASE lane should use gtpl_base_*",
	}, judging.RevisionRequestOf(v))

	assert.Equal(t, &judging.RevisionRequest{FocusAreas: []string{}, SpecificFixes: []string{}, Avoid: []string{}},
		judging.RevisionRequestOf(rejection(0, memory.VerdictValidationFail, "")))
	v.Status = memory.VerdictApprove
	assert.Nil(t, judging.RevisionRequestOf(v))
}
