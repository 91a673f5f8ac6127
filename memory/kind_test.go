package memory_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/memorytest"
)

func TestIDs(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "episode:run-123", (&memory.Episode{Key: "run-123"}).ID())
	assert.Equal(t, "agent:gpt/4:o", (&memory.Agent{Key: "gpt/4:o"}).ID())
	assert.Equal(t, "session:s", (&memory.Session{Key: "s"}).ID())
	assert.Equal(t, "canvas:c", (&memory.Canvas{Key: "c"}).ID())
	assert.Equal(t, "feedback:f", (&memory.Feedback{Key: "f"}).ID())
	assert.Equal(t, new("session:s"), (&memory.Canvas{SessionKey: new("s")}).SessionID())
	for id, want := range map[string]string{
		"run-123": "run-123", "episode:run-123": "run-123", "canvas:run-123": "canvas:run-123",
		"episode:episode:a": "episode:a", "a/b:c": "a/b:c",
	} {
		assert.Equal(t, want, memory.KeyOf(memory.KindEpisode, id), id)
	}
}

func TestSplitID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]struct {
		kind memory.Kind
		key  string
		ok   bool
	}{
		"canvas:a:b": {memory.KindCanvas, "a:b", true},
		"session:s":  {memory.KindSession, "s", true},
		"planet:x":   {"", "", false},
		"episode:":   {"", "", false},
		"episode":    {"", "", false},
		"":           {"", "", false},
		"Episode:a":  {"", "", false},
	} {
		kind, key, ok := memory.SplitID(id)
		assert.Equal(t, want.kind, kind, id)
		assert.Equal(t, want.key, key, id)
		assert.Equal(t, want.ok, ok, id)
	}
}

func TestCheckKey(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"a", "run:1/2", "ключ", "with blank", strings.Repeat("k", 512)} {
		assert.NoError(t, memory.CheckKey("id", key))
	}
	for _, key := range []string{"", strings.Repeat("k", 513), "a\xffb", "a\nb", "a\x00", strings.Repeat("ü", 257)} {
		memorytest.RequireInvalid(t, "id", memory.CheckKey("id", key))
	}
}

func TestErrorShowsItsFieldAndHidesItsCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("disk on fire")
	err := &memory.Error{Code: memory.CodeUnavailable, Message: "try again", Cause: cause}
	assert.Equal(t, "UNAVAILABLE: try again", err.Error())
	assert.ErrorIs(t, err, cause)
	assert.Equal(t, "INVALID_INPUT: rating: is 6", memory.Invalid("rating", "is %d", 6).Error())
}

func TestWhenAnEpisodeIsKnown(t *testing.T) {
	t.Parallel()
	e := &memory.Episode{StartedAt: memorytest.Day(0)}
	assert.Equal(t, memorytest.Day(0), e.KnownAt())
	assert.Nil(t, e.DurationSeconds())
	assert.Nil(t, e.SessionID())
	e.EndedAt, e.SessionKey = new(memorytest.Day(1)), new("s")
	assert.Equal(t, memorytest.Day(1), e.KnownAt())
	assert.Equal(t, new(86400.0), e.DurationSeconds())
	assert.Equal(t, new("session:s"), e.SessionID())
}

func TestContextIsCompleteBelowItsLimit(t *testing.T) {
	t.Parallel()
	canvases := func(n int) []*memory.Canvas { return make([]*memory.Canvas, n) }
	feedback := func(n int) []*memory.Feedback { return make([]*memory.Feedback, n) }
	var none *memory.EpisodeContext
	assert.False(t, none.Complete())
	for name, test := range map[string]struct {
		context memory.EpisodeContext
		want    bool
	}{
		"nothing asked for":     {memory.EpisodeContext{}, false},
		"canvases only":         {memory.EpisodeContext{Canvases: canvases(1)}, false},
		"both, none of either":  {memory.EpisodeContext{Canvases: canvases(0), Feedback: feedback(0)}, true},
		"as many as come along": {memory.EpisodeContext{Canvases: canvases(memory.ContextLimit), Feedback: feedback(1)}, false},
		"one less":              {memory.EpisodeContext{Canvases: canvases(memory.ContextLimit - 1), Feedback: feedback(1)}, true},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, test.context.Complete()) })
	}
}

func TestKeysSurviveTheWayThroughAnID(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(memory.Kinds).Draw(t, "kind")
		key := rapid.StringMatching(`[a-z:/%. ü]{1,40}`).Draw(t, "key")
		id := memory.NodeID(kind, key)
		gotKind, gotKey, ok := memory.SplitID(id)
		assert.True(t, ok)
		assert.Equal(t, kind, gotKind)
		assert.Equal(t, key, gotKey)
		assert.Equal(t, key, memory.KeyOf(kind, id))
	})
}

func TestCanvasBegin(t *testing.T) {
	t.Parallel()
	assert.Equal(t, memorytest.Seconds(3), memorytest.Canvas("sheets", memorytest.Action(memorytest.Present, 3), memorytest.Action(memorytest.Closed, 9)).CreatedAt())
	assert.Equal(t, time.Time{}, memorytest.Canvas("sheets").CreatedAt())
}
