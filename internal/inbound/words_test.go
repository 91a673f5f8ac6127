package inbound_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/inbound"
)

func TestInWords(t *testing.T) {
	for text, want := range map[string]string{
		`{"at":"s3cret"}`:              "a time must be written like 2026-01-31T12:00:00Z",
		`{"at":4111111111111111}`:      "a time must be written like 2026-01-31T12:00:00Z",
		`{"bytes":"s3cret!"}`:          "bytes must be written in base64",
		`{"count":"s3cret"}`:           "count cannot be a string",
		`{"count":4111111111111111.5}`: "count cannot be a number",
		`{"text":4111111111111111}`:    "text cannot be a number",
		`["s3cret"]`:                   "the record cannot be an array",
		`{"count":{"a":"s3cret"}}`:     "count cannot be an object",
		`{"text":s3cret}`:              "the JSON is not valid at its byte 9",
		`{"text":"s3cret`:              "the JSON breaks off",
		``:                             "the JSON breaks off",
	} {
		var into struct {
			At    time.Time `json:"at"`
			Bytes []byte    `json:"bytes"`
			Count int       `json:"count"`
			Text  string    `json:"text"`
		}
		decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
		err := decoder.Decode(&into)
		require.Error(t, err, text)
		assert.Equal(t, want, inbound.InWords(err), text)
	}
}
