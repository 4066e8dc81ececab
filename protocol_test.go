package main

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
	"time"

	"vademecum/docs"
)

// answers writes lines and returns what comes back, until each of the IDs, as
// JSON, is answered. Notifications are left out.
func (h *host) answers(lines string, ids ...string) map[string]message {
	h.t.Helper()
	defer h.endAfter(longestWait)()
	h.write(lines)
	all := make(map[string]message)
	for _, id := range ids {
		for all[id].ID == nil {
			if m := h.read(); m.ID != nil {
				all[string(m.ID)] = m
			}
		}
	}
	return all
}

// endAfter ends a server that says nothing for too long, unless it is called
// off.
func (h *host) endAfter(limit time.Duration) (callOff func()) {
	timer := time.AfterFunc(limit, func() { _ = h.cmd.Process.Kill() })
	return func() { timer.Stop() }
}

func (m message) code() int {
	if m.Error == nil {
		return 0
	}
	return m.Error.Code
}

// TestServeOutlivesOddMessages: each is a line that a decoder refuses, and the
// server answers what comes after it.
func TestServeOutlivesOddMessages(t *testing.T) {
	h := newHost(t, manyNotes(t, 3), "--index", indexFile(t))
	h.write("\ufeff")
	h.initialize()
	deep := func(n int) string {
		return `{"jsonrpc":"2.0","id":"odd","method":"ping","params":{"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
	}
	for line, want := range map[string]string{
		deep(1000):      `"odd"`,
		deep(1_000_000): `null`,
		`{"jsonrpc":"2.0","id":"odd","Method":"ping"}`:                            `"odd"`,
		`{"jsonrpc":"2.0","id":"odd","METHOD":"ping"}`:                            `"odd"`,
		`{"jsonRPC":"2.0","id":"odd","method":"ping"}`:                            `"odd"`,
		`{"jsonrpc":1,"jsonrpc":"2.0","id":"odd","method":"ping"}`:                `"odd"`,
		`{"jsonrpc":"2.0","id":"odd","method":null,"method":"ping"}`:              `"odd"`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                             `null`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:                              `1.5`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"odd\",\"method\":\"ping\",\"x\":\"\xff\"}": `"odd"`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"odd\",\x00\"method\":\"ping\"}":            `null`,
		`[{"jsonrpc":"2.0","id":"odd","method":"ping"}]`:                          `"odd"`,
		`[]`: `null`,
	} {
		got := h.answers(line, want)[want]
		if code := got.code(); code != -32600 && code != -32700 {
			t.Errorf("%.80q is answered with %+v", line, got)
		}
		if after := h.answers(`{"jsonrpc":"2.0","id":"after","method":"ping"}`+"\r", `"after"`); after[`"after"`].Error != nil || len(after) != 1 {
			t.Errorf("after %.80q: %+v", line, after)
		}
	}
	h.write(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`)
	h.write(`{"jsonrpc":"2.0","id":77,"result":{}}`)
	if after := h.answers(`{"jsonrpc":"2.0","id":"after","method":"ping"}`, `"after"`); len(after) != 1 {
		t.Errorf("responses are answered: %+v", after)
	}
}

// TestServeKeepsIDs: an ID comes back as it was written, and one that is in use
// is refused at once.
func TestServeKeepsIDs(t *testing.T) {
	h := newHost(t, manyNotes(t, 3), "--index", indexFile(t))
	h.initialize()
	for _, id := range []string{"9007199254740993", "-9007199254740993", "18446744073709551617", `"\ud800"`, `"a<&>b"`, `"7"`, "0"} {
		if m := h.answers(`{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`, id)[id]; m.Error != nil {
			t.Errorf("%s: %+v", id, m.Error)
		}
	}
	const stream = "9007199254740995"
	meta := func(more string) string {
		return `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}` + more
	}
	h.write(`{"jsonrpc":"2.0","id":` + stream + `,"method":"subscriptions/listen","params":{` + meta(`,"notifications":{"resourcesListChanged":true}`) + `}}`)
	opened := h.read()
	for opened.Method != "notifications/subscriptions/acknowledged" {
		opened = h.read()
	}
	if !strings.Contains(string(opened.Params), `subscriptionId":`+stream) {
		t.Errorf("the stream is named %s", opened.Params)
	}
	if m := h.answers(`{"jsonrpc":"2.0","id":`+stream+`,"method":"ping"}`, stream)[stream]; m.code() != -32600 {
		t.Errorf("an ID in use is answered with %+v", m)
	}
	h.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + stream + `}}`)
	if m := h.answers(`{"jsonrpc":"2.0","id":`+stream+`,"method":"ping"}`, stream)[stream]; m.Error != nil {
		t.Errorf("an ID that is free again is answered with %+v", m)
	}
}

// TestServeBatches: only protocol 2025-03-26 has them.
func TestServeBatches(t *testing.T) {
	dir := manyNotes(t, 3)
	h := newHost(t, dir, "--index", indexFile(t))
	if m := h.call("initialize", strings.Replace(initialize, "2025-06-18", "2025-03-26", 1)); m.Error != nil {
		t.Fatal(m.Error)
	}
	h.write(`[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","method":"notifications/initialized"}]`)
	h.write(`[{"jsonrpc":"2.0","id":"list","method":"tools/call","params":{"name":"list_docs"}},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":"ping","method":"ping"},5,{"jsonrpc":"2.0","id":"none","method":"no/such"}]`)
	if !h.lines.Scan() {
		t.Fatal("the server ended")
	}
	var all []message
	if err := json.Unmarshal(h.lines.Bytes(), &all); err != nil {
		t.Fatalf("%s: %v", h.lines.Text(), err)
	}
	got := make(map[string]int)
	for _, m := range all {
		got[string(m.ID)] = m.code()
	}
	if want := (map[string]int{`"list"`: 0, `"ping"`: 0, `"none"`: -32601, `null`: -32600}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("answered %v, want %v: %s", got, want, h.lines.Text())
	}

	later := newHost(t, dir, "--index", indexFile(t))
	later.initialize()
	answers := later.answers(`[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]`, `"a"`, `"b"`)
	if answers[`"a"`].code() != -32600 || answers[`"b"`].code() != -32600 {
		t.Errorf("2025-06-18 answers %+v", answers)
	}
}

// TestServeDoesNotAnswerTheCancelled: the protocol asks for no answer, and
// hosts take one for a fault of the server.
func TestServeDoesNotAnswerTheCancelled(t *testing.T) {
	h := newHost(t, manyNotes(t, 3000), "--index", indexFile(t))
	h.initialize()
	h.write(`{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"index_docs","arguments":{"force":true}}}`)
	h.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"long","reason":"Esc"}}`)
	after := h.answers(`{"jsonrpc":"2.0","id":"after","method":"tools/call","params":{"name":"retrieve_docs","arguments":{"query":"warfarin visit"}}}`, `"after"`)
	if m, ok := after[`"long"`]; ok || after[`"after"`].Error != nil {
		t.Errorf("answered %+v, then %+v", m, after[`"after"`].Error)
	}
	if err := h.in.Close(); err != nil {
		t.Fatal(err)
	}
	for h.lines.Scan() {
		if strings.Contains(h.lines.Text(), `"long"`) {
			t.Errorf("answered %s", h.lines.Text())
		}
	}
}

// TestErrorsHaveCodes: 0 is none.
func TestErrorsHaveCodes(t *testing.T) {
	h := newHost(t, manyNotes(t, 3), "--index", indexFile(t))
	for _, call := range []struct {
		method, params string
		code           int
	}{
		{"tools/list", `{}`, -32600}, // before initialize
		{"initialize", `7`, -32600},
		{"initialize", initialize, 0},
		{"initialize", initialize, -32600},
		{"tools/call", `{"name":7,"x":"` + strings.Repeat("long ", 10_000) + `"}`, -32602},
		{"prompts/get", `{"name":"answer_from_nothing"}`, -32602},
	} {
		m := h.call(call.method, call.params)
		if m.code() != call.code {
			t.Errorf("%s %.80s: %+v, want %d", call.method, call.params, m.Error, call.code)
		}
		if m.Error != nil && len(m.Error.Message) > 3000 {
			t.Errorf("%s: a message of %d bytes", call.method, len(m.Error.Message))
		}
	}
}

// follower is a client of a server that has just started, in one of the two
// eras of the protocol.
type follower struct {
	*host
	dir    string
	modern bool
	heard  []message
}

func newFollower(t *testing.T, dir, file string, modern bool) *follower {
	t.Helper()
	f := &follower{host: newHost(t, dir, "--index", file), dir: dir, modern: modern}
	if !modern {
		f.initialize()
	}
	return f
}

// ask is answered while notifications are kept.
func (f *follower) ask(method, params string) message {
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

// await reads until a notification comes that speaks of a text.
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

// toldNoMore fails when there is another notification of it. The fence is told
// last, as it is changed last.
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

func (f *follower) save(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *follower) remove(name string) {
	f.t.Helper()
	if err := os.Remove(filepath.Join(f.dir, name)); err != nil {
		f.t.Fatal(err)
	}
}

// TestFirstChangeIsTold: a client does what it does at once after the start,
// in each order, and hears of each change once.
func TestFirstChangeIsTold(t *testing.T) {
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

// TestListChangedIsForThoseWhoListed: and not before they have said that they
// are initialized.
func TestListChangedIsForThoseWhoListed(t *testing.T) {
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
	// The fence is told in the same look at the documents, or later.
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

// TestLongListFitsInTwentyPages: which is what Claude Code asks for.
func TestLongListFitsInTwentyPages(t *testing.T) {
	const notes = 2600
	f := newFollower(t, manyNotes(t, notes), indexFile(t), false)
	if text, isError := f.tool("index_docs", `{}`); isError {
		t.Fatal(text)
	}
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
