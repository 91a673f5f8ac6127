package inbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"mneme/internal/budget"
	"mneme/memory"
)

const (
	// freeBody is how much of each body is read before it waits for memory, so that small ones wait for none.
	freeBody = 64 << 10
	// PerByte is what a byte of a body takes: as it came, in variables, and on its way to the store.
	PerByte = 4
	// perWeight is what a value of JSON takes for each unit of its weight, see Weigh, once it is built.
	perWeight = 32
	// lightBody is the heaviest body that needs no memory of its own.
	lightBody = budget.Small / perWeight
)

// Read reads the body of a request, of up to most bytes. A large one waits for the memory that need says it takes, by
// length, before the rest is read. The error is an *http.MaxBytesError, ErrSlow, budget.ErrBusy or the connection's.
func Read(w http.ResponseWriter, r *http.Request, most int64, need func(bytes int64) int64) ([]byte, error) {
	length := r.ContentLength
	if length > most {
		return nil, &http.MaxBytesError{Limit: most}
	}
	if length < 0 {
		length = most
	}
	body := http.MaxBytesReader(w, r.Body, most)
	text, err := io.ReadAll(io.LimitReader(body, freeBody))
	if err != nil || len(text) < freeBody {
		return text, err
	}
	arrived, err := budget.Of(r.Context()).Arrive(r.Context(), need(length))
	if err != nil {
		return nil, err
	}
	defer arrived()
	rest, err := io.ReadAll(body)
	return append(text, rest...), err
}

// ReadText reads the body of a request, of up to most bytes of UTF-8. Where that fails it gives the status and
// the error to answer with.
func ReadText(w http.ResponseWriter, r *http.Request, most int64) ([]byte, int, *memory.Error) {
	text, err := Read(w, r, most, func(bytes int64) int64 { return PerByte * bytes })
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, http.StatusRequestEntityTooLarge, &memory.Error{
			Code: memory.CodeLimitExceeded, Message: fmt.Sprintf("the body has more than %d bytes; send several requests", most),
		}
	case errors.Is(err, ErrSlow):
		return nil, http.StatusRequestTimeout, ErrSlow
	case errors.Is(err, budget.ErrBusy):
		status, fault := busy(w)
		return nil, status, fault
	case err != nil:
		return nil, http.StatusBadRequest, memory.Invalid("", "the body cannot be read")
	case !utf8.Valid(text):
		return nil, http.StatusBadRequest, memory.Invalid("", "the body is not valid UTF-8")
	}
	return text, 0, nil
}

// Admit has a request wait for the memory that the values of its body take, by their weight. It gives the status and
// the error to refuse it with.
func Admit(w http.ResponseWriter, r *http.Request, weight int) (int, *memory.Error) {
	if weight <= lightBody {
		return 0, nil
	}
	switch err := budget.Of(r.Context()).Acquire(r.Context(), perWeight*int64(weight)); {
	case errors.Is(err, context.Canceled):
		return http.StatusBadRequest, memory.Invalid("", "the client has left")
	case err != nil:
		return busy(w)
	}
	return 0, nil
}

// busy asks the client to try again.
func busy(w http.ResponseWriter) (int, *memory.Error) {
	w.Header().Set("Retry-After", "5")
	return http.StatusServiceUnavailable, budget.ErrBusy
}
