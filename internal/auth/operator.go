package auth

import (
	"errors"
	"net/http"

	"mneme/memory"
)

// Operator is Guard for what spans all tenants: it is told to who has the server's own key, and to this machine while there is
// no key of any sort. No key of a tenant opens it, nor a token.
func (d *Door) Operator(next http.Handler) http.Handler {
	fromHere := RequireLoopbackHost(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		presented := presentedKey(r.Header)
		if d.ServerKey != "" && presented != "" && same(presented, d.ServerKey) {
			next.ServeHTTP(w, r)
			return
		}
		switch open, err := d.IsOpen(r.Context()); {
		case err != nil:
			d.unknown(w, r, err)
			return
		case open:
			fromHere.ServeHTTP(w, r)
			return
		}
		_, err := d.find(r.Context(), presented)
		known, is := errors.AsType[*memory.Error](err)
		switch {
		case err == nil:
			refuse(w, r, http.StatusForbidden, memory.CodeForbidden, "this is of all tenants, and no key of a tenant opens it; send MNEME_API_KEY")
		case is && known.Code == memory.CodeUnauthenticated:
			if presented != "" {
				d.Wrong.met(r)
			}
			unauthenticated(w, r, "this is of all tenants: send MNEME_API_KEY as the header Authorization: Bearer <key>")
		default:
			if errors.Is(err, errAway) {
				d.Wrong.slow(r)
			}
			d.unknown(w, r, err)
		}
	})
}
