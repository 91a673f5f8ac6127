package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const script = "export const answer = 42;\n"

func compress(t *testing.T, text string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	writer := gzip.NewWriter(&buffer)
	_, err := writer.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	return buffer.Bytes()
}

func site(t *testing.T) (handler http.Handler, compressed []byte) {
	t.Helper()
	compressed = compress(t, script)
	handler, err := newSite(fstest.MapFS{
		"index.html":             {Data: []byte("<title>x</title>")},
		"assets/main-abc.js.gz":  {Data: compressed},
		"assets/font-def.ttf.gz": {Data: compress(t, "font")},
	})
	require.NoError(t, err)
	return handler, compressed
}

func TestHashedFilesAreCachedForEver(t *testing.T) {
	t.Parallel()
	handler, _ := site(t)
	response := get(t, handler, http.MethodGet, "/assets/main-abc.js")
	assert.Equal(t, "public, max-age=31536000, immutable", response.Header().Get("Cache-Control"))
	assert.Equal(t, "text/javascript; charset=utf-8", response.Header().Get("Content-Type"))
	assert.Equal(t, "font/ttf", get(t, handler, http.MethodGet, "/assets/font-def.ttf").Header().Get("Content-Type"))
}

func TestStoredGzipIsSentAsItIsOrUnpacked(t *testing.T) {
	t.Parallel()
	handler, compressed := site(t)

	packed := get(t, handler, http.MethodGet, "/assets/main-abc.js", "Accept-Encoding", "gzip, deflate, br")
	assert.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
	assert.Equal(t, "Accept-Encoding", packed.Header().Get("Vary"))
	assert.Equal(t, string(compressed), packed.Body.String())

	plain := get(t, handler, http.MethodGet, "/assets/main-abc.js")
	assert.Empty(t, plain.Header().Get("Content-Encoding"))
	assert.Equal(t, "Accept-Encoding", plain.Header().Get("Vary"))
	assert.Equal(t, script, plain.Body.String())

	assert.NotEqual(t, plain.Header().Get("ETag"), packed.Header().Get("ETag"), "two forms under one tag")
	again := get(t, handler, http.MethodGet, "/assets/main-abc.js",
		"Accept-Encoding", "gzip", "If-None-Match", packed.Header().Get("ETag"))
	assert.Equal(t, http.StatusNotModified, again.Code)
}
