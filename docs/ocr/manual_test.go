package ocr

import (
	"slices"
	"strings"
	"testing"

	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// TestManual holds the manual to the languages in which text is recognised where nobody
// names any.
func TestManual(t *testing.T) {
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		all := manualtest.AllCode(t, "formats", l)
		at := slices.IndexFunc(all, func(code string) bool { return strings.HasPrefix(code, "--ocr-lang ") })
		if at < len(preferred) {
			t.Fatal("the manual names no languages before --ocr-lang")
		}
		manualtest.RequireSameNames(t, "language of scans", all[at-len(preferred):at], preferred)
	})
}
