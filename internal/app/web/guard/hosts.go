// Package guard checks HTTP requests before authentication: their host names, their origins and
// their rate.
package guard

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"vademecum/internal/base/present"
)

// AllowedHosts holds the host names of a server and the origins of the web pages that may use it.
// Checking them protects against DNS rebinding.
type AllowedHosts struct {
	hosts     []string
	origins   []string
	addresses bool // IP addresses are allowed as well, as they cannot be rebound
}

// NewAllowedHosts returns the allowed hosts and origins of a server that listens on a host. The
// loopback names are always allowed. publicURL is "" if there is none.
func NewAllowedHosts(listenHost, publicURL string, hosts, origins []string) (*AllowedHosts, error) {
	n := &AllowedHosts{addresses: !IsLoopback(listenHost)}
	for _, h := range hosts {
		if strings.ContainsAny(h, "/@*? ") || normalHost(h) == "" {
			return nil, fmt.Errorf("--allowed-host takes the name of a host, such as kb.example.com, got %q", h)
		}
		n.hosts = append(n.hosts, normalHost(h))
	}
	if publicURL != "" {
		u, err := url.Parse(publicURL)
		if err != nil {
			return nil, fmt.Errorf("--public-url: %w", err)
		}
		n.hosts = append(n.hosts, normalHost(u.Host))
		origins = append(slices.Clone(origins), u.Scheme+"://"+u.Host)
	}
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme == "" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
			return nil, fmt.Errorf("--allowed-origin takes what a browser sends, such as https://app.example.com, got %q", o)
		}
		n.origins = append(n.origins, strings.ToLower(u.Scheme+"://"+u.Host))
	}
	return n, nil
}

// IsLoopback reports whether a host is localhost, a subdomain of it, or a loopback address.
func IsLoopback(host string) bool {
	host = normalHost(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// normalHost returns a host in lower case, without port, brackets and final dot; "" if it is
// invalid.
func normalHost(host string) string {
	if name, port, err := net.SplitHostPort(host); err == nil {
		if strings.Trim(port, "0123456789") != "" {
			return ""
		}
		host = name
	}
	host, opened := strings.CutPrefix(host, "[")
	host, closed := strings.CutSuffix(host, "]")
	if opened != closed {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// IsHostOf reports whether a Host header names the host of an HTTPS URL. The port must be the same,
// as a request to another port may be unencrypted; but it may be missing, as a proxy may remove it.
func IsHostOf(u *url.URL, host string) bool {
	_, port, err := net.SplitHostPort(host)
	isPort := err != nil || port == cmp.Or(u.Port(), "443")
	return isPort && normalHost(host) != "" && normalHost(host) == normalHost(u.Host)
}

func (n *AllowedHosts) hasHost(host string) bool {
	host = normalHost(host)
	if IsLoopback(host) || host != "" && slices.Contains(n.hosts, host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && n.addresses && !ip.IsUnspecified()
}

func (n *AllowedHosts) hasOrigin(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return slices.Contains(n.origins, strings.ToLower(origin))
	}
	return IsLoopback(u.Host) || slices.Contains(n.origins, strings.ToLower(u.Scheme+"://"+u.Host))
}

// CheckRequest returns why a request is refused: its host is not one of the server's, or its origin
// is not allowed. It returns nil for a request that is not refused.
func (n *AllowedHosts) CheckRequest(r *http.Request) error {
	if err := n.checkHost(r); err != nil {
		return err
	}
	switch origins := r.Header.Values("Origin"); {
	case len(origins) > 1:
		return errors.New("more than one Origin")
	case len(origins) == 1 && !n.hasOrigin(origins[0]):
		return fmt.Errorf("pages of %s have no access: name it with --allowed-origin if they should", present.QuoteName(origins[0]))
	case len(origins) == 0 && isCrossSite(r):
		return errors.New("pages of other hosts have no access")
	}
	return nil
}

func (n *AllowedHosts) checkHost(r *http.Request) error {
	if ip, err := netip.ParseAddr(normalHost(r.Host)); err == nil && ip.IsUnspecified() {
		return fmt.Errorf("%s stands for all addresses and is none: take 127.0.0.1, or the name or an address of this machine", ip)
	}
	if !n.hasHost(r.Host) {
		return fmt.Errorf("this is not %s: name it with --allowed-host if it is", present.QuoteName(normalHost(r.Host)))
	}
	return nil
}

// CheckPageRequest returns why a request for a web page of the server is refused; nil if it is not.
// Only these pages themselves may send requests to them, not those of other allowed origins; but
// every site may link to them.
func (n *AllowedHosts) CheckPageRequest(r *http.Request) error {
	if err := n.checkHost(r); err != nil {
		return err
	}
	switch origins := r.Header.Values("Origin"); {
	case len(origins) > 1:
		return errors.New("more than one Origin")
	case len(origins) == 1 && !n.isOwn(origins[0], r):
		return fmt.Errorf("pages of %s have no access", present.QuoteName(origins[0]))
	case len(origins) == 0 && isCrossSite(r) && !isTopLevelNavigation(r):
		return errors.New("pages of other hosts have no access")
	}
	return nil
}

// isOwn reports whether an origin is that of the request's host, or in the list of allowed ones, as
// a proxy may change the host. An origin with http does not match a host that has HTTPS, as its
// pages may be forged.
func (n *AllowedHosts) isOwn(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	host := strings.ToLower(u.Host)
	hasHTTPS := r.TLS != nil || slices.Contains(n.origins, "https://"+host)
	isOfHost := strings.EqualFold(host, r.Host) && (u.Scheme == "https" || !hasHTTPS)
	return isOfHost || slices.Contains(n.origins, strings.ToLower(u.Scheme)+"://"+host)
}

// isTopLevelNavigation reports whether a browser loads a page into a window, not as a part of
// another page or into a frame.
func isTopLevelNavigation(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// isCrossSite reports whether a request without the header Origin comes from a page of another
// host.
func isCrossSite(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "cross-site" || site == "same-site"
}
