package docs

import (
	"vademecum/docs/extract/sheet"
	"vademecum/internal/base/message"
)

// HasUnreadHiddenParts reports whether hidden parts of a document were not read, according to its note or
// the reason why it is not indexed.
func HasUnreadHiddenParts(note, skip message.Message) bool {
	return sheet.MentionsHiddenParts(note) || sheet.MentionsHiddenParts(skip)
}
