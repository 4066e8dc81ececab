package render

import (
	"html"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"vademecum/internal/base/lazyregexp"
)

// hashtag is a Markdown node for a tag in a text: #like-this.
type hashtag struct {
	ast.BaseInline
	segment text.Segment
}

var kindHashtag = ast.NewNodeKind("Hashtag")

func (*hashtag) Kind() ast.NodeKind        { return kindHashtag }
func (h *hashtag) Dump(src []byte, at int) { ast.DumpHelper(h, src, at, nil, nil) }

// hashtagParser parses what may be tags. Which of them are tags the caller of HTML decides, by
// DocumentText.TagURL.
type hashtagParser struct{}

func (hashtagParser) Trigger() []byte { return []byte{'#'} }

func (hashtagParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	if !unicode.IsSpace(block.PrecendingCharacter()) {
		return nil
	}
	line, segment := block.PeekLine()
	name := line[1:]
	if end := strings.IndexFunc(string(name[:min(len(name), mostHashtag)]), isOutsideTag); end >= 0 {
		name = name[:end]
	}
	if len(name) == 0 || len(name) >= mostHashtag {
		return nil
	}
	block.Advance(1 + len(name))
	return &hashtag{segment: segment.WithStop(segment.Start + 1 + len(name))}
}

// mostHashtag is the length, in bytes, from which a hashtag is treated as plain text.
const mostHashtag = 400

func isOutsideTag(c rune) bool {
	return !strings.ContainsRune("-_/\u200d", c) && !unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.So, unicode.Sk) || c == unicode.ReplacementChar
}

func (w *writer) writeHashtag(n *hashtag) {
	open := ""
	if !w.marked.isInLink {
		open = w.hashtagTag(w.Body[w.marked.base+n.segment.Start+1 : w.marked.base+n.segment.Stop])
	}
	if open != "" {
		w.writeAnchorsUpTo(w.marked.base + n.segment.Stop) // links must not contain anchors
	}
	w.writeMarkup(open)
	w.writeSegment(n.segment, false)
	if open != "" {
		w.writeMarkup("</a>")
	}
}

// hashtagTag returns the opening HTML tag of the link for a hashtag; "" if the document does not
// have that tag.
func (w *writer) hashtagTag(name string) string {
	if w.TagURL == nil {
		return ""
	}
	if to := w.TagURL(name); isOwnAddress(to) {
		return `<a class="tag" href="` + html.EscapeString(to) + `">`
	}
	return ""
}

// frontTags matches the lines of front matter that list tags; frontTag and frontWord match possible
// tags in them: the text between two separators, and a word of it.
var (
	frontTags = lazyregexp.New(`(?mi)^["']?(?:tags?|keywords?|标签|標籤)["']?[ \t]*[:=].*\n(?:[ \t]*-[ \t].*\n|[ \t]+\S.*\n)*`)
	frontTag  = lazyregexp.New(`[^\s,，、;；\[\]"'#:=-][^,，、;；\[\]"'\n]*`)
	frontWord = lazyregexp.New(`[^\s#]+`)
)

// tagsOf returns the links of the tags in a range of front matter.
func (w *writer) tagsOf(r Range) (all []codeLink) {
	if w.TagURL == nil {
		return nil
	}
	for _, lines := range frontTags.FindAllStringIndex(w.Body[r.From:r.To], -1) {
		from := r.From + lines[0]
		from += strings.IndexAny(w.Body[from:], ":=") + 1
		for _, m := range frontTag.FindAllStringIndex(w.Body[from:r.From+lines[1]], -1) {
			item := strings.TrimRightFunc(w.Body[from+m[0]:from+m[1]], unicode.IsSpace)
			if open := w.hashtagTag(item); open != "" {
				all = append(all, codeLink{Range{from + m[0], from + m[0] + len(item)}, open})
				continue
			}
			for _, word := range frontWord.FindAllStringIndex(item, -1) {
				if open := w.hashtagTag(item[word[0]:word[1]]); open != "" {
					all = append(all, codeLink{Range{from + m[0] + word[0], from + m[0] + word[1]}, open})
				}
			}
		}
	}
	return all
}

// inOrder sorts links by position, and drops those that begin inside another.
func inOrder(links []codeLink) []codeLink {
	slices.SortStableFunc(links, func(a, b codeLink) int { return a.From - b.From })
	end := 0
	return slices.DeleteFunc(links, func(l codeLink) bool {
		if l.From < end {
			return true
		}
		end = l.To
		return false
	})
}
