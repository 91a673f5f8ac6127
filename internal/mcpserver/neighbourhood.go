package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/prose"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
)

var neighbourhoodTool = tool[neighbourhoodInput, neighbourhoodOutput]{
	name: "neighbourhood", title: "Walk around a record", hints: reads, rule: access.Reads,
	about: "Gives what is around a record of any kind, nearest first, as short nodes and links. With replay the log of an episode instead, in order.",
	run:   neighbourhood,
}

type neighbourhoodInput struct {
	ID        string            `json:"id" jsonschema:"The record, by global id such as episode:run-7 or concept:refunds."`
	To        *string           `json:"to,omitempty" jsonschema:"Gives a shortest way to this record instead."`
	Depth     *int              `json:"depth,omitempty" jsonschema:"The most steps away, 1 to 6; 1 by default."`
	Relations []string          `json:"relations,omitempty" jsonschema:"Only over links of these types, such as PRESENTED, RECEIVED, CAUSED_BY, MENTIONS, ABOUT, or a relation of concepts such as PART_OF."`
	Direction *memory.Direction `json:"direction,omitempty" jsonschema:"Which way links are followed; BOTH by default."`
	First     *int              `json:"first,omitempty" jsonschema:"Page size, 1 to 500, of a log 100; 50 by default."`
	After     *string           `json:"after,omitempty" jsonschema:"next of the page before."`
	Replay    bool              `json:"replay,omitempty" jsonschema:"True gives the events of an episode's log in order, and nothing around it."`
}

type neighbourhoodOutput struct {
	Nodes     []neighbour   `json:"nodes" jsonschema:"The records, the one asked about first."`
	Edges     []edge        `json:"edges" jsonschema:"The links of the page's records with one another and with those of earlier pages."`
	Events    []loggedEvent `json:"events,omitempty" jsonschema:"The log, where that was asked for."`
	Truncated bool          `json:"truncated,omitempty" jsonschema:"There may be more that is not looked for."`
	pageOutput
}

type neighbour struct {
	ID    string `json:"id"`
	Depth int    `json:"depth" jsonschema:"The fewest steps to it."`
	Label string `json:"label" jsonschema:"What it is, in at most 120 characters."`
	Note  string `json:"note,omitempty" jsonschema:"Says so where a concept no longer holds."`
}

// replayedAtOnce is the size of a page of a log, as of nodes.
const replayedAtOnce = 50

// loggedEvent is an event with its place in the log.
type loggedEvent struct {
	Sequence int `json:"sequence"`
	memory.Event
}

type edge struct {
	Source string `json:"source"`
	Target string `json:"target"`
	Type   string `json:"type"`
}

func neighbourhood(ctx context.Context, tenant *service.Tenant, in neighbourhoodInput) (neighbourhoodOutput, error) {
	if in.Replay {
		return in.replayed(ctx, tenant)
	}
	if in.To != nil {
		found, err := in.path(ctx, tenant)
		if err != nil || found == nil {
			return neighbourhoodOutput{Nodes: []neighbour{}, Edges: []edge{}}, err
		}
		return around(ctx, tenant, found)
	}
	walk := boundary.NeighbourhoodInput{
		ID: in.ID, Depth: in.Depth, Relations: in.Relations, Direction: *cmp.Or(in.Direction, new(memory.DirectionBoth)),
		Page: reading.PageInput{First: in.First, After: in.After},
	}
	found, err := tenant.Retrieval.Neighbourhood(ctx, walk, heads)
	if err != nil {
		return neighbourhoodOutput{}, err
	}
	return around(ctx, tenant, found)
}

// replayed is the log of an episode.
func (in neighbourhoodInput) replayed(ctx context.Context, tenant *service.Tenant) (neighbourhoodOutput, error) {
	if in.Depth != nil || len(in.Relations) > 0 || in.Direction != nil || in.To != nil {
		return neighbourhoodOutput{}, memory.Invalid("replay", "goes with id, first and after alone: a log has no depth, relations or direction")
	}
	if kind, _, known := memory.SplitID(in.ID); known && kind != memory.KindEpisode {
		return neighbourhoodOutput{}, memory.Invalid("id", "is of kind %s; only an episode has a log", kind)
	}
	page, err := tenant.Episodes.Replay(ctx, in.ID, reading.PageInput{First: cmp.Or(in.First, new(replayedAtOnce)), After: in.After})
	if err != nil {
		return neighbourhoodOutput{}, renamed(err, asHere)
	}
	return neighbourhoodOutput{Nodes: []neighbour{}, Edges: []edge{}, Events: memory.Mapped(page.Items, func(e *memory.Event) loggedEvent { return loggedEvent{e.Sequence, *e} }), pageOutput: nextOf(page)}, nil
}

// path is a shortest way between two records, nil where there is none. It is one answer, whichever way the links lead.
func (in neighbourhoodInput) path(ctx context.Context, tenant *service.Tenant) (*recalling.Neighbourhood, error) {
	for _, other := range []struct {
		field string
		given bool
	}{{"direction", in.Direction != nil}, {"first", in.First != nil}, {"after", in.After != nil}} {
		if other.given {
			return nil, memory.Invalid(other.field, "cannot be combined with to: a way is told at once, over links in either direction")
		}
	}
	found, err := tenant.Retrieval.Path(ctx, boundary.PathInput{From: in.ID, To: *in.To, MaxDepth: in.Depth, Relations: in.Relations}, heads)
	return found, renamed(err, asHere)
}

// asHere is what an argument of the service is called here.
func asHere(field string) string {
	return cmp.Or(map[string]string{"episodeId": "id", "from": "id", "maxDepth": "depth"}[field], field)
}

// heads are all that is told of episodes in short.
var heads = boundary.Include{HeadOnly: true}

// around tells of records that were walked to.
func around(ctx context.Context, tenant *service.Tenant, found *recalling.Neighbourhood) (neighbourhoodOutput, error) {
	notes, err := notesOf(ctx, tenant, memory.Mapped(found.Nodes, func(n recalling.NeighbourNode) memory.Node { return n.Node })...)
	return neighbourhoodOutput{
		Nodes: memory.Mapped(found.Nodes, func(n recalling.NeighbourNode) neighbour {
			return neighbour{ID: n.Node.ID(), Depth: n.Depth, Label: labelOf(n.Node), Note: notes[n.Node.ID()]}
		}),
		Edges:     memory.Mapped(found.Edges, func(e recalling.GraphEdge) edge { return edge(e) }),
		Truncated: found.Truncated, pageOutput: nextOf(found.Page),
	}, err
}

// longestLabel is the most characters of a label.
const longestLabel = 120

// labelOf says in a few words what a record is.
func labelOf(node memory.Node) string {
	switch record := node.(type) {
	case *memory.Agent:
		return short(record.Name)
	case *memory.Episode:
		return short(fmt.Sprintf("%s (%s)", record.Title, strings.ToLower(string(record.Outcome))))
	case *memory.Canvas:
		return short(strings.TrimSuffix(record.CanvasType+"/"+memory.OrZero(record.ComponentType), "/"))
	case *memory.Feedback:
		said := strings.TrimSpace(memory.OrZero(record.Corrections) + " " + memory.OrZero(record.Comment))
		return short(strings.TrimSuffix(string(record.Type)+": "+said, ": "))
	case *memory.Memoir:
		return short(record.Name)
	case *memory.Concept:
		return short(record.Name)
	case *memory.Observation:
		return short(record.Content)
	case *memory.Correction:
		return short(record.Topic + ": " + record.Correction)
	case *memory.Execution:
		return short(fmt.Sprintf("%s (quality %.2f)", record.TaskType, record.Quality))
	case *memory.LearningProfile:
		return short(fmt.Sprintf("%s at %s: %s", record.AgentKey, record.TaskType, prose.Plural(record.Total, "execution")))
	case *memory.Run:
		return short(record.Key)
	case *memory.Section:
		return short(fmt.Sprintf("%s (%s)", record.Name(), record.SectionType()))
	case *memory.Verdict:
		return short(strings.TrimSuffix(string(record.Status)+": "+memory.OrZero(record.Feedback), ": "))
	case *memory.Pattern:
		return short(string(record.Kind) + " " + record.Description)
	default:
		return short(node.ID())
	}
}

// short brings a text to one line of at most longestLabel characters.
func short(text string) string {
	return prose.Shorten(prose.OneLine(text), longestLabel)
}
