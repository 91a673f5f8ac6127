package e2e

import (
	"sync"
	"sync/atomic"
)

// inParallel does something n times, with the numbers from 0, by several clients at once.
func inParallel(clients, n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	all.Wait()
}
