// Package textile marks what is struck out in Textile, the markup of Redmine.
package textile

import (
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// struckText matches struck-out text with its marks, which stand at the beginning and the end of words.
var struckText = lazyregexp.New(`(?:^|[\s(\["'|*_>])-([^\s|-](?:[^|\n]*?[^\s|-])?)-(?:$|[\s)\]"'|*_<.,;:!?])`)

// MarkStruck returns a text with the marks of Markdown around what is struck out, by which all other
// code recognises it: "-40 mg-" becomes "~~40 mg~~". Line numbers do not change. Preformatted text is copied.
func MarkStruck(text string) string {
	var out strings.Builder
	inPre, inBlock := false, false // a block of code ends at a blank line
	for line := range strings.Lines(text) {
		lower := strings.ToLower(line)
		inPre = inPre || strings.Contains(lower, "<pre")
		inBlock = strings.HasPrefix(lower, "bc. ") || inBlock && strings.TrimSpace(line) != ""
		if !inPre && !inBlock {
			line = markdown.MarkStruckParts(line, struckText)
		}
		out.WriteString(line)
		inPre = inPre && !strings.Contains(lower, "</pre>")
	}
	return markdown.ReplaceStrikeTags(out.String())
}
