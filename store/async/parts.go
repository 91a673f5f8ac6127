package async

import "runtime"

// InParts does something with each part of so many, from one place until another, and answers in order; with parts of a
// share or more at the same time, as far as there are processors.
func InParts[T any](size, share int, do func(from, until int) T) []T {
	parts := max(1, min(runtime.GOMAXPROCS(0), size/share))
	if parts == 1 {
		return []T{do(0, size)}
	}
	each := (size + parts - 1) / parts
	waits := make([]func() T, 0, parts)
	for from := 0; from < size; from += each {
		waits = append(waits, Begin(func() T { return do(from, min(from+each, size)) }))
	}
	found := make([]T, len(waits))
	for i, wait := range waits {
		found[i] = wait()
	}
	return found
}
