package mcp

import (
	"strings"
	"testing"
)

// TestIconOnce: the icon is sent where a client meets the server, and not with what a model reads.
// Mastra (@mastra/mcp 2.0.0) gives its model whole results, `_meta` included.
func TestIconOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, three), Options{})
	const icon = "data:image/png;base64,"
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		w, begun := newWire(t, s, protocol, `{}`)
		if !strings.Contains(begun, icon) {
			t.Errorf("%s: no icon in %s", protocol, begun)
		}
		for _, ask := range [][2]string{
			{"tools/call", `{"name":"list_docs","arguments":{}}`},
			{"tools/call", `{"name":"read_doc","arguments":{"path":"none.md"}}`},
			{"resources/read", `{"uri":"` + uriOf(t, w) + `"}`},
			{"prompts/get", `{"name":"answer_from_docs","arguments":{"question":"asthma"}}`},
		} {
			got := w.ask(ask[0], ask[1])
			if strings.Contains(got, icon) || !strings.Contains(got, `"result"`) {
				t.Errorf("%s: %s: %s", protocol, ask[0], got)
			}
			if named := strings.Contains(got, `"io.modelcontextprotocol/serverInfo":{"name":"vademecum"`); named != (protocol >= "2026") {
				t.Errorf("%s: %s names the server: %v in %s", protocol, ask[0], named, got)
			}
		}
	}
}

// uriOf returns the URI of the first resource in the list.
func uriOf(t *testing.T, w *wire) string {
	t.Helper()
	var list struct {
		Resources []struct {
			URI string `json:"uri"`
		} `json:"resources"`
	}
	resultOf(t, w.ask("resources/list", `{}`), &list)
	if len(list.Resources) == 0 {
		t.Fatal("no resources")
	}
	return list.Resources[0].URI
}
