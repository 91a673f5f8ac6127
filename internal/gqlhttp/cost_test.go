package gqlhttp

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/vektah/gqlparser/v2/ast"

	"mneme/resolvers"
	"mneme/service"
)

// TestPagesAreCounted: a page that is new cannot be forgotten.
func TestPagesAreCounted(t *testing.T) {
	schema := newPriced(resolvers.NewSchema(weights(), nil))
	pages := 0
	for _, of := range schema.Schema().Types {
		if of.Kind != ast.Object {
			continue
		}
		if total := of.Fields.ForName("totalCount"); total != nil && isPage(of) {
			pages++
			assert.True(t, schema.weighed[total], "%s.totalCount is missing in totals", of.Name)
		}
		for _, field := range of.Fields {
			if isPage(schema.Schema().Types[field.Type.Name()]) && field.Arguments.ForName("first") == nil {
				assert.Equal(t, "path", field.Name, "how long is %s.%s?", of.Name, field.Name)
			}
		}
	}
	assert.Greater(t, pages, 10)
}

// A walk whose page has no size reads as many neighbours as the service then answers.
func TestAWalkWithoutASizeCostsWhatItAnswers(t *testing.T) {
	of := weights()
	const inside = 7
	usual := new(service.DefaultNeighbours)
	assert.Equal(t, of.Query.Neighbourhood(inside, "", nil, nil, nil, usual, nil), of.Query.Neighbourhood(inside, "", nil, nil, nil, nil, nil))
	assert.Equal(t, of.Episode.Neighbourhood(inside, nil, nil, nil, usual, nil), of.Episode.Neighbourhood(inside, nil, nil, nil, nil, nil))
}
