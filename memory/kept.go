package memory

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"
)

// The checks of what was read back from a store, which another program may have changed: what passes can be
// reckoned with, shown and written to an export.

var (
	errNoTime   = errors.New("is a time outside of the years 1970 to 9999")
	errNoNumber = errors.New("is no finite number")
	errNoCount  = fmt.Errorf("is no number from 0 to %d", MaxCount)
	errNoVector = errors.New("must have finite numbers, not all zero nor beyond all measure")
	errNoText   = errors.New("is not valid UTF-8")
)

// MaxCount is the largest count there is: what an API that counts in 32 bits can show.
const MaxCount = math.MaxInt32

// CheckKeptTime says whether a time is one that may come in (see CheckTime).
func CheckKeptTime(at time.Time) error {
	if CheckTime("", at) != nil {
		return errNoTime
	}
	return nil
}

// CheckKeptCount says whether a number can be one of records or tokens.
func CheckKeptCount(n int64) error {
	if n < 0 || n > MaxCount {
		return errNoCount
	}
	return nil
}

// CheckKeptNumber says whether a number can be shown and written.
func CheckKeptNumber(x float64) error {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return errNoNumber
	}
	return nil
}

// CheckVector says whether an embedding, where there is one, can be compared with others: it has finite numbers, not all
// of them zero.
func CheckVector(vector []float32) error {
	norm := 0.0
	for _, x := range vector {
		norm = math.Hypot(norm, float64(x))
	}
	if len(vector) > 0 && !(norm > 1e-9 && norm < 1e9) { // not a number is neither
		return errNoVector
	}
	return nil
}

// CheckKeptText says whether a text can be shown and written.
func CheckKeptText(text string) error {
	if !utf8.ValidString(text) {
		return errNoText
	}
	return nil
}

// CheckKeptWord says whether a word is one of its closed set.
func CheckKeptWord[T interface {
	~string
	Valid() bool
}](word T) error {
	if !word.Valid() {
		return fmt.Errorf("is no %T", word)
	}
	return nil
}

// Check says what is wrong with a profile as it was kept, read whole or for ranking.
func (p *LearningProfile) Check() error {
	w := &p.Window
	n := len(w.At)
	whole := w.Keys != nil
	switch {
	case n != min(p.Total, WindowSize) || len(w.Quality) != n || whole && (len(w.Keys) != n || len(w.Success) != n || len(w.LatencyMs) != n):
		return fmt.Errorf("the columns of the window of %d executions have other lengths", p.Total)
	case p.Successful < 0 || p.Successful > p.Total || p.Timed < 0 || p.Timed > p.Total:
		return errors.New("more executions of a sort than there are")
	}
	for i := range w.At {
		if err := w.check(i, whole); err != nil {
			return err
		}
	}
	return nil
}

// check says what is wrong with one execution of a window, and its place behind the one before.
func (w *Window) check(i int, whole bool) error {
	if err := cmp.Or(CheckKeptTime(time.UnixMilli(w.At[i])), CheckKeptNumber(w.Quality[i])); err != nil {
		return err
	}
	switch {
	case w.Quality[i] < 0 || w.Quality[i] > 1:
		return errors.New("a quality beyond 0…1")
	case i > 0 && (w.At[i-1] > w.At[i] || whole && w.At[i-1] == w.At[i] && w.Keys[i-1] >= w.Keys[i]):
		return errors.New("the executions are out of order")
	case whole && !(w.LatencyMs[i] <= MaxLatencyMs): // not a number is not
		return errors.New("a latency beyond all bounds")
	}
	return nil
}
