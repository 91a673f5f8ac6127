package otlp

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"

	"mneme/internal/telemetry"
	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/boundary"
	"mneme/service/traces"
)

// Rule says who may send spans: whoever records.
var Rule = access.Records.ForUsers()

// retryAfter is how many seconds a sender should wait before it sends again what could not be kept.
const retryAfter = 5

// spansAtOnce is how many spans are written in one transaction; SDKs send so many.
const spansAtOnce = 512

// Recorder keeps the spans of traces.
type Recorder interface {
	RecordSpans(ctx context.Context, spans []boundary.TraceSpan) (traces.RecordedSpans, error)
}

// Bind gives the recorder of a request's tenant.
type Bind func(ctx context.Context) (Recorder, error)

// Handler answers export requests of OTLP/HTTP. A span is accepted when it is on disk; what could not be kept for now
// is answered 503, so that the sender sends it again. What became of a request is told to its telemetry.Operation,
// where it has one. Of a scope whose spans say nothing of an agent the log tells once, in words that are redacted.
func Handler(bind Bind, redacted func(string) string, log *slog.Logger) http.Handler {
	return &receiver{bind: bind, unread: unread{redacted: redacted, log: log, told: map[string]bool{}}, log: log}
}

// Ignored takes what is sent of metrics and logs and keeps none of it: SDKs that are given one address for all send
// them too, and would log an error at each export.
func Ignored() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		a := answer{w: w, form: formOf(request.Header)}
		if refused := onlyPost(w, request); refused != nil {
			a.refuse(refused)
			return
		}
		_, _ = io.Copy(io.Discard, http.MaxBytesReader(w, request.Body, maxBody)) // so that the connection can go on
		a.accept(nil)
	})
}

type receiver struct {
	bind   Bind
	unread unread
	log    *slog.Logger
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	a := answer{w: w, form: formOf(request.Header)}
	partial, refused := r.receive(w, request, a.form)
	if refused != nil {
		telemetry.OperationOf(request.Context()).Failed(cmp.Or(codes[refused.status], memory.CodeInvalidInput))
		a.refuse(refused)
		return
	}
	a.accept(partial)
}

// receive reads a request and keeps its spans.
func (r *receiver) receive(w http.ResponseWriter, request *http.Request, as form) (*collector.ExportTracePartialSuccess, *refusal) {
	if err, forbidden := errors.AsType[*memory.Error](Rule.Check(request.Context(), "to send spans")); forbidden {
		return nil, &refusal{http.StatusForbidden, err.Text()}
	}
	if refused := onlyPost(w, request); refused != nil {
		return nil, refused
	}
	if as == formUnknown {
		return nil, &refusal{http.StatusUnsupportedMediaType, "send application/x-protobuf or application/json"}
	}
	body, refused := take(w, request)
	if refused != nil {
		return nil, refused
	}
	ctx, cancel := context.WithTimeout(request.Context(), maxTime)
	defer cancel()
	read, err := readRequest(ctx, as, body)
	if err != nil {
		return nil, unreadable(err)
	}
	recorded, err := r.record(ctx, read.spans)
	if err != nil {
		return nil, r.refusalOf(ctx, err)
	}
	silent := 0
	for _, names := range read.silent {
		silent += len(names)
	}
	telemetry.OperationOf(ctx).Spans(recorded.Accepted-min(recorded.Accepted, silent), silent, recorded.Rejected+read.faulty)
	r.unread.note(ctx, read.silent)
	return leftOut(recorded, read.faulty), nil
}

func onlyPost(w http.ResponseWriter, request *http.Request) *refusal {
	if request.Method == http.MethodPost {
		return nil
	}
	w.Header().Set("Allow", http.MethodPost)
	return &refusal{http.StatusMethodNotAllowed, "OTLP is sent by POST"}
}

// record keeps spans, some at a time, so that others can write in between, and frees their memory. Where it
// fails on the way, those that are kept already are found when all are sent again.
func (r *receiver) record(ctx context.Context, spans []boundary.TraceSpan) (all traces.RecordedSpans, err error) {
	recorder, err := r.bind(ctx)
	if err != nil {
		return all, err
	}
	for some := range slices.Chunk(spans, spansAtOnce) {
		recorded, err := recorder.RecordSpans(ctx, some)
		if err != nil {
			return all, err
		}
		all.Accepted, all.Rejected = all.Accepted+recorded.Accepted, all.Rejected+recorded.Rejected
		all.Reason = cmp.Or(all.Reason, recorded.Reason)
		clear(some)
	}
	return all, nil
}

// refusalOf tells faults that pass from those that stay.
func (r *receiver) refusalOf(ctx context.Context, err error) *refusal {
	var known *memory.Error
	if errors.As(err, &known) && known.Code == memory.CodeInvalidInput {
		return &refusal{http.StatusBadRequest, known.Text()}
	}
	if known != nil && known.Code == memory.CodeUnavailable { // which the server says in its log, once for all requests
		return &refusal{http.StatusServiceUnavailable, "the spans could not be kept; send them again: " + known.Text()}
	}
	r.log.ErrorContext(ctx, "spans could not be kept", "error", err)
	return &refusal{http.StatusServiceUnavailable, "the spans could not be kept; send them again"}
}

// leftOut says how many spans were left out, if any; then a sender must not send the others again.
func leftOut(recorded traces.RecordedSpans, faulty int) *collector.ExportTracePartialSuccess {
	rejected := recorded.Rejected + faulty
	if rejected == 0 {
		return nil
	}
	var reasons []string
	if faulty > 0 {
		reasons = append(reasons, strconv.Itoa(faulty)+": "+badSpan)
	}
	var known *memory.Error
	if errors.As(recorded.Reason, &known) {
		reasons = append(reasons, strconv.Itoa(recorded.Rejected)+", the first: "+known.Text())
	}
	return &collector.ExportTracePartialSuccess{
		RejectedSpans: int64(rejected), ErrorMessage: strconv.Itoa(rejected) + " spans were left out; " + strings.Join(reasons, "; "),
	}
}
