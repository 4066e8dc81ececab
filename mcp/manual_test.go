package mcp

import (
	"slices"
	"testing"

	"vademecum/internal/manual/manualtest"
	"vademecum/internal/message"
)

// TestManual holds the manual to the list of tools, both ways, and to those that ChatGPT alone
// is offered.
func TestManual(t *testing.T) {
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var listed, all []string
		for _, row := range manualtest.TableRows(t, "hosts", l, 6) {
			listed = append(listed, manualtest.CodeSpans(row[0])...)
		}
		code := manualtest.AllCode(t, "hosts", l)
		for _, tool := range tools {
			if !tool.isForChatGPT {
				all = append(all, tool.Name)
			} else if !slices.Contains(code, tool.Name) {
				t.Errorf("the manual does not name %s, which ChatGPT is offered", tool.Name)
			}
		}
		manualtest.RequireSameNames(t, "tool", listed, all)
	})
}
