package html

import (
	"strings"

	"golang.org/x/net/html"
)

// bookmarksDoctype is the document type of the bookmarks that browsers export, in lower case.
const bookmarksDoctype = "netscape-bookmark-file-1"

// showBookmarks adds to each link of exported bookmarks its address and tags: there, people look for
// these. Addresses of scripts and of pictures in the file are left out.
func showBookmarks(tree *html.Node) {
	if t := tree.FirstChild; t == nil || t.Type != html.DoctypeNode || t.Data != bookmarksDoctype {
		return
	}
	for n := range tree.Descendants() {
		if !isElement(n, "a") {
			continue
		}
		var added string
		if href := attributeValue(n, "href"); len(href) <= maxShownURL && !strings.HasPrefix(href, "javascript:") && !strings.HasPrefix(href, "data:") {
			added = " " + href
		}
		if tags := strings.TrimSpace(attributeValue(n, "tags")); tags != "" {
			added += " (" + strings.ReplaceAll(tags, ",", ", ") + ")"
		}
		if nodeText(n) == "" {
			added = strings.TrimSpace(added)
		}
		appendText(n, added)
	}
}
