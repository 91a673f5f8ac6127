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
		"from the start":            {"write", "read write", "did read before write"},
		"more":                      {"user", "user book", "after user also did book"},
		"less":                      {"user user book", "user", "after user answered: No refund."},
		"what comes before":         {"user book", "user ask book", "after user did ask before book"},
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

func TestDifferenceIsThatOfTheRunThatIsAlikeForLongest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		run       string
		others    []string
		succeeded bool
		want      string
		other     int
	}{
		"the nearest miss":             {"user search ask", []string{"search", "user search cancel"}, true, "after search did ask instead of cancel", 1},
		"what it missed":               {"user search cancel", []string{"user search ask cancel"}, false, "after search did ask before cancel", 0},
		"what is repeated is one step": {"user user ask", []string{"user cancel"}, true, "after user did ask instead of cancel", 0},
		"where it ended":               {"user", []string{"user cancel"}, true, "ended after user instead of cancel", 0},
		"the same steps":               {"user ask", []string{"user ask"}, true, "", 0},
		"no others":                    {"user ask", nil, true, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var others [][]string
			for _, steps := range test.others {
				others = append(others, strings.Fields(steps))
			}
			told, other := summary.Difference(strings.Fields(test.run), others, test.succeeded)
			assert.Equal(t, test.want, told)
			assert.Equal(t, test.other, other)
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
