package auth

import (
	"net/http"
	"net/netip"
	"sync"

	"mneme/internal/inbound"
	"mneme/memory"
)

// Crowd bounds how many requests of one client are under way. For those that come without a proxy the bound of
// their connections says the same.
type Crowd struct {
	most    int
	proxies inbound.Proxies
	refused *inbound.RateLimitedWarning

	mu       sync.Mutex
	underWay map[netip.Prefix]int
}

// NewCrowd allows most requests of one client at once; this machine asks as it pleases.
func NewCrowd(most int, proxies inbound.Proxies, refused *inbound.RateLimitedWarning) *Crowd {
	return &Crowd{most: most, proxies: proxies, refused: refused, underWay: map[netip.Prefix]int{}}
}

// Guard answers 429 to a client that has too many requests under way.
func (c *Crowd) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := c.proxies.Client(r)
		if client.IsLoopback() {
			next.ServeHTTP(w, r)
			return
		}
		network := inbound.Neighbourhood(client)
		if !c.enter(network) {
			c.refused.Warn(client)
			w.Header().Set("Retry-After", "1")
			refuse(w, r, http.StatusTooManyRequests, memory.CodeLimitExceeded, "too many requests at once")
			return
		}
		defer c.leave(network)
		next.ServeHTTP(w, r)
	})
}

func (c *Crowd) enter(network netip.Prefix) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.underWay[network] >= c.most {
		return false
	}
	c.underWay[network]++
	return true
}

func (c *Crowd) leave(network netip.Prefix) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.underWay[network]--; c.underWay[network] == 0 {
		delete(c.underWay, network)
	}
}
