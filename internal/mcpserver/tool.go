package mcpserver

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/alerts"
	"mneme/memory/graduation"
	"mneme/memory/ranking"
	"mneme/memory/selection"
	"mneme/memory/trends"
	"mneme/service"
	"mneme/service/faults"
	"mneme/service/recalling"
	"mneme/service/summaries"
)

// registrar is a tool of whatever types.
type registrar interface {
	add(server *mcp.Server, d backend, brief bool)
	traits() traits
}

// traits are what is known of a tool of any type: its name, who may call it, whether it changes nothing, and is core.
type traits struct {
	name        string
	rule        access.Rule
	reads, core bool
}

// tool is one method of the service as an agent sees it. The fields of In and Out say in `jsonschema` tags what
// they mean, and from these both schemas are made.
type tool[In, Out any] struct {
	name  string
	title string // for people
	about string // for the model: what it does, and when to call it
	hints hints
	rule  access.Rule // who may call it
	core  bool        // an agent needs it to learn from its own work
	run   func(context.Context, *service.Tenant, In) (Out, error)
}

// hints say what a call does to the memory. None reaches beyond it.
type hints struct{ reads, idempotent, deletes bool }

var (
	// reads changes nothing. That reading an observation is counted is the memory's own bookkeeping.
	reads = hints{reads: true, idempotent: true}
	// adds leaves something more behind each time, unless the caller names the record with an id.
	adds = hints{}
	// idempotent has the same effect, however often it is called with the same arguments.
	idempotent = hints{idempotent: true}
	// deletes takes something away for good.
	deletes = hints{idempotent: true, deletes: true}
)

func (t tool[In, Out]) traits() traits { return traits{t.name, t.rule, t.hints.reads, t.core} }

// add adds the tool to a server, with brief without the schema of its answers.
func (t tool[In, Out]) add(server *mcp.Server, d backend, brief bool) {
	in := schemaOf[In](known)
	told := &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: in,
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: t.hints.reads, IdempotentHint: t.hints.idempotent, DestructiveHint: &t.hints.deletes, OpenWorldHint: new(false),
		},
	}
	if !brief {
		told.OutputSchema = outputOf[Out]()
	}
	server.AddTool(told, func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var unread faults.Unreadable
		var unknown faults.Unknown
		answer, err := t.call(unknown.Within(unread.Within(ctx)), d, in, request.Params.Arguments)
		if err != nil {
			return refusal(t.faultOf(ctx, d, in, err)), nil
		}
		// Clients that know nothing of structured content get the same as text, as the protocol asks.
		return &mcp.CallToolResult{
			Content:           slices.Concat([]mcp.Content{&mcp.TextContent{Text: string(answer)}}, d.leftOut(ctx, t.name, unread.Errors()), notKnown(unknown.Names())),
			StructuredContent: json.RawMessage(answer),
		}, nil
	})
}

// faultOf maps the error of a call. One that changes something may have done so before it took too much, and is not to
// be made again as it was.
func (t tool[In, Out]) faultOf(ctx context.Context, d backend, in *jsonschema.Schema, err error) fault {
	f := d.faultOf(ctx, t.name, in, err)
	if !t.hints.reads && service.BudgetOf(ctx).Err() != nil {
		f.Message += "; what the call wrote until then is kept"
		f.Send = "Nothing that is kept already: look first at what is."
	}
	return f
}

func (t tool[In, Out]) call(ctx context.Context, d backend, schema *jsonschema.Schema, arguments json.RawMessage) ([]byte, error) {
	var input In
	if err := readArguments(schema, arguments, &input); err != nil {
		return nil, err
	}
	tenant, err := d.service.Tenant(ctx)
	if err != nil {
		return nil, err
	}
	output, err := t.run(ctx, tenant, input)
	if err != nil {
		return nil, err
	}
	return memory.JSONOf(output)
}

// schemaOf is the schema of a type's JSON. What may be left out is not said to be nullable as well: null
// is taken for left out in an input and never written, and models do better with one way to say nothing.
func schemaOf[T any](of map[reflect.Type]*jsonschema.Schema) *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: of})
	if err != nil {
		panic("mcpserver: " + err.Error()) // the types are ours
	}
	throughout(schema, func(part *jsonschema.Schema) {
		if rest := slices.DeleteFunc(slices.Clone(part.Types), func(name string) bool { return name == "null" }); len(part.Types) == 2 && len(rest) == 1 {
			part.Type, part.Types = rest[0], nil
		}
	})
	return schema
}

// outputOf is the schema of what a tool answers. It is read at every start, and whoever reads it gets the answer too:
// so it says what there is and what that means, without what is always there and in which words, and of what is given
// whole only that. It is left open, as answers may say more in time.
func outputOf[T any]() *jsonschema.Schema {
	schema := schemaOf[T](inAnswers)
	throughout(schema, func(part *jsonschema.Schema) {
		part.AdditionalProperties, part.Required, part.Enum, part.Format = nil, nil, nil, ""
	})
	return schema
}

// throughout changes a schema and those of its properties and items.
func throughout(schema *jsonschema.Schema, change func(*jsonschema.Schema)) {
	if schema == nil {
		return
	}
	change(schema)
	for _, property := range schema.Properties {
		throughout(property, change)
	}
	throughout(schema.Items, change)
}

// known are the schemas of types that do not tell by themselves what their JSON is; inAnswers are those of answers.
var known, inAnswers = map[reflect.Type]*jsonschema.Schema{}, map[reflect.Type]*jsonschema.Schema{}

// whole makes the schema of a record that answers give whole where that is asked for, and as a resource.
func whole[T any](what string) {
	inAnswers[reflect.TypeFor[T]()] = &jsonschema.Schema{Type: "object", Description: what}
}

func init() {
	known[reflect.TypeFor[time.Time]()] = &jsonschema.Schema{Type: "string", Format: "date-time"}
	known[reflect.TypeFor[memory.JSON]()] = &jsonschema.Schema{Description: "Any JSON value."}
	words(memory.OutcomeSuccess, memory.OutcomeFailure, memory.OutcomeUnknown)
	words(ending(memory.OutcomeSuccess), ending(memory.OutcomeFailure))
	words(memory.CanvasPresent, memory.CanvasClose, memory.CanvasSubmit, memory.CanvasUpdate, memory.CanvasExecute)
	words(memory.StatePresented, memory.StateClosedQuickly, memory.StateClosedSlowly, memory.StateFormSubmitted, memory.StateErrorShown)
	words(memory.FeedbackThumbsUp, memory.FeedbackThumbsDown, memory.FeedbackRating)
	words(memory.SourceChat, memory.SourceCanvas, memory.SourceWorkflow)
	words(memory.Last1Day, memory.Last7Days, memory.Last30Days, memory.Last90Days)
	words(ranking.FeedbackFixed, ranking.FeedbackSmoothed, ranking.FeedbackOff)
	words(memory.Importances...)
	words(memory.RelationTypes...)
	words(memory.VerdictStatuses...)
	words(memory.PatternDo, memory.PatternDont)
	words(selection.TrendUp, selection.TrendDown, selection.TrendFlat)
	words(memory.DirectionOut, memory.DirectionIn, memory.DirectionBoth)
	words(alerts.Kinds...)
	words(alerts.Severities...)
	words(trends.Hour, trends.Day, trends.Week)
	words(graduation.LevelStudent, graduation.LevelIntern, graduation.LevelSupervised, graduation.LevelAutonomous)
	maps.Copy(inAnswers, known)
	whole[summaries.ProfileSummary]("The learning profile, as its resource gives it.")
	whole[summaries.EpisodeSummary]("The episode, as its resource gives it.")
	whole[correctionBody]("The correction, as its resource gives it.")
	whole[ranking.Score]("semantic and temporal, 0 to 1, before weighting; what canvas and feedback added.")
	whole[takenCanvas]("id, canvas (type/component), its last 10 states, stateCount, dwellSeconds.")
	whole[givenFeedback]("id, canvasId, score, comment, corrections.")
	whole[mentionedConcept]("id, name, content.")
	whole[recalling.NextStep]("name, share, how many took it, succeeded, failed, were liked; usual arguments; an example.")
	whole[loggedEvent]("sequence, type, data, at.")
	whole[moment]("where, such as step 14 (cancel_reservation), and what it says.")
	whole[neighbour]("id, label, depth, note where a concept no longer holds.")
	whole[edge]("source, target, type.")
	inAnswers[reflect.TypeFor[memory.Redaction]()] = &jsonschema.Schema{Type: "object"}
}

// words makes the schema of a closed vocabulary.
func words[T ~string](all ...T) {
	schema := &jsonschema.Schema{Type: "string"}
	for _, word := range all {
		schema.Enum = append(schema.Enum, string(word))
	}
	known[reflect.TypeFor[T]()] = schema
}
