package otlp

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"mneme/memory"
	"mneme/service"
)

// maxBody is the most bytes of a request, before and after they are unpacked.
const maxBody = 16 << 20

// retryAfter is how many seconds a sender should wait before it sends again what could not be kept.
const retryAfter = 5

// atOnce is how many requests are taken in at a time, since a small body may unpack to much.
const atOnce = 8

// Recorder keeps the spans of traces.
type Recorder interface {
	RecordSpans(ctx context.Context, spans []service.TraceSpan) (service.RecordedSpans, error)
}

// Handler answers export requests of OTLP/HTTP. A span is accepted when it is on disk; what could not be
// kept for now is answered 503, so that the sender sends it again.
func Handler(recorder Recorder, log *slog.Logger) http.Handler {
	return &receiver{recorder: recorder, log: log, free: make(chan struct{}, atOnce)}
}

type receiver struct {
	recorder Recorder
	log      *slog.Logger
	free     chan struct{}
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	a := answer{w: w, form: formOf(request.Header)}
	if request.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		a.refuse(&refusal{http.StatusMethodNotAllowed, "traces are sent by POST"})
		return
	}
	select {
	case r.free <- struct{}{}:
		defer func() { <-r.free }()
	case <-request.Context().Done():
		return
	}
	export, refused := decode(w, request, a.form)
	if refused != nil {
		a.refuse(refused)
		return
	}
	spans, faulty := spansOf(export)
	recorded, err := r.recorder.RecordSpans(request.Context(), spans)
	if err != nil {
		a.refuse(r.refusalOf(request.Context(), err))
		return
	}
	a.accept(leftOut(recorded, faulty))
}

// refusalOf tells faults that pass from those that stay.
func (r *receiver) refusalOf(ctx context.Context, err error) *refusal {
	var known *memory.Error
	if errors.As(err, &known) && known.Code == memory.CodeInvalidInput {
		return &refusal{http.StatusBadRequest, known.Text()}
	}
	r.log.ErrorContext(ctx, "spans could not be kept", "error", err)
	return &refusal{http.StatusServiceUnavailable, "the spans could not be kept; send them again"}
}

// leftOut says how many spans were left out, if any; then a sender must not send the others again.
func leftOut(recorded service.RecordedSpans, faulty int) *partialSuccess {
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
	return &partialSuccess{
		RejectedSpans: int64(rejected), ErrorMessage: strconv.Itoa(rejected) + " spans were left out; " + strings.Join(reasons, "; "),
	}
}
