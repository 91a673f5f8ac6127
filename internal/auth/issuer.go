package auth

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/time/rate"

	"mneme/memory"
)

const (
	// keysAge is after which time an issuer's keys are read anew, so that one that was withdrawn ends, and issuerPause
	// after which one that could not be asked is asked again.
	keysAge, issuerPause = 5 * time.Minute, 10 * time.Second
	// issuerTime is how long an issuer may take for an answer.
	issuerTime = 5 * time.Second
	// maxOfIssuer is how many bytes of an answer of an issuer are read.
	maxOfIssuer = 1 << 20
)

// issuer knows the keys by which an OpenID Connect provider signs. What it knows stays while the provider is away.
type issuer struct {
	url    string
	client *http.Client
	limit  *rate.Limiter
	log    *slog.Logger
	// asked is closed once the provider was asked for the first time, and again asks for that before its time.
	asked chan struct{}
	again chan struct{}
	// waiting has a place for each that waits for the provider.
	waiting chan struct{}

	mu   sync.Mutex
	keys oidc.KeySet // nil until they could be read
	away bool
}

func newIssuer(url string, log *slog.Logger) *issuer {
	limit := rate.NewLimiter(rate.Every(time.Second), 5)
	return &issuer{
		url: url, limit: limit, log: log, asked: make(chan struct{}), again: make(chan struct{}, 1), waiting: make(chan struct{}, waitingAtOnce),
		client: &http.Client{Timeout: issuerTime, CheckRedirect: sameOrigin, Transport: &considerate{next: http.DefaultTransport, limit: limit}},
	}
}

// sameOrigin follows no redirect to another origin: whoever can have an issuer redirect would say whose keys are good.
func sameOrigin(r *http.Request, before []*http.Request) error {
	if first := before[0].URL; r.URL.Scheme != first.Scheme || r.URL.Host != first.Host {
		return fmt.Errorf("it redirects to another origin, %s://%s", r.URL.Scheme, r.URL.Host)
	}
	return nil
}

// run reads the keys now and again until the context ends.
func (i *issuer) run(ctx context.Context) {
	for first := true; ; first = false {
		wait := keysAge
		if err := i.read(ctx); err != nil {
			wait = issuerPause
		}
		if first {
			close(i.asked)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		case <-i.again:
		}
	}
}

// read asks the provider where its keys are, and for them. Where it fails, what is known stays.
func (i *issuer) read(ctx context.Context) error {
	keys, err := i.discover(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case err != nil && !i.away:
		i.log.WarnContext(ctx, "the issuer of tokens cannot be asked for its keys; tokens by keys that are not known yet are answered UNAVAILABLE", "issuer", i.url, "error", err)
	case err == nil && i.away:
		i.log.InfoContext(ctx, "the issuer of tokens can be asked for its keys again", "issuer", i.url)
	}
	if i.away = err != nil; !i.away {
		i.keys = keys
	}
	return err
}

// probe has the form of a token, and no key signed it.
const probe = "eyJhbGciOiJSUzI1NiJ9.e30.AA"

func (i *issuer) discover(ctx context.Context) (oidc.KeySet, error) {
	ctx = oidc.ClientContext(ctx, i.client)
	provider, err := oidc.NewProvider(ctx, i.url)
	if err != nil {
		return nil, err
	}
	var told struct {
		URL string `json:"jwks_uri"`
	}
	if err := provider.Claims(&told); err != nil {
		return nil, err
	}
	keys := oidc.NewRemoteKeySet(ctx, told.URL)
	// The set reads its keys with the first token. Those of before must not go where these cannot be read.
	if _, err := keys.VerifySignature(ctx, probe); notRead(err) {
		return nil, err
	}
	return keys, nil
}

// notRead says whether a token was not verified for want of keys to do it with. The library has no type for that.
func notRead(err error) bool { return err != nil && strings.HasPrefix(err.Error(), "fetching keys") }

// errAway is where an issuer's keys are not known. Why is in the log, once.
var errAway = &memory.Error{Code: memory.CodeUnavailable, Message: "the issuer of tokens cannot be asked for its keys; try again"}

// VerifySignature returns what a token says that one of the keys signed. Where none of them did they are read anew,
// since the issuer may have a new one: its error is errAway where that fails, too.
func (i *issuer) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	select {
	case <-i.asked:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	i.mu.Lock()
	keys := i.keys
	i.mu.Unlock()
	if keys == nil {
		return nil, errAway
	}
	payload, err := keys.VerifySignature(over, token)
	if err == nil {
		return payload, nil
	}
	select {
	case i.waiting <- struct{}{}:
		payload, err = keys.VerifySignature(ctx, token)
		<-i.waiting
	default: // each that waits keeps a connection from others
		return nil, errAway
	}
	if ctx.Err() != nil || !notRead(err) {
		return payload, err
	}
	select {
	case i.again <- struct{}{}: // which tells of it
	default:
	}
	return nil, errAway
}

// over is a context with no time to ask for keys that are not known.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// considerate asks no faster than its limit, however many tokens of unknown keys come; over https, but of this machine;
// and reads no endless answer.
type considerate struct {
	next  http.RoundTripper
	limit *rate.Limiter
}

// RoundTrip waits for its turn.
func (c *considerate) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && !IsLoopback(r.URL.Host) {
		return nil, fmt.Errorf("%s://%s is not reached by https", r.URL.Scheme, r.URL.Host)
	}
	if err := c.limit.Wait(r.Context()); err != nil {
		return nil, err
	}
	answer, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = http.MaxBytesReader(nil, answer.Body, maxOfIssuer)
	return answer, nil
}
