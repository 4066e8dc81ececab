package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// note returns the text of the i-th of many different notes.
func note(i int) string {
	topics := []string{"warfarin", "insulin", "asthma", "sodium", "血压", "糖尿病", "心脏", "sleep"}
	return fmt.Sprintf("# Note %d on %s\n\nThe visit number%d of the patient was about %s and %s.\n\n%s",
		i, topics[i%len(topics)], i, topics[i%len(topics)], topics[(i/7)%len(topics)],
		strings.Repeat(fmt.Sprintf("A sentence of note %d that says little. ", i), 8))
}

func manyNotes(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		if i%100 == 0 {
			if err := os.MkdirAll(filepath.Join(dir, fmt.Sprint(i/100)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i/100), fmt.Sprintf("%d.md", i)), []byte(note(i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// addNote saves a note with a word that no other has.
func addNote(t *testing.T, dir string) (unique string) {
	t.Helper()
	text, unique := newEditor(t, dir).text()
	if err := os.WriteFile(filepath.Join(dir, "late.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return unique
}

func indexFile(t testing.TB) string { return filepath.Join(t.TempDir(), "x.db") }
