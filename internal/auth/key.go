package auth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"mneme/memory"
	"mneme/memory/access"
)

// LeastKey is how many characters the server's own key must have where others can try to guess it.
const LeastKey = 16

// Keys finds out who asks by what is presented.
type Keys interface {
	// Find says whose a key is. It is UNAUTHENTICATED where it is nobody's or no longer good, and another *memory.Error
	// where that cannot be found out now.
	Find(ctx context.Context, presented string) (access.Caller, error)
	// Any says whether there are keys, good or not.
	Any(ctx context.Context) (bool, error)
}

// Door lets requests in that say who asks: by the header `Authorization: Bearer <key>` or `X-API-Key: <key>`.
type Door struct {
	// ServerKey is the server's own key, that of an admin of the default tenant; empty for none.
	ServerKey string
	// Keys are those that were made for others.
	Keys Keys
	// Tokens are those of an issuer; nil for none.
	Tokens *Tokens
	// OpenToThisMachine serves requests that name this machine as an admin's of the default tenant while there is no key
	// of any sort.
	OpenToThisMachine bool
	// Wrong slows down who tries keys.
	Wrong *WrongKeys
	Log   *slog.Logger
}

var (
	// operator is who has the server's own key.
	operator = access.Caller{Tenant: access.DefaultTenant, Role: access.Admin, Name: "MNEME_API_KEY"}
	// local is who asks from this machine while there is no key.
	local = access.Caller{Tenant: access.DefaultTenant, Role: access.Admin, Name: "local"}
)

// Guard hands on requests with who asks in their context (access.Of), and refuses all others: with 401 and
// UNAUTHENTICATED, those without a key by another name than this machine's with 403 and FORBIDDEN. Whoever answers for
// long can ask again (access.Recheck).
func (d *Door) Guard(next http.Handler) http.Handler {
	fromHere := RequireLoopbackHost(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		presented := presentedKey(r.Header)
		caller, err := d.find(r.Context(), presented)
		if err != nil {
			d.turnAway(w, r, presented, err, "")
			return
		}
		r = r.WithContext(access.WithRecheck(access.With(r.Context(), caller), func(ctx context.Context) error {
			_, err := d.find(ctx, presented)
			return err
		}))
		if caller == local {
			fromHere.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// turnAway answers a request of nobody who is known. The message is for who has no good key; empty is the error's own.
func (d *Door) turnAway(w http.ResponseWriter, r *http.Request, presented string, err error, message string) {
	known, ok := errors.AsType[*memory.Error](err)
	if !ok || known.Code != memory.CodeUnauthenticated {
		if errors.Is(err, errAway) {
			d.Wrong.slow(r) // as it may be a wrong one
		}
		d.unknown(w, r, err)
		return
	}
	if presented != "" {
		open, err := d.IsOpen(r.Context())
		if err != nil {
			d.unknown(w, r, err)
			return
		}
		d.Wrong.met(r)
		if open {
			message = "no key was made for this server: send none from this machine, or make one with mneme keys create"
		}
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="mneme"`)
	refuse(w, r, http.StatusUnauthorized, memory.CodeUnauthenticated, cmp.Or(message, known.Message))
}

// Page is Guard for pages that tell nothing of the memory: anyone may have them, but where there are no keys by a name
// of this machine only.
func (d *Door) Page(next http.Handler) http.Handler {
	fromHere := RequireLoopbackHost(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if open, err := d.IsOpen(r.Context()); err == nil && !open {
			next.ServeHTTP(w, r)
			return
		}
		fromHere.ServeHTTP(w, r)
	})
}

// IsOpen says whether this machine is served without a key. That ends with the first key that is made anywhere.
func (d *Door) IsOpen(ctx context.Context) (bool, error) {
	if !d.OpenToThisMachine || d.ServerKey != "" || d.Tokens != nil {
		return false, nil
	}
	asked, err := d.Keys.Any(ctx)
	return !asked, err
}

// find says who presents a key or a token. Who presents none is local while there is no key of any sort.
func (d *Door) find(ctx context.Context, presented string) (access.Caller, error) {
	if presented == "" {
		switch open, err := d.IsOpen(ctx); {
		case err != nil:
			return access.Caller{}, err
		case open:
			return local, nil
		}
		return access.Caller{}, &memory.Error{Code: memory.CodeUnauthenticated, Message: "this server asks for a key: send the header Authorization: Bearer <key>"}
	}
	if d.ServerKey != "" && same(presented, d.ServerKey) {
		return operator, nil
	}
	if d.Tokens != nil && IsToken(presented) {
		return d.Tokens.Find(ctx, presented)
	}
	return d.Keys.Find(ctx, presented)
}

// same compares digests, which have one length, so that the comparison does not tell how long the key is.
func same(presented, key string) bool {
	got, want := sha256.Sum256([]byte(presented)), sha256.Sum256([]byte(key))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// unknown answers where it cannot be found out who asks.
func (d *Door) unknown(w http.ResponseWriter, r *http.Request, err error) {
	known, ok := errors.AsType[*memory.Error](err)
	switch {
	case ok && known.Code == memory.CodeForbidden:
		refuse(w, r, http.StatusForbidden, known.Code, known.Message)
		return
	case ok && known.Code == memory.CodeUnavailable:
		if !errors.Is(err, errAway) { // which is logged once
			d.Log.WarnContext(r.Context(), "who asks cannot be found out now", "error", errors.Join(err, known.Cause))
		}
		w.Header().Set("Retry-After", "1")
		refuse(w, r, http.StatusServiceUnavailable, known.Code, known.Message)
		return
	}
	if r.Context().Err() == nil {
		d.Log.ErrorContext(r.Context(), "who asks could not be found out", "error", errors.Join(err, errors.Unwrap(err)))
	}
	refuse(w, r, http.StatusInternalServerError, memory.CodeInternal, "internal error")
}

func presentedKey(header http.Header) string {
	scheme, key, found := strings.Cut(header.Get("Authorization"), " ")
	if found && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(key)
	}
	return header.Get("X-API-Key")
}

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
