package ocr

import (
	"image"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/layout"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
	"vademecum/internal/base/script"
)

// Page is the recognised text of a page.
type Page struct {
	Text              string          // lines, with blank lines between paragraphs; "" if nothing is confident enough
	ConfidencePercent int             // mean confidence of the characters in percent, by the program's own estimate
	NoTextReason      message.Message // why there is no text; "" if there is
	Languages         string          // languages in which it was read, in tesseract's format; "" if unknown
	PackedLayout      string          // packed positions of its words on the picture, see package layout; "" if unknown
}

// Thresholds below which the words of a page or a line are considered noise. The mean confidence of
// book pages, clean or badly copied, is above 80 %; that of photographs of objects is below 50 %.
const (
	minPageConfidence = 60 // percent
	minLineConfidence = 40 // percent; shadows and drawings on a page have less
	minCharacters     = 8  // letters and digits; a Chinese character counts as two
)

// word is a recognised word.
type word struct {
	block, paragraph, line int // that contain it
	confidence             float64
	text                   string
	box                    image.Rectangle // in pixels of the picture
}

// Columns of tesseract's TSV output, which has one row for each page, block, paragraph, line or
// word (src/api/renderer: TessBaseAPI::GetTSVText).
const (
	columnLevel = iota
	columnPage
	columnBlock
	columnParagraph
	columnLine
	columnWord
	columnLeft
	columnTop
	columnWidth
	columnHeight
	columnConfidence
	columnText

	columns
)

const (
	lineLevel = "4"
	wordLevel = "5"
	heading   = "level\tpage_num\tblock_num"
)

// parse returns the words in tesseract's TSV output.
func parse(table string) (words []word, err error) {
	lines := strings.Split(table, "\n")
	if !strings.HasPrefix(lines[0], heading) {
		return nil, message.Errorf("tesseract returned no word table")
	}
	var around image.Rectangle // box of the current line
	for _, line := range lines[1:] {
		row := strings.SplitN(strings.TrimRight(line, "\r"), "\t", columns)
		switch {
		case len(row) == columns && row[columnLevel] == lineLevel:
			if around, err = boxOf(row); err != nil {
				return nil, err
			}
			continue
		case len(row) < columns || row[columnLevel] != wordLevel:
			continue
		}
		w := word{text: clean(row[columnText])}
		confidence, err := strconv.ParseFloat(row[columnConfidence], 64)
		if err != nil || math.IsNaN(confidence) || confidence < 0 || w.text == "" {
			continue
		}
		w.confidence = min(confidence, 100)
		for column, to := range map[int]*int{columnBlock: &w.block, columnParagraph: &w.paragraph, columnLine: &w.line} {
			if *to, err = strconv.Atoi(row[column]); err != nil {
				return nil, errDamaged
			}
		}
		if w.box, err = boxOf(row); err != nil {
			return nil, err
		}
		if within := w.box.Intersect(around); !within.Empty() { // boxes of Chinese characters are sometimes half as high again
			w.box = within
		}
		words = append(words, w)
	}
	return words, nil
}

var errDamaged = message.Errorf("tesseract returned a damaged word table")

// boxOf returns the box in a row of the table.
func boxOf(row []string) (box image.Rectangle, err error) {
	var size image.Point
	for column, to := range map[int]*int{columnLeft: &box.Min.X, columnTop: &box.Min.Y, columnWidth: &size.X, columnHeight: &size.Y} {
		if *to, err = strconv.Atoi(row[column]); err != nil {
			return image.Rectangle{}, errDamaged
		}
	}
	box.Max = box.Min.Add(size)
	return box, nil
}

// clean returns a word without invalid and control characters.
func clean(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) {
			return -1
		}
		return r
	}, text))
}

// pageOf returns the page with these words, without lines that are noise. turn is the rotation that
// was applied to the page.
func pageOf(words []word, turn layout.Rotation) Page {
	page, places := Page{ConfidencePercent: int(math.Round(confidenceOf(words)))}, layout.Page{Rotation: turn}
	var text strings.Builder
	for at := 0; at < len(words); {
		end := at + 1
		for end < len(words) && words[end].isOnLineOf(words[at]) {
			end++
		}
		if line := words[at:end]; confidenceOf(line) >= minLineConfidence {
			if text.Len() > 0 {
				text.WriteString(between(words, at))
			}
			writeLine(&text, line, &places)
		}
		at = end
	}
	switch signs := countCharacters(text.String()); {
	case signs < minCharacters:
		page.NoTextReason = message.New("no text was recognised")
	case page.ConfidencePercent < minPageConfidence:
		page.NoTextReason = message.New("the recognised text is too uncertain (%d %%)", page.ConfidencePercent)
	default:
		page.Text = present.CleanBlock(text.String() + "\n") // this keeps the number of characters
		if turn.OriginalWidth > 0 {
			page.PackedLayout = places.Pack()
		}
	}
	return page
}

func (w word) isOnLineOf(o word) bool {
	return w.block == o.block && w.paragraph == o.paragraph && w.line == o.line
}

// between returns the separator before the line that begins at a word.
func between(words []word, at int) string {
	if before := words[at-1]; before.block == words[at].block && before.paragraph == words[at].paragraph {
		return "\n"
	}
	return "\n\n"
}

// writeLine adds the text of a line and the positions of its words. It omits the spaces that the
// program inserts between Chinese characters.
func writeLine(text *strings.Builder, line []word, places *layout.Page) {
	paper := image.Rectangle{Max: image.Pt(places.Rotation.RotatedSize())}
	at := utf8.RuneCountInString(text.String())
	var last rune
	for i, w := range line {
		first, _ := utf8.DecodeRuneInString(w.text)
		if last != 0 && !isTight(last, first) {
			text.WriteByte(' ')
			at++
		}
		text.WriteString(w.text)
		last, _ = utf8.DecodeLastRuneInString(w.text)
		end := at + utf8.RuneCountInString(w.text)
		if i+1 < len(line) {
			w.box = w.upTo(line[i+1])
		}
		places.Words = append(places.Words, layout.Word{CharacterRange: extract.CharacterRange{From: at, To: end}, Box: w.box.Intersect(paper), BeginsLine: i == 0})
		at = end
	}
}

// upTo returns the box of a word without the part that belongs to the next word of its line, if
// there is no space between them. In Chinese text, tesseract sometimes ends words too late, or so
// early that hardly a stroke is left.
func (w word) upTo(next word) image.Rectangle {
	box := w.box
	last, _ := utf8.DecodeLastRuneInString(w.text)
	first, _ := utf8.DecodeRuneInString(next.text)
	if !isTight(last, first) || next.box.Min.X <= box.Min.X {
		return box
	}
	across := utf8.RuneCountInString(w.text) * box.Dy() // characters are as wide as they are high
	if 3*box.Dx() < 2*across {
		box.Max.X = box.Min.X + across
	}
	box.Max.X = min(box.Max.X, next.box.Min.X)
	return box
}

// isTight reports whether no space belongs between two characters: both are Chinese, or one is
// Chinese punctuation.
func isTight(last, first rune) bool {
	const opening, closing = "（《“‘【", "，。：；！？、）》”’】"
	return script.IsEastAsian(last) && script.IsEastAsian(first) || strings.ContainsRune(opening, last) || strings.ContainsRune(closing, first) ||
		strings.ContainsRune(closing, last) && script.IsEastAsian(first) || script.IsEastAsian(last) && strings.ContainsRune(opening, first)
}

// confidenceOf returns the mean confidence of words in percent, weighted by their length, or 0 if
// there are none.
func confidenceOf(words []word) float64 {
	sum, characters := 0.0, 0
	for _, w := range words {
		n := utf8.RuneCountInString(w.text)
		sum, characters = sum+w.confidence*float64(n), characters+n
	}
	return sum / float64(max(1, characters))
}

func countCharacters(text string) (n int) {
	for _, r := range text {
		switch {
		case script.IsEastAsian(r):
			n += 2
		case unicode.IsLetter(r), unicode.IsDigit(r):
			n++
		}
	}
	return n
}
