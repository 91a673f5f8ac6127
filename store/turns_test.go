package store_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

// crowd are requests whose reads take turns until the test ends them.
type crowd struct {
	t     *testing.T
	turns *store.Turns
	began []string        // the requests whose reads have had a turn, in order
	open  []chan struct{} // ends the reads that have one, in order
}

// request is a new one, which asks for so many reads.
func (c *crowd) request(name string, reads int) {
	ctx, _, done := store.WithBudget(c.t.Context(), store.Limits{})
	c.t.Cleanup(done)
	c.ask(ctx, name, reads)
}

// ask begins reads and waits until each has a turn or waits for one.
func (c *crowd) ask(ctx context.Context, name string, reads int) {
	for i := range reads {
		ctx := ctx
		if i%2 == 1 {
			ctx = store.Unmetered(ctx) // which is the same request
		}
		go func() {
			done, err := c.turns.Take(ctx)
			if !assert.NoError(c.t, err) {
				return
			}
			end := make(chan struct{})
			c.began, c.open = append(c.began, name), append(c.open, end)
			<-end
			done()
		}()
		synctest.Wait()
	}
}

// finish ends the reads that are longest under way, one after the other.
func (c *crowd) finish(reads int) {
	for range reads {
		require.NotEmpty(c.t, c.open)
		end := c.open[0]
		c.open = c.open[1:] // before others get the turn and add to it
		close(end)
		synctest.Wait()
	}
}

func withCrowd(t *testing.T, most, each int, test func(c *crowd)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{t: t, turns: store.NewTurns(most, each)}
		test(c)
		for len(c.open) > 0 {
			c.finish(1)
		}
	})
}

func TestOneRequestKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	withCrowd(t, 4, 2, func(c *crowd) {
		c.request("large", 400)
		assert.Equal(t, []string{"large", "large"}, c.began, "it has its part, whatever it asks for")
		c.request("small", 1)
		c.ask(c.t.Context(), "no request", 1)
		assert.Equal(t, []string{"large", "large", "small", "no request"}, c.began, "others have theirs at once")
		c.request("small", 1)
		assert.Len(t, c.began, 4)
		c.finish(1)
		assert.Equal(t, "small", c.began[4])
		c.finish(401)
		assert.Len(t, c.began, 403, "all are read at last")
	})
}

func TestATurnThatIsNoLongerWanted(t *testing.T) {
	t.Parallel()
	withCrowd(t, 1, 1, func(c *crowd) {
		c.request("first", 1)
		ctx, cancel := context.WithCancel(c.t.Context())
		go func() {
			_, err := c.turns.Take(ctx)
			assert.ErrorIs(c.t, err, context.Canceled)
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		_, err := c.turns.Take(ctx)
		assert.ErrorIs(c.t, err, context.Canceled)
		c.request("next", 1)
		c.finish(1)
		assert.Equal(t, []string{"first", "next"}, c.began)
	})
}

// The turn may come just as the context ends; then it is not lost.
func TestATurnThatComesTooLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := store.NewTurns(1, 1)
		for range 100 {
			done, err := turns.Take(t.Context())
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				if done, err := turns.Take(ctx); err == nil {
					done()
				}
			}()
			synctest.Wait()
			cancel()
			done()
			synctest.Wait()
		}
	})
}
