package schema

import (
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// unshownMembers are the names of those members of FHIR resources that mean nothing to people or are
// written elsewhere.
const unshownMembers = "resourceType id meta implicitRules language text contained extension modifierExtension identifier section content presentedForm " +
	"system code reference url use data hash userSelected primarySource contentType version versionId linkId rank " + statusMembers

// statusMembers are the names of the members of FHIR resources that may say that something is not so, or
// not any more. Those of earlier releases are among them.
const statusMembers = "status verificationStatus clinicalStatus doNotPerform notDone notGiven notPerformed wasNotGiven wasNotTaken"

// usualStatuses are the statuses of what was done, holds and is complete: readers expect them.
const usualStatuses = "active completed final finished current confirmed accepted generated"

// unusualStatuses lists in words the statuses of a resource, or of a part of one, that readers do not
// expect, such as "stopped".
func unusualStatuses(o object) (all []string) {
	for name := range strings.FieldsSeq(statusMembers) {
		switch value := o.get(name); value {
		case nil, false:
		case true:
			all = append(all, strings.ToLower(splitWords(name)))
		default:
			status := strings.ToLower(strings.ReplaceAll(wordsOf(value), "-", " "))
			if status != "" && !hasWord(usualStatuses, status) {
				all = append(all, status)
			}
		}
	}
	return all
}

// unlabelled are the names of those members of FHIR resources whose values are written without the
// name of the member as a label.
const unlabelled = "code vaccineCode medicationCodeableConcept name title value component type"

// writeMembers writes the members of a resource, one per line, except the date day, which is in its
// heading.
func (r *jsonReader) writeMembers(o object, day string) {
	var lines strings.Builder
	for _, m := range o {
		name := withoutType(m.name)
		if !m.isShown() {
			continue
		}
		said := wordsOf(m.value)
		switch {
		case said == "" || said == day:
		case m.name == "item" && strings.HasPrefix(o.text("resourceType"), "Questionnaire"):
			questionnaireWriter{&lines, answerSets(o)}.writeItems(o.objects(m.name))
		case hasWord(unlabelled, m.name) || name == "value" || name == "":
			lines.WriteString(said + "\n")
		default:
			first, size := utf8.DecodeRuneInString(name)
			lines.WriteString(string(unicode.ToUpper(first)) + strings.ToLower(splitWords(name[size:])) + ": " + said + "\n")
		}
	}
	r.w.WriteParagraph(lines.String())
}

var dateTime = lazyregexp.New(`^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)?$`)

// wordsOf returns the human-readable text of a value.
func wordsOf(value any) string {
	switch v := value.(type) {
	case string:
		if dateTime.MatchString(v) {
			return v[:len(time.DateOnly)]
		}
		return markdown.OneLine(v)
	case json.Number:
		return v.String()
	case array:
		var said []string
		for _, element := range v {
			if s := wordsOf(element); s != "" {
				said = append(said, s)
			}
		}
		return strings.Join(said, ", ")
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case object:
		return v.words()
	}
	return ""
}

// words returns the human-readable text of an object.
func (o object) words() string {
	var said []string
	if text := o.text("text"); text != "" {
		said = append(said, markdown.OneLine(text))
	} else {
		said = o.wordsOfMembers()
	}
	if len(said) == 0 { // a code of which the file does not say what it means
		return o.text("code")
	}
	return strings.Join(append(said, unusualStatuses(o)...), " ")
}

// wordsOfMembers returns the human-readable texts of the members of an object.
func (o object) wordsOfMembers() (said []string) {
	seen := make(map[string]bool)
	for _, m := range o {
		if seen[m.name] { // damaged: each would be written with the other member of its pair
			continue
		}
		seen[m.name] = true
		words := ""
		_, isBoolean := m.value.(bool)
		switch {
		case !m.isShown() || m.name == "comparator":
		case m.name == "value":
			words = o.text("comparator") + wordsOf(m.value)
			if o.text("unit") == "" && o.text("system") == unitsOfMeasure && words != "" {
				words += " " + o.text("code")
			}
		case m.name == "numerator" && o.get("denominator") != nil:
			words = ratio(wordsOf(m.value), wordsOf(o.get("denominator")))
		case m.name == "frequency" && o.get("period") != nil: // Timing.repeat
			words = o.upTo("frequency") + " × every " + o.upTo("period") + " " + o.text("periodUnit")
		case m.name == "frequencyMax" && o.get("frequency") != nil: // written with it
		case m.name == "denominator" && o.get("numerator") != nil || strings.HasPrefix(m.name, "period") && o.get("frequency") != nil:
		case m.name == "low" || m.name == "start":
			words = o.limits(m.name)
		case m.name == "high" && o.get("low") == nil || m.name == "end" && o.get("start") == nil:
			words = o.limits(m.name)
		case m.name == "high" || m.name == "end": // written with the lower limit
		case isBoolean && m.name != "valueBoolean":
			if m.value == true { // asNeededBoolean
				words = strings.ToLower(splitWords(withoutType(m.name)))
			}
		default:
			words = wordsOf(m.value)
		}
		if strings.HasPrefix(m.name, "maxDose") && words != "" {
			words = "at most " + words
		}
		if words != "" {
			said = append(said, words)
		}
	}
	return said
}

// unitsOfMeasure is the system of the codes of units in UCUM.
const unitsOfMeasure = "http://unitsofmeasure.org"

// upTo returns the text of a member, and its maximum if there is one: 4–6 for period and periodMax.
func (o object) upTo(name string) string {
	if most := wordsOf(o.get(name + "Max")); most != "" {
		return wordsOf(o.get(name)) + "–" + most
	}
	return wordsOf(o.get(name))
}

// ratio returns the text of a ratio: 1:128 of two numbers, 5 mg / 1 mL of two quantities.
func ratio(numerator, denominator string) string {
	if strings.Contains(denominator, " ") {
		return numerator + " / " + denominator
	}
	return numerator + ":" + denominator
}

// limits returns the text of a Range or Period, whose first member is called name.
func (o object) limits(name string) string {
	upper, from, until := "high", "≥ ", "≤ "
	if name == "start" || name == "end" {
		upper, from, until = "end", "from ", "until "
	}
	first, last := wordsOf(o.get(name)), wordsOf(o.get(upper))
	switch {
	case name == upper:
		return until + last
	case last == "":
		return from + first
	}
	return first + " – " + last
}

// isShown reports whether a member is meant for people. The member code is, if it is a concept
// rather than only a code.
func (m member) isShown() bool {
	_, isString := m.value.(string)
	return m.name == "code" && !isString || !hasWord(unshownMembers, m.name)
}

// withoutType returns the name of a member of several possible types, such as valueString, without
// the type (https://hl7.org/fhir/formats.html#choice).
func withoutType(name string) string {
	for suffix := range strings.FieldsSeq("Quantity CodeableConcept DateTime String Period Range Ratio Integer Reference Age Date Boolean") {
		if short := strings.TrimSuffix(name, suffix); short != name && short != "" {
			return short
		}
	}
	return name
}

// splitWords splits a name such as MedicationRequest into words.
func splitWords(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}
