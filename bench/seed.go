package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/tenancy"
)

// epoch is when the first episode of the sample started; each of the others a minute after the one before.
var epoch = time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC)

func episodeKey(i int) string { return fmt.Sprintf("bench-%05d", i) }

// seed records the sample through the service, as a client would. What is there already stays.
func seed(ctx context.Context, tenant *service.Tenant, episodes int) error {
	const batch = 250
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for start := 0; start < episodes; start += batch {
		group.Go(func() error { return seedBatch(ctx, tenant, start, min(start+batch, episodes)) })
	}
	return group.Wait()
}

func seedBatch(ctx context.Context, tenant *service.Tenant, from, to int) error {
	var episodes boundary.RecordEpisodesInput
	var actions boundary.RecordCanvasActionsInput
	for i := from; i < to; i++ {
		episodes.Episodes = append(episodes.Episodes, sampleEpisode(i))
		for c := range 3 {
			actions.Actions = append(actions.Actions, sampleCanvas(i, c)...)
		}
	}
	if err := whole(tenant.Episodes.RecordEpisodes(ctx, episodes)); err != nil {
		return err
	}
	for start := 0; start < len(actions.Actions); start += boundary.MaxList {
		part := actions.Actions[start:min(start+boundary.MaxList, len(actions.Actions))]
		if err := whole(tenant.Reactions.RecordCanvasActions(ctx, boundary.RecordCanvasActionsInput{Actions: part})); err != nil {
			return err
		}
	}
	for i := from; i < to; i++ {
		for f := range 2 {
			if _, err := tenant.Reactions.SubmitFeedback(ctx, sampleFeedback(i, f)); err != nil {
				return err
			}
		}
	}
	return nil
}

func whole(result *tenancy.BatchResult, err error) error {
	if err == nil && result.Failed > 0 {
		err = fmt.Errorf("item %d: %s", result.Errors[0].Index, result.Errors[0].Message)
	}
	return err
}

func sampleEpisode(i int) boundary.RecordEpisodeInput {
	started := epoch.Add(time.Duration(i) * time.Minute)
	outcome := []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure}[i%2]
	return boundary.RecordEpisodeInput{
		ID: to(episodeKey(i)), AgentID: fmt.Sprintf("agent-%d", i%10), SessionID: to(fmt.Sprintf("session-%d", i/5)),
		TaskType: to("reconciliation"), Title: to(fmt.Sprintf("Reconcile account %d", i)),
		Observation: fmt.Sprintf("The ledger of account %d differs from the bank statement by %d.%02d euros after the close of the month.", i, i%900, i%100),
		Thoughts:    []string{"Compare the entries day by day.", "The difference equals one missing transfer."},
		Actions: []boundary.ActionInput{
			{StepName: "load_ledger", Result: memory.JSON(`{"rows":412}`)},
			{StepName: "match_entries", Result: memory.JSON(`{"unmatched":1}`)},
		},
		Result: to("The missing transfer was booked."), Outcome: &outcome, EpisodeExtras: boundary.EpisodeExtras{Insight: to("Transfers on the last day arrive late.")},
		StartedAt: &started, EndedAt: to(started.Add(40 * time.Second)),
	}
}

func sampleCanvas(i, c int) []boundary.CanvasActionInput {
	shown := epoch.Add(time.Duration(i)*time.Minute + time.Duration(5+10*c)*time.Second)
	action := boundary.CanvasActionInput{
		CanvasID: fmt.Sprintf("%s-%d", episodeKey(i), c), EpisodeID: to(episodeKey(i)),
		CanvasType: memory.CanvasCharts, ComponentType: to([]string{"bar_chart", "line_chart", "table"}[c]),
		Action: memory.CanvasPresent, Metadata: memory.JSON(`{"title":"Unmatched entries"}`), At: &shown,
	}
	closed := action
	closed.Action, closed.Metadata, closed.At = memory.CanvasClose, nil, to(shown.Add(8*time.Second))
	return []boundary.CanvasActionInput{action, closed}
}

func sampleFeedback(i, f int) boundary.SubmitFeedbackInput {
	given := epoch.Add(time.Duration(i)*time.Minute + time.Duration(50+f)*time.Second)
	feedback := boundary.SubmitFeedbackInput{
		ID: to(fmt.Sprintf("%s-%d", episodeKey(i), f)), EpisodeID: to(episodeKey(i)),
		Type: memory.FeedbackRating, Rating: to(1 + (i+f)%5), CreatedBy: to("pat"), At: &given,
	}
	if f == 1 {
		feedback.Type, feedback.Rating = memory.FeedbackThumbsUp, nil
		feedback.Corrections = to("Say which bank the statement is from.")
	}
	return feedback
}

func to[T any](value T) *T { return &value }
