package inbound

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"mneme/internal/budget"
	"mneme/memory"
)

// MaxBody is the longest body that any path takes, in bytes.
const MaxBody = 16 << 20

// ErrSlow is the error of a body that does not arrive in time.
var ErrSlow = &memory.Error{Code: memory.CodeLimitExceeded, Message: "the body did not arrive in time"}

// Times say how long clients may take to send a body.
type Times struct {
	// Pause is the longest time in which nothing of it arrives.
	Pause time.Duration
	// Body is how long the whole of it may take.
	Body time.Duration
	// Rest is the longest pause in a body that nobody wants, and a tenth of the time that it has in all.
	Rest time.Duration
}

// DefaultTimes are those of a server.
var DefaultTimes = Times{Pause: 10 * time.Second, Body: time.Minute, Rest: time.Second}

// Guard gives each request a claim on the memory of all, which ends with its answer, and bounds the time of its body.
func Guard(memory *budget.Budget, times Times, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		claim := memory.Claim()
		r = r.WithContext(budget.With(r.Context(), claim))
		if r.Body == nil || r.Body == http.NoBody {
			arrived(r.Context())
		} else {
			guarded := &body{
				ReadCloser: r.Body, times: times, control: http.NewResponseController(w), began: time.Now(),
				arrived: func() { arrived(r.Context()) }, asks: strings.EqualFold(r.Header.Get("Expect"), "100-continue"),
			}
			defer guarded.finish()
			r.Body = guarded
		}
		defer claim.Release()
		next.ServeHTTP(w, r)
	})
}

// body is one body while it is read, by one goroutine.
type body struct {
	io.ReadCloser
	times   Times
	control *http.ResponseController
	began   time.Time
	arrived func()
	asks    bool // the client waits to be told to send it
	begun   bool // some of it was read
	err     error
}

func (b *body) Read(into []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	b.readUntil(b.times.Pause, b.began.Add(b.times.Body))
	n, err := b.ReadCloser.Read(into)
	b.begun = true
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = ErrSlow
	case errors.Is(err, io.EOF):
		// The server goes on reading, to learn that the client has left; a deadline that passes is taken for that.
		_ = b.control.SetReadDeadline(time.Time{})
		b.arrived()
	}
	b.err = err
	return n, err
}

// finish reads what nobody read as long as it comes on: a client that sends on while the connection is closed hears
// that it was reset, and not what it was answered.
func (b *body) finish() {
	if errors.Is(b.err, io.EOF) {
		return
	}
	end := time.Now().Add(10 * b.times.Rest)
	b.readUntil(b.times.Rest, end) // the server looks for an end, too
	if errors.Is(b.err, ErrSlow) || b.asks && !b.begun {
		return
	}
	unread := make([]byte, 32<<10)
	for left := MaxBody; left > 0; {
		b.readUntil(b.times.Rest, end)
		n, err := b.ReadCloser.Read(unread)
		if left -= n; err != nil {
			return
		}
	}
}

// readUntil sets the deadline; a connection that has none, as in tests, does without.
func (b *body) readUntil(pause time.Duration, end time.Time) {
	deadline := time.Now().Add(pause)
	if end.Before(deadline) {
		deadline = end
	}
	_ = b.control.SetReadDeadline(deadline)
}

// arrived notes that the request of a context is here as a whole: from then on the client waits for the server.
func arrived(ctx context.Context) {
	if conn, ok := ctx.Value(connectionKey{}).(*connection); ok { // not so in tests
		conn.comes.Store(false)
	}
}

// An answer must be taken within takeTime and a second more for each takePerSecond bytes of it.
const (
	takeTime      = 10 * time.Second
	takePerSecond = 512 << 10
)

// Answering gives back what the request of a context has of the memory but for its answer of so many bytes, and breaks
// the answer off where the client does not take it in time: others may need that memory.
func Answering(ctx context.Context, w http.ResponseWriter, bytes int) {
	budget.Of(ctx).Keep(int64(bytes))
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(takeTime + time.Duration(bytes)*time.Second/takePerSecond))
}
