package auth

import (
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"mneme/internal/inbound"
)

// The answer to a wrong key waits, once a client has sent some: by a second for each that it is ahead of one a
// second.
const (
	wrongKeysFree   = 10
	longestWait     = 2 * time.Second
	wrongKeyClients = 4096 // are remembered, those that were seen last
	waitingAtOnce   = 256  // answers; beyond that they do not wait, as waiting takes connections from others
)

// WrongKeys slows down clients that try keys, and logs them. A right key is never slowed: others may come from the same
// address.
type WrongKeys struct {
	proxies inbound.Proxies
	warning *inbound.RateLimitedWarning
	clients *lru.Cache[netip.Prefix, *rate.Limiter]
	waiting chan struct{}
	now     func() time.Time
	wait    func(time.Duration) // also for a client that has left, whose next connection would be a faster way to ask
}

// Counted has each wrong key told to a function, which must not wait.
func (k *WrongKeys) Counted(count func()) *WrongKeys {
	k.warning.Counted(count)
	return k
}

// NewWrongKeys trusts proxies to name the clients whose requests they pass on.
func NewWrongKeys(log *slog.Logger, proxies inbound.Proxies) *WrongKeys {
	clients, err := lru.New[netip.Prefix, *rate.Limiter](wrongKeyClients)
	if err != nil {
		panic("auth: " + err.Error()) // only a size below 1 is an error
	}
	return &WrongKeys{
		proxies: proxies, warning: inbound.NewRateLimitedWarning(log, "wrong keys were presented", 10*time.Second), clients: clients,
		waiting: make(chan struct{}, waitingAtOnce), now: time.Now, wait: time.Sleep,
	}
}

// met logs a wrong key of a request, and slows its answer.
func (k *WrongKeys) met(r *http.Request) {
	k.warning.Warn(k.proxies.Client(r))
	k.slow(r)
}

// slow counts a request that was not let in, and waits as long as its answer is due to wait.
func (k *WrongKeys) slow(r *http.Request) {
	due := k.due(inbound.Neighbourhood(k.proxies.Client(r)))
	if due == 0 {
		return
	}
	select {
	case k.waiting <- struct{}{}:
		defer func() { <-k.waiting }()
		_ = inbound.Waiting(r.Context(), func() error { // its connection can make room for another
			k.wait(due)
			return nil
		})
	default:
	}
}

func (k *WrongKeys) due(client netip.Prefix) time.Duration {
	fresh := rate.NewLimiter(rate.Every(time.Second), wrongKeysFree)
	limiter, known, _ := k.clients.PeekOrAdd(client, fresh)
	if !known {
		limiter = fresh
	}
	k.clients.Get(client) // was used last
	now := k.now()
	turn := limiter.ReserveN(now, 1)
	due := turn.DelayFrom(now)
	if due > longestWait {
		turn.CancelAt(now)
		due = longestWait
	}
	return due
}
