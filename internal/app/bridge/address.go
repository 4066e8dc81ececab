package bridge

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// AlternativeURLs returns URLs at which a server of this program may be if there is none at the given
// URL, whose path is usually missing or that of another program.
func AlternativeURLs(given string) (urls []string) {
	u, err := url.Parse(given)
	if err != nil {
		return nil
	}
	for _, p := range []string{strings.TrimSuffix(u.Path, "/"), path.Join("/", u.Path, "mcp"), path.Join("/", path.Dir(u.Path), "mcp"), "/mcp"} {
		other := *u
		other.Path, other.RawPath = p, ""
		if text := other.String(); p != "" && text != given && !slices.Contains(urls, text) {
			urls = append(urls, text)
		}
	}
	return urls
}

// SwapScheme returns a URL with http in place of https, or the reverse.
func SwapScheme(given string) string {
	if rest, found := strings.CutPrefix(given, "https://"); found {
		return "http://" + rest
	}
	return "https://" + strings.TrimPrefix(given, "http://")
}

// withMCPPath returns a URL with the path of the MCP endpoint, appended to the path of a proxy if there
// is one.
func withMCPPath(given string) string {
	u, err := url.Parse(given)
	if err != nil || path.Base(u.Path) == "mcp" {
		return given
	}
	u.Path, u.RawPath = path.Join("/", u.Path, "mcp"), ""
	return u.String()
}

// RedactURL returns a URL without the parts that may be secret. Other text is returned unchanged.
func RedactURL(given string) string {
	u, err := url.Parse(given)
	if err != nil || u.Host == "" {
		return given
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}
