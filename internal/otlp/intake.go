package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"mneme/internal/budget"
	"mneme/internal/inbound"
)

// isPacked says whether a body is packed by gzip; nothing else is unpacked.
func isPacked(encoding string) (bool, *refusal) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		return false, nil
	case "gzip":
		return true, nil
	}
	return false, &refusal{http.StatusUnsupportedMediaType, "the body may be packed by gzip only"}
}

// take reads a body and unpacks it, once there is memory to decode it and to keep what it says.
func take(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	packed, refused := isPacked(r.Header.Get("Content-Encoding"))
	if refused != nil {
		return nil, refused
	}
	body, err := inbound.Read(w, r, maxBody, workOf)
	if err == nil {
		body, err = unpack(r.Context(), body, packed)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	return body, nil
}

func unpack(ctx context.Context, body []byte, packed bool) ([]byte, error) {
	size := int64(len(body))
	if packed {
		var err error
		if size, err = unzip(io.Discard, body); err != nil { // which keeps nothing
			return nil, err
		}
	}
	if err := budget.Of(ctx).Acquire(ctx, workOf(size)); err != nil || !packed {
		return body, err
	}
	whole := bytes.NewBuffer(make([]byte, 0, size))
	_, err := unzip(whole, body)
	return whole.Bytes(), err
}

// unzip writes what a body holds, and how many bytes that is.
func unzip(to io.Writer, body []byte) (int64, error) {
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(to, io.LimitReader(reader, maxBody+1))
	if n > maxBody {
		return n, &http.MaxBytesError{Limit: maxBody}
	}
	return n, err
}

func unreadable(err error) *refusal {
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return &refusal{http.StatusRequestEntityTooLarge, "the body has more than " + strconv.Itoa(maxBody) + " bytes; send fewer spans at a time"}
	case errors.Is(err, inbound.ErrSlow):
		return &refusal{http.StatusServiceUnavailable, "the body did not arrive in time; send it again"}
	case errors.Is(err, budget.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return busy()
	}
	return &refusal{http.StatusBadRequest, "the body cannot be read"}
}

func busy() *refusal {
	return &refusal{http.StatusServiceUnavailable, "too much arrives at a time; send it again"}
}
