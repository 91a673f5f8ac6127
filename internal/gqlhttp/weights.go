package gqlhttp

import (
	"time"

	"mneme/graph"
	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/memory/selection"
	"mneme/memory/trends"
	"mneme/service"
	"mneme/service/keyring"
)

// weights are the costs of the fields that read far more than they answer (a pool of candidates, a walk, a history
// summed up), by how much it usually is, and of lists that are longer or shorter than most. All others cost what their
// type says, see meter. A function's arguments are decoded for it once more, so that captureRun, which takes a whole
// run, is weighed by its payload.
func weights() graph.ComplexityRoot {
	var of graph.ComplexityRoot
	searches(&of)
	aggregates(&of)
	walks(&of)
	of.Query.Nodes = func(inside int, ids []string) int { return 1 + len(ids)*inside }
	of.Concept.Relations = func(inside int, _ *service.Direction, _ []memory.RelationType) int { return 1 + usualRelations*inside }
	of.Canvas.Reward, of.Episode.Reward = fixedWeight(2), fixedWeight(2)
	for _, count := range totals(&of) {
		*count = fixedWeight(5)
	}

	of.Query.Keys = func(inside int, first *int) int { return 1 + 100 + size(first, keyring.DefaultListed)*inside }

	of.CaptureRunPayload.Episode = fixedWeight(500)
	of.Mutation.Consolidate = func(inside int, _ service.ConsolidateInput) int { return 1 + 5000 + inside }
	of.Mutation.CompleteRun = func(inside int, _ service.CompleteRunInput) int { return 1 + 1000 + inside }
	of.Mutation.Prune = func(inside int, _ service.PruneInput) int { return 1 + 1000 + inside }
	of.Mutation.Backfill = func(inside int, _ service.BackfillInput) int { return 1 + 1000 + inside }
	of.Mutation.DeleteAgent = func(inside int, _ service.DeleteAgentInput) int { return 1 + 1000 + inside }
	return of
}

// fixedWeight is a field without arguments that works before it answers.
func fixedWeight(weight int) func(int) int {
	return func(inside int) int { return 1 + weight + inside }
}

func searches(of *graph.ComplexityRoot) {
	of.Query.Recall = func(inside int, input service.RecallInput) int {
		return 1 + 500 + size(input.TopK, service.DefaultTopK)*inside
	}
	of.Recall.Hits = fixedWeight(0)                                                       // there are topK
	of.Query.Search = func(inside int, _ string, _ []string, first *int, _ *string) int { // by words, and as a recall by meaning
		return 1 + 300 + 500 + size(first, service.DefaultPage)*inside
	}
	of.Query.SearchConcepts = func(inside int, _ string, _ *string, _ []string, first *int, _ *string) int {
		return 1 + 200 + size(first, service.DefaultPage)*inside
	}
	of.Query.SearchObservations = func(inside int, _ string, _ *float64, _ *string, first *int, _ *string) int {
		return 1 + 300 + size(first, service.DefaultPage)*inside
	}
	of.Query.SearchCorrections = func(inside int, _ string, _ *string, first *int, _ *string) int {
		return 1 + 200 + size(first, service.DefaultPage)*inside
	}
}

func aggregates(of *graph.ComplexityRoot) {
	of.Query.Guidance = func(inside int, _, _ *string, _ string, _ memory.JSON) int { return 1 + 300 + inside }
	of.Query.RankAgents = func(inside int, _ string, _ *string, first *int, _ *time.Time) int {
		return 1 + 1000 + size(first, usualAgents)*inside
	}
	of.RankingEvent.Ranking = func(inside int, first *int) int { return 1 + 1000 + size(first, usualAgents)*inside }
	of.Query.SelectAgent = func(inside int, _ string, _ *string, _ *bool, _ *time.Time) int { return 1 + 1000 + inside }
	of.Query.LearningProfiles = func(inside int, _ *string, _ *selection.Trend, _ *bool, first *int, _ *string) int {
		return 1 + 1000 + size(first, service.DefaultPage)*inside
	}
	of.Query.TaskTypeAlerts = func(inside int, _ *float64) int { return 1 + 1000 + usualList*inside }
	of.Query.Alerts = func(inside int, _ *alerts.Kind, _ *alerts.Severity) int { return 1 + 2000 + usualList*inside }
	of.Query.Health = func(inside int) int { return 1 + 5000 + usualList*inside }
	of.Query.Trends = func(inside int, _, _, _, _ *string, _ memory.JSON, _ *time.Time, _ *trends.Bucket) int {
		return 1 + 1000 + usualList*inside
	}
	of.Query.JudgeTendencies = func(inside int, _ string, _ *time.Time) int { return 1 + 500 + inside }
	of.Query.CorrectionStats = func(inside int, _ *time.Time) int { return 1 + 500 + inside }
	of.Recall.CanvasInsights, of.Episode.Quality = fixedWeight(500), fixedWeight(20)
	of.Agent.Graduation = func(inside int, _ *service.GraduationWeights) int { return 1 + 500 + inside }
	of.Agent.CanvasInsights = func(inside int, _ *memory.TimeRange) int { return 1 + 500 + inside }
}

func walks(of *graph.ComplexityRoot) {
	around := func(inside int, _ *int, _ []string, _ *service.Direction, first *int, _ *string) int {
		return 1 + 200 + size(first, service.DefaultNeighbours)*inside
	}
	of.Concept.Neighbourhood, of.Episode.Neighbourhood = around, around
	of.Query.Neighbourhood = func(inside int, _ string, depth *int, relations []string, direction *service.Direction, first *int, after *string) int {
		return around(inside, depth, relations, direction, first, after)
	}
	of.Query.Path = func(inside int, _, _ string, _ *int, _ []string) int { return 1 + 1000 + usualList*inside }
}

// totals count whole lists, with a query for each.
func totals(of *graph.ComplexityRoot) []*func(int) int {
	return []*func(int) int{
		&of.AgentConnection.TotalCount, &of.CanvasConnection.TotalCount, &of.ConceptConnection.TotalCount,
		&of.ConceptHitConnection.TotalCount, &of.CorrectionConnection.TotalCount, &of.CorrectionHitConnection.TotalCount,
		&of.EpisodeConnection.TotalCount, &of.EventConnection.TotalCount, &of.ExecutionConnection.TotalCount,
		&of.FeedbackConnection.TotalCount, &of.LearningProfileConnection.TotalCount, &of.MemoirConnection.TotalCount, &of.ObservationConnection.TotalCount,
		&of.ObservationHitConnection.TotalCount, &of.PatternConnection.TotalCount, &of.RunConnection.TotalCount,
		&of.SearchHitConnection.TotalCount, &of.VerdictConnection.TotalCount,
	}
}
