package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// mostApart is how far the scores of two stores may lie apart.
const mostApart = 1e-6

// TestStoresScoreAlike: from the same records both stores give the same hits in the same order, with the same scores and
// reasons, whatever matches: words, what is said next to them, meaning, a time or a speaker.
func TestStoresScoreAlike(t *testing.T) {
	server := testneo4j.Reach(t)
	ours, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	theirs, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	a, b := newSuite(t, ours, nil).world(), newSuite(t, theirs, nil).world()
	for _, w := range []*world{a, b} {
		w.converse(t)
	}
	require.False(t, t.Failed())
	tried := map[string]int{}
	for _, asked := range conversed() {
		first, second := a.post(t, asked.query, asked.variables), b.post(t, asked.query, asked.variables)
		require.Empty(t, first.Errors, asked.query)
		require.Empty(t, second.Errors, asked.query)
		requireAlike(t, first.Data, second.Data, "%v", asked.variables)
		for _, reason := range []string{"has the words", "said next to it", "means the same", "means something like it", "said by", "in May 2026", "before 20 May 2026", "similar"} {
			tried[reason] += strings.Count(string(first.Data), reason)
		}
	}
	for reason, times := range tried {
		assert.Positive(t, times, "no question tries %q", reason)
	}
}

// requireAlike compares two answers: numbers up to mostApart, all else as it is.
func requireAlike(t *testing.T, first, second json.RawMessage, about string, values ...any) {
	t.Helper()
	var a, b any
	require.NoError(t, json.Unmarshal(first, &a))
	require.NoError(t, json.Unmarshal(second, &b))
	if difference := differing("", a, b); difference != "" {
		t.Fatalf("%s: %s\n%s\n%s", fmt.Sprintf(about, values...), difference, first, second)
	}
}

// differing says where two values differ, "" where they are alike.
func differing(path string, a, b any) string {
	switch a := a.(type) {
	case map[string]any:
		other, _ := b.(map[string]any)
		if len(a) != len(other) {
			return path + ": not the same fields"
		}
		for name, value := range a {
			if difference := differing(path+"."+name, value, other[name]); difference != "" {
				return difference
			}
		}
		return ""
	case []any:
		other, _ := b.([]any)
		if len(a) != len(other) {
			return fmt.Sprintf("%s: %d and %d items", path, len(a), len(other))
		}
		for i, value := range a {
			if difference := differing(fmt.Sprintf("%s.%d", path, i), value, other[i]); difference != "" {
				return difference
			}
		}
		return ""
	case float64:
		if other, is := b.(float64); is && max(a-other, other-a) <= mostApart {
			return ""
		}
	default:
		if a == b {
			return ""
		}
	}
	return fmt.Sprintf("%s: %v and %v", path, a, b)
}

// converse records what people said in sessions, what agents did for them over the same weeks and how it went, and what is
// known.
func (w *world) converse(t *testing.T) {
	t.Helper()
	turns, _ := dialogues()
	observations := slices.Concat(turns...)[:240]
	for i, o := range observations {
		content, _ := o["content"].(string)
		o["content"] = dialoguePeople[i%len(dialoguePeople)] + ": " + content
	}
	w.all(t, "recordObservations", "observations", observations)
	var episodes []vars
	for i := range 160 {
		thing, place := dialogueThings[i%len(dialogueThings)], dialoguePlaces[i*7%len(dialoguePlaces)]
		doing, agent := dialogueDoings[i*3%len(dialogueDoings)], fmt.Sprintf("agent-%d", i%4)
		outcome := []string{"SUCCESS", "FAILURE", "SUCCESS"}[i*5%3]
		episodes = append(episodes, vars{
			"id": fmt.Sprintf("e%03d", i), "agentId": agent, "taskType": "errand", "outcome": outcome, "sessionId": fmt.Sprintf("day-%d", i%9),
			"observation": fmt.Sprintf("%s: please %s the %s at the %s.\nIt is number %d.", dialoguePeople[i%len(dialoguePeople)], doing, thing, place, i),
			"result":      fmt.Sprintf("The %s was handed over", thing), "startedAt": now.Add(-time.Duration(i*7) * time.Hour), "quality": float64(i%10) / 10,
		})
	}
	w.all(t, "recordEpisodes", "episodes", episodes)
	w.done(t, "createMemoir", "memoir { id }", vars{"id": "m", "name": "Errands"})
	for i, thing := range dialogueThings {
		w.done(t, "addConcept", "concept { id }", vars{
			"id": thing, "memoirId": "m", "name": thing, "content": fmt.Sprintf("A %s is kept at the %s", thing, dialoguePlaces[i%len(dialoguePlaces)]), "labels": []string{dialogueDoings[i%len(dialogueDoings)]},
		})
		w.done(t, "recordCorrection", "correction { id }", vars{
			"id": thing, "topic": thing, "prediction": "They " + dialogueDoings[i%len(dialogueDoings)] + " it", "correction": "Nobody may " + dialogueDoings[(i+1)%len(dialogueDoings)] + " it", "importance": "HIGH",
		})
	}
}

// conversed are questions about it.
func conversed() (asked []asking) {
	texts := []string{
		"repair the printer", "Who wants to collect the parcel at the library?", "Amina promised to deliver the piano", "what did Jonas say in May 2026", "on 20 May 2026 at the harbour",
		"the automobile of the pupil", "mend the stove", "purchase a rug", "cycling to the classroom", "musical instrument", "a light bulb", "nothing of the kind",
	}
	for _, text := range texts {
		v := vars{"q": text}
		asked = append(asked,
			asking{`query ($q: String!) { recall(input: { situation: $q, topK: 100 }) { approximate hits { rank score { total semantic temporal canvas feedback } reasons episode { id } } lessons } }`, v},
			asking{`query ($q: String!) { recall(input: { situation: $q, topK: 20, outcome: FAILURE, since: "2026-05-01T00:00:00Z" }) { hits { rank score { total } reasons episode { id } } } }`, v},
			asking{`query ($q: String!, $at: DateTime) { recall(input: { situation: $q, topK: 20, asOf: $at }) { hits { rank score { total } reasons episode { id } } } }`, vars{"q": text, "at": now.Add(-300 * time.Hour)}},
			asking{`query ($q: String!) { search(query: $q, first: 100) { totalCount nodes { score reasons snippet node { id } } } }`, v},
			asking{`query ($q: String!) { search(query: $q, kinds: ["episode", "concept"], first: 100) { totalCount nodes { score reasons node { id } } } }`, v},
			asking{`query ($q: String!) { searchObservations(query: $q, first: 100) { totalCount nodes { score reasons observation { id } } } }`, v},
			asking{`query ($q: String!) { searchObservations(query: $q, sessionId: "s03", first: 100) { totalCount nodes { score reasons observation { id } } } }`, v},
			asking{`query ($q: String!) { searchConcepts(query: $q, memoirId: "m", first: 100) { totalCount nodes { score reasons concept { id } } } }`, v},
			asking{`query ($q: String!) { searchCorrections(query: $q, first: 100) { totalCount nodes { score reasons correction { id } } } }`, v},
			asking{`query ($q: String!) { rankAgents(taskType: "errand", situation: $q) { ` + wholeRanking + ` } }`, v},
			asking{`query ($q: String!) { selectAgent(taskType: "errand", situation: $q) { ` + wholeRanking + ` } }`, v},
		)
	}
	return asked
}
