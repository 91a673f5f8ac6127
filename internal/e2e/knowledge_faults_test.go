package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testBadKnowledge sends input that must be refused with a code, a field, and nothing written.
func testBadKnowledge(t *testing.T, w *world) {
	w.memoir(t, "m")
	w.concept(t, "m", "a", "A.")
	w.concept(t, "m", "b", "B.")
	w.observe(t, "o", "Seen.", nil)
	w.correct(t, "k", "topic", "P.", "C.", nil)
	w.episode(t, "e", "An episode.", nil)

	create, add, refine := mutationOf("createMemoir", "memoir { id }"), mutationOf("addConcept", "concept { id }"), mutationOf("refineConcept", "concept { id }")
	link := mutationOf("linkConcepts", "relation { id }")
	observe, observeAll := mutationOf("recordObservation", "observation { id }"), mutationOf("recordObservations", "result { failed }")
	correct, prune := mutationOf("recordCorrection", "correction { id }"), mutationOf("prune", "candidates")
	const path = `query ($from: ID!, $to: ID!, $max: Int) { path(from: $from, to: $to, maxDepth: $max) { truncated } }`
	const memoir = `query ($id: ID, $name: String) { memoir(id: $id, name: $name) { id } }`
	const list = `query ($min: Float, $max: Float) { observations(minWeight: $min, maxWeight: $max) { totalCount } }`
	const search = `query ($q: String!, $kinds: [String!], $first: Int) { search(query: $q, kinds: $kinds, first: $first) { totalCount } }`
	input := func(input vars) vars { return vars{"input": input} }
	for name, test := range map[string]struct {
		query       string
		variables   vars
		code, field string
	}{
		"used memoir key":              {create, input(vars{"id": "m", "name": "Other"}), "CONFLICT", "id"},
		"used memoir name":             {create, input(vars{"id": "m2", "name": "The memoir m"}), "CONFLICT", "name"},
		"no memoir name":               {create, input(vars{"name": ""}), "INVALID_INPUT", "name"},
		"a blank memoir name":          {create, input(vars{"name": " \t"}), "INVALID_INPUT", "name"},
		"used concept name":            {add, input(vars{"memoirId": "m", "name": "a", "content": "Other."}), "CONFLICT", "name"},
		"used concept key":             {add, input(vars{"id": "a", "memoirId": "m", "name": "a", "content": "Other."}), "CONFLICT", "id"},
		"no such memoir":               {add, input(vars{"memoirId": "none", "name": "x", "content": "X."}), "NOT_FOUND", "memoirId"},
		"blank content":                {add, input(vars{"memoirId": "m", "name": "x", "content": " "}), "INVALID_INPUT", "content"},
		"a bad label":                  {add, input(vars{"memoirId": "m", "name": "x", "content": "X.", "labels": []string{"ok", ""}}), "INVALID_INPUT", "labels.1"},
		"content of 2 MiB":             {add, input(vars{"memoirId": "m", "name": "x", "content": strings.Repeat("x ", 1<<20)}), "LIMIT_EXCEEDED", "content"},
		"refining nothing":             {refine, input(vars{"id": "none", "content": "X."}), "NOT_FOUND", "id"},
		"refined to nothing":           {refine, input(vars{"id": "a", "content": ""}), "INVALID_INPUT", "content"},
		"a self-loop":                  {link, input(vars{"sourceId": "a", "targetId": "concept:a", "type": "REFINES"}), "INVALID_INPUT", "targetId"},
		"a link from nothing":          {link, input(vars{"sourceId": "none", "targetId": "a", "type": "REFINES"}), "NOT_FOUND", "sourceId"},
		"a link to nothing":            {link, input(vars{"sourceId": "a", "targetId": "none", "type": "REFINES"}), "NOT_FOUND", "targetId"},
		"no relation":                  {link, input(vars{"sourceId": "a", "targetId": "b", "type": "LIKES"}), "INVALID_INPUT", "type"},
		"unlinking by no relation":     {unlinking, input(vars{"sourceId": "a", "targetId": "b", "type": "part-of"}), "INVALID_INPUT", "type"},
		"used observation key":         {observe, input(vars{"id": "o", "content": "Other."}), "CONFLICT", "id"},
		"no importance":                {observe, input(vars{"content": "X.", "importance": "URGENT"}), "INVALID_INPUT", "importance"},
		"about no global id":           {observe, input(vars{"content": "X.", "aboutIds": []string{"episode:e", "e"}}), "INVALID_INPUT", "aboutIds.1"},
		"about what is private":        {observe, input(vars{"content": "X.", "aboutIds": []string{"agent:<private>Ann</private>"}}), "INVALID_INPUT", "aboutIds.0"},
		"about a long text":            {observe, input(vars{"content": "X.", "aboutIds": []string{strings.Repeat("x", 1<<16)}}), "INVALID_INPUT", "aboutIds.0"},
		"about nothing of a kind":      {observe, input(vars{"content": "X.", "aboutIds": []string{"episode:"}}), "INVALID_INPUT", "aboutIds.0"},
		"about a section of no run":    {observe, input(vars{"content": "X.", "aboutIds": []string{"section:/intro"}}), "INVALID_INPUT", "aboutIds.0"},
		"a correction of no kind":      {correct, input(vars{"topic": "t", "prediction": "P.", "correction": "C.", "aboutIds": []string{"x:y"}}), "INVALID_INPUT", "aboutIds.0"},
		"about no kind":                {observe, input(vars{"content": "X.", "aboutIds": []string{"planet:e"}}), "INVALID_INPUT", "aboutIds.0"},
		"no observations":              {observeAll, input(vars{"observations": []vars{}}), "INVALID_INPUT", "observations"},
		"used correction key":          {correct, input(vars{"id": "k", "topic": "topic", "prediction": "P.", "correction": "Other."}), "CONFLICT", "id"},
		"no topic":                     {correct, input(vars{"topic": "", "prediction": "P.", "correction": "C."}), "INVALID_INPUT", "topic"},
		"no correction":                {correct, input(vars{"topic": "t", "prediction": "P.", "correction": " "}), "INVALID_INPUT", "correction"},
		"pruning above 1":              {prune, input(vars{"minWeight": 1.5}), "INVALID_INPUT", "minWeight"},
		"a weight below 0":             {list, vars{"min": -0.1}, "INVALID_INPUT", "minWeight"},
		"a weight above 1":             {list, vars{"max": 2}, "INVALID_INPUT", "maxWeight"},
		"a kind without text":          {search, vars{"q": "x", "kinds": []string{"canvas"}}, "INVALID_INPUT", "kinds.0"},
		"search for 101":               {search, vars{"q": "x", "first": 101}, "INVALID_INPUT", "first"},
		"a memoir by nothing":          {memoir, vars{}, "INVALID_INPUT", "id"},
		"a memoir by both":             {memoir, vars{"id": "m", "name": "m"}, "INVALID_INPUT", "id"},
		"around nothing":               {around, vars{"id": "concept:none"}, "NOT_FOUND", "id"},
		"around no global id":          {around, vars{"id": "a"}, "INVALID_INPUT", "id"},
		"around too far":               {around, vars{"id": "concept:a", "depth": 7}, "INVALID_INPUT", "depth"},
		"around no distance":           {around, vars{"id": "concept:a", "depth": 0}, "INVALID_INPUT", "depth"},
		"around over no relation":      {around, vars{"id": "concept:a", "relations": []string{"likes"}}, "INVALID_INPUT", "relations.0"},
		"around over many relations":   {around, vars{"id": "concept:a", "relations": slices.Repeat([]string{"PART_OF"}, 1001)}, "LIMIT_EXCEEDED", "relations"},
		"around over Cypher":           {around, vars{"id": "concept:a", "relations": []string{"X]->() DETACH DELETE n //"}}, "INVALID_INPUT", "relations.0"},
		"around in a direction":        {around, vars{"id": "concept:a", "direction": "UP"}, "INVALID_INPUT", "direction"},
		"around in pages of 501":       {around, vars{"id": "concept:a", "first": 501}, "INVALID_INPUT", "first"},
		"around in pages of 0":         {around, vars{"id": "concept:a", "first": 0}, "INVALID_INPUT", "first"},
		"around after nothing":         {around, vars{"id": "concept:a", "after": "x"}, "INVALID_INPUT", "after"},
		"a path from nothing":          {path, vars{"from": "concept:none", "to": "concept:a"}, "NOT_FOUND", "from"},
		"a path to nothing":            {path, vars{"from": "concept:a", "to": "concept:none"}, "NOT_FOUND", "to"},
		"a path of too many steps":     {path, vars{"from": "concept:a", "to": "concept:b", "max": 7}, "INVALID_INPUT", "maxDepth"},
		"consolidating a bad agent id": {mutationOf("consolidate", "patterns"), input(vars{"agentId": ""}), "INVALID_INPUT", "agentId"},
	} {
		t.Run(name, func(t *testing.T) {
			refused := w.refuse(t, test.query, test.variables)
			assert.Equal(t, test.code, refused.Extensions.Code, refused.Message)
			assert.Equal(t, test.field, refused.Extensions.Field, refused.Message)
			assert.Less(t, len(refused.Message), 400)
		})
	}
	t.Run("a cursor of another neighbourhood", func(t *testing.T) {
		page := w.neighbourhood(t, vars{"id": "memoir:m", "first": 1})
		require.NotNil(t, page.PageInfo.EndCursor)
		refused := w.refuse(t, around, vars{"id": "memoir:m", "depth": 2, "after": page.PageInfo.EndCursor})
		assert.Equal(t, "after", refused.Extensions.Field)
	})
	t.Run("nothing was written", func(t *testing.T) {
		var data struct {
			Memoirs struct {
				TotalCount int
				Nodes      []struct{ Concepts struct{ TotalCount int } }
			}
			Observations, Corrections struct{ TotalCount int }
			Concept                   struct{ Relations []struct{ ID string } }
		}
		w.ask(t, `{ memoirs { totalCount nodes { concepts { totalCount } } } observations { totalCount } corrections { totalCount } concept(id: "a") { relations { id } } }`, nil, &data)
		assert.Equal(t, 1, data.Memoirs.TotalCount)
		assert.Equal(t, 2, data.Memoirs.Nodes[0].Concepts.TotalCount)
		assert.Equal(t, 1, data.Observations.TotalCount)
		assert.Equal(t, 1, data.Corrections.TotalCount)
		assert.Empty(t, data.Concept.Relations)
	})
}

// testKnowledgeOfTenants: what one tenant knows does not exist for another.
func testKnowledgeOfTenants(t *testing.T, w *world) {
	w.memoir(t, "m")
	w.concept(t, "m", "mine", "A secret rule.")
	w.observe(t, "o", "A secret observation.", nil)
	w.correct(t, "k", "secret", "P.", "C.", nil)
	other := w.world()
	var data struct {
		Memoir, Concept       *named
		ByName                *named
		Nodes                 []*named
		Search                struct{ TotalCount int }
		Memoirs, Observations struct{ TotalCount int }
		Stats                 struct{ Total int }
	}
	other.ask(t, `{
		memoir(id: "m") { id } byName: memoir(name: "The memoir m") { id } concept(id: "mine") { id }
		nodes(ids: ["memoir:m", "concept:mine", "observation:o", "correction:k"]) { id }
		search(query: "secret") { totalCount } memoirs { totalCount } observations { totalCount } stats: correctionStats { total }
	}`, nil, &data)
	assert.Nil(t, data.Memoir)
	assert.Nil(t, data.ByName)
	assert.Nil(t, data.Concept)
	assert.Equal(t, []*named{nil, nil, nil, nil}, data.Nodes)
	assert.Zero(t, data.Search.TotalCount+data.Memoirs.TotalCount+data.Observations.TotalCount+data.Stats.Total)
	refused := other.refuse(t, around, vars{"id": "concept:mine"})
	assert.Equal(t, "NOT_FOUND", refused.Extensions.Code)
	other.memoir(t, "m")
	other.concept(t, "m", "yours", "Another rule.")
	refused = other.refuse(t, mutationOf("linkConcepts", "relation { id }"), vars{"input": vars{"sourceId": "yours", "targetId": "mine", "type": "REFINES"}})
	assert.Equal(t, "NOT_FOUND", refused.Extensions.Code)
	assert.Len(t, other.neighbourhood(t, vars{"id": "memoir:m", "depth": 6}).Nodes, 2)
}
