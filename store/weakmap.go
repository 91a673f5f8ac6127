package store

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"weak"
)

// WeakMap has what a backend has bound, by the ids of tenants: each once, and only as long as anybody has it, so that
// it does not grow with the tenants that there ever were. The zero value is empty. It is safe for concurrent use.
type WeakMap[T any] struct {
	mutex sync.Mutex
	byID  map[string]weak.Pointer[T]
}

// Bind gives what is bound to an id, and binds what bind makes where nobody has anything.
func (b *WeakMap[T]) Bind(id string, bind func() *T) *T {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if known := b.byID[id].Value(); known != nil {
		return known
	}
	fresh := bind()
	if b.byID == nil {
		b.byID = map[string]weak.Pointer[T]{}
	}
	b.byID[id] = weak.Make(fresh)
	runtime.AddCleanup(fresh, b.forget, id)
	return fresh
}

// forget takes an id out, unless something else was bound to it meanwhile.
func (b *WeakMap[T]) forget(id string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.byID[id].Value() == nil {
		delete(b.byID, id)
	}
}

// Len is how many are bound.
func (b *WeakMap[T]) Len() int {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return len(b.byID)
}

// All are the ids of what is bound.
func (b *WeakMap[T]) All() []string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return slices.Collect(maps.Keys(b.byID))
}
