package auth

import (
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"golang.org/x/time/rate"

	"mneme/internal/inbound"
	"mneme/memory"
	"mneme/memory/access"
)

// limitedKeys is how many keys are counted for, those that were used last. One that is forgotten begins anew.
const limitedKeys = 16384

// KeyLimit bounds how many requests a second are made with one key, in this process.
type KeyLimit struct {
	perSecond int
	refused   *inbound.RateLimitedWarning
	proxies   inbound.Proxies
	keys      *rates[string]
}

// NewKeyLimit allows each key perSecond requests a second on average, and twice as many at once. Without any key there
// is no limit.
func NewKeyLimit(perSecond int, proxies inbound.Proxies, refused *inbound.RateLimitedWarning) *KeyLimit {
	return &KeyLimit{
		perSecond: perSecond, refused: refused, proxies: proxies, keys: newRates[string](limitedKeys, rate.Limit(perSecond), max(perSecond, 2*perSecond)),
	}
}

// Guard answers 429 to a key that has used up what it may, and says in Retry-After after how many seconds it may ask
// again. What is asked over a connection that stays takes its turns by access.Turn.
func (k *KeyLimit) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, client := access.Of(r.Context()), k.proxies.Client(r)
		wait, refused := k.turn(caller, client, 0)
		if refused == nil {
			next.ServeHTTP(w, r.WithContext(access.WithTurns(r.Context(), func(most time.Duration) (time.Duration, *memory.Error) {
				return k.turn(caller, client, most)
			})))
			return
		}
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		refuse(w, r, http.StatusTooManyRequests, refused.Code, refused.Message)
	})
}

// turn counts a request that can wait for so long, or refuses it. It says how long the wait is.
func (k *KeyLimit) turn(caller access.Caller, client netip.Addr, most time.Duration) (time.Duration, *memory.Error) {
	if caller.Name == local.Name {
		return 0, nil
	}
	wait := k.keys.due(caller.Tenant+" "+caller.Name, most)
	if wait <= most {
		return wait, nil
	}
	k.refused.Warn("client", client.String())
	return wait, &memory.Error{Code: memory.CodeLimitExceeded, Message: fmt.Sprintf("this key asks too often: at most %d requests a second; try again later", k.perSecond)}
}
