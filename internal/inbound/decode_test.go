package inbound_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/inbound"
	"mneme/memory"
)

type part struct {
	At    time.Time   `json:"at"`
	Data  memory.JSON `json:"data"`
	Hash  []byte      `json:"hash"`
	Count int
}

type record struct {
	part
	Steps []part     `json:"steps"`
	End   *time.Time `json:"end,omitempty"`
	Texts []string   `json:"texts"`
}

func TestDecodeReadsTimesAsEveryDoor(t *testing.T) {
	for text, want := range map[string]string{
		`{"at":"2016-12-31t23:59:60z"}`:                                            "2017-01-01T00:00:00Z",
		`{"at":"2026-01-01T01:00:00+01:00","end":null}`:                            "2026-01-01T00:00:00Z",
		`{"Count":1,"at":"2026-01-01t00:00:00z","data":{"at":"T1:00:00,5"}}`:       "2026-01-01T00:00:00Z",
		`{"steps":[{"at":"2016-12-31T23:59:60Z"}],"at":"2026-01-01T00:00:00.25Z"}`: "2026-01-01T00:00:00.25Z",
		`{"end":"2016-12-31T23:59:60Z","steps":[],"at":"2026-01-01t00:00:00z"}`:    "2026-01-01T00:00:00Z",
	} {
		var into record
		require.NoError(t, inbound.Decode([]byte(text), &into), text)
		assert.Equal(t, want, into.At.UTC().Format(time.RFC3339Nano), text)
		for _, step := range into.Steps {
			assert.True(t, step.At.IsZero() || step.At.Year() == 2017, text)
		}
	}
}

func TestDecodeReadsFieldsWhoseNamesGoHides(t *testing.T) {
	type Correction struct {
		Correction string `json:"correction"`
	}
	var into struct{ Correction }
	require.NoError(t, inbound.Decode([]byte(`{"correction":"x"}`), &into))
	assert.Equal(t, "x", into.Correction.Correction)
	require.ErrorContains(t, inbound.Decode([]byte(`{"Correction":"x"}`), &into), "unknown field")
}

// Programs whose numbers are all floating point write whole ones with a fraction of zero.
func TestDecodeWholeNumbers(t *testing.T) {
	for text, want := range map[string]int{`4`: 4, `4.0`: 4, `-4.00`: -4, `1.2e1`: 12, `null`: 0, `9007199254740993`: 9007199254740993} {
		var into record
		require.NoError(t, inbound.Decode([]byte(`{"at":"2026-01-01t00:00:00z","steps":[{"Count":`+text+`}]}`), &into), text)
		assert.Equal(t, want, into.Steps[0].Count, text)
		require.NoError(t, inbound.Decode([]byte(`{"steps":[{"Count":`+text+`}]}`), &into), text)
		assert.Equal(t, want, into.Steps[0].Count, text)
	}
}

func TestDecodeNamesTheField(t *testing.T) {
	for text, want := range map[string]string{
		`{"at":"s3cret"}`:                                     "at: must be an RFC 3339 time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01",
		`{"at":4111111111}`:                                   "at: cannot be a number",
		`{"at":"2026-01-01T00:00:00,5Z"}`:                     "at: must be an RFC 3339 time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01",
		`{"at":"2026-01-01T00:00:00+24:00"}`:                  "at: must be an RFC 3339 time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01",
		`{"steps":[{},{"at":"2026-01-01T1:00:00Z"}]}`:         "steps.1.at: must be an RFC 3339 time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01",
		`{"steps":[{"Count":"s3cret"}]}`:                      "steps.0.Count: cannot be a string",
		`{"steps":[{"Count":4.5}]}`:                           "steps.0.Count: must be a whole number",
		`{"steps":[{"Count":1e300}]}`:                         "steps.0.Count: must be a whole number",
		`{"steps":{"a":"s3cret"}}`:                            "steps: cannot be an object",
		`{"hash":"s3cret!"}`:                                  "hash: bytes must be written in base64",
		`{"end":"1969-12-31T23:59:59Z","at":"s","steps":1}`:   "at: must be an RFC 3339 time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01",
		`{"steps":[{},null]}`:                                 "steps.1: must not be null",
		`{"texts":["a",null]}`:                                "texts.1: must not be null",
		`{"texts":["a",null],"at":"2026-01-01t00:00:00z"}`:    "texts.1: must not be null",
		`{"steps":[{"colour":1}]}`:                            "steps.0.colour: unknown field",
		`{"AT":"2026-01-01T00:00:00,5+24:00"}`:                "AT: unknown field",
		`{"AT":"2026-01-01t00:00:00z"}`:                       "AT: unknown field",
		`{"steps":[{"at":"2026-01-01T00:00:00Z","At":"2"}]}`:  "steps.0.At: unknown field",
		`{"count":1}`:                                         "count: unknown field",
		`{"end":"2016-12-31T23:59:60Z","steps":[{"DATA":1}]}`: "steps.0.DATA: unknown field",
		`{"sk-4111111111111111":1}`:                           "unknown field",
		`["s3cret"]`:                                          "the record cannot be an array",
		`{} {}`:                                               "something follows the record",
		`{"at":s3cret}`:                                       "the JSON is not valid at its byte 7",
	} {
		var into record
		var fault *memory.Error
		require.ErrorAs(t, inbound.Decode([]byte(text), &into), &fault, text)
		assert.Equal(t, memory.CodeInvalidInput, fault.Code, text)
		assert.Equal(t, want, fault.Text(), text)
	}
}
