package e2e

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// whose are the keys of the records in an answer: each test names them by whom they are of.
var whose = regexp.MustCompile(`"(?:episode|canvas|feedback|observation|memoir):(?:of-)?(ann|bob|nobody)\b`)

func ofWhom(answer json.RawMessage) []string {
	seen := []string{}
	for _, found := range whose.FindAllSubmatch(answer, -1) {
		if who := string(found[1]); !slices.Contains(seen, who) {
			seen = append(seen, who)
		}
	}
	slices.Sort(seen)
	return seen
}

// fillForUsers records much alike for two users, and for nobody.
func fillForUsers(t *testing.T, w *world) {
	for _, who := range []string{"ann", "bob", "nobody"} {
		of := vars{"sessionId": "s", "taskType": "refund", "outcome": "FAILURE", "actions": []vars{{"stepName": "check"}, {"stepName": "pay_" + who}}}
		if who != "nobody" {
			of["userId"] = who
		}
		w.episode(t, "of-"+who, "a customer wants a refund of a walrus", of)
		w.canvas(t, vars{"canvasId": "of-" + who, "episodeId": "of-" + who, "canvasType": "docs"}, vars{"action": "PRESENT"})
		w.feedback(t, vars{"id": "of-" + who, "episodeId": "of-" + who, "type": "THUMBS_DOWN", "corrections": "feed the walrus"})
		remark := vars{"id": "of-" + who, "content": "the walrus of " + who, "sessionId": "s"}
		if who != "nobody" {
			remark["userId"] = who
		}
		w.do(t, "recordObservation", "observation { id userId }", remark, nil)
	}
	w.canvas(t, vars{"canvasId": "ann", "userId": "ann", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "bob", "sessionId": "none", "userId": "bob", "type": "THUMBS_UP"})
	w.do(t, "createMemoir", "memoir { id }", vars{"id": "nobody", "name": "walrus"}, nil)
}

// testUsers asks for what is of a user, in every way.
func testUsers(t *testing.T, w *world) {
	fillForUsers(t, w)
	for name, query := range map[string]string{
		"recall":        `recall(input: {situation: "refund of a walrus", variants: SEPARATE, WHOSE}) { hits { episode { id } siblings { id } } cautions { episode { id } } lessons }`,
		"the newest":    `recall(input: {situation: "", variants: SEPARATE, WHOSE}) { hits { episode { id } } }`,
		"search":        `search(query: "walrus", WHOSE) { nodes { node { id } } }`,
		"moments":       `searchMoments(query: "walrus", WHOSE) { nodes { record { id } } }`,
		"of episodes":   `searchMoments(query: "walrus", filter: {WHOSE}) { nodes { record { id } } }`,
		"next steps":    `nextSteps(input: {situation: "refund of a walrus", lastStep: "check", filter: {WHOSE}}) { name example { episode { id } } }`,
		"a list":        `episodes(filter: {WHOSE}) { nodes { id userId } totalCount }`,
		"of a session":  `node(id: "session:s") { ... on Session { userId episodes(filter: {WHOSE}) { nodes { id } } } }`,
		"of an agent":   `agent(id: "ada") { episodes(filter: {WHOSE, taskType: "refund"}) { nodes { id } } }`,
		"canvases":      `canvases(WHOSE) { nodes { id userId } totalCount }`,
		"feedback":      `feedback(WHOSE) { nodes { id userId episode { id } } totalCount }`,
		"observations":  `observations(WHOSE) { nodes { id userId } totalCount }`,
		"remarks":       `searchObservations(query: "walrus", WHOSE) { nodes { observation { id } } }`,
		"without words": `episodes(filter: {WHOSE}, orderBy: FEEDBACK_DESC) { nodes { id } }`,
	} {
		for users, want := range map[string][]string{
			`userId: "ann"`: {"ann"}, `userId: "bob", includeShared: false`: {"bob"}, `userId: "ann", includeShared: true`: {"ann", "nobody"}, `userId: "eve"`: {},
			`includeShared: true`: {"ann", "bob", "nobody"},
		} {
			var data json.RawMessage
			w.ask(t, `{ `+regexp.MustCompile(`WHOSE`).ReplaceAllString(query, users)+` }`, nil, &data)
			assert.Equal(t, want, ofWhom(data), "%s of %s: %s", name, users, data)
		}
	}
	assert.Equal(t, "INVALID_INPUT", w.refuse(t, `{ episodes(filter: {userId: "a\nb"}) { totalCount } }`, nil).Extensions.Code)
}
