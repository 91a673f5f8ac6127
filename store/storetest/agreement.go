package storetest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/memory/summary"
	"mneme/store"
)

// RunAgreement compares the first five of recalls, of pools as the service asks for them, with those of ranking
// everything that matches by the same scores. MNEME_TEST_AGREEMENT multiplies the data, which is little as it is.
func RunAgreement(t *testing.T, open func(t *testing.T) store.Backend) {
	times := 1
	if text := os.Getenv("MNEME_TEST_AGREEMENT"); text != "" {
		var err error
		times, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	t.Run("generated", func(t *testing.T) {
		m, crowd := bind(t, open(t), randomTenant()), Crowd{Size: 1200 * times}
		m.NoError(crowd.Record(m.ctx(), m.Store, func(int) {}))
		situations := []string{""}
		for i := range 12 { // enough that one miss in a hundred can be told
			usual, _ := crowd.Situation(i, 30)
			situations = append(situations, usual, crowd.CommonSituation(i, 8), crowd.CommonSituation(i, 20))
		}
		m.requireAgreement(situations, crowdRecalls)
	})
	t.Run("airline", func(t *testing.T) {
		runs := airlineRuns(t)
		m := bind(t, open(t), randomTenant())
		recordNoisyRuns(m, runs, 5*times)
		var situations []string
		for i := 0; i < len(runs); i += 20 {
			situations = append(situations, runs[i].Info.Task.Instruction)
		}
		m.requireAgreement(situations, crowdRecalls)
	})
}

// recallClass is a kind of recalls whose agreement is reported apart.
type recallClass struct {
	name    string
	filter  store.EpisodeFilter
	asOf    *time.Time
	weights ranking.Weights
}

var crowdRecalls = []recallClass{
	{name: "plain", weights: ranking.DefaultWeights.WithoutContext()},
	{name: "boosted", weights: ranking.DefaultWeights},
	{name: "filtered, 1 %", weights: ranking.DefaultWeights, filter: store.EpisodeFilter{Agent: new("agent 7")}},
	{name: "filtered, 0.01 %", weights: ranking.DefaultWeights, filter: store.EpisodeFilter{TaskType: Crowd{Size: 1}.Episode(7).Episode.TaskType}},
	{name: "filtered, half", weights: ranking.DefaultWeights, filter: store.EpisodeFilter{Outcome: new(memory.OutcomeFailure)}},
	{name: "as of an instant", weights: ranking.DefaultWeights, asOf: new(CrowdNow.Add(-100 * 24 * time.Hour))},
}

// requireAgreement recalls in every situation by every class.
func (m *tenant) requireAgreement(situations []string, classes []recallClass) {
	m.t.Helper()
	for _, class := range classes {
		agreeing, wanted, matching := 0, 0, 0
		for _, situation := range situations {
			query := store.RecallQuery{
				Text: situation, Filter: class.filter, AsOf: class.asOf, Weights: class.weights, Now: valueOr(class.asOf, CrowdNow),
			}
			all := m.everyCandidate(query)
			query.Limit, query.Top = 256, 5
			pool := m.recall(query)
			want := candidateKeys(unranked(ranked(query, all, 5)))
			got := candidateKeys(unranked(ranked(query, pool.Items, 5)))
			for _, key := range want {
				for _, other := range got {
					if key == other {
						agreeing++
					}
				}
			}
			wanted, matching = wanted+len(want), matching+len(all)
			if !pool.Approximate {
				m.Equal(want, got, "%s: %q", class.name, situation)
			}
		}
		if logs, can := m.t.(testing.TB); can {
			logs.Logf("%s: %d of %d agree, where %d match in the mean", class.name, agreeing, wanted, matching/len(situations))
		}
		m.GreaterOrEqual(float64(agreeing), 0.99*float64(wanted), class.name)
	}
}

// ranked ranks as the service does.
func ranked(query store.RecallQuery, candidates []ranking.Candidate, k int) []ranking.Ranked {
	candidates = slices.DeleteFunc(slices.Clone(candidates), query.Faint(slices.Values(candidates)))
	return ranking.Rank(candidates, query.Weights, query.Now, k)
}

func unranked(ranked []ranking.Ranked) []ranking.Candidate {
	candidates := make([]ranking.Candidate, len(ranked))
	for i, r := range ranked {
		candidates[i] = r.Candidate
	}
	return candidates
}

// everyCandidate gives all that is ranked: in one pool, or where a store does not answer so large a one, in pools
// of what began in short spans, which the filter leaves without moving a score.
func (m *tenant) everyCandidate(query store.RecallQuery) []ranking.Candidate {
	m.t.Helper()
	query.Limit, query.Top = everything.Limit, 0
	whole := m.recall(query)
	if !whole.Approximate {
		return whole.Items
	}
	all := m.everyCandidateOf(query, CrowdNow.Add(-crowdSpan-24*time.Hour), CrowdNow)
	if matched := matched(all); len(matched) > 0 {
		return nearestOrWorded(matched)
	}
	return all
}

// nearestOrWorded leaves what matches by words, and of what matches by meaning alone as many of the nearest as a recall looks for: each span
// of everyCandidateOf has its own.
func nearestOrWorded(all []ranking.Candidate) []ranking.Candidate {
	slices.SortFunc(all, func(a, b ranking.Candidate) int { return cmp.Compare(b.Match.Meaning, a.Match.Meaning) })
	kept := slices.Clone(all[:min(len(all), store.NearestMatches)])
	for _, c := range all[len(kept):] {
		if c.Match.Words > 0 {
			kept = append(kept, c)
		}
	}
	return kept
}

// everyCandidateOf gives the candidates among what began in a span, which it halves until pools hold all.
func (m *tenant) everyCandidateOf(query store.RecallQuery, since, until time.Time) []ranking.Candidate {
	m.t.Helper()
	query.Filter.Since, query.Filter.Until = &since, &until
	pool := m.recall(query)
	if !pool.Approximate {
		return pool.Items
	}
	m.Greater(until.Sub(since), time.Minute, "no more than a few began within a minute")
	half := since.Add(until.Sub(since) / 2)
	return append(m.everyCandidateOf(query, since, half), m.everyCandidateOf(query, half, until)...)
}

func matched(all []ranking.Candidate) (matched []ranking.Candidate) {
	for _, c := range all {
		if c.Semantic() > 0 {
			matched = append(matched, c)
		}
	}
	return matched
}

// recordNoisyRuns records the runs so many times, each time with a few other words, by the agents, of the task
// types and in the contexts of a crowd, over the year before CrowdNow.
func recordNoisyRuns(m *tenant, runs []airlineRun, times int) {
	m.t.Helper()
	crowd := Crowd{Size: len(runs) * times}
	for round := range times {
		var episodes []store.EpisodeRecord
		var actions []store.CanvasActionRecord
		var feedback []store.FeedbackRecord
		for i, run := range runs {
			number := round*len(runs) + i
			record := crowd.Episode(number)
			noise := crowdText(crowdRandom("noise", number), 10)
			record.Episode.Observation = strings.Join([]string{run.Info.Task.Instruction, noise}, " ")
			record.Episode.Title = fmt.Sprintf("airline task %d", run.Task)
			episodes = append(episodes, record)
			shown, said := crowd.Context(number)
			actions, feedback = append(actions, shown...), append(feedback, said...)
		}
		m.NoError(fault(m.RecordEpisodes(m.ctx(), episodes)))
		m.NoError(fault(m.RecordCanvasActions(m.ctx(), actions)))
		m.NoError(fault(m.RecordFeedback(m.ctx(), feedback)))
	}
}

// airlineRun is what tests take from a run of tau-bench.
type airlineRun struct {
	Task  int `json:"task_id"`
	Trial int
	Info  struct {
		Task struct{ Instruction string }
	}
}

// airlineRuns reads the gpt-4o runs of the airline domain of tau-bench, or leaves the test out where they are missing.
func airlineRuns(t testing.TB) (runs []airlineRun) {
	t.Helper()
	path := filepath.Join(cmp.Or(os.Getenv("MNEME_TEST_DATA"), "../../../shared/data"), "tau-bench", "gpt-4o-airline.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("MNEME_TEST_DATA") == "" {
		t.Skipf("left out: there is no %s; MNEME_TEST_DATA says where the data is", path)
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &runs))
	return runs
}

// RunAirline recalls by the instruction of each task of the airline runs, which should find its four trials first.
func RunAirline(t *testing.T, open func(t *testing.T) store.Backend) {
	runs := airlineRuns(t)
	m := bind(t, open(t), randomTenant())
	var records []store.EpisodeRecord
	for i, run := range runs { // as the importer records them, as far as recall looks at them
		records = append(records, store.EpisodeRecord{Episode: memory.Episode{
			Key: fmt.Sprintf("%d/%d", run.Task, run.Trial), AgentKey: "gpt-4o", Title: summary.Title(run.Info.Task.Instruction),
			Outcome: memory.OutcomeUnknown, Observation: run.Info.Task.Instruction, StartedAt: time.UnixMilli(int64(i)).UTC(),
		}})
	}
	m.NoError(fault(m.RecordEpisodes(m.ctx(), records)))
	weights := ranking.DefaultWeights
	weights.Temporal, weights.Feedback = 0, ranking.FeedbackOff
	found, wanted := 0, 0
	for _, run := range runs {
		if run.Trial != 0 {
			continue
		}
		pool := m.recall(store.RecallQuery{Text: run.Info.Task.Instruction, Limit: 256})
		wanted += 4
		for _, hit := range ranking.Rank(pool.Items, weights, time.Now(), 4) {
			if strings.HasPrefix(hit.Key, fmt.Sprintf("%d/", run.Task)) {
				found++
			}
		}
	}
	t.Logf("of the best four of %d tasks %d of %d are trials of the task", wanted/4, found, wanted)
	require.GreaterOrEqual(t, float64(found), 0.97*float64(wanted))
}
