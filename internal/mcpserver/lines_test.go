package mcpserver

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsNoMessageIsAnswered(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	long := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"` + strings.Repeat("long ", 50_000) + `"}}`
	for name, test := range map[string]struct{ sent, read, answered string }{
		"messages":         {ping + "\n[" + ping + "]\n", ping + "\n[" + ping + "]\n", ""},
		"blank lines":      {"\n" + ping + "\n \n", "\n" + ping + "\n \n", ""},
		"a long message":   {long + "\n" + ping + "\n", long + "\n" + ping + "\n", ""},
		"no end of line":   {ping, ping, ""},
		"one is no JSON":   {ping + "\nnot json\n" + ping + "\n", ping + "\n" + ping + "\n", parseError},
		"the last is none": {ping + "\n{\"id\":", ping + "\n", parseError},
		"no request":       {"{}\n7\n" + ping + "\n", ping + "\n", requestError + requestError},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			in, _ := tolerate(strings.NewReader(test.sent), &out)
			read, err := io.ReadAll(in)
			require.NoError(t, err)
			assert.Equal(t, test.read, string(read))
			assert.Equal(t, test.answered, out.String())
			for line := range strings.Lines(test.answered) {
				assert.True(t, json.Valid([]byte(line)), line)
			}
		})
	}
}

func TestAMessageHasABound(t *testing.T) {
	in, _ := tolerate(io.LimitReader(zeros{}, maxMessage+1), io.Discard)
	_, err := io.ReadAll(in)
	require.ErrorIs(t, err, errLongMessage)
}

type zeros struct{}

func (zeros) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = '0'
	}
	return len(into), nil
}
