package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sony/gobreaker/v2"
)

// The limits of an endpoint.
const (
	// maxConcurrent is the number of requests under way at a time, over all callers.
	maxConcurrent = 4
	maxAttempts   = 3
	// callsInVain is after how many an endpoint is left alone.
	callsInVain = 3
)

// Options says where an endpoint is.
type Options struct {
	// URL is the base of the API ("https://api.openai.com/v1") or the whole address.
	URL string
	// Model is the model's name at the endpoint.
	Model string
	// Key is sent as a bearer token; empty sends none, as local servers need none.
	Key string
	// Dimensions is how long the vectors of an embedder must be, and are asked to be; 0 takes what comes.
	Dimensions int
	// Timeout bounds a whole call of a client, retries included; 0 is 20 seconds.
	Timeout time.Duration
	// Backoff is the wait before the first retry, which doubles; 0 is 250 milliseconds.
	Backoff time.Duration
	// Rest is how long an endpoint that does not answer is left alone, until one call asks again; 0 is 30 seconds.
	Rest time.Duration
	// OnRetry is told of each request that is sent again; nil for nobody. It must not wait.
	OnRetry func()
	// OnAway is told when the endpoint is left alone because it did not answer, and when it answers again; nil for nobody.
	OnAway func(away bool)
	// Around makes each call of a client, retries included, such as to measure it; nil only makes it.
	Around func(ctx context.Context, call func(context.Context) error) error
}

// ErrAway is that of an endpoint that did not answer several times, and is left alone for a while.
var ErrAway = errors.New("the endpoint does not answer, and is left alone for a while")

// endpoint is one address of an API. It is safe for concurrent use, and its errors hold neither a key nor a text.
type endpoint struct {
	options Options // with the defaults of what was left out
	name    string  // of the endpoint in errors
	address string
	http    *http.Client
	slots   chan struct{}
	breaker *gobreaker.CircuitBreaker[struct{}]
}

// newEndpoint makes the endpoint of a path such as "embeddings", or says which option is at fault; the
// name is for its errors ("embeddings"). It does not connect.
func newEndpoint(name, path string, options Options) (*endpoint, error) {
	u, err := url.Parse(options.URL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("the address of the %s endpoint must be an http or https URL", name)
	}
	if !strings.HasSuffix(u.Path, "/"+path) {
		u = u.JoinPath(path)
	}
	if options.Model == "" {
		return nil, fmt.Errorf("the %s endpoint's model has no name", name)
	}
	options.Backoff, options.Timeout = cmp.Or(options.Backoff, 250*time.Millisecond), cmp.Or(options.Timeout, 20*time.Second)
	if options.OnAway == nil {
		options.OnAway = func(bool) {}
	}
	if options.Around == nil {
		options.Around = func(ctx context.Context, call func(context.Context) error) error { return call(ctx) }
	}
	return &endpoint{
		breaker: gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
			Timeout:      cmp.Or(options.Rest, 30*time.Second),
			ReadyToTrip:  func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= callsInVain },
			IsSuccessful: func(err error) bool { return !isOutage(err) },
			IsExcluded:   func(err error) bool { return errors.Is(err, errNoSlot) || errors.Is(err, context.Canceled) },
			OnStateChange: func(_ string, from, to gobreaker.State) {
				if from == gobreaker.StateClosed || to == gobreaker.StateClosed {
					options.OnAway(to != gobreaker.StateClosed)
				}
			},
		}),
		options: options, name: name, address: u.String(),
		slots: make(chan struct{}, maxConcurrent),
		// Following a redirect would carry the texts to a host that nobody configured.
		http: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}

// call makes a whole call of a client, retries included, within its time.
func (e *endpoint) call(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, e.options.Timeout)
	defer cancel()
	return e.options.Around(ctx, do)
}

// errNoSlot is that of a call that had no time left when its turn came, which says nothing of the endpoint.
var errNoSlot = errors.New("too many calls are under way")

// isOutage says whether an error is that of an endpoint that gave no answer, or none of its own.
func isOutage(err error) bool {
	var passing *fault
	return errors.As(err, &passing) || errors.Is(err, context.DeadlineExceeded)
}

// post sends a request and decodes the answer, of which it reads at most limit bytes; accept takes it or
// says what is wrong with it. It holds one of the endpoint's slots, and tries again where the endpoint is
// busy or failing, as long as the context lasts. While the endpoint is left alone it is ErrAway.
func post[T any](ctx context.Context, e *endpoint, request any, limit int64, accept func(T) error) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	_, err = e.breaker.Execute(func() (struct{}, error) {
		select {
		case e.slots <- struct{}{}:
			defer func() { <-e.slots }()
		case <-ctx.Done():
			return struct{}{}, errors.Join(errNoSlot, context.Cause(ctx))
		}
		return struct{}{}, e.retry(ctx, func() error {
			var answer T
			if err := e.send(ctx, body, limit, &answer); err != nil {
				return err
			}
			return accept(answer)
		})
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return ErrAway
	}
	return err
}

// send makes one attempt. Its errors are *fault where trying again may help.
func (e *endpoint) send(ctx context.Context, body []byte, limit int64, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if e.options.Key != "" {
		request.Header.Set("Authorization", "Bearer "+e.options.Key)
	}
	answer, err := e.http.Do(request)
	if err != nil {
		return e.transportFault(ctx, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return e.statusFault(answer)
	}
	return e.read(ctx, answer.Body, limit, into)
}

// transportFault leaves the address out of the error, since it may carry a key in its query.
func (e *endpoint) transportFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &fault{err: fmt.Errorf("the %s endpoint cannot be reached: %w", e.name, err)}
}

// read takes an answer apart, of which no more is read than such an answer can be long.
func (e *endpoint) read(ctx context.Context, body io.Reader, limit int64, into any) error {
	limited := &io.LimitedReader{R: body, N: limit}
	if err := json.NewDecoder(limited).Decode(into); err != nil {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case limited.N <= 0:
			return fmt.Errorf("the %s endpoint's answer is too large", e.name)
		case errors.Is(err, io.ErrUnexpectedEOF):
			return &fault{err: fmt.Errorf("the %s endpoint's answer breaks off", e.name)}
		}
		return fmt.Errorf("the %s endpoint's answer is not what the protocol says", e.name)
	}
	return nil
}
