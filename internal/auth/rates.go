package auth

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// rates limit how often each caller does something, and know those that did it last. One that is forgotten begins anew.
type rates[K comparable] struct {
	callers *lru.Cache[K, *rate.Limiter]
	every   rate.Limit
	atOnce  int
	now     func() time.Time
}

func newRates[K comparable](known int, every rate.Limit, atOnce int) *rates[K] {
	callers, err := lru.New[K, *rate.Limiter](known)
	if err != nil {
		panic("auth: " + err.Error()) // only a size below 1 is an error
	}
	return &rates[K]{callers: callers, every: every, atOnce: atOnce, now: time.Now}
}

// due counts one time of a caller, and is how long the caller must wait for it. Where that is longer than most, it is
// not counted.
func (r *rates[K]) due(caller K, most time.Duration) time.Duration {
	limiter, ok := r.callers.Get(caller)
	if !ok {
		limiter = rate.NewLimiter(r.every, r.atOnce)
		if other, is, _ := r.callers.PeekOrAdd(caller, limiter); is {
			limiter = other
		}
	}
	now := r.now()
	turn := limiter.ReserveN(now, 1)
	wait := turn.DelayFrom(now)
	if wait > most {
		turn.CancelAt(now)
	}
	return wait
}
