package memory

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"
)

// The checks of what was read back from a store, which another program may have changed: what passes can be
// reckoned with, shown and written to an export.

// MaxCount is the largest count there is: what an API that counts in 32 bits can show.
const MaxCount = math.MaxInt32

// CheckKeptTime says whether a time is one that may come in (see CheckTime).
func CheckKeptTime(at time.Time) error {
	if CheckTime("", at) != nil {
		return errors.New("is a time outside of the years 1970 to 9999")
	}
	return nil
}

// CheckKeptCount says whether a number can be one of records or tokens.
func CheckKeptCount(n int64) error {
	if n < 0 || n > MaxCount {
		return fmt.Errorf("is no number from 0 to %d", MaxCount)
	}
	return nil
}

// CheckKeptNumber says whether a number can be shown and written.
func CheckKeptNumber(x float64) error {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return errors.New("is no finite number")
	}
	return nil
}

// CheckVector says whether an embedding, where there is one, can be compared with others: it has finite numbers, not
// all of them zero.
func CheckVector(vector []float32) error {
	norm := 0.0
	for _, x := range vector {
		norm = math.Hypot(norm, float64(x))
	}
	if len(vector) > 0 && !(norm > 1e-9 && norm < 1e9) { // not a number is neither
		return errors.New("must have finite numbers, not all zero nor beyond all measure")
	}
	return nil
}

// CheckKeptText says whether a text can be shown and written.
func CheckKeptText(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("is not valid UTF-8")
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

// Check says what is wrong with a profile as it was kept.
func (p *LearningProfile) Check() error {
	w := &p.Window
	switch {
	case len(w.At) != min(p.Total, WindowSize) || len(w.Quality) != len(w.At):
		return fmt.Errorf("the columns of the window of %d executions have other lengths", p.Total)
	case p.Successful < 0 || p.Successful > p.Total || p.Timed < 0 || p.Timed > p.Total:
		return errors.New("more executions of a sort than there are")
	case !slices.IsSorted(w.At):
		return errors.New("the executions are out of order")
	}
	for i, at := range w.At {
		if err := (&Execution{At: time.UnixMilli(at), Quality: w.Quality[i]}).Check(); err != nil {
			return err
		}
	}
	return nil
}
