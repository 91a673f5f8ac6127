package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// watchPeriod is how often a server looks whether its store can be written.
const watchPeriod = 15 * time.Second

// storeHealth says in the log when the store cannot be used as it should, such as on a disk that is full, and when it
// can be again: once each, however many requests meet it. They say so too, each for itself.
type storeHealth struct {
	log *slog.Logger

	mu      sync.Mutex
	isBad   bool
	refused bool // a write, since the last look
}

// refuse is told of a write that the store refused.
func (c *storeHealth) refuse(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = true
	c.tell(reason)
}

// look is told how the store looks. It is well again when it looks so and has refused nothing since the look before:
// where little room is left, some writes still find it.
func (c *storeHealth) look(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || !c.refused {
		c.tell(err)
	}
	c.refused = false
}

func (c *storeHealth) tell(err error) {
	switch {
	case err != nil && !c.isBad:
		log := c.log
		if cause := errors.Unwrap(err); cause != nil { // which an error of the domain leaves out of its text
			log = log.With("cause", cause)
		}
		log.Error("the store is not as it should be; what cannot be done is answered UNAVAILABLE", "error", err)
	case err == nil && c.isBad:
		c.log.Info("the store is as it should be again")
	}
	c.isBad = err != nil
}

// watch looks at the store until the context ends.
func (c *storeHealth) watch(ctx context.Context, ready func(context.Context) error) {
	each(ctx, watchPeriod, func(ctx context.Context) {
		if err := ready(ctx); ctx.Err() == nil {
			c.look(err)
		}
	})
}
