package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/service/upkeep"
	"mneme/store"
)

// testRetries: a retry is the same however its names are spelled; other content under its key is a conflict.
func testRetries(t *testing.T, w *world) {
	for first, again := range map[string]string{"plain": "plain", composed: apart} {
		send := func(name string) {
			inputs := retries(name)
			w.do(t, "createMemoir", payloadOf["createMemoir"], inputs["createMemoir"], nil)
			for mutation, input := range inputs {
				w.do(t, mutation, payloadOf[mutation], input, nil)
			}
			w.canvas(t, nil, vars{"id": name, "canvasId": name, "sessionId": name, "canvasType": name, "action": "PRESENT", "at": now})
		}
		send(first)
		before := w.kept(t)
		send(again)
		assert.Equal(t, before, w.kept(t), "%+q: nothing was written a second time", again)
		for mutation, input := range retries(again) {
			assert.Equal(t, "CONFLICT", w.refuse(t, mutationOf(mutation, payloadOf[mutation]), vars{"input": other(mutation, input)}).Extensions.Code, "%+q %s", again, mutation)
		}
		w.knows(t, "agent:"+again, "session:"+again, "episode:"+again, "canvas:"+again, "memoir:"+again, "learningProfile:"+again+"/"+again, "section:"+again+"/"+again)
	}
}

// kept is all that the tenant keeps.
func (w *world) kept(t *testing.T) (items []upkeep.Kept) {
	require.NoError(t, w.bound(t).Upkeep.Export(t.Context(), func(item upkeep.Kept) error {
		if _, ok := item.(*store.ObservationRecord); !ok { // those that are answered are read
			items = append(items, item)
		}
		return nil
	}))
	return items
}

var payloadOf = map[string]string{
	"recordEpisode": "episode { id }", "submitFeedback": "feedback { id }", "createMemoir": "memoir { id }",
	"addConcept": "concept { id }", "recordObservation": "observation { id }", "recordCorrection": "correction { id }",
	"recordExecution": "execution { id }", "recordVerdict": "verdict { id }", "captureRun": "episode { id }",
}

// retries are inputs of all kinds of records.
func retries(name string) map[string]vars {
	about := []string{"episode:" + name, "agent:" + name}
	return map[string]vars{
		"recordEpisode": {
			"id": name, "agentId": "agent:" + name, "sessionId": name, "taskType": name, "executionIds": []string{name, composed, apart},
			"observation": apart, "startedAt": now, "actions": []vars{{"stepId": name, "stepName": apart}}, "causedBy": []string{name + "0"},
		},
		"captureRun":        {"runId": "run " + name, "agentId": name, "workflowName": name, "events": []vars{{"type": name, "at": now}}},
		"submitFeedback":    {"id": name, "episodeId": name, "type": "THUMBS_UP", "createdBy": name, "at": now},
		"createMemoir":      {"id": name, "name": name},
		"addConcept":        {"id": name, "memoirId": name, "name": name, "content": apart, "labels": []string{name, "x"}},
		"recordObservation": {"id": name, "sessionId": name, "content": apart, "aboutIds": about},
		"recordCorrection":  {"id": name, "topic": name, "prediction": apart, "correction": "No.", "createdBy": name, "aboutIds": about},
		"recordExecution":   {"id": name, "agentId": name, "taskType": name, "success": true, "quality": 1, "at": now},
		"recordVerdict": {
			"id": name, "runId": name, "sectionId": name, "sectionType": name, "judgeId": name, "iteration": 0, "status": "APPROVE",
			"context": vars{"in": name}, "issues": []vars{{"code": name, "area": name}}, "patterns": []string{name},
		},
	}
}

// other is an input that says something else.
func other(mutation string, input vars) vars {
	changed := map[string]string{
		"recordEpisode": "observation", "submitFeedback": "corrections", "createMemoir": "description", "addConcept": "content",
		"recordObservation": "content", "recordCorrection": "prediction", "recordVerdict": "feedback",
	}
	said := vars{}
	for field, value := range input {
		said[field] = value
	}
	switch mutation {
	case "recordExecution":
		said["quality"] = 0.5
	case "captureRun":
		said["events"] = []vars{{"type": "another", "at": now}}
	default:
		said[changed[mutation]] = "Something else."
	}
	return said
}
