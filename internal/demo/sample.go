package demo

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"time"

	"mneme/service/boundary"
)

// Examples are questions that the sample answers well: GraphQL documents, each under a comment that says what it asks.
//
//go:embed examples.graphql
var Examples string

// sampleText is the sample as its last day were the one before sampleAnchor.
//
//go:embed sample.json
var sampleText []byte

var (
	sampleAnchor = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	sampleTimes  = regexp.MustCompile(`"1999-\d\d-\d\dT[\d:.]+Z"`)
)

// Sample is the made-up memory, in the order in which it is recorded: episodes mention concepts, and what was shown and
// what people said comes before the episodes of its session, as it does where people work.
type Sample struct {
	Agents       []struct{ ID, Name string }
	Memoirs      []boundary.CreateMemoirInput
	Concepts     []boundary.AddConceptInput
	Refinements  []boundary.RefineConceptInput
	Relations    []boundary.LinkConceptsInput
	Observations []boundary.RecordObservationInput
	Corrections  []boundary.RecordCorrectionInput
	Actions      []boundary.CanvasActionInput
	Feedback     []boundary.SubmitFeedbackInput
	Episodes     []boundary.RecordEpisodeInput
	Runs         []boundary.CaptureRunInput
	Verdicts     []boundary.RecordVerdictInput
	// Labels are what people say of some of the verdicts.
	Labels []boundary.LabelVerdictInput
	// Completed are the runs of judged work that are done; the last one is still being worked on.
	Completed []boundary.CompleteRunInput
}

// NewSample is the sample whose last day is the one before the given instant. Apart from its times it is the same for
// every instant.
func NewSample(lastDay time.Time) (*Sample, error) {
	shift := lastDay.UTC().Truncate(24 * time.Hour).Sub(sampleAnchor)
	text := sampleTimes.ReplaceAllFunc(sampleText, func(quoted []byte) []byte {
		var at time.Time
		if err := json.Unmarshal(quoted, &at); err != nil {
			return quoted
		}
		return []byte(at.Add(shift).Format(`"` + time.RFC3339Nano + `"`))
	})
	sample := &Sample{}
	return sample, json.Unmarshal(text, sample)
}

// starts gives when each episode of the sample starts, by key.
func (s *Sample) starts() map[string]time.Time {
	starts := map[string]time.Time{}
	for _, episode := range s.Episodes {
		starts[*episode.ID] = *episode.StartedAt
	}
	for _, run := range s.Runs {
		starts[run.RunID] = run.Events[0].At
	}
	return starts
}
