package judging

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"mneme/memory"
	"mneme/memory/prose"
)

// The bounds of a judge's calibration.
const (
	// MinCalibration is how many verdicts say whether a judge is too lenient or too critical.
	MinCalibration = 20
	// LenientApproval and CriticalApproval are the approval rates from which on a judge is too lenient, and
	// down from which it is too critical.
	LenientApproval  = 0.90
	CriticalApproval = 0.30
	// soundApproval is the share of scores, in percent, that a proposed threshold approves.
	soundApproval = 65
	// MaxCritiqueAreas is how many areas of critique are told.
	MaxCritiqueAreas = 5
)

// Leniency is how a judge's approval rate reads.
type Leniency string

// The closed set of leniencies. UNKNOWN is that of too few verdicts.
const (
	LeniencyTooLenient  Leniency = "TOO_LENIENT"
	LeniencyBalanced    Leniency = "BALANCED"
	LeniencyTooCritical Leniency = "TOO_CRITICAL"
	LeniencyUnknown     Leniency = "UNKNOWN"
)

// JudgeTendencies is how a judge tends to decide, validation failures aside.
type JudgeTendencies struct {
	JudgeKey            string             `json:"judgeId"`
	Verdicts            int                `json:"verdicts"`
	AverageScore        *float64           `json:"averageScore"`        // of the verdicts that have a score; null where none has
	ScoreStdDev         *float64           `json:"scoreStdDev"`         // of the same, as of a whole population
	ApprovalRate        float64            `json:"approvalRate"`        // 0…1; 0 where there is no verdict
	CommonCritiqueAreas []string           `json:"commonCritiqueAreas"` // the areas that most verdicts name, at most MaxCritiqueAreas
	ScoreBySectionType  []SectionTypeScore `json:"scoreBySectionType"`
	Calibration         Calibration        `json:"calibration"`
	HumanAgreement      *Agreement         `json:"humanAgreement"` // null where no verdict has a label
	// ThresholdProposal is the threshold on its scores that agrees best with people.
	ThresholdProposal ThresholdProposal `json:"thresholdProposal"`
	// Thresholds are those that are applied to it now: that of all types of sections first, then by type.
	Thresholds []memory.JudgeThreshold `json:"thresholds"`
	// ThresholdTrial is how the verdicts that were recorded under a threshold compare with it; null where there is none.
	ThresholdTrial *ThresholdTrial `json:"thresholdTrial"`

	// Older and Newer are the halves of its verdicts by their time; of an odd number the middle one is newer.
	Older, Newer Approvals `json:"-"`
}

// Approvals is how many of some verdicts approve.
type Approvals struct{ Approved, Verdicts int }

// Rate is their share; 0 where there are no verdicts.
func (a Approvals) Rate() float64 { return float64(a.Approved) / float64(max(a.Verdicts, 1)) }

// Shifts says whether two rates differ by more than chance would have it in one of a hundred cases: the z of their
// difference, by the rate of all, is beyond 2.58 (two proportions, pooled).
func (a Approvals) Shifts(b Approvals) bool {
	n, m := float64(a.Verdicts), float64(b.Verdicts)
	pooled := float64(a.Approved+b.Approved) / max(n+m, 1)
	deviation := math.Sqrt(pooled * (1 - pooled) * (1/n + 1/m))
	return n > 0 && m > 0 && math.Abs(a.Rate()-b.Rate()) > 2.58*deviation
}

// SectionTypeScore is the mean score that a judge gave to sections of a type, and over how many verdicts.
type SectionTypeScore struct {
	SectionType  string  `json:"sectionType"`
	AverageScore float64 `json:"averageScore"`
	Count        int     `json:"count"`
}

// Calibration says whether a judge approves too much or too little.
type Calibration struct {
	Leniency Leniency `json:"leniency"`
	// ProposedThreshold is the score from which on to approve instead, so that 65 % of the judge's verdicts
	// with a score would be: the highest that approves at least as many. Null where the judge is balanced
	// or unknown, or gave no scores.
	ProposedThreshold *float64 `json:"proposedThreshold"`
	Reason            string   `json:"reason"`
}

// JudgeRecord adds up the judgements of one judge.
type JudgeRecord struct {
	judge     string
	decisions []decision                   // oldest first
	byType    map[string]*SectionTypeScore // AverageScore holds the sum
	areas     map[string]int
}

// NewJudgeRecord is the record of a judge before the first judgement.
func NewJudgeRecord(judge string) *JudgeRecord {
	return &JudgeRecord{judge: judge, byType: map[string]*SectionTypeScore{}, areas: map[string]int{}}
}

// Add takes in a judgement of the judge; they come oldest first. Validation failures are not the judge's.
func (r *JudgeRecord) Add(j *memory.Judgement) {
	if j.Status == memory.VerdictValidationFail {
		return
	}
	r.decisions = append(r.decisions, decision{j.Status == memory.VerdictApprove, j.Label, j.Score, j.ThresholdApproves()})
	if j.Score != nil {
		of := r.byType[j.SectionType]
		if of == nil {
			of = &SectionTypeScore{SectionType: j.SectionType}
			r.byType[j.SectionType] = of
		}
		of.Count++
		of.AverageScore += *j.Score
	}
	areas := map[string]bool{}
	for _, issue := range j.Issues {
		if issue.Area != nil && *issue.Area != "" {
			areas[*issue.Area] = true
		}
	}
	for area := range areas {
		r.areas[area]++
	}
}

// Tendencies sums up what was added so far.
func (r *JudgeRecord) Tendencies() *JudgeTendencies {
	all, half := r.decisions, len(r.decisions)/2
	scored := slices.DeleteFunc(slices.Clone(all), func(d decision) bool { return d.score == nil })
	scores := memory.Mapped(scored, func(d decision) float64 { return *d.score })
	t := &JudgeTendencies{
		JudgeKey: r.judge, Verdicts: len(all), Older: approvalsIn(all[:half]), Newer: approvalsIn(all[half:]), ApprovalRate: approvalsIn(all).Rate(),
		CommonCritiqueAreas: r.commonAreas(), ScoreBySectionType: []SectionTypeScore{},
		HumanAgreement: agreementOf(labelledOf(all)), ThresholdProposal: proposeThreshold(scored), Thresholds: []memory.JudgeThreshold{},
	}
	if tried := slices.DeleteFunc(scored, func(d decision) bool { return d.would == nil }); len(tried) > 0 {
		t.ThresholdTrial = trialOf(tried, func(d decision) bool { return *d.would })
	}
	if len(scores) > 0 {
		mean, deviation := spread(scores)
		t.AverageScore, t.ScoreStdDev = &mean, &deviation
	}
	for _, sectionType := range slices.Sorted(maps.Keys(r.byType)) {
		of := *r.byType[sectionType]
		of.AverageScore /= float64(of.Count)
		t.ScoreBySectionType = append(t.ScoreBySectionType, of)
	}
	t.Calibration = calibrate(t.Verdicts, t.ApprovalRate, scores)
	return t
}

func approvalsIn(decisions []decision) Approvals {
	return Approvals{countOf(decisions, func(d decision) bool { return d.approves }), len(decisions)}
}

// commonAreas is the areas by the verdicts that name them, most first, then by name.
func (r *JudgeRecord) commonAreas() []string {
	areas := slices.SortedFunc(maps.Keys(r.areas), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.areas[b], r.areas[a]), cmp.Compare(a, b))
	})
	return append([]string{}, areas[:min(len(areas), MaxCritiqueAreas)]...)
}

// spread is the mean of values and their standard deviation, as of a whole population.
func spread(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		deviation += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(deviation / float64(len(values)))
}

func calibrate(verdicts int, approval float64, scores []float64) Calibration {
	c := Calibration{Leniency: LeniencyBalanced, Reason: fmt.Sprintf("approves %.0f%% of %d verdicts", 100*approval, verdicts)}
	switch {
	case verdicts < MinCalibration:
		return Calibration{Leniency: LeniencyUnknown, Reason: fmt.Sprintf("%s so far; %d are needed to say", prose.Plural(verdicts, "verdict"), MinCalibration)}
	case approval >= LenientApproval:
		c.Leniency, c.Reason = LeniencyTooLenient, fmt.Sprintf("%s; %.0f%% or more is too lenient", c.Reason, 100*LenientApproval)
	case approval <= CriticalApproval:
		c.Leniency, c.Reason = LeniencyTooCritical, fmt.Sprintf("%s; %.0f%% or less is too critical", c.Reason, 100*CriticalApproval)
	default:
		return c
	}
	if len(scores) == 0 {
		c.Reason += "; without scores no threshold can be proposed"
		return c
	}
	threshold, share := ApprovingThreshold(scores, soundApproval)
	c.ProposedThreshold = &threshold
	c.Reason += fmt.Sprintf("; approving scores from %s on would approve %.0f%%", scoreText(threshold), 100*share)
	return c
}

// ApprovingThreshold is the highest of the scores such that at least the given percentage (1…100) of them, of which
// there is at least one, is not below it, and the share that is not. Equal scores are approved together, and so more
// may be.
func ApprovingThreshold(scores []float64, percent int) (threshold, share float64) {
	sorted := slices.Sorted(slices.Values(scores))
	threshold = sorted[len(sorted)-(percent*len(sorted)+99)/100]
	below, _ := slices.BinarySearch(sorted, threshold)
	return threshold, float64(len(sorted)-below) / float64(len(sorted))
}
