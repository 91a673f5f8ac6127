package gqlhttp_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/internal/gqlhttp"
	"mneme/internal/testsecret"
	"mneme/schema"
	"mneme/service/servicetest"
)

// Whatever field of whatever input a secret is put into, it is not kept, and no answer repeats it.
func TestNoFieldOfAnInputKeepsASecret(t *testing.T) {
	svc := testsecret.OpenService(t)
	handler := gqlhttp.NewHandler(svc, gqlhttp.Options{})
	fields := 0
	for _, mutation := range schema.Load().Mutation.Fields {
		if strings.HasPrefix(mutation.Name, "__") {
			continue
		}
		for _, argument := range mutation.Arguments {
			for place, value := range planting(argument.Type, "ghost") {
				fields++
				text := fmt.Sprintf("mutation($v: %s) { %s(%s: $v) { __typename } }", argument.Type, mutation.Name, argument.Name)
				answer := send(handler, request{contentType: plainJSON, body: query(text, map[string]any{"v": value})}).Body.String()
				assert.NotContains(t, answer, testsecret.Planted, "%s: %s%s", mutation.Name, argument.Name, place)
				assert.NotContains(t, answer, "GRAPHQL_VALIDATION_FAILED", "%s: %s%s: %s", mutation.Name, argument.Name, place, answer)
			}
		}
	}
	assert.Greater(t, fields, 100)
	assert.Greater(t, testsecret.KeptWithout(t, servicetest.Bind(t.Context(), t, svc)), 30, "what held the secret in a text is kept without it")
}

// planting gives a value of a type for each place in it where a text may stand, with the secret there.
func planting(of *ast.Type, name string) map[string]any {
	if of.Elem != nil {
		listed := map[string]any{}
		for place, value := range planting(of.Elem, name) {
			listed[".0"+place] = []any{value}
		}
		return listed
	}
	switch definition := schema.Load().Types[of.NamedType]; {
	case of.NamedType == "String" || of.NamedType == "ID":
		return map[string]any{"": "x " + testsecret.Planted}
	case of.NamedType == "JSON":
		return map[string]any{"": map[string]any{"a": testsecret.Planted}, "{}": map[string]any{testsecret.Planted: "a"}}
	case definition.Kind == ast.InputObject:
		all := map[string]any{}
		for _, field := range definition.Fields {
			for place, value := range planting(field.Type, field.Name) {
				object := sound(definition)
				object[field.Name] = value
				all["."+field.Name+place] = object
			}
		}
		return all
	}
	return nil
}

// sound is a value of an input with what it must have.
func sound(definition *ast.Definition) map[string]any {
	object := map[string]any{}
	for _, field := range definition.Fields {
		if field.Type.NonNull {
			object[field.Name] = soundOf(field.Type)
		}
	}
	return maps.Clone(object)
}

func soundOf(of *ast.Type) any {
	if of.Elem != nil {
		return []any{soundOf(of.Elem)}
	}
	switch definition := schema.Load().Types[of.NamedType]; {
	case definition.Kind == ast.InputObject:
		return sound(definition)
	case definition.Kind == ast.Enum:
		return definition.EnumValues[0].Name
	case of.NamedType == "Boolean":
		return true
	case of.NamedType == "Int", of.NamedType == "Float":
		return 1
	case of.NamedType == "DateTime":
		return "2026-01-01T00:00:00Z"
	}
	return "x"
}

// The names that a client chose are repeated without secrets as well.
func TestNoNameOfAVariableIsRepeatedWithASecret(t *testing.T) {
	handler := gqlhttp.NewHandler(testsecret.OpenService(t), gqlhttp.Options{})
	for _, text := range []string{
		"query($" + testsecret.Planted + ": ID!) { agent(id: $" + testsecret.Planted + ") { id } }",
		"query { agent(id: $" + testsecret.Planted + ") { id } }",
		"{ " + testsecret.Planted + " }",
	} {
		answer := send(handler, request{contentType: plainJSON, body: query(text, nil)}).Body.String()
		assert.Contains(t, answer, "INVALID_INPUT")
		assert.NotContains(t, answer, testsecret.Planted, text)
	}
	unknown := query(`query($i: RecallInput!) { recall(input: $i) { lessons } }`, map[string]any{"i": map[string]any{testsecret.Planted: 1}})
	answer := send(handler, request{contentType: plainJSON, body: unknown}).Body.String()
	assert.Contains(t, answer, "INVALID_INPUT")
	assert.NotContains(t, answer, testsecret.Planted)
}
