package e2e

import (
	"strings"
	"testing"
)

// poison changes the texts in an index behind its back.
func poison(t *testing.T, file string) {
	t.Helper()
	db := openBeside(t, file)
	defer db.Close()
	if _, err := db.Exec("UPDATE texts SET text = replace(text, 'warfarin', 'arsenic!')"); err != nil {
		t.Fatal(err)
	}
}

// TestPoisonedTexts: texts that are not what was saved are found out as they are
// read, by a server and by a search, and the question is answered all the same.
func TestPoisonedTexts(t *testing.T) {
	t.Parallel()
	dir, file, model := manyNotes(t, 30), indexFile(t), newProvider(t)
	args := []string{dir, "--index", file, "--embed", model.spec("model")}
	search := append([]string{"search", dir, "warfarin"}, args[1:]...)
	want, err := vademecum(t, search...).Output()
	if err != nil || !strings.Contains(string(want), "warfarin") {
		t.Fatalf("%s %v", want, err)
	}
	poison(t, file)
	if got, err := vademecum(t, search...).CombinedOutput(); err != nil || !strings.HasPrefix(strings.TrimSpace(afterLogs(got)), strings.TrimSpace(string(want))) {
		t.Errorf("search answers with %v\n%s\nwant\n%s", err, got, want)
	}
	s := connect(t, vademecum(t, append([]string{"serve"}, args...)...))
	before, err := s.retrieve("warfarin")
	if err != nil {
		t.Fatal(err)
	}
	poison(t, file)
	if after, err := s.retrieve("warfarin"); err != nil || !after.equals(before) {
		t.Errorf("the server answers with %v\n%s\nwant\n%s", err, after, before)
	}
	poison(t, file)
	if blocks, err := s.tool("read_doc", `{"path":"0/0.md"}`); err != nil || !strings.Contains(blocks[0].Text, "warfarin") {
		t.Errorf("read_doc answers with %v, %v", blocks, err)
	}
	if _, _, again := model.tally(nobody); len(again) > 0 {
		t.Errorf("%d texts were embedded again", len(again))
	}
}

// afterLogs leaves out the lines of the log.
func afterLogs(out []byte) string {
	var rest strings.Builder
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "time=") {
			rest.WriteString(line)
		}
	}
	return rest.String()
}
