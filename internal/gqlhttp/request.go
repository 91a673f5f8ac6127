package gqlhttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"mneme/memory"
)

// read takes the parameters out of a request, or says what is wrong with it and with which status.
func (t transport) read(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, int, *memory.Error) {
	switch r.Method {
	case http.MethodGet:
		return finished(fromURL(r.URL.RawQuery))
	case http.MethodPost:
		if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != mediaJSON {
			return nil, http.StatusUnsupportedMediaType, memory.Invalid("", "the Content-Type must be %s", mediaJSON)
		}
		body, status, fault := t.body(w, r)
		if fault != nil {
			return nil, status, fault
		}
		return finished(fromJSON(body))
	default:
		w.Header().Set("Allow", "GET, POST")
		return nil, http.StatusMethodNotAllowed, memory.Invalid("", "send a query by POST or GET")
	}
}

func (t transport) body(w http.ResponseWriter, r *http.Request) ([]byte, int, *memory.Error) {
	var text bytes.Buffer
	if r.ContentLength > 0 && r.ContentLength <= t.options.MaxBodyBytes {
		text.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	_, err := text.ReadFrom(http.MaxBytesReader(w, r.Body, t.options.MaxBodyBytes))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return nil, http.StatusRequestEntityTooLarge, &memory.Error{
			Code: memory.CodeLimitExceeded, Message: exceeded("bytes", int(tooLong.Limit), "send several requests"),
		}
	case err != nil:
		return nil, http.StatusBadRequest, memory.Invalid("", "the body cannot be read")
	case !utf8.Valid(text.Bytes()):
		return nil, http.StatusBadRequest, memory.Invalid("", "the body is not valid UTF-8")
	}
	return text.Bytes(), 0, nil
}

// finished adds what holds for every way of sending parameters.
func finished(params *graphql.RawParams, fault *memory.Error) (*graphql.RawParams, int, *memory.Error) {
	if fault == nil && strings.TrimSpace(params.Query) == "" {
		fault = memory.Invalid("query", "is missing")
	}
	return params, http.StatusBadRequest, fault
}

// fromJSON reads a body. Numbers stay as they are written. Nothing of the body is repeated in a fault.
func fromJSON(body []byte) (*graphql.RawParams, *memory.Error) {
	var sent struct {
		Query         string         `json:"query"`
		OperationName string         `json:"operationName"`
		Variables     map[string]any `json:"variables"`
		Extensions    map[string]any `json:"extensions"`
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	err := decoder.Decode(&sent)
	if err == nil {
		_, err = decoder.Token()
		if errors.Is(err, io.EOF) {
			return &graphql.RawParams{
				Query: sent.Query, OperationName: sent.OperationName, Variables: sent.Variables, Extensions: sent.Extensions,
			}, nil
		}
	}
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mistyped) && mistyped.Field != "":
		return nil, memory.Invalid(mistyped.Field, "cannot be a JSON %s", strings.Fields(mistyped.Value)[0])
	case errors.As(err, &mistyped):
		return nil, memory.Invalid("", "the body must be one JSON object; batches are not taken")
	default:
		return nil, memory.Invalid("", "the body is not one valid JSON object")
	}
}

// fromURL reads the parameters of a GET request.
func fromURL(raw string) (*graphql.RawParams, *memory.Error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, memory.Invalid("", "the URL's query cannot be read")
	}
	params := &graphql.RawParams{Query: values.Get("query"), OperationName: values.Get("operationName")}
	if !utf8.ValidString(params.Query) || !utf8.ValidString(params.OperationName) {
		return nil, memory.Invalid("query", "is not valid UTF-8")
	}
	var fault *memory.Error
	if params.Variables, fault = object(values, "variables"); fault != nil {
		return nil, fault
	}
	params.Extensions, fault = object(values, "extensions")
	return params, fault
}

// object reads a parameter that is a JSON object, if it is there.
func object(values url.Values, name string) (map[string]any, *memory.Error) {
	text := values.Get(name)
	if text == "" {
		return nil, nil
	}
	var fields map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if !utf8.ValidString(text) || decoder.Decode(&fields) != nil || decoder.More() {
		return nil, memory.Invalid(name, "must be a JSON object")
	}
	return fields, nil
}
