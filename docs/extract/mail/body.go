package mail

import (
	"errors"
	"strings"
	"unicode"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// sortedParts are the parts of a message, sorted into its own texts and attachments.
type sortedParts struct {
	bodies []bodyText
	files  []*mimePart // attachments
}

// A bodyText is one text of a message in its alternative forms, plain and HTML.
type bodyText struct{ plain, html []*mimePart }

// addPart adds a part of a message, or else the parts nested in it, to the bodies or the attachments.
func (l *sortedParts) addPart(p *mimePart) {
	switch {
	case p.kind == "multipart/alternative":
		var b bodyText
		l.addAlternatives(p, &b)
		l.bodies = append(l.bodies, b)
	case len(p.parts) > 0:
		for _, child := range p.parts {
			l.addPart(child)
		}
	case !p.isBody():
		l.files = append(l.files, p)
	case p.textKind() == "text/html":
		l.bodies = append(l.bodies, bodyText{html: []*mimePart{p}})
	default:
		l.bodies = append(l.bodies, bodyText{plain: []*mimePart{p}})
	}
}

// addAlternatives adds the alternative forms of a text, the parts of p, to b.
func (l *sortedParts) addAlternatives(p *mimePart, b *bodyText) {
	for _, child := range p.parts {
		switch {
		case len(child.parts) > 0:
			l.addAlternatives(child, b)
		case !child.isBody():
			l.files = append(l.files, child)
		case child.textKind() == "text/html":
			b.html = append(b.html, child)
		case child.kind == "text/plain" || len(p.parts) == 1:
			b.plain = append(b.plain, child)
		}
	}
}

// isBody reports whether p is text that belongs to the message itself.
func (p *mimePart) isBody() bool {
	switch p.textKind() {
	case "", "text/calendar", "text/vcard":
		return false
	}
	return !p.isAttachment && p.name == "" && !p.isMessage()
}

// plainText returns the text of the plain form.
func (b bodyText) plainText() string {
	var text strings.Builder
	for _, p := range b.plain {
		text.WriteString(markdown.EscapeStrayTildesInProse(p.text()) + "\n\n")
	}
	return text.String()
}

// htmlText returns the text of the HTML form as Markdown.
func (b bodyText) htmlText() (string, error) {
	var text strings.Builder
	for _, p := range b.html {
		markdown, err := htmlMarkdown(p)
		if err != nil {
			return "", err
		}
		text.WriteString(markdown + "\n")
	}
	return strings.TrimSpace(text.String()), nil
}

// htmlMarkdown returns the text of an HTML part as Markdown, or "" if there is none: that is not an
// error, as other parts may have text.
func htmlMarkdown(p *mimePart) (string, error) {
	markdown, _, err := html.Markdown(p.html())
	if errors.Is(err, extract.ErrNoText) {
		return "", nil
	}
	return markdown, err
}

var linkTarget = lazyregexp.New(`\]\([^()\s]*\)`)

// coversHTML reports whether the plain text of a message has the content of its HTML, that is, more
// than half of its pairs of letters. Many plain texts only say that the mail program cannot show
// HTML.
func coversHTML(plain, markdown string) bool {
	said := letterPairs(plain)
	pairs := letterPairs(linkTarget.ReplaceAllString(markdown, "]"))
	common := 0
	for pair := range pairs {
		if said[pair] {
			common++
		}
	}
	return 2*common > len(pairs)
}

// letterPairs returns the pairs of consecutive letters and digits in s.
func letterPairs(s string) map[[2]rune]bool {
	pairs := make(map[[2]rune]bool)
	var last rune
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		r = unicode.ToLower(r)
		pairs[[2]rune{last, r}] = true
		last = r
	}
	return pairs
}
