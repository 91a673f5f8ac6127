package web

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// "all:" because the bundler is free to begin a file's name with "_", which embed would leave out.
//
//go:embed all:dist
var build embed.FS

//go:embed documents.json
var documents []byte

// Documents are the GraphQL documents that the explorer sends, as JSON by their SHA-256. The playground's are whatever
// is typed into it.
func Documents() []byte { return documents }

// contentSecurityPolicy lets the pages talk to this server only. The exceptions, all for styles and pictures:
//   - style-src 'unsafe-inline': the playground's editor writes <style> elements and style attributes, without a nonce,
//     and the explorer's components write the colours of their theme so;
//   - img-src data: the editor draws the wavy underline of an error as a data: image.
//
// Scripts, workers and fonts are files of this server, so there is none for those.
const contentSecurityPolicy = "default-src 'self'; " +
	"style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; " +
	"object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the explorer at /, the playground at /playground and the files they load under
// /assets/, to GET and HEAD. Other paths are 404. The pages find /graphql relative to where they are,
// so the handler may be mounted below a path with http.StripPrefix if /graphql is mounted beside it.
//
// It panics when the embedded build is broken, which the tests of this package rule out.
func Handler() http.Handler {
	dist, err := fs.Sub(build, "dist")
	if err != nil {
		panic("web: " + err.Error())
	}
	site, err := newSite(dist)
	if err != nil {
		panic("web: " + err.Error())
	}
	return site
}

// contentTypes are fixed here rather than asked from the system, whose tables differ between machines.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".ttf":  "font/ttf",
	".txt":  "text/plain; charset=utf-8",
}

// newSite routes to the files of a build. A page answers at its name without the extension, the index at /.
func newSite(dist fs.FS) (http.Handler, error) {
	mux := http.NewServeMux()
	err := fs.WalkDir(dist, ".", func(stored string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(dist, stored)
		if err != nil {
			return err
		}
		name, compressed := strings.CutSuffix(stored, ".gz")
		contentType, known := contentTypes[path.Ext(name)]
		if !known {
			return fmt.Errorf("no content type for %s", name)
		}
		cache := "no-cache"
		if strings.HasPrefix(name, "assets/") { // with a hash of the content in its name
			cache = "public, max-age=31536000, immutable"
		}
		route := strings.TrimSuffix(name, ".html")
		if name == "index.html" {
			route = "{$}"
		}
		mux.Handle("GET /"+route, &file{contentType, cache, fmt.Sprintf("%x", sha256.Sum256(content))[:32], content, compressed})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the browser build: %w", err)
	}
	return secured(mux), nil
}

// secured adds the headers that hold for every answer, 404 included.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", contentSecurityPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}
