package app

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/internal/gqlhttp"
	"mneme/internal/mcpserver"
	"mneme/internal/testneo4j"
	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/keyring"
	"mneme/service/upkeep"
)

// What a tenant keeps bears one name, of all kinds, and says a word that nobody else says. Another name, which nothing
// bears, is as long and stands next to it in every order.
const (
	borne    = "walrus7a1"
	unborne  = "walrus7a2"
	sentinel = "zanzibarquartz"
)

// isolated is a server with three tenants: one that keeps a record of each kind, one that asks for these records by
// their ids, and one that asks the same by ids that nobody has. What the two are answered must not differ.
type isolated struct {
	matrix
	schema *ast.Schema
	// full is the name of the tenant that keeps records; asks and guesses are the others.
	full, asks, guesses string
	// ids are the ids of what is kept, one of each kind, and cursors those of its lists, by the field.
	ids     map[memory.Kind]string
	cursors map[string]string
	// found are the fields that tell the tenant itself of what it keeps.
	found map[string]bool
}

func newIsolated(t *testing.T, change func(*Config)) *isolated {
	t.Helper()
	w := &isolated{
		matrix: matrix{run(t, func(c *Config) {
			c.RequestsPerKey, c.clock = 1_000_000, everLater()
			if change != nil {
				change(c)
			}
		}), map[string]map[access.Role]string{}},
		schema: gqlparser.MustLoadSchema(&ast.Source{Input: string(mustRead(t, "../../schema/schema.graphql"))}),
		full:   tenantName(), asks: tenantName(), guesses: tenantName(),
		ids: map[memory.Kind]string{}, cursors: map[string]string{}, found: map[string]bool{},
	}
	for _, tenant := range []string{w.full, w.asks, w.guesses} {
		w.keys[tenant] = map[access.Role]string{}
		for _, role := range access.Roles {
			made, err := w.Keys.Create(t.Context(), keyring.CreateInput{Tenant: tenant, Role: role})
			require.NoError(t, err)
			w.keys[tenant][role] = made.Secret
		}
	}
	w.fill(t, w.full, sentinel)
	for _, kind := range memory.Kinds {
		w.ids[kind] = memory.NodeID(kind, borne)
	}
	w.ids[memory.KindSection] = memory.NodeID(memory.KindSection, borne+"/"+borne)
	w.ids[memory.KindLearningProfile] = memory.NodeID(memory.KindLearningProfile, borne+"/"+borne)
	w.ids[memory.KindPattern] = w.tell(t, `{ patterns { nodes { id } } }`, `"id":"`)
	for kind, id := range w.ids {
		_, answer := w.graphQL(t, w.full, access.Admin, fmt.Sprintf(`{ node(id: %q) { __typename id } }`, id))
		require.Contains(t, answer, id, "there is one of each kind: %s", kind)
	}
	return w
}

// everLater is a clock that is never asked twice within a millisecond: which records of a tenant are of the same one,
// and stand in the order of their ids, would be chance.
func everLater() func() time.Time {
	var latest atomic.Int64
	return func() time.Time {
		for {
			last := latest.Load()
			now := max(time.Now().UnixMilli(), last+1)
			if latest.CompareAndSwap(last, now) {
				return time.UnixMilli(now).UTC()
			}
		}
	}
}

// tenantName is a name that no other test has, and by which it is deleted again, as the store may be shared.
func tenantName() string { return "t-" + strings.ToLower(rand.Text()) }

// fill records something of each kind, by the one name, which says a word.
func (w *isolated) fill(t *testing.T, tenant, word string) {
	t.Helper()
	name, said := borne, situation+", "+word
	inputs := []struct {
		field string
		input map[string]any
	}{
		{"createMemoir", map[string]any{"id": name, "name": name, "description": said}},
		{"addConcept", map[string]any{"id": name, "memoirId": name, "name": name, "content": said, "labels": []string{name}}},
		{"addConcept", map[string]any{"id": name + "b", "memoirId": name, "name": name + "b", "content": said}},
		{"linkConcepts", map[string]any{"sourceId": name, "targetId": name + "b", "type": "DEPENDS_ON"}},
		{"captureRun", map[string]any{
			"runId": name, "agentId": name, "workflowName": name, "sessionId": name, "conceptIds": []string{name}, "executionIds": []string{name}, "insight": said,
			"events": []any{
				map[string]any{"type": "workflow_started", "at": "2026-01-02T03:04:05Z", "data": map[string]any{"args": said}},
				map[string]any{"type": "agent_thought", "at": "2026-01-02T03:04:06Z", "data": map[string]any{"thought": said}},
				map[string]any{"type": "step_completed", "at": "2026-01-02T03:04:07Z", "data": map[string]any{"step_id": name, "step_name": word, "result": said}},
				map[string]any{"type": "workflow_completed", "at": "2026-01-02T03:04:08Z", "data": map[string]any{"result": said}},
			},
		}},
		{"recordEpisode", map[string]any{"id": name + "e", "agentId": name, "agentName": word, "observation": said, "outcome": "FAILURE", "causedBy": []string{name}}},
		{"recordCanvasActions", map[string]any{"actions": []any{map[string]any{
			"id": name, "canvasId": name, "episodeId": name, "sessionId": name, "canvasType": "charts", "action": "PRESENT", "metadata": map[string]any{"title": said},
		}}}},
		{"submitFeedback", map[string]any{"id": name, "episodeId": name, "type": "THUMBS_DOWN", "createdBy": name, "comment": said, "corrections": said}},
		{"recordObservation", map[string]any{"id": name, "content": said, "sessionId": name, "aboutIds": []string{"episode:" + name}}},
		{"recordCorrection", map[string]any{"id": name, "topic": name, "prediction": said, "correction": said, "createdBy": name}},
		{"recordExecution", map[string]any{"id": name, "agentId": name, "taskType": name, "success": true, "quality": 0.2}},
		{"recordExecution", map[string]any{"id": name + "x", "agentId": name, "taskType": word, "success": false, "quality": 0.1}},
	}
	for i, section := range []string{name, name + "b", name + "c"} {
		id := name + strings.Repeat("v", i)
		inputs = append(inputs, struct {
			field string
			input map[string]any
		}{"recordVerdict", map[string]any{
			"id": id, "runId": name, "sectionId": section, "sectionType": name, "judgeId": name, "iteration": 0, "status": "APPROVE", "score": 9,
			"feedback": said, "patterns": []string{word}, "context": map[string]any{"part": name},
		}})
	}
	inputs = append(inputs, struct {
		field string
		input map[string]any
	}{"completeRun", map[string]any{"runId": name}})
	for _, in := range inputs {
		kind := w.schema.Mutation.Fields.ForName(in.field).Arguments.ForName("input").Type.String()
		body := mustJSON(map[string]any{"query": fmt.Sprintf("mutation ($input: %s) { %s(input: $input) { __typename } }", kind, in.field), "variables": map[string]any{"input": in.input}})
		_, answer := w.send(t, w.keys[tenant][access.Writer], "/graphql", body)
		require.NotContains(t, answer, `"errors"`, in.field)
	}
}

func (w *isolated) graphQL(t *testing.T, tenant string, role access.Role, query string) (status int, answer string) {
	t.Helper()
	return w.send(t, w.keys[tenant][role], "/graphql", mustJSON(map[string]string{"query": query}))
}

// tell asks for one text of what is kept: what stands after a mark in the answer.
func (w *isolated) tell(t *testing.T, query, mark string) string {
	t.Helper()
	_, answer := w.graphQL(t, w.full, access.Admin, query)
	_, after, found := strings.Cut(answer, mark)
	require.True(t, found, "%s: %s", query, answer)
	text, _, _ := strings.Cut(after, `"`)
	return text
}

// kept is all that the tenant keeps, as an export tells it.
func (w *isolated) kept(t *testing.T) string {
	t.Helper()
	tenant, err := w.Service.Tenant(service.WithTenant(t.Context(), w.full))
	require.NoError(t, err)
	var all strings.Builder
	require.NoError(t, tenant.Upkeep.Export(t.Context(), func(item upkeep.Kept) error {
		_, line, err := transfer.Encode(item)
		all.Write(line)
		return err
	}))
	return ownReads.ReplaceAllString(all.String(), "")
}

// ownReads are what its own reads, beside those of others, leave on a record.
var ownReads = regexp.MustCompile(`"accessCount":\d+,|"lastAccessedAt":"[^"]*",`)

// depth is how deep a field can be asked for within the limits.
func (w *isolated) depth(t *testing.T, root string, field *ast.FieldDefinition) int {
	t.Helper()
	if root != "Query" {
		return 1
	}
	depth := 3
	for _, part := range []string{"", "*"} {
		for ; depth > 0; depth-- {
			arguments := shape{id: borne, name: borne, part: part}.arguments(w.schema, field)
			query := "{ " + field.Name + arguments + everything(w.schema, field.Type, depth) + " }"
			if _, answer := w.graphQL(t, w.full, access.Reader, query); !strings.Contains(answer, "LIMIT_EXCEEDED") {
				break
			}
		}
	}
	return depth
}

// queries ask for a field: with each optional part, with all, by each id and after the tenant's own cursor.
func (w *isolated) queries(t *testing.T, root, name string, thorough bool) (queries []string) {
	field := w.schema.Types[root].Fields.ForName(name)
	ask := func(s shape, depth int) string {
		return strings.ToLower(root) + " { " + name + s.arguments(w.schema, field) + everything(w.schema, field.Type, depth) + " }"
	}
	depth := w.depth(t, root, field)
	plain := shape{id: borne, name: borne, page: w.cursors[name]}
	parts := []string{"", "*"}
	if thorough {
		parts = append(parts, optional(w.schema, field)...)
	}
	for _, part := range parts {
		s := plain
		s.part = part
		queries = append(queries, ask(s, depth))
		if s.truth = true; ask(s, depth) != queries[len(queries)-1] {
			queries = append(queries, ask(s, depth))
		}
	}
	if !thorough && root != "Query" {
		return queries
	}
	for _, kind := range memory.Kinds {
		s := plain
		s.id = w.ids[kind]
		if query := ask(s, depth); query != queries[0] {
			queries = append(queries, query)
		}
	}
	return queries
}

// listed keeps the cursors of the tenant's own lists, each as it is asked for by the others.
func (w *isolated) listed(t *testing.T) {
	t.Helper()
	for _, field := range w.schema.Query.Fields {
		if field.Arguments.ForName("after") == nil {
			continue
		}
		_, answer := w.graphQL(t, w.full, access.Reader, fmt.Sprintf(`{ %s%s { edges { cursor } } }`, field.Name, shape{id: borne, name: borne}.arguments(w.schema, field)))
		if _, after, found := strings.Cut(answer, `"cursor":"`); found {
			w.cursors[field.Name], _, _ = strings.Cut(after, `"`)
		}
	}
	require.Greater(t, len(w.cursors), 10, "lists have cursors")
}

// unnamed is the same request, or answer, about what nobody has.
func (w *isolated) unnamed(text string) string {
	for _, cursor := range w.cursors {
		text = strings.ReplaceAll(text, cursor, forged(cursor))
	}
	pattern := w.ids[memory.KindPattern]
	return strings.ReplaceAll(strings.ReplaceAll(text, pattern, strings.TrimRight(pattern, "0123456789abcdef")+strings.Repeat("0", 32)), borne, unborne)
}

// forged is a cursor at the name that nobody has.
func forged(cursor string) string {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return cursor
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strings.ReplaceAll(string(text), borne, unborne)))
}

// What differs between two answers that tell the same: what is made up for each, the time, and what both follow from.
var (
	madeUp  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{12,}|\d{4}-\d\d-\d\dT[0-9:.]+Z|\d{13}|\d*\.\d+(e-\d+)?`)
	opaque  = regexp.MustCompile(`[A-Za-z0-9_-]{8,}`)
	ownKeys = regexp.MustCompile(`\[\{"prefix":.*\}\]`)
	// prefixes are those of the askers' own keys, and of keys that they made.
	prefixes = regexp.MustCompile(`mneme_[a-z2-7]{8}(_[A-Za-z0-9_-]+)?`)
)

// comparable is an answer without what differs, and with one name for both.
func (w *isolated) comparable(answer string) string {
	answer = opaque.ReplaceAllStringFunc(answer, func(word string) string {
		text, err := base64.RawURLEncoding.DecodeString(word)
		if err == nil && (strings.HasPrefix(string(text), `{"`) || strings.HasPrefix(string(text), "live:")) {
			return string(text)
		}
		return word
	})
	for _, own := range []string{w.asks, w.guesses} { // whose key it is, is told to its holder
		answer = strings.ReplaceAll(answer, own, "…")
	}
	answer = madeUp.ReplaceAllString(w.unnamed(prefixes.ReplaceAllString(answer, "…")), "…")
	return ownKeys.ReplaceAllStringFunc(answer, func(list string) string { // an asker's own, of which those of one instant come by chance
		return fmt.Sprint(strings.Count(list, `"prefix":`), " keys")
	})
}

// settle waits for what was read to be counted, which weights follow.
func (w *isolated) settle(t *testing.T) {
	t.Helper()
	enough := errors.New("enough")
	for _, tenant := range []string{w.asks, w.guesses} {
		bound, err := w.Service.Tenant(service.WithTenant(t.Context(), tenant))
		require.NoError(t, err)
		if err := bound.Upkeep.Export(t.Context(), func(upkeep.Kept) error { return enough }); !errors.Is(err, enough) {
			require.NoError(t, err)
		}
	}
}

// alike sends a request about what the tenant keeps, and the same about what nobody has; the answers must be the same.
func (w *isolated) alike(t *testing.T, role access.Role, path, body string) {
	t.Helper()
	if w.config.Store == SQLite { // elsewhere that takes long, and less is asked
		w.settle(t)
	}
	status, answer := w.send(t, w.keys[w.asks][role], path, body)
	wanted, unknown := w.send(t, w.keys[w.guesses][role], path, w.unnamed(body))
	assert.Equal(t, wanted, status, body)
	assert.NotContains(t, answer, sentinel, body)
	assert.NotContains(t, unknown, sentinel, body)
	if got, want := w.comparable(answer), w.comparable(unknown); got != want {
		if strings.Contains(unknown, "is a cursor of another query") { // as it names another; nor is there what theirs is of
			assert.Regexp(t, `the record .* does not exist`, answer)
			return
		}
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		part := func(text string) string { return text[max(0, at-100):min(len(text), at+100)] }
		assert.Fail(t, "what others keep shows in an answer", "%s: %s\n%s\nfor ids of theirs\n%s\nfor ids of nobody", role, body, part(got), part(want))
	}
}

// everyField asks for every field of the schema. Those that record come last, so that all are asked on an empty tenant.
func (w *isolated) everyField(t *testing.T, role access.Role, thorough bool) {
	t.Helper()
	names := slices.SortedFunc(maps.Keys(gqlhttp.Rules()), func(a, b string) int {
		rank := func(name string) string { return fmt.Sprint(gqlhttp.Rules()[name].Act == access.Record, name) }
		return strings.Compare(rank(a), rank(b))
	})
	for _, name := range names {
		root, field, _ := strings.Cut(name, ".")
		if root == "Subscription" {
			continue // see TestNobodyHearsOfOthers
		}
		for _, query := range w.queries(t, root, field, thorough) {
			body := mustJSON(map[string]string{"query": query})
			w.alike(t, role, "/graphql", body)
			if root == "Query" && !w.found[name] {
				_, own := w.send(t, w.keys[w.full][role], "/graphql", body)
				require.NotContains(t, own, "LIMIT_EXCEEDED", query)
				require.NotContains(t, own, "conflict", query)
				require.NotContains(t, own, "GRAPHQL_", query)
				_, unknown := w.send(t, w.keys[w.guesses][role], "/graphql", w.unnamed(body))
				w.found[name] = w.comparable(own) != w.comparable(unknown)
			}
		}
	}
}

func (w *isolated) mcp(method string, params any) string {
	return mustJSON(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

// list is a list of the agents' door.
func (w *isolated) list(t *testing.T, method string, into any) {
	t.Helper()
	_, answer := w.send(t, w.keys[w.full][access.Admin], "/mcp", w.mcp(method, map[string]any{}))
	start, end := strings.Index(answer, "{"), strings.LastIndex(answer, "}")
	require.GreaterOrEqual(t, end, start, answer)
	require.NoError(t, json.Unmarshal([]byte(answer[start:end+1]), into), answer)
}

// everyTool calls every tool, and asks for every resource and prompt.
func (w *isolated) everyTool(t *testing.T, role access.Role, thorough bool) {
	t.Helper()
	var offered struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema toolShape
			}
			ResourceTemplates []struct{ Name string }
			Prompts           []struct {
				Name      string
				Arguments []struct{ Name string }
			}
		}
	}
	w.list(t, "tools/list", &offered)
	require.Len(t, offered.Result.Tools, len(mcpserver.Rules()))
	for _, tool := range offered.Result.Tools {
		parts := []string{"", "*"}
		if thorough {
			parts = append(parts, tool.InputSchema.optional("")...)
		}
		for _, part := range parts {
			for _, id := range append(slices.Sorted(maps.Values(w.ids)), borne) {
				if id != borne && (!thorough || part != "") {
					continue
				}
				s := shape{part: part, id: id, name: borne, truth: part != "*", page: w.cursors["episodes"]}
				w.alike(t, role, "/mcp", w.mcp("tools/call", map[string]any{"name": tool.Name, "arguments": s.json("", "", tool.InputSchema)}))
			}
		}
	}
	for _, id := range w.ids {
		kind, key, _ := memory.SplitID(id)
		w.alike(t, role, "/mcp", w.mcp("resources/read", map[string]any{"uri": "mneme://" + string(kind) + "/" + key}))
	}
	w.list(t, "resources/templates/list", &offered)
	require.Len(t, offered.Result.ResourceTemplates, len(memory.Kinds))
	w.list(t, "prompts/list", &offered)
	require.NotEmpty(t, offered.Result.Prompts)
	for _, prompt := range offered.Result.Prompts {
		arguments := map[string]string{"situation": situation}
		w.alike(t, role, "/mcp", w.mcp("prompts/get", map[string]any{"name": prompt.Name, "arguments": arguments}))
		arguments["agentId"], arguments["taskType"] = borne, borne
		w.alike(t, role, "/mcp", w.mcp("prompts/get", map[string]any{"name": prompt.Name, "arguments": arguments}))
	}
	for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		w.alike(t, role, "/mcp", w.mcp(method, map[string]any{}))
	}
}

// testIsolated asks for everything by every door with keys of each role, as one who knows the names of what is kept and
// as one who knows none: their answers and their memories are the same, and what is kept stays as it is. Where it is
// not thorough, each is asked for with what it must have and with all that it takes, and not with each part alone.
func testIsolated(t *testing.T, thorough bool, change func(*Config)) {
	w := newIsolated(t, change)
	w.listed(t)
	was := w.kept(t)
	require.Contains(t, was, sentinel)
	roles := access.Roles
	if !thorough { // what a role may not is refused before a store is asked
		roles = []access.Role{access.Admin}
	}
	for _, role := range roles {
		w.everyField(t, role, thorough && role == access.Admin)
		w.everyTool(t, role, thorough && role == access.Admin)
	}
	for name := range gqlhttp.Rules() {
		if thorough && strings.HasPrefix(name, "Query.") {
			assert.True(t, w.found[name], "%s tells its own tenant something: else nothing is shown by what it tells others", name)
		}
	}
	w.everyField(t, access.Admin, false) // once more, now that they keep records of the same names
	assert.Equal(t, was, w.kept(t))
	w.spans(t)
	w.pages(t)
}

const trace = "0af7651916cd43dd8448eb211c80319c"

// span is one of a trace, of an agent's work.
func span(of, id, parent, says string) string {
	return fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":%q,"spanId":%q,"parentSpanId":%q,"name":"invoke_agent",
		"startTimeUnixNano":"1544712660000000000","endTimeUnixNano":"1544712661000000000","attributes":[
		{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}},{"key":"gen_ai.agent.name","value":{"stringValue":%q}}]}]}]}]}`, of, id, parent, says)
}

// spans sends spans of a trace that another tenant's spans are held for.
func (w *isolated) spans(t *testing.T) {
	t.Helper()
	_, answer := w.send(t, w.keys[w.full][access.Writer], "/v1/traces", span(trace, "00f067aa0ba902b7", "00f067aa0ba902b6", sentinel))
	require.NotContains(t, answer, "rejected")
	other := strings.Replace(trace, "c", "d", 1)
	for _, role := range access.Roles {
		status, answer := w.send(t, w.keys[w.asks][role], "/v1/traces", span(trace, "00f067aa0ba902b6", "", "asks"))
		wanted, unknown := w.send(t, w.keys[w.guesses][role], "/v1/traces", span(other, "00f067aa0ba902b6", "", "asks"))
		assert.Equal(t, wanted, status)
		assert.Equal(t, unknown, answer)
	}
	for _, tenant := range []string{w.full, w.asks, w.guesses} {
		bound, err := w.Service.Tenant(service.WithTenant(t.Context(), tenant))
		require.NoError(t, err)
		_, err = bound.Traces.Finish(t.Context())
		require.NoError(t, err)
		_, answer := w.graphQL(t, tenant, access.Reader, fmt.Sprintf(`{ episode(id: %q) { agent { name } actions { stepName } events { totalCount } } }`, trace))
		if tenant == w.full {
			assert.NotContains(t, answer, "asks")
			continue
		}
		assert.NotContains(t, answer, sentinel)
	}
}

// pages are the same for all, and hold nothing of what is kept.
func (w *isolated) pages(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/", "/playground", "/healthz", "/readyz", "/" + borne} {
		_, open := call{method: http.MethodGet, path: path}.do(t, w.App)
		assert.NotContains(t, open, sentinel)
		for tenant, keys := range w.keys {
			for role, key := range keys {
				_, answer := call{method: http.MethodGet, path: path, header: http.Header{"Authorization": {"Bearer " + key}}}.do(t, w.App)
				assert.Equal(t, open, answer, "%s as %s of %s", path, role, tenant)
			}
		}
	}
	for tenant, keys := range w.keys { // figures are of all tenants together
		for role, key := range keys {
			status, answer := call{method: http.MethodGet, path: "/metrics", header: http.Header{"Authorization": {"Bearer " + key}}}.do(t, w.App)
			assert.Equal(t, http.StatusForbidden, status, "%s of %s", role, tenant)
			assert.NotContains(t, answer, "mneme_", "no figure")
		}
	}
}

func TestNobodySeesWhatIsOthers(t *testing.T) { testIsolated(t, true, nil) }

func TestNobodySeesWhatIsOthersOnNeo4j(t *testing.T) {
	server := testneo4j.Reach(t)
	testIsolated(t, false, func(c *Config) {
		c.Store, c.Neo4j = server.URL, Neo4jLogin{User: server.User, Password: server.Password}
	})
}
