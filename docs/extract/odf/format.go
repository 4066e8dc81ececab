package odf

import (
	"cmp"
	"strconv"
	"strings"

	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A textStyle is a style of characters or of cells.
type textStyle struct {
	parent string
	format textFormat
}

// A textFormat holds the properties that change what a text says (OpenDocument 1.3, part 3, clause
// 20).
type textFormat struct {
	raised setting // superscript
	struck setting // struck out
	hidden setting // neither shown nor printed
}

// A setting is the value of a property of a style: on, off, or unset, if the style leaves it to its
// parent or to the enclosing style.
type setting uint8

const (
	unset setting = iota
	off
	on
)

func settingOf(isOn bool) setting {
	if isOn {
		return on
	}
	return off
}

// or returns the setting or, if it is unset, other.
func (s setting) or(other setting) setting {
	if s == unset {
		return other
	}
	return s
}

// or returns the format with what it leaves unset taken from another one.
func (f textFormat) or(other textFormat) textFormat {
	return textFormat{f.raised.or(other.raised), f.struck.or(other.struck), f.hidden.or(other.hidden)}
}

// readTextFormat returns the format of text in the style that is being read.
func readTextFormat(x *zipxml.Reader) (f textFormat) {
	x.EachChild(func(e zipxml.Element) {
		if e.Name != "text-properties" {
			return
		}
		if position := e.Attribute("text-position"); position != "" {
			height, _, _ := strings.Cut(position, " ")
			percent, err := strconv.ParseFloat(strings.TrimSuffix(height, "%"), 64)
			f.raised = settingOf(height == "super" || err == nil && percent > 0)
		}
		// Either says that there is a line, and LibreOffice writes the type alone for a part of a cell.
		if line := cmp.Or(e.Attribute("text-line-through-style"), e.Attribute("text-line-through-type")); line != "" {
			f.struck = settingOf(line != "none")
		}
		if display := e.Attribute("display"); display != "" {
			f.hidden = settingOf(display == "none")
		}
	}, nil)
	return f
}

// formatOfStyle returns the format of a style, with the properties that it inherits from its parents.
func formatOfStyle(styles map[string]textStyle, style string) (f textFormat) {
	for range office.MaxBaseStyles {
		s, ok := styles[style]
		if !ok {
			break
		}
		f, style = f.or(s.format), s.parent
	}
	return f
}

// paragraphFormat returns the text format of a paragraph style, with the properties that it inherits
// from its parents.
func (d *document) paragraphFormat(style string) (f textFormat) {
	for range office.MaxBaseStyles {
		s, ok := d.styles[style]
		if !ok {
			break
		}
		f, style = f.or(s.format), s.parent
	}
	return f
}

// isHiddenPart reports whether the element of a section or field says that it is hidden (OpenDocument
// 1.3, part 3, clause 19): conditions are not evaluated, as their last results are stored.
func isHiddenPart(e zipxml.Element) bool {
	return e.Attribute("is-hidden") == "true" || e.Attribute("display") == "none"
}

// hidesPart reports whether the style that is being read hides the sheets or slides that have it
// (OpenDocument 1.3, part 3, 20.249 and 20.248).
func hidesPart(x *zipxml.Reader) (hides bool) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "table-properties":
			hides = e.Attribute("display") == "false"
		case "drawing-page-properties":
			hides = e.Attribute("visibility") == "hidden"
		}
	}, nil)
	return hides
}
