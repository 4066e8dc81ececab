package pptx

import (
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/numberformat"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A slideReader holds the state while a slide or a notes page is read.
type slideReader struct {
	*presentation
	links    office.Relations
	isNotes  bool // whether it is a notes page, of which only the notes are read
	isHidden bool // whether a show leaves the slide out
	title    string
	blocks   []markdown.Block
}

// A shape holds the text of a shape on a slide.
type shape struct {
	placeholder   string // placeholder type, such as "title"; "" if it has none
	isPlaceholder bool
	isHidden      bool   // whether it is hidden, even while the slide is edited
	caption       string // alternative text of the shape
	blocks        []markdown.Block
}

func (s *slideReader) readPart(part string) error {
	return s.ReadXMLFile(part, func(x *zipxml.Reader) { s.readShapeTree(x) })
}

// readShapeTree reads shapes, including those in groups.
func (s *slideReader) readShapeTree(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "sld":
			show := e.Attribute("show")
			s.isHidden = show == "0" || show == "false"
			s.readShapeTree(x)
		case "sp", "pic", "graphicFrame", "cxnSp":
			s.readShape(x)
		case "AlternateContent":
			s.readAlternateContent(x)
		case "timing", "transition", "extLst", "bg":
		default:
			s.readShapeTree(x)
		}
	}, nil)
}

// readAlternateContent reads one of several alternative forms of the same content: the first that
// has text.
func (s *slideReader) readAlternateContent(x *zipxml.Reader) {
	before := x.CountedTextBytes
	x.EachChild(func(zipxml.Element) {
		if x.CountedTextBytes == before {
			s.readShapeTree(x)
		}
	}, nil)
}

func (s *slideReader) readShape(x *zipxml.Reader) {
	var p shape
	s.readShapeContent(x, &p)
	if p.isHidden {
		return
	}
	if p.caption != "" {
		x.CountBytes(len(p.caption))
		p.blocks = append(p.blocks, markdown.Block{Text: p.caption})
	}
	switch p.placeholder {
	case "sldNum", "sldImg":
		return
	case "ftr", "hdr", "dt":
		if s.isNotes {
			return
		}
		p.blocks = s.footers.KeepUnseen(p.blocks)
	case "title", "ctrTitle":
		if s.title == "" && !s.isNotes {
			s.title = oneLine(p.blocks)
			return
		}
	}
	s.blocks = append(s.blocks, p.blocks...)
}

func oneLine(blocks []markdown.Block) string {
	var l markdown.BlockLineBuilder
	for _, b := range blocks {
		l.AddBlock(b)
	}
	return markdown.OneLine(l.String())
}

func (s *slideReader) readShapeContent(x *zipxml.Reader, p *shape) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "ph":
			p.placeholder, p.isPlaceholder = e.Attribute("type"), true
		case "cNvPr":
			p.caption = markdown.CleanAltText(e.Attribute("descr"))
			p.isHidden = p.isHidden || e.Attribute("hidden") == "1" || e.Attribute("hidden") == "true"
		case "txBody":
			p.blocks = append(p.blocks, s.readTextBody(x, p.isList())...)
		case "tbl":
			p.blocks = append(p.blocks, s.readTable(x)...)
		case "chart":
			p.addBlocks(x, s.ReadChart(s.links.TargetByID[e.PrefixedAttribute("id")]))
		case "relIds":
			p.addBlocks(x, s.ReadDiagram(s.links.TargetByID[e.PrefixedAttribute("dm")]))
		case "oleObj":
			if text := s.ReadFormulaObject(s.links.TargetByID[e.PrefixedAttribute("id")]); text != "" {
				p.addBlocks(x, []markdown.Block{{Text: text}})
				return // the fallback picture shows the same formula or object
			}
			s.readShapeContent(x, p)
		case "AlternateContent":
			before := x.CountedTextBytes
			x.EachChild(func(zipxml.Element) {
				if x.CountedTextBytes == before {
					s.readShapeContent(x, p)
				}
			}, nil)
		case "extLst", "spPr", "style":
		default:
			s.readShapeContent(x, p)
		}
	}, nil)
}

func (p *shape) addBlocks(x *zipxml.Reader, blocks []markdown.Block) {
	for i := range blocks {
		x.CountBytes(blocks[i].MemorySize())
	}
	p.blocks = append(p.blocks, blocks...)
}

// isList reports whether the paragraphs of a shape are list items, as in the main placeholders of
// nearly all designs.
func (p *shape) isList() bool {
	return p.isPlaceholder && (p.placeholder == "" || p.placeholder == "body" || p.placeholder == "obj")
}

const maxLevels = 9 // maximum number of levels of nested paragraphs (ECMA-376 part 1, 21.1.2.4)

// A paragraph is a paragraph of DrawingML (ECMA-376 part 1, 21.1.2).
type paragraph struct {
	text         markdown.InlineText
	level        int
	marker       string // marker of a list item; "" for other paragraphs
	numberFormat string // format of the item number, such as "arabicPeriod"
	start        int
	symbolFont   string // font of the current run if it is a symbol font
	isRaised     bool   // whether the current run is superscript
}

// readTextBody returns the paragraphs of a text body, as list items if list is set.
func (s *slideReader) readTextBody(x *zipxml.Reader, list bool) []markdown.Block {
	var all []markdown.Block
	var counts [maxLevels]int
	x.EachChild(func(e zipxml.Element) {
		if e.Name != "p" {
			return
		}
		p := paragraph{}
		if list && !s.isNotes {
			p.marker = markdown.Bullet
		}
		p.read(x)
		if strings.TrimSpace(p.text.String()) == "" {
			return
		}
		x.CountBytes(extract.CellOverheadBytes)
		all = append(all, p.toBlock(&counts))
	}, nil)
	if len(all) == 1 && all[0].Marker == markdown.Bullet {
		all[0].Kind, all[0].Marker = markdown.Paragraph, "" // a single paragraph is hardly a list
	}
	return all
}

func (p *paragraph) toBlock(counts *[maxLevels]int) markdown.Block {
	level := min(max(p.level, 0), maxLevels-1)
	if p.numberFormat != "" {
		if counts[level] == 0 {
			counts[level] = p.start - 1
		}
		counts[level]++
		p.marker = formatAutoNumber(p.numberFormat, counts[level])
		clear(counts[level+1:])
	} else {
		clear(counts[level:])
	}
	if p.marker == "" {
		return markdown.Block{Text: p.text.String()}
	}
	return markdown.Block{Kind: markdown.ListItem, Level: level, Marker: p.marker, Text: p.text.String()}
}

func (p *paragraph) read(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "pPr":
			p.level = e.NumberAttribute("lvl", 0)
			p.readProperties(x)
		case "r":
			p.symbolFont, p.isRaised, p.text.IsNextStruck = "", false, false
			p.read(x)
		case "t":
			p.addText(x.ReadText())
		case "br":
			p.text.WriteString("\n")
		case "tab":
			p.text.WriteString("\t")
		case "oMath":
			p.text.WriteString(office.ReadFormula(x))
		case "fld": // a field, such as the slide number or a date, which the author did not write
			if kind := e.Attribute("type"); kind != "slidenum" && !strings.HasPrefix(kind, "datetime") {
				p.read(x)
			}
		case "AlternateContent":
			before := p.text.Len()
			x.EachChild(func(zipxml.Element) {
				if p.text.Len() == before {
					p.read(x)
				}
			}, nil)
		case "rPr":
			strike := e.Attribute("strike")
			p.symbolFont, p.isRaised, p.text.IsNextStruck = symbolFontOf(x), isRaised(e), strike != "" && strike != "noStrike"
		case "endParaRPr":
		default:
			p.read(x)
		}
	}, nil)
}

func (p *paragraph) addText(text string) {
	text = office.SymbolText(p.symbolFont, lineBreakEscapes.Replace(text))
	if p.isRaised {
		text = markdown.Superscript(text)
	}
	p.text.WriteString(text)
}

// isRaised reports whether the properties of a run raise it above the baseline (ECMA-376 part 1,
// 21.1.2.3.9). The attribute is a share of the font size, in thousandths of a percent or with a
// percent sign.
func isRaised(properties zipxml.Element) bool {
	baseline, err := strconv.ParseFloat(strings.TrimSuffix(properties.Attribute("baseline"), "%"), 64)
	return err == nil && baseline > 0
}

func symbolFontOf(x *zipxml.Reader) string {
	font := ""
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "sym" || e.Name == "latin" && font == "" && charset.IsSymbolFont(e.Attribute("typeface")) {
			font = e.Attribute("typeface")
		}
	}, nil)
	return font
}

// lineBreakEscapes replaces the escapes that some programs write for line breaks.
var lineBreakEscapes = strings.NewReplacer("_x000B_", "\n", "_x000D_", "\n")

func (p *paragraph) readProperties(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "buNone":
			p.marker = ""
		case "buChar", "buBlip":
			p.marker = markdown.Bullet
		case "buAutoNum":
			p.numberFormat, p.start = e.Attribute("type"), max(e.NumberAttribute("startAt", 1), 1)
		}
	}, nil)
}

// formatAutoNumber formats the number n of a list item in a DrawingML format, given by its name
// (ECMA-376 part 1, 20.1.10.61).
func formatAutoNumber(format string, n int) string {
	kind := "decimal"
	for prefix, k := range map[string]string{
		"alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman",
		"circleNum": "decimalEnclosedCircle", "ea1": "chineseCounting",
	} {
		if strings.HasPrefix(format, prefix) {
			kind = k
		}
	}
	s := numberformat.FormatListNumber(kind, n)
	switch {
	case strings.HasSuffix(format, "ParenBoth"):
		return "(" + s + ")"
	case strings.HasSuffix(format, "ParenR"):
		return s + ")"
	case strings.HasSuffix(format, "Period"):
		return s + "."
	}
	return s
}

// readTable reads a table (ECMA-376 part 1, 21.1.3). Cells that are merged into others are stored
// as well.
func (s *slideReader) readTable(x *zipxml.Reader) []markdown.Block {
	var g markdown.TableBuilder
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "tr":
			g.BeginRow()
			return false
		case "tc":
			x.CountBytes(extract.CellOverheadBytes)
			g.AddCell(s.readCell(x), 1)
			return true
		}
		return false
	})
	return slices.Clip(g.Blocks())
}

func (s *slideReader) readCell(x *zipxml.Reader) markdown.Cell {
	var c markdown.Cell
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "txBody" {
			c = append(c, s.readTextBody(x, false)...)
		}
	}, nil)
	return c
}
