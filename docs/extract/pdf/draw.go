package pdf

import (
	"errors"
	"fmt"
	"image"
	"math"
	"unicode"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"

	"vademecum/docs/extract"
	"vademecum/docs/extract/picture"
	"vademecum/internal/base/script"
)

// Limits on the picture of a page. Its size suits reading a page on a screen; pages of other
// proportions are scaled to fit.
const (
	maxWidth  = 1100 // maximum width in pixels
	maxHeight = 1600
	maxMarks  = 2000 // maximum number of highlighted areas, each of consecutive characters on a line
	maxScale  = 3    // maximum enlargement of a page, or of the requested part of it
)

// Draw draws a page of a PDF as requested and highlights some of its characters. It does not draw a
// page that uses Chinese, Japanese or Korean fonts that are not embedded: their characters would be
// squares (see fontFiles).
func Draw(raw []byte, request extract.DrawingRequest, p extract.ProgressReporter) ([]byte, error) {
	engine, err := sharedEngine(p)
	if err != nil {
		return nil, err
	}
	d := file{engine: engine, raw: raw}
	defer d.close()
	if err := d.open(); err != nil {
		return nil, openSkipReason(err)
	}
	if request.Page < 1 || request.Page > d.pages {
		return nil, extract.Skip("there is no page %d: it has %d", request.Page, d.pages)
	}
	picture, err := d.drawPage(request)
	if err == nil || errors.Is(err, errNoFonts) {
		return picture, err
	}
	return nil, extract.Skip("page %d cannot be shown as an image: it is damaged", request.Page)
}

var errNoFonts = extract.Skip("the page cannot be shown as an image: the file does not contain the fonts of its Chinese, Japanese or Korean characters")

func (d *file) drawPage(what extract.DrawingRequest) ([]byte, error) {
	index := what.Page - 1
	p, err := d.openPage(index)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if !p.hasFonts() {
		return nil, errNoFonts
	}
	scale := 1.0
	if what.ZoomPercent > 0 {
		scale = min(maxScale, max(0.1, float64(what.ZoomPercent)/100))
	}
	if what.DotsPerInch > 0 {
		return d.drawScan(index, what)
	}
	if !what.Area.IsWholePage() {
		scale = min(maxScale, 100/max(1, what.Area.Right-what.Area.Left, what.Area.Bottom-what.Area.Top))
	}
	drawn, err := d.instance.RenderPageInPixels(&requests.RenderPageInPixels{
		Page: d.pageRequest(index), Width: int(maxWidth * scale), Height: int(maxHeight * scale), RenderFlags: enums.FPDF_RENDER_FLAG_ANNOT,
	})
	if err != nil {
		return nil, err
	}
	defer drawn.Cleanup()
	look, ok := drawn.Result.RenderedImage.(*image.RGBA)
	if !ok {
		return nil, fmt.Errorf("a picture of type %T", drawn.Result.RenderedImage)
	}
	if err := p.drawMarks(what, look); err != nil {
		return nil, err
	}
	return picture.EncodePart(look, what)
}

// mostScanned is the maximum size of the picture of a page for OCR, in pixels: A4 at 300 dpi has
// 8.7 million. The picture is in the memory of the engine, together with its other data.
const mostScanned = 10_000_000

// drawScan draws a page for OCR at the requested resolution, or a lower one if the page is large.
func (d *file) drawScan(index int, request extract.DrawingRequest) ([]byte, error) {
	size, err := d.instance.FPDF_GetPageSizeByIndex(&requests.FPDF_GetPageSizeByIndex{Document: d.document, Index: index})
	if err != nil {
		return nil, err
	}
	const points = 72 // points per inch
	dots := min(float64(request.DotsPerInch), points*math.Sqrt(mostScanned/max(1, size.Width*size.Height)))
	drawn, err := d.instance.RenderPageInDPI(&requests.RenderPageInDPI{
		Page: d.pageRequest(index), DPI: max(1, int(dots)), RenderFlags: enums.FPDF_RENDER_FLAG_ANNOT, ImageFormat: requests.RenderImageFormatGrayscale,
	})
	if err != nil {
		return nil, err
	}
	defer drawn.Cleanup()
	look, ok := drawn.Result.RenderedImage.(*image.Gray)
	if !ok {
		return nil, fmt.Errorf("a picture of type %T", drawn.Result.RenderedImage)
	}
	return picture.EncodePageForOCR(look)
}

// looked is the number of characters, spread over a page, whose fonts are checked.
const looked = 50

// hasFonts reports whether the file embeds the fonts of the Chinese, Japanese and Korean characters
// on the page, for which there are no substitutes. It checks a sample of them.
func (p *textPage) hasFonts() bool {
	var drawn []int // text indexes of the Chinese, Japanese and Korean characters
	for i, c := range []rune(p.text) {
		if script.IsEastAsian(c) {
			drawn = append(drawn, i)
		}
	}
	for i := 0; i < len(drawn); i += 1 + len(drawn)/looked {
		if p.lacksFont(drawn[i]) {
			return false
		}
	}
	return true
}

// lacksFont reports whether the font of a character is not embedded.
func (p *textPage) lacksFont(textIndex int) bool {
	index, err := p.charIndex(textIndex)
	if err != nil {
		return false
	}
	object, err := p.file.instance.FPDFText_GetTextObject(&requests.FPDFText_GetTextObject{TextPage: p.ref, Index: index})
	if err != nil {
		return false
	}
	font, err := p.file.instance.FPDFTextObj_GetFont(&requests.FPDFTextObj_GetFont{PageObject: object.TextObject})
	if err != nil {
		return false
	}
	held, err := p.file.instance.FPDFFont_GetIsEmbedded(&requests.FPDFFont_GetIsEmbedded{Font: font.Font})
	if err != nil || held.IsEmbedded {
		return false
	}
	name, err := p.file.instance.FPDFFont_GetBaseFontName(&requests.FPDFFont_GetBaseFontName{Font: font.Font})
	return err == nil && name.BaseFontName != "" // a Type 3 font has no name
}

// drawMarks highlights the passage and the words on a picture of the page.
func (p *textPage) drawMarks(request extract.DrawingRequest, look *image.RGBA) error {
	lines := p.placeLines()
	passage, err := p.rangeAreas(lines.charRanges(request.Passage), look.Rect)
	if err != nil {
		return err
	}
	var stretches []charRange
	for _, word := range request.Words {
		stretches = append(stretches, lines.charRanges(word)...)
	}
	words, err := p.rangeAreas(stretches[:min(len(stretches), maxMarks)], look.Rect)
	if err != nil {
		return err
	}
	for _, area := range passage {
		picture.PassageMarker.Highlight(look, picture.QuadrilateralOf(area))
	}
	for _, area := range words {
		picture.WordMarker.Highlight(look, picture.QuadrilateralOf(area))
	}
	return nil
}

// rangeAreas returns the areas that the characters of some ranges cover on a picture of the page
// with the given bounds.
func (p *textPage) rangeAreas(stretches []charRange, bounds image.Rectangle) ([]image.Rectangle, error) {
	var areas []image.Rectangle
	for _, s := range stretches {
		of, err := p.areasOfRange(s, bounds, maxMarks-len(areas))
		if err != nil {
			return nil, err
		}
		areas = append(areas, joinLineAreas(of, bounds)...)
	}
	return areas, nil
}

// joinLineAreas joins the areas of a line into one with a margin, because the areas of letters are
// only as high as each letter. Areas too far apart to be one line stay separate.
func joinLineAreas(areas []image.Rectangle, bounds image.Rectangle) []image.Rectangle {
	const spread = 4 // maximum ratio of the joined area to the sum of the areas
	var all image.Rectangle
	covered := 0
	for _, a := range areas {
		all = all.Union(a)
		covered += a.Dx() * a.Dy()
	}
	if covered == 0 || all.Dx()*all.Dy() > spread*covered {
		return areas
	}
	return []image.Rectangle{all.Inset(-1 - min(all.Dx(), all.Dy())/8).Intersect(bounds)}
}

// A charRange is a range of characters on one line, given by the indexes of the first and the last
// one in the text of the page as the engine returns it.
type charRange struct{ first, last int }

// placedLines are the lines of a page with their positions in the text that Read returns.
type placedLines []placedLine

// A placedLine is a line and the range of its characters in the text that Read returns for the
// page.
type placedLine struct {
	extract.CharacterRange
	textLine
}

func (p *textPage) placeLines() (all placedLines) {
	lines, _ := p.lines()
	sections, _ := p.file.sections() // the same sections as in Read
	text, _ := p.joinParagraphs(lines, headingsOf(sections[p.index], lines))
	runes := []rune(text)
	at := 0
	for _, line := range lines {
		at = nextNonSpace(runes, at)
		all = append(all, placedLine{extract.CharacterRange{From: at, To: at + len(line.at)}, line})
		at += len(line.at)
	}
	return all
}

// charRanges returns the engine's character ranges for a range of the text that Read returns. It
// converts the range line by line, as the white space between lines differs.
func (l placedLines) charRanges(of extract.CharacterRange) (all []charRange) {
	for _, line := range l {
		start, end := max(of.From, line.From)-line.From, min(of.To, line.To)-line.From
		if start < end {
			all = append(all, stretches(line.at[start:end])...)
		}
	}
	return all
}

// stretches splits text indexes into ranges of consecutive ones. A line may have several, as it may
// include parts from elsewhere on the page.
func stretches(at []int) (all []charRange) {
	for _, i := range at {
		if n := len(all); n > 0 && all[n-1].last <= i && i <= all[n-1].last+maxSkipped {
			all[n-1].last = i
		} else {
			all = append(all, charRange{i, i})
		}
	}
	return all
}

// maxSkipped is the maximum distance between the indexes of two characters of one range: the engine
// may have a line end or a space between them.
const maxSkipped = 4

// areasOfRange returns the areas that a character range covers on a picture of the page with the
// given bounds, but no more than maxAreas.
func (p *textPage) areasOfRange(s charRange, bounds image.Rectangle, maxAreas int) ([]image.Rectangle, error) {
	first, err := p.charIndex(s.first)
	if err != nil {
		return nil, err
	}
	last, err := p.charIndex(s.last)
	if err != nil {
		return nil, err
	}
	count, err := p.file.instance.FPDFText_CountRects(&requests.FPDFText_CountRects{TextPage: p.ref, StartIndex: first, Count: last - first + 1})
	if err != nil {
		return nil, err
	}
	var areas []image.Rectangle
	for i := range min(count.Count, maxAreas) {
		box, err := p.file.instance.FPDFText_GetRect(&requests.FPDFText_GetRect{TextPage: p.ref, Index: i})
		if err != nil {
			return nil, err
		}
		from, err := p.pixelAt(box.Left, box.Top, bounds)
		if err != nil {
			return nil, err
		}
		to, err := p.pixelAt(box.Right, box.Bottom, bounds)
		if err != nil {
			return nil, err
		}
		areas = append(areas, image.Rectangle{from, to}.Canon().Intersect(bounds))
	}
	return areas, nil
}

// pixelAt returns the pixel for a point of the page, which may be rotated, on a picture of the page
// with the given bounds.
func (p *textPage) pixelAt(x, y float64, bounds image.Rectangle) (image.Point, error) {
	at, err := p.file.instance.FPDF_PageToDevice(&requests.FPDF_PageToDevice{
		Page: p.file.pageRequest(p.index), SizeX: bounds.Dx(), SizeY: bounds.Dy(), PageX: x, PageY: y,
	})
	if err != nil {
		return image.Point{}, err
	}
	return image.Pt(at.DeviceX, at.DeviceY), nil
}

// nextNonSpace returns the index, from at on, of the next character that is not white space.
func nextNonSpace(text []rune, at int) int {
	for at < len(text) && unicode.IsSpace(text[at]) {
		at++
	}
	return at
}
