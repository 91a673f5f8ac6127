package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func testDeleteAgent(t *testing.T, w *world) {
	w.episode(t, "one", "First.", vars{"agentId": "eve", "sessionId": "s"})
	w.episode(t, "two", "Second.", vars{"agentId": "eve"})
	w.episode(t, "other", "Third.", nil)
	w.canvas(t, vars{"canvasId": "c", "episodeId": "one", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "f", "episodeId": "one", "type": "THUMBS_UP"})
	var payload struct {
		DeletedID string
		Episodes  int
	}
	w.do(t, "deleteAgent", "deletedId episodes", vars{"id": "agent:eve"}, &payload)
	assert.Equal(t, "agent:eve", payload.DeletedID)
	assert.Equal(t, 2, payload.Episodes)
	var data struct {
		Nodes []*struct{ ID string }
	}
	w.ask(t, `{ nodes(ids: ["agent:eve", "episode:one", "episode:two", "canvas:c", "feedback:f", "session:s", "episode:other"]) { id } }`, nil, &data)
	for i := range 6 {
		assert.Nil(t, data.Nodes[i], i)
	}
	assert.NotNil(t, data.Nodes[6])
	assert.Equal(t, "NOT_FOUND", w.refuse(t, mutationOf("deleteAgent", "deletedId"), vars{"input": vars{"id": "eve"}}).Extensions.Code)
}

func testDeleteFeedback(t *testing.T, w *world) {
	w.episode(t, "e", "First.", nil)
	w.feedback(t, vars{"id": "up", "episodeId": "e", "type": "THUMBS_UP"})
	w.feedback(t, vars{"id": "down", "episodeId": "e", "type": "THUMBS_DOWN"})
	w.feedback(t, vars{"id": "zoe", "episodeId": "e", "type": "THUMBS_DOWN", "createdBy": "zoe"})
	score := func() *float64 {
		var data struct {
			Episode struct{ AggregateFeedbackScore *float64 }
		}
		w.ask(t, `{ episode(id: "e") { aggregateFeedbackScore } }`, nil, &data)
		return data.Episode.AggregateFeedbackScore
	}
	var payload struct{ Deleted int }
	w.do(t, "deleteFeedback", "deleted", vars{"id": "feedback:down"}, &payload)
	assert.Equal(t, 1, payload.Deleted)
	assert.Equal(t, new(0.0), score())
	w.do(t, "deleteFeedback", "deleted", vars{"createdBy": "zoe"}, &payload)
	assert.Equal(t, 1, payload.Deleted)
	assert.Equal(t, new(1.0), score())
	w.do(t, "deleteFeedback", "deleted", vars{"createdBy": "nobody"}, &payload)
	assert.Zero(t, payload.Deleted)
	for _, input := range []vars{{}, {"id": "up", "createdBy": "zoe"}} {
		assert.Equal(t, "INVALID_INPUT", w.refuse(t, mutationOf("deleteFeedback", "deleted"), vars{"input": input}).Extensions.Code)
	}
	assert.Equal(t, "NOT_FOUND", w.refuse(t, mutationOf("deleteFeedback", "deleted"), vars{"input": vars{"id": "down"}}).Extensions.Code)
}
