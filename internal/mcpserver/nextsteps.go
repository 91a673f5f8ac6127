package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/recalling"
)

var nextStepsTool = tool[nextStepsInput, nextStepsOutput]{
	name: "next_steps", title: "What worked next", hints: reads, rule: access.Reads.ForUsers(), core: true,
	about: "Call this in the middle of a task. What past episodes did next at a moment like this one, the most likely first, and how they turned out.",
	run:   nextSteps,
}

type nextStepsInput struct {
	Situation  string   `json:"situation" jsonschema:"What the task is, or what was said last."`
	LastStep   *string  `json:"lastStep,omitempty" jsonschema:"The last step: its name, and what came of it."`
	StepsSoFar []string `json:"stepsSoFar,omitempty" jsonschema:"The names of all steps, in order."`
	AgentID    *string  `json:"agentId,omitempty" jsonschema:"Only what this agent did."`
	TaskType   *string  `json:"taskType,omitempty" jsonschema:"Only of this task type."`
	boundary.UserFilter
	Outcome *memory.Outcome `json:"outcome,omitempty" jsonschema:"Only what ended so."`
	TopK    *int            `json:"topK,omitempty" jsonschema:"How many, 1 to 100; 5 by default."`
}

type nextStepsOutput struct {
	Steps []*recalling.NextStep `json:"steps" jsonschema:"None where nothing is like it."`
}

func nextSteps(ctx context.Context, tenant *service.Tenant, in nextStepsInput) (nextStepsOutput, error) {
	found, err := tenant.Retrieval.NextSteps(ctx, boundary.NextStepsInput{
		Situation: in.Situation, LastStep: in.LastStep, StepsSoFar: in.StepsSoFar, TopK: in.TopK,
		Filter: &boundary.EpisodeFilter{WorkFilter: boundary.WorkFilter{UserFilter: in.UserFilter, AgentID: in.AgentID, TaskType: in.TaskType, Outcome: in.Outcome}},
	})
	return nextStepsOutput{Steps: found}, err
}
