package notice

import (
	"fmt"
	"slices"
	"strings"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// filterMessage says why no document meets a filter, and which values exist.
func (n Note) filterMessage() message.Message {
	name, there := present.QuoteName(n.Path), joinWords(n.Words)
	none := message.New("No document")
	if n.MayBeIncomplete {
		none = message.New("No document that is indexed so far")
	}
	switch {
	case n.Kind == NoDocumentAtPath && there != "":
		return message.New("%v has a path like %s; there are: %v.", none, name, there)
	case n.Kind == NoDocumentAtPath:
		return message.New("%v has a path like %s.", none, name)
	case n.Kind == PathMatchedDeeper:
		return message.New("No document has the path %s; taken for %v.", name, there)
	case n.Kind == NoDocumentWithTag && there == "":
		return message.New("%v has a tag.", none)
	case n.Kind == NoDocumentWithTag:
		return message.New("%v has the tag %s; there are: %v.", none, name, there)
	case n.Kind == NoDocumentWithKey && there == "":
		return message.New("%v has front matter.", none)
	case n.Kind == NoDocumentWithKey:
		return message.New("%v has the key %s in its front matter; there are: %v.", none, name, there)
	case n.Kind == NoDocumentWithValue:
		return message.New("%v has %s in its front matter; there are: %v.", none, name, there)
	case n.Kind == NoDocumentInPeriod:
		return message.New("%v is dated %v; the nearest date is %v.", none, n.Details[0], there)
	case n.Kind == NoDocumentWithLink && n.Details[0] == "":
		return message.New("%v in this selection links to %s.", none, name)
	case n.Kind == NoDocumentWithLink && n.Path == "":
		return message.New("%v in this selection is linked to from %s.", none, present.QuoteName(n.Details[0].String()))
	case n.Kind == NoDocumentWithLink:
		return message.New("%v in this selection links to %s and is linked to from %s.", none, name, present.QuoteName(n.Details[0].String()))
	}
	all := n.Details
	if n.Path != "" {
		all = append(slices.Clip(all), message.New("path %s", name))
	}
	return message.New("%v meets all of these conditions: %v.", none, joinMessages(all))
}

// joinWords returns words as a list in one line.
func joinWords(words []string) message.Message {
	var all []message.Message
	for _, w := range words {
		all = append(all, message.Message(present.CleanLine(w)))
	}
	return joinMessages(all)
}

// joinMessages returns messages as a list in one line.
func joinMessages(all []message.Message) (joined message.Message) {
	for _, m := range all {
		if joined == "" {
			joined = m
			continue
		}
		joined = message.New("%v, %v", joined, m)
	}
	return joined
}

// DateAndTags formats the date stated in a document and the first of its tags: "2024-11-05 #recipes
// #soup". It returns "" if there is neither.
func DateAndTags(date string, tags []string) string {
	const most = 6
	parts := make([]string, 0, most+2)
	if date != "" {
		parts = append(parts, date)
	}
	for _, t := range tags[:min(most, len(tags))] {
		parts = append(parts, "#"+present.CleanLine(t))
	}
	if more := len(tags) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %s", CountNoun(more, "more tag")))
	}
	return strings.Join(parts, " ")
}
