package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/store"
)

// earlier writes as versions did in which names had no form: every name as it was given, and under each record's
// input the first 16 bytes of its HMAC, with no version.
type earlier struct {
	store.Store
	key []byte
}

func (w *world) earlier(t *testing.T) *earlier {
	bound, err := w.backend.Tenant(t.Context(), w.tenant)
	require.NoError(t, err)
	key, err := bound.InputKey(t.Context())
	require.NoError(t, err)
	return &earlier{bound, key}
}

func (e *earlier) hash(t *testing.T, input any) []byte {
	text, err := json.Marshal(input)
	require.NoError(t, err)
	mac := hmac.New(sha256.New, e.key)
	mac.Write(text)
	return mac.Sum(nil)[:16]
}

func written(t *testing.T) func(recorded []store.Recorded, err error) {
	return func(recorded []store.Recorded, err error) {
		t.Helper()
		require.NoError(t, err)
		require.NoError(t, recorded[0].Err)
		require.True(t, recorded[0].Created)
	}
}

// testRetriesOfBefore: what was written before an upgrade and is sent again after it is the same, by whatever name
// it goes, and other content under its key is a conflict.
func testRetriesOfBefore(t *testing.T, w *world) {
	for _, name := range []string{"plain", composed, apart} {
		e := w.earlier(t)
		e.writeExperiences(t, name)
		e.writeKnowledge(t, name)
		e.writeLearning(t, name)
		before := w.kept(t)
		inputs := retries(name)
		for mutation, input := range inputs {
			w.do(t, mutation, payloadOf[mutation], input, nil)
		}
		action := vars{"id": name, "canvasId": name, "sessionId": name, "canvasType": name, "action": "PRESENT", "at": now}
		w.canvas(t, nil, action)
		assert.Equal(t, before, w.kept(t), "%+q: nothing was written a second time", name)
		for mutation, input := range inputs {
			assert.Equal(t, "CONFLICT", w.refuse(t, mutationOf(mutation, payloadOf[mutation]), vars{"input": other(mutation, input)}).Extensions.Code, "%+q %s", name, mutation)
		}
		w.knows(t, "agent:"+name, "session:"+name, "episode:"+name, "canvas:"+name, "memoir:"+name, "learningProfile:"+name+"/"+name, "section:"+name+"/"+name)
	}
}

// kept is all that the tenant keeps.
func (w *world) kept(t *testing.T) (items []service.Kept) {
	require.NoError(t, w.bound(t).Transfer.Export(t.Context(), func(item service.Kept) error {
		if _, is := item.(*store.ObservationRecord); !is { // those that are answered are read
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

// retries are the inputs of what earlier wrote.
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

func (e *earlier) writeExperiences(t *testing.T, name string) {
	unknown, chat := memory.OutcomeUnknown, memory.SourceChat
	written(t)(e.RecordEpisodes(t.Context(), []store.EpisodeRecord{{
		Episode: memory.Episode{
			Key: name, AgentKey: name, SessionKey: &name, TaskType: &name, ExecutionIDs: []string{name}, Observation: apart,
			Outcome: unknown, StartedAt: now, CreatedAt: now,
		},
		CausedBy: []string{name + "0"},
		InputHash: e.hash(t, service.RecordEpisodeInput{
			ID: &name, AgentID: name, SessionID: &name, TaskType: &name, ExecutionIDs: distinct(name, composed, apart), Observation: apart,
			Thoughts: []string{}, Actions: []service.ActionInput{{StepID: &name, StepName: apart}}, Outcome: &unknown, StartedAt: &now,
			CausedBy: []string{name + "0"},
		}),
	}}))
	run := "run " + name
	written(t)(e.RecordEpisodes(t.Context(), []store.EpisodeRecord{{
		Episode: memory.Episode{Key: run, AgentKey: name, TaskType: &name, Outcome: unknown, StartedAt: now, CreatedAt: now},
		InputHash: e.hash(t, service.CaptureRunInput{
			RunID: run, AgentID: name, WorkflowName: &name, Events: []service.EventInput{{Type: name, At: now}},
		}),
	}}))
	written(t)(e.RecordFeedback(t.Context(), []store.FeedbackRecord{{
		Feedback: memory.Feedback{
			Key: name, EpisodeKey: &name,
			Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: chat, CreatedBy: &name, CreatedAt: now},
		},
		InputHash: e.hash(t, service.SubmitFeedbackInput{ID: &name, EpisodeID: &name, Type: memory.FeedbackThumbsUp, Source: &chat, CreatedBy: &name, At: &now}),
	}}))
	written(t)(e.RecordCanvasActions(t.Context(), []store.CanvasActionRecord{{
		Canvas: name, Session: &name, CanvasType: name, Action: memory.CanvasAction{ID: name, Action: memory.CanvasPresent, At: now},
		InputHash: e.hash(t, service.CanvasActionInput{
			ID: &name, CanvasID: name, SessionID: &name, CanvasType: name, Action: memory.CanvasPresent, At: &now,
		}),
	}}))
}

func (e *earlier) writeKnowledge(t *testing.T, name string) {
	medium, about := memory.ImportanceMedium, []string{"episode:" + name, "agent:" + name}
	written(t)(e.CreateMemoirs(t.Context(), []store.MemoirRecord{{
		Memoir: memory.Memoir{Key: name, Name: name, CreatedAt: now}, InputHash: e.hash(t, service.CreateMemoirInput{ID: &name, Name: name}),
	}}))
	written(t)(e.AddConcepts(t.Context(), []store.ConceptRecord{{
		Concept:   memory.Concept{Key: name, MemoirKey: name, Name: name, Content: apart, Labels: []string{name, "x"}, CreatedAt: now, UpdatedAt: now},
		InputHash: e.hash(t, service.AddConceptInput{ID: &name, MemoirID: name, Name: name, Content: apart, Labels: []string{name, "x"}}),
	}}))
	written(t)(e.RecordObservations(t.Context(), []store.ObservationRecord{{
		Observation: memory.Observation{Key: name, SessionKey: &name, Content: apart, Importance: medium, About: about, CreatedAt: now},
		InputHash:   e.hash(t, service.RecordObservationInput{ID: &name, Content: apart, Importance: &medium, SessionID: &name, AboutIDs: about}),
	}}))
	written(t)(e.RecordCorrections(t.Context(), []store.CorrectionRecord{{
		Correction: memory.Correction{
			Key: name, Topic: name, Prediction: apart, Correction: "No.", Importance: medium, CreatedBy: &name, About: about, CreatedAt: now,
		},
		InputHash: e.hash(t, service.RecordCorrectionInput{
			ID: &name, Topic: name, Prediction: apart, Correction: "No.", Importance: &medium, CreatedBy: &name, AboutIDs: about,
		}),
	}}))
}

func (e *earlier) writeLearning(t *testing.T, name string) {
	written(t)(e.RecordExecutions(t.Context(), []store.ExecutionRecord{{
		Execution: memory.Execution{Key: name, AgentKey: name, TaskType: name, Success: true, Quality: 1, At: now},
		InputHash: e.hash(t, service.RecordExecutionInput{ID: &name, AgentID: name, TaskType: name, Success: true, Quality: 1, At: &now}),
	}}))
	context, err := memory.JSONOf(map[string]string{"in": name})
	require.NoError(t, err)
	issue := service.IssueInput{Code: name, Area: &name}
	written(t)(e.RecordVerdicts(t.Context(), []store.VerdictRecord{{
		Verdict: memory.Verdict{Judgement: memory.Judgement{
			Key: name, RunKey: name, SectionKey: memory.SectionKey(name, name), SectionType: name, Context: context, JudgeID: &name,
			Status: memory.VerdictApprove, Issues: []memory.Issue{memory.Issue(issue)}, Patterns: []string{name}, At: now,
		}},
		InputHash: e.hash(t, service.RecordVerdictInput{
			ID: &name, RunID: name, SectionID: name, SectionType: name, Context: context, JudgeID: &name, Status: memory.VerdictApprove,
			Issues: []service.IssueInput{issue}, Strengths: []string{}, Fixes: []string{}, Patterns: []string{name},
		}),
	}}))
}

func distinct(values ...string) (kept []string) {
	for _, value := range values {
		if len(kept) == 0 || kept[0] != value {
			kept = append(kept, value)
		}
	}
	return kept
}
