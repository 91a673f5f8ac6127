package demo

// Example is a question that the sample answers well.
type Example struct {
	Title string
	// Query is a GraphQL document without variables.
	Query string
}

// Examples are what to try first.
var Examples = []Example{
	{
		Title: "What to know before drawing a sales chart, ready for a prompt",
		Query: `{ recall(input: { situation: "a chart of quarterly revenue by product", topK: 3 }) {
  lessons
  hits { rank reasons score { total semantic temporal canvas feedback } episode { id outcome observation } }
} }`,
	},
	{
		Title: "Which canvases people keep open, and which they close at once",
		Query: `{ agent(id: "analyst") { name canvasInsights {
  engages closesQuickly submits
  byType { canvasType componentType presentations meanDwellSeconds meanReward meanFeedback }
} } }`,
	},
	{
		Title: "The latest failed rollouts, what people said to them, and what they led to",
		Query: `{ episodes(first: 3, filter: { taskType: "service_rollout", outcome: FAILURE }) { nodes {
  id startedAt result
  feedbackContext { score corrections createdBy }
  causes { id taskType outcome }
} } }`,
	},
}
