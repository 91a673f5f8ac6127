// Package async does one thing while its caller does another.
package async

// Begin has something done on another goroutine while its caller goes on; wait waits for what it answers, as often as
// it is called. A panic of it is the waiter's, where it is caught.
func Begin[T any](do func() T) (wait func() T) {
	var found T
	var failed any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { failed = recover() }()
		found = do()
	}()
	return func() T {
		<-done
		if failed != nil {
			panic(failed)
		}
		return found
	}
}
