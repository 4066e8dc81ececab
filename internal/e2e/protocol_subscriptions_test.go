package e2e

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vademecum/docs"
)

// follower is a client of a server that has just started, in an older or the newest protocol
// version.
type follower struct {
	*host
	dir    string
	modern bool
	heard  []serverMessage
}

func newFollower(t *testing.T, dir, file string, modern bool) *follower {
	t.Helper()
	f := &follower{host: newHost(t, dir, "--index", file), dir: dir, modern: modern}
	if !modern {
		f.initialize()
	}
	return f
}

// ask returns an answer, and keeps notifications that arrive before it.
func (f *follower) ask(method, params string) serverMessage {
	f.t.Helper()
	defer f.endAfter(longestCall)()
	f.send(method, params)
	for {
		m := f.read()
		if string(m.ID) == strconv.Itoa(f.next) {
			return m
		}
		f.heard = append(f.heard, m)
	}
}

func (f *follower) send(method, params string) {
	f.t.Helper()
	f.next++
	if f.modern {
		params = strings.TrimSuffix(params, "}") + `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`
	}
	f.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, f.next, method, params))
}

func (f *follower) uri(name string) string {
	path, fragment, _ := strings.Cut(name, "#")
	return strings.TrimSuffix(docs.FileURI(filepath.Join(f.dir, path))+"#"+fragment, "#")
}

// readDoc reads a document that may not be there.
func (f *follower) readDoc(name string) {
	f.ask("resources/read", fmt.Sprintf(`{"uri":%q}`, f.uri(name)))
}

func (f *follower) subscribe(names ...string) {
	f.t.Helper()
	var uris []string
	for _, name := range names {
		uris = append(uris, strconv.Quote(f.uri(name)))
	}
	if f.modern {
		f.send("subscriptions/listen", `{"notifications":{"resourceSubscriptions":[`+strings.Join(uris, ",")+`]}}`)
		f.await("notifications/subscriptions/acknowledged", "")
		return
	}
	for _, uri := range uris {
		if m := f.ask("resources/subscribe", `{"uri":`+uri+`}`); m.Error != nil {
			f.t.Fatal(m.Error.Message)
		}
	}
}

// await reads messages until a notification with a method contains a text.
func (f *follower) await(method, of string) {
	f.t.Helper()
	defer f.endAfter(longestWait)()
	for {
		for i, m := range f.heard {
			if m.Method == method && strings.Contains(string(m.Params), of) {
				f.heard = slices.Delete(f.heard, i, i+1)
				return
			}
		}
		f.heard = append(f.heard, f.read())
	}
}

func (f *follower) told(name string) {
	f.t.Helper()
	f.await("notifications/resources/updated", f.uri(name))
}

// toldNoMore fails if there is another notification about a document before that about the fence,
// the document that is changed last.
func (f *follower) toldNoMore(name string) {
	f.t.Helper()
	f.save("fence.md", rand.Text())
	f.told("fence.md")
	for _, m := range f.heard {
		if m.Method == "notifications/resources/updated" && strings.Contains(string(m.Params), f.uri(name)) {
			f.t.Errorf("%s is told twice", name)
		}
	}
}

// save replaces a file in one step: while a file is being written, its beginning may
// cause a notification, too.
func (f *follower) save(name, text string) {
	f.t.Helper()
	written := filepath.Join(f.t.TempDir(), name)
	if err := os.WriteFile(written, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Rename(written, filepath.Join(f.dir, name)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *follower) remove(name string) {
	f.t.Helper()
	if err := os.Remove(filepath.Join(f.dir, name)); err != nil {
		f.t.Fatal(err)
	}
}

// TestFirstChangeIsTold: a client acts at once after the start, in any order, and is
// notified of each change once.
func TestFirstChangeIsTold(t *testing.T) {
	t.Parallel()
	orders := map[string]func(f *follower){
		"read, subscribe, edit": func(f *follower) {
			f.readDoc("a.md")
			f.subscribe("a.md", "fence.md")
			f.save("a.md", rand.Text())
		},
		"subscribe, edit": func(f *follower) {
			f.subscribe("fence.md", "a.md")
			f.save("a.md", rand.Text())
		},
		"read, edit, subscribe": func(f *follower) {
			f.readDoc("a.md")
			f.save("a.md", rand.Text())
			f.subscribe("a.md", "fence.md")
		},
		"subscribe, read, edit": func(f *follower) {
			f.subscribe("a.md", "fence.md")
			f.readDoc("a.md")
			f.save("a.md", rand.Text())
			f.readDoc("a.md")
		},
		"subscribe, delete, create": func(f *follower) {
			f.subscribe("a.md", "fence.md")
			f.remove("a.md")
			f.told("a.md")
			f.save("a.md", rand.Text())
		},
		"miss, subscribe, create": func(f *follower) {
			f.remove("a.md")
			f.readDoc("a.md")
			f.subscribe("a.md", "fence.md")
			f.save("a.md", rand.Text())
		},
		"a part of it": func(f *follower) {
			f.readDoc("a.md")
			f.subscribe("a.md#line=0,1", "fence.md")
			f.save("a.md", rand.Text())
		},
	}
	for name, does := range orders {
		for _, modern := range []bool{false, true} {
			for _, indexed := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, modern %t, indexed %t", name, modern, indexed), func(t *testing.T) {
					t.Parallel()
					dir, file := t.TempDir(), indexFile(t)
					f := &follower{host: &host{t: t}, dir: dir}
					f.save("a.md", rand.Text())
					f.save("fence.md", rand.Text())
					if indexed {
						if out, err := vademecum(t, "index", dir, "--index", file).CombinedOutput(); err != nil {
							t.Fatalf("%s %v", out, err)
						}
					}
					f = newFollower(t, dir, file, modern)
					does(f)
					for range 2 {
						f.told("a.md")
						f.toldNoMore("a.md")
						f.save("a.md", rand.Text())
					}
				})
			}
		}
	}
}

// TestListChangedIsForThoseWhoListed checks that only clients that have listed the resources are
// notified of changes of the list, and not before they have sent initialized.
func TestListChangedIsForThoseWhoListed(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 5)
	f := &follower{host: newHost(t, dir, "--index", indexFile(t)), dir: dir}
	const listChanged = "notifications/resources/list_changed"
	heard := func(when string) {
		t.Helper()
		for _, m := range f.heard {
			if m.Method == listChanged {
				t.Errorf("told %s", when)
			}
		}
	}
	// The fence is reported in the same look at the documents, or later.
	change := func(name string) {
		f.save(name, "A new note.")
		f.save("fence.md", rand.Text())
		f.told("fence.md")
	}
	f.save("fence.md", rand.Text())
	if m := f.ask("initialize", initialize); m.Error != nil {
		t.Fatal(m.Error)
	}
	f.ask("resources/list", `{}`)
	f.save("one.md", "A new note.")
	for !strings.Contains(string(f.ask("tools/call", `{"name":"list_docs","arguments":{"path":"one.md"}}`).Result), "one.md") {
	}
	f.ask("resources/subscribe", fmt.Sprintf(`{"uri":%q}`, f.uri("fence.md")))
	heard("before it is initialized")
	f.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	f.await(listChanged, "")
	change("two.md")
	f.await(listChanged, "")

	f = newFollower(t, dir, indexFile(t), false)
	f.subscribe("fence.md")
	change("three.md")
	change("four.md")
	heard("although nothing was listed")
	f.ask("resources/list", `{}`)
	change("five.md")
	f.await(listChanged, "")
	heard("twice")
}

// TestLongListFitsInTwentyPages checks a list with as many pages as Claude Code requests.
func TestLongListFitsInTwentyPages(t *testing.T) {
	t.Parallel()
	const notes = 2600
	f := newFollower(t, manyNotes(t, notes), indexFile(t), false)
	f.settle()
	listed, params := 0, `{}`
	for range 20 {
		var page struct {
			Resources  []json.RawMessage
			NextCursor string
		}
		if err := json.Unmarshal(f.ask("resources/list", params).Result, &page); err != nil {
			t.Fatal(err)
		}
		listed += len(page.Resources)
		if page.NextCursor == "" {
			break
		}
		params = fmt.Sprintf(`{"cursor":%q}`, page.NextCursor)
	}
	if listed != notes {
		t.Errorf("20 pages show %d of %d documents", listed, notes)
	}
}
