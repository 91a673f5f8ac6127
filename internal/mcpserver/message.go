package mcpserver

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"mneme/internal/inbound"
)

// Where a message cannot be taken for one, the answer says so as JSON-RPC 2.0 wants it.
const (
	noJSON    = "Parse error: a message is one line of JSON in UTF-8"
	noMessage = `Invalid request: a message is an object with jsonrpc "2.0" and a method, or an answer`
	noBatches = "Invalid request: batches are not taken; send one message"
	noID      = "Invalid request: an id is a text of up to 1024 bytes, or a whole number between -9007199254740991 and 9007199254740991"
	sameID    = "Invalid request: a request with this id is under way; give each its own"
	noMethod  = "Method not found: none has a name of more than 64 bytes"
	noName    = "Invalid params: no tool and no prompt has a name of more than 64 bytes"
	noURI     = "Invalid params: no resource has a URI of more than 2048 bytes"
	tooLong   = "Invalid request: a message has at most 16777216 bytes"
)

// faultOf is the answer to what is no message, nil for one and for nothing. Members of the protocol that would be
// misread are faults too: an id of 1.5 would be answered as 1. A message has a weight, see inbound.Weigh.
func faultOf(message []byte) (refused []byte, weight int) {
	if len(message) == 0 {
		return nil, 0
	}
	switch {
	case !utf8.Valid(message):
		return refusalOf(nil, jsonrpc.CodeParseError, noJSON), 0
	case !json.Valid(message):
		if _, fault := inbound.Weigh(message); fault != nil { // what nests too deep is not valid to the decoder
			return refusalOf(nil, jsonrpc.CodeInvalidRequest, "Invalid request: "+fault.Message), 0
		}
		return refusalOf(nil, jsonrpc.CodeParseError, noJSON), 0
	case message[0] == '[':
		return refusalOf(nil, jsonrpc.CodeInvalidRequest, noBatches), 0
	case message[0] != '{':
		return refusalOf(nil, jsonrpc.CodeInvalidRequest, noMessage), 0
	}
	id := messageID(message)
	if id != nil && !usable(id) {
		return refusalOf(id, jsonrpc.CodeInvalidRequest, noID), 0
	}
	weight, tooHeavy := inbound.Weigh(message)
	if tooHeavy != nil {
		return refusalOf(id, jsonrpc.CodeInvalidRequest, "Invalid request: "+tooHeavy.Message), 0
	}
	decoded, err := jsonrpc.DecodeMessage(message)
	if err != nil {
		return refusalOf(id, jsonrpc.CodeInvalidRequest, noMessage), 0
	}
	request, ok := decoded.(*jsonrpc.Request)
	if !ok {
		return nil, weight
	}
	return longNameOf(request, id), weight
}

// The longest names that come back in an answer, in bytes: of methods, tools and prompts, and of resources, whose keys
// may be escaped.
const (
	longestName = 64
	longestURI  = 2048
)

// longNameOf is the answer to a request for what cannot be there, so long is its name; the SDK would repeat it whole.
func longNameOf(request *jsonrpc.Request, id []byte) []byte {
	if len(request.Method) > longestName {
		return refusalOf(id, jsonrpc.CodeMethodNotFound, noMethod)
	}
	for m := range inbound.Members(request.Params) {
		switch {
		case m.Name == "name" && longText(m.Value, longestName):
			return refusalOf(id, jsonrpc.CodeInvalidParams, noName)
		case m.Name == "uri" && longText(m.Value, longestURI):
			return refusalOf(id, jsonrpc.CodeInvalidParams, noURI)
		}
	}
	return nil
}

// longText says whether a text has more than so many bytes once it is decoded.
func longText(literal []byte, most int) bool {
	var text string
	return len(literal) > most && json.Unmarshal(literal, &text) == nil && len(text) > most
}

// messageID is the id of a JSON object as it is written, nil where there is none.
func messageID(object []byte) []byte {
	var id []byte
	for m := range inbound.Members(object) {
		if m.Name == "id" {
			id = m.Value
		}
	}
	return id
}

// longestID bounds an id, which comes back in the answer.
const longestID = 1024

// wholeNumbers are those of JSON that are written plainly.
var wholeNumbers = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,15})$`)

// usable says whether the answer would carry an id just as it came.
func usable(id []byte) bool {
	if id[0] == '"' {
		return len(id) <= longestID
	}
	number, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && wholeNumbers.Match(id) && number < 1<<53 && number > -1<<53
}

// refusalOf answers with an error, and with the id of what it answers to where that is a text or a number.
func refusalOf(id []byte, code int64, message string) []byte {
	if len(id) == 0 || len(id) > longestID || bytes.ContainsAny(id[:1], "{[tf") {
		id = []byte("null")
	}
	answer, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   any             `json:"error"`
	}{"2.0", id, map[string]any{"code": code, "message": message}})
	if err != nil {
		panic("mcpserver: " + err.Error()) // the id is valid JSON
	}
	return append(answer, '\n')
}
