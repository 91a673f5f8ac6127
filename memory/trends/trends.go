package trends

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/stats"
)

// Bucket is the length of time that one point of a chart covers.
type Bucket string

// The closed set of buckets, in UTC. A week starts on Monday.
const (
	Hour Bucket = "HOUR"
	Day  Bucket = "DAY"
	Week Bucket = "WEEK"
)

// MaxPoints is the number of points that a chart has at most.
const MaxPoints = 1000

var bucketLengths = map[Bucket]time.Duration{
	Hour: time.Hour, Day: 24 * time.Hour, Week: 7 * 24 * time.Hour,
}

// Valid says whether the word is one of the closed set.
func (b Bucket) Valid() bool { return bucketLengths[b] > 0 }

// Start is the start of the bucket that holds an instant.
func (b Bucket) Start(at time.Time) time.Time {
	return at.UTC().Truncate(bucketLengths[b]) // counts from a Monday, the first of January of the year 1
}

// Counted is the length of time that episodes are counted by for a bucket: those of a week by the day.
func (b Bucket) Counted() time.Duration { return min(bucketLengths[b], bucketLengths[Day]) }

// Point is what happened within one bucket. What there is nothing to say of is nil.
type Point struct {
	At       time.Time `json:"at"`       // the start of the bucket
	Episodes int       `json:"episodes"` // that started in it
	// Succeeded and Failed are how many of those ended so; others have no outcome, or not yet. Tools are told the rate.
	Succeeded int `json:"-"`
	Failed    int `json:"-"`
	// Cost is what the episodes cost together, of those of which it is known.
	Cost float64 `json:"cost,omitempty"`
	// SuccessRate is the share of SUCCESS among the episodes of known outcome.
	SuccessRate *float64 `json:"successRate,omitempty"`
	// FeedbackScore is the mean score of all feedback on the episodes, in −1…1.
	FeedbackScore *float64 `json:"feedbackScore,omitempty" jsonschema:"-1 to 1."`
	// ApprovalRate is the share of APPROVE among the verdicts of judges, validation failures aside.
	ApprovalRate *float64 `json:"approvalRate,omitempty" jsonschema:"Of the verdicts of judges."`
	// JudgeScore is the mean of the scores that judges gave.
	JudgeScore *float64 `json:"judgeScore,omitempty"`
	// Iterations is the mean number of iterations until a section was approved.
	Iterations *float64 `json:"iterations,omitempty" jsonschema:"Until a section was approved."`
}

// Chart adds up episodes and verdicts for a chart.
type Chart struct {
	bucket Bucket
	given  bool      // where it starts, else with the first that is added
	since  time.Time // what was before does not count
	until  time.Time // the start of the last bucket
	counts map[time.Time]*trendCounts
}

// trendCounts are the sums of one bucket.
type trendCounts struct {
	episodes, succeeded, failed           int
	cost                                  float64
	feedback, approved, score, iterations stats.PlainMean
}

// NewChart starts a chart from an instant, inclusive, or from the first that is added and is no more than MaxPoints
// back, up to now. The first bucket is the whole one that since lies in, but what was before since does not count. It
// returns an INVALID_INPUT *memory.Error at "bucket" where there is no such bucket, and at "since" where the chart
// would have more than MaxPoints points.
func NewChart(bucket Bucket, since *time.Time, now time.Time) (*Chart, error) {
	if !bucket.Valid() {
		return nil, memory.Invalid("bucket", "must be HOUR, DAY or WEEK")
	}
	t := &Chart{bucket: bucket, until: bucket.Start(now), counts: map[time.Time]*trendCounts{}}
	if since == nil {
		t.since = t.until.Add(-(MaxPoints - 1) * bucketLengths[bucket])
		return t, nil
	}
	t.given, t.since = true, *since
	if points := t.until.Sub(bucket.Start(*since))/bucketLengths[bucket] + 1; points > MaxPoints {
		return nil, memory.Invalid("since", "%s buckets up to now are %d points; the most is %d: take a later start or a longer bucket",
			bucket, points, MaxPoints)
	}
	return t, nil
}

// Since is the earliest instant that counts.
func (t *Chart) Since() time.Time { return t.since }

// in gives the sums of an instant's bucket; nil where the chart does not reach it.
func (t *Chart) in(at time.Time) *trendCounts {
	start := t.bucket.Start(at)
	if start.Before(t.bucket.Start(t.since)) || start.After(t.until) {
		return nil
	}
	if t.counts[start] == nil {
		t.counts[start] = &trendCounts{}
	}
	return t.counts[start]
}

// AddEpisodes counts episodes by when they started, of which none is to be before Since.
func (t *Chart) AddEpisodes(added []*memory.EpisodeCount) {
	for _, e := range added {
		counts := t.in(e.At)
		if counts == nil {
			continue
		}
		counts.episodes += e.Episodes
		counts.cost += e.Cost
		switch e.Outcome {
		case memory.OutcomeSuccess:
			counts.succeeded += e.Episodes
		case memory.OutcomeFailure:
			counts.failed += e.Episodes
		}
		counts.feedback.Sum += e.FeedbackSum
		counts.feedback.Count += e.FeedbackCount
	}
}

// AddVerdict counts a judgement not before Since: whether it approves, after how many iterations, and its score.
func (t *Chart) AddVerdict(j *memory.Judgement) {
	counts := t.in(j.At)
	if counts == nil || j.Status == memory.VerdictValidationFail {
		return
	}
	approved := 0.0
	if j.Status == memory.VerdictApprove {
		approved = 1
		counts.iterations.Add(new(float64(j.Iteration + 1)))
	}
	counts.approved.Add(&approved)
	counts.score.Add(j.Score)
}

// Points is the chart: every bucket from the first to now in order, the empty ones too; no point where
// nothing was added and no start is given.
func (t *Chart) Points() []Point {
	points, first := []Point{}, t.bucket.Start(t.since)
	if !t.given {
		if len(t.counts) == 0 {
			return points
		}
		first = slices.MinFunc(slices.Collect(maps.Keys(t.counts)), time.Time.Compare)
	}
	for at := first; !at.After(t.until); at = at.Add(bucketLengths[t.bucket]) {
		counts := cmp.Or(t.counts[at], &trendCounts{})
		points = append(points, Point{
			At: at, Episodes: counts.episodes, Succeeded: counts.succeeded, Failed: counts.failed, Cost: counts.cost,
			SuccessRate:   stats.PlainMean{Sum: float64(counts.succeeded), Count: counts.succeeded + counts.failed}.Mean(),
			FeedbackScore: counts.feedback.Mean(),
			ApprovalRate:  counts.approved.Mean(), JudgeScore: counts.score.Mean(), Iterations: counts.iterations.Mean(),
		})
	}
	return points
}
