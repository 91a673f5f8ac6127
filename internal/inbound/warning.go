package inbound

import (
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// RateLimitedWarning logs what may happen as often as it likes, such as what clients cause: the first time, and then
// now and again with how often it was since.
type RateLimitedWarning struct {
	log   *slog.Logger
	what  string
	often rate.Sometimes
	times atomic.Int64
	count func()
}

// NewRateLimitedWarning logs something at most once in an interval.
func NewRateLimitedWarning(log *slog.Logger, what string, every time.Duration) *RateLimitedWarning {
	return &RateLimitedWarning{log: log, what: what, often: rate.Sometimes{Interval: every}, count: func() {}}
}

// Counted has each time told to a function, too, which must not wait. It is for who makes the warning.
func (s *RateLimitedWarning) Counted(count func()) *RateLimitedWarning {
	s.count = count
	return s
}

// Warn counts, and writes a line with one thing more if the last one is long ago.
func (s *RateLimitedWarning) Warn(name string, value any) {
	s.count()
	s.times.Add(1)
	s.often.Do(func() { s.log.Warn(s.what, name, value, "times", s.times.Swap(0)) })
}
