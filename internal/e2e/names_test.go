package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two spellings of one name: a letter with its accent, and the letter and its accent apart.
const (
	composed = "caf\u00e9"
	apart    = "cafe\u0301"
)

type counted struct{ TotalCount int }

// testNames: whatever goes by a name goes by it in either spelling, and texts stay as they are given.
func testNames(t *testing.T, w *world) {
	for i, spelling := range []string{composed, apart} {
		w.episode(t, []string{"e1", "e2"}[i], "The "+spelling+" opened.", vars{
			"agentId": spelling, "taskType": spelling, "sessionId": "agent:" + spelling, "outcome": "SUCCESS", "result": apart,
		})
		w.do(t, "recordExecution", "profile { id }", vars{"agentId": spelling, "taskType": spelling, "success": true, "quality": 1}, nil)
	}
	for _, spelling := range []string{composed, apart} {
		var data struct {
			Agents   struct{ Nodes []struct{ ID string } }
			Agent    struct{ Episodes counted }
			Episodes counted
			Recall   struct {
				Hits []struct{ Episode struct{ Result string } }
			}
			LearningProfile struct {
				ID              string
				ExecutionsTotal int
			}
			Search    counted
			TaskTypes []string
		}
		w.ask(t, `query ($name: String!, $id: ID!) {
			agents { nodes { id } }
			agent(id: $id) { episodes(filter: {agentId: $id}) { totalCount } }
			episodes(filter: {agentId: $id, taskType: $name, sessionId: "session:agent:café"}) { totalCount }
			recall(input: {situation: $name, agentId: $id, taskType: $name}) { hits { episode { result } } }
			learningProfile(agentId: $id, taskType: $name) { id executionsTotal }
			search(query: $name) { totalCount }
			taskTypes
		}`, vars{"name": spelling, "id": "agent:" + spelling}, &data)
		require.Len(t, data.Agents.Nodes, 1, "one name is one agent")
		assert.Equal(t, "agent:"+composed, data.Agents.Nodes[0].ID)
		assert.Equal(t, counted{2}, data.Agent.Episodes)
		assert.Equal(t, counted{2}, data.Episodes)
		assert.Equal(t, 4, data.LearningProfile.ExecutionsTotal, "two executions, and two episodes that are")
		assert.Equal(t, counted{2}, data.Search)
		assert.Equal(t, []string{composed}, data.TaskTypes)
		require.Len(t, data.Recall.Hits, 2)
		assert.Equal(t, apart, data.Recall.Hits[0].Episode.Result, "texts stay as they are")
		assert.Equal(t, "learningProfile:"+composed+"/"+composed, data.LearningProfile.ID)
		w.knows(t, data.LearningProfile.ID, "learningProfile:"+spelling+"/"+spelling, "agent:"+spelling)
	}
}

// knows says that ids are of records.
func (w *world) knows(t *testing.T, ids ...string) {
	t.Helper()
	var data struct{ Nodes []*struct{ ID string } }
	w.ask(t, `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, vars{"ids": ids}, &data)
	for i, node := range data.Nodes {
		assert.NotNil(t, node, "%+q", ids[i])
	}
}

// testNamesOfKnowledge: memoirs, concepts, labels and topics, and the people who said something.
func testNamesOfKnowledge(t *testing.T, w *world) {
	w.do(t, "createMemoir", "memoir { id }", vars{"id": apart, "name": apart}, nil)
	w.do(t, "addConcept", "concept { id }", vars{"id": "c1", "memoirId": composed, "name": apart, "content": apart, "labels": []string{apart, composed}}, nil)
	conflict := w.refuse(t, mutationOf("addConcept", "concept { id }"), vars{"input": vars{"memoirId": apart, "name": composed, "content": "Again."}})
	assert.Equal(t, "CONFLICT", conflict.Extensions.Code, "one name is one concept")
	w.episode(t, "e", "A visit.", vars{"conceptIds": []string{"c1"}, "executionIds": []string{apart}})
	for i, spelling := range []string{composed, apart} {
		w.feedback(t, vars{"id": []string{"f1", "f2"}[i], "agentExecutionId": spelling, "type": "THUMBS_UP", "createdBy": spelling})
		w.do(t, "recordCorrection", "correction { id }", vars{
			"topic": spelling, "prediction": "It is closed.", "correction": "It is open.", "createdBy": spelling, "aboutIds": []string{"memoir:" + spelling},
		}, nil)
	}
	for _, spelling := range []string{composed, apart} {
		var data struct {
			Memoir struct {
				Concepts struct {
					Nodes []struct {
						Name, Content string
						Labels        []string
					}
				}
			}
			Corrections, SearchConcepts counted
			Episode                     struct{ Feedback counted }
		}
		w.ask(t, `query ($name: String!) {
			memoir(name: $name) { concepts { nodes { name content labels } } }
			corrections(topic: $name) { totalCount }
			searchConcepts(query: $name, labels: [$name]) { totalCount }
			episode(id: "e") { feedback { totalCount } }
		}`, vars{"name": spelling}, &data)
		require.Len(t, data.Memoir.Concepts.Nodes, 1)
		concept := data.Memoir.Concepts.Nodes[0]
		assert.Equal(t, composed, concept.Name)
		assert.Equal(t, apart, concept.Content, "texts stay as they are")
		assert.Equal(t, []string{composed}, concept.Labels)
		assert.Equal(t, counted{2}, data.Corrections)
		assert.Equal(t, counted{1}, data.SearchConcepts)
		assert.Equal(t, counted{2}, data.Episode.Feedback)
	}
	var payload struct{ Deleted int }
	w.do(t, "deleteFeedback", "deleted", vars{"createdBy": apart}, &payload)
	assert.Equal(t, 4, payload.Deleted)
}

// testNamesOfJudgedWork: runs, sections, types, judges, issues and approaches.
func testNamesOfJudgedWork(t *testing.T, w *world) {
	for i, spelling := range []string{composed, apart} {
		w.do(t, "recordVerdict", "verdict { id }", vars{
			"id": []string{"v1", "v2"}[i], "runId": spelling, "sectionId": []string{apart, "section:" + spelling + "/" + spelling}[i],
			"sectionType": spelling, "judgeId": spelling, "iteration": i, "status": "APPROVE", "feedback": apart,
			"patterns": []string{spelling}, "context": vars{"in": []string{spelling}},
		}, nil)
	}
	w.do(t, "completeRun", "sections", vars{"runId": apart}, nil)
	for _, spelling := range []string{composed, apart} {
		var data struct {
			Node     struct{ Iterations int }
			Patterns struct {
				Nodes []struct {
					Description string
					Total       int
				}
			}
			Verdicts        struct{ Nodes []struct{ Feedback string } }
			JudgeTendencies struct {
				JudgeID  string
				Verdicts int
			}
		}
		w.ask(t, `query ($name: String!, $id: ID!, $section: ID!) {
			node(id: $section) { ... on Section { iterations } }
			patterns(sectionType: $name) { nodes { description total } }
			verdicts(judgeId: $id, runId: $id, sectionType: $name) { nodes { feedback } }
			judgeTendencies(judgeId: $id) { judgeId verdicts }
		}`, vars{"name": spelling, "id": spelling, "section": "section:" + spelling + "/" + spelling}, &data)
		assert.Equal(t, 2, data.Node.Iterations)
		require.Len(t, data.Patterns.Nodes, 2, "of the type, and of its context")
		for _, pattern := range data.Patterns.Nodes {
			assert.Equal(t, composed, pattern.Description)
		}
		require.Len(t, data.Verdicts.Nodes, 2)
		assert.Equal(t, apart, data.Verdicts.Nodes[0].Feedback, "texts stay as they are")
		assert.Equal(t, composed, data.JudgeTendencies.JudgeID)
		assert.Equal(t, 2, data.JudgeTendencies.Verdicts)
	}
}
