package auth

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"mneme/memory"
)

// RequireLoopbackHost lets a request through that names this machine in its Host header, and answers
// all others with 403 and FORBIDDEN. It is for a server without a key: a web page whose own name was
// rebound to 127.0.0.1 would otherwise read the memory through the visitor's browser.
func RequireLoopbackHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !IsLoopback(r.Host) {
			refuse(w, r, http.StatusForbidden, memory.CodeForbidden,
				"without a key this server answers only to localhost; set MNEME_API_KEY to reach it by another name")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// IsLoopback says whether a host, with or without a port, names this machine only: localhost, a name
// under it, or a loopback address. An empty host is every interface, so it is not.
func IsLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
