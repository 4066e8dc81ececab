package bridge

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// AlternativeURLs returns URLs at which a server of this program may answer if none does at the
// given URL: with the usual path, as the given path is often missing or that of another program.
func AlternativeURLs(rawURL string) (urls []string) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil
	}
	for _, p := range []string{strings.TrimSuffix(u.Path, "/"), path.Join("/", u.Path, "mcp"), path.Join("/", path.Dir(u.Path), "mcp"), "/mcp"} {
		other := *u
		other.Path, other.RawPath = p, ""
		if text := other.String(); p != "" && text != rawURL && !slices.Contains(urls, text) {
			urls = append(urls, text)
		}
	}
	return urls
}

// SwapScheme returns a URL with http in place of https, or the reverse.
func SwapScheme(rawURL string) string {
	if rest, found := strings.CutPrefix(rawURL, "https://"); found {
		return "http://" + rest
	}
	return "https://" + strings.TrimPrefix(rawURL, "http://")
}

// withMCPPath returns a URL with the path of the MCP endpoint appended, which may follow the path
// prefix of a proxy.
func withMCPPath(given string) string {
	u, err := url.Parse(given)
	if err != nil || path.Base(u.Path) == "mcp" {
		return given
	}
	u.Path, u.RawPath = path.Join("/", u.Path, "mcp"), ""
	return u.String()
}

// RedactURL returns a URL without the parts that may be secret. A text that is not a URL is
// returned unchanged.
func RedactURL(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil || u.Host == "" {
		return rawURL
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}
