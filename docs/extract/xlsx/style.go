package xlsx

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"vademecum/docs/extract/zipxml"
)

// builtinFormats are the codes of the number formats that files refer to
// without holding them (ECMA-376 part 1, 18.8.30). Dates that follow the
// settings of the system are shown as ISO 8601 has them, and those that only
// East Asian versions have, as the Chinese one does.
var builtinFormats = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
	14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
	18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "hh:mm", 21: "hh:mm:ss", 22: "yyyy-mm-dd hh:mm",
	27: `yyyy"年"m"月"`, 28: `m"月"d"日"`, 29: `m"月"d"日"`, 30: "yyyy-mm-dd", 31: `yyyy"年"m"月"d"日"`,
	32: `h"时"mm"分"`, 33: `h"时"mm"分"ss"秒"`, 34: `上午/下午h"时"mm"分"`, 35: `上午/下午h"时"mm"分"ss"秒"`, 36: `yyyy"年"m"月"`,
	37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)",
	41: `_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)`, 42: `_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)`,
	43: `_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)`, 44: `_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)`,
	45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
	50: `yyyy"年"m"月"`, 51: `m"月"d"日"`, 52: `yyyy"年"m"月"`, 53: `m"月"d"日"`, 54: `m"月"d"日"`,
	55: `上午/下午h"时"mm"分"`, 56: `上午/下午h"时"mm"分"ss"秒"`, 57: `yyyy"年"m"月"`, 58: `m"月"d"日"`,
}

const maxStyles = 1 << 17 // Excel allows half as many

// A cellFormats shows cells by their styles (ECMA-376 part 1, 18.8).
type cellFormats struct {
	styles   []int // numbers of formats
	codes    map[int]string
	parsed   map[int]*numFormat // by number; nil shows values as without one
	date1904 bool
}

// openFormats reads the styles, as many as there are.
func (x *workbook) openFormats(part string, date1904 bool) {
	f := &cellFormats{codes: make(map[int]string), parsed: make(map[int]*numFormat), date1904: date1904}
	x.formats = f
	if part == "" {
		return
	}
	err := x.Walk(part, func(r *zipxml.Reader) {
		r.Descend(func(e zipxml.Element) bool {
			switch e.Name {
			case "numFmt":
				f.addCode(e)
			case "cellXfs":
				r.Children(func(e zipxml.Element) {
					if e.Name == "xf" && len(f.styles) < maxStyles {
						f.styles = append(f.styles, e.Number("numFmtId", 0))
					}
				}, nil)
				return true
			case "dxfs": // formats of other things than cells
				return true
			}
			return false
		})
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.lose("the number formats are damaged")
	}
}

func (f *cellFormats) addCode(e zipxml.Element) {
	id := e.Number("numFmtId", 0)
	if _, seen := f.codes[id]; !seen && len(f.codes) < maxStyles {
		f.codes[id] = e.Attr("formatCode")
	}
}

// format returns the format of a style, or nil.
func (f *cellFormats) format(style int) *numFormat {
	if style < 0 || style >= len(f.styles) {
		return nil
	}
	id := f.styles[style]
	if p, ok := f.parsed[id]; ok {
		return p
	}
	code, ok := f.codes[id]
	if !ok {
		code = builtinFormats[id]
	}
	var p *numFormat
	if code != "" && !strings.EqualFold(code, "general") {
		p = parseFormat(code)
	}
	f.parsed[id] = p
	return p
}

// text returns how a text is shown.
func (f *cellFormats) text(style int, text string) string {
	if p := f.format(style); p != nil {
		return p.string(text)
	}
	return text
}

// number returns how a number is shown, or what is no number, as it is.
func (f *cellFormats) number(style int, raw string) string {
	v, ok := cellNumber(raw)
	if !ok {
		return raw
	}
	if p := f.format(style); p != nil {
		return p.number(v, f.date1904)
	}
	return generalNumber(v)
}

// date returns how a date in the form of ISO 8601 is shown: as it is, where the
// format is none of dates.
func (f *cellFormats) date(style int, raw string) string {
	p := f.format(style)
	if p == nil || !p.sections[0].isDate {
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
		return p.number(days, f.date1904)
	}
	return raw
}
