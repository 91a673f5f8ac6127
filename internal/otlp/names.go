package otlp

import "slices"

// The attributes that are read, by what they say. Of several the first that says something counts: what is
// mneme's own, the GenAI conventions (1.36 to 1.41 and the repository they moved to), then OpenInference,
// OpenLLMetry, Pydantic AI, Vercel's AI SDK and Google's ADK, whose names differ.
var (
	agentNames = []string{"mneme.agent.id", "gen_ai.agent.name", "agent.name", "agent_name", "gen_ai.agent.id"}
	// runNames are the agent's on the span of its run, and something else's on others.
	runNames      = []string{"traceloop.entity.name", "ai.telemetry.functionId", "graph.node.id"}
	userNames     = []string{"mneme.user.id", "user.id", "enduser.id", "langfuse.user.id", "traceloop.association.properties.user_id", "ai.telemetry.metadata.userId"}
	sessionNames  = []string{"mneme.session.id", "gen_ai.conversation.id", "session.id", "langfuse.session.id", "traceloop.association.properties.session_id", "traceloop.association.properties.thread_id", "ai.telemetry.metadata.sessionId", "gcp.vertex.agent.session_id"}
	taskTypeNames = []string{"mneme.task.type", "gen_ai.workflow.name", "traceloop.workflow.name", "ai.telemetry.functionId"}

	// informedBy names the episodes whose lessons the agent was given.
	informedBy = "mneme.informed_by"

	toolNames   = []string{"gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name", "gen_ai.data_source.id"}
	callIDNames = []string{"gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id"}
	toolGiven   = []string{"gen_ai.tool.call.arguments", "tool_arguments", "ai.toolCall.args", "gcp.vertex.agent.tool_call_args", "mcp.request.argument", "gen_ai.retrieval.query.text", "input.value", "traceloop.entity.input", "tool.parameters", "gen_ai.prompt"}
	toolGave    = []string{"gen_ai.tool.call.result", "tool_response", "ai.toolCall.result", "gcp.vertex.agent.tool_response", "mcp.response.value", "gen_ai.retrieval.documents", "output.value", "traceloop.entity.output", "gen_ai.completion"}

	inputMessages  = []string{"gen_ai.input.messages", "ai.prompt.messages", "gen_ai.prompt", "gcp.vertex.agent.llm_request"}
	outputMessages = []string{"gen_ai.output.messages", "gen_ai.completion", "gcp.vertex.agent.llm_response"}
	// conversations hold what was said on both sides.
	conversations = []string{"pydantic_ai.all_messages", "all_messages_events"}
	// Trees are messages that are spread over attributes: prefix.0.role, prefix.0.content.
	inputTrees  = []string{"llm.input_messages", "gen_ai.prompt"}
	outputTrees = []string{"llm.output_messages", "gen_ai.completion"}

	plainGiven = []string{"input.value", "traceloop.entity.input", "ai.prompt", "gen_ai.prompt"}
	plainGave  = slices.Concat(spokenGave, []string{"output.value", "traceloop.entity.output", "gen_ai.completion"})
	// spokenGave are answers as they were given, also where they are JSON.
	spokenGave = []string{"final_result", "ai.response.text", "ai.response.object"}

	providerNames = []string{"gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system", "ai.model.provider"}
	inputTokens   = []string{"gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "ai.usage.promptTokens"}
	outputTokens  = []string{"gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion", "ai.usage.completionTokens"}
	costs         = []string{"gen_ai.usage.cost", "llm.cost.total", "operation.cost"}
	modelNames    = []string{"gen_ai.request.model", "gen_ai.response.model", "llm.model_name", "ai.model.id"}
)

// spanKinds are the attributes by which conventions say what a span is. LangSmith's own comes first, since it says more
// than the operations that are made of it. An operation that is not among them, with messages, asks a model.
var spanKinds = []struct {
	attribute string
	values    map[string]kind
}{
	{"langsmith.span.kind", map[string]kind{"llm": model, "tool": tool, "retriever": tool, "chain": chain, "prompt": other, "parser": other, "embedding": other}},
	{"gen_ai.operation.name", map[string]kind{
		"invoke_agent": agent, "invoke_workflow": workflow, "chain": chain,
		"chat": model, "text_completion": model, "generate_content": model, "plan": model,
		"execute_tool": tool, "retrieval": tool, "search_memory": tool, "create_memory": tool, "update_memory": tool,
		"upsert_memory": tool, "delete_memory": tool,
		"create_agent": other, "embeddings": other, "embedding": other, "aembedding": other, "rerank": other, "arerank": other, "moderation": other,
	}},
	{"openinference.span.kind", map[string]kind{
		"AGENT": agent, "LLM": model, "TOOL": tool, "RETRIEVER": tool, "CHAIN": chain, "EMBEDDING": other, "RERANKER": other,
	}},
	{"traceloop.span.kind", map[string]kind{"agent": agent, "workflow": workflow, "tool": tool}},
	{"ai.operationId", map[string]kind{
		"ai.generateText": agent, "ai.streamText": agent, "ai.generateObject": agent, "ai.streamObject": agent,
		"ai.generateText.doGenerate": model, "ai.streamText.doStream": model,
		"ai.generateObject.doGenerate": model, "ai.streamObject.doStream": model, "ai.toolCall": tool,
	}},
	{"llm.request.type", map[string]kind{"chat": model, "completion": model, "embedding": other, "rerank": other}},
}
