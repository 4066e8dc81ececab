package office

import (
	"strings"
	"unicode"

	"vademecum/internal/base/lazyregexp"
)

// OutlineLevel is the outline level of a paragraph or its style, from 0, which makes it a heading.
type OutlineLevel int

const (
	OutlineUnset OutlineLevel = -1
	outlineBody  OutlineLevel = 9 // of text that is no heading (ECMA-376 part 1, 17.3.1.20)
)

// HeadingLevel returns the level of the heading, from 1, and whether it is one.
func (l OutlineLevel) HeadingLevel() (level int, isHeading bool) {
	return int(l) + 1, 0 <= l && l < outlineBody
}

// MaxBaseStyles is the maximum number of base styles that are followed from a style, as they may
// form a cycle.
const MaxBaseStyles = 16

// headingStyleName matches the names of heading styles: Word stores the English name in every
// language, other programs the name in the user's language.
var headingStyleName = lazyregexp.New(`^(?:heading|(?:ü|u)?berschrift|标题|標題|見出し|titre|título|titolo|заголовок|제목|kop|rubrik|overskrift|nagłówek|nadpis|otsikko|başlık|címsor|encabezado|intestazione)\s*([1-9])$`)

// StyleOutlineLevel returns the outline level that the name of a paragraph style implies,
// such as 1 for "heading 2", or OutlineUnset.
func StyleOutlineLevel(styleName string) OutlineLevel {
	name := strings.ToLower(strings.TrimSpace(styleName))
	if m := headingStyleName.FindStringSubmatch(name); m != nil {
		return OutlineLevel(m[1][0] - '1')
	}
	switch name {
	case "title", "titel", "titre", "título", "titolo", "название", "标题", "標題", "表題":
		return 0
	}
	return OutlineUnset
}

// ContainsLetter reports whether s contains a letter, unlike a header that is only a page number.
func ContainsLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
