package cli

import (
	"fmt"
	"net"
	"net/netip"
	"strings"

	"vademecum/internal/app/web/guard"
)

// announceServer prints the address at which the server can be reached.
func (p *program) announceServer(s *serverOptions, at string, f *httpFlags, listens net.Addr) {
	if f.announce != nil {
		s.group.Go(func() { f.announce(s.ctx, at) })
		return
	}
	fmt.Fprint(p.stderr, p.localise("vademecum: MCP at %[1]s/mcp\nvademecum: pages for people at %[1]s/\n", at))
	switch others := networkURLs(at, listens); {
	case f.public != "":
		fmt.Fprint(p.stderr, p.localise("vademecum: for others at %s, MCP at %s/mcp\n", f.public, strings.TrimRight(f.public, "/")))
	case len(others) > 0:
		fmt.Fprint(p.stderr, p.localise("vademecum: from other machines at %s\n", strings.Join(others, ", ")))
	}
}

// localURL returns the URL of a server on this machine, without a path. For a server that listens
// at all addresses, the URL has the loopback address.
func localURL(listens net.Addr, secure bool) string {
	scheme, host := "http://", listens.String()
	if secure {
		scheme = "https://"
	}
	if at, err := netip.ParseAddrPort(host); err == nil && at.Addr().IsUnspecified() {
		host = fmt.Sprintf("127.0.0.1:%d", at.Port())
	}
	return scheme + host
}

// mostAddresses is the maximum number of addresses that are printed.
const mostAddresses = 3

// networkURLs returns the URLs at which other machines reach a server that listens at all
// addresses; nil for other servers.
func networkURLs(at string, listens net.Addr) (urls []string) {
	listening, err := netip.ParseAddrPort(listens.String())
	if err != nil || !listening.Addr().IsUnspecified() {
		return nil
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	scheme, _, _ := strings.Cut(at, "://")
	for _, a := range addresses {
		prefix, err := netip.ParsePrefix(a.String())
		if err != nil || !prefix.Addr().IsGlobalUnicast() || guard.IsLoopback(prefix.Addr().String()) {
			continue
		}
		if urls = append(urls, fmt.Sprintf("%s://%s/", scheme, netip.AddrPortFrom(prefix.Addr(), listening.Port()))); len(urls) == mostAddresses {
			break
		}
	}
	return urls
}
