package mcpserver

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
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
	tooLong   = "Invalid request: a message has at most 16777216 bytes"
)

// faultOf is the answer to what is no message, nil for one and for nothing. Members of the protocol that would be
// misread are faults too: an id of 1.5 would be answered as 1.
func faultOf(message []byte) []byte {
	if len(message) == 0 {
		return nil
	}
	switch {
	case !utf8.Valid(message) || !json.Valid(message):
		return refusalOf(nil, jsonrpc.CodeParseError, noJSON)
	case message[0] == '[':
		return refusalOf(nil, jsonrpc.CodeInvalidRequest, noBatches)
	case message[0] != '{':
		return refusalOf(nil, jsonrpc.CodeInvalidRequest, noMessage)
	}
	id := messageID(message)
	if id != nil && !usable(id) {
		return refusalOf(id, jsonrpc.CodeInvalidRequest, noID)
	}
	if fault := inbound.CheckJSON(message); fault != nil {
		return refusalOf(id, jsonrpc.CodeInvalidRequest, "Invalid request: "+fault.Message)
	}
	if _, err := jsonrpc.DecodeMessage(message); err != nil {
		return refusalOf(id, jsonrpc.CodeInvalidRequest, noMessage)
	}
	return nil
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
		return len(id) <= longestID && !loneSurrogate(id)
	}
	number, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && wholeNumbers.Match(id) && number < 1<<53 && number > -1<<53
}

// loneSurrogate says whether a text has an escape of half a character, which decoding replaces.
func loneSurrogate(literal []byte) bool {
	var text string
	_ = json.Unmarshal(literal, &text) // it is valid
	return strings.Count(text, "\uFFFD") > bytes.Count(literal, []byte("\uFFFD"))+bytes.Count(bytes.ToLower(literal), []byte(`\ufffd`))
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
