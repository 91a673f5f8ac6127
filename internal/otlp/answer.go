package otlp

import (
	"bytes"
	"mime"
	"net/http"
	"strconv"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	rpc "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"mneme/memory"
)

// form is how a request, and so its answer, is written.
type form string

// The forms of OTLP/HTTP.
const (
	formProtobuf form = "application/x-protobuf"
	formJSON     form = "application/json"
	formUnknown  form = ""
)

func formOf(header http.Header) form {
	mediaType, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err == nil {
		switch form(mediaType) {
		case formProtobuf, "application/protobuf":
			return formProtobuf
		case formJSON:
			return formJSON
		}
	}
	return formUnknown
}

// refusal is an answer that tells a sender what is wrong.
type refusal struct {
	status  int
	message string
}

// codes are those of the errors that are refused so; of others it is INVALID_INPUT.
var codes = map[int]memory.Code{
	http.StatusForbidden: memory.CodeForbidden, http.StatusServiceUnavailable: memory.CodeUnavailable,
	http.StatusRequestEntityTooLarge: memory.CodeLimitExceeded,
}

type answer struct {
	w    http.ResponseWriter
	form form
}

// accept answers an ExportTraceServiceResponse; nil means that nothing was left out.
func (a answer) accept(partial *collector.ExportTracePartialSuccess) {
	a.write(http.StatusOK, &collector.ExportTraceServiceResponse{PartialSuccess: partial})
}

// refuse answers a google.rpc.Status.
func (a answer) refuse(r *refusal) {
	if r.status == http.StatusServiceUnavailable {
		a.w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	if a.form == formUnknown {
		a.form = formJSON
	}
	a.write(r.status, &rpc.Status{Message: r.message})
}

func (a answer) write(status int, message proto.Message) {
	encode := proto.Marshal
	if a.form == formJSON {
		encode = protojson.Marshal
	}
	body, _ := encode(message) // numbers and texts of UTF-8 cannot fail
	a.w.Header().Set("Content-Type", string(a.form))
	a.w.Header().Set("X-Content-Type-Options", "nosniff")
	a.w.Header().Set("Cache-Control", "no-store")
	a.w.WriteHeader(status)
	_, _ = bytes.NewReader(body).WriteTo(a.w) // a sender that is gone sends again
}
