package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// file is one file of the build, ready to be served.
type file struct {
	contentType string
	cache       string
	etag        string // of the content as stored, without quotes
	content     []byte // gzip where compressed
	compressed  bool
}

func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, etag, header := f.content, f.etag, w.Header()
	if f.compressed {
		header.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			header.Set("Content-Encoding", "gzip")
			etag += "-gzip" // two forms are never equal byte for byte
		} else {
			content, _ = gunzip(content) // which the build has packed
		}
	}
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", f.cache)
	header.Set("ETag", strconv.Quote(etag))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

func gunzip(content []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
