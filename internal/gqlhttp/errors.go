package gqlhttp

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/memory"
	"mneme/memory/prose"
)

// presenter turns every error into one that a client may see: a message, extensions.code,
// extensions.field where an input is at fault, and the path of the field it belongs to.
type presenter struct {
	log *slog.Logger
	// redacted takes out of a message what may not be repeated
	redacted func(text string) string
}

// longestMessage bounds the parts of a query that a message may repeat.
const longestMessage = 300

// present maps an error. Whatever is not of the domain or of the query is logged and answered INTERNAL.
func (p presenter) present(ctx context.Context, err error) *gqlerror.Error {
	var known *memory.Error
	var located *gqlerror.Error
	errors.As(err, &located)
	switch {
	case errors.As(err, &known) && known.Code != memory.CodeInternal:
		return p.domain(ctx, known, located)
	case located != nil && ofQuery(located):
		return p.refused(located)
	case errors.Is(err, context.DeadlineExceeded):
		return p.at(ctx, located, &memory.Error{Code: memory.CodeLimitExceeded, Message: "the request took too long"})
	case errors.Is(err, context.Canceled):
		return p.at(ctx, located, &memory.Error{Code: memory.CodeUnavailable, Message: "the request was given up"})
	default:
		return p.internal(ctx, err, located)
	}
}

// domain shows an error of the domain. Where it names no field, the place in the arguments does.
func (p presenter) domain(ctx context.Context, known *memory.Error, located *gqlerror.Error) *gqlerror.Error {
	shown, own := *known, fieldPath(ctx)
	if shown.Field == "" && located != nil && len(located.Path) > len(own) {
		shown.Field = dotted(withoutWrapper(located.Path[len(own):]))
	}
	shown.Field = p.redacted(shown.Field) // clients name their variables
	return p.at(ctx, located, &shown)
}

// at puts an error on the field of the answer that it belongs to.
func (p presenter) at(ctx context.Context, located *gqlerror.Error, known *memory.Error) *gqlerror.Error {
	shown := &gqlerror.Error{Err: known, Message: known.Text(), Path: fieldPath(ctx), Extensions: extensions(known)}
	if located != nil {
		shown.Locations = located.Locations
	}
	return shown
}

// internal logs an unexpected error under a request id, and tells the client that id.
func (p presenter) internal(ctx context.Context, err error, located *gqlerror.Error) *gqlerror.Error {
	id := requestID(ctx)
	if known, ok := errors.AsType[*memory.Error](err); ok && known.Cause != nil {
		err = known.Cause // which its own text leaves out
	}
	p.log.ErrorContext(ctx, "graphql request failed", "requestId", id, "path", fieldPath(ctx).String(), "error", err)
	shown := p.at(ctx, located, &memory.Error{Code: memory.CodeInternal, Message: "internal error"})
	shown.Extensions["requestId"] = id
	return shown
}

// maxUnreadable is how many errors for records that cannot be read an answer has.
const maxUnreadable = 100

// leftOut adds an error for each record that an answer leaves out because it cannot be read, and logs it.
func (p presenter) leftOut(ctx context.Context, response *graphql.Response, unread []*memory.Error) {
	if response == nil || len(unread) == 0 {
		return
	}
	p.log.ErrorContext(ctx, "records cannot be read and are left out of an answer; mneme doctor tells more",
		"requestId", requestID(ctx), "records", len(unread), "first", unread[0].ID, "error", unread[0].Cause)
	for _, err := range unread[:min(len(unread), maxUnreadable)] {
		response.Errors = append(response.Errors, &gqlerror.Error{Err: err, Message: err.Text(), Extensions: extensions(err)})
	}
}

// recovered makes an error of a panic; present logs it.
func (p presenter) recovered(_ context.Context, panicked any) error {
	return &memory.Error{
		Code: memory.CodeInternal, Message: "internal error",
		Cause: fmt.Errorf("panic: %v\n%s", panicked, debug.Stack()),
	}
}

// ofQuery says whether an error is gqlgen's or gqlparser's about the query or its variables.
func ofQuery(err *gqlerror.Error) bool {
	code := err.Extensions["code"]
	return code == errcode.ParseFailed || code == errcode.ValidationFailed
}

// refused shows an error of the query in the parser's own words, which may repeat values of the query.
func (p presenter) refused(err *gqlerror.Error) *gqlerror.Error {
	known := &memory.Error{Code: memory.CodeInvalidInput, Message: shortened(p.redacted(beginning(err.Message)))}
	if strings.HasPrefix(err.Message, "exceeded token limit") {
		known.Code, known.Message = memory.CodeLimitExceeded, err.Message+"; send values in variables"
	}
	if err.Message == "operation  not found" { // of gqlgen, where no operation was named
		known.Field, known.Message = "operationName", "operationName: must name one of the operations, unless there is just one"
	}
	return &gqlerror.Error{Err: known, Message: known.Message, Locations: err.Locations, Extensions: extensions(known)}
}

func extensions(err *memory.Error) map[string]any {
	shown := map[string]any{"code": string(err.Code)}
	if err.Field != "" {
		shown["field"] = err.Field
	}
	if err.ID != "" {
		shown["id"] = err.ID
	}
	return shown
}

// codeOf is the code of an error as it is shown.
func codeOf(shown *gqlerror.Error) memory.Code {
	code, _ := shown.Extensions["code"].(string)
	return memory.Code(code)
}

func fieldPath(ctx context.Context) ast.Path {
	if field := graphql.GetFieldContext(ctx); field != nil {
		return field.Path()
	}
	return nil
}

// variableField names the part of a variable at fault. A variable that holds a whole input object is
// called as the client pleases, so what counts is the place in it; the place in a list alone would say nothing.
func variableField(path ast.Path) string {
	if len(path) > 1 {
		if _, inList := path[1].(ast.PathIndex); !inList {
			path = path[1:]
		}
	}
	return dotted(path)
}

// withoutWrapper drops the argument that only holds the others, as the service's own fields do.
func withoutWrapper(path ast.Path) ast.Path {
	if len(path) > 1 && (path[0] == ast.PathName("input") || path[0] == ast.PathName("filter")) {
		return path[1:]
	}
	return path
}

// dotted writes a path the way the service does: episodes.3.observation.
func dotted(path ast.Path) string {
	words := make([]string, 0, len(path))
	for _, step := range path {
		switch s := step.(type) {
		case ast.PathName:
			words = append(words, string(s))
		case ast.PathIndex:
			words = append(words, strconv.Itoa(int(s)))
		}
	}
	return strings.Join(words, ".")
}

// beginning is as much of a message as is worth to be looked through. It ends with a whole word, since of a secret
// that is cut in two the first part is not known for one.
func beginning(message string) string {
	const enough = 16 << 10
	if len(message) <= enough {
		return message
	}
	return message[:strings.LastIndexAny(message[:enough], " \t\r\n")+1]
}

func shortened(message string) string { return prose.ShortenBytes(message, longestMessage) }

// requestIDKey is for the id of the request.
type requestIDKey struct{}

// withRequestID takes over the X-Request-Id that an outer handler put on the answer, else makes one up.
func withRequestID(ctx context.Context, answer http.Header) context.Context {
	return context.WithValue(ctx, requestIDKey{}, cmp.Or(answer.Get("X-Request-Id"), rand.Text()))
}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
