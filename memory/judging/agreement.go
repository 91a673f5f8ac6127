package judging

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
}

// countOf says how many decisions, which have labels, are so.
func countOf(labelled []decision, judge, person bool) (n float64) {
	for _, d := range labelled {
		if d.approves == judge && *d.label == person {
			n++
		}
	}
	return n
}

// agreed is in how many decisions, which have labels, judge and person are of one mind.
func agreed(labelled []decision) float64 {
	return countOf(labelled, true, true) + countOf(labelled, false, false)
}

// agreementOf is nil where no decision has a label.
func agreementOf(labelled []decision) *Agreement {
	if len(labelled) == 0 {
		return nil
	}
	both, judgeOnly := countOf(labelled, true, true), countOf(labelled, true, false)
	personOnly, neither := countOf(labelled, false, true), countOf(labelled, false, false)
	n := float64(len(labelled))
	a := &Agreement{
		Labelled: len(labelled), Agreement: agreed(labelled) / n,
		Precision: ratio(both, both+judgeOnly), Recall: ratio(both, both+personOnly),
	}
	// Counts rather than shares, so that two that always say the same come out as exactly 1.
	chance := (both+judgeOnly)*(both+personOnly) + (personOnly+neither)*(judgeOnly+neither)
	a.Kappa = ratio((both+neither)*n-chance, n*n-chance)
	low, high := Wilson(int(both+neither), len(labelled))
	a.KappaLow, a.KappaHigh = ratio(low*n*n-chance, n*n-chance), ratio(high*n*n-chance, n*n-chance)
	if half := len(labelled) / 2; half > 0 {
		older, newer := labelled[:half], labelled[half:]
		a.Drift = new(agreed(newer)/float64(len(newer)) - agreed(older)/float64(len(older)))
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
