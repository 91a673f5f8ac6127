package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mneme/internal/telemetry"
	"mneme/memory"
	"mneme/service"
	"mneme/service/faults"
	"mneme/service/recording"
)

// fault is an error as a model sees it: which kind, which argument, what was wrong, and what to send instead.
type fault struct {
	Code    memory.Code `json:"code"`
	Field   string      `json:"field,omitempty"`
	Message string      `json:"message"`
	Send    string      `json:"send,omitempty"`
}

// faultOf maps an error. Whatever is not of the domain is logged and answered INTERNAL.
func (d backend) faultOf(ctx context.Context, subject string, schema *jsonschema.Schema, err error) fault {
	known := d.domain(ctx, subject, err)
	f := fault{Code: known.Code, Field: known.Field, Message: known.Text(), Send: instead(schema, known)}
	if known.Code == memory.CodeInvalidInput { // the names in it may be the caller's own
		f.Field, f.Message = d.service.Redacted(f.Field), d.service.Redacted(f.Message)
	}
	return f
}

// domain is an error of the domain, whatever it was, which whoever measures the call is told.
func (d backend) domain(ctx context.Context, subject string, err error) (known *memory.Error) {
	defer func() { telemetry.OperationOf(ctx).Failed(known.Code) }()
	if over := service.BudgetOf(ctx).Err(); over != nil {
		err = over // whatever it made fail
	}
	switch {
	case errors.As(err, &known) && known.Code != memory.CodeInternal:
		return known
	case errors.Is(err, context.DeadlineExceeded):
		return &memory.Error{Code: memory.CodeLimitExceeded, Message: "the call took too long"}
	case errors.Is(err, context.Canceled):
		return &memory.Error{Code: memory.CodeUnavailable, Message: "the call was given up"}
	case known != nil && known.Cause != nil:
		err = known.Cause
	}
	incident := rand.Text()
	d.log.ErrorContext(ctx, "mcp call failed", "call", subject, "incident", incident, "error", err)
	return &memory.Error{Code: memory.CodeInternal, Message: "internal error; the server's log has more under " + incident}
}

// instead says what to send, in the words of the argument's own description where one is at fault.
func instead(schema *jsonschema.Schema, err *memory.Error) string {
	switch err.Code {
	case memory.CodeConflict:
		return insteadOfConflict(schema, err)
	case memory.CodeUnavailable:
		return "The same again in a moment."
	case memory.CodeInternal, memory.CodeDamaged:
		return "Nothing for now: the fault is the server's."
	}
	if err.Code == memory.CodeLimitExceeded && err.Field == "" {
		return less(schema)
	}
	property := propertyAt(schema, err.Field)
	if property == nil {
		return ""
	}
	name := strings.TrimRight(err.Field, ".0123456789") // of the list, where an item of it is at fault
	return name[strings.LastIndexByte(name, '.')+1:] + ": " + described(property)
}

// insteadOfConflict says what to send where something else is recorded.
func insteadOfConflict(schema *jsonschema.Schema, err *memory.Error) string {
	switch {
	case errors.Is(err, recording.ErrLogLacks):
		return "The events that the log lacks, by capture_run with append: true; then the same again."
	case err.Field == "name":
		return "Another name, or go on with what has this one: memoir_list and search tell it."
	case err.Field == "id" && schema != nil && slices.Contains(schema.Required, "id"): // it names what there is
		return "Nothing more: what is recorded stays as it is."
	}
	return "Another id, or exactly what was recorded under this one; what is recorded stays as it is."
}

// reduceHints are the arguments by which a call reads less, in the words of who is to make it do so.
var reduceHints = []struct{ argument, send string }{
	{"topK", "a smaller topK"}, {"first", "a smaller first"}, {"depth", "a smaller depth"}, {"ids", "fewer ids"},
	{"includeCanvas", "includeCanvas: false"},
}

// less says how to ask for less where a call took too much; nothing where it has no argument for that.
func less(schema *jsonschema.Schema) string {
	var ways []string
	for _, way := range reduceHints {
		if schema != nil && schema.Properties[way.argument] != nil {
			ways = append(ways, way.send)
		}
	}
	if ways == nil {
		return ""
	}
	return "The same with " + strings.Join(ways, " or ") + "."
}

// described is a property's description with its type; without one, it is an object of a list.
func described(property *jsonschema.Schema) string {
	switch {
	case property.Description == "" && len(property.Required) > 0:
		return fmt.Sprintf("a list of objects of %s; each has %s", strings.Join(property.PropertyOrder, ", "), strings.Join(property.Required, ", "))
	case property.Description == "":
		return "a list of objects of " + strings.Join(property.PropertyOrder, ", ")
	case property.Enum != nil:
		return fmt.Sprintf("%s One of %s.", property.Description, listed(property.Enum))
	case property.Type != "":
		return fmt.Sprintf("%s (%s)", property.Description, typeNames[property.Type])
	default:
		return property.Description
	}
}

// propertyAt finds the schema of an argument by the service's name for it; nil where there is none.
func propertyAt(schema *jsonschema.Schema, field string) *jsonschema.Schema {
	if field == "" {
		return nil
	}
	for step := range strings.SplitSeq(field, ".") {
		switch {
		case schema == nil:
			return nil
		case schema.Type == "array":
			if schema.Items.Description == "" && schema.Items.Type != "object" { // the list says it for its items
				return schema
			}
			schema = schema.Items
		default:
			schema = schema.Properties[step]
		}
	}
	return schema
}

// refusal is the answer to a call that failed. It is text and no structured content, since that would have
// to be of the shape that the tool answers when all is well.
func refusal(f fault) *mcp.CallToolResult {
	text, _ := memory.JSONOf(f) // which is plain texts
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}
}

// maxUnreadable is how many records a result names that it leaves out.
const maxUnreadable = 20

// leftOut says which records a result leaves out because they cannot be read, and logs it.
func (d backend) leftOut(ctx context.Context, subject string, unread []*memory.Error) []mcp.Content {
	if len(unread) == 0 {
		return nil
	}
	d.log.ErrorContext(ctx, "records cannot be read and are left out of an answer; mneme doctor tells more",
		"call", subject, "records", len(unread), "first", unread[0].ID, "error", unread[0].Cause)
	ids := memory.Mapped(unread[:min(len(unread), maxUnreadable)], func(err *memory.Error) string { return err.ID })
	if len(unread) > maxUnreadable {
		ids = append(ids, "…")
	}
	text := fmt.Sprintf("%s: %d cannot be read and are left out: %s. The operator should run mneme doctor.", memory.CodeDamaged, len(unread), strings.Join(ids, ", "))
	return []mcp.Content{&mcp.TextContent{Text: text}}
}

// notKnown says which names nothing is known of, so that an answer of nothing is not taken for all there is.
func notKnown(names []faults.UnknownName) []mcp.Content {
	return memory.Mapped(names, func(name faults.UnknownName) mcp.Content {
		return &mcp.TextContent{Text: name.Field + ": " + name.Message + " (yet)."}
	})
}

// unnamed takes secrets out of an error of the protocol, which repeats the names of tools that there are not.
func (d backend) unnamed(err error) error {
	var told *jsonrpc.Error
	if !errors.As(err, &told) {
		return err
	}
	clean := *told
	clean.Message = d.service.Redacted(clean.Message)
	return &clean
}

// ofProtocol answers as a method does, with its errors as those of the protocol.
func ofProtocol[Q, A any](d backend, subject string, method func(context.Context, Q) (A, error)) func(context.Context, Q) (A, error) {
	return func(ctx context.Context, request Q) (A, error) {
		answer, err := method(ctx, request)
		if err != nil {
			return *new(A), d.protocolError(ctx, subject, err)
		}
		return answer, nil
	}
}

// protocolError is the answer where there is no result to put a fault in: to reading a resource or a prompt.
func (d backend) protocolError(ctx context.Context, subject string, err error) *jsonrpc.Error {
	if already, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return already
	}
	known := d.domain(ctx, subject, err)
	code := int64(jsonrpc.CodeInvalidParams)
	if known.Code == memory.CodeInternal || known.Code == memory.CodeUnavailable || known.Code == memory.CodeDamaged {
		code = jsonrpc.CodeInternalError
	}
	data, _ := memory.JSONOf(fault{Code: known.Code, Field: known.Field, Message: known.Text()}) // which is plain texts
	return &jsonrpc.Error{Code: code, Message: known.Error(), Data: json.RawMessage(data)}
}
