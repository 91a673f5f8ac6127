package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/memory/access"
)

// Rules say for each tool, by its name, who may call it. Resources, prompts and the lists of what there is are Others.
func Rules() map[string]access.Rule {
	rules := make(map[string]access.Rule, len(tools))
	for _, tool := range tools {
		of := tool.traits()
		rules[of.name] = of.rule
	}
	return rules
}

// Others is the rule of all that is no tool: resources, prompts, and the lists of them and of tools.
var Others = access.Reads.ForUsers()

// mayCall says whether whoever asks may ask for this.
func (d backend) mayCall(ctx context.Context, method string, request mcp.Request) error {
	if call, ok := request.(*mcp.CallToolRequest); ok {
		if rule, ruled := d.rules[call.Params.Name]; ruled {
			return rule.Check(ctx, call.Params.Name)
		}
	} // there is no such tool, which is said to whoever may ask at all
	return Others.Check(ctx, method)
}

// offered is a list of tools without those that whoever asks may not call.
func (d backend) offered(ctx context.Context, result mcp.Result) mcp.Result {
	list, ok := result.(*mcp.ListToolsResult)
	if caller := access.Of(ctx); !ok || caller.Role.May(access.Administer) && caller.User == "" {
		return result
	}
	may := *list
	may.Tools = make([]*mcp.Tool, 0, len(list.Tools))
	for _, tool := range list.Tools {
		if d.rules[tool.Name].Check(ctx, tool.Name) == nil {
			may.Tools = append(may.Tools, tool)
		}
	}
	return &may
}
