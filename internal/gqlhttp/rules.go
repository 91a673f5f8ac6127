package gqlhttp

import (
	"context"

	"github.com/vektah/gqlparser/v2/ast"

	"mneme/memory/access"
)

// Rules say for each field of Query, Mutation and Subscription, by its name in the schema ("Mutation.prune"), who may
// ask for it. A field without one nobody may. What is below these is part of their answers, and of the same tenant.
func Rules() map[string]access.Rule {
	rules := map[string]access.Rule{
		"Query.health":            access.Administers,
		"Mutation.prune":          access.Reads.AndWith("dryRun: false", access.Administer),
		"Mutation.consolidate":    access.Reads.AndWith("dryRun: false", access.Administer),
		"Mutation.deleteEpisodes": access.Reads.AndWith("dryRun: false", access.Administer),
		"Mutation.refineConcept":  access.Records.AndWith("purge: true", access.Administer),
	}
	for _, name := range []string{
		"node", "nodes", "agent", "agents", "alerts", "canvases", "concept", "searchConcepts", "corrections", "searchCorrections",
		"correctionStats", "episode", "episodes", "replay", "feedback", "guidance", "patterns", "judgeTendencies", "judges",
		"learningProfile", "learningProfiles", "taskTypes", "memoir", "memoirs", "neighbourhood", "nextSteps", "path", "observations",
		"searchObservations", "selectAgent", "rankAgents", "taskTypeAlerts", "recall", "runs", "search", "searchMoments", "trends", "verdicts", "viewer",
	} {
		rules["Query."+name] = access.Reads
	}
	for _, name := range []string{"episodeRecorded", "feedbackSubmitted", "verdictRecorded", "agentRankingChanged", "alert"} {
		rules["Subscription."+name] = access.Reads
	}
	for _, name := range []string{
		"recordEpisode", "recordEpisodes", "concludeEpisode", "captureRun", "backfill", "recordCanvasActions", "submitFeedback",
		"addConcept", "linkConcepts", "unlinkConcepts", "createMemoir", "recordObservation", "recordObservations", "recordCorrection",
		"recordExecution", "recordExecutions", "recordVerdict", "recordVerdicts", "labelVerdict", "completeRun",
	} {
		rules["Mutation."+name] = access.Records
	}
	rules["Query.keys"] = access.Administers
	for _, name := range []string{
		"applyJudgeThreshold", "createKey", "revokeKey", "deleteAgent", "deleteCanvas", "deleteConcept", "deleteCorrection", "deleteEpisode", "deleteFeedback",
		"deleteMemoir", "deleteObservation", "deleteVerdict", "deleteSection", "deleteRun", "deleteExecution",
	} {
		rules["Mutation."+name] = access.Administers
	}
	for _, name := range []string{
		"Query.node", "Query.nodes", "Query.canvases", "Query.concept", "Query.searchConcepts", "Query.episode", "Query.episodes", "Query.replay", "Query.feedback",
		"Query.memoir", "Query.memoirs", "Query.nextSteps", "Query.observations", "Query.searchObservations", "Query.recall", "Query.search",
		"Query.searchMoments", "Query.viewer",
		"Mutation.recordEpisode", "Mutation.recordEpisodes", "Mutation.concludeEpisode", "Mutation.captureRun", "Mutation.recordCanvasActions",
		"Mutation.submitFeedback", "Mutation.recordObservation", "Mutation.recordObservations", "Mutation.deleteCanvas", "Mutation.deleteEpisode",
		"Mutation.deleteEpisodes", "Mutation.deleteFeedback", "Mutation.deleteObservation",
	} {
		rules[name] = rules[name].ForUsers()
	}
	return rules
}

// permissions refuses an operation as a whole, before any of it is done, where whoever asks may not ask for one of its
// fields.
type permissions map[string]access.Rule

// check looks at the fields of the first level, those that a directive leaves out too, and at each fragment once.
func (p permissions) check(ctx context.Context, set ast.SelectionSet, seen map[*ast.FragmentDefinition]bool) error {
	for _, selection := range set {
		var err error
		switch s := selection.(type) {
		case *ast.Field:
			err = p.field(ctx, s)
		case *ast.InlineFragment:
			err = p.check(ctx, s.SelectionSet, seen)
		case *ast.FragmentSpread:
			if !seen[s.Definition] {
				seen[s.Definition] = true
				err = p.check(ctx, s.Definition.SelectionSet, seen)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p permissions) field(ctx context.Context, field *ast.Field) error {
	switch field.Name {
	case "__typename", "__schema", "__type": // what is public knowledge, to whoever was let in
		return access.Check(ctx, access.Read, field.Name)
	}
	return p[field.ObjectDefinition.Name+"."+field.Name].Check(ctx, field.Name)
}
