package memory_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func TestIDs(t *testing.T) {
	assert.Equal(t, "episode:run-123", (&memory.Episode{Key: "run-123"}).ID())
	for id, want := range map[string]string{
		"run-123": "run-123", "episode:run-123": "run-123", "canvas:run-123": "canvas:run-123",
		"episode:episode:a": "episode:a", "a/b:c": "a/b:c",
	} {
		assert.Equal(t, want, memory.KeyOf(memory.KindEpisode, id), id)
	}
}

func TestSplitID(t *testing.T) {
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
	for _, key := range []string{"a", "run:1/2", "ключ", "with blank", strings.Repeat("k", 512)} {
		assert.NoError(t, memory.CheckKey("id", key))
	}
	for _, key := range []string{"", strings.Repeat("k", 513), "a\xffb", "a\nb", "a\x00", strings.Repeat("ü", 257)} {
		requireInvalid(t, "id", memory.CheckKey("id", key))
	}
}

func TestErrorShowsItsFieldAndHidesItsCause(t *testing.T) {
	cause := errors.New("disk on fire")
	err := &memory.Error{Code: memory.CodeUnavailable, Message: "try again", Cause: cause}
	assert.Equal(t, "UNAVAILABLE: try again", err.Error())
	assert.ErrorIs(t, err, cause)
	assert.Equal(t, "INVALID_INPUT: rating: is 6", memory.Invalid("rating", "is %d", 6).Error())
}

func TestWhenAnEpisodeIsKnown(t *testing.T) {
	e := &memory.Episode{StartedAt: day(0)}
	assert.Equal(t, day(0), e.KnownAt())
	assert.Nil(t, e.DurationSeconds())
	assert.Nil(t, e.SessionID())
	e.EndedAt, e.SessionKey = ptr(day(1)), ptr("s")
	assert.Equal(t, day(1), e.KnownAt())
	assert.Equal(t, ptr(86400.0), e.DurationSeconds())
	assert.Equal(t, ptr("session:s"), e.SessionID())
}

func TestCanvasBegin(t *testing.T) {
	assert.Equal(t, seconds(3), canvas("sheets", action(present, 3), action(closed, 9)).CreatedAt())
	assert.Equal(t, time.Time{}, canvas("sheets").CreatedAt())
}
