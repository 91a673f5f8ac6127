package app

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The log says once that a disk is full and once that there is room, whatever writes and looks find meanwhile.
func TestConditionIsToldOnce(t *testing.T) {
	var log strings.Builder
	c := &storeHealth{log: slog.New(slog.NewTextHandler(&log, nil))}
	full := errors.New("the disk is full")
	told := func() (bad, well int) {
		return strings.Count(log.String(), "level=ERROR"), strings.Count(log.String(), "again")
	}
	for step, s := range []struct {
		refused, looked bool
		err             error
		bad, well       int
	}{
		{looked: true},
		{refused: true, bad: 1},
		{refused: true, bad: 1},
		{looked: true, bad: 1}, // there is room, and a write was refused just now
		{refused: true, bad: 1},
		{looked: true, err: full, bad: 1},
		{refused: true, bad: 1},
		{looked: true, bad: 1},
		{looked: true, bad: 1, well: 1},
		{looked: true, bad: 1, well: 1},
		{looked: true, err: full, bad: 2, well: 1},
		{refused: true, bad: 2, well: 1},
		{looked: true, err: full, bad: 2, well: 1},
		{looked: true, bad: 2, well: 2},
		{refused: true, bad: 3, well: 2},
	} {
		if s.refused {
			c.refuse(full)
		}
		if s.looked {
			c.look(s.err)
		}
		bad, well := told()
		assert.Equal(t, [2]int{s.bad, s.well}, [2]int{bad, well}, "after step %d", step)
	}
	assert.Contains(t, log.String(), "the disk is full")
}
