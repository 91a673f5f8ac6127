package otlp

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

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

// code is the code of an error that is refused so.
func (r *refusal) code() memory.Code {
	switch r.status {
	case http.StatusServiceUnavailable:
		return memory.CodeUnavailable
	case http.StatusRequestEntityTooLarge, http.StatusRequestTimeout:
		return memory.CodeLimitExceeded
	}
	return memory.CodeInvalidInput
}

type answer struct {
	w    http.ResponseWriter
	form form
}

// partialSuccess says what was left out of a request.
type partialSuccess struct {
	RejectedSpans int64  `json:"rejectedSpans,string"`
	ErrorMessage  string `json:"errorMessage"`
}

// The messages of answers are written by hand, because their package brings gRPC and a gateway along. These
// are the numbers of their fields, in ExportTraceServiceResponse, ExportTracePartialSuccess and google.rpc.Status.
const (
	fieldPartialSuccess protowire.Number = 1
	fieldRejectedSpans  protowire.Number = 1
	fieldErrorMessage   protowire.Number = 2
	fieldStatusMessage  protowire.Number = 2
)

// accept answers an ExportTraceServiceResponse; nil means that nothing was left out.
func (a answer) accept(partial *partialSuccess) {
	if a.form == formJSON {
		response := map[string]*partialSuccess{}
		if partial != nil {
			response["partialSuccess"] = partial
		}
		body, _ := json.Marshal(response) // text and a number cannot fail
		a.write(http.StatusOK, body)
		return
	}
	var body []byte
	if partial != nil {
		var inner []byte
		inner = protowire.AppendTag(inner, fieldRejectedSpans, protowire.VarintType)
		inner = protowire.AppendVarint(inner, uint64(partial.RejectedSpans))
		inner = appendText(inner, fieldErrorMessage, partial.ErrorMessage)
		body = protowire.AppendTag(body, fieldPartialSuccess, protowire.BytesType)
		body = protowire.AppendBytes(body, inner)
	}
	a.write(http.StatusOK, body)
}

func appendText(body []byte, field protowire.Number, text string) []byte {
	return protowire.AppendString(protowire.AppendTag(body, field, protowire.BytesType), text)
}

// refuse answers a google.rpc.Status.
func (a answer) refuse(r *refusal) {
	if r.status == http.StatusServiceUnavailable {
		a.w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	body := appendText(nil, fieldStatusMessage, r.message)
	if a.form != formProtobuf {
		a.form = formJSON
		body, _ = json.Marshal(map[string]string{"message": r.message}) // text cannot fail
	}
	a.write(r.status, body)
}

func (a answer) write(status int, body []byte) {
	a.w.Header().Set("Content-Type", string(a.form))
	a.w.Header().Set("X-Content-Type-Options", "nosniff")
	a.w.Header().Set("Cache-Control", "no-store")
	a.w.WriteHeader(status)
	_, _ = bytes.NewReader(body).WriteTo(a.w) // a sender that is gone sends again
}
