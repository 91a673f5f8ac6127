package answering

import (
	"context"
	"fmt"
	"runtime/debug"

	"mneme/memory"
)

// loader reads values by key, many at a time, each once. Its state is guarded by the lock of workers.
type loader[K comparable, V any] struct {
	workers *workers
	fetch   func(ctx context.Context, keys []K) ([]V, error) // values in the order of the keys
	known   map[K]place[K, V]
	batch   *batch[K, V] // gathers keys; nil before the first
}

// place is where the value of a key will stand.
type place[K comparable, V any] struct {
	batch *batch[K, V]
	index int
}

type batch[K comparable, V any] struct {
	keys    []K
	values  []V
	err     error
	waiting int
	read    bool
	done    chan struct{} // closed when read
}

// Load reads one value, in one batch with the others that are asked for at the same time.
func (l *loader[K, V]) Load(ctx context.Context, key K) (V, error) {
	l.workers.mu.Lock()
	at := l.place(ctx, key)
	if !at.batch.read {
		at.batch.waiting++
		l.workers.doneLocked()
	}
	l.workers.mu.Unlock()
	select {
	case <-at.batch.done:
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
	if at.batch.err != nil {
		var none V
		return none, at.batch.err
	}
	return at.batch.values[at.index], nil
}

// LoadAll reads several values, in the order of their keys.
func (l *loader[K, V]) LoadAll(ctx context.Context, keys []K) ([]V, error) {
	values, faults := make([]V, len(keys)), make([]error, len(keys))
	if len(keys) > 0 {
		together(ctx, len(keys), func(i int) { values[i], faults[i] = l.Load(ctx, keys[i]) })
	}
	for _, fault := range faults {
		if fault != nil {
			return nil, fault
		}
	}
	return values, nil
}

// place finds a key, or puts it in the batch that gathers.
func (l *loader[K, V]) place(ctx context.Context, key K) place[K, V] {
	if at, ok := l.known[key]; ok {
		return at
	}
	if l.batch == nil {
		gathering := &batch[K, V]{done: make(chan struct{})}
		l.batch = gathering
		l.workers.batches = append(l.workers.batches, func() { l.read(ctx, gathering) })
	}
	at := place[K, V]{l.batch, len(l.batch.keys)}
	l.batch.keys = append(l.batch.keys, key)
	if l.known == nil {
		l.known = map[K]place[K, V]{}
	}
	l.known[key] = at
	return at
}

// read fetches a batch, which gathers no more, and lets those go on who wait for it.
func (l *loader[K, V]) read(ctx context.Context, b *batch[K, V]) {
	l.workers.mu.Lock()
	if l.batch == b {
		l.batch = nil
	}
	l.workers.mu.Unlock()
	b.values, b.err = l.fetched(ctx, b.keys)
	l.workers.mu.Lock()
	defer l.workers.mu.Unlock()
	b.read = true
	l.workers.working += b.waiting
	close(b.done)
}

// fetched keeps a panic from ending the process: nobody else looks after this goroutine.
func (l *loader[K, V]) fetched(ctx context.Context, keys []K) (values []V, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = &memory.Error{
				Code: memory.CodeInternal, Message: "internal error",
				Cause: fmt.Errorf("panic: %v\n%s", panicked, debug.Stack()),
			}
		}
	}()
	return l.fetch(ctx, keys)
}
