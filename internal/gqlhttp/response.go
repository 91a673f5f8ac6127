package gqlhttp

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/internal/telemetry"
	"mneme/memory"
)

// The media types of an answer. A client that asks for the second wants the status to tell an error of
// the request from an answer; with plain JSON, only what is no GraphQL request at all is a 4xx.
const (
	mediaJSON     = "application/json"
	mediaResponse = "application/graphql-response+json"
)

// negotiate picks the media type of the answer: the specification's where the client takes that, else plain JSON.
func negotiate(accept string) string {
	if strings.Contains(accept, mediaResponse) {
		return mediaResponse
	}
	return mediaJSON
}

// answer writes the one answer to a request.
type answer struct {
	w         http.ResponseWriter
	media     string
	operation *telemetry.Operation
}

// invalidStatus is the status for a request whose query cannot be executed, or may not.
func (a answer) invalidStatus(faults gqlerror.List) int {
	var known *memory.Error
	switch {
	case a.media != mediaResponse:
		return http.StatusOK
	case !errors.As(faults, &known):
		return http.StatusBadRequest
	case known.Code == codeNotPersisted:
		return http.StatusOK // by which every client of the protocol reads on
	case known.Code == memory.CodeForbidden:
		return http.StatusForbidden
	}
	return http.StatusBadRequest
}

// refuse answers errors of the whole request: no data, not even null.
func (a answer) refuse(status int, errors ...*gqlerror.Error) {
	a.write(status, &graphql.Response{Errors: errors})
}

// write sends a response.
func (a answer) write(status int, response *graphql.Response) {
	if len(response.Errors) > 0 {
		a.operation.Failed(codeOf(response.Errors[0]))
	}
	a.operation.End() // how long the client takes to read is its own affair
	head := beforeData(response)
	header := a.w.Header()
	header.Set("Content-Type", a.media+"; charset=utf-8")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Length", strconv.Itoa(len(head)+len(response.Data)+1))
	a.w.WriteHeader(status)
	for _, part := range [][]byte{head, response.Data, {'}'}} {
		if _, err := a.w.Write(part); err != nil { //nolint:gosec // JSON by its Content-Type, which no browser is to doubt
			return // the client is gone
		}
	}
}

// beforeData is the JSON of a response up to its data, which is JSON already and is passed on as it is; a } ends both.
func beforeData(response *graphql.Response) []byte {
	head, err := json.Marshal(struct {
		Errors     gqlerror.List  `json:"errors,omitempty"`
		Extensions map[string]any `json:"extensions,omitempty"`
	}{response.Errors, response.Extensions})
	if err != nil {
		panic("gqlhttp: errors that cannot be encoded: " + err.Error()) // they hold strings and numbers only
	}
	if head = head[:len(head)-1]; response.Data != nil {
		if len(head) > 1 {
			head = append(head, ',')
		}
		head = append(head, `"data":`...)
	}
	return head
}
