package tunnel

import (
	"testing"

	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// TestManual holds the manual to the tunnels that are known. Its last row is that of a proxy.
func TestManual(t *testing.T) {
	var known []string
	for _, p := range Programs {
		known = append(known, p.Title)
	}
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var named []string
		rows := manualtest.TableRows(t, "phone", l, 2)
		for _, row := range rows[:len(rows)-1] {
			named = append(named, row[0])
		}
		manualtest.RequireSameNames(t, "tunnel", named, known)
	})
}
