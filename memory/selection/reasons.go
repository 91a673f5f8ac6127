package selection

import (
	"fmt"
	"strconv"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// reasons says in words why a contender stands where it does.
func (c *contender) reasons(s Evidence) []string {
	profile := c.ranking.Profile
	if profile.Total == 0 {
		return append([]string{"has not worked on this type of task yet"}, c.estimateReasons(s)...)
	}
	reasons := []string{fmt.Sprintf("expertise %.2f over %s, %d of them this week; confidence %s",
		c.ranking.Expertise, windowInWords(profile), c.standing.Recent, share(c.ranking.Confidence))}
	switch c.standing.Trend {
	case TrendUp:
		reasons = append(reasons, "quality went up this week")
	case TrendDown:
		reasons = append(reasons, "quality went down this week")
	}
	if profile.ColdStart() {
		reasons = append(reasons, fmt.Sprintf("cold start: %d of the %d executions that full confidence needs", profile.Total, memory.ConfidentTotal))
	}
	return append(reasons, c.estimateReasons(s)...)
}

// windowInWords names the executions that expertise is made of.
func windowInWords(p *memory.LearningProfile) string {
	if inWindow := len(p.Window.At); inWindow < p.Total {
		return fmt.Sprintf("the latest %d of %s", inWindow, prose.Plural(p.Total, "execution"))
	}
	return prose.Plural(p.Total, "execution")
}

// estimateReasons say how the situation moved the score.
func (c *contender) estimateReasons(s Evidence) []string {
	e := c.ranking.Estimate
	if e == nil {
		return nil
	}
	reasons := []string{c.workReason()}
	switch {
	case len(s.Similar) == 0:
		reasons = append(reasons, "no past episode resembles the situation")
	case e.OwnEpisodes == 0:
		reasons = append(reasons, fmt.Sprintf("none of the %s in similar situations is its own", prose.Plural(len(s.Similar), "past episode")))
	default:
		reasons = append(reasons, fmt.Sprintf("%s in similar situations (weight %.1f): quality %.2f where %.2f was to be expected",
			prose.Plural(e.OwnEpisodes, "past episode"), e.OwnWeight, e.OwnQuality, e.OwnExpected))
	}
	return append(reasons, fmt.Sprintf("expected quality here %.2f = %.2f %s for the situation %s for its own part in it",
		c.ranking.Score, e.TaskType, signed(e.Situation), signed(e.Own)))
}

// workReason says what is to be expected of a contender at the type of task.
func (c *contender) workReason() string {
	e := c.estimate
	reason := fmt.Sprintf("all its work (%s) suggests %.2f for this type of task", prose.Plural(c.overall, "execution"), e.Prior)
	if c.ranking.Profile.Total == 0 {
		return reason
	}
	return fmt.Sprintf("%s, its record there makes that %.2f", reason, e.TaskType)
}

// tieReason says why it stands before one with the same score.
func (c *contender) tieReason(next *contender) string {
	if billionths(c.success) == billionths(next.success) {
		return fmt.Sprintf("level with %s also in success over all task types; by name", prose.OneLine(next.ranking.AgentKey))
	}
	return fmt.Sprintf("level with %s; ahead by success over all task types, %.2f of %s to %.2f of %d",
		prose.OneLine(next.ranking.AgentKey), c.success, prose.Plural(c.overall, "execution"), next.success, next.overall)
}

// share is a number with one or two decimals: 1.0, 0.5, 0.35.
func share(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	if strings.HasSuffix(text, "0") {
		return text[:len(text)-1]
	}
	return text
}

// signed is an addend: "+ 0.07", "− 0.07".
func signed(x float64) string {
	if x < 0 && x <= -0.005 {
		return fmt.Sprintf("− %.2f", -x)
	}
	return fmt.Sprintf("+ %.2f", max(0, x))
}
