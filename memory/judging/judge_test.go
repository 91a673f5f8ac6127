package judging_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/memory/memorytest"
)

func tendencies(judgements ...memory.Judgement) *judging.JudgeTendencies {
	record := judging.NewJudgeRecord("j")
	for i := range judgements {
		record.Add(&judgements[i])
	}
	return record.Tendencies()
}

// about adds an issue in an area.
func about(j memory.Judgement, area string) memory.Judgement {
	j.Issues = append(j.Issues, memory.Issue{Code: "X", Area: &area})
	return j
}

func labelled(j memory.Judgement, approve bool) memory.Judgement { j.Label = &approve; return j }

func verdictOf(status memory.VerdictStatus) memory.Judgement {
	return memorytest.Judged("s", 0, status, 0)
}

func TestJudgeTendencies(t *testing.T) {
	t.Parallel()
	got := tendencies(
		memorytest.Scoring(verdictOf(memory.VerdictApprove), 8),
		memorytest.OfType(memorytest.Scoring(about(about(verdictOf(memory.VerdictSoftFail), "TIMING"), "TIMING"), 6), "chorus"),
		memorytest.OfType(memorytest.Scoring(about(about(verdictOf(memory.VerdictSoftFail), "LANES"), "COLOR"), 4), "chorus"),
		about(verdictOf(memory.VerdictHardFail), "TIMING"),
		about(memorytest.Scoring(labelled(verdictOf(memory.VerdictValidationFail), true), 0), "SCHEMA"),
	)
	assert.Equal(t, "j", got.JudgeKey)
	assert.Equal(t, 4, got.Verdicts, "a validation failure is not the judge's")
	assert.InDelta(t, 6, *got.AverageScore, 1e-12)
	assert.InDelta(t, 1.632993161855452, *got.ScoreStdDev, 1e-12, "√((4 + 0 + 4)/3)")
	assert.InDelta(t, 0.25, got.ApprovalRate, 0)
	assert.Equal(t, []string{"TIMING", "COLOR", "LANES"}, got.CommonCritiqueAreas, "by verdicts, then by name")
	assert.Equal(t, []judging.SectionTypeScore{
		{SectionType: "chorus", AverageScore: 5, Count: 2}, {SectionType: "verse", AverageScore: 8, Count: 1},
	}, got.ScoreBySectionType)
	assert.Equal(t, judging.Calibration{Leniency: judging.LeniencyUnknown, Reason: "4 verdicts so far; 20 are needed to say"}, got.Calibration)
	assert.Nil(t, got.HumanAgreement)
}

func TestTendenciesOfNoVerdicts(t *testing.T) {
	t.Parallel()
	assert.Equal(t, &judging.JudgeTendencies{
		JudgeKey: "j", CommonCritiqueAreas: []string{}, ScoreBySectionType: []judging.SectionTypeScore{},
		Thresholds: []memory.JudgeThreshold{}, ThresholdProposal: judging.ThresholdProposal{
			Reason: "0 verdicts with a score are labelled so far; 20 are needed to propose a threshold",
		},
		Calibration: judging.Calibration{Leniency: judging.LeniencyUnknown, Reason: "0 verdicts so far; 20 are needed to say"},
	}, tendencies())
}

func TestFiveCritiqueAreasAreTold(t *testing.T) {
	t.Parallel()
	judgements := []memory.Judgement{}
	for i := range 7 {
		for range i + 1 {
			judgements = append(judgements, about(verdictOf(memory.VerdictSoftFail), fmt.Sprint("A", i)))
		}
	}
	assert.Equal(t, []string{"A6", "A5", "A4", "A3", "A2"}, tendencies(judgements...).CommonCritiqueAreas)
}

// docket is verdicts with the scores 1, 2, 3 … of which the best are approved.
func docket(approved, of int) []memory.Judgement {
	judgements := []memory.Judgement{}
	for i := range of {
		status := memory.VerdictSoftFail
		if i >= of-approved {
			status = memory.VerdictApprove
		}
		judgements = append(judgements, memorytest.Scoring(verdictOf(status), float64(i+1)))
	}
	return judgements
}

func TestCalibration(t *testing.T) {
	t.Parallel()
	tests := []struct {
		approved, of int
		leniency     judging.Leniency
		threshold    *float64
		reason       string
	}{
		{18, 20, judging.LeniencyTooLenient, new(8.0), "approves 90% of 20 verdicts; 90% or more is too lenient; approving scores from 8.0 on would approve 65%"},
		{17, 20, judging.LeniencyBalanced, nil, "approves 85% of 20 verdicts"},
		{7, 20, judging.LeniencyBalanced, nil, "approves 35% of 20 verdicts"},
		{6, 20, judging.LeniencyTooCritical, new(8.0), "approves 30% of 20 verdicts; 30% or less is too critical; approving scores from 8.0 on would approve 65%"},
		{19, 19, judging.LeniencyUnknown, nil, "19 verdicts so far; 20 are needed to say"},
		{1, 1, judging.LeniencyUnknown, nil, "1 verdict so far; 20 are needed to say"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%d of %d", test.approved, test.of), func(t *testing.T) {
			assert.Equal(t, judging.Calibration{Leniency: test.leniency, ProposedThreshold: test.threshold, Reason: test.reason},
				tendencies(docket(test.approved, test.of)...).Calibration)
		})
	}
	tied := docket(20, 20)
	for i := range tied {
		tied[i] = memorytest.Scoring(tied[i], 9)
	}
	assert.Equal(t, "approves 100% of 20 verdicts; 90% or more is too lenient; approving scores from 9.0 on would approve 100%",
		tendencies(tied...).Calibration.Reason, "equal scores are approved together")
	unscored := docket(20, 20)
	for i := range unscored {
		unscored[i].Score = nil
	}
	calibration := tendencies(unscored...).Calibration
	assert.Equal(t, judging.LeniencyTooLenient, calibration.Leniency)
	assert.Nil(t, calibration.ProposedThreshold)
}

func TestApprovingThreshold(t *testing.T) {
	t.Parallel()
	tests := []struct {
		scores []float64
		want   float64
	}{
		{[]float64{7}, 7},
		{[]float64{1, 2}, 1},          // 2 of 2, for 1 of 2 is too few
		{[]float64{3, 1, 2}, 2},       // 2 of 3
		{[]float64{8, 8, 8, 8, 9}, 8}, // equal scores are approved together
		{[]float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 4},
	}
	for _, test := range tests {
		threshold, _ := judging.ApprovingThreshold(test.scores, 65)
		assert.InDelta(t, test.want, threshold, 0, "%v", test.scores)
	}
}

func TestApprovingThresholdIsTheHighestThatDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(0, 10), 1, 60).Draw(t, "scores")
		approved := func(threshold float64) (least, more int) {
			for _, score := range scores {
				if score >= threshold {
					least++
				}
				if score > threshold {
					more++
				}
			}
			return least, more
		}
		threshold, share := judging.ApprovingThreshold(scores, 65)
		least, more := approved(threshold)
		assert.InDelta(t, float64(least)/float64(len(scores)), share, 1e-9)
		assert.GreaterOrEqual(t, 100*least, 65*len(scores))
		assert.Less(t, 100*more, 65*len(scores))
	})
}

// pairs gives verdicts with labels, each of two signs: the judge approves, the person would.
func pairs(answers ...string) []memory.Judgement {
	judgements := []memory.Judgement{}
	for _, answer := range answers {
		status := memory.VerdictHardFail
		if answer[0] == '+' {
			status = memory.VerdictApprove
		}
		judgements = append(judgements, labelled(verdictOf(status), answer[1] == '+'))
	}
	return judgements
}

func TestAgreement(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		answers []string // the judge's, then the person's
		want    judging.Agreement
	}{
		{
			"worked", []string{"++", "+-", "--", "--", "-+", "++", "++", "--", "++", "--"},
			// 8 of 10 agree; each approves 5, so that chance agrees in half: κ = (0.8 − 0.5)/0.5. Wilson's
			// interval of 8 of 10 is 0.490 to 0.943. Of the first five 3, of the others 5.
			judging.Agreement{Labelled: 10, Agreement: 0.8, Kappa: new(0.6), KappaLow: new((0.4901624715366418 - 0.5) / 0.5), KappaHigh: new((0.9433178485456248 - 0.5) / 0.5), Precision: new(0.8), Recall: new(0.8), Drift: new(0.4)},
		},
		{"perfect", []string{"++", "--"}, judging.Agreement{Labelled: 2, Agreement: 1, Kappa: new(1.0), KappaLow: new((0.34238022750665303 - 0.5) / 0.5), KappaHigh: new(1.0), Precision: new(1.0), Recall: new(1.0), Drift: new(0.0)}},
		{"opposite", []string{"+-", "-+"}, judging.Agreement{Labelled: 2, Agreement: 0, Kappa: new(-1.0), KappaLow: new(-1.0), KappaHigh: new((0.6576197724933469 - 0.5) / 0.5), Precision: new(0.0), Recall: new(0.0), Drift: new(0.0)}},
		{"both always approve", []string{"++", "++", "++"}, judging.Agreement{Labelled: 3, Agreement: 1, Precision: new(1.0), Recall: new(1.0), Drift: new(0.0)}},
		{"both never approve", []string{"--", "--"}, judging.Agreement{Labelled: 2, Agreement: 1, Drift: new(0.0)}},
		{"one", []string{"-+"}, judging.Agreement{Labelled: 1, Agreement: 0, Kappa: new(0.0), KappaLow: new(0.0), KappaHigh: new(0.7934506856227626), Recall: new(0.0)}},
		{"of three the middle is newer", []string{"++", "+-", "--"}, judging.Agreement{Labelled: 3, Agreement: 2.0 / 3, Kappa: new(0.4), KappaLow: new((0.20765960080204765*9 - 4) / 5), KappaHigh: new((0.9385080552796037*9 - 4) / 5), Precision: new(0.5), Recall: new(1.0), Drift: new(-0.5)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			judgements := append(pairs(test.answers...), verdictOf(memory.VerdictApprove)) // one without a label changes nothing
			got := tendencies(judgements...).HumanAgreement
			require.NotNil(t, got)
			assert.Equal(t, test.want.Labelled, got.Labelled)
			assert.InDelta(t, test.want.Agreement, got.Agreement, 1e-12)
			for name, pair := range map[string][2]*float64{
				"kappa": {test.want.Kappa, got.Kappa}, "kappaLow": {test.want.KappaLow, got.KappaLow}, "kappaHigh": {test.want.KappaHigh, got.KappaHigh}, "precision": {test.want.Precision, got.Precision},
				"recall": {test.want.Recall, got.Recall}, "drift": {test.want.Drift, got.Drift},
			} {
				require.Equal(t, pair[0] == nil, pair[1] == nil, name)
				if pair[0] != nil {
					assert.InDelta(t, *pair[0], *pair[1], 1e-12, name)
				}
			}
		})
	}
}
