package db

import "sync"

// Shared is what the connections that read a file keep in memory together: one value of each type that asks.
type Shared struct {
	mutex sync.Mutex
	parts []any
}

// Kept is the value of a type that the connections to a file share, zero at its first use. It guards itself. A
// connection by itself gets one of its own each time.
func Kept[T any](c *Conn) *T {
	if c.Shared == nil {
		return new(T)
	}
	c.Shared.mutex.Lock()
	defer c.Shared.mutex.Unlock()
	return partOf[T](&c.Shared.parts)
}

// partOf is the part of a type, which is added where there is none.
func partOf[T any](parts *[]any) *T {
	for _, part := range *parts {
		if found, ok := part.(*T); ok {
			return found
		}
	}
	part := new(T)
	*parts = append(*parts, part)
	return part
}
