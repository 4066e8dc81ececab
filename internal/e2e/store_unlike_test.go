package e2e

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// servesLibrary starts a server on a folder for the library of notes.
func servesLibrary(t *testing.T, d database, dir string) *client {
	t.Helper()
	c := vademecum(t, "serve", dir, "--library", "notes")
	c.Env = append(c.Env, d.env())
	return connect(t, c)
}

// isLeftAlone reports whether an answer has the library's notes, and says that the
// server's own folder is not indexed.
func isLeftAlone(f found) bool {
	return f.holds("warfarin") && f.says("are not files in it") && f.says("--replace")
}

// isWhole reports whether an answer has the library's notes, and no further note.
func isWhole(f found) bool { return f.holds("warfarin") && !f.says("are not files in it") }

// TestDatabaseFolderOfAnother: a server with an empty folder, or other files, under the
// name of a library removes nothing from it, whichever other servers run, and says so
// until the folder is the right one.
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
	alone := func(f found) bool { return isLeftAlone(f) && f.says("no server with access to the files is running") }
	awaitAnswer(t, second, alone)
	awaitAnswer(t, third, alone)
	fourth := servesLibrary(t, d, empty) // which finds the duty free
	awaitAnswer(t, fourth, alone)
	onStore(t, d, d.serving, "notes: 9 documents", "store", "stats")

	for command, want := range map[string]string{
		"index":  "9 of the 9 documents of library notes are not files in ",
		"status": "not indexed: The folder " + empty,
		"doctor": "this is not the folder of the library",
	} {
		onStore(t, d, d.serving, want, command, empty, "--library", "notes")
	}
	onStore(t, d, d.serving, "to make the library hold this folder: vademecum index "+other+" --library notes --replace", "index", other, "--library", "notes")
	onStore(t, d, d.serving, "are not files in it", "search", empty, "warfarin", "--library", "notes", "--top-k", "1")

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

// TestDatabaseDriveAway: a server keeps what it has indexed when another directory takes
// the place of its folder, as when a drive is unmounted, and removes what is deleted in
// the folder itself, even if that is everything.
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

// TestDatabaseFolderMoved: documents whose files were moved while no server ran belong to
// the folder, and so do some that are left.
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

// TestDatabaseIndexerEnded: the last progress report of an indexing process no longer
// counts when it has ended in the middle.
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
		return f.holds("warfarin") && f.says("no server with access to the files is running")
	})
	if f.says("being built") {
		t.Errorf("it says %s", f)
	}
}

// TestDatabaseFolderBesideAnother: one folder that has not the files of its library keeps
// no command from bringing the others up to date, vectors too, and the hint is about that
// one alone.
func TestDatabaseFolderBesideAnother(t *testing.T) {
	t.Parallel()
	d, right, empty, model := newDatabase(t), manyNotes(t, 9), t.TempDir(), newProvider(t)
	onStore(t, d, d.serving, "9 in total", "index", manyNotes(t, 9), "--library", "a")
	onStore(t, d, d.serving, "9 in total", "index", right, "--library", "b")
	write := func(name, word string) {
		if err := os.WriteFile(filepath.Join(right, name), []byte("# Chess\n\n"+word), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	both := []string{empty, right, "--library", "a", "--library", "b"}
	onBoth := func(want, not string, args ...string) {
		t.Helper()
		c := vademecum(t, args...)
		address, err := url.Parse(d.serving)
		if err != nil {
			t.Fatal(err)
		}
		address.User = url.User(address.User.Username())
		c.Args = append(c.Args, "--store", address.String())
		c.Env = append(c.Env, "PGPASSWORD="+d.password)
		out, _ := c.CombinedOutput()
		if said := strings.ReplaceAll(string(out), address.String(), "ADDRESS"); !strings.Contains(said, want) || strings.Contains(said, not) || strings.Contains(said, d.password) {
			t.Errorf("%s: it says %s, want %s", args, said, want)
		}
	}
	hint := "index " + empty + " --library a --store ADDRESS --replace"
	write("late.md", "Zugzwang")
	onBoth("Indexed 1 document; 19 in total.", "scanned", append([]string{"index", "--embed", model.spec("m")}, both...)...)
	onStore(t, d, d.serving, "10 (10 with a vector)", "status", right, "--library", "b", "--embed", model.spec("m"))
	onBoth(hint, right, append([]string{"index"}, both...)...)
	question := []string{"search", empty, right, "Zugzwang", "--top-k", "1", "--library", "a", "--library", "b"}
	onBoth("Zugzwang", "scanned", question...)
	onBoth("are not files in it", "could not be compared", question...)

	c := vademecum(t, "serve", right, "--library", "b")
	c.Env = append(c.Env, d.env())
	awaitAnswer(t, connect(t, c), isWhole)
	onBoth("Zugzwang", "scanned", question...)
	onBoth(hint, "scanned", append([]string{"index"}, both...)...)

	c = vademecum(t, append([]string{"serve"}, both...)...)
	c.Env = append(c.Env, d.env())
	s := connect(t, c)
	awaitAnswer(t, s, isLeftAlone)
	if said, err := s.tool("index_docs", `{}`); err != nil || len(said) == 0 || !strings.HasPrefix(said[0].Text, "Indexed ") || !strings.Contains(said[0].Text, "are not files in it") {
		t.Errorf("index_docs says %v, %v", said, err)
	}
	if _, err := s.tool("index_docs", `{"paths": ["`+filepath.ToSlash(empty)+`"]}`); err == nil || !strings.Contains(err.Error(), "are not files in") {
		t.Errorf("index_docs of the other folder says %v", err)
	}
}
