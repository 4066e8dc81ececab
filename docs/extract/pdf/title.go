package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/requests"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/script"
)

const (
	maxTitlePageLines = 150  // number of lines that are measured: the title of a page is not at its bottom
	maxTitleLines     = 6    // maximum lines of one title
	sameSize          = 0.95 // minimum ratio between the sizes of the letters in one title: small capitals measure a little less
	largerThanText    = 1.15 // minimum ratio of the size of a title to the usual size on the page
)

// title returns the title that a page shows: the largest text on it that reads like a title, if it
// is larger than most text. The page must still be open in the engine.
func (p *textPage) title(lines []textLine) string {
	lines = lines[:min(len(lines), maxTitlePageLines)]
	sizes := make([]float64, len(lines))
	for i, line := range lines {
		sizes[i] = p.lineSize(line)
	}
	least := largerThanText * usualSize(lines, sizes)
	for range maxTitleLines { // at most that many sizes are tried
		size := slices.Max(append(sizes, 0))
		if size < least || size == 0 {
			return ""
		}
		if title := p.titleOfSize(lines, sizes, size); title != "" {
			return title
		}
	}
	return ""
}

// containsTitle reports whether the page contains most words of the title in the metadata, which
// may also be the title of a template, or a file name.
func (p *textPage) containsTitle(title string) bool {
	return isPhrase(title) && markdown.TextMentionsTitle(p.text, title)
}

// titleOfSize returns the first text in lines of the given size that reads like a title, or "". It
// sets the sizes of all lines that it has examined to 0.
func (p *textPage) titleOfSize(lines []textLine, sizes []float64, size float64) string {
	for i := 0; i < len(lines); i++ {
		first := i
		for i < len(lines) && i-first < maxTitleLines && sizes[i] >= sameSize*size && (i == first || isCloseTo(lines[i-1], lines[i], size)) {
			sizes[i] = 0
			i++
		}
		if title := markdown.CleanMetadataTitle(joinLines(trimSectionLabel(lines[first:i]))); isPhrase(title) && markdown.MayBeDocumentTitle(title) && !p.file.isAuthor(title) {
			return title
		}
	}
	return ""
}

// isCloseTo reports whether two consecutive lines are close enough to be parts of one title: on a
// page with columns or boxes, there may be other text between them.
func isCloseTo(before, after textLine, size float64) bool {
	const most = 3 // maximum distance between the lines, as a multiple of the size
	return !(math.Abs(before.start.y-after.start.y) > most*size)
}

// trimSectionLabel returns lines without the name of a column or section above a title, which is in
// capital letters: "SYSTEMS".
func trimSectionLabel(lines []textLine) []textLine {
	if len(lines) > 1 && isCapital(lines[0].text) && !isCapital(lines[1].text) {
		return lines[1:]
	}
	return lines
}

func isCapital(s string) bool { return strings.ToUpper(s) == s && strings.ToLower(s) != s }

// joinLines joins lines into one, including divided words.
func joinLines(lines []textLine) string {
	var b strings.Builder
	for _, line := range lines {
		before, _ := utf8.DecodeLastRuneInString(b.String())
		first, _ := utf8.DecodeRuneInString(line.text)
		if b.Len() > 0 && before != softHyphen && !(script.IsEastAsian(before) && script.IsEastAsian(first)) {
			b.WriteByte(' ')
		}
		b.WriteString(line.text)
	}
	title := markdown.OneLine(strings.ReplaceAll(b.String(), string(softHyphen), ""))
	return strings.TrimRight(strings.TrimSuffix(title, " ?"), " *∗⋆†‡") // footnote marks at the end
}

// isPhrase reports whether a text has at least two words: "Review" or "OPEN" is the name of a
// section, a number or a logo.
func isPhrase(s string) bool {
	words, wide := 0, 0
	for word := range strings.FieldsSeq(s) {
		if utf8.RuneCountInString(word) > 1 && strings.ContainsFunc(word, unicode.IsLetter) {
			words++
		}
		for _, r := range word {
			if script.IsEastAsian(r) {
				wide++
			}
		}
	}
	return words >= 2 || wide >= 4
}

// usualSize returns the size of most of the text or, on a page with few lines such as a cover, the
// smallest size.
func usualSize(lines []textLine, sizes []float64) float64 {
	const cover = 20 // number of lines up to which a page is treated as a cover
	type weighed struct {
		size float64
		n    int
	}
	var all []weighed
	total := 0
	for i, line := range lines {
		if sizes[i] > 0 {
			all = append(all, weighed{sizes[i], len(line.text)})
			total += len(line.text)
		}
	}
	slices.SortFunc(all, func(a, b weighed) int {
		switch {
		case a.size < b.size:
			return -1
		case a.size > b.size:
			return 1
		}
		return 0
	})
	seen := 0
	for _, w := range all {
		if seen += w.n; 2*seen >= total || len(all) < cover {
			return w.size
		}
	}
	return 0
}

// lineSize returns the font size of a line, in points, from a sample of its characters. It returns
// 0 if the size is unknown or the text is rotated, as in the margin of a preprint.
func (p *textPage) lineSize(line textLine) float64 {
	const samples = 5
	largest := 0.0
	for i := range samples {
		index, err := p.charIndex(line.at[(len(line.at)-1)*(i+1)/(samples+1)])
		if err != nil {
			return 0
		}
		if size := p.charSize(index); size > largest {
			largest = size
		}
	}
	return largest
}

func (p *textPage) charSize(index int) float64 {
	font, err := p.file.instance.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: p.ref, Index: index})
	if err != nil {
		return 0
	}
	matrix, err := p.file.instance.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{TextPage: p.ref, Index: index})
	if err != nil || math.Abs(float64(matrix.Matrix.B)) > math.Abs(float64(matrix.Matrix.A)) {
		return 0
	}
	return font.FontSize * math.Hypot(float64(matrix.Matrix.C), float64(matrix.Matrix.D))
}
