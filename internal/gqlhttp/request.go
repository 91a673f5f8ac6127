package gqlhttp

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/internal/inbound"
	"mneme/memory"
)

// sent are the parameters of a request as they came. Variables and extensions are not decoded yet.
type sent struct {
	Query         string                     `json:"query"`
	OperationName string                     `json:"operationName"`
	DocumentID    string                     `json:"documentId"`
	Variables     map[string]json.RawMessage `json:"variables"`
	Extensions    map[string]json.RawMessage `json:"extensions"`
}

// read takes the parameters out of a request, or says what is wrong with it and with which status.
func (t httpTransport) read(w http.ResponseWriter, r *http.Request) (s sent, status int, fault *memory.Error) {
	switch r.Method {
	case http.MethodGet:
		s, fault = fromURL(r.URL.RawQuery)
	case http.MethodPost:
		if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != mediaJSON {
			return s, http.StatusUnsupportedMediaType, memory.Invalid("", "the Content-Type must be %s", mediaJSON)
		}
		body, status, refused := inbound.ReadText(w, r, t.options.MaxBodyBytes)
		if refused != nil {
			return s, status, refused
		}
		weight, refused := inbound.Weigh(body)
		if refused != nil {
			return s, http.StatusRequestEntityTooLarge, refused
		}
		if status, refused := inbound.Admit(w, r, weight); refused != nil {
			return s, status, refused
		}
		r.ContentLength = int64(len(body)) // also where the client did not say it
		fault = decode(body, &s)
	default:
		w.Header().Set("Allow", "GET, POST")
		return s, http.StatusMethodNotAllowed, memory.Invalid("", "send a query by POST or GET")
	}
	if fault == nil && strings.TrimSpace(s.Query) == "" && s.parameters().Extensions == nil {
		fault = memory.Invalid("query", "is missing")
	}
	return s, http.StatusBadRequest, fault
}

// decode reads JSON. Nothing of it is repeated in a fault.
func decode(text []byte, into any) *memory.Error {
	err := json.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	misplaced, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case ok && (misplaced.Field == "variables" || misplaced.Field == "extensions"):
		return memory.Invalid(misplaced.Field, "must be a JSON object")
	case ok && misplaced.Field != "":
		return memory.Invalid(misplaced.Field, "must be a string")
	}
	return memory.Invalid("", "the body must be one JSON object; batches are not taken")
}

// fromURL reads the parameters of a GET request.
func fromURL(raw string) (s sent, fault *memory.Error) {
	values, err := url.ParseQuery(raw)
	if err != nil || !utf8.ValidString(strings.Join(values["query"], "")+values.Get("operationName")+values.Get("documentId")) {
		return s, memory.Invalid("", "the URL's query cannot be read as UTF-8")
	}
	s = sent{Query: values.Get("query"), OperationName: values.Get("operationName"), DocumentID: values.Get("documentId")}
	for name, into := range map[string]*map[string]json.RawMessage{"variables": &s.Variables, "extensions": &s.Extensions} {
		text := values.Get(name)
		if text == "" {
			continue
		}
		if _, fault = inbound.Weigh([]byte(text)); fault == nil && !utf8.ValidString(text) || decode([]byte(text), into) != nil {
			fault = memory.Invalid(name, "must be a JSON object")
		}
		if fault != nil {
			return s, fault
		}
	}
	return s, nil
}

// parameters are those that name the document; the variables follow once it is known which it declares.
func (s sent) parameters() *graphql.RawParams {
	params := &graphql.RawParams{Query: s.Query, OperationName: s.OperationName}
	if persisted, named := s.Extensions["persistedQuery"]; named {
		params.Extensions = map[string]any{"persistedQuery": decoded(persisted)}
	}
	if s.DocumentID != "" {
		params.Extensions = map[string]any{documentID: s.DocumentID, "persistedQuery": params.Extensions["persistedQuery"]}
	}
	return params
}

// declared decodes the variables that a document declares. Clients send others along; nothing is built of them.
func (s sent) declared(document *ast.QueryDocument) map[string]any {
	variables := map[string]any{}
	for _, operation := range document.Operations {
		for _, variable := range operation.VariableDefinitions {
			if sent, known := s.Variables[variable.Variable]; known {
				variables[variable.Variable] = decoded(sent)
			}
		}
	}
	return variables
}

// decoded builds a value. Numbers stay as they are written.
func decoded(valid []byte) any {
	value, _ := memory.JSONValue(valid) // it was found valid
	return value
}
