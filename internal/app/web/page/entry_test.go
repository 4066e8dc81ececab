package page

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vademecum/internal/app/hosts"
)

// ownMachine returns a site for the owner of a machine whose home directory contains files. change,
// if not nil, changes the options.
func ownMachine(t *testing.T, files map[string]string, change func(*Options)) (s *site, home string) {
	t.Helper()
	home = t.TempDir()
	for name, text := range files {
		file := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	none := func(string) string { return "" }
	return open(t, notes, func(o *Options) {
		o.Machine = &hosts.Machine{GOOS: "linux", HomeDir: home, EnvironmentVariable: none, FindCommand: none}
		o.IsOwner = func(*http.Request) bool { return true }
		if change != nil {
			change(o)
		}
	}), home
}

// form returns the form of a button on a page for a host; nil if there is none.
func form(t *testing.T, page, host, do string) url.Values {
	t.Helper()
	var found url.Values
	elements(t, page, func(n *html.Node, a map[string]string) {
		if n.Data != "form" || a["action"] != "/add" || a["method"] != "post" {
			return
		}
		values := url.Values{}
		for c := range n.Descendants() {
			name, value := "", ""
			for _, at := range c.Attr {
				switch at.Key {
				case "name":
					name = at.Val
				case "value":
					value = at.Val
				}
			}
			if c.Data == "input" {
				values.Set(name, value)
			}
		}
		if values.Get("host") == host && values.Get("do") == do {
			found = values
		}
	})
	return found
}

func holds(t *testing.T, file, want string) {
	t.Helper()
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s holds %v\n%s\nwant\n%s", file, err, got, want)
	}
}

const cursorFile = "{\n  // mine\n  \"mcpServers\": {\"other\": {\"command\": \"x\", \"env\": {\"K\": \"<b>\"}}}\n}\n"

// TestAddByClick checks that the page shows the file of a host and the change, that one form adds
// the entry, another restores the file byte for byte, and that repeating a form changes nothing.
func TestAddByClick(t *testing.T) {
	s, home := ownMachine(t, map[string]string{".cursor/mcp.json": cursorFile}, nil)
	file := filepath.Join(home, ".cursor", "mcp.json")
	page := s.get("/add")
	for _, want := range []string{file, "not found on this machine", `<ins>&#43;`, s.dir, "&lt;b&gt;", "does not have them yet", `id="host-cursor" open`, "This file is changed:"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	add := form(t, page, "cursor", "add")
	if add == nil || form(t, page, "cursor", "undo") != nil {
		t.Fatalf("the forms are others:\n%s", page)
	}
	holds(t, file, cursorFile)
	for range 2 {
		w := s.send(http.MethodPost, "/add", add)
		if to := w.Header().Get("Location"); w.Code != http.StatusSeeOther || to != "/add?did=add&host=cursor#host-cursor" {
			t.Fatalf("%d to %s\n%s", w.Code, to, w.Body)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(got, []byte(s.dir)) || !bytes.Contains(got, []byte("// mine")) || bytes.Count(got, []byte("vademecum")) < 1 {
		t.Errorf("%v\n%s", err, got)
	}
	holds(t, file+".before-vademecum", cursorFile)
	page = s.get("/add?did=add&host=cursor")
	undo := form(t, page, "cursor", "undo")
	if !strings.Contains(page, "Cursor has these documents now.") || undo == nil || form(t, page, "cursor", "add") != nil {
		t.Fatalf("it does not say that it is done:\n%s", page)
	}
	for range 2 {
		if w := s.send(http.MethodPost, "/add", undo); w.Code != http.StatusSeeOther {
			t.Fatalf("%d\n%s", w.Code, w.Body)
		}
	}
	holds(t, file, cursorFile)
	if page = s.get("/add?did=undo&host=cursor"); !strings.Contains(page, "Cursor is as it was") || form(t, page, "cursor", "add") == nil {
		t.Errorf("it does not say that it is undone:\n%s", page)
	}
	if page = s.get("/add?did=add&host=cursor"); strings.Contains(page, "these documents now") {
		t.Errorf("a link says what is not so:\n%s", page)
	}
	if page = s.get("/add", "Accept-Language", "zh"); !strings.Contains(page, ">接入</button>") || !strings.Contains(page, "尚未接入") {
		t.Errorf("not in Chinese:\n%s", page)
	}
}

// TestAddToOtherEntry checks that an entry for other folders gets these folders as well if that is
// possible and otherwise is replaced, and that undoing restores the previous entry even if the file
// has changed elsewhere.
func TestAddToOtherEntry(t *testing.T) {
	const before = `{"mcpServers": {"vademecum": {"command": "/bin/vademecum", "args": ["serve", "/elsewhere"]}}}`
	for says, merge := range map[string]func(hosts.InstalledEntry, []string) []string{
		"to which these are added": func(entry hosts.InstalledEntry, args []string) []string {
			return append([]string{"serve", "/elsewhere"}, args[1:]...)
		},
		"which is replaced": func(hosts.InstalledEntry, []string) []string { return nil },
	} {
		for _, isChanged := range []bool{false, true} {
			s, home := ownMachine(t, map[string]string{".cursor/mcp.json": before}, func(o *Options) { o.MergeEntry = merge })
			file := filepath.Join(home, ".cursor", "mcp.json")
			page := s.get("/add")
			if !strings.Contains(page, says) {
				t.Errorf("no %q in\n%s", says, page)
			}
			if w := s.send(http.MethodPost, "/add", form(t, page, "cursor", "add")); w.Code != http.StatusSeeOther {
				t.Fatalf("%d\n%s", w.Code, w.Body)
			}
			now, err := os.ReadFile(file)
			if err != nil || !bytes.Contains(now, []byte(s.dir)) || bytes.Contains(now, []byte("/elsewhere")) != (merge(hosts.InstalledEntry{}, []string{"serve"}) != nil) {
				t.Errorf("%s: %v\n%s", says, err, now)
			}
			want := before
			if isChanged {
				other := `{"other": {"command": "x"}, "vademecum"`
				want = strings.Replace(before, `{"vademecum"`, other, 1)
				if err := os.WriteFile(file, bytes.Replace(now, []byte(`{"vademecum"`), []byte(other), 1), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if w := s.send(http.MethodPost, "/add", form(t, s.get("/add"), "cursor", "undo")); w.Code != http.StatusSeeOther {
				t.Fatalf("%d\n%s", w.Code, w.Body)
			}
			if isChanged {
				got, err := os.ReadFile(file)
				squeeze := func(text string) string { return strings.Join(strings.Fields(text), "") }
				if err != nil || squeeze(string(got)) != squeeze(want) {
					t.Errorf("%s, changed since: %v\n%s", says, err, got)
				}
				continue
			}
			holds(t, file, want)
		}
	}
}

// TestAddAttacked checks that nothing is changed by a visitor who is not known to be the owner or
// uses another machine, by a page of another origin, without the change having been shown, with
// another method, or if the file has changed meanwhile.
func TestAddAttacked(t *testing.T) {
	files := map[string]string{".cursor/mcp.json": cursorFile}
	s, home := ownMachine(t, files, nil)
	file := filepath.Join(home, ".cursor", "mcp.json")
	add := form(t, s.get("/add"), "cursor", "add")
	other := url.Values{"host": {"lm-studio"}, "do": add["do"], "key": add["key"]}
	undo := url.Values{"host": add["host"], "do": {"undo"}, "key": add["key"]}
	for name, tried := range map[string]struct {
		form   url.Values
		header []string
		want   int
	}{
		"another origin":       {add, []string{"Origin", "https://evil.example.com"}, http.StatusForbidden},
		"another port":         {add, []string{"Origin", "http://localhost:3000"}, http.StatusForbidden},
		"a hidden origin":      {add, []string{"Origin", "null"}, http.StatusForbidden},
		"another site":         {add, []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		"another port by site": {add, []string{"Sec-Fetch-Site", "same-site"}, http.StatusForbidden},
		"through a proxy":      {add, []string{"X-Forwarded-For", "192.0.2.7"}, http.StatusForbidden},
		"without a key":        {url.Values{"host": add["host"], "do": add["do"]}, nil, http.StatusConflict},
		"of another change":    {other, nil, http.StatusConflict},
		"with a wrong key":     {url.Values{"host": add["host"], "do": add["do"], "key": {strings.Repeat("0", 64)}}, nil, http.StatusConflict},
		"another deed":         {url.Values{"host": add["host"], "do": {"both"}, "key": add["key"]}, nil, http.StatusBadRequest},
		"an unknown host":      {url.Values{"host": {"../../x"}, "do": add["do"], "key": add["key"]}, nil, http.StatusBadRequest},
		"nothing":              {nil, nil, http.StatusBadRequest},
		"what is not there":    {undo, nil, http.StatusSeeOther},
	} {
		if w := s.send(http.MethodPost, "/add", tried.form, tried.header...); w.Code != tried.want {
			t.Errorf("%s: %d, want %d\n%s", name, w.Code, tried.want, w.Body)
		}
		holds(t, file, cursorFile)
	}
	if w := s.send(http.MethodGet, "/add?"+add.Encode(), nil); w.Code != http.StatusOK {
		t.Errorf("GET: %d", w.Code)
	}
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch} {
		if w := s.send(method, "/add?"+add.Encode(), nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
	holds(t, file, cursorFile)

	changed := strings.Replace(cursorFile, "mine", "another's", 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	w := s.send(http.MethodPost, "/add", add)
	if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "no longer what the page showed") || !strings.Contains(w.Body.String(), "another&#39;s") {
		t.Errorf("changed meanwhile: %d\n%s", w.Code, w.Body)
	}
	holds(t, file, changed)
	if w = s.send(http.MethodPost, "/add", form(t, w.Body.String(), "cursor", "add")); w.Code != http.StatusSeeOther {
		t.Errorf("as it is shown then: %d\n%s", w.Code, w.Body)
	}

	for name, change := range map[string]func(*Options){
		"not known to be the owner": func(o *Options) { o.IsOwner = func(*http.Request) bool { return false } },
		"a server for others":       func(o *Options) { o.IsForLocalUser = false },
	} {
		s, home := ownMachine(t, files, change)
		page := s.get("/add")
		if form(t, page, "cursor", "add") != nil || strings.Contains(page, "mine") || strings.Contains(page, "&lt;b&gt;") {
			t.Errorf("%s sees the file:\n%s", name, page)
		}
		if w := s.send(http.MethodPost, "/add", add); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "vademecum install") {
			t.Errorf("%s: %d\n%s", name, w.Code, w.Body)
		}
		holds(t, filepath.Join(home, ".cursor", "mcp.json"), cursorFile)
	}
}

// TestAddToDamaged checks that the page explains why a damaged file cannot be changed, and that
// other hosts can be changed nevertheless.
func TestAddToDamaged(t *testing.T) {
	s, home := ownMachine(t, map[string]string{".cursor/mcp.json": "{\"mcpServers\": [", ".lmstudio/mcp.json": "{}"}, nil)
	page := s.get("/add")
	if !strings.Contains(page, "mcp.json does not parse") || form(t, page, "cursor", "add") != nil {
		t.Errorf("a damaged file:\n%s", page)
	}
	holds(t, filepath.Join(home, ".cursor", "mcp.json"), "{\"mcpServers\": [")
	if odd, _ := ownMachine(t, map[string]string{".cursor/mcp.json": `["mcpServers"]`}, nil); form(t, odd.get("/add"), "cursor", "add") != nil {
		t.Error("a file without a place for an entry is offered to be changed")
	}
	add := form(t, page, "lm-studio", "add")
	if add == nil {
		t.Fatalf("another host cannot be changed:\n%s", page)
	}
	if w := s.send(http.MethodPost, "/add", url.Values{"host": {"cursor"}, "do": {"add"}}); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "does not parse") {
		t.Errorf("%d\n%s", w.Code, w.Body)
	}
	file := filepath.Join(home, ".lmstudio", "mcp.json")
	if err := os.Chmod(file, 0o400); err != nil {
		t.Fatal(err)
	}
	if w := s.send(http.MethodPost, "/add", add); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "it is read-only") {
		t.Errorf("a read-only file: %d\n%s", w.Code, w.Body)
	}
	holds(t, file, "{}")
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if w := s.send(http.MethodPost, "/add", add); w.Code != http.StatusSeeOther {
		t.Errorf("when it may be written: %d\n%s", w.Code, w.Body)
	}
}

// TestAddByOwnCommand checks that the host's own command is shown and run, and that the page makes
// the changes that it does not make.
func TestAddByOwnCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is a script")
	}
	bin := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\necho \"$@\" >> \"$0.log\"\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, home := ownMachine(t, map[string]string{".claude.json": "{}"}, func(o *Options) {
		o.Machine.FindCommand = func(command string) string {
			if command == "claude" {
				return bin
			}
			return ""
		}
	})
	page := s.get("/add")
	if !strings.Contains(page, bin+" mcp add") {
		t.Errorf("the command is not shown:\n%s", page)
	}
	if w := s.send(http.MethodPost, "/add", form(t, page, "claude-code", "add")); w.Code != http.StatusSeeOther {
		t.Fatalf("%d\n%s", w.Code, w.Body)
	}
	if said, err := os.ReadFile(bin + ".log"); err != nil || !strings.HasPrefix(string(said), "mcp add") {
		t.Errorf("it was not run: %s, %v", said, err)
	}
	if text, err := os.ReadFile(filepath.Join(home, ".claude.json")); err != nil || !bytes.Contains(text, []byte(s.dir)) {
		t.Errorf("%v\n%s", err, text)
	}
}
