package mcpserver

import (
	"bytes"
	"encoding/json"
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
	noID      = "Invalid request: an id is a text, or a whole number between -9007199254740991 and 9007199254740991"
	sameID    = "Invalid request: a request with this id is under way; give each its own"
	tooLong   = "Invalid request: a message has at most 16777216 bytes"
)

// faultOf is the answer to what is no message, nil for one and for nothing. A message has a weight, see inbound.Weigh.
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
	if !usable(id) {
		return refusalOf(id, jsonrpc.CodeInvalidRequest, noID), 0
	}
	weight, tooHeavy := inbound.Weigh(message)
	if tooHeavy != nil {
		return refusalOf(id, jsonrpc.CodeInvalidRequest, "Invalid request: "+tooHeavy.Message), 0
	}
	if _, err := jsonrpc.DecodeMessage(message); err != nil {
		return refusalOf(id, jsonrpc.CodeInvalidRequest, noMessage), 0
	}
	return nil, weight
}

// messageID is the id of a JSON object as it is written, nil where there is none.
func messageID(object []byte) []byte {
	var message struct{ ID json.RawMessage }
	_ = json.Unmarshal(object, &message) // it is one
	return message.ID
}

// usable says whether an id, if there is one, would come back as it is: the SDK reads numbers as fractions and cuts
// them.
func usable(id []byte) bool {
	number, err := strconv.ParseInt(string(id), 10, 64)
	return len(id) == 0 || id[0] == '"' || err == nil && number < 1<<53 && number > -1<<53
}

// refusalOf answers with an error, and with the id of what it answers to where that is a text or a number.
func refusalOf(id []byte, code int64, message string) []byte {
	if len(id) == 0 || bytes.ContainsAny(id[:1], "{[tf") {
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
