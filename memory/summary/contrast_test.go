package summary_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/summary"
)

func did(steps string, result *string) *memory.Episode {
	e := &memory.Episode{Result: result}
	for step := range strings.FieldsSeq(steps) {
		name, gave, _ := strings.Cut(step, "=")
		e.Actions = append(e.Actions, memory.Action{StepName: name, Result: memory.JSON(gave)})
	}
	return e
}

func TestContrast(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ wrong, other, want string }{
		"another step":              {"user cancel", "user search book tell ask", "after user did search → book → tell instead of cancel"},
		"from the start":            {"write", "read write", "did read → write instead of write"},
		"more":                      {"user", "user book", "after user also did book"},
		"less":                      {"user user book", "user", "after user did not go on with book"},
		"how often does not matter": {"user user cancel", "user refuse", "after user did refuse instead of cancel"},
		"the same steps":            {"user", "user", "answered: No refund."},
		"nothing is known":          {"", "", "answered: No refund."},
		"one without steps":         {"", "user", "answered: No refund."},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, summary.Contrast(did(test.wrong, nil), did(test.other, new("No refund"))))
		})
	}
	assert.Equal(t, "did user", summary.Contrast(did("", nil), did("user", nil)))
	assert.Empty(t, summary.Contrast(did("", nil), did("", nil)))
	succeeded := did("user", nil)
	succeeded.Outcome = memory.OutcomeSuccess
	assert.Empty(t, summary.Contrast(succeeded, did("user", new("No refund"))))
}

func TestDifferenceIsThatOfTheRunsThatAreAlikeForLongest(t *testing.T) {
	t.Parallel()
	runs := func(all ...string) (steps [][]string) {
		for _, run := range all {
			steps = append(steps, strings.Fields(run))
		}
		return steps
	}
	for name, test := range map[string]struct {
		succeeded, failed [][]string
		want              string
	}{
		"the nearest miss":             {runs("user book tell", "user search ask"), runs("search", "user search cancel"), "after search did ask instead of cancel"},
		"what is repeated is one step": {runs("user user ask"), runs("user cancel"), "after user did ask instead of cancel"},
		"the same steps":               {runs("user ask"), runs("user ask"), ""},
		"of one sort only":             {runs("user ask"), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, summary.Difference(test.succeeded, test.failed))
		})
	}
}

func TestFailedStep(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string]string{
		`user="ok" cancel="Error:fare"`:               "cancel (step 2): Error:fare.",
		`user="Error:away" user="ok"`:                 "",
		`user="Error:away" user="ok" cancel="failed"`: "cancel (step 3): failed.",
		`user="Error:away" cancel="failed"`:           "user (step 1): Error:away.",
		`user="ok"`:                                   "",
		``:                                            "",
	} {
		assert.Equal(t, want, summary.FailedStep(did(steps, nil)), steps)
	}
}
