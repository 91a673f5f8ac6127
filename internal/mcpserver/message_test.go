package mcpserver

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// answered reads what a pair of streams hands on, and what it answered.
func answered(t *testing.T, sent io.Reader) (read string, answers []string) {
	t.Helper()
	var out strings.Builder
	text, err := io.ReadAll(tolerate(sent, &out))
	require.NoError(t, err)
	for line := range strings.Lines(out.String()) {
		var answer struct {
			JSONRPC string
			ID      json.RawMessage
			Error   struct {
				Code    int
				Message string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &answer), line)
		assert.Equal(t, "2.0", answer.JSONRPC)
		assert.NotEmpty(t, answer.Error.Message)
		assert.Less(t, len(line), 2048, "what was sent is not repeated")
		answers = append(answers, string(answer.ID)+" "+map[int]string{-32700: "parse", -32600: "request", -32601: "method", -32602: "params"}[answer.Error.Code])
	}
	return string(text), answers
}

func TestWhatIsNoMessageIsAnswered(t *testing.T) {
	t.Parallel()
	long := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"` + strings.Repeat("long ", 50_000) + `"}}`
	parse, request := []string{"null parse"}, []string{"null request"}
	for name, test := range map[string]struct {
		sent, read string
		answers    []string
	}{
		"messages":             {ping + "\n" + ping + "\n", ping + "\n" + ping + "\n", nil},
		"blank lines":          {"\n" + ping + "\n \n\r\n", ping + "\n", nil},
		"blanks around":        {" " + ping + " \r\n" + ping + "\n", ping + "\n" + ping + "\n", nil},
		"a long message":       {long + "\n" + ping + "\n", long + "\n" + ping + "\n", nil},
		"no end of line":       {ping, ping + "\n", nil},
		"a notification":       {`{"jsonrpc":"2.0","method":"ping"}`, `{"jsonrpc":"2.0","method":"ping"}` + "\n", nil},
		"one is no JSON":       {ping + "\nnot json\n" + ping + "\n", ping + "\n" + ping + "\n", parse},
		"the last is none":     {ping + "\n{\"id\":", ping + "\n", parse},
		"two on a line":        {ping + " " + ping + "\n" + ping, ping + "\n", parse},
		"no UTF-8":             {"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}\n" + ping, ping + "\n", parse},
		"no request":           {"{}\n7\n" + ping + "\n", ping + "\n", []string{"null request", "null request"}},
		"an empty batch":       {"[]\n" + ping + "\n", ping + "\n", request},
		"a batch":              {"[" + ping + "]\n" + ping + "\n", ping + "\n", request},
		"another version":      {`{"jsonrpc":"1.0","id":"x","method":"ping"}` + "\n", "", []string{`"x" request`}},
		"a heavy one":          {`{"jsonrpc":"2.0","id":5,"method":"ping","params":[` + strings.Repeat(`{"":0},`, 200_000) + "0]}\n" + ping, ping + "\n", []string{"5 request"}},
		"a deep one":           {strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n" + ping, ping + "\n", request},
		"a very deep one":      {strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + "\n" + ping, ping + "\n", request},
		"deep and broken":      {strings.Repeat("[", 10_001) + "\n" + ping, ping + "\n", request},
		"params that are null": {`{"jsonrpc":"2.0","id":6,"method":"tools/list","params":null}` + "\n", `{"jsonrpc":"2.0","id":6,"method":"tools/list","params":null}` + "\n", nil},
		"deep in its id":       {`{"jsonrpc":"2.0","id":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `,"method":"ping"}` + "\n" + ping, ping + "\n", request},
		"longer than it may": {
			ping + "\n" + `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", maxMessage) + `"}` + "\n" + ping + "\n", ping + "\n" + ping + "\n", request,
		},
		"longer, and the last": {strings.Repeat("0", maxMessage+2), "", request},
	} {
		t.Run(name, func(t *testing.T) {
			read, answers := answered(t, strings.NewReader(test.sent))
			assert.Equal(t, test.read, read)
			assert.Equal(t, test.answers, answers)
		})
	}
}

// TestIDs: an id comes back as it came, or with an error; the SDK reads numbers as fractions and cuts them.
func TestIDs(t *testing.T) {
	t.Parallel()
	for id, refused := range map[string]string{
		`1`: "", `0`: "", `-1`: "", `"1.5"`: "", `""`: "", `"é\u00e9\n"`: "", `9007199254740991`: "", `-9007199254740991`: "",
		`1.5`: "1.5", `1.0`: "1.0", `1e2`: "1e2", `9007199254740992`: "9007199254740992", `9223372036854775808`: "9223372036854775808",
		`1e400`: "1e400", `null`: "null", `true`: "null", `{"a":1}`: "null", `[1]`: "null",
	} {
		message := `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`
		read, answers := answered(t, strings.NewReader(message))
		if refused == "" {
			assert.Equal(t, message+"\n", read)
			assert.Empty(t, answers)
			continue
		}
		assert.Empty(t, read)
		assert.Equal(t, []string{refused + " request"}, answers, id)
	}
	_, answers := answered(t, strings.NewReader(`{"jsonrpc":"2.0","id":1,"\u0069d":2.5,"method":"ping"}`))
	assert.Equal(t, []string{"2.5 request"}, answers, "of two the later counts, as it does for the SDK")
}
