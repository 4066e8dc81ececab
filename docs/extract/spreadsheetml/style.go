package spreadsheetml

import (
	"math"
	"strconv"
	"strings"
	"time"

	"vademecum/docs/extract/numberformat"
	"vademecum/docs/extract/zipxml"
)

const maxStyles = 1 << 16 // maximum number of styles; Excel allows 4,050

// A style is the number format and the font of a cell style.
type style struct {
	code     string // code of the number format
	has      bool   // whether the style has a number format of its own; otherwise it inherits that of its parent
	isStruck bool   // whether the font is struck out
	hasFont  bool   // whether the style has a font of its own; otherwise it inherits that of its parent
	parent   string
}

// defaultStyle is the style of cells without a style, and the base of all others.
const defaultStyle = "Default"

// namedCodes maps the names of number formats to format codes. Dates in the system's format are
// shown in ISO 8601, and amounts in the system's currency without a symbol.
var namedCodes = map[string]string{
	"general": "", "general number": "", "general date": "yyyy-mm-dd hh:mm", "long date": "yyyy-mm-dd", "medium date": "d-mmm-yy", "short date": "yyyy-mm-dd",
	"long time": "h:mm:ss AM/PM", "medium time": "h:mm AM/PM", "short time": "hh:mm",
	"currency": "#,##0.00", "euro currency": `"€"#,##0.00`, "fixed": "0.00", "standard": "#,##0.00", "percent": "0.00%", "scientific": "0.00E+00",
	"yes/no": `"Yes";"Yes";"No"`, "true/false": `"True";"True";"False"`, "on/off": `"On";"On";"Off"`,
}

func (b *book) readStyle(x *zipxml.Reader, e zipxml.Element) {
	s := style{parent: e.Attribute("Parent")}
	id := e.Attribute("ID")
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "NumberFormat":
			code := e.Attribute("Format")
			if named, ok := namedCodes[strings.ToLower(code)]; ok {
				code = named
			}
			s.code, s.has = code, true
		case "Font":
			s.isStruck, s.hasFont = e.Attribute("StrikeThrough") == "1", true
		}
	}, nil)
	if id != "" && len(b.styles) < maxStyles {
		b.styles[id] = s
	}
}

// styleWith returns the nearest of a style and those it is derived from that has a property, or else
// the default style.
func (b *book) styleWith(id string, has func(style) bool) style {
	const deepest = 16 // maximum length of a chain of derived styles
	s := b.styles[id]
	for i := 0; !has(s) && s.parent != "" && i < deepest; i++ {
		s = b.styles[s.parent]
	}
	if !has(s) {
		s = b.styles[defaultStyle]
	}
	return s
}

// isStruck reports whether the font of the style with an id is struck out.
func (b *book) isStruck(id string) bool {
	return b.styleWith(id, func(s style) bool { return s.hasFont }).isStruck
}

// formatOfStyle returns the number format of the style with an id, or nil if values are shown
// unformatted.
func (b *book) formatOfStyle(id string) *numberformat.Format {
	s := b.styleWith(id, func(s style) bool { return s.has })
	if s.code == "" {
		return nil
	}
	f, ok := b.parsed[s.code]
	if !ok {
		f = numberformat.Parse(s.code)
		b.parsed[s.code] = f
	}
	return f
}

// shownValue returns the displayed form of the value of a cell, given its type and style.
func (b *book) shownValue(kind, value, style string) string {
	f := b.formatOfStyle(style)
	switch kind {
	case "Number":
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		switch {
		case err != nil || math.IsInf(v, 0) || math.IsNaN(v):
			return value
		case f == nil:
			return numberformat.FormatGeneral(v)
		}
		return f.FormatNumber(v, b.date1904)
	case "DateTime":
		return b.formatDate(f, strings.TrimSpace(value))
	case "Boolean":
		switch strings.TrimSpace(value) {
		case "1":
			return "TRUE"
		case "0":
			return "FALSE"
		}
		return value
	case "Error":
		return value
	}
	if f != nil {
		return f.FormatText(value)
	}
	return value
}

// formatDate returns the displayed form of a date given in ISO 8601: in the number format f if it
// is one for dates, otherwise in ISO 8601, with the time if there is one.
func (b *book) formatDate(f *numberformat.Format, value string) string {
	t, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(value, "Z")) // time.Parse also accepts a fraction of a second
	if err != nil {
		return value
	}
	if f != nil && f.IsDate() {
		return f.FormatNumber(b.daysOf(t), b.date1904)
	}
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04:05")
}

// daysOf returns the serial number of a date in Excel, in days. In the calendar of Excel, 1900 is a
// leap year.
func (b *book) daysOf(t time.Time) float64 {
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case b.date1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case t.Before(time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)):
		first = time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return float64(t.Unix()-first.Unix())/86400 + float64(t.Nanosecond())/86400e9
}
