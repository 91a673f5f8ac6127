package auth

import (
	"net/http"

	"mneme/memory"
)

// RequireSameOrigin refuses what a page of another site sends in the name of who looks at it, with 403 and
// FORBIDDEN. Reading counts too, since it raises how often a record was accessed: a GET is held to the same as a
// POST. Programs, which send neither Origin nor Sec-Fetch-Site, pass, and so do pages of the allowed origins
// (https://host:port).
func RequireSameOrigin(next http.Handler, allowed ...string) http.Handler {
	protection := http.NewCrossOriginProtection()
	for _, origin := range allowed {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			panic("auth: " + err.Error()) // the configuration has checked them
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := *r
		asked.Method = http.MethodPost // the protection lets all reading pass
		if protection.Check(&asked) != nil {
			refuse(w, r, http.StatusForbidden, memory.CodeForbidden, "pages of other sites may not ask this server")
			return
		}
		next.ServeHTTP(w, r)
	})
}
