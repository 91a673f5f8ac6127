package judging

import "slices"

// Agreement compares a judge's verdicts with what people say of the same work. Approving is the positive answer.
type Agreement struct {
	Labelled  int     `json:"labelled"`  // verdicts with a label
	Agreement float64 `json:"agreement"` // the share in which judge and person are of one mind
	// Kappa is Cohen's κ, the agreement beyond that of chance: (Agreement − e)/(1 − e) with the e that the two would have
	// if each approved as often but independently. Null where e is 1, because both always say the same.
	Kappa *float64 `json:"kappa"`
	// KappaLow and KappaHigh bound κ at 95 %: the bounds of Wilson's interval of the Agreement, brought to κ with the seen
	// e. Unlike the interval by Cohen's standard error (J. Cohen, A coefficient of agreement for nominal scales,
	// Educational and Psychological Measurement 20, 1960) it is no single point where all agree. Null where Kappa is.
	KappaLow  *float64 `json:"kappaLow"`
	KappaHigh *float64 `json:"kappaHigh"`
	// Precision is the share of the judge's approvals that people approve; null where there is none.
	Precision *float64 `json:"precision"`
	// Recall is the share of the people's approvals that the judge approves; null where there is none.
	Recall *float64 `json:"recall"`
	// Drift is the Agreement over the newer half of the verdicts less that over the older, by their time;
	// of an odd number the middle one is newer. Null where only one is labelled.
	Drift *float64 `json:"drift"`
}

// decision is what a verdict decides, and whether a person would have approved, where one said.
type decision struct {
	approves bool
	label    *bool
	score    *float64
	would    *bool // what the threshold that was applied then would have decided, where there was one
}

// labelledOf are the decisions that have a label.
func labelledOf(decisions []decision) []decision {
	return slices.DeleteFunc(slices.Clone(decisions), func(d decision) bool { return d.label == nil })
}

// countOf says how many decisions are so.
func countOf(decisions []decision, is func(decision) bool) (n int) {
	for _, d := range decisions {
		if is(d) {
			n++
		}
	}
	return n
}

func (d decision) agrees() bool { return d.label != nil && d.approves == *d.label }

// agreementOf is nil where no decision has a label.
func agreementOf(labelled []decision) *Agreement {
	if len(labelled) == 0 {
		return nil
	}
	n, agreed := float64(len(labelled)), countOf(labelled, decision.agrees)
	judge := float64(approvalsIn(labelled).Approved)
	person := float64(countOf(labelled, func(d decision) bool { return *d.label }))
	both := float64(countOf(labelled, func(d decision) bool { return d.approves && *d.label }))
	a := &Agreement{Labelled: len(labelled), Agreement: float64(agreed) / n, Precision: ratio(both, judge), Recall: ratio(both, person)}
	// Counts rather than shares, so that two that always say the same come out as exactly 1.
	chance := judge*person + (n-judge)*(n-person)
	a.Kappa = ratio(float64(agreed)*n-chance, n*n-chance)
	low, high := Wilson(agreed, len(labelled))
	a.KappaLow, a.KappaHigh = ratio(low*n*n-chance, n*n-chance), ratio(high*n*n-chance, n*n-chance)
	if half := len(labelled) / 2; half > 0 {
		older, newer := labelled[:half], labelled[half:]
		a.Drift = new(float64(countOf(newer, decision.agrees))/float64(len(newer)) - float64(countOf(older, decision.agrees))/float64(len(older)))
	}
	return a
}

// ratio is part/whole, nil where the whole is 0.
func ratio(part, whole float64) *float64 {
	if whole == 0 {
		return nil
	}
	return new(part / whole)
}
