package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (w *world) memoir(t *testing.T, id string) {
	t.Helper()
	w.do(t, "createMemoir", "memoir { id }", vars{"id": id, "name": "The memoir " + id}, nil)
}

func (w *world) concept(t *testing.T, memoir, id, content string, labels ...string) {
	t.Helper()
	w.do(t, "addConcept", "concept { id }", vars{"id": id, "memoirId": memoir, "name": id, "content": content, "labels": labels}, nil)
}

func (w *world) link(t *testing.T, source, kind, target string) {
	t.Helper()
	w.do(t, "linkConcepts", "relation { id }", vars{"sourceId": source, "type": kind, "targetId": target}, nil)
}

func (w *world) unlink(t *testing.T, source, kind, target string) (removed bool) {
	t.Helper()
	var data struct{ UnlinkConcepts struct{ Removed bool } }
	w.ask(t, unlinking, vars{"input": vars{"sourceId": source, "type": kind, "targetId": target}}, &data)
	return data.UnlinkConcepts.Removed
}

const unlinking = `mutation ($input: LinkConceptsInput!) { unlinkConcepts(input: $input) { removed } }`

type named struct{ ID, Name string }

func testConcepts(t *testing.T, w *world) {
	var created struct {
		Memoir struct {
			ID, Name, Description string
			CreatedAt             time.Time
			Concepts              struct{ TotalCount int }
		}
	}
	memoir := vars{"id": "policies", "name": "Airline policies", "description": "What may be done, and when."}
	for range 2 { // the same content again is the same memoir
		w.do(t, "createMemoir", "memoir { id name description createdAt concepts { totalCount } }", memoir, &created)
		assert.Equal(t, "memoir:policies", created.Memoir.ID)
		assert.Equal(t, "What may be done, and when.", created.Memoir.Description)
		assert.Equal(t, now, created.Memoir.CreatedAt)
	}
	var added struct {
		Concept struct {
			ID, Content          string
			Labels               []string
			Memoir               named
			CreatedAt, UpdatedAt time.Time
			Revisions            []struct{ Content string }
			SupersededBy         *named
			ContradictedBy       []named
			Relations            []struct{ ID string }
		}
	}
	const whole = `concept { id content labels memoir { id name } createdAt updatedAt revisions { content labels at }
		supersededBy { id } contradictedBy { id } relations { id } }`
	concept := vars{"id": "refund", "memoirId": "memoir:policies", "name": "Refund", "content": "Within 24 hours of booking.", "labels": []string{"money", "policy", "money"}}
	w.do(t, "addConcept", whole, concept, &added)
	w.do(t, "addConcept", whole, concept, &added)
	assert.Equal(t, "concept:refund", added.Concept.ID)
	assert.Equal(t, []string{"money", "policy"}, added.Concept.Labels)
	assert.Equal(t, named{"memoir:policies", "Airline policies"}, added.Concept.Memoir)
	assert.Empty(t, added.Concept.Revisions)
	assert.Nil(t, added.Concept.SupersededBy)
	assert.NotNil(t, added.Concept.ContradictedBy)
	assert.NotNil(t, added.Concept.Relations)

	var refined struct {
		Concept struct {
			Content   string
			Labels    []string
			UpdatedAt time.Time
			Revisions []struct {
				Content string
				Labels  []string
				At      time.Time
			}
		}
	}
	for range 2 { // a second time it changes nothing and keeps nothing
		w.do(t, "refineConcept", whole, vars{"id": "concept:refund", "content": "Within 48 hours of booking."}, &refined)
	}
	w.do(t, "refineConcept", whole, vars{"id": "refund", "labels": []string{}}, &refined)
	assert.Equal(t, "Within 48 hours of booking.", refined.Concept.Content)
	assert.Empty(t, refined.Concept.Labels)
	require.Len(t, refined.Concept.Revisions, 2)
	assert.Equal(t, "Within 24 hours of booking.", refined.Concept.Revisions[0].Content)
	assert.Equal(t, []string{"money", "policy"}, refined.Concept.Revisions[1].Labels)
	assert.Equal(t, now, refined.Concept.Revisions[0].At)
	w.do(t, "addConcept", "concept { content }", concept, &added)
	assert.Equal(t, "Within 48 hours of booking.", added.Concept.Content, "what was sent again does not take the refinement back")

	testMemoirs(t, w)
}

// testMemoirs reads lists of memoirs and their concepts; names are unique in a memoir and not beyond.
func testMemoirs(t *testing.T, w *world) {
	w.memoir(t, "other")
	w.do(t, "addConcept", "concept { id }", vars{"id": "refund2", "memoirId": "other", "name": "Refund", "content": "Another one."}, nil)
	w.do(t, "addConcept", "concept { id }", vars{"id": "bag", "memoirId": "policies", "name": "Baggage", "content": "One bag is free."}, nil)
	var data struct {
		ByID, ByName *struct {
			ID       string
			Concepts struct {
				TotalCount int
				Nodes      []named
				Edges      []struct {
					Cursor string
					Node   named
				}
				PageInfo struct{ HasNextPage bool }
			}
		}
		Nobody  *named
		Memoirs struct {
			TotalCount int
			Nodes      []named
			Edges      []struct{ Node named }
		}
		None *named
	}
	w.ask(t, `{
		byId: memoir(id: "policies") { id concepts { totalCount nodes { id name } pageInfo { hasNextPage } } }
		byName: memoir(name: "Airline policies") { id concepts(first: 1) { edges { cursor node { id name } } pageInfo { hasNextPage } } }
		nobody: memoir(name: "Shipping") { id }
		memoirs { totalCount nodes { id name } edges { cursor node { id } } pageInfo { endCursor } }
		none: concept(id: "none") { id }
	}`, nil, &data)
	assert.Equal(t, []named{{"concept:bag", "Baggage"}, {"concept:refund", "Refund"}}, data.ByID.Concepts.Nodes)
	assert.Equal(t, 2, data.ByID.Concepts.TotalCount)
	assert.Equal(t, "memoir:policies", data.ByName.ID)
	assert.Equal(t, "Baggage", data.ByName.Concepts.Edges[0].Node.Name)
	assert.True(t, data.ByName.Concepts.PageInfo.HasNextPage)
	assert.Nil(t, data.Nobody, "names are told apart by every letter")
	assert.Equal(t, 2, data.Memoirs.TotalCount)
	assert.Equal(t, "memoir:policies", data.Memoirs.Nodes[0].ID)
	assert.Nil(t, data.None)

	var next struct {
		Memoir struct{ Concepts struct{ Nodes []named } }
	}
	w.ask(t, `query ($after: String) { memoir(id: "policies") { concepts(after: $after) { nodes { id name } } } }`,
		vars{"after": data.ByName.Concepts.Edges[0].Cursor}, &next)
	assert.Equal(t, []named{{"concept:refund", "Refund"}}, next.Memoir.Concepts.Nodes)
}

func testConceptLinks(t *testing.T, w *world) {
	w.memoir(t, "m")
	w.memoir(t, "n")
	for _, id := range []string{"old", "new", "rival", "part"} {
		w.concept(t, "m", id, "The concept "+id+".")
	}
	w.concept(t, "n", "far", "A concept of another memoir.")
	for range 2 { // a second time it is the same link
		w.link(t, "concept:old", "SUPERSEDED_BY", "new")
	}
	w.link(t, "rival", "CONTRADICTS", "old")
	w.link(t, "part", "PART_OF", "old")
	w.link(t, "old", "RELATED_TO", "far")
	type relation struct {
		ID, Type       string
		Source, Target named
		CreatedAt      time.Time
	}
	var data struct {
		Old struct {
			SupersededBy        *named
			ContradictedBy      []named
			Relations, Out, Few []relation
		}
		New struct{ SupersededBy *named }
	}
	const query = `{
		old: concept(id: "old") {
			supersededBy { id name } contradictedBy { id name }
			relations { id type source { id name } target { id name } createdAt }
			out: relations(direction: OUT) { type target { id } }
			few: relations(direction: IN, types: [PART_OF, REFINES]) { type source { id } }
		}
		new: concept(id: "new") { supersededBy { id } }
	}`
	w.ask(t, query, nil, &data)
	assert.Equal(t, &named{"concept:new", "new"}, data.Old.SupersededBy)
	assert.Equal(t, []named{{"concept:rival", "rival"}}, data.Old.ContradictedBy)
	assert.Nil(t, data.New.SupersededBy)
	require.Len(t, data.Old.Relations, 4)
	assert.Equal(t, relation{
		"relation:rival/CONTRADICTS/old", "CONTRADICTS", named{"concept:rival", "rival"}, named{"concept:old", "old"}, now,
	}, data.Old.Relations[0])
	require.Len(t, data.Old.Out, 2)
	assert.Equal(t, "RELATED_TO", data.Old.Out[0].Type)
	require.Len(t, data.Old.Few, 1)
	assert.Equal(t, "concept:part", data.Old.Few[0].Source.ID)

	assert.True(t, w.unlink(t, "concept:old", "SUPERSEDED_BY", "new"))
	assert.False(t, w.unlink(t, "old", "SUPERSEDED_BY", "new"), "it is gone")
	w.ask(t, query, nil, &data)
	assert.Len(t, data.Old.Relations, 3)
}

// testConcurrentLinks: sixteen clients that link the same make one link.
func testConcurrentLinks(t *testing.T, w *world) {
	w.memoir(t, "m")
	w.concept(t, "m", "a", "A.")
	w.concept(t, "m", "b", "B.")
	inParallel(16, 16, func(int) { w.link(t, "a", "DEPENDS_ON", "b") })
	var data struct {
		Concept struct{ Relations []struct{ ID string } }
	}
	w.ask(t, `{ concept(id: "a") { relations { id } } }`, nil, &data)
	assert.Len(t, data.Concept.Relations, 1)
}

type conceptHit struct {
	Reasons []string
	Snippet string
	Score   float64
	Concept struct {
		ID, Name     string
		SupersededBy *named
	}
}

func testConceptSearch(t *testing.T, w *world) {
	w.memoir(t, "m")
	w.memoir(t, "n")
	w.concept(t, "m", "Refund policy", "Money comes back within 24 hours of booking.", "money", "policy")
	w.concept(t, "m", "Refund policy of last year", "A refund needed a form.", "policy")
	w.concept(t, "m", "Baggage", "A refund for lost bags follows another rule.", "luggage")
	w.concept(t, "n", "Boarding", "Doors close 15 minutes before departure.", "gate")
	w.link(t, "Refund policy of last year", "SUPERSEDED_BY", "Refund policy")
	w.concept(t, "n", "Pets", "Cats travel in the cabin.")
	w.concept(t, "n", "Pets in the cabin", "Cats and dogs travel in the cabin.")
	w.link(t, "Pets in the cabin", "SUPERSEDED_BY", "Pets")
	const query = `query ($q: String!, $memoir: ID, $labels: [String!], $first: Int, $after: String) {
		searchConcepts(query: $q, memoirId: $memoir, labels: $labels, first: $first, after: $after) {
			totalCount nodes { snippet score reasons concept { id name supersededBy { id name } } }
			edges { cursor node { score } } pageInfo { endCursor hasNextPage } } }`
	search := func(variables vars) (hits []conceptHit, cursor string) {
		var data struct {
			SearchConcepts struct {
				Nodes    []conceptHit
				PageInfo struct{ EndCursor string }
			}
		}
		w.ask(t, query, variables, &data)
		return data.SearchConcepts.Nodes, data.SearchConcepts.PageInfo.EndCursor
	}
	names := func(variables vars) []string {
		names := []string{}
		hits, _ := search(variables)
		for _, hit := range hits {
			names = append(names, hit.Concept.Name)
		}
		return names
	}
	hits, cursor := search(vars{"q": "refund policy", "first": 1})
	require.Len(t, hits, 1)
	all, _ := search(vars{"q": "refund policy"})
	require.Len(t, all, 3)
	for _, hit := range all {
		if hit.Concept.ID == "concept:Refund policy of last year" {
			assert.Equal(t, &named{"concept:Refund policy", "Refund policy"}, hit.Concept.SupersededBy)
			assert.LessOrEqual(t, hit.Score, 0.5, "a superseded concept has half of its score")
		}
	}
	assert.Contains(t, hits[0].Snippet, "**Refund** **policy**")
	assert.Equal(t, "Refund policy", hits[0].Concept.Name, "what holds comes first")
	require.NotEmpty(t, hits[0].Reasons)
	assert.Regexp(t, `^the text says it: (1|\.\d\d)$`, hits[0].Reasons[0])
	assert.Equal(t, []string{"Pets", "Pets in the cabin"}, names(vars{"q": "pets in the cabin"}), "also where the superseded matches better")
	assert.Equal(t, "Pets in the cabin", names(vars{"q": "dogs"})[0], "and it is found")
	assert.ElementsMatch(t, []string{"Baggage", "Refund policy of last year"}, names(vars{"q": "refund policy", "after": cursor}))
	assert.Equal(t, []string{"Boarding"}, names(vars{"q": "when do the doors close?"}))
	assert.Equal(t, []string{"Baggage"}, names(vars{"q": "luggage"}), "labels are searched")
	assert.Empty(t, names(vars{"q": "refund", "memoir": "n"}))
	assert.Equal(t, []string{"Refund policy"}, names(vars{"q": "refund", "labels": []string{"policy", "money"}}))
	assert.Empty(t, names(vars{"q": "xyzzy"}))
	assert.Empty(t, names(vars{"q": "AND (\" OR !*"}), "text is never query syntax")
	w.do(t, "refineConcept", "concept { id }", vars{"id": "Boarding", "content": "Gates shut early."}, nil)
	hits, _ = search(vars{"q": "doors"})
	for _, hit := range hits {
		assert.NotContains(t, hit.Snippet, "**", "the index follows a refinement, what it means may be near")
	}
	assert.Equal(t, "Boarding", names(vars{"q": "shut"})[0])
}

// testConceptsAsOf: what an episode mentions is shown as it was known at the instant of the recall.
func testConceptsAsOf(t *testing.T, w *world) {
	w.episode(t, "e", "A refund is asked for.", vars{"conceptIds": []string{"concept:late", "refund", "never"}})
	w.memoir(t, "m")
	w.concept(t, "m", "refund", "Within 24 hours.")
	w.concept(t, "m", "late", "Came after the episode that mentions it.")
	w.link(t, "refund", "SUPERSEDED_BY", "late")
	type mentioned struct {
		ID           string
		SupersededBy *named
	}
	var data struct {
		Now, Before struct {
			Hits []struct {
				Episode struct{ Concepts []mentioned }
			}
		}
	}
	w.ask(t, `query ($before: DateTime) {
		now: recall(input: { situation: "refund" }) { hits { episode { concepts { id supersededBy { id name } } } } }
		before: recall(input: { situation: "refund", asOf: $before }) { hits { episode { concepts { id } } } }
	}`, vars{"before": now.Add(-time.Minute)}, &data)
	require.Len(t, data.Now.Hits, 1)
	assert.Equal(t, []mentioned{{"concept:late", nil}, {"concept:refund", &named{"concept:late", "late"}}}, data.Now.Hits[0].Episode.Concepts)
	require.Len(t, data.Before.Hits, 1)
	assert.Empty(t, data.Before.Hits[0].Episode.Concepts, "they were not known then")
}
