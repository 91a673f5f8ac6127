package inbound_test

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/inbound"
)

func TestClient(t *testing.T) {
	proxies, err := inbound.ParseProxies("10.0.0.0/8, 192.0.2.7 2001:db8::/32")
	require.NoError(t, err)
	type headers = map[string][]string
	for name, test := range map[string]struct {
		peer    string
		headers headers
		want    string
	}{
		"no proxy":                      {"203.0.113.9:1234", nil, "203.0.113.9"},
		"no proxy, but it says so":      {"203.0.113.9:1234", headers{"X-Forwarded-For": {"198.51.100.1"}, "Forwarded": {"for=198.51.100.1"}}, "203.0.113.9"},
		"a proxy that says nothing":     {"10.1.2.3:80", nil, "10.1.2.3"},
		"a proxy":                       {"10.1.2.3:80", headers{"X-Forwarded-For": {"198.51.100.1"}}, "198.51.100.1"},
		"what the client put before":    {"10.1.2.3:80", headers{"X-Forwarded-For": {"127.0.0.1, 198.51.100.1"}}, "198.51.100.1"},
		"in a header of its own":        {"10.1.2.3:80", headers{"X-Forwarded-For": {"127.0.0.1", "198.51.100.1"}}, "198.51.100.1"},
		"two proxies":                   {"10.1.2.3:80", headers{"X-Forwarded-For": {"127.0.0.1, 198.51.100.1, 192.0.2.7"}}, "198.51.100.1"},
		"a proxy asks":                  {"10.1.2.3:80", headers{"X-Forwarded-For": {"192.0.2.7"}}, "192.0.2.7"},
		"with ports":                    {"[2001:db8::1]:80", headers{"X-Forwarded-For": {"[2001:db9::5]:99"}}, "2001:db9::5"},
		"no address":                    {"10.1.2.3:80", headers{"X-Forwarded-For": {"198.51.100.1, unknown"}}, "10.1.2.3"},
		"Forwarded":                     {"10.1.2.3:80", headers{"Forwarded": {`for=127.0.0.1, For="[2001:db9::5]:4711";proto=https, for=192.0.2.7`}}, "2001:db9::5"},
		"Forwarded, hidden":             {"10.1.2.3:80", headers{"Forwarded": {`for=198.51.100.1, for=_hidden`}}, "10.1.2.3"},
		"both":                          {"10.1.2.3:80", headers{"X-Forwarded-For": {"198.51.100.1"}, "Forwarded": {"for=127.0.0.1"}}, "198.51.100.1"},
		"an address of IPv4, as of six": {"[::ffff:10.1.2.3]:80", headers{"X-Forwarded-For": {"::ffff:198.51.100.1"}}, "198.51.100.1"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, proxies.Client(&http.Request{RemoteAddr: test.peer, Header: test.headers}).String())
		})
	}
	for _, bad := range []string{"proxy", "10.0.0.0/33", "10.0.0.1:80"} {
		_, err := inbound.ParseProxies(bad)
		assert.Error(t, err, bad)
	}
}

func TestNeighbourhood(t *testing.T) {
	for address, want := range map[string]string{
		"198.51.100.1": "198.51.100.1/32", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "::1": "::/64",
	} {
		assert.Equal(t, want, inbound.Neighbourhood(netip.MustParseAddr(address)).String())
	}
	assert.False(t, inbound.Neighbourhood(netip.Addr{}).IsValid())
}
