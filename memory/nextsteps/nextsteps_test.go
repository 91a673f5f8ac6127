package nextsteps_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/nextsteps"
	"mneme/memory/retrieval"
)

func found(key string, part memory.Part, position int, score float64) retrieval.Moment {
	return retrieval.Moment{
		Passage: &retrieval.Passage{Kind: memory.KindEpisode, Key: key, Passage: memory.Passage{Part: part, Position: position}},
		Match:   retrieval.Match{Score: score},
	}
}

func TestStepsAreCountedByTheMoment(t *testing.T) {
	t.Parallel()
	m := nextsteps.Moment{
		Situation: []retrieval.Moment{found("a", memory.PartObservation, 0, 0.9), found("b", memory.PartObservation, 0, 0.9), found("c", memory.PartObservation, 0, 0.4)},
		SoFar:     []string{"find"},
	}
	assert.Equal(t, []string{"a", "b", "c"}, m.Episodes())
	steps := m.Steps([]*nextsteps.Trajectory{
		{Key: "a", Outcome: memory.OutcomeSuccess, FeedbackSum: 1, Steps: []string{"find", "refund", "close"}},
		{Key: "b", Outcome: memory.OutcomeFailure, Steps: []string{"find", "cancel"}},
		{Key: "c", Steps: []string{"FIND", "refund"}},
		{Key: "d"},
	})
	// Of each the moment after "find" counts, at which two things agree: the step, and that it was the only one.
	worth := map[string]float64{"a": 0.2 * 64, "b": 0.2 * 64 * 0.5, "c": 0.2 * 64 * 16 / 81}
	assert.Len(t, steps, 2)
	assert.Equal(t, "refund", steps[0].Name)
	assert.InDelta(t, 97/137.5, steps[0].Share, 1e-9)
	assert.Equal(t, []int{2, 1, 0, 1}, []int{steps[0].Episodes, steps[0].Succeeded, steps[0].Failed, steps[0].Liked})
	assert.Equal(t, []int{1, 0, 1, 0}, []int{steps[1].Episodes, steps[1].Succeeded, steps[1].Failed, steps[1].Liked})
	for i, key := range []string{"a", "c"} {
		assert.Equal(t, key, steps[0].Places[i].Episode)
		assert.Equal(t, 1, steps[0].Places[i].Position)
		assert.InDelta(t, worth[key], steps[0].Places[i].Worth, 1e-9)
	}
}

// What was said in the middle of a run tells where in it one stands, by its steps or by its log.
// What came of the last step is said by other tasks, too: (situation ÷ best situation)² · (0.2 + match) · 8^same.
func TestTheTaskCountsMoreThanTheWordsOfTheLastStep(t *testing.T) {
	t.Parallel()
	of := []*nextsteps.Trajectory{{Key: "same", Steps: []string{"find", "refund"}}, {Key: "other", Steps: []string{"find", "print"}}, {Key: "no steps"}}
	elsewhere := []retrieval.Moment{found("other", memory.PartAction, 0, 0.9)}
	for name, test := range map[string]struct {
		situation map[string]float64
		want      map[string]float64
	}{
		"of no other task":     {map[string]float64{"same": 0.6}, map[string]float64{"refund": 0.2 * 64}},
		"of one that is far":   {map[string]float64{"same": 0.8, "other": 0.2}, map[string]float64{"refund": 0.2 * 64, "print": 1.1 * 64 / 16}},
		"of one that is near":  {map[string]float64{"same": 0.8, "other": 0.6}, map[string]float64{"refund": 0.2 * 64, "print": 1.1 * 64 * 9 / 16}},
		"of one without steps": {map[string]float64{"no steps": 0.8}, map[string]float64{"refund": 0.2 * 64, "print": 1.1 * 64}},
	} {
		t.Run(name, func(t *testing.T) {
			m := nextsteps.Moment{Last: elsewhere, SoFar: []string{"find"}}
			for key, score := range test.situation {
				m.Situation = append(m.Situation, found(key, memory.PartObservation, 0, score))
			}
			worth := map[string]float64{}
			for _, step := range m.Steps(of) {
				worth[step.Name] = step.Places[0].Worth
			}
			assert.InDeltaMapValues(t, test.want, worth, 1e-9)
		})
	}
}

func TestThePlaceOfAMatchCounts(t *testing.T) {
	t.Parallel()
	run := &nextsteps.Trajectory{Key: "a", Steps: []string{"look", "ask", "look", "pay"}, Logged: []int{2, 5, 6, 9}}
	for name, test := range map[string]struct {
		part     memory.Part
		position int
		want     string
	}{
		"after a step":          {memory.PartAction, 2, "pay"},
		"after the first entry": {memory.PartEvent, 1, "look"},
		"between two steps":     {memory.PartEvent, 4, "ask"},
		"at a step in the log":  {memory.PartEvent, 6, "pay"},
		"after the last":        {memory.PartEvent, 12, "look"}, // nothing came after it, so any other
		"wherever":              {memory.PartThought, 1, "look"},
	} {
		t.Run(name, func(t *testing.T) {
			m := nextsteps.Moment{Last: []retrieval.Moment{found("a", test.part, test.position, 0.8)}, SoFar: []string{"unknown"}}
			assert.Equal(t, test.want, m.Steps([]*nextsteps.Trajectory{run})[0].Name)
		})
	}
}

func TestNothingFollowsWhatIsUnknown(t *testing.T) {
	t.Parallel()
	m := nextsteps.Moment{}
	assert.Empty(t, m.Episodes())
	assert.Empty(t, m.Steps(nil))
}

func TestUsualArguments(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []nextsteps.Argument{
		{Name: "cabin", Count: 3, Same: 2, Value: memory.JSON(`"economy"`)}, {Name: "id", Count: 2}, {Name: "note", Count: 1},
	}, nextsteps.Usual([]memory.JSON{
		memory.JSON(`{"arguments":{"id":"A","cabin":"economy"},"result":1}`), memory.JSON(`{"arguments":{"id":"B","cabin":"business"}}`),
		memory.JSON(`{"arguments":"{\"cabin\": \"economy\", \"note\": null}"}`), memory.JSON(`"just so"`), nil,
	}))
}
