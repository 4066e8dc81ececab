package tunnel

import (
	"testing"

	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// TestManual checks that the manual names the supported tunnels. The last row of its table is about
// a proxy.
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
