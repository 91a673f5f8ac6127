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

// labels is the pairs of a judge's and a person's decision, oldest first.
type labels []labelPair

type labelPair struct{ judge, person bool }

// count says how many pairs are so.
func (l labels) count(judge, person bool) float64 {
	n := 0.0
	for _, pair := range l {
		if pair == (labelPair{judge, person}) {
			n++
		}
	}
	return n
}

// agreed is the share of pairs of one mind; there is at least one.
func (l labels) agreed() float64 {
	return (l.count(true, true) + l.count(false, false)) / float64(len(l))
}

// agreement is nil where nothing is labelled.
func (l labels) agreement() *Agreement {
	if len(l) == 0 {
		return nil
	}
	both, judgeOnly, personOnly, neither := l.count(true, true), l.count(true, false), l.count(false, true), l.count(false, false)
	n := float64(len(l))
	a := &Agreement{
		Labelled: len(l), Agreement: l.agreed(),
		Precision: ratio(both, both+judgeOnly), Recall: ratio(both, both+personOnly),
	}
	// Counts rather than shares, so that two that always say the same come out as exactly 1.
	chance := (both+judgeOnly)*(both+personOnly) + (personOnly+neither)*(judgeOnly+neither)
	a.Kappa = ratio((both+neither)*n-chance, n*n-chance)
	low, high := Wilson(int(both+neither), len(l))
	a.KappaLow, a.KappaHigh = ratio(low*n*n-chance, n*n-chance), ratio(high*n*n-chance, n*n-chance)
	if half := len(l) / 2; half > 0 {
		a.Drift = new(l[half:].agreed() - l[:half].agreed())
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
