package inbound

import (
	"bytes"
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

// read takes room for what came, not for what was announced.
func read(body io.Reader, announced int64) ([]byte, error) {
	var text bytes.Buffer
	_, err := io.CopyN(&text, body, proven)
	if errors.Is(err, io.EOF) {
		return text.Bytes(), nil
	}
	if err != nil {
		return nil, err
	}
	if announced > proven {
		text.Grow(int(announced) - proven + bytes.MinRead)
	}
	if _, err := text.ReadFrom(body); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
