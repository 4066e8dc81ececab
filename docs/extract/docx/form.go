package docx

import (
	"vademecum/docs/extract"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// readFormField returns the state of a form field that has no text: whether a box is ticked, or
// which list entry is chosen (ECMA-376 part 1, 17.16.17).
func readFormField(x *zipxml.Reader) (text string) {
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "checkBox":
			text = readCheckBox(x)
		case "ddList":
			text = readChoice(x)
		default:
			return e.Name != "ffData"
		}
		return true
	})
	return text
}

// readCheckBox returns the tick of a check box. If its state is not given, the default state
// applies.
func readCheckBox(x *zipxml.Reader) string {
	byDefault, isTicked, isSaid := false, false, false
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "default":
			byDefault = e.IsSwitchedOn()
		case "checked":
			isTicked, isSaid = e.IsSwitchedOn(), true
		}
	}, nil)
	return string(extract.CheckboxRune(isTicked || !isSaid && byDefault))
}

func readChoice(x *zipxml.Reader) string {
	chosen, byDefault := -1, 0
	var entries []string
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "result":
			chosen = e.NumberAttribute("val", chosen)
		case "default":
			byDefault = e.NumberAttribute("val", 0)
		case "listEntry":
			entries = append(entries, e.Attribute("val"))
		}
	}, nil)
	if chosen < 0 {
		chosen = byDefault
	}
	return office.ChosenEntry(entries, chosen)
}

// readControl reads the properties of a content control. The document chooses the two characters
// that show the state of a check box; ☒ usually means that it is ticked ([MS-DOCX] 2.6.1.5).
func (d *document) readControl(x *zipxml.Reader) {
	d.tick = ""
	x.EachChild(func(e zipxml.Element) {
		if e.Name != "checkbox" {
			return
		}
		isTicked := false
		x.EachChild(func(e zipxml.Element) {
			if e.Name == "checked" {
				isTicked = e.IsSwitchedOn()
			}
		}, nil)
		d.tick = string(extract.CheckboxRune(isTicked))
	}, nil)
}
