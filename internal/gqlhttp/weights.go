package gqlhttp

import (
	"mneme/service/keyring"
	"mneme/service/reading"
	"mneme/service/recalling"
)

// weight is what a field costs beyond what its type says: the work before it answers, and how many elements it has
// where no argument says so.
type weight struct{ work, elements int }

// weights are those of fields that read far more than they answer (candidates, a walk, a history summed up), as usual,
// and of lists of unusual length. captureRun, whose input is a whole run, is weighed by its payload.
var weights = map[string]weight{
	"Query.recall":             {500, recalling.DefaultTopK},
	"Recall.hits":              {0, 1}, // recall counts them
	"Recall.cautions":          {0, 1},
	"Query.search":             {800, reading.DefaultPage},
	"Query.searchMoments":      {800, reading.DefaultPage},
	"Query.nextSteps":          {1000, recalling.DefaultTopK},
	"Query.searchConcepts":     {200, reading.DefaultPage},
	"Query.searchObservations": {300, reading.DefaultPage},
	"Query.searchCorrections":  {200, reading.DefaultPage},

	"Query.guidance":         {300, 1},
	"Query.rankAgents":       {1000, 1000},
	"RankingEvent.ranking":   {1000, 1000},
	"Query.selectAgent":      {1000, 1},
	"Query.learningProfiles": {1000, reading.DefaultPage},
	"Query.taskTypeAlerts":   {1000, usualList},
	"Query.alerts":           {2000, usualList},
	"Query.health":           {5000, usualList},
	"Query.trends":           {1000, usualList},
	"Query.judgeTendencies":  {500, 1},
	"Query.correctionStats":  {500, 1},
	"Query.keys":             {100, keyring.DefaultListed},
	"Recall.canvasInsights":  {500, 1},
	"Agent.canvasInsights":   {500, 1},
	"Agent.graduation":       {500, 1},
	"Agent.cost":             {200, 1},
	"Episode.quality":        {20, 1},
	"Episode.reward":         {2, 1},
	"Canvas.reward":          {2, 1},

	"Query.neighbourhood":   {200, recalling.DefaultNeighbours},
	"Concept.neighbourhood": {200, recalling.DefaultNeighbours},
	"Episode.neighbourhood": {200, recalling.DefaultNeighbours},
	"Query.path":            {1000, usualList},
	"Concept.relations":     {0, 100},

	"CaptureRunPayload.episode": {500, 1},
	"Mutation.consolidate":      {5000, 1},
	"Mutation.completeRun":      {1000, 1},
	"Mutation.prune":            {1000, 1},
	"Mutation.backfill":         {1000, 1},
	"Mutation.deleteAgent":      {1000, 1},
}
