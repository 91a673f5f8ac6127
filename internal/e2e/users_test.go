package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/internal/gqlhttp"
	"mneme/internal/mcpserver"
	"mneme/memory/access"
	"mneme/schema"
)

// whose are the keys of the records in an answer: each test names them by whom they are of.
var whose = regexp.MustCompile(`"(?:episode|canvas|feedback|observation|memoir):(?:of-|open-)?(ann|bob|nobody)\b`)

func ofWhom(answer json.RawMessage) []string {
	seen := []string{}
	for _, found := range whose.FindAllSubmatch(answer, -1) {
		if who := string(found[1]); !slices.Contains(seen, who) {
			seen = append(seen, who)
		}
	}
	slices.Sort(seen)
	return seen
}

// fillForUsers records much alike for two users, and for nobody.
func fillForUsers(t *testing.T, w *world) {
	for _, who := range []string{"ann", "bob", "nobody"} {
		of := vars{"sessionId": "s", "taskType": "refund", "outcome": "FAILURE", "actions": []vars{{"stepName": "check"}, {"stepName": "pay_" + who}}}
		if who != "nobody" {
			of["userId"] = who
		}
		w.episode(t, "of-"+who, "a customer wants a refund of a walrus", of)
		w.canvas(t, vars{"canvasId": "of-" + who, "episodeId": "of-" + who, "canvasType": "docs"}, vars{"action": "PRESENT"})
		w.feedback(t, vars{"id": "of-" + who, "episodeId": "of-" + who, "type": "THUMBS_DOWN", "corrections": "feed the walrus"})
		remark := vars{"id": "of-" + who, "content": "the walrus of " + who, "sessionId": "s"}
		if who != "nobody" {
			remark["userId"] = who
		}
		w.do(t, "recordObservation", "observation { id userId }", remark, nil)
	}
	w.canvas(t, vars{"canvasId": "shown-of-bob", "episodeId": "of-nobody", "userId": "bob", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "of-nobody-2", "canvasId": "shown-of-bob", "type": "THUMBS_DOWN"})
	w.canvas(t, vars{"canvasId": "ann", "userId": "ann", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "bob", "sessionId": "none", "userId": "bob", "type": "THUMBS_UP"})
	w.canvas(t, vars{"canvasId": "open-nobody", "episodeId": "awaited", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "open-nobody", "sessionId": "awaited", "type": "THUMBS_UP"})
	w.episode(t, "open-nobody", "nobody waits", vars{"outcome": "UNKNOWN"})
	w.episode(t, "open-bob", "bob waits", vars{"userId": "bob", "outcome": "UNKNOWN", "causedBy": []string{"of-ann"}, "informedBy": []string{"of-ann"}, "sessionId": "s"})
	w.do(t, "createMemoir", "memoir { id }", vars{"id": "nobody", "name": "walrus"}, nil)
}

// testUsers asks for what is of a user, in every way.
func testUsers(t *testing.T, w *world) {
	fillForUsers(t, w)
	for name, query := range map[string]string{
		"recall":        `recall(input: {situation: "refund of a walrus", variants: SEPARATE, WHOSE}) { hits { episode { id } siblings { id } } cautions { episode { id } } lessons }`,
		"the newest":    `recall(input: {situation: "", variants: SEPARATE, WHOSE}) { hits { episode { id } } }`,
		"search":        `search(query: "walrus", WHOSE) { nodes { node { id } } }`,
		"moments":       `searchMoments(query: "walrus", WHOSE) { nodes { record { id } } }`,
		"of episodes":   `searchMoments(query: "walrus", filter: {WHOSE}) { nodes { record { id } } }`,
		"next steps":    `nextSteps(input: {situation: "refund of a walrus", lastStep: "check", filter: {WHOSE}}) { name example { episode { id } } }`,
		"a list":        `episodes(filter: {WHOSE}) { nodes { id userId } totalCount }`,
		"of a session":  `node(id: "session:s") { ... on Session { userId episodes(filter: {WHOSE}) { nodes { id } } } }`,
		"of an agent":   `agent(id: "ada") { episodes(filter: {WHOSE, taskType: "refund"}) { nodes { id } } }`,
		"canvases":      `canvases(WHOSE) { nodes { id userId } totalCount }`,
		"feedback":      `feedback(WHOSE) { nodes { id userId episode { id } } totalCount }`,
		"observations":  `observations(WHOSE) { nodes { id userId } totalCount }`,
		"remarks":       `searchObservations(query: "walrus", WHOSE) { nodes { observation { id } } }`,
		"without words": `episodes(filter: {WHOSE}, orderBy: FEEDBACK_DESC) { nodes { id } }`,
	} {
		for users, want := range map[string][]string{
			`userId: "ann"`: {"ann"}, `userId: "bob", includeShared: false`: {"bob"}, `userId: "ann", includeShared: true`: {"ann", "nobody"}, `userId: "eve"`: {},
			`includeShared: true`: {"ann", "bob", "nobody"},
		} {
			var data json.RawMessage
			w.ask(t, `{ `+regexp.MustCompile(`WHOSE`).ReplaceAllString(query, users)+` }`, nil, &data)
			assert.Equal(t, want, ofWhom(data), "%s of %s: %s", name, users, data)
		}
	}
	assert.Equal(t, "INVALID_INPUT", w.refuse(t, `{ episodes(filter: {userId: "a\nb"}) { totalCount } }`, nil).Extensions.Code)
}

// asUser sends a request as the holder of an admin's key that is bound to a user.
func (w *world) asUser(t *testing.T, user, query string, variables vars) response {
	t.Helper()
	w.seen.add(t, query)
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	request := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, request.WithContext(access.With(t.Context(), access.Caller{Tenant: w.tenant, Role: access.Admin, Name: "test", User: user})))
	var answer response
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &answer))
	return answer
}

func code(answer response) string {
	if len(answer.Errors) == 0 {
		return ""
	}
	return answer.Errors[0].Extensions.Code
}

// selectionOf selects all of a type that needs no argument, so many levels deep.
func selectionOf(of *ast.Type, depth int) string {
	definition, all := schema.Load().Types[of.Name()], schema.Load()
	if definition.Kind != ast.Object && definition.Kind != ast.Interface {
		return ""
	}
	text := " { __typename"
	for _, field := range definition.Fields {
		if scalar := all.Types[field.Type.Name()].IsLeafType(); (scalar || depth > 0) && !slices.ContainsFunc(field.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull && a.DefaultValue == nil }) {
			text += " " + field.Name + selectionOf(field.Type, depth-1)
		}
	}
	if definition.Kind == ast.Interface && depth > 0 {
		for _, kind := range []string{"Episode", "Canvas", "Feedback", "Observation", "Session", "Concept", "Memoir"} {
			text += " ... on " + kind + strings.ReplaceAll(selectionOf(ast.NamedType(kind, nil), 0), " episode ", " ")
		}
	}
	return text + " }"
}

// testUsersAreKeptApart: the holder of a key bound to ann asks for all that the rules let, by all ids of bob's.
func testUsersAreKeptApart(t *testing.T, w *world) {
	fillForUsers(t, w)
	ids := `["episode:of-bob", "canvas:of-bob", "feedback:of-bob", "feedback:bob", "observation:of-bob", "session:s", "agent:ada"]`
	arguments := map[string][]string{
		"node": {`id: "episode:of-bob"`, `id: "canvas:of-bob"`, `id: "feedback:of-bob"`, `id: "observation:of-bob"`, `id: "session:s"`, `id: "episode:of-ann"`}, "nodes": {"ids: " + ids},
		"episode": {`id: "of-bob"`, `id: "of-ann"`}, "concept": {`id: "of-bob"`}, "memoir": {`id: "nobody"`}, "searchConcepts": {`query: "walrus"`},
		"search": {`query: "walrus", includeShared: true`}, "searchMoments": {`query: "walrus", includeShared: true`, `query: "pay_bob", filter: {includeShared: true}`},
		"searchObservations": {`query: "walrus", includeShared: true`}, "replay": {`episodeId: "of-bob"`},
		"recall":    {`input: {situation: "refund of a walrus for bob", variants: SEPARATE, includeShared: true}`, `input: {situation: "", includeShared: true}`},
		"nextSteps": {`input: {situation: "refund of a walrus", lastStep: "check", filter: {includeShared: true}}`},
		"episodes":  {`filter: {includeShared: true}`}, "canvases": {`includeShared: true`}, "feedback": {`includeShared: true`}, "observations": {`includeShared: true`},
		"memoirs": {``}, "viewer": {``},
	}
	root := schema.Load().Query
	for name, rule := range gqlhttp.Rules() {
		kind, field, _ := strings.Cut(name, ".")
		definition := root.Fields.ForName(field)
		switch {
		case kind == "Query" && !rule.OfUsers:
			answer := w.asUser(t, "ann", "{ "+field+sendable(definition)+selectionOf(definition.Type, 0)+" }", nil)
			assert.Equal(t, "FORBIDDEN", code(answer), name)
		case kind == "Query":
			require.NotEmpty(t, arguments[field], "say how %s is asked for", field)
			for _, given := range arguments[field] {
				if given != "" {
					given = "(" + given + ")"
				}
				for depth := range 4 {
					answer := w.asUser(t, "ann", "{ "+field+given+selectionOf(definition.Type, depth)+" }", nil)
					assert.NotContains(t, string(answer.Data), "bob", "%s, %d deep", field, depth)
					for _, fault := range answer.Errors {
						assert.Contains(t, []string{"FORBIDDEN", "NOT_FOUND", "LIMIT_EXCEEDED", "GRAPHQL_VALIDATION_FAILED"}, fault.Extensions.Code, "%s: %s", field, fault.Message)
					}
				}
			}
		}
	}
	around := w.asUser(t, "ann", `{ episode(id: "of-ann") { causes { nodes { id } } informed { nodes { id } } next { id } previous { id } } }`, nil)
	assert.Equal(t, "", code(around))
	assert.NotContains(t, string(around.Data), "bob")
	for _, query := range []string{
		`{ episodes(filter: {userId: "bob"}) { totalCount } }`, `mutation { createKey(input: {role: READER}) { secret } }`, `{ agents { totalCount } }`,
		`mutation { deleteFeedback(input: {createdBy: "bob"}) { deleted } }`, `mutation { recordObservation(input: {content: "a", userId: "bob"}) { observation { id } } }`,
	} {
		assert.Equal(t, "FORBIDDEN", code(w.asUser(t, "ann", query, nil)), query)
	}
	for _, mutation := range []string{
		`concludeEpisode(input: {id: "open-bob", outcome: SUCCESS}) { episode { id } }`, `deleteEpisode(input: {id: "of-bob"}) { deletedId }`,
		`deleteCanvas(input: {id: "of-bob"}) { deletedId }`, `deleteFeedback(input: {id: "of-bob"}) { deleted }`, `deleteObservation(input: {id: "of-nobody"}) { deletedId }`,
		`concludeEpisode(input: {id: "open-nobody", outcome: SUCCESS}) { episode { id } }`,
	} {
		assert.Equal(t, "NOT_FOUND", code(w.asUser(t, "ann", "mutation { "+mutation+" }", nil)), mutation)
	}
	counted := func() (data json.RawMessage) {
		w.ask(t, `{ episodes(filter: {includeShared: true}, orderBy: STARTED_AT_ASC) { nodes { id canvasActionCount feedback { totalCount } aggregateFeedbackScore outcome informed { totalCount } causes { totalCount } } } canvases { nodes { id userId } totalCount } }`, nil, &data)
		return data
	}
	before := counted()
	for _, of := range []string{"bob", "none"} { // what is bob's is as what is not there
		for _, target := range []string{`episodeId: "of-`, `canvasId: "of-`, `sessionId: "of-`} {
			answer := w.asUser(t, "ann", `mutation { submitFeedback(input: {`+target+of+`", type: THUMBS_DOWN}) { feedback { type canvas { id } episode { id } } } }`, nil)
			assert.JSONEq(t, `{"submitFeedback": {"feedback": {"type": "THUMBS_DOWN", "canvas": null, "episode": null}}}`, string(answer.Data), target+of)
		}
		answer := w.asUser(t, "ann", `mutation { submitFeedback(input: {replaces: "of-`+of+`", type: THUMBS_DOWN}) { feedback { id } } }`, nil)
		assert.Equal(t, "NOT_FOUND", code(answer), of)
		assert.Equal(t, "replaces: feedback:of-"+of+" does not exist", answer.Errors[0].Message)
	}
	answer := w.asUser(t, "ann", `mutation { submitFeedback(input: {replaces: "of-nobody", type: THUMBS_DOWN}) { feedback { id } } }`, nil)
	assert.Equal(t, "NOT_FOUND", code(answer))
	for _, canvas := range []string{"of-bob", "of-nobody", "open-nobody"} {
		for _, with := range []string{``, `id: "1", `, `sessionId: "other", `} {
			answer = w.asUser(t, "ann", `mutation { recordCanvasActions(input: {actions: [{`+with+`canvasId: "`+canvas+`", canvasType: "charts", action: CLOSE}]}) { result { errors { code field message } } } }`, nil)
			assert.JSONEq(t, `{"recordCanvasActions": {"result": {"errors": [{"code": "CONFLICT", "field": "canvasId", "message": "canvasId: is that of a canvas that is not this user's: choose another"}]}}}`, string(answer.Data))
		}
	}
	assert.Equal(t, "", code(w.asUser(t, "ann", `mutation { recordEpisode(input: {id: "awaited", agentId: "ada", sessionId: "awaited", observation: "a penguin"}) { episode { id } } }`, nil)))
	answer = w.asUser(t, "ann", `{ episode(id: "awaited") { canvases { totalCount } feedback { totalCount } } canvases(includeShared: true) { nodes { id } } nodes(ids: ["canvas:open-nobody", "feedback:open-nobody"]) { id } }`, nil)
	assert.NotContains(t, string(answer.Data), "open-nobody")
	assert.Contains(t, string(answer.Data), `"episode":{"canvases":{"totalCount":0},"feedback":{"totalCount":0}}`)
	assert.Equal(t, "", code(w.asUser(t, "ann", `mutation { deleteEpisode(input: {id: "awaited"}) { deletedId } }`, nil)))
	assert.JSONEq(t, string(before), string(counted()))
	for mutation, want := range map[string]string{
		`submitFeedback(input: {sessionId: "s", type: THUMBS_DOWN}) { feedback { id } }`:                 "",
		`submitFeedback(input: {agentExecutionId: "run of bob", type: THUMBS_DOWN}) { feedback { id } }`: "FORBIDDEN",
		`submitFeedback(input: {sessionId: "hers", type: THUMBS_DOWN}) { feedback { id } }`:              "",
		`backfill(input: {}) { episodes }`: "FORBIDDEN",
		`recordEpisode(input: {id: "beside-bob", agentId: "ada", sessionId: "s", observation: "a penguin"}) { episode { id } }`: "",
	} {
		assert.Equal(t, want, code(w.asUser(t, "ann", "mutation { "+mutation+" }", nil)), mutation)
	}
	assert.Equal(t, "", code(w.asUser(t, "ann", `mutation { deleteEpisode(input: {id: "beside-bob"}) { deletedId } }`, nil)))
	answer = w.asUser(t, "ann", `mutation { recordEpisode(input: {id: "by-bob", agentId: "ada", observation: "a penguin", causedBy: ["of-bob", "of-ann"], informedBy: ["of-bob", "of-ann"]}) { episode { id } } }`, nil)
	assert.Equal(t, "", code(answer))
	var led struct {
		Episode struct {
			CausedBy, InformedBy struct{ Nodes []struct{ ID string } }
		}
	}
	w.ask(t, `{ episode(id: "by-bob") { causedBy { nodes { id } } informedBy { nodes { id } } } }`, nil, &led)
	assert.Equal(t, []struct{ ID string }{{"episode:of-ann"}}, led.Episode.CausedBy.Nodes)
	assert.Equal(t, []struct{ ID string }{{"episode:of-ann"}}, led.Episode.InformedBy.Nodes)
	for _, cause := range []string{"of-bob", "none"} { // even where it began later
		answer = w.asUser(t, "ann", `mutation { recordEpisode(input: {id: "early", agentId: "ada", agentName: "Eve", observation: "a penguin", startedAt: "2020-01-01T00:00:00Z", causedBy: ["`+cause+`"]}) { episode { agent { name } } } }`, nil)
		assert.JSONEq(t, `{"recordEpisode": {"episode": {"agent": {"name": "ada"}}}}`, string(answer.Data), cause)
		assert.Equal(t, "", code(w.asUser(t, "ann", `mutation { deleteEpisode(input: {id: "early"}) { deletedId } }`, nil)))
	}
	for _, mutation := range []string{ // her own run, which comes in parts
		`captureRun(input: {runId: "logged", agentId: "ada", append: true, events: [{sequence: 0, type: "agent_thought", data: {thought: "a penguin"}, at: "2026-01-01T00:00:00Z"}]}) { episode { id } }`,
		`concludeEpisode(input: {id: "logged", outcome: SUCCESS}) { episode { outcome } }`, `deleteEpisode(input: {id: "logged"}) { deletedId }`,
	} {
		assert.Equal(t, "", code(w.asUser(t, "ann", "mutation { "+mutation+" }", nil)), mutation)
	}
	answer = w.asUser(t, "ann", `mutation { deleteEpisode(input: {id: "by-bob"}) { deletedId } }`, nil)
	assert.Equal(t, "", code(answer))
	answer = w.asUser(t, "ann", `mutation { recordEpisode(input: {id: "new", agentId: "ada", observation: "a penguin"}) { episode { userId } } }`, nil)
	assert.Contains(t, string(answer.Data), `"ann"`)
	answer = w.asUser(t, "ann", `{ viewer { userId } episodes { nodes { userId } totalCount } }`, nil)
	assert.JSONEq(t, `{"viewer": {"userId": "ann"}, "episodes": {"nodes": [{"userId": "ann"}, {"userId": "ann"}], "totalCount": 2}}`, string(answer.Data))
	answer = w.asUser(t, "ann", `mutation { deleteEpisodes(input: {filter: {agentId: "ada", includeShared: true}, dryRun: false}) { deleted } }`, nil)
	assert.JSONEq(t, `{"deleteEpisodes": {"deleted": 2}}`, string(answer.Data), "her own")
}

// sendable are the arguments that a field must have.
func sendable(field *ast.FieldDefinition) string {
	var given []string
	for _, argument := range field.Arguments {
		if argument.Type.NonNull && argument.DefaultValue == nil {
			given = append(given, argument.Name+": "+map[bool]string{true: `["x"]`, false: `"x"`}[argument.Type.Elem != nil])
		}
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

// testUsersByMCP has ann's assistant ask the tools that it is offered.
func testUsersByMCP(t *testing.T, w *world) {
	fillForUsers(t, w)
	about := []string{"episode:of-bob", "canvas:of-bob", "feedback:of-bob", "observation:of-bob", "session:s", "episode:of-ann", "episode:of-nobody"}
	w.do(t, "recordObservation", "observation { id }", vars{"id": "of-all", "content": "an aardvark", "aboutIds": about}, nil)
	w.do(t, "recordCorrection", "correction { id }", vars{"id": "of-all", "topic": "zoo", "prediction": "a cat", "correction": "a gnu", "aboutIds": about}, nil)
	handler := mcpserver.Handler(mcpserver.New(w.service, mcpserver.Options{Version: "test"}))
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		ann := access.Caller{Tenant: w.tenant, Role: access.Admin, Name: "test", User: "ann"}
		handler.ServeHTTP(answer, request.WithContext(access.With(request.Context(), ann)))
	}))
	t.Cleanup(server.Close)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	asked := map[string]vars{
		"recall": {"situation": "refund of a walrus for bob", "includeShared": true, "full": true, "variants": "SEPARATE"}, "search": {"query": "walrus", "includeShared": true},
		"next_steps": {"situation": "refund of a walrus", "lastStep": "check", "includeShared": true}, "search_observations": {"query": "walrus", "includeShared": true},
		"get_observations": {"ids": []string{"of-ann"}}, "memoir_list": {}, "memoir_search": {"query": "walrus"}, "memoir_inspect": {"id": "memoir:nobody"},
		"record_episode": {"agentId": "ada", "observation": "more"}, "record_observation": {"content": "more"},
	}
	offered, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	for _, tool := range offered.Tools {
		assert.True(t, mcpserver.Rules()[tool.Name].OfUsers, tool.Name)
		input, ok := asked[tool.Name]
		if !ok {
			continue
		}
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: input})
		require.NoError(t, err, tool.Name)
		text, err := json.Marshal(result)
		require.NoError(t, err)
		assert.False(t, result.IsError, "%s: %s", tool.Name, text)
		assert.NotRegexp(t, `of-bob|pay_bob|of bob`, string(text), tool.Name)
	}
	for _, id := range []string{"episode/of-bob", "canvas/of-bob", "feedback/of-bob", "observation/of-bob", "agent/ada"} {
		_, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "mneme://" + id})
		require.Error(t, err, id)
	}
	for _, id := range []string{"feedback/of-nobody-2", "episode/of-nobody"} {
		read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "mneme://" + id})
		require.NoError(t, err, id)
		assert.Contains(t, read.Contents[0].Text, "feedback:of-nobody-2")
		assert.NotContains(t, read.Contents[0].Text, "of-bob")
	}
	for id, about := range map[string]string{"episode/of-ann": "", "observation/of-all": `"about":["episode:of-ann","episode:of-nobody","session:s"]`, "correction/of-all": `"about":["episode:of-ann","episode:of-nobody","session:s"]`} {
		read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "mneme://" + id})
		require.NoError(t, err)
		assert.Contains(t, read.Contents[0].Text, about)
	}
}
