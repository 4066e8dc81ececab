package chunk

import (
	"strings"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

// maxOrnament is the maximum length, in bytes, of a block of Markdown that is checked for being an
// ornament.
const maxOrnament = 16 << 10

var (
	htmlComment = lazyregexp.New(`(?s)<!--.*?-->`)
	htmlTag     = lazyregexp.New(`</?[A-Za-z!][^<>]*>`)
	htmlHeading = lazyregexp.New(`(?is)<h1(?:\s[^<>]*)?>(.*?)</h1>`)
	imageLink   = lazyregexp.New(`!\[[^\]]*\](\([^()\s]*(\s+"[^"]*")?\)|\[[^\]]*\])`)
	emptyLink   = lazyregexp.New(`\[\s*\](\([^()\s]*\)|\[[^\]]*\])`)
	tocMark     = lazyregexp.New(`(?i)\[\[?_?toc_?\]\]?|\{:?toc\}`)
	linkTarget  = lazyregexp.New(`(?m)^ {0,3}\[[^\]]+\]:\s+\S+.*$`)
)

// isOrnament reports whether a block of Markdown has no words: badges, a logo, a comment, a
// placeholder for a table of contents, the number of a chapter or the letter of an appendix. A
// title may follow it.
func isOrnament(s string) bool {
	if len(s) > maxOrnament {
		return false
	}
	s = strings.TrimSpace(withoutMarkup(s))
	return !hasLetter(s) || utf8.RuneCountInString(s) == 1
}

// withoutMarkup returns s without HTML, images and the targets of links.
func withoutMarkup(s string) string {
	s = htmlComment.ReplaceAllString(s, "")
	s = htmlTag.ReplaceAllString(s, "")
	s = imageLink.ReplaceAllString(s, "")
	s = emptyLink.ReplaceAllString(s, "")
	s = linkTarget.ReplaceAllString(s, "")
	return tocMark.ReplaceAllString(s, "")
}

// firstHTMLHeading returns the HTML heading at the start of a text, as in READMEs with a centred
// title.
func firstHTMLHeading(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), maxOrnament)], "")
	at := htmlHeading.FindStringSubmatchIndex(text)
	if at == nil || !isOrnament(text[:at[0]]) {
		return ""
	}
	return headingText([]byte(strings.ReplaceAll(htmlTag.ReplaceAllString(text[at[2]:at[3]], " "), "\n", " ")))
}
