package answering

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

// doubled is a loader that doubles numbers and remembers its batches.
func doubled(ctx context.Context) (*loader[int, int], func() [][]int) {
	var mu sync.Mutex
	var batches [][]int
	l := &loader[int, int]{}
	bind(l, &of(ctx).workers, func(_ context.Context, keys []int) ([]int, error) {
		mu.Lock()
		defer mu.Unlock()
		batches = append(batches, slices.Sorted(slices.Values(keys)))
		values := make([]int, len(keys))
		for i, key := range keys {
			values[i] = 2 * key
		}
		return values, nil
	})
	return l, func() [][]int { return batches }
}

func TestAskedTogetherReadOnce(t *testing.T) {
	ctx := With(t.Context(), nil)
	l, batches := doubled(ctx)
	Work(ctx, func(ctx context.Context) any {
		together(ctx, 100, func(i int) {
			time.Sleep(time.Duration(i%7) * time.Millisecond) // a slow one does not make a second batch
			value, err := l.Load(ctx, i/2)
			assert.NoError(t, err)
			assert.Equal(t, 2*(i/2), value)
		})
		return nil
	})
	require.Len(t, batches(), 1)
	assert.Len(t, batches()[0], 50)
}

// TestLevels: what is asked for after a first answer makes a second batch, also from lists in lists.
func TestLevels(t *testing.T) {
	ctx := With(t.Context(), nil)
	l, batches := doubled(ctx)
	Work(ctx, func(ctx context.Context) any {
		together(ctx, 10, func(i int) {
			first, err := l.Load(ctx, i)
			assert.NoError(t, err)
			together(ctx, 10, func(j int) {
				value, err := l.Load(ctx, 1000+10*first+j)
				assert.NoError(t, err)
				assert.Equal(t, 2*(1000+10*first+j), value)
			})
		})
		return nil
	})
	require.Len(t, batches(), 2)
	assert.Len(t, batches()[1], 100)
}

func TestReadAgainIsRemembered(t *testing.T) {
	ctx := With(t.Context(), nil)
	l, batches := doubled(ctx)
	for range 3 {
		assert.Equal(t, 14, Work(ctx, func(ctx context.Context) int {
			value, err := l.Load(ctx, 7)
			assert.NoError(t, err)
			return value
		}))
	}
	assert.Equal(t, [][]int{{7}}, batches())
}

func TestRootFieldsAtOnce(t *testing.T) {
	ctx := With(t.Context(), nil)
	l, _ := doubled(ctx)
	var done atomic.Int64
	var fields sync.WaitGroup
	for i := range 20 {
		fields.Go(func() {
			Work(ctx, func(ctx context.Context) any {
				together(ctx, 5, func(j int) {
					_, err := l.Load(ctx, i*j)
					assert.NoError(t, err)
					done.Add(1)
				})
				return nil
			})
		})
	}
	fields.Wait()
	assert.EqualValues(t, 100, done.Load())
}

func TestFaultsReachAll(t *testing.T) {
	for name, fetch := range map[string]func(context.Context, []int) ([]int, error){
		"an error": func(context.Context, []int) ([]int, error) {
			return nil, &memory.Error{Code: memory.CodeInternal, Cause: errors.New("broken")}
		},
		"a panic": func(context.Context, []int) ([]int, error) { panic("broken") },
	} {
		t.Run(name, func(t *testing.T) {
			ctx := With(t.Context(), nil)
			l := &loader[int, int]{}
			bind(l, &of(ctx).workers, fetch)
			Work(ctx, func(ctx context.Context) any {
				together(ctx, 3, func(i int) {
					_, err := l.Load(ctx, i)
					var known *memory.Error
					if assert.ErrorAs(t, err, &known) {
						assert.Equal(t, memory.CodeInternal, known.Code)
						assert.Contains(t, fmt.Sprint(known.Cause), "broken")
					}
				})
				return nil
			})
		})
	}
}

func TestGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(With(t.Context(), nil))
	l := &loader[int, int]{}
	bind(l, &of(ctx).workers, func(ctx context.Context, _ []int) ([]int, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	})
	Work(ctx, func(ctx context.Context) any {
		_, err := l.Load(ctx, 1)
		assert.ErrorIs(t, err, context.Canceled)
		return nil
	})
}
