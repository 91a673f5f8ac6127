package mcpserver

import (
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/memory/selection"
	"mneme/service"
)

// schemaOf is the schema of a type's JSON. What may be left out is not said to be nullable as well: null
// is taken for left out in an input and never written, and models do better with one way to say nothing.
func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		panic("mcpserver: " + err.Error()) // the types are ours
	}
	neverNull(schema)
	return schema
}

func neverNull(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if len(schema.Types) == 2 && slices.Contains(schema.Types, "null") {
		schema.Type = schema.Types[1]
		if schema.Type == "null" {
			schema.Type = schema.Types[0]
		}
		schema.Types = nil
	}
	for _, property := range schema.Properties {
		neverNull(property)
	}
	neverNull(schema.Items)
}

// known are the schemas of types that do not tell by themselves what their JSON is.
var known = map[reflect.Type]*jsonschema.Schema{}

func init() {
	known[reflect.TypeFor[time.Time]()] = &jsonschema.Schema{Type: "string", Format: "date-time"}
	known[reflect.TypeFor[memory.JSON]()] = &jsonschema.Schema{Description: "Any JSON value."}
	words(memory.OutcomeSuccess, memory.OutcomeFailure, memory.OutcomeUnknown)
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
	words(service.DirectionOut, service.DirectionIn, service.DirectionBoth)

	known[reflect.TypeFor[service.ActionInput]()] = schemaOf[actionInput]()
	known[reflect.TypeFor[service.EventInput]()] = schemaOf[eventInput]()
	known[reflect.TypeFor[service.CanvasActionInput]()] = schemaOf[canvasActionInput]()
	known[reflect.TypeFor[service.IssueInput]()] = schemaOf[issueInput]()
	known[reflect.TypeFor[service.RankingInput]()] = schemaOf[rankingInput]()
}

// words makes the schema of a closed vocabulary.
func words[T ~string](all ...T) {
	schema := &jsonschema.Schema{Type: "string"}
	for _, word := range all {
		schema.Enum = append(schema.Enum, string(word))
	}
	known[reflect.TypeFor[T]()] = schema
}
