package rtf

import (
	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
)

// A formField is a form field whose visible state is stored not as text but as a number among its
// properties.
type formField struct {
	kind      int // kind of field; 0 is a text field, whose text is the result of the field
	result    int
	byDefault int
	entries   []string
}

const (
	checkBox = 1
	dropDown = 2

	resultUnset = 25 // value of the result for a field that has its default
)

// handleWord sets the property of the field that a control word stands for.
func (f *formField) handleWord(word string, n int) {
	switch word {
	case "fftype":
		f.kind = n
	case "ffres":
		f.result = n
	case "ffdefres":
		f.byDefault = n
	}
}

func (f *formField) addEntry(text string) {
	if len(f.entries) < extract.MaxArchiveEntries {
		f.entries = append(f.entries, markdown.OneLine(text))
	}
}

// text returns the visible text of the field.
func (f *formField) text() string {
	result := f.result
	if result == resultUnset {
		result = f.byDefault
	}
	switch f.kind {
	case checkBox:
		return string(extract.CheckboxRune(result != 0))
	case dropDown:
		return office.ChosenEntry(f.entries, result)
	}
	return ""
}
