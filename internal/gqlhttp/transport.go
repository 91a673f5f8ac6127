package gqlhttp

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/internal/budget"
	"mneme/internal/inbound"
	"mneme/internal/telemetry"
	"mneme/memory"
	"mneme/service"
)

// httpTransport speaks GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/) for all but WebSocket.
// gqlgen's POST repeats a body that cannot be read, and has other statuses than the specification.
type httpTransport struct {
	options   Options
	documents documents
	errors    presenter
}

var _ graphql.Transport = httpTransport{}

// Supports takes every request.
func (httpTransport) Supports(*http.Request) bool { return true }

// Do answers one request.
func (t httpTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	lasting, operation := t.options.Signals.Operation(withRequestID(r.Context(), w.Header()), telemetry.GraphQL)
	defer operation.End()
	ctx, cancel := context.WithTimeout(lasting, t.options.Timeout)
	defer cancel()
	accept := strings.Join(r.Header.Values("Accept"), ",")
	answer := answer{w: w, media: negotiate(accept), operation: operation}
	refuse := func(status int, fault error) { answer.refuse(status, t.errors.present(ctx, fault)) }
	defer func() {
		if panicked := recover(); panicked != nil {
			refuse(http.StatusInternalServerError, t.errors.recovered(ctx, panicked))
		}
	}()
	sent, status, fault := t.read(w, r)
	if fault != nil {
		refuse(status, fault)
		return
	}
	exec = executor{exec, t, sent.declared}
	asked, faults := exec.CreateOperationContext(ctx, sent.parameters())
	events := strings.Contains(accept, mediaEvents) && (isSubscription(asked) || !strings.Contains(accept, "json"))
	switch {
	case events && r.ContentLength > longestSubscription:
		refuse(http.StatusRequestEntityTooLarge, memory.LimitExceeded("", "a request for events may have %d bytes", longestSubscription))
	case events:
		t.stream(lasting, w, exec, asked, t.begun(ctx, operation, asked, faults))
	case faults != nil:
		w.Header().Set("Cache-Control", "no-store") // a query that is not known may be the next time
		answer.refuse(answer.invalidStatus(faults), t.presented(ctx, faults)...)
	case r.Method == http.MethodGet && asked.Operation.Operation != ast.Query:
		w.Header().Set("Allow", http.MethodPost)
		refuse(http.StatusMethodNotAllowed, memory.Invalid("", "a %s must be sent by POST", asked.Operation.Operation))
	case isSubscription(asked):
		refuse(answer.invalidStatus(nil), memory.Invalid("", "a subscription is answered as %s, or over WebSocket by %s", mediaEvents, subprotocol))
	default:
		t.execute(ctx, answer, r, exec, asked)
	}
}

func (t httpTransport) execute(ctx context.Context, answer answer, r *http.Request, exec graphql.GraphExecutor, operation *graphql.OperationContext) {
	t.name(answer.operation, operation)
	response, err := t.admitted(ctx, max(r.ContentLength, 0), exec, operation)
	switch {
	case err != nil && (errors.Is(err, budget.ErrBusy) || errors.Is(err, service.ErrNoRoom)):
		answer.w.Header().Set("Retry-After", "1")
		answer.refuse(http.StatusServiceUnavailable, t.errors.present(ctx, err))
	case err != nil:
		answer.refuse(http.StatusOK, t.errors.present(ctx, err))
	case response == nil: // gqlgen has nothing to say to a context that is over
		answer.refuse(http.StatusServiceUnavailable, t.errors.present(ctx, ctx.Err()))
	default:
		inbound.Answering(ctx, answer.w, len(response.Data))
		answer.write(http.StatusOK, response)
	}
}

// several is the name of an operation that asks for more than one field of the schema's root.
const several = "several"

// name says what an operation asks for: the field of the schema's root, whatever the client calls it.
func (t httpTransport) name(measured *telemetry.Operation, asked *graphql.OperationContext) {
	measured.Is(string(asked.Operation.Operation), rootOf(asked))
	measured.Called(asked.Operation.Name, t.errors.redacted)
}

// rootOf is the field of the schema's root that an operation asks for.
func rootOf(asked *graphql.OperationContext) string {
	fields := graphql.CollectFields(asked, asked.Operation.SelectionSet, nil)
	if len(fields) == 0 {
		return telemetry.Unknown // as all is skipped
	}
	for _, field := range fields[1:] {
		if field.Name != fields[0].Name {
			return several
		}
	}
	return fields[0].Name
}

// bytesPerField is what a field of an answer takes on average, with what is read for it.
const bytesPerField = 400

// admitted answers an operation within the budget of a request, once there is memory for it. The error says that there
// was none, or that the budget was used up.
func (t httpTransport) admitted(ctx context.Context, size int64, exec graphql.GraphExecutor, operation *graphql.OperationContext) (*graphql.Response, error) {
	claim := budget.Of(ctx)
	if err := claim.Acquire(ctx, bytesPerField*int64(costOf(operation).fields)+inbound.PerByte*size); err != nil {
		return nil, err
	}
	ctx, spent, done := service.WithBudget(ctx, t.options.Budget)
	defer done()
	spent.Grow(claim.Has(), claim.Grow)
	respond, ctx := exec.DispatchOperation(ctx, operation)
	response := respond(ctx)
	if t.options.Spent != nil {
		t.options.Spent(spent.Spent())
	}
	err := spent.Err()
	var known *memory.Error
	if operation.Operation.Operation == ast.Mutation && errors.As(err, &known) {
		kept := &memory.Error{Code: known.Code, Message: known.Message + "; what the mutation wrote until then is kept", Cause: err}
		return response, kept
	}
	return response, err
}

func (t httpTransport) presented(ctx context.Context, faults gqlerror.List) []*gqlerror.Error {
	return memory.Mapped(faults, func(fault *gqlerror.Error) *gqlerror.Error { return t.errors.present(ctx, fault) })
}
