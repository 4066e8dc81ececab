package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"vademecum/docs"
)

// spelled is a folder that can be reached by several paths, with a cache for its index.
type spelled struct {
	t               *testing.T
	base, real      string
	link, underLink string // a link to the folder, and the path of the folder below a link
	cache           string
}

func newSpelled(t *testing.T) *spelled {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &spelled{
		t: t, base: base, real: filepath.Join(base, "disk", "notes"), link: filepath.Join(base, "link"),
		underLink: filepath.Join(base, "shared", "notes"), cache: filepath.Join(base, "cache"),
	}
	s.check(os.MkdirAll(s.real, 0o755))
	s.save("a.md", "# Warfarin\n\nThe visit was about warfarin.")
	for at, to := range map[string]string{s.link: s.real, filepath.Join(base, "shared"): filepath.Join(base, "disk")} {
		if err := os.Symlink(to, at); err != nil {
			t.Skip(err)
		}
	}
	return s
}

func (s *spelled) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *spelled) save(p, text string) {
	s.t.Helper()
	s.check(os.WriteFile(filepath.Join(s.real, p), []byte(text), 0o644))
}

// command returns a command of the program with the cache of the folder, run in a directory.
func (s *spelled) command(in string, args ...string) *exec.Cmd {
	s.t.Helper()
	c := vademecum(s.t, args...)
	c.Dir = in
	c.Env = append(c.Env, "PWD="+in, "XDG_CACHE_HOME="+s.cache, "LocalAppData="+s.cache, "HOME="+s.base)
	return c
}

func (s *spelled) output(in string, args ...string) string {
	s.t.Helper()
	out, err := s.command(in, args...).CombinedOutput()
	if err != nil {
		s.t.Errorf("%s in %s: %s %v", args, in, out, err)
	}
	return string(out)
}

// indexes lists the index files that there are in the cache.
func (s *spelled) indexes() []string {
	s.t.Helper()
	var all []string
	s.check(filepath.WalkDir(s.base, func(p string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(p, ".db") {
			all = append(all, p)
		}
		return err
	}))
	return all
}

// spelling is a path of the folder as it is typed in a directory, and as it is shown.
type spelling struct{ in, typed, shown string }

func (s *spelled) spellings() []spelling {
	return []spelling{
		{s.base, s.real, s.real}, {s.base, "link", s.link}, {s.base, s.underLink, s.underLink}, {s.link, ".", s.link},
		{s.link, filepath.Join("..", "link"), s.link},
	}
}

// TestOneFolderByManySpellings indexes a folder by one path and searches it by each of the others.
func TestOneFolderByManySpellings(t *testing.T) {
	t.Parallel()
	s := newSpelled(t)
	for i, first := range s.spellings() {
		s.check(os.RemoveAll(s.cache))
		if out := s.output(first.in, "index", first.typed); !strings.Contains(out, "Indexed 1 document") {
			t.Errorf("index %s: %s", first.typed, out)
		}
		for j, other := range s.spellings() {
			if out := s.output(other.in, "status", other.typed); !strings.Contains(out, "folder:     "+other.shown+"\n") || !strings.Contains(out, "documents:  1\n") {
				t.Errorf("status of %s after %s: %s", other.typed, first.typed, out)
			}
			if out := s.output(other.in, "index", other.typed); !strings.Contains(out, "Unchanged: 1 document") {
				t.Errorf("index %s after %s: %s", other.typed, first.typed, out)
			}
			if out := s.output(other.in, "search", other.typed, "warfarin", "--json"); !strings.Contains(out, docs.FileURI(filepath.Join(other.shown, "a.md"))+"#") {
				t.Errorf("search %s after %s: %s", other.typed, first.typed, out)
			}
			if i != j && (i == 0 || j == 0) {
				s.serve(other)
			}
		}
		if all := s.indexes(); len(all) != 1 {
			t.Errorf("there are %d indexes: %s", len(all), all)
		}
	}
}

// serve starts a server with one path, and reads the note from it by each path.
func (s *spelled) serve(given spelling) {
	s.t.Helper()
	server := connect(s.t, s.command(given.in, "serve", given.typed))
	defer server.kill()
	if f, err := server.retrieve("warfarin"); err != nil || len(f.Passages) != 1 || !strings.HasPrefix(f.Passages[0].URI, docs.FileURI(given.shown)+"/") {
		s.t.Errorf("a server on %s finds %s, %v", given.typed, f, err)
	}
	for _, by := range s.spellings() {
		path := filepath.Join(by.shown, "a.md")
		for _, arguments := range []string{fmt.Sprintf(`{"path":%q}`, path), fmt.Sprintf(`{"uri":%q}`, docs.FileURI(path))} {
			if blocks, err := server.tool("read_doc", arguments); err != nil || !strings.Contains(blocks[0].Text, "The visit") {
				s.t.Errorf("a server on %s reads %s: %v", given.typed, arguments, err)
			}
		}
	}
}

// TestServersBySpellings checks that servers of one folder by several paths share an index and an
// indexer, and that all find what is saved.
func TestServersBySpellings(t *testing.T) {
	t.Parallel()
	s := newSpelled(t)
	var servers []*client
	pids := make(map[int]bool)
	for _, given := range s.spellings()[:3] {
		server := connect(t, s.command(given.in, "serve", given.typed))
		servers = append(servers, server)
		pids[server.cmd.Process.Pid] = true
	}
	for i, server := range servers {
		word := fmt.Sprintf("cardamom%d", i)
		s.save(word+".md", "A note on "+word)
		awaitAll(t, time.Now(), servers, word, func(f found) bool { return f.holds(word) })
		if _, err := server.tool("list_docs", `{}`); err != nil {
			t.Error(err)
		}
	}
	if all := s.indexes(); len(all) != 1 {
		t.Errorf("there are %d indexes: %s", len(all), all)
	}
	for _, by := range s.spellings() {
		var status struct {
			Folders []struct {
				Folder  string
				Indexer struct{ PID int }
			}
		}
		out := s.output(by.in, "status", by.typed, "--json")
		if err := json.Unmarshal([]byte(out), &status); err != nil || len(status.Folders) != 1 || !pids[status.Folders[0].Indexer.PID] || status.Folders[0].Folder != by.shown {
			t.Errorf("status of %s: %s, %v", by.typed, out, err)
		}
	}
	if out, err := s.command(s.base, "search", s.real, s.link, "warfarin").CombinedOutput(); err == nil || !strings.Contains(string(out), "given twice") {
		t.Errorf("a folder that is given twice: %s, %v", out, err)
	}
}

// TestLinkIsSetToAnotherFolder checks that a server keeps serving the folder that a link led to at
// the start, and says so, and that the new target of the link has its own index.
func TestLinkIsSetToAnotherFolder(t *testing.T) {
	t.Parallel()
	s := newSpelled(t)
	server := connect(t, s.command(s.base, "serve", "link"))
	if f, err := server.retrieve("warfarin"); err != nil || len(f.Passages) != 1 || len(f.Notes) != 0 {
		t.Fatalf("%s, %v", f, err)
	}
	other := filepath.Join(s.base, "other")
	s.check(os.Mkdir(other, 0o755))
	s.check(os.WriteFile(filepath.Join(other, "b.md"), []byte("A note on warfarin elsewhere"), 0o644))
	s.check(os.Remove(s.link))
	s.check(os.Symlink(other, s.link))
	s.save("c.md", "A note on cardamom")
	awaitAll(t, time.Now(), []*client{server}, "cardamom", func(f found) bool { return f.holds("cardamom") })
	f, err := server.retrieve("warfarin")
	want := s.link + " leads to " + other + " now, but these documents belong to " + s.real + ": restart vademecum"
	if err != nil || !strings.Contains(strings.Join(f.Notes, "\n"), want) || f.holds("elsewhere") {
		t.Errorf("%s, %v", f, err)
	}
	if blocks, err := server.tool("read_doc", `{"path":"a.md"}`); err != nil || !strings.Contains(blocks[0].Text, want) {
		t.Errorf("%+v, %v", blocks, err)
	}
	if out := s.output(s.base, "search", "link", "warfarin"); !strings.Contains(out, "elsewhere") || strings.Contains(out, "visit") {
		t.Errorf("by the link: %s", out)
	}
	if out := s.output(s.base, "search", s.real, "warfarin"); !strings.Contains(out, "visit") || strings.Contains(out, "elsewhere") {
		t.Errorf("by the path: %s", out)
	}
}

// TestComposedPathOfSearch checks that --path accepts both Unicode normalisations of a name.
func TestComposedPathOfSearch(t *testing.T) {
	t.Parallel()
	s := newSpelled(t)
	s.save(norm.NFD.String("café.md"), "A decomposed note on cinnamon")
	s.save(norm.NFC.String("が.md"), "A composed note on cinnamon")
	for glob, want := range map[string]string{"café.md": "decomposed", "café*": "decomposed", "が.md": "A composed"} {
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			if out := s.output(s.base, "search", s.real, "cinnamon", "--path", form.String(glob)); strings.Count(out, "cinnamon") != 1 || !strings.Contains(out, want+" note") {
				t.Errorf("--path %+q: %s", form.String(glob), out)
			}
		}
	}
}
