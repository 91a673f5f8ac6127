// Package relay gives a page of the service the shape of a Relay connection: edges with cursors, nodes,
// pageInfo and a totalCount that costs nothing unless it is selected.
package relay

import (
	"context"

	"mneme/memory"
	"mneme/service/reading"
	"mneme/service/recalling"
)

// Connection is a page in the shape of a Relay connection.
type Connection[T any] struct{ page *reading.Page[T] }

// Of makes a connection of a page, or passes the error of reading it on.
func Of[T any](page *reading.Page[T], err error) (*Connection[T], error) {
	if err != nil {
		return nil, err
	}
	return &Connection[T]{page: page}, nil
}

// Empty is a connection to a list without items.
func Empty[T any]() *Connection[T] {
	none := func(context.Context) (int, error) { return 0, nil }
	return &Connection[T]{page: &reading.Page[T]{Total: none}}
}

// Edge is an item of a page with its cursor.
type Edge[T any] struct {
	Cursor string
	Node   T
}

// Edges are the items with their cursors.
func (c *Connection[T]) Edges() []Edge[T] {
	edges := make([]Edge[T], len(c.page.Items))
	for i, item := range c.page.Items {
		edges[i] = Edge[T]{Cursor: c.page.Cursors[i], Node: item}
	}
	return edges
}

// Nodes are the items.
func (c *Connection[T]) Nodes() []T {
	if c.page.Items == nil {
		return []T{}
	}
	return c.page.Items
}

// TotalCount counts the whole list, with a query of its own.
func (c *Connection[T]) TotalCount(ctx context.Context) (int, error) { return c.page.Total(ctx) }

// PageInfo says where a page lies in its list.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string // nil on an empty page, like EndCursor
	EndCursor       *string
}

// PageInfo says where the page lies in its list.
func (c *Connection[T]) PageInfo() PageInfo { return infoOf(c.page) }

func infoOf[T any](page *reading.Page[T]) PageInfo {
	info := PageInfo{HasNextPage: page.HasNext, HasPreviousPage: page.HasPrev}
	if last := len(page.Cursors) - 1; last >= 0 {
		info.StartCursor, info.EndCursor = &page.Cursors[0], &page.Cursors[last]
	}
	return info
}

// The connections and edges of the schema. They are names for gqlgen to bind to; all they do is above.
type (
	AgentConnection    = Connection[*memory.Agent]
	AgentEdge          = Edge[*memory.Agent]
	EpisodeConnection  = Connection[*memory.Episode]
	EpisodeEdge        = Edge[*memory.Episode]
	EventConnection    = Connection[*memory.Event]
	EventEdge          = Edge[*memory.Event]
	CanvasConnection   = Connection[*memory.Canvas]
	CanvasEdge         = Edge[*memory.Canvas]
	FeedbackConnection = Connection[*memory.Feedback]
	FeedbackEdge       = Edge[*memory.Feedback]

	MemoirConnection          = Connection[*memory.Memoir]
	MemoirEdge                = Edge[*memory.Memoir]
	ConceptConnection         = Connection[*memory.Concept]
	ConceptEdge               = Edge[*memory.Concept]
	ObservationConnection     = Connection[*memory.Observation]
	ObservationEdge           = Edge[*memory.Observation]
	CorrectionConnection      = Connection[*memory.Correction]
	CorrectionEdge            = Edge[*memory.Correction]
	LearningProfileConnection = Connection[*memory.LearningProfile]
	LearningProfileEdge       = Edge[*memory.LearningProfile]
	ExecutionConnection       = Connection[*memory.Execution]
	ExecutionEdge             = Edge[*memory.Execution]
	RunConnection             = Connection[*memory.Run]
	RunEdge                   = Edge[*memory.Run]
	VerdictConnection         = Connection[*memory.Verdict]
	VerdictEdge               = Edge[*memory.Verdict]
	PatternConnection         = Connection[*memory.Pattern]
	PatternEdge               = Edge[*memory.Pattern]
	HitConnection             = Connection[recalling.SearchHit] // of any search; see recalling.SearchHit
	HitEdge                   = Edge[recalling.SearchHit]
	MomentConnection          = Connection[recalling.Moment]
	MomentEdge                = Edge[recalling.Moment]
)
