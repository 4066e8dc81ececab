package db

import "strings"

// PostgreSQL accepts no NUL in a text, but titles, reasons and answers may contain one. It is
// encoded as two characters, the first of which is a Unicode noncharacter that should not occur in
// texts. If a text contains that noncharacter all the same, it is encoded as two characters as
// well.
var (
	escaper   = strings.NewReplacer("\x00", "\uFDD0\uFDD1", "\uFDD0", "\uFDD0\uFDD2")
	unescaper = strings.NewReplacer("\uFDD0\uFDD1", "\x00", "\uFDD0\uFDD2", "\uFDD0")
)

// EscapeNUL encodes a text so that a column accepts it.
func EscapeNUL(s string) string { return escaper.Replace(s) }

// UnescapeNUL is the inverse of EscapeNUL.
func UnescapeNUL(s string) string {
	if !strings.Contains(s, "\uFDD0") { // true of nearly all texts, which then need not be copied
		return s
	}
	return unescaper.Replace(s)
}
