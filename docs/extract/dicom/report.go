package dicom

import (
	"slices"
	"strings"

	"vademecum/docs/extract/markdown"
)

// A reportWriter writes a report as Markdown.
type reportWriter struct {
	markdown.Writer
	lines []string // lines of the current paragraph
}

// writeReport writes the title, the patient and the content of a report.
func (w *reportWriter) writeReport(report dataSet) {
	w.WriteHeading(1, report.meaning(conceptName))
	w.addLine("Patient", personName(report.text(patientName)))
	w.addLine("Study", report.text(studyDescription))
	w.addLine("Status", joinWords(", ", report.text(completion), report.text(verification)))
	for _, v := range report.items(verifiers) {
		w.addLine("Verified by", joinWords(", ", personName(v.text(verifierName)), v.text(verifyingCompany), dateTimeOf(v.text(verificationTime))))
	}
	w.writeItems(report.items(contentSequence), 2)
	w.endLines()
}

// writeItems writes items, with headings of the given level.
func (w *reportWriter) writeItems(items []dataSet, level int) {
	for _, item := range items {
		w.writeItem(item, level)
	}
}

// addLine adds a line with a name and a value to the current paragraph.
func (w *reportWriter) addLine(name, value string) {
	if value = markdown.OneLine(value); value != "" {
		w.lines = append(w.lines, joinWords(": ", name, value))
	}
}

// endLines writes the current paragraph and begins the next.
func (w *reportWriter) endLines() {
	w.WriteParagraph(strings.Join(w.lines, "\n"))
	w.lines = nil
}

// writeItem writes an item of a report and the items below it, with headings of the given level.
func (w *reportWriter) writeItem(item dataSet, level int) {
	name, value := item.meaning(conceptName), item.value()
	switch {
	case item.text(valueType) == "CONTAINER":
		w.endLines()
		if w.WriteHeading(level, name); name != "" {
			level++
		}
		w.writeItems(item.items(contentSequence), level)
		w.endLines()
		return
	case !isShort(value):
		w.endLines()
		for paragraph := range strings.SplitSeq(joinWords(": ", name, value+item.asides()), "\n\n") {
			w.WriteParagraph(paragraph)
		}
	default:
		w.addLine(name, value+item.asides())
	}
	for _, below := range item.items(contentSequence) {
		if value == "" || below.aside() == "" {
			w.writeItem(below, level)
		}
	}
}

// asides returns, in parentheses, the short items that modify the value of an item.
func (d dataSet) asides() string {
	var all []string
	for _, item := range d.items(contentSequence) {
		if aside := item.aside(); aside != "" {
			all = append(all, aside)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}

// modifiers are the relationship types of items that modify the value of their parent (PS3.3,
// C.17.3.2.4).
var modifiers = []string{"HAS CONCEPT MOD", "HAS PROPERTIES", "HAS OBS CONTEXT", "HAS ACQ CONTEXT"}

// aside returns a short item that modifies its parent, or "".
func (d dataSet) aside() string {
	value := d.value()
	if value == "" || !isShort(value) || len(d.items(contentSequence)) > 0 || !slices.Contains(modifiers, d.text(relationshipType)) {
		return ""
	}
	return joinWords(": ", d.meaning(conceptName), value)
}

// isShort reports whether a text is short enough to share a paragraph with others, on one line.
func isShort(text string) bool {
	const longest = 100 // maximum length in bytes
	return len(text) <= longest && !strings.Contains(text, "\n")
}

// value returns the text of an item; "" if it contains identifiers, images or coordinates.
func (d dataSet) value() string {
	switch d.text(valueType) {
	case "TEXT":
		return strings.TrimSpace(lineFeeds.Replace(d.text(textValue)))
	case "CODE":
		return d.meaning(conceptCode)
	case "NUM":
		return d.measurement()
	case "PNAME":
		return personName(d.text(personValue))
	case "DATE":
		return dateOf(d.text(dateValue))
	case "TIME":
		return timeOf(d.text(timeValue))
	case "DATETIME":
		return dateTimeOf(d.text(dateTimeValue))
	}
	return ""
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// measurement returns a number with its unit, or why there is no number. UCUM codes of units are
// written as they are, except those with brackets and the code for numbers without a unit.
func (d dataSet) measurement() string {
	measured := d.first(measuredValue)
	number, unit := measured.text(numericValue), measured.first(units)
	if number == "" {
		return d.meaning(valueQualifier)
	}
	code, meaning := unit.text(codeValue), unit.text(codeMeaning)
	switch {
	case unit.text(codingScheme) != "UCUM" || strings.ContainsAny(code, "{["):
		return joinWords(" ", number, meaning)
	case code == "1":
		return number
	}
	return joinWords(" ", number, code)
}

// joinWords joins the words that are not empty.
func joinWords(separator string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), separator)
}
