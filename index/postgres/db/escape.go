package db

import "strings"

// PostgreSQL accepts no NUL in a text, and titles, reasons and answers may have one. It is
// encoded as two characters, of which the first is a noncharacter of Unicode that no text should
// have; where one has it all the same, it is encoded as two as well.
var (
	escaper   = strings.NewReplacer("\x00", "\uFDD0\uFDD1", "\uFDD0", "\uFDD0\uFDD2")
	unescaper = strings.NewReplacer("\uFDD0\uFDD1", "\x00", "\uFDD0\uFDD2", "\uFDD0")
)

// Escape makes a text one that a column takes.
func Escape(s string) string { return escaper.Replace(s) }

// Unescape is the inverse of escape.
func Unescape(s string) string {
	if !strings.Contains(s, "\uFDD0") { // as all but one in a million: it need not be copied
		return s
	}
	return unescaper.Replace(s)
}
