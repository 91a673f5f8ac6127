package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/service/boundary"
)

// episodeTypes are the types that a fragment on an episode may name.
var episodeTypes = []string{"Episode", "Node"}

// included says what the query looks at in the episodes at a path below the current field, so that it
// is read along with them.
func included(ctx context.Context, path ...string) boundary.Include {
	operation := graphql.GetOperationContext(ctx)
	selections := []ast.SelectionSet{graphql.GetFieldContext(ctx).Field.Selections}
	for _, name := range path {
		selections = below(operation, selections, name)
	}
	include := boundary.Include{HeadOnly: true}
	for _, selection := range selections {
		for _, field := range graphql.CollectFields(operation, selection, episodeTypes) {
			include = union(include, needs(field.Name))
		}
	}
	return include
}

// needs says what a field of an episode is answered from.
func needs(field string) boundary.Include {
	switch field {
	case "agent":
		return boundary.Include{HeadOnly: true, Agent: true}
	case "canvasContext", "quality":
		return boundary.Include{HeadOnly: true, Canvases: true}
	case "canvasIds":
		return boundary.Include{HeadOnly: true, Canvases: true, CanvasIDs: true}
	case "feedbackContext":
		return boundary.Include{HeadOnly: true, Feedback: true}
	case "feedbackIds":
		return boundary.Include{HeadOnly: true, Feedback: true, FeedbackIDs: true}
	case "reward":
		return boundary.Include{HeadOnly: true, Canvases: true, Feedback: true}
	case "thoughts", "actions", "executionIds", "segments", "metadata":
		return boundary.Include{Lists: true}
	case "observation", "result", "insight", "receipt":
		return boundary.Include{}
	default:
		return boundary.Include{HeadOnly: true}
	}
}

// below gives the selections of the fields of a name, under whatever alias.
func below(operation *graphql.OperationContext, selections []ast.SelectionSet, name string) []ast.SelectionSet {
	var found []ast.SelectionSet
	for _, selection := range selections {
		for _, field := range graphql.CollectFields(operation, selection, nil) {
			if field.Name == name {
				found = append(found, field.Selections)
			}
		}
	}
	return found
}

// includedInPayload is included for the episode that a mutation wrote, which is looked at before it is answered.
func includedInPayload(ctx context.Context) boundary.Include {
	include := included(ctx, "episode")
	include.HeadOnly = false
	return include
}

// includedInPage is included for a connection, whose episodes are selected as nodes, in edges, or both.
func includedInPage(ctx context.Context) boundary.Include {
	return union(included(ctx, "nodes"), included(ctx, "edges", "node"))
}

// includedInHits is included for a page of what a search found; other ways to the record lead over its moments.
func includedInHits(ctx context.Context, ways ...[]string) boundary.Include {
	include := boundary.Include{HeadOnly: true}
	for _, way := range ways {
		include = union(include, union(included(ctx, append([]string{"nodes"}, way...)...), included(ctx, append([]string{"edges", "node"}, way...)...)))
	}
	return include
}

// includedInRecall is included for a recall, whose lessons, cautions and insights need more of the episodes
// than is selected of them.
func includedInRecall(ctx context.Context) boundary.Include {
	include := boundary.Include{HeadOnly: true}
	for _, hits := range []string{"hits", "cautions"} {
		include = union(include, union(included(ctx, hits, "episode"), included(ctx, hits, "moments", "record")))
	}
	include.HeadOnly = false
	for _, field := range graphql.CollectFieldsCtx(ctx, nil) {
		switch field.Name {
		case "lessons":
			include.Canvases, include.Feedback, include.Cautions, include.Patterns = true, true, true, true
		case "corrections":
			include.Corrections = true
		case "patterns":
			include.Patterns = true
		case "cautions":
			include.Feedback, include.Cautions = true, true
		case "canvasInsights":
			include.Canvases, include.Feedback = true, true
		}
	}
	return include
}

func union(a, b boundary.Include) boundary.Include {
	return boundary.Include{
		Agent: a.Agent || b.Agent, Canvases: a.Canvases || b.Canvases, Feedback: a.Feedback || b.Feedback,
		CanvasIDs: a.CanvasIDs || b.CanvasIDs, FeedbackIDs: a.FeedbackIDs || b.FeedbackIDs, HeadOnly: a.HeadOnly && b.HeadOnly,
		Lists: a.Lists || b.Lists,
	}
}
