package ranking

import (
	"fmt"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
)

// Reasons says in words why a hit ranks where it does: what of it matches the situation, as matches tells, how old it
// is, and what the people it was shown to did. What hardly counts is no reason and is left out. asked is false where
// there was no situation to match.
func Reasons(r Ranked, w Weights, asked bool, matches []string, now time.Time) []string {
	var reasons []string
	switch {
	case r.Semantic() > 0:
		reasons = append(reasons, matches...)
	case !asked:
		reasons = append(reasons, "no situation was given; ranked by age and reactions")
	default:
		reasons = append(reasons, "no experience matches the words; ranked by age and reactions")
	}
	if r.Outcome == memory.OutcomeFailure {
		reasons = append(reasons, "it failed: what to avoid, no example")
	}
	if len(r.Siblings) > 0 {
		reasons = append(reasons, "near-identical work was done "+r.Turned().Words())
	}
	reasons = append(reasons, ago(r.StartedAt, now))
	if r.Score.Canvas != 0 {
		reasons = append(reasons, fmt.Sprintf("had %s (%+.2f)", prose.Plural(r.CanvasActionCount, "canvas interaction"), r.Score.Canvas))
	}
	if r.Score.Feedback != 0 {
		reasons = append(reasons, feedbackReason(r, w))
	}
	if r.Score.Credit != 0 {
		reasons = append(reasons, fmt.Sprintf("helped %d of %s (%+.2f)", r.Informed.Helped, prose.Plural(r.Informed.Runs, "run"), r.Score.Credit))
	}
	if r.LeftOut > 0 {
		reasons = append(reasons, fmt.Sprintf("not searched: %s from its middle", prose.Plural(r.LeftOut, "passage")))
	}
	return reasons
}

func feedbackReason(r Ranked, w Weights) string {
	mean := r.FeedbackSum / float64(r.FeedbackCount)
	note := ""
	if w.Feedback == FeedbackSmoothed {
		note = ", smoothed"
	}
	return fmt.Sprintf("people rated it %+.2f over %d (%+.2f%s)", mean, r.FeedbackCount, r.Score.Feedback, note)
}

// ago is an age in words, in its largest whole unit up to days, the unit of the half-life.
func ago(at, now time.Time) string {
	age := now.Sub(at)
	switch {
	case age < 0:
		return "dated in the future, so counted as now"
	case age < time.Minute:
		return "just now"
	case age < time.Hour:
		return prose.Plural(int(age.Minutes()), "minute") + " ago"
	case age < 24*time.Hour:
		return prose.Plural(int(age.Hours()), "hour") + " ago"
	}
	return prose.Plural(int(age.Hours()/24), "day") + " ago"
}
