package drawing

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"io"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

// A diagramFile holds the state while a draw.io (diagrams.net) file is read. Each diagram in it is
// a page.
type diagramFile struct {
	w              markdown.Writer
	pages          int
	failed         []int // numbers of the pages that could not be read completely
	remainingBytes int64 // bytes that may still be decompressed
}

// ReadDrawio reads a draw.io file, or one embedded in an SVG picture: the labels on each page,
// grouped by container, and the labels of its arrows.
func ReadDrawio(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	d := diagramFile{remainingBytes: extract.MaxUnpackedBytes}
	err := d.readDiagrams(bytes.NewReader(raw), true)
	if err == nil && d.pages == 0 {
		err = errDamaged
	}
	c, err := contentUntilError(&d.w, err)
	if c.ExtractionNote == "" {
		c.ExtractionNote = extract.Page.Noun().IncompleteNote(d.failed)
	}
	return c, err
}

// readDiagrams reads the diagrams of a file. If mayBeSVG is true, the file may also be an SVG
// picture with embedded diagrams.
func (d *diagramFile) readDiagrams(r io.Reader, mayBeSVG bool) error {
	carried := ""
	err := zipxml.ReadXML(r, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "svg":
				carried = e.Attribute("content")
				return true
			case "diagram":
				x.StopWith(d.readDiagram(x, e.Attribute("name")))
			case "mxGraphModel":
				x.StopWith(d.readPage("", func(p *diagramReader) error { return p.readGraph(x) }))
			default:
				return false
			}
			return true
		})
	})
	if carried != "" && mayBeSVG {
		return d.readDiagrams(strings.NewReader(carried), false)
	}
	return err
}

// readDiagram reads a page, which is stored as a child element or as compressed text. It returns an
// error only if the whole file must be abandoned.
func (d *diagramFile) readDiagram(x *zipxml.Reader, name string) error {
	return d.readPage(name, func(p *diagramReader) error {
		var err error
		var packed strings.Builder
		x.EachChild(func(e zipxml.Element) {
			if e.Name == "mxGraphModel" {
				err = p.readGraph(x)
			}
		}, func(b []byte) {
			if x.CountBytes(len(b)); x.Err == nil {
				packed.Write(b)
			}
		})
		if text := strings.TrimSpace(packed.String()); err == nil && text != "" {
			return d.unpackPage(text, p)
		}
		return err
	})
}

// readPage calls fill to read the next page, and writes the page or the part of it that could be
// read. It returns an error only if the whole file must be abandoned.
func (d *diagramFile) readPage(name string, fill func(p *diagramReader) error) error {
	d.pages++
	p := &diagramReader{drawingPage: newDrawingPage()}
	switch err := fill(p); {
	case err == errTooManyFigures || err != nil && extract.IsLimitError(err):
		return err
	case err != nil:
		d.failed = append(d.failed, d.pages)
	}
	if p.attachLabels(); p.isBlank() {
		return nil
	}
	part := extract.Part{Kind: extract.Page, Number: d.pages, Name: markdown.OneLine(name)}
	title := part.Name
	if madeUpName.MatchString(name) {
		part.Name = ""
	}
	d.w.BeginPart(part)
	level := 2
	if d.pages > 1 || part.Name != "" {
		if title == "" {
			title = "Page " + strconv.Itoa(d.pages)
		}
		d.w.WriteHeading(level, title)
		level++
	}
	return p.writePage(&d.w, level)
}

// madeUpName matches the names that draw.io gives to pages without a name.
var madeUpName = lazyregexp.New(`^(Page|Seite|Página|Pagina|Strona|Страница|Side|第|页|頁|ページ|페이지)?[- ]?\d*[- ]?(页|頁|ページ|페이지)?$`)

// unpackPage reads a page in the default encoding of draw.io: percent-encoded, deflated and in
// Base64.
func (d *diagramFile) unpackPage(text string, p *diagramReader) error {
	var r io.Reader = strings.NewReader(text)
	if text[0] != '<' && text[0] != '%' {
		r = flate.NewReader(base64.NewDecoder(base64.StdEncoding, r))
	}
	plain := unescaper{bufio.NewReader(&budgetReader{r, &d.remainingBytes})}
	var err error
	damage := zipxml.ReadXML(plain, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name == "mxGraphModel" {
				err = p.readGraph(x)
			}
			return err != nil
		})
	})
	if err != nil {
		return err
	}
	return damage
}

// A budgetReader reads decompressed data, whose total size in a file is limited.
type budgetReader struct {
	r         io.Reader
	remaining *int64
}

// Read fails with a SkipError if the budget is exhausted.
func (b *budgetReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if *b.remaining -= int64(n); *b.remaining < 0 {
		return 0, extract.ErrUnpackedTooLarge
	}
	return n, err
}

// An unescaper decodes text encoded by encodeURIComponent (ECMA-262, 19.2.6.4).
type unescaper struct{ r *bufio.Reader }

// Read decodes percent escapes. It leaves invalid ones unchanged.
func (u unescaper) Read(p []byte) (n int, err error) {
	for ; n < len(p); n++ {
		if p[n], err = u.r.ReadByte(); err != nil {
			return n, err
		}
		if p[n] != '%' {
			continue
		}
		digits, _ := u.r.Peek(2)
		if v, err := strconv.ParseUint(string(digits), 16, 8); err == nil && len(digits) == 2 {
			p[n] = byte(v)
			_, _ = u.r.Discard(2)
		}
	}
	return n, nil
}
