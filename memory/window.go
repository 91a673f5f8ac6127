package memory

import (
	"cmp"
	"slices"
)

// position is where an execution is in the window, or would be.
func (w *Window) position(at int64, key string) int {
	low, high := 0, len(w.At)
	for low < high {
		middle := (low + high) / 2
		if cmp.Or(cmp.Compare(w.At[middle], at), cmp.Compare(w.Keys[middle], key)) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func (w *Window) insert(i int, e *Execution) {
	latency := -1.0
	if e.LatencyMs != nil {
		latency = *e.LatencyMs
	}
	w.At = slices.Insert(w.At, i, e.At.UnixMilli())
	w.Quality = slices.Insert(w.Quality, i, e.Quality)
	w.Keys = slices.Insert(w.Keys, i, e.Key)
	w.Success = slices.Insert(w.Success, i, e.Success)
	w.LatencyMs = slices.Insert(w.LatencyMs, i, latency)
}

func (w *Window) remove(i int) {
	w.At = slices.Delete(w.At, i, i+1)
	w.Quality = slices.Delete(w.Quality, i, i+1)
	w.Keys = slices.Delete(w.Keys, i, i+1)
	w.Success = slices.Delete(w.Success, i, i+1)
	w.LatencyMs = slices.Delete(w.LatencyMs, i, i+1)
}
