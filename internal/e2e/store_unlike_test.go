package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// servesLibrary starts a server on a folder that is to be the library of notes.
func servesLibrary(t *testing.T, d database, dir string) *client {
	t.Helper()
	c := vademecum(t, "serve", dir, "--library", "notes")
	c.Env = append(c.Env, d.env())
	return connect(t, c)
}

// isLeftAlone tells whether an answer has the library's notes, and says that the folder
// of who answers is not indexed.
func isLeftAlone(f found) bool {
	return f.holds("warfarin") && f.says("are no files of it") && f.says("--replace")
}

// isWhole tells whether an answer has the library's notes, and nothing to add.
func isWhole(f found) bool { return f.holds("warfarin") && !f.says("are no files of it") }

// TestDatabaseFolderOfAnother: who serves an empty folder, or other files, under the name
// of a library takes nothing from it, whoever else is there, and says so until the folder
// is the right one.
func TestDatabaseFolderOfAnother(t *testing.T) {
	t.Parallel()
	d, dir, empty, other := newDatabase(t), manyNotes(t, 9), t.TempDir(), manyNotes(t, 30)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(other, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(other, "0"), filepath.Join(other, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	first := servesLibrary(t, d, dir)
	awaitAnswer(t, first, isWhole)
	second, third := servesLibrary(t, d, empty), servesLibrary(t, d, other)
	awaitAnswer(t, second, isLeftAlone)
	awaitAnswer(t, third, isLeftAlone)
	first.kill()
	both := vademecum(t, "serve", manyNotes(t, 1), empty, "--library", "more", "--library", "notes")
	both.Env = append(both.Env, d.env())
	awaitAnswer(t, connect(t, both), func(f found) bool { return isLeftAlone(f) && !f.says("scanned") && !f.says("being built") })
	alone := func(f found) bool { return isLeftAlone(f) && f.says("no server that sees the files runs now") }
	awaitAnswer(t, second, alone)
	awaitAnswer(t, third, alone)
	fourth := servesLibrary(t, d, empty) // which finds the duty free
	awaitAnswer(t, fourth, alone)
	onStore(t, d, d.serving, "notes: 9 documents", "store", "stats")

	for command, want := range map[string]string{
		"index":  "9 of the 9 documents of library notes are no files of ",
		"status": "not indexed: The folder " + empty,
		"doctor": "another folder than that of the library",
	} {
		onStore(t, d, d.serving, want, command, empty, "--library", "notes")
	}
	onStore(t, d, d.serving, "if the library is to be that of the folder: vademecum index "+other+" --library notes --replace", "index", other, "--library", "notes")
	onStore(t, d, d.serving, "are no files of it", "search", empty, "warfarin", "--library", "notes", "--top-k", "1")

	if err := os.Rename(filepath.Join(other, "elsewhere"), filepath.Join(other, "0")); err != nil {
		t.Fatal(err)
	}
	write("late.md", "# Warfarin\n\nZugzwang.")
	awaitAnswer(t, third, func(f found) bool { return isWhole(f) && f.holds("Zugzwang") })
	awaitAnswer(t, second, func(f found) bool { return isLeftAlone(f) && f.holds("Zugzwang") })
	onStore(t, d, d.serving, "keeps library notes in ", "index", empty, "--library", "notes", "--replace")
	third.kill()
	onStore(t, d, d.serving, "Removed: 31 documents.", "index", empty, "--library", "notes", "--replace")
	onStore(t, d, d.serving, "notes: 0 documents", "store", "stats")
}

// TestDatabaseDriveAway: a server keeps what it has indexed when another directory is
// found in the place of its folder, as where a drive was mounted, and removes what goes
// away in the folder itself, be it all.
func TestDatabaseDriveAway(t *testing.T) {
	t.Parallel()
	d, dir := newDatabase(t), manyNotes(t, 9)
	s := servesLibrary(t, d, dir)
	awaitAnswer(t, s, isWhole)
	away := dir + ".away"
	for _, err := range []error{os.Rename(dir, away), os.Mkdir(dir, 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	awaitAnswer(t, s, isLeftAlone)
	for _, err := range []error{os.Remove(dir), os.Rename(away, dir)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "0", "late.md"), []byte("# Warfarin\n\nZugzwang."), 0o600); err != nil {
		t.Fatal(err)
	}
	awaitAnswer(t, s, func(f found) bool { return isWhole(f) && f.holds("Zugzwang") }) // it indexes again
	if err := os.RemoveAll(filepath.Join(dir, "0")); err != nil {
		t.Fatal(err)
	}
	awaitAnswer(t, s, func(f found) bool { return len(f.Passages) == 0 && !f.says("--replace") })
}

// TestDatabaseFolderMoved: documents whose files were moved while nobody looked are
// those of the folder, and so are some that are left.
func TestDatabaseFolderMoved(t *testing.T) {
	t.Parallel()
	d, dir := newDatabase(t), manyNotes(t, 60)
	index := []string{"index", dir, "--library", "notes"}
	onStore(t, d, d.serving, "60 in total", index...)
	if err := os.Rename(filepath.Join(dir, "0"), filepath.Join(dir, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	onStore(t, d, d.serving, "Removed: 60 documents.", index...)
	files, err := filepath.Glob(filepath.Join(dir, "elsewhere", "*.md"))
	if err != nil || len(files) != 60 {
		t.Fatal(files, err)
	}
	remove := func(n int) {
		for _, file := range files[:n] {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		files = files[n:]
	}
	remove(30)
	onStore(t, d, d.serving, "Removed: 30 documents.", index...)
	remove(24)
	onStore(t, d, d.serving, "Removed: 24 documents.", index...)
	onStore(t, d, d.serving, "60 in total", "index", manyNotes(t, 60), "--library", "notes", "--replace")
	onStore(t, d, d.serving, "60 of the 60 documents", index...)
}

// TestDatabaseIndexerEnded: what a process that indexed said last of how far it is counts
// no more when it has ended in the middle.
func TestDatabaseIndexerEnded(t *testing.T) {
	t.Parallel()
	d, dir := newDatabase(t), manyNotes(t, 9)
	first := servesLibrary(t, d, dir)
	awaitAnswer(t, first, isWhole)
	first.kill()
	inDatabase(t, d.owner, `UPDATE vademecum.settings SET value = '{"Indexer":{"pid":1},"State":{"Phase":"indexing","Done":3,"Total":9}}' WHERE key = 'news'`)
	c := vademecum(t, "serve", "--library", "notes")
	c.Env = append(c.Env, d.env())
	f := awaitAnswer(t, connect(t, c), func(f found) bool {
		return f.holds("warfarin") && f.says("no server that sees the files runs now")
	})
	if f.says("being built") {
		t.Errorf("it says %s", f)
	}
}
