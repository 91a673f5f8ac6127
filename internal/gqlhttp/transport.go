package gqlhttp

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/memory"
)

// transport speaks GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/). It is gqlgen's
// only transport, so that whatever comes is answered in one way.
type transport struct {
	options Options
	limits  limits
	errors  presenter
}

var _ graphql.Transport = transport{}

// Supports takes every request.
func (transport) Supports(*http.Request) bool { return true }

// Do answers one request.
func (t transport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ctx, cancel := context.WithTimeout(identified(r.Context(), w.Header()), t.options.Timeout)
	defer cancel()
	answer := answer{w: w, media: negotiate(r.Header.Values("Accept"))}
	defer func() {
		if panicked := recover(); panicked != nil {
			fault := t.errors.present(ctx, t.errors.recovered(ctx, panicked))
			answer.refuse(http.StatusInternalServerError, fault)
		}
	}()
	params, status, fault := t.read(w, r)
	if fault == nil && answer.media == "" {
		status, fault = http.StatusNotAcceptable, memory.Invalid("", "answers come as %s or %s", mediaJSON, mediaResponse)
	}
	if fault != nil {
		answer.refuse(status, t.errors.present(ctx, fault))
		return
	}
	t.execute(ctx, answer, r.Method, exec, params)
}

func (t transport) execute(ctx context.Context, answer answer, method string, exec graphql.GraphExecutor, params *graphql.RawParams) {
	operation, faults := exec.CreateOperationContext(ctx, params)
	if faults != nil {
		answer.refuse(answer.invalidStatus(), t.presented(ctx, faults)...)
		return
	}
	if method == http.MethodGet && operation.Operation.Operation != ast.Query {
		answer.w.Header().Set("Allow", http.MethodPost)
		fault := memory.Invalid("", "a %s must be sent by POST", operation.Operation.Operation)
		answer.refuse(http.StatusMethodNotAllowed, t.errors.present(ctx, fault))
		return
	}
	respond, ctx := exec.DispatchOperation(ctx, operation)
	response := respond(ctx)
	if response == nil { // gqlgen has nothing to say to a context that is over
		answer.refuse(http.StatusServiceUnavailable, t.errors.present(ctx, ctx.Err()))
		return
	}
	answer.write(http.StatusOK, response)
}

func (t transport) presented(ctx context.Context, faults gqlerror.List) []*gqlerror.Error {
	shown := make([]*gqlerror.Error, len(faults))
	for i, fault := range faults {
		shown[i] = t.errors.present(ctx, fault)
	}
	return shown
}
