package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// contentTypes are fixed here rather than asked from the system, whose tables differ between machines.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".ttf":  "font/ttf",
	".txt":  "text/plain; charset=utf-8",
}

const (
	// The bundler puts a hash of the content into the names under assets/.
	cacheForever    = "public, max-age=31536000, immutable"
	cacheRevalidate = "no-cache"
)

// file is one file of the build, ready to be served.
type file struct {
	name        string // path in the build, without .gz
	contentType string
	cache       string
	etag        string // of the content as stored, without quotes
	content     []byte // gzip where compressed
	compressed  bool
}

func readFile(dist fs.FS, stored string) (*file, error) {
	content, err := fs.ReadFile(dist, stored)
	if err != nil {
		return nil, err
	}
	name, compressed := strings.CutSuffix(stored, ".gz")
	contentType, known := contentTypes[path.Ext(name)]
	if !known {
		return nil, fmt.Errorf("no content type for %s", name)
	}
	cache := cacheRevalidate
	if strings.HasPrefix(name, "assets/") {
		cache = cacheForever
	}
	return &file{
		name:        name,
		contentType: contentType,
		cache:       cache,
		etag:        fmt.Sprintf("%x", sha256.Sum256(content))[:32],
		content:     content,
		compressed:  compressed,
	}, nil
}

func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	if !f.compressed {
		f.serve(w, r, f.content, f.etag)
		return
	}
	header.Set("Vary", "Accept-Encoding")
	if acceptsGzip(r.Header.Get("Accept-Encoding")) {
		header.Set("Content-Encoding", "gzip")
		f.serve(w, r, f.content, f.etag+"-gzip")
		return
	}
	plain, err := gunzip(f.content)
	if err != nil {
		http.Error(w, "the embedded build is damaged: rebuild mneme", http.StatusInternalServerError)
		return
	}
	f.serve(w, r, plain, f.etag)
}

// serve answers with one form of the file. Two forms are never equal byte for byte, so each has a tag of its own.
func (f *file) serve(w http.ResponseWriter, r *http.Request, content []byte, etag string) {
	header := w.Header()
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", f.cache)
	header.Set("ETag", strconv.Quote(etag))
	http.ServeContent(w, r, f.name, time.Time{}, bytes.NewReader(content))
}

func gunzip(content []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

// acceptsGzip reads an Accept-Encoding header (RFC 9110, section 12.5.3): gzip, or else *, with a
// weight that is not zero.
func acceptsGzip(header string) bool {
	accepted := map[string]bool{}
	for part := range strings.SplitSeq(header, ",") {
		coding, params, _ := mime.ParseMediaType(part) // which has the same parameters
		weight, err := strconv.ParseFloat(params["q"], 64)
		accepted[coding] = err != nil || weight != 0
	}
	if gzip, named := accepted["gzip"]; named {
		return gzip
	}
	return accepted["*"]
}
