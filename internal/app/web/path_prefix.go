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

// PathPrefixOf returns the path of a public URL, below which the server is reached; "" for none.
func PathPrefixOf(public string) string {
	u, err := url.Parse(public)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// isPlainPath reports whether a path has only characters that proxies neither encode nor normalise.
var isPlainPath = lazyregexp.New(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`).MatchString

// CheckPathPrefix returns why a server cannot be reached below a path. A path of the server itself
// would be ambiguous, as a proxy may strip the prefix.
func CheckPathPrefix(path string) error {
	switch {
	case path == "":
		return nil
	case !isPlainPath(path):
		return errors.New("its path may have letters, digits and -._~ between slashes")
	case strings.HasSuffix(path, pathMCP) || strings.HasSuffix(path, pathSSE):
		return fmt.Errorf("it is that of the pages: leave out %s", path[strings.LastIndexByte(path, '/'):])
	case isMonitoringPath(path) || strings.HasPrefix(signin.MetadataPath, path) || page.IsPagePath(path) || oauth.IsEndpoint(path):
		return fmt.Errorf("%s is a path of the server's own: take another", path)
	}
	return nil
}

// withoutLastSlash returns an MCP request without the trailing slash that some clients append to
// the path.
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

// stripPathPrefix returns a request without the path prefix of the server. A request without the
// prefix is returned unchanged: a proxy may have stripped it, or the request comes from this
// machine.
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
