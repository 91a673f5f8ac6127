package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/rs/cors"

	"mneme/memory"
)

// ParseOrigins reads origins with commas between them. Each stands as browsers send it: https://app.example.com, in
// lower case and without the usual port, a path or a slash at its end. There is no wildcard.
func ParseOrigins(text string) ([]string, error) {
	var origins []string
	for _, part := range strings.Split(text, ",") {
		origin := strings.TrimSpace(part)
		read, err := url.Parse(origin)
		if err != nil || read.Host == "" || origin != read.Scheme+"://"+read.Host || strings.ContainsAny(origin, "*@") ||
			origin != strings.ToLower(origin) || usualPort[read.Scheme] != "" && read.Port() == usualPort[read.Scheme] {
			return nil, fmt.Errorf("%q is no origin", origin)
		}
		origins = append(origins, origin)
	}
	return origins, nil
}

// usualPort is the port of a scheme that an origin does not name.
var usualPort = map[string]string{"http": "80", "https": "443"}

// preflightAge is for how many seconds a browser may remember that an origin is allowed.
const preflightAge = 600

// Origins lets pages of allowed origins ask what is behind it, from a browser, and refuses pages of all other sites
// with 403 and FORBIDDEN. A GET is treated as a POST, since reading raises how often a record was accessed. Programs,
// which send neither Origin nor Sec-Fetch-Site, pass, and so do the server's own pages. Answers to allowed origins,
// refusals too, say that the page may read them (https://fetch.spec.whatwg.org/#http-cors-protocol). Cookies and the
// like are never asked for: a page sends its key in a header.
func Origins(next http.Handler, allowed ...string) http.Handler {
	protection := http.NewCrossOriginProtection()
	for _, origin := range allowed {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			panic("auth: " + err.Error()) // ParseOrigins has checked them
		}
	}
	checked := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := *r
		asked.Method = http.MethodPost // the protection lets all reading pass
		if protection.Check(&asked) != nil {
			refuse(w, r, http.StatusForbidden, memory.CodeForbidden, "pages of other sites may not ask this server")
			return
		}
		next.ServeHTTP(w, r)
	})
	if len(allowed) == 0 { // which the library takes for all of them
		return checked
	}
	return cors.New(cors.Options{
		AllowedOrigins: allowed, AllowedMethods: []string{http.MethodGet, http.MethodPost}, AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{"Retry-After", "X-Request-Id"}, MaxAge: preflightAge,
	}).Handler(checked)
}
