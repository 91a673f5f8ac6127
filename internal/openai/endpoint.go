package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The limits of an endpoint.
const (
	// maxConcurrent is the number of requests under way at a time, over all callers.
	maxConcurrent = 4
	maxAttempts   = 3
)

// Options says where an endpoint is.
type Options struct {
	// URL is the base of the API ("https://api.openai.com/v1") or the whole address.
	URL string
	// Model is the model's name at the endpoint.
	Model string
	// Key is sent as a bearer token; empty sends none, as local servers need none.
	Key string
	// Backoff is the wait before the first retry, which doubles; 0 is 250 milliseconds.
	Backoff time.Duration
	// OnRetry is told of each request that is sent again; nil for nobody. It must not wait.
	OnRetry func()
}

// Endpoint is one address of an API. It is safe for concurrent use, and its errors hold neither a key nor a text.
type Endpoint struct {
	options Options
	name    string // of the endpoint in errors
	address string
	http    *http.Client
	slots   chan struct{}
}

// NewEndpoint makes the endpoint of a path such as "embeddings", or says which option is at fault; the
// name is for its errors ("embeddings"). It does not connect.
func NewEndpoint(name, path string, options Options) (*Endpoint, error) {
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
	if options.Backoff == 0 {
		options.Backoff = 250 * time.Millisecond
	}
	return &Endpoint{
		options: options, name: name, address: u.String(),
		slots: make(chan struct{}, maxConcurrent),
		// Following a redirect would carry the texts to a host that nobody configured.
		http: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}

// Model is the model's name, which requests carry.
func (e *Endpoint) Model() string { return e.options.Model }

// Post sends a request and decodes the answer, of which it reads at most limit bytes; accept takes it or
// says what is wrong with it. It holds one of the endpoint's slots, and tries again where the endpoint is
// busy or failing, as long as the context lasts.
func Post[T any](ctx context.Context, e *Endpoint, request any, limit int64, accept func(T) error) error {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	return e.retry(ctx, func() error {
		var answer T
		if err := e.post(ctx, body, limit, &answer); err != nil {
			return err
		}
		return accept(answer)
	})
}

// post makes one attempt. Its errors are *fault where trying again may help.
func (e *Endpoint) post(ctx context.Context, body []byte, limit int64, into any) error {
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
func (e *Endpoint) transportFault(ctx context.Context, err error) error {
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
func (e *Endpoint) read(ctx context.Context, body io.Reader, limit int64, into any) error {
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
