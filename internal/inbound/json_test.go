package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/inbound"
	"mneme/memory"
)

func TestCheckJSON(t *testing.T) {
	list := func(item string, n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	for name, test := range map[string]struct{ text, says string }{
		"nothing":               {"", ""},
		"numbers":               {list("0.123456", 1_999_998), ""},
		"more numbers":          {list("0.123456", 1_999_999), "2000000 values"},
		"objects":               {list(`{"":0}`, 181_000), ""},
		"more objects":          {list(`{"":0}`, 182_000), "2000000 values"},
		"lists":                 {list(`[]`, 999_998), ""},
		"more lists":            {list(`[]`, 1_000_000), "2000000 values"},
		"strings":               {list(`"a,b:{[\"\\"`, 1_999_998), ""},
		"a long name":           {`{"a":{"` + strings.Repeat("n", 1024) + `" : 1}}`, ""},
		"a longer name":         {`{"a":{"` + strings.Repeat("n", 1025) + "\" \n: 1}}", "1024 bytes"},
		"a longer one, escaped": {`{"` + strings.Repeat(`\"`, 513) + `":1}`, "1024 bytes"},
		"a long text":           {`{"a":"` + strings.Repeat("n", 1<<20) + `"}`, ""},
		"deep":                  {strings.Repeat("[", 1000) + strings.Repeat("]", 1000), ""},
		"deeper":                {strings.Repeat(`{"a":`, 1001), "1000 levels"},
		"brackets in a text":    {`"` + strings.Repeat("[", 5000) + `"`, ""},
		"breaks off":            {`{"a":"\`, ""},
		"a long number":         {strings.Repeat("9", 1<<20), ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, fault := inbound.Weigh([]byte(test.text))
			if test.says == "" {
				assert.Nil(t, fault)
				return
			}
			require.NotNil(t, fault)
			assert.Equal(t, memory.CodeLimitExceeded, fault.Code)
			assert.Contains(t, fault.Message, test.says)
			assert.NotContains(t, fault.Message, "nnn", "a name may be a secret")
		})
	}
}

// FuzzJSON: whatever comes, the check ends without a panic.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"", `{"a":[1,{"b":"\\"}],"c":null}`, `[[["`, `{"a"`, `{"a":1,"a":{"":0}}`, "{\"\\", `{"a":1e5}`, `[1, "]",[]]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(_ *testing.T, text []byte) { _, _ = inbound.Weigh(text) })
}
