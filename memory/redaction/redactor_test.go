package redaction_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/compaction"
	"mneme/memory/redaction"
)

// redactJSON redacts a value, and counts what it took out.
func redactJSON(value memory.JSON) (clean memory.JSON, redactions int) {
	var r redaction.Redactor
	clean = r.JSON(value)
	for _, kind := range r.Receipt().Redactions {
		redactions += kind.Count
	}
	return clean, redactions
}

func TestRedactJSON(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		value, want string
		redactions  int
	}{
		"nothing":             {``, ``, 0},
		"null":                {`null`, ``, 0},
		"plain":               {`{"b": [1.50, true, null], "a": "x"}`, `{"a":"x","b":[1.50,true,null]}`, 0},
		"a string":            {`"a <private>s3cret</private>"`, `"a [private]"`, 1},
		"deep inside":         {`{"a":[{"b":"<private>s3cret"}]}`, `{"a":[{"b":"[private]"}]}`, 1},
		"a key":               {`{"<private>s3cret</private>":1}`, `{"[private]":1}`, 1},
		"keys made the same":  {`{"<private>b":2,"<private>a":1,"[private]":3}`, `{"[private]":1,"[private] 2":2,"[private] 3":3}`, 2},
		"escaped":             {`{"a":"\u003cprivate\u003es3cret\u003c/private\u003e"}`, `{"a":"[private]"}`, 1},
		"only its own string": {`["<private>s3cret","kept"]`, `["[private]","kept"]`, 1},
		"large numbers":       {`{"n":12345678901234567890.10}`, `{"n":12345678901234567890.10}`, 0},
		"other signs":         {`"<b> & ü"`, `"<b> & ü"`, 0},
		"no JSON at all":      {`{broken <private>s3cret`, `"{broken [private]"`, 1},
		"two values":          {`1 2`, `"1 2"`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			clean, redactions := redactJSON(memory.JSON(test.value))
			assert.Equal(t, test.want, string(clean))
			assert.Equal(t, test.redactions, redactions)
		})
	}
}

func TestRedactJSONOfManyPrivateKeys(t *testing.T) {
	t.Parallel()
	object := map[string]int{}
	for i := range 20_000 {
		object[fmt.Sprintf("<private>%d", i)] = i
	}
	text, err := json.Marshal(object)
	require.NoError(t, err)
	clean, redactions := redactJSON(text)
	assert.Equal(t, 20_000, redactions)
	var fields map[string]int
	require.NoError(t, json.Unmarshal(clean, &fields))
	assert.Len(t, fields, 20_000, "none is lost")
}

func FuzzRedactJSON(f *testing.F) {
	f.Add(`{"a":["<private>x</private>"]}`)
	f.Add(`{"<private>":{"</private>":1e400}}`)
	f.Add("\"\xff\"")
	f.Add("\xe8")
	f.Fuzz(func(t *testing.T, text string) {
		clean, _ := redactJSON(memory.JSON(text))
		if clean != nil && !json.Valid(clean) {
			t.Fatalf("%q becomes %q, which is not JSON", text, clean)
		}
		if again, n := redactJSON(clean); string(again) != string(clean) || n != 0 {
			t.Fatalf("%q becomes %q", clean, again)
		}
	})
}

func TestRedactorKeepsTheReceipt(t *testing.T) {
	t.Parallel()
	var r redaction.Redactor
	assert.Equal(t, memory.Receipt{Redactions: []memory.Redaction{}}, r.Receipt())

	assert.Equal(t, "call [private]", r.Text("call <private>555-0100</private>"))
	assert.Equal(t, "plain", r.Text("plain"))
	assert.Equal(t, `{"a":"[private]"}`, string(r.JSON(memory.JSON(`{"a":"<private>x"}`))))
	assert.Nil(t, r.JSON(nil))

	assert.Equal(t, memory.Receipt{
		TokensBefore: 8 + 2 + 5, TokensAfter: 4 + 2 + 5,
		Redactions: []memory.Redaction{{Kind: "private", Count: 2}},
	}, r.Receipt())
}

// keys is a rule that takes "sk-1" out, and all of what goes by the name of "key".
func keys(_ func() error, name, text string) (string, []memory.Redaction) {
	if name == "key" {
		return "[named]", []memory.Redaction{{Kind: "named", Count: 1}}
	}
	if n := strings.Count(text, "sk-1"); n > 0 {
		return strings.ReplaceAll(text, "sk-1", "[key]"), []memory.Redaction{{Kind: "key", Count: n}}
	}
	return text, nil
}

func TestRedactorAppliesMoreRulesAfterThePrivateSpans(t *testing.T) {
	t.Parallel()
	r := redaction.Redactor{Rules: []redaction.Rule{keys}}
	assert.Equal(t, "[key] [private]", r.Text("sk-1 <private>sk-1</private>"))
	assert.Equal(t, []memory.Redaction{{Kind: "key", Count: 1}, {Kind: "private", Count: 1}}, r.Receipt().Redactions)
}

func TestRedactorTellsRulesTheNamesOfFields(t *testing.T) {
	t.Parallel()
	r := redaction.Redactor{Rules: []redaction.Rule{keys}}
	clean := r.JSON(memory.JSON(`{"key":"abc","list":{"key":["a",1,"b"]},"sk-1":"sk-1","text":"sk-1"}`))
	assert.Equal(t, `{"[key]":"[key]","key":"[named]","list":{"key":["[named]","[named]","[named]"]},"text":"[key]"}`, string(clean))
	assert.Equal(t, `["[key]"]`, string(r.JSON(memory.JSON(`["sk-1"]`))), "what has no name is a text as any")
	assert.Equal(t, []memory.Redaction{{Kind: "key", Count: 4}, {Kind: "named", Count: 4}}, r.Receipt().Redactions)
}

func TestRedactorCompactsProse(t *testing.T) {
	t.Parallel()
	const text = "He  called <private>555-0100</private> in order to ask  <private>x</private>."
	for level, want := range map[compaction.Level]string{
		compaction.Off:  "He  called [private] in order to ask  [private].",
		compaction.Lite: "He called [private] in order to ask [private].",
		"":              "He called [private] in order to ask [private].",
		compaction.Full: "He called [private] to ask [private].",
	} {
		r := redaction.Redactor{Compaction: level}
		redacted, compacted := r.Prose(text)
		assert.Equal(t, want, compacted)
		assert.Equal(t, "He  called [private] in order to ask  [private].", redacted)
		assert.Equal(t, memory.Receipt{
			TokensBefore: memory.EstimateTokens(text), TokensAfter: memory.EstimateTokens(want),
			Redactions: []memory.Redaction{{Kind: "private", Count: 2}},
		}, r.Receipt())
	}
	assert.Equal(t, "one  two", (&redaction.Redactor{Compaction: compaction.Full}).Text("one  two"), "other texts stay as they are")
}

func TestWhatCompactionBringsTogetherIsRedacted(t *testing.T) {
	t.Parallel()
	pair := func(_ func() error, _, text string) (string, []memory.Redaction) {
		if clean := strings.ReplaceAll(text, "pin 1234", "[pin]"); clean != text {
			return clean, []memory.Redaction{{Kind: "pin", Count: 1}}
		}
		return text, nil
	}
	r := redaction.Redactor{Rules: []redaction.Rule{pair}}
	_, compacted := r.Prose("The pin   1234.")
	assert.Equal(t, "The [pin].", compacted)
	assert.Equal(t, []memory.Redaction{{Kind: "pin", Count: 1}}, r.Receipt().Redactions)
}

func TestRedactorLeavesPlainTextAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zA-Z0-9 .,:;<>&\\/"'{}\[\]]*`).Draw(t, "text")
		if strings.Contains(strings.ToLower(text), "private") {
			t.Skip("not plain")
		}
		var r redaction.Redactor
		require.Equal(t, text, r.Text(text))
	})
}
