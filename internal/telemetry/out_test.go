package telemetry_test

import (
	"net"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/telemetry"
)

func TestNothingIsSentToItself(t *testing.T) {
	t.Parallel()
	name, err := os.Hostname()
	require.NoError(t, err)
	own, err := net.InterfaceAddrs()
	require.NoError(t, err)
	address, _, err := net.ParseCIDR(own[len(own)-1].String())
	require.NoError(t, err)
	for _, tt := range []struct {
		listens, endpoint string
		itself            bool
	}{
		{"127.0.0.1:8080", "http://127.0.0.1:8080", true},
		{"127.0.0.1:8080", "http://LOCALHOST:8080/v1", true},
		{"127.0.0.1:80", "http://127.0.0.1", true},
		{"127.0.0.1:443", "https://localhost", true},
		{"[::]:8080", "http://" + name + ":8080", true},
		{"0.0.0.0:8080", "http://" + net.JoinHostPort(address.String(), "8080"), true},
		{"192.0.2.1:8080", "http://192.0.2.1:8080", true},
		{"[2001:db8::1]:8080", "http://[2001:db8::1]:8080", true},
		{"127.0.0.1:8080", "http://127.0.0.1", false},
		{"0.0.0.0:8080", "http://192.0.2.1:8080", false},
		{"[::]:8080", "http://collector:8080", false},
		{"192.0.2.1:8080", "http://" + name + ":8080", false},
	} {
		env := map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": tt.endpoint}
		out, err := telemetry.OutFromEnv(func(name string) (string, bool) { return env[name], true })
		require.NoError(t, err)
		listens, err := net.ResolveTCPAddr("tcp", tt.listens)
		require.NoError(t, err)
		if err = out.CheckItself(listens); tt.itself {
			assert.ErrorContains(t, err, "this server itself", tt)
		} else {
			assert.NoError(t, err, tt)
		}
	}
}
