package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// fault is a failure that may pass. After is how long the endpoint asked to be left alone; 0 where it did not say.
type fault struct {
	err   error
	after time.Duration
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// retry calls attempt until it succeeds, fails for good, or has had its turns. It gives up at once
// where the wait would outlast the context.
func (e *endpoint) retry(ctx context.Context, attempt func() error) error {
	backoff := e.options.Backoff
	for turn := 1; ; turn++ {
		err := attempt()
		var passing *fault
		if !errors.As(err, &passing) || turn == maxAttempts {
			return err
		}
		// Up to half as long again, so that callers who failed together do not return together.
		wait := max(passing.after, backoff+rand.N(backoff/2+1))
		backoff *= 2
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
			return err
		}
		select {
		case <-time.After(wait):
			if e.options.OnRetry != nil {
				e.options.OnRetry()
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// statusFault says what a refusal was, and whether it may pass. Of the body it repeats only the error
// code, as a message may quote the text or the key.
func (e *endpoint) statusFault(answer *http.Response) error {
	err := fmt.Errorf("the %s endpoint answered %s%s", e.name, answer.Status, errorCode(answer.Body))
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= http.StatusInternalServerError {
		return &fault{err: err, after: retryAfter(answer.Header.Get("Retry-After"))}
	}
	return err
}

var plainCode = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)

func errorCode(body io.Reader) string {
	var parsed struct {
		Error struct{ Code, Type any }
	}
	// Many servers answer errors in a form of their own; then the status alone must do.
	_ = json.NewDecoder(io.LimitReader(body, 16<<10)).Decode(&parsed)
	for _, candidate := range []any{parsed.Error.Code, parsed.Error.Type} {
		if code, ok := candidate.(string); ok && plainCode.MatchString(code) {
			return " (" + code + ")"
		}
	}
	return ""
}

// retryAfter reads both forms of the header (RFC 9110, section 10.2.3).
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds >= 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
