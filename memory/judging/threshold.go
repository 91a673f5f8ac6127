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

	agreed, judgeAgreed int
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

// add takes in a judgement that has a score.
func (t *ThresholdTrial) add(j *memory.Judgement) {
	would, approves := j.ThresholdApproves(), j.Status == memory.VerdictApprove
	if would == nil {
		return
	}
	t.Verdicts++
	if *would && !approves {
		t.WouldApprove++
	}
	if !*would && approves {
		t.WouldReject++
	}
	if j.Label == nil {
		return
	}
	t.Labelled++
	if *would == *j.Label {
		t.agreed++
	}
	if approves == *j.Label {
		t.judgeAgreed++
	}
	t.Agreement, t.JudgeAgreement = ratio(float64(t.agreed), float64(t.Labelled)), ratio(float64(t.judgeAgreed), float64(t.Labelled))
}

// proposeThreshold finds, of the scores that people labelled, the one from which on approving agrees with most labels.
// Of several that does which changes the fewest decisions, then the highest. It is proposed where it beats the judge:
// of the labelled verdicts that one of the two decides as the person does and the other not, more than half are the
// threshold's, and so is the lower bound of the Wilson interval of that share (which is McNemar's test of paired
// proportions, Psychometrika 12, 1947, as an interval).
func proposeThreshold(scored []decision) ThresholdProposal {
	labelled := slices.DeleteFunc(slices.Clone(scored), func(d decision) bool { return d.label == nil })
	n := float64(len(labelled))
	p := ThresholdProposal{Labelled: len(labelled), JudgeAgreement: ratio(agreed(labelled), n)}
	if len(labelled) < MinThresholdLabels {
		p.Reason = fmt.Sprintf("%s with a score %s labelled so far; %d are needed to propose a threshold",
			prose.Plural(len(labelled), "verdict"), map[bool]string{true: "is", false: "are"}[len(labelled) == 1], MinThresholdLabels)
		return p
	}
	threshold, best := bestThreshold(labelled, scored)
	better, worse := 0, 0
	for _, v := range labelled {
		switch would := *v.score >= threshold; {
		case would == *v.label && v.approves != *v.label:
			better++
		case would != *v.label && v.approves == *v.label:
			worse++
		}
	}
	agrees := fmt.Sprintf("agrees with people in %.0f%% of %d labelled verdicts with a score", 100**p.JudgeAgreement, len(labelled))
	if low, _ := Wilson(better, better+worse); low <= 0.5 {
		p.Reason = agrees + "; no threshold agrees with them more often beyond chance"
		return p
	}
	p.Threshold, p.Agreement = &threshold, new(float64(best)/n)
	for _, v := range scored {
		switch would := *v.score >= threshold; {
		case would && !v.approves:
			p.WouldApprove++
		case !would && v.approves:
			p.WouldReject++
		}
	}
	p.Reason = fmt.Sprintf("%s; approving scores from %s on would in %.0f%%. Of all %s with a score it would approve %d that were rejected, and reject %d that were approved",
		agrees, scoreText(threshold), 100**p.Agreement, prose.Plural(len(scored), "verdict"), p.WouldApprove, p.WouldReject)
	return p
}

// bestThreshold is the threshold that agrees with most labels, and with how many. Going up through the scores, each
// that is passed is rejected from there on.
func bestThreshold(labelled, scored []decision) (threshold float64, agreed int) {
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
	return threshold, best
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
