package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
)

// pandalm is a pair of answers of the PandaLM test set, judged by a model and by three people.
type pandalm struct {
	Index  int    `json:"idx"`
	App    string `json:"motivation_app"`
	First  int    `json:"annotator1"`
	Second int    `json:"annotator2"`
	Third  int    `json:"annotator3"`
	Model  string `json:"gpt_result"`
}

// liked says whether at least two of the three people prefer the first answer.
func (p pandalm) liked() bool {
	votes := 0
	for _, vote := range []int{p.First, p.Second, p.Third} {
		if vote == 1 {
			votes++
		}
	}
	return votes >= 2
}

// readPandaLM reads the people's file and the model's, which lie beside the repository.
func readPandaLM(t *testing.T) []pandalm {
	t.Helper()
	pairs, model := readPairs(t, "testset-v1.json"), readPairs(t, "gpt-3.5-turbo-testset-v1.json")
	require.Len(t, pairs, 999)
	require.Len(t, model, 999)
	for i := range pairs {
		require.Equal(t, pairs[i].Index, model[i].Index)
		pairs[i].Model = model[i].Model
	}
	return pairs
}

func readPairs(t *testing.T, name string) (pairs []pandalm) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dataDir(t), "pandalm", name))
	if err != nil {
		t.Skipf("left out without the data: %v (set MNEME_TEST_DATA)", err)
	}
	require.NoError(t, json.Unmarshal(text, &pairs))
	return pairs
}

// asVerdicts is the pairs as a file of verdicts on the first answers.
func asVerdicts(t *testing.T, pairs []pandalm) []byte {
	t.Helper()
	statuses := map[string]string{"1": "APPROVE", "Tie": "SOFT_FAIL"}
	var file bytes.Buffer
	for i, pair := range pairs {
		status, ok := statuses[pair.Model]
		if !ok {
			status = "HARD_FAIL"
		}
		require.NoError(t, json.NewEncoder(&file).Encode(vars{
			"id": "pandalm-" + strconv.Itoa(pair.Index), "runId": "pandalm", "sectionId": strconv.Itoa(pair.Index), "sectionType": pair.App,
			"judgeId": "gpt-3.5-turbo", "iteration": 0, "status": status, "label": pair.liked(), "labelledBy": "majority", "at": after(i),
		}))
	}
	return file.Bytes()
}

// testPandaLM: the agreement of a real model with people is that of an independent computation, by counting
// matches and the chance of them directly.
func testPandaLM(t *testing.T, w *world) {
	pairs := readPandaLM(t)
	report, err := importer.Import(t.Context(), w.bound(t), bytes.NewReader(asVerdicts(t, pairs)), importer.Options{Format: importer.Verdicts})
	require.NoError(t, err)
	require.Equal(t, "999 verdicts", report.String())

	var matches, modelLikes, peopleLike, bothLike float64
	for _, pair := range pairs {
		model := pair.Model == "1"
		if model == pair.liked() {
			matches++
		}
		if model {
			modelLikes++
		}
		if pair.liked() {
			peopleLike++
		}
		if model && pair.liked() {
			bothLike++
		}
	}
	n := float64(len(pairs))
	chance := modelLikes/n*peopleLike/n + (1-modelLikes/n)*(1-peopleLike/n)

	var data struct {
		JudgeTendencies struct {
			Verdicts       int
			ApprovalRate   float64
			Calibration    struct{ Leniency string }
			HumanAgreement struct {
				Labelled                                                        int
				Agreement, Kappa, KappaLow, KappaHigh, Precision, Recall, Drift float64
			}
		}
		Verdicts struct{ TotalCount int }
		Judges   []string
	}
	w.ask(t, `{
		judgeTendencies(judgeId: "gpt-3.5-turbo") { verdicts approvalRate calibration { leniency } humanAgreement { labelled agreement kappa kappaLow kappaHigh precision recall drift } }
		verdicts(judgeId: "gpt-3.5-turbo", first: 0) { totalCount }
		judges
	}`, nil, &data)
	assert.Equal(t, 999, data.JudgeTendencies.Verdicts)
	assert.Equal(t, 999, data.Verdicts.TotalCount)
	assert.Equal(t, []string{"gpt-3.5-turbo"}, data.Judges)
	assert.Equal(t, "BALANCED", data.JudgeTendencies.Calibration.Leniency)
	agreement := data.JudgeTendencies.HumanAgreement
	assert.Equal(t, 999, agreement.Labelled)
	for name, pair := range map[string][2]float64{
		"approval rate": {modelLikes / n, data.JudgeTendencies.ApprovalRate},
		"agreement":     {matches / n, agreement.Agreement},
		"kappa":         {(matches/n - chance) / (1 - chance), agreement.Kappa},
		"precision":     {bothLike / modelLikes, agreement.Precision},
		"recall":        {bothLike / peopleLike, agreement.Recall},
	} {
		assert.InDelta(t, pair[0], pair[1], 1e-9, name)
	}
	assert.InDelta(t, 0.782, agreement.Agreement, 0.0005)
	assert.InDelta(t, 0.558, agreement.Kappa, 0.0005)
	assert.Less(t, agreement.KappaLow, agreement.Kappa)
	assert.Greater(t, agreement.KappaHigh, agreement.Kappa)
}
