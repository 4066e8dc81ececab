package html

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// bookmarksDoctype is the document type of the bookmarks that browsers export, in lower case.
const bookmarksDoctype = "netscape-bookmark-file-1"

// showBookmarks makes exported bookmarks readable as a text: each link is followed by its address and
// tags, for which people search in bookmarks, and folders become sections. Addresses that are very
// long, or contain a script or data, are left out.
func showBookmarks(tree *html.Node) {
	if t := tree.FirstChild; t == nil || t.Type != html.DoctypeNode || t.Data != bookmarksDoctype {
		return
	}
	var folders []*html.Node
	for n := range tree.Descendants() {
		switch {
		case isElement(n, "a"):
			appendText(n, bookmarkDetails(n))
		case isElement(n, "dl"):
			folders = append(folders, n)
		}
	}
	for _, list := range folders {
		moveFoldersLast(list)
	}
}

// bookmarkDetails returns the address and the tags of a bookmark, which are added to its name.
func bookmarkDetails(link *html.Node) string {
	var added string
	if href := attributeValue(link, "href"); len(href) <= maxShownURL && !strings.HasPrefix(href, "javascript:") && !strings.HasPrefix(href, "data:") {
		added = " " + href
	}
	if tags := strings.TrimSpace(attributeValue(link, "tags")); tags != "" {
		added += " (" + strings.ReplaceAll(tags, ",", ", ") + ")"
	}
	if nodeText(link) == "" {
		added = strings.TrimSpace(added)
	}
	return added
}

// moveFoldersLast moves the folders in the list of a folder after its bookmarks, and makes their names
// headings by depth: in a text only the next heading ends a section, so a bookmark after a folder
// would seem to be in that folder.
func moveFoldersLast(list *html.Node) {
	var last []*html.Node
	isInFolder, heading := false, folderHeading(list)
	for n := range list.ChildNodes() {
		if isElement(n, "dt") {
			name := firstHeading(n)
			if isInFolder = name != nil; isInFolder {
				name.Data = heading
				name.DataAtom = atom.Lookup([]byte(name.Data))
			}
		}
		if isInFolder { // or a description of the folder, which may hold its list
			last = append(last, n)
		}
	}
	for _, n := range last {
		list.RemoveChild(n)
		list.AppendChild(n)
	}
}

// firstHeading returns the heading among the children of a node; nil if there is none.
func firstHeading(n *html.Node) *html.Node {
	for child := range n.ChildNodes() {
		if isElement(child, "h3") {
			return child
		}
	}
	return nil
}

// deepestHeading is the lowest level of headings in HTML.
const deepestHeading = 6

// folderHeading returns the HTML element, such as "h3", for the names of the folders in a list of
// bookmarks, according to the depth of the list.
func folderHeading(list *html.Node) string {
	level := 2 // below the title of the page
	for a := range list.Ancestors() {
		if isElement(a, "dl") && level < deepestHeading {
			level++
		}
	}
	return fmt.Sprintf("h%d", level)
}
