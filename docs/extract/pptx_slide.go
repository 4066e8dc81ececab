package extract

import (
	"slices"
	"strings"
)

// A pptxSlide is a slide, or the page with its notes, that is being read.
type pptxSlide struct {
	*pptx
	links  relations
	notes  bool // a page with notes, of which only the notes matter
	title  string
	blocks []block
}

// A shape is one on a slide.
type shape struct {
	placeholder string // its type, such as "title"; "" if it is none
	holder      bool   // it is a placeholder
	caption     string // alternative text
	blocks      []block
}

func (s *pptxSlide) read(part string) error {
	return s.walk(part, func(x *xmlReader) { s.tree(x) })
}

// tree reads shapes and groups of them.
func (s *pptxSlide) tree(x *xmlReader) {
	x.children(func(e element) {
		switch e.name {
		case "sp", "pic", "graphicFrame", "cxnSp":
			s.shape(x)
		case "AlternateContent":
			s.alternate(x)
		case "timing", "transition", "extLst", "bg":
		default:
			s.tree(x)
		}
	}, nil)
}

// alternate reads the first choice of several forms of the same content, and
// the others only while none held text.
func (s *pptxSlide) alternate(x *xmlReader) {
	before := x.taken
	x.children(func(element) {
		if x.taken == before {
			s.tree(x)
		}
	}, nil)
}

func (s *pptxSlide) shape(x *xmlReader) {
	var p shape
	s.content(x, &p)
	if p.caption != "" {
		x.take(len(p.caption))
		p.blocks = append(p.blocks, block{text: p.caption})
	}
	switch p.placeholder {
	case "sldNum", "sldImg":
		return
	case "ftr", "hdr", "dt":
		if s.notes {
			return
		}
		p.blocks = s.footer(p.blocks)
	case "title", "ctrTitle":
		if s.title == "" && !s.notes {
			s.title = blocksLine(p.blocks)
			return
		}
	}
	s.blocks = append(s.blocks, p.blocks...)
}

func blocksLine(blocks []block) string {
	var l blockLines
	for _, b := range blocks {
		l.add(b)
	}
	return oneLine(l.String())
}

func (s *pptxSlide) content(x *xmlReader, p *shape) {
	x.children(func(e element) {
		switch e.name {
		case "ph":
			p.placeholder, p.holder = e.attr("type"), true
		case "cNvPr":
			p.caption = caption(e.attr("descr"))
		case "txBody":
			p.blocks = append(p.blocks, s.body(x, p.isList())...)
		case "tbl":
			p.blocks = append(p.blocks, s.table(x)...)
		case "chart":
			p.add(x, s.chart(s.links.targets[e.reference("id")]))
		case "relIds":
			p.add(x, s.diagram(s.links.targets[e.reference("dm")]))
		case "AlternateContent":
			before := x.taken
			x.children(func(element) {
				if x.taken == before {
					s.content(x, p)
				}
			}, nil)
		case "extLst", "spPr", "style":
		default:
			s.content(x, p)
		}
	}, nil)
}

func (p *shape) add(x *xmlReader, blocks []block) {
	for i := range blocks {
		x.take(blocks[i].size())
	}
	p.blocks = append(p.blocks, blocks...)
}

// isList tells whether the paragraphs of a shape are items, as those in the
// main placeholders of nearly all designs are.
func (p *shape) isList() bool {
	return p.holder && (p.placeholder == "" || p.placeholder == "body" || p.placeholder == "obj")
}

const pptxLevels = 9 // of paragraphs in one another, as ECMA-376 part 1, 21.1.2.4, has them

// A pptxParagraph is a paragraph of DrawingML (ECMA-376 part 1, 21.1.2).
type pptxParagraph struct {
	text   strings.Builder
	level  int
	marker string // "" if it is no item
	auto   string // format of a number, such as "arabicPeriod"
	start  int
	font   string // of the run, where it is one of symbols
}

// body reads the paragraphs of a text body.
func (s *pptxSlide) body(x *xmlReader, list bool) []block {
	var all []block
	var counts [pptxLevels]int
	x.children(func(e element) {
		if e.name != "p" {
			return
		}
		p := pptxParagraph{}
		if list && !s.notes {
			p.marker = bullet
		}
		p.read(x)
		if strings.TrimSpace(p.text.String()) == "" {
			return
		}
		x.take(cellCost)
		all = append(all, p.block(&counts))
	}, nil)
	if len(all) == 1 && all[0].marker == bullet {
		all[0].kind, all[0].marker = paragraphBlock, "" // a single one is hardly a list
	}
	return all
}

func (p *pptxParagraph) block(counts *[pptxLevels]int) block {
	level := min(max(p.level, 0), pptxLevels-1)
	if p.auto != "" {
		if counts[level] == 0 {
			counts[level] = p.start - 1
		}
		counts[level]++
		p.marker = autoNumber(p.auto, counts[level])
		clear(counts[level+1:])
	} else {
		clear(counts[level:])
	}
	if p.marker == "" {
		return block{text: p.text.String()}
	}
	return block{kind: itemBlock, level: level, marker: p.marker, text: p.text.String()}
}

func (p *pptxParagraph) read(x *xmlReader) {
	x.children(func(e element) {
		switch e.name {
		case "pPr":
			p.level = e.number("lvl", 0)
			p.properties(x)
		case "t":
			p.text.WriteString(symbolText(p.font, verticalTab.Replace(x.text())))
		case "br":
			p.text.WriteByte('\n')
		case "tab":
			p.text.WriteByte('\t')
		case "oMath":
			p.text.WriteString(formula(x))
		case "fld": // a number or date that is not the author's
			if kind := e.attr("type"); kind != "slidenum" && !strings.HasPrefix(kind, "datetime") {
				p.read(x)
			}
		case "AlternateContent":
			before := p.text.Len()
			x.children(func(element) {
				if p.text.Len() == before {
					p.read(x)
				}
			}, nil)
		case "rPr":
			p.font = symbolFontOf(x)
		case "endParaRPr":
		default:
			p.read(x)
		}
	}, nil)
}

func symbolFontOf(x *xmlReader) string {
	font := ""
	x.children(func(e element) {
		if e.name == "sym" {
			font = e.attr("typeface")
		}
	}, nil)
	return font
}

// verticalTab is how some programs write a line break.
var verticalTab = strings.NewReplacer("_x000B_", "\n", "_x000D_", "\n")

func (p *pptxParagraph) properties(x *xmlReader) {
	x.children(func(e element) {
		switch e.name {
		case "buNone":
			p.marker = ""
		case "buChar", "buBlip":
			p.marker = bullet
		case "buAutoNum":
			p.auto, p.start = e.attr("type"), max(e.number("startAt", 1), 1)
		}
	}, nil)
}

// autoNumber returns a number in a format of DrawingML (ECMA-376 part 1,
// 20.1.10.61).
func autoNumber(format string, n int) string {
	kind := "decimal"
	for prefix, k := range map[string]string{
		"alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman",
		"circleNum": "decimalEnclosedCircle", "ea1": "chineseCounting",
	} {
		if strings.HasPrefix(format, prefix) {
			kind = k
		}
	}
	s := numeral(kind, n)
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

// table reads a table (ECMA-376 part 1, 21.1.3), whose merged cells are all
// there.
func (s *pptxSlide) table(x *xmlReader) []block {
	var g grid
	x.descend(func(e element) bool {
		switch e.name {
		case "tr":
			g.row()
			return false
		case "tc":
			x.take(cellCost)
			g.cell(s.cell(x), 1)
			return true
		}
		return false
	})
	return slices.Clip(g.blocks())
}

func (s *pptxSlide) cell(x *xmlReader) gridCell {
	var c gridCell
	x.children(func(e element) {
		if e.name == "txBody" {
			c = append(c, s.body(x, false)...)
		}
	}, nil)
	return c
}
