package hosts

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// linux returns a Linux machine with an empty home directory.
func linux(t *testing.T) Machine { return machines(t.TempDir())[0] }

func write(t *testing.T, path string, raw []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, raw, 0o644)); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// install adds a server to the file of a host, and returns the content of the file.
func install(t *testing.T, m Machine, h Host, s Server) string {
	t.Helper()
	edit, err := h.PlanAddEdit(m, s)
	if err == nil {
		err = edit.apply()
	}
	if err != nil {
		t.Fatal(err)
	}
	return content(t, h.ConfigFile(m))
}

func uninstall(t *testing.T, m Machine, h Host) {
	t.Helper()
	uninstallName(t, m, h, "vademecum")
}

func uninstallName(t *testing.T, m Machine, h Host, name string) {
	t.Helper()
	edit, err := h.planRemoveEdit(m, name)
	if err == nil {
		err = edit.apply()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// servers returns the servers in the file of a host, by name.
func servers(t *testing.T, m Machine, h Host) map[string]map[string]any {
	t.Helper()
	text, _ := decode([]byte(content(t, h.ConfigFile(m))))
	v, err := h.format.parse(text)
	if err != nil {
		t.Fatal(err)
	}
	found, _ := lookup(v, []string{h.key})
	return serversByName(found)
}

// TestInstallAndUninstall checks on each system that the file is created with its folder, readable
// only by its owner, that a second install changes nothing, and that uninstall removes both.
func TestInstallAndUninstall(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		for _, m := range machines(t.TempDir()) {
			m.HomeDir = filepath.Join(m.HomeDir, m.GOOS)
			first := install(t, m, h, notes)
			if info, err := os.Stat(h.ConfigFile(m)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", m.GOOS, info.Mode(), err)
			}
			edit, err := h.PlanAddEdit(m, notes)
			if err != nil || edit.HasChanges() || edit.Diff() != "" {
				t.Errorf("%s: the second time changes something: %v\n%s", m.GOOS, err, edit.Diff())
			}
			installed, err := h.EntriesOfThisProgram(m, "vademecum")
			if err != nil || len(installed) != 1 || installed[0].Name != "vademecum" || installed[0].Program != notes.Program || !reflect.DeepEqual(installed[0].Args, notes.Args) {
				t.Errorf("%s: %+v, %v", m.GOOS, installed, err)
			}
			if second := install(t, m, h, both); second == first {
				t.Errorf("%s: other folders change nothing", m.GOOS)
			}
			if third := install(t, m, h, notes); h.ID != "gemini" && third != first {
				t.Errorf("%s: the first folder again makes\n%s\nand not\n%s", m.GOOS, third, first)
			}
			uninstall(t, m, h)
			if _, err := os.Stat(h.ConfigFile(m)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: the file is still there: %v", m.GOOS, err)
			}
			uninstall(t, m, h)
		}
	})
}

// files returns contents that the file of a host may have, which install and uninstall must
// restore.
func files(h Host) map[string][]byte {
	lf := foreign(h)
	crlf := bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))
	all := map[string][]byte{
		"empty": {}, "blank": []byte("\n \n"), "foreign": lf, "CRLF": crlf,
		"BOM": append(bytes.Clone(utf8BOM), lf...), "BOM and CRLF": append(bytes.Clone(utf8BOM), crlf...),
		"no last line break": bytes.TrimRight(lf, "\n"),
	}
	maps.DeleteFunc(all, func(_ string, text []byte) bool { return h.strictReadError(text) != nil })
	return all
}

// TestRestored checks that the mode, byte order mark and line breaks of a file are kept, that a
// backup is made, and that uninstall restores the file byte for byte.
func TestRestored(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		for name, before := range files(h) {
			m := linux(t)
			write(t, h.ConfigFile(m), before)
			after := install(t, m, h, notes)
			install(t, m, h, both)
			info, err := os.Stat(h.ConfigFile(m))
			if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
				t.Errorf("%s: %v, %v", name, info, err)
			}
			if bytes.HasPrefix(before, utf8BOM) != strings.HasPrefix(after, string(utf8BOM)) {
				t.Errorf("%s: the byte order mark: %q", name, after)
			}
			if crlf := bytes.Contains(before, []byte("\r\n")); crlf && strings.Count(after, "\n") != strings.Count(after, "\r\n") || !crlf && strings.Contains(after, "\r") {
				t.Errorf("%s: the line breaks: %q", name, after)
			}
			if kept := content(t, h.ConfigFile(m)+afterBackup); kept != string(before) {
				t.Errorf("%s: kept is %q", name, kept)
			}
			uninstall(t, m, h)
			if restored := content(t, h.ConfigFile(m)); restored != string(before) {
				t.Errorf("%s: restored is\n%s\nand not\n%s", name, restored, before)
			}
			if exists(h.ConfigFile(m) + afterBackup) {
				t.Errorf("%s: the backup is still there", name)
			}
		}
	})
}

// TestRestoredWithoutBackup checks that uninstall leaves nothing of an entry in the file, even
// without the backup.
func TestRestoredWithoutBackup(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		write(t, h.ConfigFile(m), foreign(h))
		install(t, m, h, both)
		if err := os.Remove(h.ConfigFile(m) + afterBackup); err != nil {
			t.Fatal(err)
		}
		uninstall(t, m, h)
		if restored := content(t, h.ConfigFile(m)); restored != string(foreign(h)) {
			t.Errorf("restored is\n%s\nand not\n%s", restored, foreign(h))
		}
	})
}

// TestChangedMeanwhile checks that changes by the user after the installation are kept, and older
// content is not restored.
func TestChangedMeanwhile(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		write(t, h.ConfigFile(m), foreign(h))
		changed := strings.ReplaceAll(install(t, m, h, notes), "npx", "uvx")
		write(t, h.ConfigFile(m), []byte(changed))
		uninstall(t, m, h)
		if want := strings.ReplaceAll(string(foreign(h)), "npx", "uvx"); content(t, h.ConfigFile(m)) != want {
			t.Errorf("left is\n%s\nand not\n%s", content(t, h.ConfigFile(m)), want)
		}
		if content(t, h.ConfigFile(m)+afterBackup) != string(foreign(h)) {
			t.Error("the backup is another")
		}
	})
}

// TestOwnSettings checks that settings that the user has added to an entry are kept when another
// folder is installed.
func TestOwnSettings(t *testing.T) {
	for name, set := range map[string]string{"cursor": `"env": {"A": "1"}, "disabledTools": ["index_docs"],`, "gemini": `"env": {"A": "$A"},`, "codex": "startup_timeout_sec = 30\n", "goose": "    bundled: false\n"} {
		h, _ := FindHost(name)
		m := linux(t)
		text := install(t, m, h, notes)
		head, line, _ := strings.Cut(text, "vademecum")
		rest, tail, _ := strings.Cut(line, "\n")
		write(t, h.ConfigFile(m), []byte(head+"vademecum"+rest+"\n"+set+tail))
		install(t, m, h, both)
		entry := servers(t, m, h)["vademecum"]
		installed, err := h.EntriesOfThisProgram(m, "")
		if err != nil || len(installed) != 1 || !reflect.DeepEqual(installed[0].Args, both.Args) {
			t.Errorf("%s: %+v, %v", name, installed, err)
		}
		if env, ok := entry["env"].(map[string]any); ok && env["A"] == nil {
			t.Errorf("%s: the environment is %v", name, env)
		}
		for _, field := range []string{"env", "disabledTools", "startup_timeout_sec", "bundled"} {
			if _, ok := entry[field]; ok != strings.Contains(set, field) {
				t.Errorf("%s: %s in %v: %v", name, field, entry, ok)
			}
		}
	}
}

// TestURLInsteadOfFolder checks that an entry that changes from a folder to a URL, or back, keeps
// no field of the other form.
func TestURLInsteadOfFolder(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		local := install(t, m, h, notes)
		remote := install(t, m, h, away)
		if strings.Contains(remote, notes.Program) != h.SupportsOnlyStdio() || strings.Contains(remote, notes.Args[1]) || install(t, m, h, notes) != local {
			t.Errorf("from\n%s\nto\n%s\nand back to\n%s", local, remote, content(t, h.ConfigFile(m)))
		}
	})
}

// TestNames checks names of servers that have a meaning in a format.
func TestNames(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		for _, name := range []string{"123", "true", "-", "null", "1e3"} {
			s := notes
			s.EntryName = name
			install(t, m, h, s)
			if _, ok := servers(t, m, h)[name]; !ok {
				t.Errorf("%s is not in\n%s", name, content(t, h.ConfigFile(m)))
			}
		}
	})
}

// TestRefused checks that a file that cannot be edited safely is left unchanged.
func TestRefused(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		broken := map[format]string{
			jsonFormat{}: `{"KEY": {"other": {"command": "npx"}`, tomlFormat{}: "[KEY\n", yamlFormat{}: "KEY: {a: b\n", yamlFormat{list: true}: "KEY: [a\n",
		}[h.format]
		twice := map[format]string{
			jsonFormat{}: `{"KEY": {}, "KEY": {}}`, tomlFormat{}: "[KEY.a]\n[KEY.a]\n", yamlFormat{}: "KEY: {}\nKEY: {}\n", yamlFormat{list: true}: "a: 1\n---\nb: 1\n",
		}[h.format]
		other := map[format]string{
			jsonFormat{}: `{"KEY": ["a"]}`, tomlFormat{}: "KEY = { a = { command = 'b' } }\n", yamlFormat{}: "KEY: {a: {cmd: b}}\n", yamlFormat{list: true}: "KEY: [{name: b}]\n",
		}[h.format]
		for _, text := range []string{broken, twice, other, strings.Repeat("[", deepest+1), "\x00"} {
			m := linux(t)
			text = strings.ReplaceAll(text, "KEY", h.key)
			write(t, h.ConfigFile(m), []byte(text))
			refusedBy(t, m, h)
			if content(t, h.ConfigFile(m)) != text || exists(h.ConfigFile(m)+afterBackup) {
				t.Errorf("%.40q was changed", text)
			}
		}
	})
}

// TestTooDeep checks that deeply nested files are refused, as they would overflow the stack of a
// parser.
func TestTooDeep(t *testing.T) {
	for text, want := range map[string]bool{strings.Repeat("[", deepest+1): true, strings.Repeat("[]", deepest+1): false, strings.Repeat("]", 9) + strings.Repeat("{", deepest+1): true} {
		if got := isTooDeep([]byte(text)); got != want {
			t.Errorf("%.20s: %v", text, got)
		}
	}
	h, _ := FindHost("cursor")
	m := linux(t)
	write(t, h.ConfigFile(m), []byte(`{"a": `+strings.Repeat("[", deepest)+strings.Repeat("]", deepest)+"}"))
	if _, err := h.PlanAddEdit(m, notes); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Error(err)
	}
}

// careless is a format whose edits return a given text.
type careless struct {
	format
	becomes string
}

func (c careless) put([]byte, []string, configEntry) ([]byte, error) { return []byte(c.becomes), nil }
func (c careless) remove([]byte, []string) ([]byte, error)           { return []byte(c.becomes), nil }

// TestChangeIsChecked checks that an edit that changes more than the entry is not written.
func TestChangeIsChecked(t *testing.T) {
	const before = `{"servers": {"other": 1, "ours": {"a": "0"}}}`
	path, entry := []string{"servers", "ours"}, configEntry{{"a", "b"}}
	for _, c := range []struct {
		entry   configEntry
		becomes string
		good    bool
	}{
		{entry, `{"servers": {"other": 1, "ours": {"a": "b"}}}`, true},
		{entry, `{"servers": {"other": 2, "ours": {"a": "b"}}}`, false},
		{entry, `{"servers": {"ours": {"a": "b"}}}`, false},
		{entry, `{"servers": {"other": 1, "ours": {"a": "b"}}, "more": 1}`, false},
		{entry, `{"servers": {"other": 1, "ours": {"a": "c"}}}`, false},
		{entry, `{"servers": {"other": 1}}`, false},
		{entry, `{"servers": `, false},
		{nil, `{"servers": {"other": 1}}`, true},
		{nil, before, false},
		{nil, `{}`, false},
	} {
		if _, err := editText(careless{jsonFormat{}, c.becomes}, []byte(before), path, c.entry); (err == nil) != c.good {
			t.Errorf("%s: %v", c.becomes, err)
		}
	}
}

// TestReplacedIsKept checks that the file as it was before an entry was replaced is kept, even
// beside an older backup or without one, and deleted by uninstall.
func TestReplacedIsKept(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		for _, before := range [][]byte{nil, foreign(h)} {
			m := linux(t)
			if before != nil {
				write(t, h.ConfigFile(m), before)
			}
			first := install(t, m, h, notes)
			if exists(h.ConfigFile(m) + afterReplaced) {
				t.Error("nothing was replaced")
			}
			edit, err := h.PlanAddEdit(m, both)
			if was := edit.ReplacedEntry(); err != nil || edit.IsNewEntry() || was.Name != "vademecum" || was.Program != notes.Program || !slices.Equal(was.Args, notes.Args) || was.URL != "" {
				t.Errorf("it was %+v, %v", was, err)
			}
			second := install(t, m, h, both)
			if kept := content(t, h.ConfigFile(m)+afterReplaced); kept != first {
				t.Errorf("kept is\n%s\nand not\n%s", kept, first)
			}
			install(t, m, h, both) // this changes nothing
			install(t, m, h, away)
			if kept := content(t, h.ConfigFile(m)+afterReplaced); kept != second {
				t.Errorf("kept is\n%s\nand not\n%s", kept, second)
			}
			uninstall(t, m, h)
			if exists(h.ConfigFile(m) + afterReplaced) {
				t.Error("it is still there")
			}
		}
	})
}

// TestReplacedGoesWithTheLast checks that the copy of a replaced file is deleted with the last
// entry of the program, even if others were changed by hand or the host has removed the entry.
func TestReplacedGoesWithTheLast(t *testing.T) {
	second := notes
	second.EntryName = "more"
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		write(t, h.ConfigFile(m), foreign(h))
		for _, s := range []Server{notes, both, second} {
			install(t, m, h, s)
		}
		write(t, h.ConfigFile(m), []byte(strings.ReplaceAll(content(t, h.ConfigFile(m)), "npx", "uvx")))
		uninstall(t, m, h)
		if !exists(h.ConfigFile(m) + afterReplaced) {
			t.Error("another entry is there, and what was replaced is not")
		}
		uninstallName(t, m, h, second.EntryName)
		if exists(h.ConfigFile(m) + afterReplaced) {
			t.Error("it is still there")
		}
		write(t, h.ConfigFile(m)+afterReplaced, foreign(h))
		uninstall(t, m, h)
		if exists(h.ConfigFile(m) + afterReplaced) {
			t.Error("it is still there after the host's own command")
		}
	})
}

// TestTakenOut checks that everything around an entry is kept, including comments.
func TestTakenOut(t *testing.T) {
	for _, c := range []struct {
		format        format
		before, after string
	}{
		{jsonFormat{}, "{\"K\": {\n  \"a\": 1, // a\n  \"E\": {}, // of E\n  \"b\": 2,\n}}", "{\"K\": {\n  \"a\": 1, // a\n // of E\n  \"b\": 2,\n}}"},
		{jsonFormat{}, "{\"K\": {\n  \"a\": 1,\n  \"E\": {},\n}}", "{\"K\": {\n  \"a\": 1,\n}}"},
		{jsonFormat{}, "{\"K\": {\n  \"a\": 1,\n  \"E\": {}\n}}", "{\"K\": {\n  \"a\": 1\n}}"},
		{jsonFormat{}, "{\"a\": 1, \"K\": {\"E\": {}}}", "{\"a\": 1}"},
		{jsonFormat{}, "{\"K\": { // mine\n\"E\": {}}}", "{\"K\": { // mine\n}}"},
		{jsonFormat{}, "{\"K\": {// mine\n\"E\": {}, \"b\": 1}}", "{\"K\": {// mine\n \"b\": 1}}"},
		{tomlFormat{}, "# a\n[K.E]\nb = 1\n\n[K.E.env]\nA = ''\n\n# c\n[c]\n", "# a\n\n# c\n[c]\n"},
		{tomlFormat{}, "a = 1\n\n[K.E]\nb = 1\n", "a = 1\n"},
		{yamlFormat{}, "a: 1\nK:\n  E:\n    b: 1\n# c\nc: 1\n", "a: 1\n# c\nc: 1\n"},
		{yamlFormat{}, "K: # k\n  E:\n    b: 1\n", "K: {} # k\n"},
		{yamlFormat{list: true}, "K:\n- name: a\n- name: E\n  b: 1\n# c\n- name: c\n", "K:\n- name: a\n# c\n- name: c\n"},
		{yamlFormat{list: true}, "K:\n  # mine\n  - name: E\n", "K: []\n  # mine\n"},
	} {
		after, err := editText(c.format, []byte(c.before), []string{"K", "E"}, nil)
		if err != nil || string(after) != c.after {
			t.Errorf("%s\nbecomes\n%s\nand not\n%s\n%v", c.before, after, c.after, err)
		}
	}
}

func refusedBy(t *testing.T, m Machine, h Host) {
	t.Helper()
	edit, err := h.PlanAddEdit(m, notes)
	if err == nil {
		err = edit.apply()
	}
	if refusal := new(EditRefusedError); !errors.As(err, &refusal) || refusal.File != h.ConfigFile(m) {
		t.Errorf("%v", err)
	}
}

func TestReadOnly(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		write(t, h.ConfigFile(m), foreign(h))
		if err := os.Chmod(h.ConfigFile(m), 0o444); err != nil {
			t.Fatal(err)
		}
		refusedBy(t, m, h)
		if content(t, h.ConfigFile(m)) != string(foreign(h)) || exists(h.ConfigFile(m)+afterBackup) {
			t.Error("it was changed")
		}
	})
}

// TestLink checks that a symbolic link is kept, and its target changed.
func TestLink(t *testing.T) {
	withFile(t, func(t *testing.T, h Host) {
		m := linux(t)
		real := filepath.Join(m.HomeDir, "dotfiles", "settings")
		write(t, real, foreign(h))
		if err := os.MkdirAll(filepath.Dir(h.ConfigFile(m)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(real, h.ConfigFile(m)); err != nil {
			t.Skip(err) // on Windows, creating a link requires a privilege
		}
		install(t, m, h, notes)
		if content(t, real) == string(foreign(h)) {
			t.Error("the file behind the link is not changed")
		}
		uninstall(t, m, h)
		if info, err := os.Lstat(h.ConfigFile(m)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%v, %v", info, err)
		}
		if content(t, real) != string(foreign(h)) {
			t.Error("the file behind the link is not restored")
		}
		if err := os.Remove(real); err != nil {
			t.Fatal(err)
		}
		refusedBy(t, m, h)
	})
}

// TestWrittenMeanwhile checks that what another program writes between reading and writing is not
// lost.
func TestWrittenMeanwhile(t *testing.T) {
	h, _ := FindHost("cursor")
	m := linux(t)
	write(t, h.ConfigFile(m), []byte("{}"))
	edit, err := h.PlanAddEdit(m, notes)
	if err != nil {
		t.Fatal(err)
	}
	write(t, h.ConfigFile(m), []byte(`{"a": 1}`))
	if err := edit.apply(); !errors.As(err, new(*EditRefusedError)) || content(t, h.ConfigFile(m)) != `{"a": 1}` {
		t.Errorf("%v: %s", err, content(t, h.ConfigFile(m)))
	}
}

// TestBackupHasEntry checks that an entry that existed before the first installation is not
// restored by uninstall.
func TestBackupHasEntry(t *testing.T) {
	h, _ := FindHost("cursor")
	m := linux(t)
	write(t, h.ConfigFile(m), []byte(`{"mcpServers": {"vademecum": {"command": "old"}}}`))
	install(t, m, h, notes)
	uninstall(t, m, h)
	if left := content(t, h.ConfigFile(m)); strings.Contains(left, "vademecum") {
		t.Error(left)
	}
}

// TestNoOlderConfiguration checks that no new file of Continue is created that would hide its older
// one.
func TestNoOlderConfiguration(t *testing.T) {
	h, _ := FindHost("continue")
	m := linux(t)
	write(t, filepath.Join(m.HomeDir, ".continue", "config.json"), []byte("{}"))
	refusedBy(t, m, h)
	if exists(h.ConfigFile(m)) {
		t.Error("the file was made")
	}
}

// TestFolderIsRemoved checks that a folder created for the file is removed with it, unless it
// contains something else or is a link.
func TestFolderIsRemoved(t *testing.T) {
	h, _ := FindHost("claude-desktop")
	m := linux(t)
	folder := filepath.Dir(h.ConfigFile(m))
	install(t, m, h, notes)
	uninstall(t, m, h)
	if exists(folder) {
		t.Error("the folder is still there")
	}
	install(t, m, h, notes)
	write(t, filepath.Join(folder, "other"), nil)
	uninstall(t, m, h)
	if !exists(filepath.Join(folder, "other")) || exists(h.ConfigFile(m)) {
		t.Error("something else is gone, or the file is not")
	}
	inHome, _ := FindHost("claude-code")
	m = linux(t)
	install(t, m, inHome, notes)
	uninstall(t, m, inHome)
	if !exists(m.HomeDir) {
		t.Error("the home folder is gone")
	}
}

// TestHadOther checks that an entry of the same name in the backup is reported.
func TestHadOther(t *testing.T) {
	h, _ := FindHost("cursor")
	for text, had := range map[string]bool{
		`{"mcpServers": {"vademecum": {"command": "mine"}}}`: true,
		`{"mcpServers": {"other": {"command": "mine"}}}`:     false,
	} {
		m := linux(t)
		write(t, h.ConfigFile(m), []byte(text))
		install(t, m, h, notes)
		edit, err := h.planRemoveEdit(m, "vademecum")
		if err != nil || edit.BackupHasEntry() != had {
			t.Errorf("%s: %v, %v", text, edit.BackupHasEntry(), err)
		}
	}
}
