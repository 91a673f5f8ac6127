package gqlhttp_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/internal/gqlhttp"
)

// doubling is a query whose fragments each use the next one twice: 2^n fields from n lines.
func doubling(n int) string {
	var text strings.Builder
	text.WriteString("{ ...F0 }")
	for i := range n {
		fmt.Fprintf(&text, " fragment F%d on Query { ...F%d ...F%d }", i, i+1, i+1)
	}
	fmt.Fprintf(&text, " fragment F%d on Query { __typename }", n)
	return text.String()
}

// nested is a query with episodes n levels deep.
func nested(n int) string {
	return "{ episode(id: 1) {" + strings.Repeat(" next {", n-2) + " id" + strings.Repeat(" }", n)
}

// directed is a query with n directives, and one more.
func directed(n int, more string) string {
	query := "{"
	for i := range n {
		query += fmt.Sprintf(" a%d: __typename @skip(if: false)", i)
	}
	return query + " " + more + " }"
}

func TestLimits(t *testing.T) {
	for name, test := range map[string]struct {
		options gqlhttp.Options
		query   string
		refused string // a part of the message; "" where the query is answered
	}{
		"a text of line breaks":       {gqlhttp.Options{}, "{ search(query: \"\"\"" + strings.Repeat("\n", 3<<20) + "\"\"\") { nodes { score } } }", "bytes"},
		"tokens":                      {gqlhttp.Options{}, "{" + strings.Repeat("__typename ", 20_000) + "}", "token"},
		"as many tokens as allowed":   {gqlhttp.Options{MaxTokens: 3}, "{ __typename }", ""},
		"one token more":              {gqlhttp.Options{MaxTokens: 2}, "{ __typename }", "token"},
		"a long name":                 {gqlhttp.Options{}, "{ " + strings.Repeat("a", 257) + ": __typename }", "256 bytes"},
		"a longer name":               {gqlhttp.Options{}, "{ " + strings.Repeat("a", 1<<20) + " }", "256 bytes"},
		"a long name in an argument":  {gqlhttp.Options{}, "{ episode(" + strings.Repeat("a", 257) + ": 1) { id } }", "256 bytes"},
		"as long as allowed":          {gqlhttp.Options{}, "{ " + strings.Repeat("a", 256) + ": __typename }", ""},
		"a number too large":          {gqlhttp.Options{}, "{ episode(id: 99999999999999999999) { id } }", "64 bits"},
		"a number within JSON":        {gqlhttp.Options{}, `{ verdicts(context: {a: [1, {b: -704032283037250224128}]}) { totalCount } }`, "64 bits"},
		"a number as a default":       {gqlhttp.Options{}, `query ($c: JSON = 99999999999999999999) { verdicts(context: $c) { totalCount } }`, "64 bits"},
		"a fraction too large":        {gqlhttp.Options{}, `{ verdicts(context: {a: 1e999}) { totalCount } }`, "64 bits"},
		"as large as can be":          {gqlhttp.Options{}, "{ episode(id: 9223372036854775807) { id } }", ""},
		"depth":                       {gqlhttp.Options{}, nested(12), ""},
		"too deep":                    {gqlhttp.Options{}, nested(13), "12 levels"},
		"too deep in a fragment":      {gqlhttp.Options{MaxDepth: 2}, `{ ...F } fragment F on Query { ... on Query { episodes { pageInfo { endCursor } } } }`, "2 levels"},
		"aliases":                     {gqlhttp.Options{MaxAliases: 2}, `{ a: __typename b: __typename }`, ""},
		"too many aliases":            {gqlhttp.Options{MaxAliases: 2}, `{ a: __typename ...F } fragment F on Query { b: __typename c: __typename }`, "2 aliases"},
		"repeated fields":             {gqlhttp.Options{}, "{ episode(id: 1) {" + strings.Repeat("id ", 900) + "} }", "30 aliases"},
		"root fields":                 {gqlhttp.Options{MaxRootFields: 1}, `{ ...F ...F } fragment F on Query { __typename }`, "1 root field"},
		"directives":                  {gqlhttp.Options{MaxDirectives: 1}, `{ a: __typename @skip(if: false) b: __typename @include(if: true) }`, "1 directive"},
		"twenty directives":           {gqlhttp.Options{}, directed(20, ""), ""},
		"one directive more":          {gqlhttp.Options{}, directed(20, "@include(if: true)"), "20 directives"},
		"complexity":                  {gqlhttp.Options{MaxComplexity: 42}, `{ episodes(first: 20) { nodes { id } } }`, ""}, // 1 + 20 × (1 + 1)
		"too complex":                 {gqlhttp.Options{MaxComplexity: 40}, `{ episodes(first: 20) { nodes { id } } }`, "40 fields"},
		"too complex by default size": {gqlhttp.Options{MaxComplexity: 40}, `{ episodes { nodes { id } } }`, "40 fields"},
		"neighbourhood":               {gqlhttp.Options{MaxComplexity: 303}, `{ episodes(first: 1) { nodes { neighbourhood { nodes { depth } } } } }`, ""}, // 1 + 1 + 1 + 200 + 50 × (1 + 1)
		"too wide a neighbourhood":    {gqlhttp.Options{MaxComplexity: 302}, `{ episodes(first: 1) { nodes { neighbourhood { nodes { depth } } } } }`, "302 fields"},
		"work before an answer":       {gqlhttp.Options{MaxComplexity: 2 * 1001}, `{ a: trends { __typename } b: trends { __typename } }`, "2002 fields"},
		"completing two runs":         {gqlhttp.Options{MaxComplexity: 2003}, `mutation { a: completeRun(input: {runId: "a"}) { sections } b: completeRun(input: {runId: "b"}) { sections } }`, "2003 fields"},
		"a number's name is no work":  {gqlhttp.Options{MaxComplexity: 503}, `{ judgeTendencies(judgeId: "j") { humanAgreement { recall } } }`, ""}, // 1 + 500 + 1 + 1
		"pages in pages":              {gqlhttp.Options{}, `{ episodes(first: 100) { nodes { canvases(first: 100) { nodes { episode { feedback(first: 100) { nodes { id } } } } } } } }`, "fields in the answer"},
		"fragments that double":       {gqlhttp.Options{}, doubling(60), "root fields"},
		"introspection":               {gqlhttp.Options{MaxDepth: 3}, `{ __schema { types { fields { type { name } } } } }`, ""},
		"a whole page of episodes":    {gqlhttp.Options{}, wholePage, ""},
	} {
		t.Run(name, func(t *testing.T) {
			answer := send(serve(t, test.options), request{contentType: plainJSON, body: query(test.query, nil)})
			assert.Equal(t, http.StatusOK, answer.Code)
			if test.refused == "" {
				assert.NotContains(t, answer.Body.String(), "errors")
				return
			}
			assert.Contains(t, firstFault(t, answer).Message, test.refused)
			assert.NotContains(t, answer.Body.String(), `"data"`, "nothing may have been done")
		})
	}
}

// One text may be what many fields look for or keep, and each of them costs what a request does.
func TestVariablesThatAreUsedAgain(t *testing.T) {
	searches := func(count int) string {
		fields := ""
		for i := range count {
			fields += fmt.Sprintf("s%d: search(query: $text) { totalCount } ", i)
		}
		return "query ($text: String!) { " + fields + "}"
	}
	for name, test := range map[string]struct {
		query   string
		text    int
		refused bool
	}{
		"a long text once":     {searches(1), 1 << 20, false},
		"twice":                {searches(2), 300 << 10, true},
		"a short one often":    {searches(20), 10 << 10, false},
		"a longer one":         {searches(20), 20 << 10, true},
		"within an input":      {`query ($text: String!) { a: recall(input: {situation: $text}) { lessons } b: search(query: $text) { totalCount } }`, 300 << 10, true},
		"within a list":        {`query ($text: String!) { searchConcepts(query: "a", labels: [$text, $text]) { totalCount } }`, 300 << 10, true},
		"in a fragment":        {`query ($text: String!) { a: search(query: $text) { totalCount } ...F } fragment F on Query { b: search(query: $text) { totalCount } }`, 300 << 10, true},
		"what is not declared": {`{ a: search(query: "a") { totalCount } b: search(query: "b") { totalCount } }`, 300 << 10, false},
		"a default": {`query ($text: String!, $d: String = "` + strings.Repeat("a", 300<<10) + `") { search(query: $text) { totalCount } a: search(query: $d) { totalCount }
			b: search(query: $d) { totalCount } }`, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			body := query(test.query, map[string]any{"text": strings.Repeat("a", test.text)})
			answer := send(serve(t, gqlhttp.Options{}), request{contentType: plainJSON, body: body})
			if !test.refused {
				assert.NotContains(t, answer.Body.String(), "errors")
				return
			}
			fault := firstFault(t, answer)
			assert.Equal(t, "the query has more than 262144 bytes of variables that it uses again; send several requests", fault.Message)
			assert.Equal(t, "LIMIT_EXCEEDED", fault.Extensions["code"])
		})
	}
}

// wholePage asks for a hundred episodes with all that comes along with them.
const wholePage = `{ episodes(first: 100) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
	id title agent { id name } sessionId taskType observation thoughts actions { stepId stepName result } result outcome insight
	startedAt endedAt durationSeconds createdAt segments { kind text startedAt endedAt } canvasIds canvasActionCount
	canvasContext { id canvasType componentType actions { action metadata at } states customStates dwellSeconds reward metadata createdAt }
	feedbackIds aggregateFeedbackScore feedbackContext { id type rating score corrections source createdBy createdAt }
	reward receipt { tokensBefore tokensAfter redactions { kind count } } metadata } } } }`

// TestNumbersBeyond64Bits: the executor panics on such a literal, so that it must not come so far.
func TestNumbersBeyond64Bits(t *testing.T) {
	handler := serve(t, gqlhttp.Options{})
	for _, text := range []string{
		`{ episodes(first: 123456789012345678901) { totalCount } }`,
		`{ episodes(filter: { minFeedbackScore: 1e999 }) { totalCount } }`,
		`{ recall(input: { situation: "", embedding: [1, 1e999] }) { lessons } }`,
		`mutation { recordEpisode(input: { agentId: "a", observation: "o", metadata: 123456789012345678901 }) { episode { id } } }`,
		`mutation { recordEpisode(input: { agentId: "a", observation: "o", metadata: { a: [-1e999] } }) { episode { id } } }`,
		`query ($n: Int = 123456789012345678901) { episodes(first: $n) { totalCount } }`,
		`{ node(id: 123456789012345678901) { id } }`,
	} {
		shown := firstFault(t, send(handler, request{contentType: plainJSON, body: query(text, nil)}))
		assert.Equal(t, "INVALID_INPUT", shown.Extensions["code"], text)
	}
}

func TestLimitsByVariables(t *testing.T) {
	handler := serve(t, gqlhttp.Options{MaxComplexity: 50})
	recalls := serve(t, gqlhttp.Options{MaxComplexity: 550}) // a recall has a base weight of 500
	for name, test := range map[string]struct {
		query     string
		variables map[string]any
		refused   bool
	}{
		"few":             {`query ($n: Int) { episodes(first: $n) { nodes { id } } }`, map[string]any{"n": 5}, false},
		"many":            {`query ($n: Int) { episodes(first: $n) { nodes { id } } }`, map[string]any{"n": 50}, true},
		"left out":        {`query ($n: Int = 50) { episodes(first: $n) { nodes { id } } }`, nil, true},
		"few hits":        {`query ($i: RecallInput!) { recall(input: $i) { hits { rank reasons } } }`, map[string]any{"i": map[string]any{"situation": "", "topK": 2}}, false},
		"many hits":       {`query ($i: RecallInput!) { recall(input: $i) { hits { rank reasons } } }`, map[string]any{"i": map[string]any{"situation": "", "topK": 20}}, true},
		"many hits, nest": {`query ($k: Int) { recall(input: { situation: "", topK: $k }) { hits { rank reasons } } }`, map[string]any{"k": 20}, true},
		"few ids":         {`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": make([]string, 2)}, false},
		"heavy":           {`query ($n: Int) { rankAgents(taskType: "t", first: $n) { score } }`, map[string]any{"n": 0}, true},
		"many ids":        {`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": make([]string, 60)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			handler := handler
			if strings.Contains(test.query, "recall") {
				handler = recalls
			}
			answer := send(handler, request{contentType: plainJSON, body: query(test.query, test.variables)})
			assert.Equal(t, test.refused, strings.Contains(answer.Body.String(), "LIMIT_EXCEEDED"), answer.Body)
		})
	}
}

func TestBodyLimit(t *testing.T) {
	handler := serve(t, gqlhttp.Options{MaxBodyBytes: 100})
	fits := `{"query":"{ __typename }"}`
	assert.Equal(t, http.StatusOK, send(handler, request{contentType: plainJSON, body: fits + strings.Repeat(" ", 100-len(fits))}).Code)
	answer := send(handler, request{contentType: plainJSON, body: fits + strings.Repeat(" ", 101-len(fits))})
	assert.Equal(t, http.StatusRequestEntityTooLarge, answer.Code)
	assert.Equal(t, "LIMIT_EXCEEDED", firstFault(t, answer).Extensions["code"])
}

func TestTheSchemaIsDescribed(t *testing.T) {
	t.Parallel()
	handler := serve(t, gqlhttp.Options{})
	assert.Contains(t, send(handler, request{contentType: plainJSON, body: query(`{ __schema { queryType { name } } }`, nil)}).Body.String(), `"Query"`)
	assert.Contains(t, send(handler, request{contentType: plainJSON, body: query(`{ episodez { totalCount } }`, nil)}).Body.String(), "Did you mean")
}
