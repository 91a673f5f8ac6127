package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mneme/internal/budget"
	"mneme/internal/inbound"
)

// take reads a body and unpacks it, once there is memory to decode it and to keep what it says.
func take(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding")))
	if !slices.Contains([]string{"", "identity", "gzip"}, encoding) {
		return nil, &refusal{http.StatusUnsupportedMediaType, "the body may be packed by gzip only"}
	}
	body, err := inbound.Read(w, r, maxBody, workOf)
	if err == nil {
		body, err = unpack(r.Context(), body, encoding == "gzip")
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

// unreadable says why a body is not read or decoded.
func unreadable(err error) *refusal {
	var tooLong *http.MaxBytesError
	switch {
	case errors.Is(err, errMalformed):
		return &refusal{http.StatusBadRequest, err.Error()}
	case errors.Is(err, errTooMany):
		return &refusal{http.StatusRequestEntityTooLarge, err.Error()}
	case errors.As(err, &tooLong):
		return &refusal{http.StatusRequestEntityTooLarge, "the body has more than " + strconv.Itoa(maxBody) + " bytes; send fewer spans at a time"}
	case errors.Is(err, inbound.ErrSlow):
		return &refusal{http.StatusServiceUnavailable, "the body did not arrive in time; send it again"}
	case errors.Is(err, budget.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &refusal{http.StatusServiceUnavailable, "too much arrives at a time; send it again"}
	}
	return &refusal{http.StatusBadRequest, "the body cannot be read"}
}
