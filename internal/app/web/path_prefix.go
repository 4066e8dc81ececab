package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/page"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/lazyregexp"
)

// PathPrefixOf returns the path of a server's public URL, which precedes all its paths; "" for
// none.
func PathPrefixOf(publicURL string) string {
	u, err := url.Parse(publicURL)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// isPlainPath reports whether a path consists of characters that proxies neither encode nor
// normalise.
var isPlainPath = lazyregexp.New(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`).MatchString

// CheckPathPrefix returns an error if a server cannot be reached below a path prefix. A prefix that
// is also a path of the server would be ambiguous, as a proxy may strip it.
func CheckPathPrefix(prefix string) error {
	switch {
	case prefix == "":
		return nil
	case !isPlainPath(prefix):
		return errors.New("its path may have letters, digits and -._~ between slashes")
	case strings.HasSuffix(prefix, pathMCP) || strings.HasSuffix(prefix, pathSSE):
		return fmt.Errorf("it is that of the pages: leave out %s", prefix[strings.LastIndexByte(prefix, '/'):])
	case isMonitoringPath(prefix) || strings.HasPrefix(signin.ResourceMetadataPath, prefix) || page.IsPagePath(prefix) || oauth.IsEndpoint(prefix):
		return fmt.Errorf("%s is a path of the server's own: take another", prefix)
	}
	return nil
}

// withoutLastSlash returns an MCP request without the trailing slash that some clients append to
// its path.
func withoutLastSlash(r *http.Request) *http.Request {
	path := strings.TrimSuffix(r.URL.Path, "/")
	if r.URL.RawPath != "" || path == r.URL.Path || path != pathMCP && path != pathSSE {
		return r
	}
	return withPath(r, path, "")
}

// withPath returns a copy of a request with another path.
func withPath(r *http.Request, path, raw string) *http.Request {
	other := new(http.Request)
	*other = *r
	other.URL = new(url.URL)
	*other.URL = *r.URL
	other.URL.Path, other.URL.RawPath = path, raw
	return other
}

// stripPathPrefix returns a request without the server's path prefix. A request without it is
// returned unchanged: a proxy has stripped the prefix, or the request comes from this machine.
func (s *Server) stripPathPrefix(r *http.Request) *http.Request {
	rest, found := strings.CutPrefix(r.URL.Path, s.below)
	raw, foundRaw := strings.CutPrefix(r.URL.RawPath, s.below)
	if s.below == "" || !found || rest != "" && rest[0] != '/' || r.URL.RawPath != "" && !foundRaw {
		return r
	}
	if rest == "" {
		rest = "/"
	}
	return withPath(r, rest, raw)
}
