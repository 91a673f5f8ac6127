package app

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// leastCompressed is the shortest answer that is compressed, in bytes: what fits into one packet anyway is not.
const leastCompressed = 1400

// compressed answers with zstd or gzip those that accept one of them, and only what is one whole text. Server-sent
// events go out as they are, each at once; a connection that changes to another protocol is none of its business.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(leastCompressed), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.ContentTypes([]string{"application/json", "application/graphql-response+json"}),
	)
	if err != nil {
		panic("app: " + err.Error()) // the options are constants
	}
	wrapped := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, r)
			return
		}
		wrapped(w, r)
	})
}
