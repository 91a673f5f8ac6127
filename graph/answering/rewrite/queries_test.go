package rewrite_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/schema"
)

// asker asks for every field of the schema, with what it has learned of earlier answers.
type asker struct {
	ask      func(query string) (answer string)
	texts    map[string]string // the latest by the name of their field
	ids      map[string]string // the latest by the kind of their record
	selected map[string]bool   // fields that were asked for
}

// levels is how deep everything is selected.
const levels = 4

// mutations have inputs that make what can be answered of them.
var mutations = [][2]string{
	{"createMemoir", `{ id: "m", name: "Stock", description: "What is there." }`},
	{"addConcept", `{ id: "c1", memoirId: "m", name: "One", content: "The first.", labels: ["a", "b"] }`},
	{"addConcept", `{ id: "c2", memoirId: "m", name: "Two", content: "The <private>second</private>." }`},
	{"refineConcept", `{ id: "c1", content: "The very first." }`},
	{"linkConcepts", `{ sourceId: "c1", targetId: "c2", type: DEPENDS_ON }`},
	{"unlinkConcepts", `{ sourceId: "c1", targetId: "c2", type: DEPENDS_ON }`},
	{"recordEpisode", `{ id: "e1", agentId: "ada", observation: "A \"quoted\" \\ line\nand \u0001 é 😀.", conceptIds: ["c1"], sessionId: "s", executionIds: ["x"],
		actions: [{ stepName: "look", result: { a: [1, 2.50, null, true], b: {} } }], metadata: { long: 12345678901234567, empty: [] } }`},
	{"recordEpisodes", `{ episodes: [{ id: "e2", agentId: "ada", observation: "Another.", causedBy: ["e1"] }, { id: "e1", agentId: "ada", observation: "In conflict." }] }`},
	{"concludeEpisode", `{ id: "e1", outcome: SUCCESS, result: "Done.", quality: 0.1 }`},
	{"captureRun", `{ runId: "e3", agentId: "ada", events: [{ type: "WORKFLOW_STARTED", data: { workflowName: "w" }, at: "2026-05-01T12:00:00.123Z" }] }`},
	{"recordCanvasActions", `{ actions: [{ id: "a1", canvasId: "k", episodeId: "e1", canvasType: "chart", action: PRESENT }, { id: "a2", canvasId: "k", canvasType: "table", action: CLOSE }] }`},
	{"submitFeedback", `{ id: "f", episodeId: "e1", type: RATING, rating: 4, corrections: "Shorter.", createdBy: "p" }`},
	{"backfill", `{ sessionId: "s" }`},
	{"recordCorrection", `{ id: "r", topic: "t", prediction: "p", correction: "c", aboutIds: ["episode:e1"] }`},
	{"recordObservation", `{ id: "o", content: "Seen.", aboutIds: ["episode:e1", "concept:c1"] }`},
	{"recordObservations", `{ observations: [{ id: "o2", content: "Seen too." }] }`},
	{"recordExecution", `{ id: "x1", agentId: "ada", taskType: "t", success: true, quality: 0.5 }`},
	{"recordExecutions", `{ executions: [{ id: "x2", agentId: "ada", taskType: "t", success: false, quality: 2 }] }`},
	{"recordVerdict", `{ id: "v1", runId: "run", sectionId: "sec", sectionType: "intro", judgeId: "j", iteration: 1, status: SOFT_FAIL, score: 0.3,
		issues: [{ code: "LONG", area: "text", message: "too long" }], fixes: ["cut"] }`},
	{"recordVerdicts", `{ verdicts: [{ id: "v2", runId: "run", sectionId: "sec", sectionType: "intro", judgeId: "j", iteration: 2, status: APPROVE, patterns: ["short"] }] }`},
	{"applyJudgeThreshold", `{ judgeId: "j", threshold: 0.2 }`},
	{"recordVerdict", `{ id: "v3", runId: "run", sectionId: "sec", sectionType: "intro", judgeId: "j", iteration: 3, status: SOFT_FAIL, score: 0.3 }`},
	{"labelVerdict", `{ verdictId: "v2", approve: true, labelledBy: "p" }`},
	{"completeRun", `{ runId: "run" }`},
	{"prune", `{ minWeight: 0.5 }`},
	{"consolidate", `{}`},
	{"deleteFeedback", `{ id: "f" }`},
	{"deleteObservation", `{ id: "o2" }`},
	{"deleteCorrection", `{ id: "r" }`},
	{"deleteCanvas", `{ id: "k" }`},
	{"deleteConcept", `{ id: "c2" }`},
	{"deleteMemoir", `{ id: "m" }`},
	{"deleteEpisodes", `{ filter: { agentId: "ada" }, dryRun: true }`},
	{"deleteEpisode", `{ id: "e2" }`},
	{"deleteAgent", `{ id: "ada" }`},
}

// hard is what is answered in another way than most.
var hard = []string{
	`{ episodes(first: 3) { nodes { a: id b: id title title ...F ...F ... on Node { id } ... on Episode @skip(if: true) { insight } }
		again: nodes { id } } } fragment F on Episode { id c: agent { name } agent { id name } agent { name } reward @include(if: false) }`,
	`query ($a: Boolean = false) { episodes(first: 2) { nodes { id @skip(if: $a) canvasContext { id } canvasContext { states } } } }`,
	`{ a: __typename episode(id: "none") { id } nodes(ids: ["none", "episode:none", "agent:none"]) { __typename id } }`,
	`{ nodes(ids: []) { id } episodes(filter: { agentId: "nobody" }) { totalCount nodes { id } edges { cursor } pageInfo { endCursor } } }`,
	`{ episodes(first: 1) { nodes { id events(after: "bad") { nodes { type } } } } }`,
	`{ agents(first: 1) { nodes { id episodes(first: -1) { totalCount } } } taskTypes }`,
	`{ selectAgent(taskType: "nobody does this") { rank } }`,
	`{ taskTypes searchConcepts(query: "") { totalCount } judges }`,
	`mutation { a: deleteEpisode(input: { id: "none" }) { __typename } b: createMemoir(input: { id: "m9", name: "Nine" }) { memoir { id concepts { nodes { id } } } } }`,
	`{ __schema { queryType { name } types { name kind fields(includeDeprecated: true) { name args { name defaultValue } type { name ofType { name } } } enumValues { name } } directives { name } } }`,
	`{ __type(name: "Episode") { name interfaces { name } fields { name } } none: __type(name: "None") { name } }`,
}

func askEverything(t *testing.T, ask func(query string) (answer string)) {
	t.Helper()
	a := asker{ask: ask, texts: map[string]string{}, ids: map[string]string{}, selected: map[string]bool{}}
	needs := func(field *ast.FieldDefinition) bool { // something that other answers tell
		return slices.ContainsFunc(field.Arguments, func(d *ast.ArgumentDefinition) bool { return d.Type.NonNull || d.Name == "id" })
	}
	for _, later := range []bool{false, true} {
		for _, field := range schema.Load().Query.Fields {
			if !strings.HasPrefix(field.Name, "__") && needs(field) == later {
				a.query(t, "query", field, a.arguments(field))
			}
		}
	}
	for _, mutation := range mutations {
		a.query(t, "mutation", schema.Load().Mutation.Fields.ForName(mutation[0]), "(input: "+mutation[1]+")")
	}
	elsewhere := []string{"Subscription", "CreateKeyPayload", "RevokeKeyPayload"} // internal/e2e asks: they tell what comes, and secrets
	for _, event := range schema.Load().Subscription.Fields {
		elsewhere = append(elsewhere, event.Type.Name())
	}
	a.selected["Mutation.createKey"], a.selected["Mutation.revokeKey"] = true, true
	for name, of := range schema.Load().Types {
		if slices.Contains(elsewhere, name) {
			continue
		}
		for _, field := range of.Fields {
			if of.Kind == ast.Object && !strings.HasPrefix(name, "__") && !strings.HasPrefix(field.Name, "__") {
				assert.True(t, a.selected[name+"."+field.Name], "%s.%s is never asked for", name, field.Name)
			}
		}
	}
}

var (
	textField = regexp.MustCompile(`"(\w+)":"([^"\\]+)"`)
	globalID  = regexp.MustCompile(`"((\w+):[^" ]+)"`)
)

// query asks for everything of a root field, which must be there.
func (a *asker) query(t *testing.T, operation string, field *ast.FieldDefinition, arguments string) {
	t.Helper()
	a.selected[map[string]string{"query": "Query.", "mutation": "Mutation."}[operation]+field.Name] = true
	inside := schema.Load().Types[field.Type.Name()]
	text := operation + " { " + field.Name + arguments
	if inside.IsCompositeType() {
		text += a.everything(inside, levels, "")
	}
	answer := a.ask(text + " }")
	require.False(t, strings.HasPrefix(answer, `{"errors"`), "%s%s: %.500s", field.Name, arguments, answer)
	require.NotContains(t, answer, `{"data":{"`+field.Name+`":null`, field.Name+arguments)
	for _, found := range textField.FindAllStringSubmatch(answer, -1) {
		a.texts[found[1]] = found[2]
	}
	for _, found := range globalID.FindAllStringSubmatch(answer, -1) {
		if of := schema.Load().Types[strings.ToUpper(found[2][:1])+found[2][1:]]; of != nil && slices.Contains(of.Interfaces, "Node") {
			a.ids[found[2]] = found[1]
		}
	}
}

// everything selects all fields of a type, and of what is in them, under aliases where there is a prefix.
func (a *asker) everything(of *ast.Definition, levels int, prefix string) string {
	var text strings.Builder
	text.WriteString(" { __typename")
	for _, field := range of.Fields {
		inside := schema.Load().Types[field.Type.Name()]
		if strings.HasPrefix(field.Name, "__") || inside.IsCompositeType() && levels == 0 {
			continue
		}
		a.selected[of.Name+"."+field.Name] = true
		text.WriteByte(' ')
		if prefix != "" {
			text.WriteString(prefix + field.Name + ": ")
		}
		text.WriteString(field.Name + a.arguments(field))
		if inside.IsCompositeType() {
			text.WriteString(a.everything(inside, levels-1, ""))
		}
	}
	if of.IsAbstractType() && levels > 0 {
		for _, kind := range schema.Load().GetPossibleTypes(of) {
			fmt.Fprintf(&text, " ... on %s%s", kind.Name, a.everything(kind, levels-1, kind.Name))
		}
	}
	return text.String() + " }"
}

// arguments are those that a field needs, and short pages.
func (a *asker) arguments(field *ast.FieldDefinition) string {
	var all []string
	add := func(name, value string) { all = append(all, name+": "+value) }
	for _, argument := range field.Arguments {
		switch name := argument.Name; {
		case name == "first":
			add(name, "2")
		case name == "id":
			kind := strings.ToLower(field.Type.Name()[:1]) + field.Type.Name()[1:]
			add(name, fmt.Sprintf("%q", cmp.Or(a.ids[kind], a.ids["episode"])))
		case !argument.Type.NonNull:
		case name == "ids":
			var ids []string
			for _, id := range a.ids {
				ids = append(ids, fmt.Sprintf("%q", id))
			}
			slices.Sort(ids)
			add(name, "["+strings.Join(ids, ", ")+"]")
		case name == "from", name == "episodeId":
			add(name, fmt.Sprintf("%q", a.ids["episode"]))
		case name == "to", name == "agentId":
			add(name, fmt.Sprintf("%q", a.ids["agent"]))
		case name == "query":
			add(name, fmt.Sprintf("%q", a.texts["title"]))
		case name == "input":
			add(name, fmt.Sprintf("{ situation: %q }", a.texts["title"]))
		default:
			add(name, fmt.Sprintf("%q", a.texts[name]))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}
