package answering

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/graph/scalar"
	"mneme/memory"
	"mneme/service"
)

func fields(aliases ...string) []graphql.CollectedField {
	selected := make([]graphql.CollectedField, len(aliases))
	for i, alias := range aliases {
		selected[i] = graphql.CollectedField{Field: &ast.Field{Alias: alias}}
	}
	return selected
}

func written(value graphql.Marshaler) string {
	var buffer bytes.Buffer
	var plain strings.Builder
	value.MarshalGQL(&buffer)
	value.MarshalGQL(&plain)
	if plain.String() != buffer.String() {
		return "differs: " + plain.String()
	}
	return buffer.String()
}

func TestFieldsInTheirOrder(t *testing.T) {
	ctx := With(t.Context(), nil)
	out := New(fields("slow", "b", "nothing", "slow too", "b"))
	for _, i := range []int{0, 3} {
		out.Read(i, true, func(context.Context) graphql.Marshaler { return scalar.MarshalInt(i) })
	}
	out.Put(1, true, scalar.MarshalString("x"))
	out.Put(2, false, graphql.Null)
	out.Put(4, true, scalar.MarshalString("again"))
	got := Work(ctx, func(ctx context.Context) graphql.Marshaler { return out.Done(ctx) })
	assert.Equal(t, `{"slow":0,"b":"x","nothing":null,"slow too":3}`, written(got))
	assert.Equal(t, `{}`, written(New(nil).Done(ctx)))
}

func TestNonNullMakesTheObjectNull(t *testing.T) {
	ctx := With(t.Context(), nil)
	at := New(fields("a"))
	at.Put(0, true, graphql.Null)
	assert.Equal(t, graphql.Null, at.Done(ctx))

	read := New(fields("a", "b"))
	read.Put(0, true, scalar.MarshalInt(1))
	read.Read(1, true, func(context.Context) graphql.Marshaler { return graphql.Null })
	assert.Equal(t, graphql.Null, Work(ctx, func(ctx context.Context) graphql.Marshaler { return read.Done(ctx) }))
}

func TestAtHand(t *testing.T) {
	agent, canvases, feedback := &memory.Agent{}, []*memory.Canvas{}, []*memory.Feedback{}
	for name, test := range map[string]struct {
		context *memory.EpisodeContext
		fields  string
	}{
		"nothing":  {nil, ""},
		"agent":    {&memory.EpisodeContext{Agent: agent}, "agent"},
		"canvases": {&memory.EpisodeContext{Canvases: canvases}, "canvasContext canvasIds"},
		"feedback": {&memory.EpisodeContext{Feedback: feedback}, "feedbackContext feedbackIds"},
		"both":     {&memory.EpisodeContext{Canvases: canvases, Feedback: feedback}, "canvasContext canvasIds feedbackContext feedbackIds reward"},
	} {
		t.Run(name, func(t *testing.T) {
			episode := &memory.Episode{Context: test.context}
			for _, field := range strings.Fields("agent canvasContext canvasIds feedbackContext feedbackIds reward causes events") {
				assert.Equal(t, strings.Contains(" "+test.fields+" ", " "+field+" "), AtHand(episode, field), field)
			}
		})
	}
	assert.False(t, AtHand(&memory.Canvas{}, "episode"))
	assert.True(t, AtHand(&memory.Canvas{}, "reward"))
	assert.False(t, AtHand((*memory.Episode)(nil), "agent"))
	assert.Equal(t, service.Include{}, Needs("title"))
}
