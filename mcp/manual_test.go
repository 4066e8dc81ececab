package mcp

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"vademecum/index/operations"
	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// TestManual checks that the manual and the manifest of the desktop extension name the tools that
// hosts are offered.
func TestManual(t *testing.T) {
	t.Parallel()
	listed, err := connect(t, serve(t, folder(t, three), Options{}), "test").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var offered []string
	for _, tool := range listed.Tools {
		offered = append(offered, tool.Name)
	}
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var named []string
		for _, row := range manualtest.TableRows(t, "hosts", l, 6) {
			named = append(named, manualtest.CodeSpans(row[0])...)
		}
		manualtest.RequireSameNames(t, "tool", named, offered)
		code := manualtest.AllCode(t, "hosts", l)
		for _, newOperation := range operations.All {
			if o := newOperation(); (o.IsChatGPTOnly || o.IsAppOnly) && !slices.Contains(code, o.Name) {
				t.Errorf("the manual does not name %s, which some clients are offered", o.Name)
			}
		}
	})

	text, err := os.ReadFile("../.packaging/mcpb/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, tool := range manifest.Tools { // the manifest states that the program has more tools than it names
		if !slices.Contains(offered, tool.Name) {
			t.Errorf("the desktop extension names the tool %s, which there is not", tool.Name)
		}
	}
}
