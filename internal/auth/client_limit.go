package auth

import (
	"net/http"
	"net/netip"
	"sync"

	"mneme/internal/inbound"
	"mneme/memory"
)

// ClientLimit bounds how many requests of one client are under way. It is for clients behind a proxy: of others the
// connections are bounded.
type ClientLimit struct {
	most    int
	proxies inbound.Proxies
	refused *inbound.RateLimitedWarning

	mu       sync.Mutex
	underWay map[netip.Prefix]int
}

// NewClientLimit allows most requests of one client at once; this machine is not limited.
func NewClientLimit(most int, proxies inbound.Proxies, refused *inbound.RateLimitedWarning) *ClientLimit {
	return &ClientLimit{most: most, proxies: proxies, refused: refused, underWay: map[netip.Prefix]int{}}
}

// Guard answers 429 to a client that has too many requests under way.
func (c *ClientLimit) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := c.proxies.Client(r)
		if client.IsLoopback() {
			next.ServeHTTP(w, r)
			return
		}
		network := inbound.Neighbourhood(client)
		if !c.enter(network) {
			c.refused.Warn("client", client.String())
			w.Header().Set("Retry-After", "1")
			refuse(w, r, http.StatusTooManyRequests, memory.CodeLimitExceeded, "too many requests at once")
			return
		}
		defer c.leave(network)
		next.ServeHTTP(w, r)
	})
}

func (c *ClientLimit) enter(network netip.Prefix) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.underWay[network] >= c.most {
		return false
	}
	c.underWay[network]++
	return true
}

func (c *ClientLimit) leave(network netip.Prefix) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.underWay[network]--; c.underWay[network] == 0 {
		delete(c.underWay, network)
	}
}
