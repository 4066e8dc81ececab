package iwork

import (
	"strings"

	"vademecum/docs/extract/numberformat"
	"vademecum/docs/extract/office"
)

// outlineLevel returns the outline level of a paragraph style.
func (d *document) outlineLevel(style uint64) office.OutlineLevel {
	level, known := d.outlines[style]
	if !known {
		level = d.readOutline(style)
		d.outlines[style] = level
	}
	return level
}

// A strike is the strikethrough property of a style: whether it is on, and whether it is set at all.
type strike struct{ isStruck, isSet bool }

// strikeOf returns whether a character or paragraph style strikes its text out (strikethru in
// TSWP.CharacterStylePropertiesArchive), and whether it, or a style on which it is based, sets that
// property.
func (d *document) strikeOf(style uint64) (isStruck, isSet bool) {
	if style == 0 {
		return false, false
	}
	s, known := d.strikes[style]
	if !known {
		s = d.readStrike(style)
		d.strikes[style] = s
	}
	return s.isStruck, s.isSet
}

func (d *document) readStrike(style uint64) strike {
	const properties, strikethrough = 11, 12
	for range office.MaxBaseStyles {
		o := d.objects[style]
		for f := range o.bytes(properties).eachField() {
			if f.id == strikethrough {
				return strike{f.value != 0, true}
			}
		}
		style = o.bytes(1).reference(3)
	}
	return strike{}
}

// readOutline derives the outline level from the names of a style (TSS.StyleArchive): the one shown
// to the user, or else the language-independent identifier. A variation has neither, so the style
// on which it is based is used.
func (d *document) readOutline(style uint64) office.OutlineLevel {
	for range office.MaxBaseStyles {
		said := d.objects[style].bytes(1)
		name, identifier := string(said.bytes(1)), string(said.bytes(2))
		if name == "" && identifier == "" {
			style = said.reference(3)
			continue
		}
		if level := styleNameOutline(name); level != office.OutlineUnset {
			return level
		}
		_, original, _ := strings.Cut(identifier, "paragraphstyle-")
		return styleNameOutline(original)
	}
	return office.OutlineUnset
}

func styleNameOutline(name string) office.OutlineLevel {
	if name == "Heading" { // the first heading style has no number
		return 0
	}
	return office.StyleOutlineLevel(name)
}

// Types of labels (TSWP.ListStyleArchive.LabelType). The others are pictures and characters.
const (
	noLabel     = 0
	numberLabel = 3
)

// A listLabel is the kind of marker that list items on one level have.
type listLabel struct {
	kind   uint64
	format uint64 // number format, for a label with numbers (TSWP.ListStyleArchive.NumberType)
}

// listLabelAt returns the label of a level, from 0, in a list style.
func (d *document) listLabelAt(style uint64, level int) listLabel {
	const kinds, formats = 11, 15
	key := listLevel{style, level}
	l, known := d.labels[key]
	if known {
		return l
	}
	for range office.MaxBaseStyles {
		said := d.objects[style]
		if all := said.numbers(kinds); level < len(all) {
			l.kind = all[level]
			if all = said.numbers(formats); level < len(all) {
				l.format = all[level]
			}
			break
		}
		style = said.bytes(1).reference(3)
	}
	d.labels[key] = l
	return l
}

type listLevel struct {
	style uint64
	level int
}

// formatNumber returns the label of item n. The number types come in groups of three, such as "1.",
// "(1)" and "1)"; all are written like the first.
func (l listLabel) formatNumber(n uint64) string {
	formats := []string{"decimal", "upperRoman", "lowerRoman", "upperLetter", "lowerLetter"}
	format := formats[0]
	if at := l.format / 3; at < uint64(len(formats)) {
		format = formats[at]
	}
	return numberformat.FormatListNumber(format, int(min(n, 1<<20))) + "."
}
