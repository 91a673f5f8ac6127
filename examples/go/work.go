package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/Khan/genqlient/graphql"

	"mneme/examples/go/mneme"
)

const (
	agent     = "go-example"
	situation = "A customer wants a refund for a kettle that leaks, bought 12 days ago."
)

// work is one task of the agent, from the memory to the memory.
func work(ctx context.Context, client graphql.Client) error {
	if err := recall(ctx, client, "Before the task"); err != nil {
		return err
	}
	// An id of one's own makes it safe to send something again after a broken connection.
	run := fmt.Sprintf("%s-%d", agent, time.Now().UnixNano())
	for _, tell := range []func(context.Context, graphql.Client, string) error{record, show, react, conclude} {
		if err := tell(ctx, client, run); err != nil {
			return err
		}
	}
	return recall(ctx, client, "After the task")
}

// recall asks what came of situations like this one, and why each answer is there.
func recall(ctx context.Context, client graphql.Client, when string) error {
	answer, err := mneme.Recall(ctx, client, agent, situation)
	if err != nil {
		return fmt.Errorf("recall: %w", err)
	}
	fmt.Printf("%s, hits: %d\n", when, len(answer.Recall.Hits))
	for _, hit := range answer.Recall.Hits {
		episode := hit.Episode
		fmt.Printf("%d. %s of %s: %s\n", hit.Rank, episode.Id, episode.StartedAt.Format(time.DateOnly), episode.Outcome)
		for _, reason := range hit.Reasons {
			fmt.Println("   -", reason)
		}
	}
	if answer.Recall.Lessons != "" {
		fmt.Printf("For the prompt:\n%s\n\n", answer.Recall.Lessons)
	}
	return nil
}

// record tells what the agent thinks and does, while nobody knows how it ends.
func record(ctx context.Context, client graphql.Client, run string) error {
	answer, err := mneme.RecordEpisode(ctx, client, run, agent, "refund_request", situation,
		[]string{"The policy decides, so I read it first."},
		[]mneme.ActionInput{
			{StepName: "read_policy", Result: json.RawMessage(`{"days": 30}`)},
			{StepName: "propose_refund", Result: json.RawMessage(`{"amount": 39.9, "currency": "EUR"}`)},
		})
	if err != nil {
		return fmt.Errorf("record the episode: %w", err)
	}
	fmt.Println("Recorded", answer.RecordEpisode.Episode.Id)
	return nil
}

// show tells that the person saw a form and submitted it.
func show(ctx context.Context, client graphql.Client, run string) error {
	shown := mneme.CanvasActionInput{
		CanvasId: run + "-form", EpisodeId: &run, CanvasType: "forms",
		Action: mneme.CanvasActionKindPresent, Metadata: json.RawMessage(`{"title": "Refund"}`),
	}
	submitted := shown
	submitted.Action, submitted.Metadata = mneme.CanvasActionKindSubmit, nil
	answer, err := mneme.RecordCanvasActions(ctx, client, []mneme.CanvasActionInput{shown, submitted})
	if err != nil {
		return fmt.Errorf("record canvas actions: %w", err)
	}
	// A batch goes on past an item that fails, and says so in its answer.
	for _, fault := range answer.RecordCanvasActions.Result.Errors {
		return fmt.Errorf("canvas action %d: %s (%s)", fault.Index, fault.Message, fault.Code)
	}
	fmt.Println("Canvas actions:", answer.RecordCanvasActions.Result.Succeeded)
	return nil
}

// react tells what the person thought of it.
func react(ctx context.Context, client graphql.Client, run string) error {
	answer, err := mneme.SubmitFeedback(ctx, client, run+"-liked", run, mneme.FeedbackTypeThumbsUp)
	if err != nil {
		return fmt.Errorf("submit feedback: %w", err)
	}
	if score := answer.SubmitFeedback.AggregateFeedbackScore; score != nil {
		fmt.Printf("Feedback: %+.1f\n", *score)
	}
	return nil
}

// conclude tells how it ended.
func conclude(ctx context.Context, client graphql.Client, run string) error {
	answer, err := mneme.ConcludeEpisode(ctx, client, run, mneme.OutcomeSuccess, "Refunded in full.")
	if err != nil {
		return fmt.Errorf("conclude the episode: %w", err)
	}
	fmt.Printf("Ended in %s. %s\n\n", answer.ConcludeEpisode.Episode.Outcome, answer.ConcludeEpisode.Episode.Insight)
	return nil
}
