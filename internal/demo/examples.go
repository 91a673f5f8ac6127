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
  causes { nodes { id taskType outcome } }
} } }`,
	},
	{
		Title: "What is known about refunds, and whether it still holds",
		Query: `{ searchConcepts(query: "refund policy", first: 3) { nodes {
  snippet score
  concept { id name supersededBy { id name } contradictedBy { name content } revisions { at } }
} } }`,
	},
	{
		Title: "What was corrected before about charts, and what was noticed about rollouts",
		Query: `{ searchCorrections(query: "which chart for regions") { nodes { correction { topic prediction correction } } }
  searchObservations(query: "rollouts and the canary", first: 3) { nodes { score observation { content importance weight } } }
}`,
	},
	{
		Title: "What hangs together around a concept, two steps far",
		Query: `{ neighbourhood(id: "concept:demo-refund-policy", depth: 2, relations: ["MENTIONS", "ABOUT", "CONTRADICTS", "SUPERSEDED_BY", "DEPENDS_ON", "RELATED_TO"], first: 20) {
  nodes { depth node { id __typename } } edges { source type target } truncated
} }`,
	},
	{
		Title: "Who should answer the next incident, and why; and how far each agent is trusted",
		Query: `{ rankAgents(taskType: "incident_triage", situation: "errors since the rollout of checkout") { agent { name } score reasons }
  agents { nodes { name graduation { level nextLevel quality criteria { name value required gap } } } }
}`,
	},
	{
		Title: "What somebody should look at, and what can be done about it",
		Query: `{ alerts { kind severity subject happened do since } }`,
	},
	{
		Title: "What to know before the chart of a report for the board is drawn, ready for a prompt",
		Query: `{ guidance(runId: "demo-report-5", sectionId: "returns", sectionType: "chart", context: { audience: "board" }) { promptBlock } }`,
	},
	{
		Title: "What worked and what failed in tables, for the board and for the team",
		Query: `{ board: guidance(sectionType: "table", context: { audience: "board" }) { dos donts }
  team: guidance(sectionType: "table", context: { audience: "team" }) { dos donts }
}`,
	},
	{
		Title: "How the judge of the reports decides, whether people agree with it, and from which score on they would",
		Query: `{ judgeTendencies(judgeId: "report-critic") {
  verdicts averageScore approvalRate commonCritiqueAreas calibration { leniency reason } humanAgreement { labelled agreement kappa }
  thresholdProposal { threshold labelled agreement judgeAgreement reason }
} }`,
	},
	{
		Title: "What a captured run did, event by event",
		Query: `{ replay(episodeId: "episode:demo-service_rollout-190", first: 10) { nodes { sequence type at data } pageInfo { hasNextPage } } }`,
	},
}
