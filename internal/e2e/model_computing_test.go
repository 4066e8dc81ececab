package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/embed"
	"vademecum/embed/local/localtest"
)

// TestKillWhileComputing kills programs that compute vectors with a model in a folder: the command,
// a server, and the one of two servers that computes. It checks that saved vectors are kept, that
// the next program computes only the rest, and that all exist in the end, also after another model.
func TestKillWhileComputing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it computes for long")
	}
	notes, kills := 300, 3
	if *inFull {
		notes, kills = 600, 6
	}
	shape := localtest.Shape{Hidden: 64, Layers: 4, Heads: 4, Inner: 256, Positions: 256}
	dir, file, spec := manyNotes(t, notes), indexFile(t), "local:"+localtest.Write(t, "bert", shape)
	mustLeave := func(spec string, left int) {
		t.Helper()
		out, err := vademecum(t, "index", dir, "--index", file, "--embed", spec, "--dry-run").CombinedOutput()
		if want := fmt.Sprintf("%d, %d of them to be embedded", notes, left); err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%s %v, want %q", out, err, want)
		}
	}
	indexAll := func(spec string) {
		t.Helper()
		if out, err := vademecum(t, "index", dir, "--index", file, "--embed", spec).CombinedOutput(); err != nil {
			t.Fatalf("%s %v", out, err)
		}
	}
	indexAll("builtin")
	var saved map[[16]byte][]float32
	grown := func() bool { return countSaved(t, file) > len(saved) }
	mustKeep := func() {
		t.Helper()
		now := savedVectors(t, file)
		for key, vector := range saved {
			if !slices.Equal(now[key], vector) {
				t.Fatalf("a vector of %d was lost or has become another", len(saved))
			}
		}
		if saved = now; len(saved) >= notes {
			t.Fatal("it came to its end before it was killed")
		}
	}
	for i := range kills {
		switch i % 3 {
		case 0:
			c := vademecum(t, "index", dir, "--index", file, "--embed", spec)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			await(t, "more vectors", grown)
			_ = c.Process.Kill()
			_ = c.Wait()
		case 1:
			s, _ := serveWith(t, dir, file, spec)
			await(t, "more vectors", grown)
			s.kill()
		case 2:
			first, _ := serveWith(t, dir, file, spec)
			second, _ := serveWith(t, dir, file, spec)
			await(t, "more vectors", grown)
			first.kill()
			mustKeep()
			await(t, "vectors of the second server", grown)
			second.kill()
		}
		mustKeep()
		mustLeave(spec, notes-len(saved))
	}
	indexAll(spec)
	model, err := embed.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range notes {
		all = append(all, note(i))
	}
	checkVectors(t, file, all, func(text string) []float32 {
		vectors, err := model.Embed(t.Context(), embed.Passage, []string{text})
		if err != nil {
			t.Fatal(err)
		}
		return vectors[0]
	})
	other := "local:" + localtest.Write(t, "distilbert", localtest.SmallShape)
	mustLeave(other, notes)
	indexAll(other)
	mustLeave(other, 0)
	mustLeave(spec, 0)
}
