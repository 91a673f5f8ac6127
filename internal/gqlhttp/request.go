package gqlhttp

import (
	"bytes"
	"encoding/json"
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

// sent are the parameters of a request as they came. Variables and extensions are not decoded yet, nil where there are
// none.
type sent struct {
	query, operationName, documentID string
	variables, extensions            []byte
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
		s, fault = fromJSON(body)
	default:
		w.Header().Set("Allow", "GET, POST")
		return s, http.StatusMethodNotAllowed, memory.Invalid("", "send a query by POST or GET")
	}
	if fault == nil && strings.TrimSpace(s.query) == "" && s.parameters().Extensions == nil {
		fault = memory.Invalid("query", "is missing")
	}
	return s, http.StatusBadRequest, fault
}

// parameters are those that name the document; the variables follow once it is known which it declares.
func (s sent) parameters() *graphql.RawParams {
	params := &graphql.RawParams{Query: s.query, OperationName: s.operationName}
	for extension := range inbound.Members(s.extensions) {
		if extension.Name == "persistedQuery" {
			params.Extensions = map[string]any{extension.Name: decoded(extension.Value)}
		}
	}
	if s.documentID != "" {
		params.Extensions = map[string]any{documentID: s.documentID, "persistedQuery": params.Extensions["persistedQuery"]}
	}
	return params
}

// declared decodes the variables that a document declares. Clients send others along; nothing is built of them.
func (s sent) declared(document *ast.QueryDocument) map[string]any {
	variables := map[string]any{}
	for variable := range inbound.Members(s.variables) {
		for _, operation := range document.Operations {
			if operation.VariableDefinitions.ForName(variable.Name) != nil {
				variables[variable.Name] = decoded(variable.Value)
				break
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

// fromJSON reads a body. Nothing of the body is repeated in a fault.
func fromJSON(body []byte) (sent, *memory.Error) {
	var s sent
	switch {
	case !json.Valid(body):
		return s, memory.Invalid("", "the body is not one valid JSON object")
	case kindOf(body) != "object":
		return s, memory.Invalid("", "the body must be one JSON object; batches are not taken")
	}
	for m := range inbound.Members(body) {
		fits, value := true, m.Value
		switch m.Name {
		case "query":
			fits = json.Unmarshal(value, &s.query) == nil
		case "operationName":
			fits = json.Unmarshal(value, &s.operationName) == nil
		case "variables":
			s.variables, fits = object(value)
		case "documentId":
			fits = json.Unmarshal(value, &s.documentID) == nil
		case "extensions":
			s.extensions, fits = object(value)
		}
		if !fits {
			return s, memory.Invalid(m.Name, "cannot be a JSON %s", kindOf(value))
		}
	}
	return s, nil
}

// object takes an object, nil for null.
func object(valid []byte) ([]byte, bool) {
	switch kindOf(valid) {
	case "object":
		return valid, true
	case "null":
		return nil, true
	default:
		return nil, false
	}
}

// kindOf names the kind of a valid JSON value.
func kindOf(valid []byte) string {
	switch first := bytes.TrimSpace(valid)[0]; first {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 'n':
		return "null"
	case 't', 'f':
		return "bool"
	default:
		return "number"
	}
}

// fromURL reads the parameters of a GET request.
func fromURL(raw string) (sent, *memory.Error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return sent{}, memory.Invalid("", "the URL's query cannot be read")
	}
	s := sent{query: values.Get("query"), operationName: values.Get("operationName"), documentID: values.Get("documentId")}
	if !utf8.ValidString(s.query) || !utf8.ValidString(s.operationName) || !utf8.ValidString(s.documentID) {
		return s, memory.Invalid("query", "is not valid UTF-8")
	}
	fault := parameter(values, "extensions", &s.extensions)
	if fault == nil {
		fault = parameter(values, "variables", &s.variables)
	}
	return s, fault
}

// parameter reads one that is a JSON object, if it is there.
func parameter(values url.Values, name string, into *[]byte) *memory.Error {
	text := []byte(values.Get(name))
	if len(text) == 0 {
		return nil
	}
	if _, fault := inbound.Weigh(text); fault != nil {
		return fault
	}
	fits := utf8.Valid(text) && json.Valid(text)
	if fits {
		*into, fits = object(text)
	}
	if !fits {
		return memory.Invalid(name, "must be a JSON object")
	}
	return nil
}
