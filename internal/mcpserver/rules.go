package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/memory/access"
)

// Rules say for each tool, by its name, who may call it. A tool without one is not served. Resources,
// prompts and the lists of what there is are Others.
func Rules() map[string]access.Rule {
	rules := map[string]access.Rule{
		"recall": access.Reads, "next_steps": access.Reads, "feedback_search": access.Reads, "feedback_stats": access.Reads, "search_observations": access.Reads,
		"get_observations": access.Reads, "memoir_list": access.Reads, "memoir_search": access.Reads, "memoir_inspect": access.Reads,
		"search": access.Reads, "neighbourhood": access.Reads, "select_agent": access.Reads, "guidance": access.Reads,
		"canvas_insights": access.Reads, "graduation": access.Reads, "trends": access.Reads,

		"record_episode": access.Records, "conclude_episode": access.Records, "capture_run": access.Records,
		"record_canvas_actions": access.Records, "submit_feedback": access.Records, "feedback_record": access.Records,
		"record_observation": access.Records, "memoir_create": access.Records, "memoir_add_concept": access.Records,
		"memoir_refine": access.Records.AndWith("purge: true", access.Administer), "memoir_link": access.Records,
		"record_execution": access.Records, "record_verdict": access.Records, "complete_run": access.Records,

		"backfill":         access.Reads.AndWith("without waiting", access.Record),
		"judge_tendencies": access.Reads.AndWith("with a label: writer; with a threshold, or remove", access.Administer),
		"consolidate":      access.Reads.AndWith("dryRun: false", access.Administer),
		"forget_record":    access.Administers,
	}
	for _, name := range []string{
		"recall", "next_steps", "search", "search_observations", "get_observations", "memoir_list", "memoir_search", "memoir_inspect", "record_episode",
		"conclude_episode", "capture_run", "record_canvas_actions", "submit_feedback", "record_observation", "forget_record",
	} {
		rules[name] = rules[name].ForUsers()
	}
	return rules
}

// Others is the rule of all that is no tool: resources, prompts, and the lists of them and of tools.
var Others = access.Reads.ForUsers()

// mayCall says whether whoever asks may ask for this.
func (c calls) mayCall(ctx context.Context, method string, request mcp.Request) error {
	if call, ok := request.(*mcp.CallToolRequest); ok {
		if rule, ruled := c.rules[call.Params.Name]; ruled {
			return rule.Check(ctx, call.Params.Name)
		}
	} // there is no such tool, which is said to whoever may ask at all
	return Others.Check(ctx, method)
}

// offered is a list of tools without those that whoever asks may not call.
func (c calls) offered(ctx context.Context, result mcp.Result) mcp.Result {
	list, ok := result.(*mcp.ListToolsResult)
	if caller := access.Of(ctx); !ok || caller.Role.May(access.Administer) && caller.User == "" {
		return result
	}
	may := *list
	may.Tools = make([]*mcp.Tool, 0, len(list.Tools))
	for _, tool := range list.Tools {
		if c.rules[tool.Name].Check(ctx, tool.Name) == nil {
			may.Tools = append(may.Tools, tool)
		}
	}
	return &may
}
