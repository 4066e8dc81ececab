package page

import (
	"net/http"
	"net/url"
	"strings"
)

// Pages may be reached under a path prefix. It is added to links when a page is sent:
// until then paths are the same everywhere.

// linkAttributes are the beginnings of attributes with a path of this server. No text of
// a document has such a beginning: its quotation marks are escaped.
var linkAttributes = []string{` href="/`, ` src="/`, ` action="/`, ` cite="/`, ` data-live="/`, ` data-later="/`, ` content="0; url=/`}

// linksBelow prepends a path to all links of a page.
func linksBelow(path string) *strings.Replacer {
	var pairs []string
	if path == "" {
		return strings.NewReplacer()
	}
	for _, beginning := range linkAttributes {
		pairs = append(pairs, beginning, strings.TrimSuffix(beginning, "/")+path+"/")
	}
	return strings.NewReplacer(pairs...)
}

// redirectPrefixer prepends a path to the targets of redirects.
type redirectPrefixer struct {
	http.ResponseWriter
	below string
}

func (p redirectPrefixer) WriteHeader(status int) {
	if to := p.Header().Get("Location"); strings.HasPrefix(to, "/") {
		p.Header().Set("Location", p.below+to)
	}
	p.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (p redirectPrefixer) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// Owns reports whether a path, or one above it, is that of a page.
func Owns(path string) bool {
	routes := New(Options{}).routes
	for _, at := range []string{path, path + "/x"} {
		if _, pattern := routes.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: at}}); pattern != "/" {
			return true
		}
	}
	return false
}
