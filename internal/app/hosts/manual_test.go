package hosts

import (
	"strings"
	"testing"

	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// TestManual checks that the manual names the hosts, and what each needs for a server that requires
// a token.
func TestManual(t *testing.T) {
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var all, listed, told []string
		for _, h := range KnownHosts {
			all = append(all, h.ID)
		}
		for _, row := range manualtest.TableRows(t, "hosts", l, 1) {
			names := manualtest.CodeSpans(row[1])
			listed = append(listed, names...)
			for _, name := range names {
				if h, _ := FindHost(name); l == message.English && !strings.Contains(row[0], h.Title) {
					t.Errorf("%s is called %q, not %s", name, row[0], h.Title)
				}
			}
		}
		manualtest.RequireSameNames(t, "AI program", listed, all)

		asks := Server{EntryName: "vademecum", Program: "/bin/vademecum", URL: "https://kb.example.com/mcp", TokenVariable: ConnectTokenVariable}
		for _, row := range manualtest.TableRows(t, "team", l, 2) {
			for _, name := range manualtest.CodeSpans(row[0]) {
				told = append(told, name)
				h, ok := FindHost(name)
				if !ok {
					continue
				}
				entry, err := h.Snippet(asks)
				if err != nil {
					t.Fatal(err)
				}
				entry += "\nvademecum connect\n" + h.TokenAdvice(machines("/home/ann")[0], asks).String()
				for _, code := range manualtest.CodeSpans(row[1]) {
					if !strings.Contains(entry, code) {
						t.Errorf("%s is given no %s but\n%s", name, code, entry)
					}
				}
			}
		}
		manualtest.RequireSameNames(t, "AI program", told, all)
	})
}
