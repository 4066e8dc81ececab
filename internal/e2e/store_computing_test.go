package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"vademecum/embed"
	"vademecum/embed/local/localtest"
)

// libraryKey is a text of a library.
type libraryKey struct {
	library string
	text    [16]byte
}

// savedRow is a vector in a database, and the number of its row, which changes when it is
// saved again.
type savedRow struct {
	Number int64
	Vector []float32
}

// savedVectors reads the vectors of a model that the libraries of a database have.
func (d database) savedVectors(t *testing.T, model string) map[libraryKey]savedRow {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), d.owner)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), "SELECT m.library, v.text_key, v.row, v.vector FROM vademecum.vectors v JOIN vademecum.models m ON m.id = v.model WHERE strpos(m.name, $1) > 0", model)
	if err != nil {
		t.Fatal(err)
	}
	saved := make(map[libraryKey]savedRow)
	var library string
	var key []byte
	var row savedRow
	if _, err := pgx.ForEachRow(rows, []any{&library, &key, &row.Number, &row.Vector}, func() error {
		saved[libraryKey{library, [16]byte(key)}] = savedRow{row.Number, slices.Clone(row.Vector)}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return saved
}

// TestDatabaseKillWhileComputing is TestKillWhileComputing for two libraries of a database,
// each of a folder: whichever program is killed as it computes vectors, what was saved stays
// as it is and where it is, the rest is left to the next, and all is there in the end.
func TestDatabaseKillWhileComputing(t *testing.T) {
	t.Parallel()
	const rounds, notes = 1, 200 // notes of each folder
	d, shape := newDatabase(t), localtest.Shape{Hidden: 64, Layers: 4, Heads: 4, Inner: 256, Positions: 256}
	spec, other := "local:"+localtest.Write(t, "bert", shape), "local:"+localtest.Write(t, "distilbert", shape)
	folders := []string{manyNotes(t, notes), t.TempDir()}
	for i := notes; i < 2*notes; i++ {
		if err := os.WriteFile(filepath.Join(folders[1], fmt.Sprintf("%d.md", i)), []byte(note(i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	on := func(spec string, args ...string) *exec.Cmd {
		c := vademecum(t, append(append(args, folders...), "--library", "left", "--library", "right", "--embed", spec)...)
		c.Env = append(c.Env, d.env())
		return c
	}
	must := func(want, spec string, args ...string) {
		t.Helper()
		if out, err := on(spec, args...).CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%s %v, want %q", out, err, want)
		}
	}
	mustLeave := func(spec string, left int) {
		t.Helper()
		must(fmt.Sprintf("%d, %d of them to be embedded", 2*notes, left), spec, "index", "--dry-run")
	}
	model, err := embed.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	must("", "builtin", "index")
	var saved map[libraryKey]savedRow
	kills := 0
	mustKeep := func() {
		t.Helper()
		kills++
		now := d.savedVectors(t, model.ModelIdentity())
		for key, row := range saved {
			if n := now[key]; n.Number != row.Number || !slices.Equal(n.Vector, row.Vector) {
				t.Fatalf("a vector of %d was lost, has become another or was saved anew", len(saved))
			}
		}
		if saved = now; len(saved) >= 2*notes {
			t.Fatal("it came to its end before it was killed")
		}
		t.Logf("after kill %d there are %d of %d vectors", kills, len(saved), 2*notes)
	}
	awaitMore := func() { // now a few, now many
		t.Helper()
		await(t, "more vectors", func() bool { return len(d.savedVectors(t, model.ModelIdentity())) > len(saved)+10*(kills%4) })
	}
	for i := range 3 * rounds {
		switch i % 3 {
		case 0:
			c := on(spec, "index")
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			awaitMore()
			_ = c.Process.Kill()
			_ = c.Wait()
		case 1:
			s := connect(t, on(spec, "serve"))
			awaitMore()
			s.kill()
		case 2:
			first, second := connect(t, on(spec, "serve")), connect(t, on(spec, "serve"))
			awaitMore()
			first.kill()
			mustKeep()
			awaitMore()
			second.kill()
		}
		mustKeep()
		mustLeave(spec, 2*notes-len(saved))
	}

	changed, err := embed.New(other)
	if err != nil {
		t.Fatal(err)
	}
	s := connect(t, on(other, "serve"))
	await(t, "vectors of the other model", func() bool { return len(d.savedVectors(t, changed.ModelIdentity())) > 0 })
	s.kill()
	mustKeep()
	mustLeave(spec, 2*notes-len(saved))
	must("", spec, "index")
	all := d.savedVectors(t, model.ModelIdentity())
	for i := range 2 * notes {
		vectors, err := model.Embed(t.Context(), embed.Passage, []string{note(i)})
		if err != nil {
			t.Fatal(err)
		}
		key := libraryKey{[]string{"left", "right"}[i/notes], keyOf(note(i))}
		row, before := all[key], saved[key]
		if !isUnitOf(row.Vector, vectors[0]) || before.Number != 0 && before.Number != row.Number {
			t.Errorf("note %d has no vector in library %s, a wrong one, or one saved anew", i, key.library)
		}
	}
	if len(all) != 2*notes {
		t.Errorf("there are %d vectors, want %d", len(all), 2*notes)
	}
	must("", other, "index")
	mustLeave(other, 0)
	mustLeave(spec, 0)
}
