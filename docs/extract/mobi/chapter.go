package mobi

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/internal/base/lazyregexp"
)

// A chapter is a part of the text of a book.
type chapter struct {
	source []byte
	name   string // name in the table of contents, or ""
}

var (
	pageBreak   = lazyregexp.New(`(?i)<mbp:pagebreak`)
	mainHeading = lazyregexp.New(`(?i)<h1[\s>]`)
	subHeading  = lazyregexp.New(`(?i)<h2[\s>]`)
)

// splitChapters splits the text of a book at the starts of its source files, which are page breaks
// in the older format. If there are none, it splits at the entries of the table of contents or,
// without one, at headings.
func (b *book) splitChapters(s bookText) []chapter {
	names := b.chapterOffsets(s.fragmentStarts)
	starts := s.fileStarts
	if len(starts) == 0 {
		starts = matchStarts(pageBreak, s.text)
	}
	if len(starts) < 2 && len(names) > 1 {
		for _, n := range names {
			starts = append(starts, n.at)
		}
	}
	for _, heading := range []*lazyregexp.Regexp{mainHeading, subHeading} {
		if len(starts) < 2 {
			if found := matchStarts(heading, s.text); len(found) > 1 {
				starts = found
			}
		}
	}
	return cutChapters(s.text, starts, names)
}

func matchStarts(what *lazyregexp.Regexp, source []byte) (starts []int) {
	for _, m := range what.FindAllIndex(source, extract.MaxArchiveEntries) {
		starts = append(starts, m[0])
	}
	return starts
}

// cutChapters splits a text into chapters at starts. Each chapter has the first of the names whose
// offset lies in it.
func cutChapters(source []byte, starts []int, names []chapterOffset) []chapter {
	starts = slices.DeleteFunc(append([]int{0}, starts...), func(at int) bool { return at < 0 || at >= len(source) })
	slices.Sort(starts)
	starts = slices.Compact(starts)
	chapters := make([]chapter, len(starts))
	for i, start := range starts {
		end := len(source)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		chapters[i].source = source[start:end]
	}
	for _, n := range names {
		i, isStart := slices.BinarySearch(starts, n.at)
		if !isStart {
			i--
		}
		if 0 <= i && i < len(chapters) && chapters[i].name == "" {
			chapters[i].name = n.name
		}
	}
	return chapters
}
