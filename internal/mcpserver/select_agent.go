package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
)

var selectAgentTool = tool[selectAgentInput, selectAgentOutput]{
	name: "select_agent", title: "Choose an agent", hints: reads,
	about: "Call this before handing a task to another agent. Answers which one should do it, by how it did that type of task before, with the reasons in words.",
	run:   selectAgent,
}

type selectAgentInput struct {
	TaskType  string     `json:"taskType" jsonschema:"The type of task, exactly as record_episode and record_execution name it; one that an agent has done, or explore to be given any agent."`
	Situation *string    `json:"situation,omitempty" jsonschema:"The task at hand in plain words: what came of similar ones refines the choice."`
	Explore   *bool      `json:"explore,omitempty" jsonschema:"True chooses the agent that could be the best for all that is known, among all agents, so that something is learnt."`
	AsOf      *time.Time `json:"asOf,omitempty" jsonschema:"Answers as of this instant: only what was known then."`
}

type selectAgentOutput struct {
	AgentID    string       `json:"agentId"`
	Rank       int          `json:"rank" jsonschema:"Its place among the agents, from 1."`
	Score      float64      `json:"score" jsonschema:"What it is ranked by, 0 to 1: expertise times confidence; with a situation the quality to be expected there."`
	Expertise  float64      `json:"expertise" jsonschema:"How well it did that type of task lately, 0 to 1; 0 where it never did."`
	Confidence float64      `json:"confidence" jsonschema:"How much is known of that, 0 to 1; 0 where it never did."`
	Profile    *profileBody `json:"profile,omitempty" jsonschema:"What its work of that type adds up to; left out where it never did any."`
	Reasons    []string     `json:"reasons" jsonschema:"Why it was chosen, in words."`
}

func selectAgent(ctx context.Context, tenant *service.Tenant, in selectAgentInput) (selectAgentOutput, error) {
	task := service.SelectionInput{TaskType: in.TaskType, Situation: in.Situation, AsOf: in.AsOf}
	choice, err := tenant.Learning.SelectAgent(ctx, task, in.Explore != nil && *in.Explore)
	if err != nil {
		return selectAgentOutput{}, err
	}
	output := selectAgentOutput{
		AgentID: memory.NodeID(memory.KindAgent, choice.AgentKey), Rank: choice.Rank, Score: choice.Score,
		Expertise: choice.Expertise, Confidence: choice.Confidence, Reasons: orNone(choice.Reasons),
	}
	if choice.Profile != nil {
		profile := bodyOfProfile(tenant, choice.Profile)
		output.Profile = &profile
	}
	return output, nil
}
