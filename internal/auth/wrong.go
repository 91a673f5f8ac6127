package auth

import (
	"net/http"
	"net/netip"
	"time"

	"golang.org/x/time/rate"

	"mneme/internal/inbound"
)

// The answer to a wrong key waits, once a client has sent some: by a second for each that it is ahead of one a second.
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
	clients *rates[netip.Prefix]
	waiting chan struct{}
	wait    func(time.Duration) // also for a client that has left, whose next connection would be a faster way to ask
}

// NewWrongKeys trusts proxies to name the clients whose requests they pass on.
func NewWrongKeys(proxies inbound.Proxies, warning *inbound.RateLimitedWarning) *WrongKeys {
	return &WrongKeys{
		proxies: proxies, warning: warning,
		clients: newRates[netip.Prefix](wrongKeyClients, rate.Every(time.Second), wrongKeysFree),
		waiting: make(chan struct{}, waitingAtOnce), wait: time.Sleep,
	}
}

// met logs a wrong key of a request, and slows its answer.
func (k *WrongKeys) met(r *http.Request) {
	k.warning.Warn("client", k.proxies.Client(r).String())
	k.slow(r)
}

// slow counts a request that was not let in, and waits as long as its answer is due to wait.
func (k *WrongKeys) slow(r *http.Request) {
	due := min(longestWait, k.clients.due(inbound.Neighbourhood(k.proxies.Client(r)), longestWait))
	if due == 0 {
		return
	}
	select {
	case k.waiting <- struct{}{}:
		defer func() { <-k.waiting }()
		k.wait(due)
	default:
	}
}
