package inbound

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"mneme/memory"
)

// proven is how much of a body must have come before its announced length is believed.
const proven = 1 << 20

// ReadText reads the body of a request, of up to most bytes of UTF-8. Where that fails it gives the status and
// the error to answer with.
func ReadText(w http.ResponseWriter, r *http.Request, most int64) ([]byte, int, *memory.Error) {
	if r.ContentLength > most {
		return nil, http.StatusRequestEntityTooLarge, tooLong(most)
	}
	text, err := read(http.MaxBytesReader(w, r.Body, most), r.ContentLength)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, http.StatusRequestEntityTooLarge, tooLong(most)
	case errors.Is(err, errSlow):
		return nil, http.StatusRequestTimeout, errSlow
	case errors.Is(err, errBusy):
		status, fault := busy(w)
		return nil, status, fault
	case err != nil:
		return nil, http.StatusBadRequest, memory.Invalid("", "the body cannot be read")
	case !utf8.Valid(text):
		return nil, http.StatusBadRequest, memory.Invalid("", "the body is not valid UTF-8")
	}
	return text, 0, nil
}

func tooLong(most int64) *memory.Error {
	return &memory.Error{
		Code: memory.CodeLimitExceeded, Message: fmt.Sprintf("the body has more than %d bytes; send several requests", most),
	}
}

// ahead is how much is read before there is room for more than came.
const ahead = 512

// read takes room for what came, not for what was announced, and no more until some of it is there: what is large
// waits for others before it comes.
func read(body io.Reader, announced int64) ([]byte, error) {
	var text []byte
	next := make([]byte, ahead)
	for {
		into := text[len(text):cap(text)]
		full := len(into) == 0
		if full {
			into = next
		}
		n, err := body.Read(into)
		switch {
		case !full:
			text = text[:len(text)+n]
		case n > 0:
			room := make([]byte, 0, roomFor(int64(len(text)+n), announced))
			text = append(append(room, text...), next[:n]...)
		}
		if errors.Is(err, io.EOF) {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// roomFor is for four times what came, or all that was announced where that is less, or much has come. It is no more
// than a body has for itself until it has more.
func roomFor(came, announced int64) int64 {
	switch {
	case announced < came:
		return 2 * came
	case came < freeBody:
		return min(4*came, freeBody, announced)
	case came < proven:
		return min(4*came, announced)
	default:
		return announced
	}
}
