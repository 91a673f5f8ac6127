package inbound

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"mneme/memory"
)

// MaxBody is the longest body that any path takes, in bytes.
const MaxBody = 16 << 20

// freeBody is how much of each body is read whatever is held of others, so that large bodies, which wait for one
// another, never keep a small one waiting.
const freeBody = 64 << 10

// headway is how much of a body must come until it counts as coming on, so that one that trickles does not.
const headway = 4 << 10

// What is built of bodies at once may weigh heldWeight, as much as one that is as heavy as it may be. What
// weighs less than lightBody never waits.
const (
	heldWeight = MaxWeight
	lightBody  = 50_000
)

var (
	errSlow = &memory.Error{Code: memory.CodeLimitExceeded, Message: "the body did not arrive in time"}
	errBusy = &memory.Error{Code: memory.CodeUnavailable, Message: "too many large bodies at once; try again"}
)

// Times say how long clients may take to send a body. Zero means the default named with each.
type Times struct {
	// Pause is the longest time in which nothing of it arrives; 10 s.
	Pause time.Duration
	// Body is how long the whole of it may take; 60 s.
	Body time.Duration
	// Wait is how long a large body waits for others, before more of it is read; 20 s.
	Wait time.Duration
	// Answer is how long the request may take once its body is there; 120 s.
	Answer time.Duration
	// Rest is the longest time in which the rest of a body that nobody wants does not come on, before the connection is
	// closed, and a tenth of what that may take in all; 1 s.
	Rest time.Duration
}

func (t Times) withDefaults() Times {
	for _, part := range []struct {
		set       *time.Duration
		otherwise time.Duration
	}{
		{&t.Pause, 10 * time.Second},
		{&t.Body, time.Minute},
		{&t.Wait, 20 * time.Second},
		{&t.Answer, 2 * time.Minute},
		{&t.Rest, time.Second},
	} {
		if *part.set == 0 {
			*part.set = part.otherwise
		}
	}
	return t
}

// Bodies bounds how much of the bodies of all requests is held at once, and how long each may take to arrive.
type Bodies struct {
	held  *semaphore.Weighted // bytes
	built *semaphore.Weighted // weight
	times Times
}

// NewBodies allows so many bytes of large bodies at once; at least MaxBody, or a body could wait for ever.
func NewBodies(bytes int64, times Times) *Bodies {
	return &Bodies{held: semaphore.NewWeighted(max(bytes, MaxBody)), built: semaphore.NewWeighted(heldWeight), times: times.withDefaults()}
}

// Guard hands requests on whose bodies keep to the bounds. A large one is let in as a whole, so that those that
// are under way finish; what it takes is given back when the request has its answer.
func (b *Bodies) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		guarded := &body{
			ReadCloser: r.Body, bodies: b, ctx: r.Context(), control: http.NewResponseController(w), began: time.Now(), length: r.ContentLength,
			asks: strings.EqualFold(r.Header.Get("Expect"), "100-continue"),
		}
		defer guarded.finish()
		r = r.WithContext(context.WithValue(r.Context(), bodyKey{}, guarded))
		r.Body = guarded
		next.ServeHTTP(w, r)
		if ended(r.Context()) {
			panic(http.ErrAbortHandler) // or the server would keep what the request took for a while, for its client to take the answer
		}
	})
}

// body is one body while it is read, by one goroutine.
type body struct {
	io.ReadCloser
	bodies  *Bodies
	ctx     context.Context // of the request that the body belongs to
	control *http.ResponseController
	began   time.Time
	length  int64 // as announced, -1 where it was not
	asks    bool  // the client waits to be told to send it
	read    int64
	noted   int64 // of what was read when it last came on
	taken   int64 // of what may be held at once
	weight  int64 // of what is built of it
	err     error // what the body ended with
}

// bodyKey is for the body of the request in whose context it is.
type bodyKey struct{}

// Admit lets a request wait whose body has a weight, while what others are built of is too much together. It gives
// the status and the error to refuse it with.
func Admit(w http.ResponseWriter, r *http.Request, weight int) (int, *memory.Error) {
	guarded, ok := r.Context().Value(bodyKey{}).(*body)
	if !ok || weight < lightBody {
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), guarded.bodies.times.Wait)
	defer cancel()
	if Waiting(ctx, func() error { return guarded.bodies.built.Acquire(ctx, int64(weight)) }) != nil {
		return busy(w)
	}
	guarded.weight = int64(weight)
	return 0, nil
}

// busy asks the client to try again.
func busy(w http.ResponseWriter) (int, *memory.Error) {
	w.Header().Set("Retry-After", "5")
	return http.StatusServiceUnavailable, errBusy
}

func (b *body) Read(into []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.taken == 0 {
		if b.read >= freeBody && !b.take() {
			b.err = errBusy
			return 0, b.err
		}
		if b.taken == 0 {
			into = into[:min(int64(len(into)), freeBody-b.read)]
		}
	}
	times, now := b.bodies.times, time.Now()
	b.readUntil(earlier(now.Add(times.Pause), b.began.Add(times.Body)))
	n, err := b.ReadCloser.Read(into)
	b.read += int64(n)
	if b.read-b.noted >= headway {
		b.noted = b.read
		arriving(b.ctx, true)
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errSlow
	case errors.Is(err, io.EOF):
		// The server goes on reading, to learn that the client has left; a deadline that passes is taken for that.
		b.readUntil(time.Now().Add(times.Answer))
		arriving(b.ctx, false)
	}
	b.err = err
	return n, err
}

// take waits until the rest of the body may be held. The wait is none of the client's time.
func (b *body) take() bool {
	from := time.Now()
	ctx, cancel := context.WithTimeout(b.ctx, b.bodies.times.Wait)
	defer cancel()
	bytes := int64(MaxBody)
	if b.length >= 0 {
		bytes = min(max(b.length, 1), MaxBody)
	}
	if Waiting(ctx, func() error { return b.bodies.held.Acquire(ctx, bytes) }) != nil {
		return false
	}
	b.taken = bytes
	b.began = b.began.Add(time.Since(from))
	return true
}

// finish gives back what the body took, and reads what nobody read as long as it comes on: a client that sends on while the connection
// is closed hears that this was reset, and not what it was answered. Whoever was too slow already is not waited for again.
func (b *body) finish() {
	b.bodies.held.Release(b.taken)
	b.bodies.built.Release(b.weight)
	if errors.Is(b.err, io.EOF) {
		return
	}
	rest := b.bodies.times.Rest
	pause, end := time.Now().Add(rest), time.Now().Add(10*rest)
	b.readUntil(pause) // the server looks for an end, too
	if errors.Is(b.err, errSlow) {
		return
	}
	unread := make([]byte, 32<<10)
	for left, noted := MaxBody, MaxBody; left > 0 && (b.read > 0 || !b.asks); {
		b.readUntil(earlier(pause, end))
		n, err := b.ReadCloser.Read(unread)
		if left -= n; err != nil {
			return
		}
		if noted-left >= headway {
			noted, pause = left, time.Now().Add(rest)
		}
	}
}

// readUntil sets the deadline; a connection that has none, as in tests, does without.
func (b *body) readUntil(deadline time.Time) { _ = b.control.SetReadDeadline(deadline) }

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
