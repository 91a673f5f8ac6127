package neo4j

import (
	"fmt"
	"runtime/debug"
)

// withoutPanic does work for several callers on a goroutine of its own, where a panic would end the process: it is an
// error of the work instead.
func withoutPanic[T any](work func() (T, error)) (result T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("neo4j: panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return work()
}
