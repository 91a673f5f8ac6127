package e2e

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A dialogue-like set: sessions of short turns, in which somebody speaks of an errand and somebody says, in
// the same turn, the one before or the one after, what is asked for later. Other sessions are about other
// errands of the same people, with the same things, at the same places.
const (
	dialogueSessions = 60 // in the long form
	dialogueTurns    = 12
)

var (
	dialogueThings = []string{"printer", "boiler", "piano", "parcel", "laptop", "bicycle", "carpet", "mirror", "ladder", "oven", "lamp", "tent"}
	dialoguePlaces = []string{"library", "station", "cellar", "harbour", "school", "bakery", "attic", "market", "garage", "office"}
	dialogueDoings = []string{"repair", "collect", "deliver", "paint", "measure", "clean", "sell", "replace", "borrow", "inspect"}
	dialoguePeople = []string{"Amina", "Jonas", "Priya", "Wei", "Tomas", "Lena", "Omar", "Greta"}
	dialogueDays   = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}
	smallTalk      = []string{
		"Good to hear.", "I had soup for lunch.", "The train was late again.", "Let us see.", "That sounds fine to me.",
		"It rained all morning.", "My cousin called twice.", "Really?", "The match was a draw.", "We should meet more often.",
	}
)

type question struct{ text, answer string }

// dialogues makes the turns of every session and a question about each.
func dialogues() (turns [][]vars, questions []question) {
	random := rand.New(rand.NewPCG(7, 11))
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	for s := range sized(dialogueSessions) {
		session := make([]vars, dialogueTurns)
		for i := range session {
			text := pick(smallTalk)
			if random.IntN(8) == 0 { // the same things come up without a purpose too
				text = fmt.Sprintf("%s saw a %s at the %s.", pick(dialoguePeople), pick(dialogueThings), pick(dialoguePlaces))
			}
			session[i] = vars{
				"id": fmt.Sprintf("s%02d-%02d", s, i), "sessionId": fmt.Sprintf("s%02d", s), "content": text,
				"at": now.Add(time.Duration(s*100+i-9000) * time.Minute),
			}
		}
		person, doing, thing, place := pick(dialoguePeople), pick(dialogueDoings), pick(dialogueThings), pick(dialoguePlaces)
		errand := fmt.Sprintf("%s wants to %s the %s at the %s.", person, doing, thing, place)
		answer := fmt.Sprintf("On %s at %d, I promised.", pick(dialogueDays), 1+random.IntN(11))
		said := 1 + random.IntN(dialogueTurns-2)
		answered := said + s%3 - 1 // before it, in the same turn, or after it
		session[answered]["content"] = answer
		if answered == said {
			errand += " " + answer
		}
		session[said]["content"] = errand
		turns = append(turns, session)
		questions = append(questions, question{
			fmt.Sprintf("When does %s %s the %s at the %s?", person, doing, thing, place), fmt.Sprintf("observation:s%02d-%02d", s, answered),
		})
	}
	return turns, questions
}

// testLentRelevance: an answer often stands next to the words that were asked for, so letting neighbours
// of a session lend each other relevance finds more of them than the words alone.
func testLentRelevance(t *testing.T, w *world) {
	turns, questions := dialogues()
	for part := range slices.Chunk(slices.Concat(turns...), 1000) {
		w.do(t, "recordObservations", "result { failed }", vars{"observations": part}, nil)
	}
	testSessionSearch(t, w)
	recallAt10 := func(query string) float64 {
		found := 0
		for _, q := range questions {
			var data map[string]struct {
				Nodes []map[string]struct{ ID string }
			}
			w.ask(t, query, vars{"q": q.text}, &data)
			for _, nodes := range data {
				require.LessOrEqual(t, len(nodes.Nodes), 10)
				if slices.ContainsFunc(nodes.Nodes, func(n map[string]struct{ ID string }) bool {
					return n["node"].ID == q.answer || n["observation"].ID == q.answer
				}) {
					found++
				}
			}
		}
		return float64(found) / float64(len(questions))
	}
	lent := recallAt10(`query ($q: String!) { searchObservations(query: $q, first: 10) { nodes { observation { id } } } }`)
	t.Logf("recall@10 over %d questions: %.3f", len(questions), lent)
	assert.GreaterOrEqual(t, lent, 0.97)
}

func testSessionSearch(t *testing.T, w *world) {
	var data struct {
		SearchObservations struct {
			TotalCount int
			Nodes      []struct {
				Snippet     string
				Score       float64
				Observation observation
			}
			Edges    []struct{ Cursor string }
			PageInfo struct{ EndCursor string }
		}
	}
	const query = `query ($min: Float, $first: Int, $after: String) { searchObservations(query: "who wants to do what?", sessionId: "s00", minWeight: $min, first: $first, after: $after) {
		totalCount nodes { snippet score reasons observation { ` + wholeObservation + ` } } edges { cursor node { score } } pageInfo { endCursor } } }`
	w.ask(t, query, vars{"min": 0.3}, &data)
	all := data.SearchObservations
	require.NotEmpty(t, all.Nodes)
	assert.Contains(t, all.Nodes[0].Snippet, "**wants**")
	for i, hit := range all.Nodes {
		assert.True(t, strings.HasPrefix(hit.Observation.ID, "observation:s00-"), "another session's %s", hit.Observation.ID)
		if i > 0 {
			assert.LessOrEqual(t, hit.Score, all.Nodes[i-1].Score)
		}
	}
	w.ask(t, query, vars{"min": 0.3, "first": 1}, &data)
	w.ask(t, query, vars{"min": 0.3, "first": 1, "after": data.SearchObservations.PageInfo.EndCursor}, &data)
	assert.Equal(t, all.Nodes[1].Observation.ID, data.SearchObservations.Nodes[0].Observation.ID)
	w.ask(t, query, vars{"min": 0.9}, &data)
	assert.Empty(t, data.SearchObservations.Nodes)
}
