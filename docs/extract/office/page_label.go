package office

import (
	"slices"

	"vademecum/internal/base/lazyregexp"
)

// pageLabel matches the words around a page number in a header, without the numbers.
var pageLabel = lazyregexp.New(`(?i)^[^\pL]*(?:(?:pages?|pg|pag|página|pagina|pág|seiten?|blatt|sida|side|strona|strana|oldal|sayfa|страница|стр|лист|trang)` +
	`[^\pL]*(?:(?:of|von|de|sur|di|af|av|van|z|из)[^\pL]*)?|(?:[第共总總页頁張张][^\pL]*)+|ページ[^\pL]*)$`)

// IsPageLabel reports whether a header or footer is only a page label, such as "Page 1 of 3" and "第
// 1 页", with or without the numbers.
func IsPageLabel(text string) bool {
	const most, longest = 2, 4 // maximum count of numbers, and maximum digits of each
	numbers := digits.FindAllString(text, most+1)
	isLong := func(number string) bool { return len(number) > longest }
	return len(numbers) <= most && !slices.ContainsFunc(numbers, isLong) && pageLabel.MatchString(text)
}

var digits = lazyregexp.New(`[0-9]+`)
