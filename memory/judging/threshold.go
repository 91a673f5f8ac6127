package judging

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
)

// MinThresholdLabels is how many verdicts with a score and a label say which threshold agrees best with people.
const MinThresholdLabels = 20

// ThresholdProposal is the threshold on a judge's scores that agrees best with people, where it agrees better than the
// judge's own decisions do beyond chance, and what it would change.
type ThresholdProposal struct {
	// Threshold is one of the scores, from which on to approve; null where none is proposed.
	Threshold *float64 `json:"threshold"`
	// Labelled are the verdicts that have a score and a label.
	Labelled int `json:"labelled"`
	// Agreement is the share of them in which the threshold and the person are of one mind; null where none is proposed.
	Agreement *float64 `json:"agreement"`
	// JudgeAgreement is the same of the judge's own decisions; null where nothing is labelled.
	JudgeAgreement *float64 `json:"judgeAgreement"`
	// WouldApprove is how many of all verdicts with a score were rejected and would be approved; WouldReject the other
	// way round. 0 where none is proposed.
	WouldApprove int    `json:"wouldApprove"`
	WouldReject  int    `json:"wouldReject"`
	Reason       string `json:"reason"` // in words, also why none is proposed
}

// ThresholdTrial is how a judge's verdicts compare with the threshold that was applied when each was recorded. Verdicts
// without a score are not among them.
type ThresholdTrial struct {
	Verdicts     int `json:"verdicts"`
	WouldApprove int `json:"wouldApprove"` // that the judge rejected
	WouldReject  int `json:"wouldReject"`  // that the judge approved
	Labelled     int `json:"labelled"`     // that have a label
	// Agreement is the share of these in which the threshold and the person are of one mind, JudgeAgreement that of the
	// judge; null where nothing is labelled.
	Agreement      *float64 `json:"agreement"`
	JudgeAgreement *float64 `json:"judgeAgreement"`
}

// ThresholdFor is the threshold that is applied to a judge's verdicts on sections of a type: that of the type, else
// that of all types; null where there is none.
func ThresholdFor(applied []*memory.JudgeThreshold, judge, sectionType string) *float64 {
	var ofAll *float64
	for _, t := range applied {
		switch {
		case t.JudgeKey != judge || t.Threshold == nil:
		case t.SectionType == nil:
			ofAll = t.Threshold
		case *t.SectionType == sectionType:
			return t.Threshold
		}
	}
	return ofAll
}

// trialOf compares decisions with what a threshold would decide of each.
func trialOf(decisions []decision, would func(decision) bool) *ThresholdTrial {
	labelled := labelledOf(decisions)
	n := float64(len(labelled))
	return &ThresholdTrial{
		Verdicts: len(decisions), Labelled: len(labelled),
		WouldApprove:   countOf(decisions, func(d decision) bool { return would(d) && !d.approves }),
		WouldReject:    countOf(decisions, func(d decision) bool { return !would(d) && d.approves }),
		Agreement:      ratio(float64(countOf(labelled, func(d decision) bool { return would(d) == *d.label })), n),
		JudgeAgreement: ratio(float64(countOf(labelled, decision.agrees)), n),
	}
}

// proposeThreshold finds, of the scores that people labelled, the one from which on approving agrees with most labels.
// Of several that does which changes the fewest decisions, then the highest. It is proposed where it beats the judge:
// of the labelled verdicts that one of the two decides as the person does and the other not, more than half are the
// threshold's, and so is the lower bound of the Wilson interval of that share (which is McNemar's test of paired
// proportions, Psychometrika 12, 1947, as an interval).
func proposeThreshold(scored []decision) ThresholdProposal {
	labelled := labelledOf(scored)
	p := ThresholdProposal{Labelled: len(labelled), JudgeAgreement: ratio(float64(countOf(labelled, decision.agrees)), float64(len(labelled)))}
	if len(labelled) < MinThresholdLabels {
		p.Reason = fmt.Sprintf("%s with a score %s labelled so far; %d are needed to propose a threshold",
			prose.Plural(len(labelled), "verdict"), map[bool]string{true: "is", false: "are"}[len(labelled) == 1], MinThresholdLabels)
		return p
	}
	threshold := bestThreshold(labelled, scored)
	would := func(d decision) bool { return *d.score >= threshold }
	differ := countOf(labelled, func(d decision) bool { return would(d) != d.approves })
	better := countOf(labelled, func(d decision) bool { return would(d) != d.approves && !d.agrees() })
	agrees := fmt.Sprintf("agrees with people in %.0f%% of %d labelled verdicts with a score", 100**p.JudgeAgreement, len(labelled))
	if low, _ := Wilson(better, differ); low <= 0.5 {
		p.Reason = agrees + "; no threshold agrees with them more often beyond chance"
		return p
	}
	trial := trialOf(scored, would)
	p.Threshold, p.Agreement, p.WouldApprove, p.WouldReject = &threshold, trial.Agreement, trial.WouldApprove, trial.WouldReject
	p.Reason = fmt.Sprintf("%s; approving scores from %s on would in %.0f%%. Of all %s with a score it would approve %d that were rejected, and reject %d that were approved",
		agrees, scoreText(threshold), 100**p.Agreement, prose.Plural(len(scored), "verdict"), p.WouldApprove, p.WouldReject)
	return p
}

// bestThreshold is the threshold that agrees with most labels. Going up through the scores, each that is passed is
// rejected from there on.
func bestThreshold(labelled, scored []decision) (threshold float64) {
	byScore := func(a, b decision) int { return cmp.Compare(*a.score, *b.score) }
	slices.SortFunc(labelled, byScore)
	all := slices.SortedFunc(slices.Values(scored), byScore)
	agrees, changes, passed, best, fewest := 0, 0, 0, -1, 0
	count := func(v decision, approve bool, sign int) {
		if v.label != nil && *v.label == approve {
			agrees += sign
		}
		if v.approves != approve {
			changes += sign
		}
	}
	for _, v := range all { // from the lowest on, all are approved
		count(v, true, 1)
	}
	for _, v := range labelled {
		for ; passed < len(all) && *all[passed].score < *v.score; passed++ {
			count(all[passed], true, -1)
			count(all[passed], false, 1)
		}
		if agrees > best || agrees == best && changes <= fewest {
			threshold, best, fewest = *v.score, agrees, changes
		}
	}
	return threshold
}

// Lines are the tendencies in words: whether the judge is too lenient or too critical, which threshold agrees better
// with people, what is applied, and what that would have decided.
func (t *JudgeTendencies) Lines() []string {
	lines := []string{t.Calibration.Reason, t.ThresholdProposal.Reason}
	for _, applied := range t.Thresholds {
		if applied.Threshold == nil {
			continue
		}
		to := ""
		if applied.SectionType != nil {
			to = " to " + prose.OneLine(*applied.SectionType)
		}
		lines = append(lines, fmt.Sprintf("a threshold of %s is applied%s since %s", scoreText(*applied.Threshold), to, applied.At.UTC().Format(time.RFC3339)))
	}
	trial := t.ThresholdTrial
	if trial == nil {
		return lines
	}
	line := fmt.Sprintf("of %s recorded under a threshold it would approve %d that were rejected, and reject %d that were approved",
		prose.Plural(trial.Verdicts, "verdict"), trial.WouldApprove, trial.WouldReject)
	if trial.Agreement != nil {
		line += fmt.Sprintf("; it agrees with people in %.0f%% of %d labelled ones, the judge in %.0f%%", 100**trial.Agreement, trial.Labelled, 100**trial.JudgeAgreement)
	}
	return append(lines, line)
}
