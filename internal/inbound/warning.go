package inbound

import (
	"log/slog"
	"net/netip"
	"sync"
	"time"
)

// RateLimitedWarning logs what clients can cause as often as they like: the first time, and then now and again with how
// often it was since.
type RateLimitedWarning struct {
	log   *slog.Logger
	what  string
	every time.Duration
	now   func() time.Time
	count func()

	mu    sync.Mutex
	last  time.Time
	times int
}

// NewRateLimitedWarning logs something at most once in an interval.
func NewRateLimitedWarning(log *slog.Logger, what string, every time.Duration) *RateLimitedWarning {
	return &RateLimitedWarning{log: log, what: what, every: every, now: time.Now}
}

// Counted has each time told to a function, too, which must not wait. It is for who makes the warning.
func (s *RateLimitedWarning) Counted(count func()) *RateLimitedWarning {
	s.count = count
	return s
}

// Warn counts, and writes a line if the last one is long ago.
func (s *RateLimitedWarning) Warn(client netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times++
	if s.count != nil {
		s.count()
	}
	now := s.now()
	if !s.last.IsZero() && now.Sub(s.last) < s.every {
		return
	}
	s.log.Warn(s.what, "client", client.String(), "times", s.times)
	s.last, s.times = now, 0
}
