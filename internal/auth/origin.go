package auth

import (
	"net/http"

	"mneme/memory"
)

// RequireSameOrigin refuses, with 403 and FORBIDDEN, what a page of another site sends through the browser of its
// visitor. A GET is treated as a POST, since reading raises how often a record was accessed. Programs, which send
// neither Origin nor Sec-Fetch-Site, pass, and so do pages of the allowed origins (https://host:port).
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
