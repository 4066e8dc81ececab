package page

import (
	"net/http"
	"net/url"
	"strings"
)

// Pages may be served under a path prefix, which is added to links when a page is sent. Elsewhere
// in the code paths have no prefix.

// linkAttributes are the beginnings of HTML attributes whose value is a path of this server. Text
// of documents cannot contain them, as its quotation marks are escaped.
var linkAttributes = []string{` href="/`, ` src="/`, ` action="/`, ` cite="/`, ` data-live="/`, ` data-later="/`, ` content="0; url=/`}

// linksBelow returns a replacer that prepends a path prefix to all links of a page.
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

// redirectPrefixer is a ResponseWriter that prepends a path prefix to the targets of redirects.
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

// Unwrap returns the wrapped writer, for http.ResponseController.
func (p redirectPrefixer) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// IsPagePath reports whether a path is that of a page, or of a directory of pages.
func IsPagePath(path string) bool {
	routes := New(Options{}).routes
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, at := range []string{path, path + "/x"} {
			if _, pattern := routes.Handler(&http.Request{Method: method, URL: &url.URL{Path: at}}); pattern != "" && pattern != "/" {
				return true
			}
		}
	}
	return false
}
