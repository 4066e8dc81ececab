package xlsx

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"vademecum/docs/extract/numberformat"
	"vademecum/docs/extract/zipxml"
)

// A cellStyle holds the numbers of the number format and the font of a style.
type cellStyle struct{ format, font int }

const maxStyles = 1 << 17 // maximum number of styles; Excel allows half as many

// A cellFormats holds the number formats of the styles of cells (ECMA-376 part 1, 18.8).
type cellFormats struct {
	styles   []cellStyle
	struck   []bool // whether a font is struck out, by its number
	struckIf []bool // whether a format that a rule applies to cells strikes them out, by its number
	codes    map[int]string
	parsed   map[int]*numberformat.Format // parsed number formats by their numbers; nil for one that cannot be parsed, whose values are shown unformatted
	date1904 bool
}

// openFormats reads the styles, up to the first damage.
func (x *workbook) openFormats(part string, date1904 bool) {
	f := &cellFormats{codes: make(map[int]string), parsed: make(map[int]*numberformat.Format), date1904: date1904}
	x.formats = f
	if part == "" {
		return
	}
	err := x.ReadXMLFile(part, func(r *zipxml.Reader) {
		r.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "numFmt":
				f.addCode(e)
			case "cellXfs":
				r.EachChild(func(e zipxml.Element) {
					if e.Name == "xf" && len(f.styles) < maxStyles {
						f.styles = append(f.styles, cellStyle{e.NumberAttribute("numFmtId", 0), e.NumberAttribute("fontId", 0)})
					}
				}, nil)
				return true
			case "fonts":
				f.readFonts(r)
				return true
			case "dxfs":
				f.readConditional(r)
				return true
			}
			return false
		})
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.losses.Addf("the number formats are damaged")
	}
}

// readFonts reads which fonts are struck out (ECMA-376 part 1, 18.8.22).
func (f *cellFormats) readFonts(r *zipxml.Reader) {
	r.EachChild(func(e zipxml.Element) {
		isStruck := false
		r.EachChild(func(e zipxml.Element) {
			isStruck = isStruck || e.Name == "strike" && e.IsSwitchedOn()
		}, nil)
		if len(f.struck) < maxStyles {
			f.struck = append(f.struck, isStruck)
		}
	}, nil)
}

// readConditional reads which of the formats that rules apply to cells strike them out (ECMA-376 part 1,
// 18.8.15).
func (f *cellFormats) readConditional(r *zipxml.Reader) {
	r.EachChild(func(zipxml.Element) {
		isStruck := false
		r.EachDescendant(func(e zipxml.Element) bool {
			isStruck = isStruck || e.Name == "strike" && e.IsSwitchedOn()
			return false
		})
		if len(f.struckIf) < maxStyles {
			f.struckIf = append(f.struckIf, isStruck)
		}
	}, nil)
}

// isStruckIf reports whether a format that a rule applies to cells strikes them out.
func (f *cellFormats) isStruckIf(format int) bool {
	return 0 <= format && format < len(f.struckIf) && f.struckIf[format]
}

// isStruck reports whether the font of a style is struck out.
func (f *cellFormats) isStruck(style int) bool {
	if style < 0 || style >= len(f.styles) {
		return false
	}
	font := f.styles[style].font
	return 0 <= font && font < len(f.struck) && f.struck[font]
}

func (f *cellFormats) addCode(e zipxml.Element) {
	id := e.NumberAttribute("numFmtId", 0)
	if _, seen := f.codes[id]; !seen && len(f.codes) < maxStyles {
		f.codes[id] = e.Attribute("formatCode")
	}
}

// formatOfStyle returns the number format of a style, or nil if values are shown unformatted.
func (f *cellFormats) formatOfStyle(style int) *numberformat.Format {
	if style < 0 || style >= len(f.styles) {
		return nil
	}
	id := f.styles[style].format
	if p, ok := f.parsed[id]; ok {
		return p
	}
	code, ok := f.codes[id]
	if !ok {
		code = numberformat.BuiltinCode(id)
	}
	var p *numberformat.Format
	if code != "" && !strings.EqualFold(code, "general") {
		p = numberformat.Parse(code)
	}
	f.parsed[id] = p
	return p
}

// formatText returns the displayed form of a text in a cell with that style.
func (f *cellFormats) formatText(style int, text string) string {
	if p := f.formatOfStyle(style); p != nil {
		return p.FormatText(text)
	}
	return text
}

// formatNumber returns the displayed form of a number in a cell with that style. A value that is
// not a number is returned unchanged.
func (f *cellFormats) formatNumber(style int, raw string) string {
	v, ok := parseCellNumber(raw)
	if !ok {
		return raw
	}
	if p := f.formatOfStyle(style); p != nil {
		return p.FormatNumber(v, f.date1904)
	}
	return numberformat.FormatGeneral(v)
}

// formatDate returns the displayed form of a date, given in ISO 8601, in a cell with that style. If
// the style has no date format, the date is returned unchanged.
func (f *cellFormats) formatDate(style int, raw string) string {
	p := f.formatOfStyle(style)
	if p == nil || !p.IsDate() {
		return raw
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		t, err := time.Parse(layout, strings.TrimSuffix(raw, "Z"))
		if err != nil {
			continue
		}
		first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
		if f.date1904 {
			first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		days := float64(t.Unix()-first.Unix())/86400 + float64(t.Nanosecond())/86400e9
		return p.FormatNumber(days, f.date1904)
	}
	return raw
}
