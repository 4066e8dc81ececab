package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// damagesWanted names the variable with the seeds of a long TestDamages, as FROM-TO,
// see .ci/damages.
const damagesWanted = "VADEMECUM_DAMAGES"

// whole is an intact index that is newer than all files of its folder, and the answers of a fresh
// one.
type whole struct {
	dir     string
	name    string            // name of the index in the cache folder
	files   map[string][]byte // files of the index, by the suffix of their names
	listed  []string
	asked   []string
	answers map[string]found
}

const wholeNotes = 70

func newWhole(t *testing.T) *whole {
	t.Helper()
	w := &whole{dir: manyNotes(t, wholeNotes), files: make(map[string][]byte), answers: make(map[string]found)}
	for i := range 5 { // texts of several database pages
		text := fmt.Sprintf("# Long %d\n\nIt is about longish%d.\n\n", i, i) + strings.Repeat(fmt.Sprintf("A line of the long note %d, which goes on.\n", i), 600)
		if err := os.WriteFile(filepath.Join(w.dir, fmt.Sprintf("long%d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		w.asked = append(w.asked, fmt.Sprintf("longish%d", i))
	}
	for i := range wholeNotes {
		w.asked = append(w.asked, fmt.Sprintf("number%d", i))
	}
	w.asked = append(slices.Clone(questions), w.asked...)
	cache := t.TempDir()
	for _, args := range [][]string{nil, {"--force"}, {"--force"}} { // until there is a snapshot
		w.index(t, cache, args...)
	}
	file := w.find(t, cache)
	// The files are older than the index by more than a clock's tick.
	db := openBeside(t, file)
	defer db.Close()
	exec := func(statement string) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	exec("UPDATE documents SET read_at = read_at + 3600000000000")
	if err := os.Remove(file + ".snapshot"); err != nil {
		t.Fatal(err)
	}
	w.index(t, cache)
	db.SetMaxOpenConns(1)
	for _, s := range []string{"PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_autocheckpoint = 0",
		"UPDATE texts SET text = text || '' WHERE document % 2 = 0", "UPDATE documents SET read_at = read_at + 1 WHERE id % 3 = 0"} {
		exec(s) // so that half of the index is in the write-ahead log
	}
	for _, suffix := range held {
		content, err := os.ReadFile(file + suffix)
		if err != nil || len(content) < pageSize {
			t.Fatalf("%s: %d bytes, %v", suffix, len(content), err)
		}
		w.files[suffix] = content
	}
	w.name = filepath.Base(file)
	s := connect(t, w.serve(t, t.TempDir()))
	defer s.kill()
	if _, err := s.tool("index_docs", `{}`); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.listed, err = s.resources(); err != nil || len(w.listed) != wholeNotes+5 {
		t.Fatalf("%d documents, %v", len(w.listed), err)
	}
	for _, q := range w.asked {
		if w.answers[q], err = s.retrieve(q); err != nil || !slices.Contains(questions, q) && !w.answers[q].holds(q) {
			t.Fatalf("%q: %s, %v", q, w.answers[q], err)
		}
	}
	return w
}

func (w *whole) command(t *testing.T, cache string, args ...string) *exec.Cmd {
	c := vademecum(t, args...)
	c.Env = append(c.Env, "XDG_CACHE_HOME="+cache)
	return c
}

func (w *whole) index(t *testing.T, cache string, args ...string) {
	t.Helper()
	if out, err := w.command(t, cache, append([]string{"index", w.dir}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
}

func (w *whole) serve(t *testing.T, cache string) *exec.Cmd {
	return w.command(t, cache, "serve", w.dir)
}

func (w *whole) find(t *testing.T, cache string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(cache, "vademecum", "*.db"))
	if err != nil || len(all) != 1 {
		t.Fatalf("the indexes are %q, %v", all, err)
	}
	return all[0]
}

// lay copies the files of the index into a cache folder.
func (w *whole) lay(t *testing.T, cache string) (file string) {
	t.Helper()
	file = filepath.Join(cache, "vademecum", w.name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	for suffix, content := range w.files {
		if err := os.WriteFile(file+suffix, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// sufferer is a server whose index is damaged.
type sufferer struct {
	*client
	log           bytes.Buffer
	longest, next time.Duration // the longest times of an answer: the one that met the damage, and of the others
	wrong         []string
	told          []string // warnings in the log, without times
}

// Limits of what the damage of an index may cost.
const (
	upon    = 5 * time.Second // for the answer that meets the damage
	after   = time.Second     // for all others
	healing = 10 * time.Second
)

func (w *whole) newSufferer(t *testing.T, cache string) *sufferer {
	t.Helper()
	s := &sufferer{}
	c := w.serve(t, cache)
	c.Stderr = &s.log
	s.client = connect(t, c)
	return s
}

func (s *sufferer) blame(format string, args ...any) {
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

// ask sends a question and records how long the answer took.
func (s *sufferer) ask(q string) (found, error) {
	start := time.Now()
	f, err := s.retrieve(q)
	took := time.Since(start)
	s.next = max(s.next, min(took, s.longest))
	s.longest = max(s.longest, took)
	return f, err
}

// recovers asks until all answers equal those of a fresh index.
func (s *sufferer) recovers(w *whole) {
	var fault error
	within := longestWait // other tests may use the processors
	if os.Getenv(damagesWanted) != "" {
		within = healing
	}
	ended := poll(within, func() bool {
		fault = s.compare(w)
		return fault == nil || errors.As(fault, new(failure))
	})
	switch {
	case !ended:
		s.blame("after %s %v", within, fault)
		return
	case fault != nil:
		s.blame("%v", fault)
		return
	}
	if _, err := s.tool("index_docs", `{}`); err != nil {
		s.blame("index_docs: %v", err)
	}
	if os.Getenv(damagesWanted) != "" && (s.longest > upon || s.next > after) { // other tests may use the processors
		s.blame("one answer took %s, another %s", s.longest.Round(time.Millisecond), s.next.Round(time.Millisecond))
	}
}

// failure is the error of a question that was not answered.
type failure struct{ error }

func (s *sufferer) compare(w *whole) error {
	for _, q := range w.asked {
		f, err := s.ask(q)
		if err != nil {
			return failure{fmt.Errorf("%q: %w", q, err)}
		}
		if want := w.answers[q]; !f.equals(want) {
			return fmt.Errorf("%q is answered with\n%s\na fresh index answers\n%s", q, f, want)
		}
	}
	listed, err := s.resources()
	if err != nil {
		return failure{err}
	}
	if !slices.Equal(listed, w.listed) {
		return fmt.Errorf("%d documents are listed, not %d", len(listed), len(w.listed))
	}
	return nil
}

// judge checks what the servers have logged: that the index was rebuilt if needed, and not twice.
func judge(all []*sufferer, renewed bool) {
	told := 0
	for _, s := range all {
		s.kill() // after that all its output has been read
		for line := range strings.Lines(s.log.String()) {
			_, what, warns := strings.Cut(strings.TrimSpace(line), "level=")
			if !warns || strings.HasPrefix(what, "INFO") {
				continue
			}
			if slices.Contains(s.told, what) {
				s.blame("told twice: %s", what)
			}
			s.told = append(s.told, what)
		}
		told += len(s.told)
		if len(s.wrong) > 0 && len(s.told) > 0 {
			s.blame("it said %s", strings.Join(s.told[:min(len(s.told), 5)], "\n\t"))
		}
	}
	if renewed && told == 0 {
		all[0].blame("the index was made again, and that was not told")
	}
}

// damageSeeds returns the range of seeds from the environment, otherwise a few.
func damageSeeds(t *testing.T) (from, to int) {
	wanted := os.Getenv(damagesWanted)
	if wanted == "" {
		return 0, 2
	}
	if n, err := fmt.Sscanf(wanted, "%d-%d", &from, &to); n != 2 || from > to {
		t.Fatalf("%s is %q: give FROM-TO, as in 0-499: %v", damagesWanted, wanted, err)
	}
	return from, to + 1
}

// TestDamages damages an index in one way, before a server starts or while two are running, and
// checks that everything is found again as in a fresh index, without help.
func TestDamages(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	w := newWhole(t)
	var mu sync.Mutex
	counts, wrong := make(map[string]int), make(map[string]int)
	var longest, next []time.Duration
	from, to := damageSeeds(t)
	t.Run("all", func(t *testing.T) {
		for seed := from; seed < to; seed++ {
			d := newDamage(seed)
			for name, suffer := range map[string]func(*testing.T, *whole, damage) []*sufferer{"cold": w.cold, "running": w.running} {
				t.Run(fmt.Sprintf("%d %s", seed, name), func(t *testing.T) {
					t.Parallel()
					bad := false
					all := suffer(t, w, d)
					mu.Lock()
					defer mu.Unlock()
					for i, s := range all {
						longest, next = append(longest, s.longest), append(next, s.next)
						if bad = bad || len(s.wrong) > 0; len(s.wrong) > 0 {
							t.Errorf("%s: server %d: %s", d, i, strings.Join(s.wrong, "\n\t"))
						}
					}
					kind := name + ", " + d.kind
					if counts[kind]++; bad {
						wrong[kind]++
					}
				})
			}
		}
	})
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%s: %d, wrong: %d", kind, counts[kind], wrong[kind])
	}
	if len(longest) > 0 {
		t.Logf("the longest answers: %s", quantiles(longest))
		t.Logf("those after them: %s", quantiles(next))
	}
}

// cold damages an index that no process has open.
func (*whole) cold(t *testing.T, w *whole, d damage) []*sufferer {
	cache := t.TempDir()
	file := w.lay(t, cache)
	if err := d.do(t, file); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(file)
	isThere := err == nil && before.Mode().IsRegular() && before.Size() > 0 // otherwise there is no index yet
	s := w.newSufferer(t, cache)
	s.recovers(w)
	all := []*sufferer{s}
	judge(all, isThere && isRenewed(before, file))
	return all
}

// running damages an index that two servers have open.
func (*whole) running(t *testing.T, w *whole, d damage) []*sufferer {
	cache := t.TempDir()
	file := w.lay(t, cache)
	all := []*sufferer{w.newSufferer(t, cache), w.newSufferer(t, cache)}
	for _, s := range all { // so that it has read from the index
		if f, err := s.retrieve(questions[0]); err != nil || !f.equals(w.answers[questions[0]]) {
			t.Fatalf("before the damage it is answered with\n%s%v", f, err)
		}
	}
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.do(t, file); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for _, s := range all {
		group.Go(func() { s.recovers(w) })
	}
	group.Wait()
	judge(all, isRenewed(before, file))
	return all
}

// isRenewed reports whether a file was replaced by another.
func isRenewed(before os.FileInfo, file string) bool {
	now, err := os.Stat(file)
	return err != nil || !os.SameFile(before, now)
}
