package mcpserver

import (
	"context"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/summaries"
)

const (
	uriScheme = "mneme://"
	jsonType  = "application/json"
)

// kindTexts say what a resource of each kind holds.
var kindTexts = map[memory.Kind]string{
	memory.KindAgent:       "An agent.",
	memory.KindSession:     "A conversation, to which episodes, canvases, feedback and observations belong.",
	memory.KindEpisode:     "A piece of work whole: situation, thoughts, actions, result, outcome, what was shown in it and how people reacted.",
	memory.KindCanvas:      "Something that was shown to a person, with what they did to it.",
	memory.KindFeedback:    "A person's reaction.",
	memory.KindMemoir:      "A memoir; memoir_inspect gives its concepts too.",
	memory.KindConcept:     "A concept whole, with its revisions; memoir_inspect gives its relations too.",
	memory.KindObservation: "An observation whole.",
	memory.KindCorrection:  "What a person put right.",

	memory.KindExecution:       "One piece of work of an agent, and how well it went.",
	memory.KindLearningProfile: "How well an agent does a type of task; the key is agent/taskType.",

	memory.KindRun:     "A piece of judged work, with its sections.",
	memory.KindSection: "A part of a run, with what it came to; the key is run/name.",
	memory.KindVerdict: "What was decided on one iteration of a section, whole.",
	memory.KindPattern: "What completed runs taught of an approach or of an issue.",
}

// addResources adds a template for each kind of record: mneme://kind/key, with the key percent-encoded
// where it holds other than letters, digits and -._~:/@!$&'()*+,;=.
func (d backend) addResources(server *mcp.Server) {
	for _, kind := range memory.Kinds {
		server.AddResourceTemplate(&mcp.ResourceTemplate{
			Name: string(kind), Title: strings.ToUpper(string(kind[:1])) + string(kind[1:]), Description: kindTexts[kind],
			URITemplate: uriScheme + string(kind) + "/{+key}", MIMEType: jsonType,
		}, ofProtocol(d, "resource", d.readResource))
	}
}

func (d backend) readResource(ctx context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := request.Params.URI
	id, err := idOf(uri)
	if err != nil {
		return nil, err
	}
	body, err := d.whole(ctx, id)
	if err != nil {
		return nil, err
	}
	if body == nil {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	text, err := memory.JSONOf(body)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: jsonType, Text: string(text)}}}, nil
}

// idOf is the global id that a resource's URI stands for.
func idOf(uri string) (string, error) {
	kind, escaped, _ := strings.Cut(strings.TrimPrefix(uri, uriScheme), "/")
	key, err := url.PathUnescape(escaped)
	if err != nil {
		return "", memory.Invalid("uri", "is not percent-encoded rightly; write %% as %%25")
	}
	return memory.NodeID(memory.Kind(kind), key), nil
}

// whole reads a record with all that belongs to it; nil where there is none.
func (d backend) whole(ctx context.Context, id string) (any, error) {
	tenant, err := d.service.Tenant(ctx)
	if err != nil {
		return nil, err
	}
	if kind, _, _ := memory.SplitID(id); kind == memory.KindEpisode {
		episode, err := tenant.Episodes.Get(ctx, id, boundary.Include{Canvases: true, Feedback: true})
		if err != nil || episode == nil {
			return nil, err
		}
		told, err := tenant.Learning.EpisodeSummaries(ctx, []*memory.Episode{episode})
		if err != nil {
			return nil, err
		}
		return told[0], nil
	}
	node, err := tenant.Retrieval.Node(ctx, id)
	if err != nil || node == nil {
		return nil, err
	}
	if concept, ok := node.(*memory.Concept); ok {
		notes, err := notesOf(ctx, tenant, concept)
		return bodyOfConcept(concept, notes[concept.ID()]), err
	}
	if run, ok := node.(*memory.Run); ok {
		sections, err := tenant.Judging.RunSections(ctx, []string{run.Key})
		return bodyOfRun(run, sections[run.Key]), err
	}
	return bodyOf(tenant, node), nil
}

// bodyOf is a record whole, of every kind that needs nothing else to be read.
func bodyOf(tenant *service.Tenant, node memory.Node) any {
	switch record := node.(type) {
	case *memory.Agent:
		return idAndName{ID: record.ID(), Name: record.Name}
	case *memory.Session:
		return sessionBody{ID: record.ID()}
	case *memory.Canvas:
		return summaries.SummaryOfCanvas(record, tenant.Reactions.CanvasRules())
	case *memory.Feedback:
		return summaries.SummaryOfFeedback(record)
	case *memory.Memoir:
		return bodyOfMemoir(record)
	case *memory.Observation:
		return bodyOfObservation(tenant, record)
	case *memory.Correction:
		return bodyOfCorrection(record)
	case *memory.Execution:
		return bodyOfExecution(record)
	case *memory.LearningProfile:
		return tenant.Learning.Summary(record)
	case *memory.Section:
		return bodyOfSection(record)
	case *memory.Verdict:
		return bodyOfVerdict(record)
	case *memory.Pattern:
		return summaries.SummaryOfPattern(record)
	default:
		return nil
	}
}

type sessionBody struct {
	ID string `json:"id"`
}
