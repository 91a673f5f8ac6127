package recording_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/summary"
	"mneme/memory/trends"
	"mneme/service/boundary"
	"mneme/service/servicetest"
)

func TestConclusionRewritesWhatWasWrittenByRule(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	before, err := svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e1"), boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, memory.SegmentRest, before.Segments[0].Kind)

	after, err := svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{
		ID: "episode:e1", Outcome: memory.OutcomeSuccess, Result: new("refunded"), EndedAt: new(servicetest.Noon.Add(time.Minute)),
	}, boundary.Include{})
	require.NoError(t, err)
	require.NotEqual(t, before.Insight, after.Insight)
	require.Equal(t, summary.Insight(after), after.Insight)
	require.Equal(t, memory.SegmentTask, after.Segments[0].Kind)
	require.Equal(t, after.EndedAt, after.Segments[0].EndedAt)
}

func TestConclusionKeepsTheCallersInsight(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := servicetest.Refund("e1")
	input.Insight = new("Ask for the order first.")
	_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
	require.NoError(t, err)
	after, err := svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: "e1", Outcome: memory.OutcomeFailure}, boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, "Ask for the order first.", after.Insight)
}

func TestConclusionHappensOnce(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	_, err := svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e1"), boundary.Include{})
	require.NoError(t, err)
	early := boundary.ConcludeEpisodeInput{ID: "e1", Outcome: memory.OutcomeSuccess, EndedAt: new(time.Unix(0, 0))}
	_, err = svc.Episodes.ConcludeEpisode(t.Context(), early, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "endedAt")
	conclusion := boundary.ConcludeEpisodeInput{ID: "e1", Outcome: memory.OutcomeSuccess}
	_, err = svc.Episodes.ConcludeEpisode(t.Context(), conclusion, boundary.Include{})
	require.NoError(t, err)
	conclusion.Outcome = memory.OutcomeFailure
	_, err = svc.Episodes.ConcludeEpisode(t.Context(), conclusion, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeConflict, "id")
	conclusion.ID = "e2"
	_, err = svc.Episodes.ConcludeEpisode(t.Context(), conclusion, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeNotFound, "id")
	conclusion.Outcome = memory.OutcomeUnknown
	_, err = svc.Episodes.ConcludeEpisode(t.Context(), conclusion, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "outcome")
}

// Whoever did not hear that an episode was concluded may say it again: the same end answers what there is.
// Another end is a conflict.
func TestTheSameConclusionAgainAnswersWhatThereIs(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	_, err := svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e1"), boundary.Include{})
	require.NoError(t, err)
	conclusion := boundary.ConcludeEpisodeInput{
		ID: "e1", Outcome: memory.OutcomeSuccess, Result: new("Refunded <private>to Ann</private>."), Insight: new("Ask first."),
		Quality: new(0.25), Cost: new(2.5), EndedAt: new(servicetest.Noon.Add(time.Minute + 123*time.Microsecond)),
	}
	first, err := svc.Episodes.ConcludeEpisode(t.Context(), conclusion, boundary.Include{})
	require.NoError(t, err)
	for _, again := range []boundary.ConcludeEpisodeInput{conclusion, {ID: "episode:e1", Outcome: memory.OutcomeSuccess, Insight: new(" ")}} {
		e, err := svc.Episodes.ConcludeEpisode(t.Context(), again, boundary.Include{})
		require.NoError(t, err)
		require.Equal(t, first, e)
	}
	for field, change := range map[string]func(*boundary.ConcludeEpisodeInput){
		"outcome": func(i *boundary.ConcludeEpisodeInput) { i.Outcome = memory.OutcomeFailure },
		"result":  func(i *boundary.ConcludeEpisodeInput) { i.Result = new("Refused.") },
		"insight": func(i *boundary.ConcludeEpisodeInput) { i.Insight = new("Do not ask.") },
		"quality": func(i *boundary.ConcludeEpisodeInput) { i.Quality = new(0.5) },
		"cost":    func(i *boundary.ConcludeEpisodeInput) { i.Cost = new(0.5) },
		"endedAt": func(i *boundary.ConcludeEpisodeInput) { i.EndedAt = new(servicetest.Noon.Add(time.Hour)) },
	} {
		other := conclusion
		change(&other)
		_, err = svc.Episodes.ConcludeEpisode(t.Context(), other, boundary.Include{})
		require.Error(t, err, field)
		servicetest.RequireCode(t, err, memory.CodeConflict, "id")
	}
	kept, err := svc.Episodes.Get(t.Context(), "e1", boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, first, kept)
}

// What an episode cost is 0 or more, said when it is recorded or concluded; sums leave out where nobody said it.
func TestCostsAreAddedUp(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	costing := func(id string, cost float64) boundary.RecordEpisodeInput {
		input := servicetest.Refund(id)
		input.Cost, input.StartedAt = new(cost), new(servicetest.Noon)
		return input
	}
	for _, wrong := range []float64{-0.01, math.NaN(), math.Inf(1), memory.MaxCost + 1} {
		_, err := svc.Episodes.RecordEpisode(t.Context(), costing("e", wrong), boundary.Include{})
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, "cost")
		_, err = svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: "e", Outcome: memory.OutcomeSuccess, Cost: new(wrong)}, boundary.Include{})
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, "cost")
	}
	for _, input := range []boundary.RecordEpisodeInput{costing("free", 0), costing("dear", memory.MaxCost), costing("later", 7), servicetest.Refund("unknown")} {
		e, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
		require.NoError(t, err)
		require.Equal(t, input.Cost, e.Cost)
	}
	_, err := svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: "later", Outcome: memory.OutcomeSuccess, Cost: new(0.25)}, boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Episodes.RecordEpisode(t.Context(), boundary.RecordEpisodeInput{AgentID: "other", Observation: "o", EpisodeExtras: boundary.EpisodeExtras{Cost: new(3.0)}}, boundary.Include{})
	require.NoError(t, err)
	for agent, want := range map[string]float64{"support": memory.MaxCost + 0.25, "other": 3, "nobody": 0} {
		cost, err := svc.Learning.AgentCost(t.Context(), agent)
		require.NoError(t, err)
		require.Equal(t, want, cost, agent)
	}
	chart, err := svc.Learning.Trends(t.Context(), boundary.TrendsInput{Bucket: trends.Day})
	require.NoError(t, err)
	require.Len(t, chart, 1)
	require.Equal(t, memory.MaxCost+3.25, chart[0].Cost)
}

// Defaults are filled in before the hash, so that a client which spells them out sends the same record.
func TestTheSameContentIsTheSameRecord(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	first, err := svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e1"), boundary.Include{})
	require.NoError(t, err)
	again := servicetest.Refund("episode:e1")
	again.Outcome, again.AgentID = new(memory.OutcomeUnknown), "support"
	second, err := svc.Episodes.RecordEpisode(t.Context(), again, boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, first, second)

	again.Title = new("Another")
	_, err = svc.Episodes.RecordEpisode(t.Context(), again, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeConflict, "id")
}

func TestStartsAreNeverAfterEnds(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for name, test := range map[string]struct {
		started, ended *time.Time
		want           time.Time
	}{
		"neither: now":                     {nil, nil, servicetest.Noon},
		"an end in the past: the end":      {nil, new(servicetest.Noon.Add(-time.Hour)), servicetest.Noon.Add(-time.Hour)},
		"an end in the future: now":        {nil, new(servicetest.Noon.Add(time.Hour)), servicetest.Noon},
		"a start: the start":               {new(servicetest.Noon.Add(-time.Hour)), nil, servicetest.Noon.Add(-time.Hour)},
		"more precise than a millisecond":  {new(servicetest.Noon.Add(1999 * time.Microsecond)), nil, servicetest.Noon.Add(time.Millisecond)},
		"in another zone: the same moment": {new(servicetest.Noon.In(time.FixedZone("", 7200))), nil, servicetest.Noon},
	} {
		t.Run(name, func(t *testing.T) {
			input := servicetest.Refund(name)
			input.StartedAt, input.EndedAt = test.started, test.ended
			episode, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
			require.NoError(t, err)
			require.Equal(t, test.want, episode.StartedAt)
			require.Equal(t, test.ended, episode.EndedAt)
		})
	}
}

func TestPrivateSpansNeverReachTheStore(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := servicetest.Refund("e1")
	input.Observation = "The card is <private>4111 1111</private>, thanks"
	input.Thoughts = []string{"<private>hm</private>"}
	input.Metadata = memory.JSON(`{"note":"pin <private>1234"}`)
	episode, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, "The card is [private], thanks", episode.Observation)
	require.Equal(t, []string{"[private]"}, episode.Thoughts)
	require.JSONEq(t, `{"note":"pin [private]"}`, string(episode.Metadata))
	require.NotContains(t, episode.Title+episode.Insight, "4111")
	require.Equal(t, []memory.Redaction{{Kind: "private", Count: 3}}, episode.Receipt.Redactions)
}

func TestBatchesReportEachItem(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	bad, taken := servicetest.Refund("e2"), servicetest.Refund("e1")
	bad.Observation = " "
	taken.Title = new("Another")
	result, err := svc.Episodes.RecordEpisodes(t.Context(), boundary.RecordEpisodesInput{
		Episodes: []boundary.RecordEpisodeInput{servicetest.Refund("e1"), bad, taken, servicetest.Refund("e3")},
	})
	require.NoError(t, err)
	require.Equal(t, 2, result.Succeeded)
	require.Equal(t, 2, result.Failed)
	require.Equal(t, []*string{new("episode:e1"), nil, nil, new("episode:e3")}, result.IDs)
	require.Equal(t, []int{1, 2}, []int{result.Errors[0].Index, result.Errors[1].Index})
	require.Equal(t, []memory.Code{memory.CodeInvalidInput, memory.CodeConflict}, []memory.Code{result.Errors[0].Code, result.Errors[1].Code})

	_, err = svc.Episodes.RecordEpisodes(t.Context(), boundary.RecordEpisodesInput{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "episodes")
}
