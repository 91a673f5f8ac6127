package app

import (
	"cmp"
	"encoding/json"
	flags "flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/internal/gqlhttp"
	"mneme/internal/mcpserver"
	"mneme/internal/otlp"
	"mneme/memory/access"
	"mneme/service/keyring"
)

var update = flags.Bool("update", false, "write the table of docs/access.md")

const accessPage = "../../docs/access.md"

// TestTheTableOfWhoMayWhat holds the table in the documents to the rules that the doors ask.
func TestTheTableOfWhoMayWhat(t *testing.T) {
	page, err := os.ReadFile(accessPage)
	require.NoError(t, err)
	const begin, end = "<!-- the rules, written by go test ./internal/app -run Table -update -->\n\n", "\n<!-- end -->"
	before, rest, found := strings.Cut(string(page), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	want := before + begin + table() + end + after
	if *update {
		require.NoError(t, os.WriteFile(accessPage, []byte(want), 0o600))
		return
	}
	assert.Equal(t, want, string(page), "go test ./internal/app -run Table -update writes it")
}

func table() string {
	var text strings.Builder
	text.WriteString("| where | what | who |\n|---|---|---|\n")
	row := func(where, what, who string) {
		fmt.Fprintf(&text, "| %s | %s | %s |\n", where, what, who)
	}
	fields := gqlhttp.Rules()
	for _, root := range []string{"Query", "Mutation", "Subscription"} {
		group(row, "GraphQL "+strings.ToLower(root), root+".", fields)
	}
	row("GraphQL", "the schema", who(access.Reads.ForUsers()))
	group(row, "MCP tool", "", mcpserver.Rules())
	row("MCP", "resources, prompts, lists", who(mcpserver.Others))
	row("OTLP", "`/v1/traces`", who(otlp.Rule))
	row("pages, probes", "`/`, `/playground`, `/healthz`, `/readyz`", "anyone"+ofUsers)
	row("metrics", "`/metrics`", "`MNEME_API_KEY`; without any key this machine")
	return text.String()
}

// group writes a row for each rule, the least first, with the names that it is for.
func group(row func(where, what, who string), where, prefix string, rules map[string]access.Rule) {
	names := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			names[who(rules[name])] = append(names[who(rules[name])], "`"+short+"`")
		}
	}
	order := func(rule string) string {
		least, rest, _ := strings.Cut(strings.TrimSuffix(rule, ofUsers), ";")
		return fmt.Sprint(slices.Index([]string{"reader", "writer", "admin"}, least), rest)
	}
	for _, rule := range slices.SortedFunc(maps.Keys(names), func(a, b string) int { return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a, b)) }) {
		row(where, strings.Join(names[rule], ", "), rule)
	}
}

// ofUsers ends what is said of a rule that keys may use that are bound to a user.
const ofUsers = `\*`

func who(rule access.Rule) string {
	least := strings.ToLower(string(rule.Act.Needs()))
	if rule.Full != "" {
		least = fmt.Sprintf("%s; %s: %s", least, rule.Argument, strings.ToLower(string(rule.Full.Needs())))
	}
	if rule.OfUsers {
		least += ofUsers
	}
	return least
}

// matrix is a server with a key of each role for each of two tenants.
type matrix struct {
	*App
	keys map[string]map[access.Role]string
}

func newMatrix(t *testing.T) matrix {
	t.Helper()
	m := matrix{run(t, nil), map[string]map[access.Role]string{}}
	for _, tenant := range []string{"acme", "other"} {
		m.keys[tenant] = map[access.Role]string{}
		for _, role := range access.Roles {
			made, err := m.Keys.Create(t.Context(), keyring.CreateInput{Tenant: tenant, Role: role})
			require.NoError(t, err)
			m.keys[tenant][role] = made.Secret
		}
	}
	return m
}

func (m matrix) send(t *testing.T, key, path, body string) (status int, answer string) {
	t.Helper()
	return call{method: http.MethodPost, path: path, body: body, header: http.Header{
		"Authorization": {"Bearer " + key}, "Accept": {"application/json, text/event-stream"},
	}}.do(t, m.App)
}

// TestEachRoleMayWhatTheTableSays asks for every field of the schema and every tool with a key of each role: refused is
// what the rules refuse, and nothing else.
func TestEachRoleMayWhatTheTableSays(t *testing.T) {
	m := newMatrix(t)
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: string(mustRead(t, "../../schema/schema.graphql"))})
	for _, role := range access.Roles {
		key := m.keys["acme"][role]
		for name, rule := range gqlhttp.Rules() {
			root, field, _ := strings.Cut(name, ".")
			for full, arguments := range variants(schema, rule, schema.Types[root].Fields.ForName(field)) {
				if root == "Subscription" { // whoever may is told at once that there is no such cursor
					arguments = "(" + strings.TrimPrefix(strings.TrimSuffix(arguments, ")")+`, after: "none")`, "(")
					arguments = strings.Replace(arguments, "(, ", "(", 1)
				}
				text := strings.ToLower(root) + " { " + field + arguments + selection(schema, schema.Types[root].Fields.ForName(field).Type) + " }"
				body, err := json.Marshal(map[string]string{"query": text})
				require.NoError(t, err)
				status, answer := m.send(t, key, "/graphql", string(body))
				require.Equal(t, 200, status, answer)
				valid := strings.Contains(answer, `"data"`) || root == "Subscription" && strings.Contains(answer, "is not a cursor")
				assert.Equal(t, role.May(rule.Act), valid, "%s is valid: %s", text, answer)
				assert.Equal(t, !may(role, rule, full), strings.Contains(answer, `"FORBIDDEN"`), "%s: %s: %s", role, text, answer)
			}
		}
		for name, rule := range mcpserver.Rules() {
			for full, arguments := range toolVariants(name) {
				_, answer := m.send(t, key, "/mcp", fmt.Sprintf(`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": %q, "arguments": %s}}`, name, arguments))
				assert.Equal(t, !may(role, rule, full), strings.Contains(answer, "FORBIDDEN"), "%s: %s %s: %s", role, name, arguments, answer)
			}
		}
		status, answer := m.send(t, key, "/v1/traces", spans)
		want := http.StatusOK
		if !role.May(otlp.Rule.Act) {
			want = http.StatusForbidden
		}
		assert.Equal(t, want, status, answer)
		_, answer = m.send(t, key, "/mcp", tools)
		for name, rule := range mcpserver.Rules() {
			assert.Equal(t, role.May(rule.Act), strings.Contains(answer, `"name":"`+name+`"`), "%s is told of %s", role, name)
		}
	}
}

// may says whether a role is enough for a rule, where all is asked for that it is about, or only the least.
func may(role access.Role, rule access.Rule, full bool) bool {
	return role.May(rule.Act) && (!full || rule.Full == "" || role.May(rule.Full))
}

// variants are the arguments of a field: those that it must have, and with what makes it do all that it can.
func variants(schema *ast.Schema, rule access.Rule, field *ast.FieldDefinition) map[bool]string {
	var given []string
	for _, argument := range field.Arguments {
		if argument.Type.NonNull && argument.DefaultValue == nil {
			given = append(given, argument.Name+": "+literal(schema, argument.Type))
		}
	}
	if len(given) == 0 {
		return map[bool]string{false: ""}
	}
	least := "(" + strings.Join(given, ", ") + ")"
	if rule.Full == "" {
		return map[bool]string{false: least}
	}
	return map[bool]string{false: least, true: strings.TrimSuffix(least, "})") + ", " + rule.Argument + "})"}
}

// literal is a value of a type with no more than it must have.
func literal(schema *ast.Schema, of *ast.Type) string {
	if of.Elem != nil {
		return "[" + literal(schema, of.Elem) + "]"
	}
	switch definition := schema.Types[of.Name()]; definition.Kind {
	case ast.Enum:
		return definition.EnumValues[0].Name
	case ast.InputObject:
		var fields []string
		for _, field := range definition.Fields {
			if field.Type.NonNull && field.DefaultValue == nil {
				fields = append(fields, field.Name+": "+literal(schema, field.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	switch of.Name() {
	case "Int", "Float":
		return "1"
	case "Boolean":
		return "true"
	}
	return `"x"`
}

// toolVariants are arguments of a tool that its rule can be asked with.
func toolVariants(name string) map[bool]string {
	switch name {
	case "backfill":
		return map[bool]string{false: `{"waiting": "canvas"}`, true: `{}`}
	case "judge_tendencies":
		return map[bool]string{false: `{"judgeId": "j"}`, true: `{"judgeId": "j", "threshold": 5}`}
	case "consolidate":
		return map[bool]string{false: `{}`, true: `{"dryRun": false}`}
	case "memoir_refine":
		return map[bool]string{false: `{"id": "x"}`, true: `{"id": "x", "purge": true}`}
	}
	return map[bool]string{false: `{}`}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return text
}

// selection is the least that can be asked of a field's answer.
func selection(schema *ast.Schema, of *ast.Type) string {
	switch schema.Types[of.Name()].Kind {
	case ast.Object, ast.Interface, ast.Union:
		return " { __typename }"
	}
	return ""
}
