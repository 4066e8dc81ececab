package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFoldersToInstall checks that the suggested command names no folder that is inside another.
func TestFoldersToInstall(t *testing.T) {
	dir := t.TempDir()
	notes, inner, other := filepath.Join(dir, "notes"), filepath.Join(dir, "notes", "inner"), filepath.Join(dir, "notes2")
	for _, d := range []string{inner, other} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ folders, want []string }{
		{[]string{notes, inner, other}, []string{notes, other}},
		{[]string{inner, notes}, []string{notes}},
		{[]string{notes, notes + string(filepath.Separator)}, []string{notes}},
		{[]string{filepath.Join(dir, "gone")}, []string{"FOLDER"}},
	} {
		if got := (entryTrial{line: CommandLine{Folders: c.folders}}).folderArgs(); !slices.Equal(got, c.want) {
			t.Errorf("%q come to %q, want %q", c.folders, got, c.want)
		}
	}
}
