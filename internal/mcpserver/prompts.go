package mcpserver

import (
	"context"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/memory"
	"mneme/service/boundary"
)

// addPrompts adds what people can put before a task by hand.
func (d backend) addPrompts(server *mcp.Server) {
	server.AddPrompt(&mcp.Prompt{
		Name: "lessons", Title: "Lessons from similar work",
		Description: "What past work of this kind teaches, with how it ended and what people corrected, as text to start a task with.",
		Arguments: []*mcp.PromptArgument{
			{Name: "situation", Title: "Situation", Description: "The task at hand, in plain words.", Required: true},
			{Name: "agentId", Title: "Agent", Description: "Only what this agent did."},
			{Name: "taskType", Title: "Task type", Description: "Only of exactly this task type."},
			{Name: "maxTokens", Title: "Length", Description: "How long the lessons may be, in tokens; 1,000 where it is left out."},
		},
	}, ofProtocol(d, "prompt", d.lessons))
}

func (d backend) lessons(ctx context.Context, request *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	input, err := lessonsInput(request.Params.Arguments)
	if err != nil {
		return nil, err
	}
	tenant, err := d.service.Tenant(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := recall(ctx, tenant, input)
	if err != nil {
		return nil, err
	}
	return &mcp.GetPromptResult{
		Description: "Lessons for: " + short(input.Situation),
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: promptOf(input.Situation, answer)}}},
	}, nil
}

// lessonsInput reads a prompt's arguments, which are texts. An empty one is as good as none, since hosts
// send the fields that nobody filled in.
func lessonsInput(arguments map[string]string) (recallInput, error) {
	in := recallInput{RecallInput: boundary.RecallInput{Situation: arguments["situation"]}}
	if in.Situation == "" {
		return in, memory.Invalid("situation", "is missing; say in plain words what the task is")
	}
	for name, field := range map[string]**string{"agentId": &in.AgentID, "taskType": &in.TaskType} {
		if value := arguments[name]; value != "" {
			*field = &value
		}
	}
	if text := arguments["maxTokens"]; text != "" {
		tokens, err := strconv.Atoi(text)
		if err != nil {
			tokens = 0 // which is refused; a number that is too large would be read as the largest
		}
		if err := memory.CheckTokens("maxTokens", tokens); err != nil {
			return in, err
		}
		in.MaxTokens = &tokens
	}
	return in, nil
}

// promptOf writes the text: the task, what past work teaches, and what people put right.
func promptOf(situation string, answer recallOutput) string {
	text := "The task: " + situation + "\n\n"
	if answer.Lessons == "" && len(answer.Corrections) == 0 {
		return text + "There is no past work to learn from yet. Record this one with record_episode when it is done."
	}
	text += answer.Lessons
	if len(answer.Corrections) > 0 {
		text += "\n\nWhat people put right before:\n"
		for _, hit := range answer.Corrections {
			text += "- " + hit.Snippet + "\n"
		}
	}
	return text
}
