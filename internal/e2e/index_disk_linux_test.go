package e2e

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReadOnly serves an index that may not be written: from memory, with a
// warning, and with the vectors that are in it.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	for name, readOnly := range map[string]func(file string) string{
		"the file":   func(file string) string { return file },
		"its folder": filepath.Dir,
	} {
		t.Run(name, func(t *testing.T) {
			dir, file, model := manyNotes(t, 30), indexFile(t), newProvider(t)
			args := []string{dir, "warfarin visit", "--index", file, "--embed", model.spec("model")}
			want, err := vademecum(t, append([]string{"search"}, args...)...).Output()
			if err != nil {
				t.Fatal(err)
			}
			before := model.sent("model", "")
			at := readOnly(file)
			c := withMounts(t, vademecum(t, append([]string{"search"}, args...)...), fmt.Sprintf("mount --bind '%s' '%[1]s' && mount -o remount,ro,bind '%[1]s'", at))
			var stderr bytes.Buffer
			c.Stderr = &stderr
			got, err := c.Output()
			if err != nil || string(got) != string(want) {
				t.Errorf("%v %s\nit answers\n%s\nwant\n%s", err, &stderr, got, want)
			}
			if !strings.Contains(stderr.String(), "kept in memory") {
				t.Errorf("it does not warn: %s", &stderr)
			}
			_, _, again := model.tally(nobody)
			if len(again) > 0 || len(model.sent("model", "")) != len(before) {
				t.Errorf("%d texts were embedded again", len(again))
			}
		})
	}
}

// TestFullDisk fills the disk at the start, while the folder is being indexed, and while it is
// edited, each time for a while, and checks that answers are always right.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	const notes = 300
	for name, free := range map[string]int{"at the start": 0, "later": 1500 << 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := manyNotes(t, notes)
			model, e := newProvider(t), newEditor(t, dir)
			s, d := serveOnDisk(t, dir, model.spec("model"), free)
			fresh := newCrew(t, dir)
			fresh.add()
			same := func(when string) {
				t.Helper()
				for _, one := range []*client{s, fresh.servers[0]} {
					if _, err := one.tool("index_docs", `{}`); err != nil {
						t.Fatalf("%s: %v", when, err)
					}
				}
				err := differs(s, fresh.servers[0])
				for start := time.Now(); err != nil && time.Since(start) < longestWait; { // another run may be in progress
					err = differs(s, fresh.servers[0])
				}
				if err != nil {
					t.Errorf("%s: %v", when, err)
				}
			}
			same("before there is room")
			d.empty()
			d.awaitSaved(dir, model.spec("model"), notes)
			same("with room")
			d.fill(0)
			for i := range 40 {
				text, unique := e.text()
				e.save(e.fresh(), text)
				if i%10 == 0 {
					if _, err := s.await(time.Now(), unique, func(f found) bool { return f.holds(unique) }); err != nil {
						t.Fatal(err)
					}
				}
			}
			same("full again")
			d.empty()
			d.awaitSaved(dir, model.spec("model"), notes+40)
			same("with room again")
			if left, err := filepath.Glob(filepath.Join(d.path, "*.tmp-*")); err != nil || len(left) > 0 {
				t.Errorf("left: %q, %v", left, err)
			}
		})
	}
}
