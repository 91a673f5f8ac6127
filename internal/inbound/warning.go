package inbound

import (
	"log/slog"
	"net/netip"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// RateLimitedWarning logs what clients can cause as often as they like: the first time, and then now and again with how
// often it was since.
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

// Warn counts, and writes a line if the last one is long ago.
func (s *RateLimitedWarning) Warn(client netip.Addr) {
	s.count()
	s.times.Add(1)
	s.often.Do(func() { s.log.Warn(s.what, "client", client.String(), "times", s.times.Swap(0)) })
}
