package schema

import (
	"slices"
	"strings"

	"vademecum/docs/extract/markdown"
)

// A questionnaireWriter writes the items of a questionnaire, or of answers to one
// (https://hl7.org/fhir/questionnaire.html), one per line.
type questionnaireWriter struct {
	lines *strings.Builder
	sets  map[string]string // words of the answers of the value sets within the resource, by their references
}

// writeItems writes questions with their answers, or with the answers to choose from.
func (w questionnaireWriter) writeItems(items []object) {
	for _, item := range items {
		line := item.text("text")
		for _, answer := range item.objects("answer") {
			line += " " + strings.Join(answer.without("item").wordsOfMembers(), " ")
		}
		if options := w.optionsOf(item); options != "" {
			line += " Options: " + options
		}
		if line = markdown.OneLine(line); line != "" {
			w.lines.WriteString(line + "\n")
		}
		w.writeItems(item.objects("item"))
		for _, answer := range item.objects("answer") {
			w.writeItems(answer.objects("item"))
		}
	}
}

// optionsOf returns the answers to choose from, in words. The members without "answer" in their names are
// those of releases before R4.
func (w questionnaireWriter) optionsOf(item object) string {
	var options []string
	for _, name := range []string{"answerOption", "option"} {
		for _, option := range item.objects(name) {
			options = append(options, strings.Join(option.wordsOfMembers(), " "))
		}
	}
	for _, set := range []string{item.text("answerValueSet"), item.text("options/reference")} {
		options = append(options, w.sets[set])
	}
	return strings.Join(slices.DeleteFunc(options, func(s string) bool { return s == "" }), ", ")
}

// answerSets returns the words of the concepts in the value sets within a resource
// (https://hl7.org/fhir/valueset.html), by the references to them.
func answerSets(o object) map[string]string {
	sets := make(map[string]string)
	for _, set := range o.objects("contained") {
		var concepts []string
		for _, include := range set.objects("compose/include") {
			concepts = append(concepts, include.conceptWords("concept")...)
		}
		if len(concepts) == 0 {
			concepts = set.conceptWords("expansion/contains")
		}
		if id := set.text("id"); set.text("resourceType") == "ValueSet" && id != "" {
			sets["#"+strings.TrimPrefix(id, "#")] = strings.Join(concepts, ", ")
		}
	}
	return sets
}

// conceptWords returns the words of the concepts at a path: what is displayed, or else the codes.
func (o object) conceptWords(path string) (all []string) {
	for _, concept := range o.objects(path) {
		if words := markdown.OneLine(concept.firstText("display", "code")); words != "" {
			all = append(all, words)
		}
	}
	return all
}
