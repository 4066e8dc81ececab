package office

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// A FooterDeduplicator remembers the texts of headers and footers, so that those that repeat on
// every slide are written only once.
type FooterDeduplicator struct{ seen []string }

// KeepUnseen returns the blocks of a slide's headers and footers that no earlier call was given,
// and remembers them.
func (f *FooterDeduplicator) KeepUnseen(blocks []markdown.Block) []markdown.Block {
	return slices.DeleteFunc(blocks, func(b markdown.Block) bool {
		isKnown := slices.Contains(f.seen, b.Text) || len(f.seen) > extract.MaxNestingDepth
		if !isKnown {
			f.seen = append(f.seen, b.Text)
		}
		return isKnown
	})
}

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
