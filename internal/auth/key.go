package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"mneme/memory"
)

// LeastKey is how many characters a key must have where others can try to guess it.
const LeastKey = 16

// RequireKey lets a request through that presents the key as `Authorization: Bearer <key>` or as
// `X-API-Key: <key>`, and answers all others with 401 and UNAUTHENTICATED. A request without a key never
// passes, even where key is empty; one with a wrong key is slowed down.
func RequireKey(key string, wrong *WrongKeys, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(key))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		presented := presentedKey(r.Header)
		// Digests have one length, so that the comparison does not tell how long the key is.
		got := sha256.Sum256([]byte(presented))
		match := subtle.ConstantTimeCompare(got[:], want[:]) == 1
		switch {
		case presented == "":
			unauthenticated(w, r, "this server asks for a key: send the header Authorization: Bearer <key>")
		case !match:
			wrong.met(r)
			unauthenticated(w, r, "the key is not valid here")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func presentedKey(header http.Header) string {
	scheme, key, found := strings.Cut(header.Get("Authorization"), " ")
	if found && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(key)
	}
	return header.Get("X-API-Key")
}

func unauthenticated(w http.ResponseWriter, r *http.Request, message string) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="mneme"`)
	refuse(w, r, http.StatusUnauthorized, memory.CodeUnauthenticated, message)
}
