package inbound_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
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

func TestMembers(t *testing.T) {
	text := ` { "a" : 1 , "b":"x\"}", "\u0063":[{"d":[1,2]},"]"],"e":{},"a":null,"f":-1.5e3,"":true } `
	require.True(t, json.Valid([]byte(text)))
	var names, values []string
	for m := range inbound.Members([]byte(text)) {
		names, values = append(names, m.Name), append(values, string(m.Value))
		assert.Equal(t, string(m.Value), text[m.At:][:len(m.Value)])
	}
	assert.Equal(t, []string{"a", "b", "c", "e", "a", "f", ""}, names)
	assert.Equal(t, []string{"1", `"x\"}"`, `[{"d":[1,2]},"]"]`, "{}", "null", "-1.5e3", "true"}, values)
	for _, none := range []string{"{ }", "[1]", `"a"`, "5", "null", ""} {
		for range inbound.Members([]byte(none)) {
			t.Error("nothing is in there", none)
		}
	}
}

func TestItems(t *testing.T) {
	var items []string
	for item := range inbound.Items([]byte(` [ 1 ,"x]", [2, 3],{"d":[]} ,null] `)) {
		items = append(items, string(item))
	}
	assert.Equal(t, []string{"1", `"x]"`, "[2, 3]", `{"d":[]}`, "null"}, items)
	for _, none := range []string{"[ ]", `{"a":[1]}`, `"["`, "5", "null", ""} {
		for range inbound.Items([]byte(none)) {
			t.Error("nothing is in there", none)
		}
	}
}

func same(a, b json.RawMessage) bool { return bytes.Equal(a, b) }

// FuzzJSON: whatever comes, the check ends without a panic, and what Members and Items give is what the decoder reads.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"", `{"a":[1,{"b":"\\"}],"c":null}`, `[[["`, `{"a"`, `{"a":1,"a":{"":0}}`, "{\"\\", `{"a":1e5}`, `[1, "]",[]]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = inbound.Weigh(text)
		if !json.Valid(text) {
			return
		}
		var object map[string]json.RawMessage
		_ = json.Unmarshal(text, &object) // where it is one
		members := make(map[string]json.RawMessage, len(object))
		for m := range inbound.Members(text) {
			members[m.Name] = m.Value
		}
		assert.True(t, maps.EqualFunc(object, members, same), "%s and %s", object, members)
		var list, items []json.RawMessage
		_ = json.Unmarshal(text, &list)
		for item := range inbound.Items(text) {
			items = append(items, item)
		}
		assert.True(t, slices.EqualFunc(list, items, same), "%s and %s", list, items)
	})
}
