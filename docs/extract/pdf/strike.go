package pdf

import (
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"

	"vademecum/docs/extract/markdown"
)

// maxStrikeAreas is the maximum number of lines of text that the annotations of a page strike out.
const maxStrikeAreas = 1000

// findStrikes finds the areas of the page that annotations strike out (ISO 32000-1, 12.5.6.10).
func (p *textPage) findStrikes() {
	p.file.eachAnnotation(p.index, func(_ int, a references.FPDF_ANNOTATION) {
		if p.file.annotationKind(a) == enums.FPDF_ANNOT_SUBTYPE_STRIKEOUT && len(p.strikes) < maxStrikeAreas {
			p.strikes = append(p.strikes, p.file.markedAreas(a)...)
		}
	})
}

// markedAreas returns the areas of the text that an annotation marks, one for each line of it.
func (d *file) markedAreas(a references.FPDF_ANNOTATION) (areas []box) {
	count, err := d.instance.FPDFAnnot_CountAttachmentPoints(&requests.FPDFAnnot_CountAttachmentPoints{Annotation: a})
	if err != nil {
		return nil
	}
	for i := range min(count.Count, maxStrikeAreas) {
		corners, err := d.instance.FPDFAnnot_GetAttachmentPoints(&requests.FPDFAnnot_GetAttachmentPoints{Annotation: a, Index: i})
		if err != nil {
			return areas
		}
		q := corners.QuadPoints // writers do not agree on the order of the corners
		areas = append(areas, box{
			left: float64(min(q.X1, q.X2, q.X3, q.X4)), right: float64(max(q.X1, q.X2, q.X3, q.X4)),
			bottom: float64(min(q.Y1, q.Y2, q.Y3, q.Y4)), top: float64(max(q.Y1, q.Y2, q.Y3, q.Y4)),
		})
	}
	return areas
}

// repeatsStruck reports whether the comment of an annotation only repeats the text that it strikes out, as
// some programs write it. It would read as a text that holds.
func (p *textPage) repeatsStruck(a references.FPDF_ANNOTATION, comment string) bool {
	if comment == "" || p.file.annotationKind(a) != enums.FPDF_ANNOT_SUBTYPE_STRIKEOUT {
		return false
	}
	var struck strings.Builder
	for _, area := range p.file.markedAreas(a) {
		struck.WriteString(p.file.textWithin(p.ref, structs.FPDF_FS_RECTF{Left: float32(area.left), Top: float32(area.top), Right: float32(area.right), Bottom: float32(area.bottom)}))
	}
	return withoutSpaces(struck.String()) == withoutSpaces(comment)
}

func withoutSpaces(text string) string { return strings.Join(strings.Fields(text), "") }

// markStruck inserts marks around the text that annotations strike out, on each line of it, as the lines may
// get another order.
func (p *textPage) markStruck(glyphs []glyph) []glyph {
	if len(p.strikes) == 0 {
		return glyphs
	}
	out := make([]glyph, 0, len(glyphs)+8*len(p.strikes))
	for start := 0; start < len(glyphs); {
		end := p.struckEnd(glyphs, start)
		if end == start {
			out = append(out, glyphs[start])
			start++
			continue
		}
		out = appendStruck(out, glyphs[start:end], glyphs[end:min(end+1, len(glyphs))])
		start = end
	}
	return out
}

// struckEnd returns the end of the struck-out text that begins at an index; the index itself if there is none.
// A word that is divided between two lines is one text.
func (p *textPage) struckEnd(glyphs []glyph, start int) (end int) {
	end = start
	for i := start; i < len(glyphs); i++ {
		switch c := glyphs[i].char; {
		case c == '\n' && charAt(glyphs, i-1) != softHyphen:
			return end
		case c == '\n' || c == softHyphen || unicode.IsSpace(c):
			if end == start {
				return start
			}
		case !p.isWithinAny(glyphs[i].at, p.strikes):
			return end
		default:
			end = i + 1
		}
	}
	return end
}

// isWithinAny reports whether the middle of a character is in one of some areas.
func (p *textPage) isWithinAny(textIndex int, areas []box) bool {
	b := p.charBox(textIndex)
	x, y := (b.left+b.right)/2, (b.bottom+b.top)/2
	for _, a := range areas {
		if a.left <= x && x <= a.right && a.bottom <= y && y <= a.top {
			return true
		}
	}
	return false
}

// appendStruck appends struck-out glyphs with the marks around them.
func appendStruck(out, struck, following []glyph) []glyph {
	var before rune
	if n := len(out); n > 0 {
		before = out[n-1].char
	}
	text := textOf(struck)
	open, closing, _ := strings.Cut(markdown.MarkStruck(before, text, textOf(following)), text)
	for _, r := range open {
		out = append(out, glyph{r, struck[0].at})
	}
	out = append(out, struck...)
	for _, r := range closing {
		out = append(out, glyph{r, struck[len(struck)-1].at})
	}
	return out
}

func textOf(glyphs []glyph) string {
	var b strings.Builder
	for _, g := range glyphs {
		b.WriteRune(g.char)
	}
	return b.String()
}
