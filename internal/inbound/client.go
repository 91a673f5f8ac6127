package inbound

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the addresses whose word is taken for whom they ask.
type Proxies []netip.Prefix

// ParseProxies reads addresses and networks in CIDR notation, with commas or blanks between them.
func ParseProxies(text string) (Proxies, error) {
	var proxies Proxies
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' }) {
		network, err := netip.ParsePrefix(word)
		if err != nil {
			address, err := netip.ParseAddr(word)
			if err != nil {
				return nil, err
			}
			network = netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen())
		}
		proxies = append(proxies, network.Masked())
	}
	return proxies, nil
}

// Trusts says whether an address is one of the proxies.
func (p Proxies) Trusts(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// Client is the address that a request comes from: the peer, or, where that is a proxy, the one that it names in
// X-Forwarded-For, or in Forwarded where there is none of those. Of a chain of proxies the last entry counts
// that none of them made for another; what a client itself put before it does not.
func (p Proxies) Client(r *http.Request) netip.Addr {
	client := addressOf(r.RemoteAddr)
	if !p.Trusts(client) {
		return client
	}
	for _, named := range slices.Backward(forwarded(r.Header)) {
		address := addressOf(named)
		if !address.IsValid() {
			break
		}
		if client = address; !p.Trusts(client) {
			break
		}
	}
	return client
}

// forwarded are the addresses that proxies wrote down, each behind those of its client.
func forwarded(header http.Header) []string {
	if chain := header.Values("X-Forwarded-For"); len(chain) > 0 {
		return strings.Split(strings.Join(chain, ","), ",")
	}
	var addresses []string
	for hop := range strings.SplitSeq(strings.Join(header.Values("Forwarded"), ","), ",") {
		address := ""
		for pair := range strings.SplitSeq(hop, ";") {
			if name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); strings.EqualFold(name, "for") {
				address = strings.Trim(value, `"`)
			}
		}
		addresses = append(addresses, address)
	}
	return addresses
}

// addressOf reads an address with or without a port; what is none comes as the invalid one.
func addressOf(text string) netip.Addr {
	text = strings.TrimSpace(text)
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	address, _ := netip.ParseAddr(strings.Trim(text, "[]"))
	return address.Unmap().WithZone("")
}

// Neighbourhood is what counts as one client: an address of IPv4, the /64 network of one of IPv6, of which a
// single host has all.
func Neighbourhood(client netip.Addr) netip.Prefix {
	bits := client.BitLen()
	if client.Is6() {
		bits = 64
	}
	network, _ := client.Prefix(bits) // an invalid address gives the invalid network
	return network
}
