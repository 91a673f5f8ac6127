package judging_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/memory/memorytest"
)

// scored is a verdict with a score, and what a person says of it: true, false or nil.
func scored(score float64, status memory.VerdictStatus, label *bool) *memory.Judgement {
	return &memory.Judgement{JudgeID: new("critic"), SectionType: "verse", Status: status, Score: &score, Label: label}
}

func tendenciesOf(judgements ...*memory.Judgement) *judging.JudgeTendencies {
	record := judging.NewJudgeRecord("critic")
	for _, j := range judgements {
		record.Add(j)
	}
	return record.Tendencies()
}

// The judge approves from 8 on; people do from 7 on, but for one of 7.5 that they reject.
func labelledByPeople() []*memory.Judgement {
	var all []*memory.Judgement
	for _, of := range []struct {
		score  float64
		status memory.VerdictStatus
		label  bool
		times  int
	}{
		{9, memory.VerdictApprove, true, 6}, {7.5, memory.VerdictSoftFail, true, 5}, {7.5, memory.VerdictSoftFail, false, 1},
		{7, memory.VerdictSoftFail, true, 2}, {5, memory.VerdictHardFail, false, 6},
	} {
		for range of.times {
			all = append(all, scored(of.score, of.status, new(of.label)))
		}
	}
	return all
}

func TestThresholdThatAgreesBestIsProposed(t *testing.T) {
	t.Parallel()
	unlabelled := []*memory.Judgement{scored(7.2, memory.VerdictSoftFail, nil), scored(6, memory.VerdictApprove, nil)}
	p := tendenciesOf(append(labelledByPeople(), unlabelled...)...).ThresholdProposal
	require.NotNil(t, p.Threshold)
	assert.Equal(t, 7.0, *p.Threshold)
	assert.Equal(t, 20, p.Labelled)
	assert.InDelta(t, 0.95, *p.Agreement, 1e-9, "all but the one of 7.5")
	assert.InDelta(t, 0.65, *p.JudgeAgreement, 1e-9)
	assert.Equal(t, 9, p.WouldApprove, "eight of 7 and 7.5, and the one of 7.2 that nobody labelled")
	assert.Equal(t, 1, p.WouldReject)
	assert.Equal(t, "agrees with people in 65% of 20 labelled verdicts with a score; approving scores from 7.0 on would in 95%. "+
		"Of all 22 verdicts with a score it would approve 9 that were rejected, and reject 1 that were approved", p.Reason)
}

func TestNoThresholdWithoutEvidence(t *testing.T) {
	t.Parallel()
	assert.Equal(t, judging.ThresholdProposal{Reason: "0 verdicts with a score are labelled so far; 20 are needed to propose a threshold"},
		tendenciesOf().ThresholdProposal)
	few := tendenciesOf(labelledByPeople()[:19]...).ThresholdProposal
	assert.Nil(t, few.Threshold)
	assert.Equal(t, "19 verdicts with a score are labelled so far; 20 are needed to propose a threshold", few.Reason)

	var agreed []*memory.Judgement
	for i := range 24 {
		status := memory.VerdictApprove
		if i < 12 {
			status = memory.VerdictSoftFail
		}
		agreed = append(agreed, scored(float64(i), status, new(i >= 12)))
	}
	same := tendenciesOf(agreed...).ThresholdProposal
	assert.Nil(t, same.Threshold, "it decides as the judge does")
	assert.Equal(t, "agrees with people in 100% of 24 labelled verdicts with a score; no threshold agrees with them more often beyond chance", same.Reason)

	// Three that a threshold decides better say nothing (Wilson 0.439), four do (0.510).
	for better, proposed := range map[int]bool{3: false, 4: true} {
		verdicts := agreed
		for range better {
			verdicts = append(verdicts, scored(20, memory.VerdictSoftFail, new(true)))
		}
		assert.Equal(t, proposed, tendenciesOf(verdicts...).ThresholdProposal.Threshold != nil, better)
	}
}

func TestOfEqualThresholdsTheOneThatChangesLeast(t *testing.T) {
	t.Parallel()
	var all []*memory.Judgement
	for range 10 {
		all = append(all, scored(9, memory.VerdictSoftFail, new(true)), scored(3, memory.VerdictSoftFail, new(false)))
	}
	// Between 3 and 9 nobody labelled; the judge's own 6 stays rejected with the threshold 9, the only labelled one there.
	p := tendenciesOf(append(all, scored(6, memory.VerdictSoftFail, nil))...).ThresholdProposal
	assert.Equal(t, 9.0, *p.Threshold)
	assert.Equal(t, 10, p.WouldApprove)
	assert.Zero(t, p.WouldReject)
}

// No other score that people labelled agrees with more labels than the one that is proposed.
func TestNoThresholdAgreesBetter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *memory.Judgement {
			return scored(float64(rapid.IntRange(0, 6).Draw(t, "score")), rapid.SampledFrom(memory.VerdictStatuses[:3]).Draw(t, "status"),
				rapid.SampledFrom([]*bool{nil, new(true), new(false)}).Draw(t, "label"))
		}), 0, 60).Draw(t, "verdicts")
		p := tendenciesOf(all...).ThresholdProposal
		if p.Threshold == nil {
			return
		}
		for _, candidate := range all {
			agrees := 0
			for _, j := range all {
				if j.Label != nil && (*j.Score >= *candidate.Score) == *j.Label {
					agrees++
				}
			}
			if candidate.Label != nil {
				assert.LessOrEqual(t, float64(agrees)/float64(p.Labelled), *p.Agreement+1e-9, *candidate.Score)
			}
		}
		assert.Greater(t, *p.Agreement, *p.JudgeAgreement)
	})
}

func TestTrialOfAThreshold(t *testing.T) {
	t.Parallel()
	under := func(threshold float64, j *memory.Judgement) *memory.Judgement {
		j.Threshold = &threshold
		return j
	}
	assert.Nil(t, tendenciesOf(labelledByPeople()...).ThresholdTrial)
	trial := tendenciesOf(append(labelledByPeople(),
		under(7, scored(7.5, memory.VerdictSoftFail, new(true))), under(7, scored(7, memory.VerdictHardFail, new(false))),
		under(7, scored(6.9, memory.VerdictApprove, nil)), under(8, scored(7.5, memory.VerdictSoftFail, nil)),
		under(7, &memory.Judgement{Status: memory.VerdictApprove}))...).ThresholdTrial
	require.NotNil(t, trial)
	assert.Equal(t, []int{4, 2, 1, 2}, []int{trial.Verdicts, trial.WouldApprove, trial.WouldReject, trial.Labelled})
	assert.Equal(t, []float64{0.5, 0.5}, []float64{*trial.Agreement, *trial.JudgeAgreement})
	told := judging.JudgeTendencies{ThresholdTrial: trial, Thresholds: []memory.JudgeThreshold{
		{Threshold: new(7.0), At: memorytest.Seconds(0)}, {SectionType: new("verse"), Threshold: new(8.25), At: memorytest.Seconds(0)}, {},
	}}
	at := memorytest.Seconds(0).Format(time.RFC3339)
	assert.Equal(t, []string{
		"a threshold of 7.0 is applied since " + at, "a threshold of 8.25 is applied to verse since " + at,
		"of 4 verdicts recorded under a threshold it would approve 2 that were rejected, and reject 1 that were approved; " +
			"it agrees with people in 50% of 2 labelled ones, the judge in 50%",
	}, told.Lines()[2:])
}

func TestThresholdForASectionType(t *testing.T) {
	t.Parallel()
	applied := []*memory.JudgeThreshold{
		{JudgeKey: "critic", Threshold: new(7.0)}, {JudgeKey: "critic", SectionType: new("verse"), Threshold: new(8.0)},
		{JudgeKey: "critic", SectionType: new("intro")}, {JudgeKey: "other", Threshold: new(1.0)}, {JudgeKey: "none"},
	}
	for _, test := range []struct {
		judge, sectionType string
		want               *float64
	}{
		{"critic", "verse", new(8.0)}, {"critic", "chorus", new(7.0)}, {"critic", "intro", new(7.0)}, {"other", "verse", new(1.0)},
		{"none", "verse", nil}, {"nobody", "verse", nil},
	} {
		assert.Equal(t, test.want, judging.ThresholdFor(applied, test.judge, test.sectionType), test)
	}
}
