package say

import (
	"fmt"
	"strings"

	"vademecum/internal/present"
)

// filtered tells why no document fulfils a filter, and what would be fulfilled.
func (n Note) filtered() string {
	name, there := present.Name(n.Path), present.Line(strings.Join(n.Words, ", "))
	switch {
	case n.Kind == NoTag && there == "":
		return n.noDocument() + " has a tag."
	case n.Kind == NoTag:
		return n.noDocument() + " has the tag " + name + "; there are: " + there + "."
	case n.Kind == NoKey && there == "":
		return n.noDocument() + " has front matter."
	case n.Kind == NoKey:
		return n.noDocument() + " has the key " + name + " in its front matter; there are: " + there + "."
	case n.Kind == NoValue:
		return n.noDocument() + " has " + name + " in its front matter; there are: " + there + "."
	case n.Kind == NoDate:
		return fmt.Sprintf("%s is dated %s; next to it there is %s.", n.noDocument(), name, there)
	case n.Path != "":
		there = strings.TrimPrefix(there+", path "+name, ", ")
	}
	return n.noDocument() + " fulfils all of these together: " + there + "."
}

// noDocument begins a sentence on what there is none of.
func (n Note) noDocument() string {
	if n.SoFar {
		return "No document that is indexed so far"
	}
	return "No document"
}

// Tagged shows the date that a document gives itself, and the first of its tags:
// "2024-11-05 #recipes #soup"; "" when it has neither.
func Tagged(date string, tags []string) string {
	const most = 6
	parts := make([]string, 0, most+2)
	if date != "" {
		parts = append(parts, date)
	}
	for _, t := range tags[:min(most, len(tags))] {
		parts = append(parts, "#"+present.Line(t))
	}
	if more := len(tags) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %s", Count(more, "more tag")))
	}
	return strings.Join(parts, " ")
}
