package auth

import (
	"net/http"

	"mneme/memory"
)

// Operator is Guard for what spans all tenants: it is told to who has the server's own key, and to this machine while
// there is no key of any sort. No key of a tenant opens it, nor a token.
func (d *Door) Operator(next http.Handler) http.Handler {
	fromHere := RequireLoopbackHost(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		presented := presentedKey(r.Header)
		switch caller, err := d.find(r.Context(), presented); {
		case err != nil:
			d.turnAway(w, r, presented, err, "this is of all tenants: send MNEME_API_KEY as the header Authorization: Bearer <key>")
		case caller == local:
			fromHere.ServeHTTP(w, r)
		case caller == operator:
			next.ServeHTTP(w, r)
		default:
			refuse(w, r, http.StatusForbidden, memory.CodeForbidden, "this is of all tenants, and no key of a tenant opens it; send MNEME_API_KEY")
		}
	})
}
