package e2e

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInstructionsNameLanguages checks that the instructions name the languages of the letters in a
// folder, but not those of words in scripts and address lists.
func TestInstructionsNameLanguages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.md", "b.md", "c.md"} {
		writeText(t, filepath.Join(dir, name), "Lieber Herr Maier, vielen Dank für den Brief "+name+". Ich komme am Freitag mit der Bahn.\n")
		writeText(t, filepath.Join(dir, "links "+name), "- [com](https://www.example.com/"+name+")\n- as e o do da os\n")
		writeText(t, filepath.Join(dir, name+".js"), "export function a(as, e, o) {\n  return as(e, o)\n}\n")
	}
	if out, err := vademecum(t, "index", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	deadline := time.Now().Add(longestWait)
	for {
		got := instructionsOf(t, dir)
		if strings.Contains(got, "languages of prose: German 100 %; kinds: ") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("they are %s", got)
		}
	}
}

// instructionsOf returns the instructions of a new server, which waits only briefly for its index.
func instructionsOf(t *testing.T, dir string) string {
	t.Helper()
	var result struct{ Instructions string }
	if err := json.Unmarshal(newHost(t, dir).call("initialize", initialize).Result, &result); err != nil {
		t.Fatal(err)
	}
	return result.Instructions
}
