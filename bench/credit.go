package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/ranking"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/store/sqlite"
)

// The world that credit is simulated in.
const (
	creditTasks  = 50  // types of task
	creditHints  = 3   // memories of each at the beginning, of which one misleads
	creditRounds = 12  // in each of which every type comes up once, a day apart
	creditLuck   = 0.1 // how often a run turns out otherwise than its memory deserves
	creditVotes  = 0.3 // how often somebody gives a thumb
	creditWorlds = 5   // that are averaged, each of a seed of its own
)

// learner is what a simulated fleet of agents says, and goes by.
type learner struct {
	name              string
	credits, feedback bool
}

var learners = []learner{{"neither", false, false}, {"feedback", false, true}, {"credit", true, false}, {"both", true, true}}

// credit simulates agents who do what they are told, and writes how often that is right, round by round.
func credit(ctx context.Context, _ []string) error {
	success := make([][]float64, len(learners))
	for i, l := range learners {
		success[i] = make([]float64, creditRounds)
		for seed := range creditWorlds {
			if err := simulate(ctx, l, uint64(seed), success[i]); err != nil {
				return err
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# What credit changes

A simulation: %d types of task with %d memories each, of which one misleads though it claims success. Each round every
type comes up once, a day after the round before. The agent recalls, does what the first hit that is no failure did, and records
the run. One in %d runs turns out otherwise than that deserves; %.0f %% get a thumb. Share of runs that succeed, over %d seeds:

    go run ./bench credit

| round |`, creditTasks, creditHints, int(1/creditLuck), 100*creditVotes, creditWorlds)
	for _, l := range learners {
		fmt.Fprintf(&b, " %s |", l.name)
	}
	b.WriteString("\n|---|---|---|---|---|\n")
	for round := range creditRounds {
		fmt.Fprintf(&b, "| %d |", round+1)
		for i := range learners {
			fmt.Fprintf(&b, " %.2f |", success[i][round]/(creditTasks*creditWorlds))
		}
		b.WriteString("\n")
	}
	return os.WriteFile("bench/CREDIT.md", []byte(b.String()), 0o644)
}

// simulate plays one world, and adds the runs that succeed to each round.
func simulate(ctx context.Context, l learner, seed uint64, success []float64) error {
	dir, err := os.MkdirTemp("", "mneme-credit-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	backend, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	if err != nil {
		return err
	}
	clock, random := time.Date(2026, time.January, 1, 9, 0, 0, 0, time.UTC), rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same draws each time
	svc := service.New(backend, service.WithClock(func() time.Time { return clock }))
	defer func() { _ = svc.Close(ctx); _ = backend.Close(ctx) }()
	tenant, err := svc.Tenant(access.With(ctx, access.Caller{Tenant: "credit", Role: access.Admin}))
	if err != nil {
		return err
	}
	w := creditWorld{ctx, tenant, l, random}
	for task := range creditTasks {
		misleads := random.IntN(creditHints)
		for hint := range creditHints {
			if _, err := w.record(task, hint != misleads, true, nil); err != nil {
				return err
			}
			clock = clock.Add(time.Minute)
		}
	}
	for round := range creditRounds {
		clock = clock.AddDate(0, 0, 1)
		for task := range creditTasks {
			succeeded, err := w.work(task)
			if err != nil {
				return err
			}
			if succeeded {
				success[round]++
			}
			clock = clock.Add(time.Minute)
		}
	}
	return nil
}

type creditWorld struct {
	context.Context
	*service.Tenant
	learner
	random *rand.Rand
}

// work does one task as memory says.
func (w creditWorld) work(task int) (succeeded bool, err error) {
	ranked := ranking.FeedbackOff
	if w.feedback {
		ranked = ranking.FeedbackFixed
	}
	found, err := w.Retrieval.Recall(w, boundary.RecallInput{Situation: situationOf(task), Ranking: &boundary.RankingInput{Feedback: &ranked}}, boundary.Include{})
	if err != nil {
		return false, err
	}
	right, informedBy := w.random.IntN(2) == 0, []string(nil)
	for _, hit := range found.Hits {
		if hit.Episode.Outcome != memory.OutcomeFailure {
			right = hit.Episode.Actions[0].StepName == "right"
			if w.credits {
				informedBy = []string{hit.Episode.Key}
			}
			break
		}
	}
	succeeded = right != (w.random.Float64() < creditLuck)
	key, err := w.record(task, right, succeeded, informedBy)
	if err != nil || w.random.Float64() >= creditVotes {
		return succeeded, err
	}
	vote := memory.FeedbackThumbsDown
	if succeeded {
		vote = memory.FeedbackThumbsUp
	}
	_, err = w.Reactions.SubmitFeedback(w, boundary.SubmitFeedbackInput{EpisodeID: &key, Type: vote})
	return succeeded, err
}

func situationOf(task int) string {
	const syllables = "ba co du fe gi ka lo mu ne pi"
	of := strings.Fields(syllables)
	return fmt.Sprintf("A case of %s%st%s has to be settled", of[task%10], of[task/10], of[(task*7)%10])
}

func (w creditWorld) record(task int, right, succeeded bool, informedBy []string) (string, error) {
	step, outcome := "wrong", memory.OutcomeFailure
	if right {
		step = "right"
	}
	if succeeded {
		outcome = memory.OutcomeSuccess
	}
	e, err := w.Episodes.RecordEpisode(w, boundary.RecordEpisodeInput{
		AgentID: "agent", Observation: situationOf(task), Actions: []boundary.ActionInput{{StepName: step}}, Outcome: &outcome,
		EpisodeExtras: boundary.EpisodeExtras{InformedBy: informedBy},
	}, boundary.Include{})
	if err != nil {
		return "", err
	}
	return e.Key, nil
}
