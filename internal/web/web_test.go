package web

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// get asks a handler for a path; headers are name, value pairs.
func get(t *testing.T, handler http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestPagesAreRevalidated(t *testing.T) {
	t.Parallel()
	handler := Handler()
	for path, title := range map[string]string{"/": "<title>mneme</title>", "/playground": "<title>mneme playground</title>"} {
		t.Run(path, func(t *testing.T) {
			page := get(t, handler, http.MethodGet, path)
			require.Equal(t, http.StatusOK, page.Code)
			assert.Equal(t, "text/html; charset=utf-8", page.Header().Get("Content-Type"))
			assert.Equal(t, "no-cache", page.Header().Get("Cache-Control"))
			assert.Contains(t, page.Body.String(), title)

			again := get(t, handler, http.MethodGet, path, "If-None-Match", page.Header().Get("ETag"))
			assert.Equal(t, http.StatusNotModified, again.Code)
			assert.Empty(t, again.Body.String())
		})
	}
}

var reference = regexp.MustCompile(`(?:src|href)="\./([^"]*)"`)

// served are the links of the pages that this package answers; the rest are other handlers' endpoints.
func served(link string) bool { return link != "healthz" && link != "readyz" }

func TestEveryFileThatThePagesNameIsServed(t *testing.T) {
	t.Parallel()
	handler := Handler()
	for _, path := range []string{"/", "/playground"} {
		links := reference.FindAllStringSubmatch(get(t, handler, http.MethodGet, path).Body.String(), -1)
		require.NotEmpty(t, links, path)
		for _, link := range links {
			if !served(link[1]) {
				continue
			}
			response := get(t, handler, http.MethodGet, "/"+link[1])
			assert.Equal(t, http.StatusOK, response.Code, link[1])
			assert.NotEmpty(t, response.Body.String(), link[1])
		}
	}
}

func TestThePagesLoadNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	handler := Handler()
	elsewhere := regexp.MustCompile(`(?:src|href)="(?:[a-z]+:)?//`)
	for _, path := range []string{"/", "/playground"} {
		page := get(t, handler, http.MethodGet, path).Body.String()
		assert.NotRegexp(t, elsewhere, page, path)
		assert.NotRegexp(t, `<script(?:[^>]*)>[^<]`, page, "%s has an inline script, which the policy forbids", path)
		assert.NotContains(t, page, "<style", path)
	}
}

func TestEveryAnswerIsSecured(t *testing.T) {
	t.Parallel()
	handler := Handler()
	for _, path := range []string{"/", "/playground", "/nowhere"} {
		header := get(t, handler, http.MethodGet, path).Header()
		assert.Contains(t, header.Get("Content-Security-Policy"), "default-src 'self';", path)
		assert.Contains(t, header.Get("Content-Security-Policy"), "frame-ancestors 'none'", path)
		assert.NotContains(t, header.Get("Content-Security-Policy"), "unsafe-eval", path)
		assert.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), path)
		assert.Equal(t, "no-referrer", header.Get("Referrer-Policy"), path)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	handler := Handler()
	for path, want := range map[string]int{
		"/nowhere":          http.StatusNotFound,
		"/index.html":       http.StatusNotFound,
		"/playground.html":  http.StatusNotFound,
		"/playground/":      http.StatusNotFound,
		"/assets/":          http.StatusNotFound,
		"/assets/nothing":   http.StatusNotFound,
		"/dist/index.html":  http.StatusNotFound,
		"/assets/../web.go": http.StatusTemporaryRedirect, // to the clean path, which is not found
	} {
		assert.Equal(t, want, get(t, handler, http.MethodGet, path).Code, path)
	}
	assert.Equal(t, http.StatusMethodNotAllowed, get(t, handler, http.MethodPost, "/playground").Code)
}

func TestHeadAnswersLikeGetWithoutABody(t *testing.T) {
	t.Parallel()
	response := get(t, Handler(), http.MethodHead, "/playground")
	assert.Equal(t, http.StatusOK, response.Code)
	assert.NotEmpty(t, response.Header().Get("ETag"))
	assert.Empty(t, response.Body.String())
}

func TestABuildWithAFileOfUnknownTypeIsRefused(t *testing.T) {
	t.Parallel()
	_, err := newSite(fstest.MapFS{"assets/data.bin": {Data: []byte("x")}})
	require.ErrorContains(t, err, "no content type for assets/data.bin")
}

// The licences of what is bundled ask to be passed on with it.
func TestThirdPartyLicencesAreServed(t *testing.T) {
	t.Parallel()
	response := get(t, Handler(), http.MethodGet, "/THIRD_PARTY_LICENSES.txt")
	require.Equal(t, http.StatusOK, response.Code)
	assert.Equal(t, "text/plain; charset=utf-8", response.Header().Get("Content-Type"))
	text := response.Body.String()
	for _, name := range []string{"graphiql ", "monaco-editor ", "react ", "graphql-language-service "} {
		assert.True(t, strings.Contains(text, "\n"+name), "no entry for %s", name)
	}
	table, err := os.ReadFile("../../store/meaning/NOTICE.txt")
	require.NoError(t, err)
	assert.Contains(t, text, strings.TrimSpace(string(table)), "the table of meanings")
}
