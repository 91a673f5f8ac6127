package mcpserver_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testsecret"
	"mneme/service/servicetest"
)

// Whatever argument of whatever tool a secret is put into, it is not kept, and no answer repeats it.
func TestNoArgumentOfAToolKeepsASecret(t *testing.T) {
	t.Parallel()
	svc := memoryOf(t)
	a := inMemoryOf(t, svc)
	places := 0
	for _, tool := range a.tools(t) {
		schema := resolved(t, tool.InputSchema).Schema()
		for _, arguments := range planting(schema) {
			places++
			result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: arguments})
			if err != nil {
				assert.NotContains(t, err.Error(), testsecret.Planted, tool.Name)
				continue
			}
			text, err := json.Marshal(result)
			require.NoError(t, err)
			if tool.Name != "get_observations" { // which says what it did not find
				assert.NotContains(t, string(text), testsecret.Planted, tool.Name)
			}
		}
	}
	assert.Greater(t, places, 80)
	assert.Greater(t, testsecret.KeptWithout(t, servicetest.Bind(t.Context(), t, svc)), 10, "what held the secret in a text is kept without it")
}

// The names that a client chose are repeated without secrets as well.
func TestNoNameIsRepeatedWithASecret(t *testing.T) {
	t.Parallel()
	a := inMemoryOf(t, memoryOf(t))
	_, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: testsecret.Planted})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), testsecret.Planted)
	result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "recall", Arguments: map[string]any{"situation": "x", testsecret.Planted: 1}})
	require.NoError(t, err)
	require.True(t, result.IsError)
	text, err := json.Marshal(result)
	require.NoError(t, err)
	assert.NotContains(t, string(text), testsecret.Planted)
}

// planting gives a value of a schema for each place in it where a text may stand, with the secret there.
func planting(of *jsonschema.Schema) (values []any) {
	switch {
	case len(of.Enum) > 0:
		return nil
	case typed(of, "object"):
		for name, property := range of.Properties {
			for _, value := range planting(property) {
				object, _ := sound(of).(map[string]any)
				object[name] = value
				values = append(values, object)
			}
		}
		return values
	case typed(of, "array") && of.Items != nil:
		for _, value := range planting(of.Items) {
			values = append(values, []any{value})
		}
		return values
	case typed(of, "string"):
		return []any{"x " + testsecret.Planted}
	case typed(of, ""):
		return []any{map[string]any{"a": testsecret.Planted}, map[string]any{testsecret.Planted: "a"}}
	}
	return nil
}

func typed(of *jsonschema.Schema, name string) bool {
	return of.Type == name && (name != "" || len(of.Types) == 0) || slices.Contains(of.Types, name)
}

// sound is a value of a schema with what it must have.
func sound(of *jsonschema.Schema) any {
	switch {
	case len(of.Enum) > 0:
		return of.Enum[0]
	case typed(of, "object"):
		object := map[string]any{}
		for name, property := range of.Properties {
			if slices.Contains(of.Required, name) {
				object[name] = sound(property)
			}
		}
		return maps.Clone(object)
	case typed(of, "array") && of.Items != nil:
		return []any{sound(of.Items)}
	case typed(of, "string") && of.Format == "date-time":
		return "2026-01-01T00:00:00Z"
	case typed(of, "string"):
		return "x"
	case typed(of, "boolean"):
		return true
	}
	return 1
}
