package auth_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/internal/auth"
)

func TestParseOrigins(t *testing.T) {
	got, err := auth.ParseOrigins(" https://app.example.com,http://localhost:3000 , http://[::1]:8080,vscode-webview://abc")
	assert.NoError(t, err)
	assert.Equal(t, []string{"https://app.example.com", "http://localhost:3000", "http://[::1]:8080", "vscode-webview://abc"}, got)
	for _, bad := range []string{
		"*", "", ",", "https://app.example.com,", "https://*.example.com", "app.example.com", "https://", "https://app.example.com/", "https://app.example.com/x",
		"https://app.example.com?", "https://app.example.com#", "https://App.example.com", "HTTPS://app.example.com", "https://app.example.com:443", "http://localhost:80",
		"https://me@app.example.com", "null", "https://app.example.com https://b.example", "https:app.example.com", "//app.example.com",
	} {
		got, err := auth.ParseOrigins(bad)
		assert.Error(t, err, bad)
		assert.Empty(t, got, bad)
	}
	assert.NotPanics(t, func() { auth.Origins(nil, "https://app.example.com", "http://[::1]:8080", "vscode-webview://abc") })
}
