package judging_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/memory/memorytest"
)

// pandalm reads a file of the PandaLM test set from MNEME_TEST_DATA, by default ../shared/data beside the repository.
func pandalm[T any](t *testing.T, name string) []T {
	t.Helper()
	text, err := os.ReadFile(memorytest.SharedData("pandalm", name))
	if err != nil {
		t.Skipf("no PandaLM data: %v", err)
	}
	var items []T
	require.NoError(t, json.Unmarshal(text, &items))
	return items
}

type pandalmPair struct {
	Idx        int `json:"idx"`
	Annotator1 int `json:"annotator1"`
	Annotator2 int `json:"annotator2"`
	Annotator3 int `json:"annotator3"`
}

// preferred says whether at least two of the three people preferred the first answer.
func (p pandalmPair) preferred() bool {
	votes := 0
	for _, vote := range []int{p.Annotator1, p.Annotator2, p.Annotator3} {
		if vote == 1 {
			votes++
		}
	}
	return votes >= 2
}

type pandalmVerdict struct {
	Idx    int    `json:"idx"`
	Result string `json:"gpt_result"`
}

// status reads the model's answer as a verdict on the first answer; an unreadable one rejects.
func (v pandalmVerdict) status() memory.VerdictStatus {
	switch v.Result {
	case "1":
		return memory.VerdictApprove
	case "Tie":
		return memory.VerdictSoftFail
	}
	return memory.VerdictHardFail
}

func TestAgreementOfAModelWithPeople(t *testing.T) {
	t.Parallel()
	people := pandalm[pandalmPair](t, "testset-v1.json")
	model := pandalm[pandalmVerdict](t, "gpt-3.5-turbo-testset-v1.json")
	require.Len(t, people, 999)
	require.Len(t, model, 999)
	record := judging.NewJudgeRecord("gpt-3.5-turbo")
	counts := map[string]float64{} // of what the model says, then the people
	for i, pair := range people {
		require.Equal(t, pair.Idx, model[i].Idx)
		judgement := labelled(memorytest.Judged("s", 0, model[i].status(), float64(i)), pair.preferred())
		record.Add(&judgement)
		counts[map[bool]string{true: "1", false: "-"}[model[i].Result == "1"]+map[bool]string{true: "1", false: "-"}[pair.preferred()]]++
	}
	got := record.Tendencies().HumanAgreement
	assert.Equal(t, 999, got.Labelled)

	// Independent of the rule's formula: for two answers Cohen's κ is also this closed form of the table,
	// and it was computed by other means as well.
	tp, fp, fn, tn := counts["11"], counts["1-"], counts["-1"], counts["--"]
	assert.Equal(t, []float64{332, 128, 90, 449}, []float64{tp, fp, fn, tn})
	kappa := 2 * (tp*tn - fn*fp) / ((tp+fp)*(fp+tn) + (tp+fn)*(fn+tn))
	assert.InDelta(t, kappa, *got.Kappa, 1e-12)
	assert.InDelta(t, 0.5581421771716328, *got.Kappa, 1e-12)
	assert.InDelta(t, (tp+tn)/999, got.Agreement, 1e-12)
	assert.InDelta(t, 332.0/460, *got.Precision, 1e-12)
	assert.InDelta(t, 332.0/422, *got.Recall, 1e-12)
	assert.Less(t, math.Abs(*got.Drift), 1.0)
}
