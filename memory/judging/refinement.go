package judging

import (
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
)

// MaxFeedbackEntries is how many of a section's last rejections the next iteration is told of.
const MaxFeedbackEntries = 25

// RevisionRequest is what a rejection asks of the next iteration.
type RevisionRequest struct {
	FocusAreas        []string `json:"focusAreas" jsonschema:"What to look at."` // the areas of the issues
	SpecificFixes     []string `json:"specificFixes" jsonschema:"What to do."`
	Avoid             []string `json:"avoid" jsonschema:"What not to lose."` // "Keep: {strength}"
	ContextForPlanner string   `json:"contextForPlanner,omitempty" jsonschema:"What the judge said."`
}

// RevisionRequestOf is what the verdict asks for, nil where it approves. Nothing is asked for twice.
func RevisionRequestOf(v *memory.Verdict) *RevisionRequest {
	if v.Status == memory.VerdictApprove {
		return nil
	}
	request, fixes, areas := &RevisionRequest{}, slices.Clone(v.Fixes), []string{}
	for _, issue := range v.Issues {
		if issue.Fix != nil && *issue.Fix != "" {
			fixes = append(fixes, *issue.Fix)
		}
		if issue.Area != nil && *issue.Area != "" {
			areas = append(areas, *issue.Area)
		}
	}
	request.FocusAreas, request.SpecificFixes = memory.Distinct(areas), memory.Distinct(fixes)
	keep := []string{}
	for _, strength := range v.Strengths {
		keep = append(keep, "Keep: "+strength)
	}
	request.Avoid = memory.Distinct(keep)
	request.ContextForPlanner = memory.OrZero(v.Feedback)
	return request
}

// FormatFeedback is what the next iteration of a section is told: a line for each of its last
// MaxFeedbackEntries rejections, oldest first and numbered from 1. It is empty where there is none.
func FormatFeedback(rejections []*memory.Verdict) string {
	return strings.Join(feedbackEntries(rejections), "\n")
}

func feedbackEntries(rejections []*memory.Verdict) []string {
	entries := []string{}
	for _, v := range rejections[max(0, len(rejections)-MaxFeedbackEntries):] {
		entries = append(entries, fmt.Sprintf("Feedback %d (iteration %d, %s): %s",
			len(entries)+1, v.Iteration, feedbackKinds[v.Status], reasonOf(v)))
	}
	return entries
}

// feedbackKinds is how feedback names the statuses that reject.
var feedbackKinds = map[memory.VerdictStatus]string{
	memory.VerdictValidationFail: "validation_failure",
	memory.VerdictSoftFail:       "judge_soft_failure",
	memory.VerdictHardFail:       "judge_hard_failure",
}

// reasonOf is the narrative; where there is none, the issues in words.
func reasonOf(v *memory.Verdict) string {
	if v.Feedback != nil && strings.TrimSpace(*v.Feedback) != "" {
		return strings.TrimSpace(*v.Feedback)
	}
	issues := make([]string, len(v.Issues))
	for i, issue := range v.Issues {
		issues[i] = issue.Code
		if issue.Message != nil && *issue.Message != "" {
			issues[i] += ": " + *issue.Message
		}
	}
	if len(issues) == 0 {
		return "no reason given"
	}
	return strings.Join(issues, "; ")
}
