package office

import (
	"strings"
	"unicode"

	"vademecum/internal/base/lazyregexp"
)

// OutlineUnset is the outline level of a paragraph style that has none.
const OutlineUnset = -1

// MaxBaseStyles is the maximum number of base styles that are followed from a style, as they may
// form a cycle.
const MaxBaseStyles = 16

// headingStyleName matches the names of heading styles: Word stores the English name in every
// language, other programs the name in the user's language.
var headingStyleName = lazyregexp.New(`^(?:heading|(?:ü|u)?berschrift|标题|標題|見出し|titre|título|titolo|заголовок|제목|kop|rubrik|overskrift|nagłówek|nadpis|otsikko|başlık|címsor|encabezado|intestazione)\s*([1-9])$`)

// StyleOutlineLevel returns the outline level, from 0, that the name of a paragraph style implies,
// such as 1 for "heading 2", or OutlineUnset.
func StyleOutlineLevel(styleName string) (levelOrUnset int) {
	name := strings.ToLower(strings.TrimSpace(styleName))
	if m := headingStyleName.FindStringSubmatch(name); m != nil {
		return int(m[1][0] - '1')
	}
	switch name {
	case "title", "titel", "titre", "título", "titolo", "название", "标题", "標題", "表題":
		return 0
	}
	return OutlineUnset
}

// ContainsLetter reports whether s contains a letter, as a header does that is more than a page
// number.
func ContainsLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
