// Package guard says who may speak to a server over HTTP at all, before anyone asks
// who it is: under which host names, from which web pages, and how often.
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

	"vademecum/internal/present"
)

// AllowedHosts are the host names under which a server is reached, and the web pages that
// may reach it. Without such a list a page that an attacker's name server says is on
// this machine could read what is served.
type AllowedHosts struct {
	hosts     []string
	origins   []string
	addresses bool // an IP address is a name too: an attacker can rebind none
}

// NewAllowedHosts makes the list for a server that listens on a host. Names of the machine
// itself are always in it. public is the URL that the server has for others, "" for
// none.
func NewAllowedHosts(listen, public string, hosts, origins []string) (*AllowedHosts, error) {
	n := &AllowedHosts{addresses: !IsLoopback(listen)}
	for _, h := range hosts {
		if strings.ContainsAny(h, "/@*? ") || normalHost(h) == "" {
			return nil, fmt.Errorf("--allowed-host takes the name of a host, such as kb.example.com, got %q", h)
		}
		n.hosts = append(n.hosts, normalHost(h))
	}
	if public != "" {
		u, err := url.Parse(public)
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

// IsLoopback tells names of the machine itself.
func IsLoopback(host string) bool {
	host = normalHost(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// normalHost is a host without its port, brackets, capitals and final dot, "" for what
// no browser would send.
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

// IsHostOf tells whether a Host names where an https URL leads: by another port it may
// have come unencrypted. A proxy may leave the port out.
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

// CheckRequest says why a request may not pass: it names a host that this is not, or comes
// from a web page that has no business here.
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

// CheckPageRequest is CheckRequest for the pages of this server itself. What they ask for comes from
// themselves alone, and not from all that may use what is served; but a browser may be
// led to them by a link on any page, which learns nothing of them.
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

// isOwn tells whether an origin is that of the pages of a request's host, or one of the list:
// a proxy may call the host otherwise. Where the host has HTTPS, a page of the same name
// without it may be of anyone on the way.
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

// isTopLevelNavigation tells that a window of a browser goes to a page, rather than that another
// page loads something, or shows it within itself.
func isTopLevelNavigation(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// isCrossSite tells what a browser asks for on behalf of a page of another host
// without saying which.
func isCrossSite(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "cross-site" || site == "same-site"
}
