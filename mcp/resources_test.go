package mcp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

func TestResourceList(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "test")
	for _, r := range c.resources() {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(r.Name)))
		if err != nil {
			t.Fatal(err)
		}
		if r.URI != docs.FileURI(filepath.Join(dir, filepath.FromSlash(r.Name))) || strings.ContainsAny(r.URI, " 高") {
			t.Errorf("%s has the URI %s", r.Name, r.URI)
		}
		if r.Size != info.Size() || r.Title == "" || !strings.HasPrefix(r.MIMEType, "text/") {
			t.Errorf("%+v", r)
		}
		modified, err := time.Parse(time.RFC3339, r.Annotations.LastModified)
		if err != nil || modified.Unix() != info.ModTime().Unix() {
			t.Errorf("%s was changed at %s, %v", r.Name, r.Annotations.LastModified, err)
		}
	}
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 2 {
		t.Errorf("templates %+v, %v", templates, err)
	}
}

func TestReadResourceForms(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "test")
	c.resources()
	base := docs.FileURI(dir)
	for uri, want := range map[string]string{
		base + "/高 血压.txt": three["高 血压.txt"],
		strings.ToLower(base + "/%E9%AB%98%20%E8%A1%80%E5%8E%8B.txt"): three["高 血压.txt"],
		base + "/notes/sugar.md#line=4,5":                             "Avoid sweet drinks; eat whole grains. 患者饮食要少糖。",
		base + "/notes/sugar.md#char=2,10":                            "Diabetes",
	} {
		if strings.ToLower(base) != base && strings.HasPrefix(uri, strings.ToLower(base)) {
			continue // the name of the folder itself contains capitals
		}
		if got := c.readText(uri); got != want {
			t.Errorf("%s reads %q", uri, got)
		}
	}
	for _, uri := range []string{base + "/nope.md", "file:///etc/passwd", base + "/../x", "file:///a%00b", "file:///a\nb", "file:///\x01\u0085", "http://x/", "nonsense", "", base, base + "/notes", base + "/notes/sugar.md#line=50,60"} {
		_, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) {
			t.Errorf("%q: error %v", uri, err)
		}
	}
	if got := c.readText(base + "/notes/sugar.md"); got != three["notes/sugar.md"] {
		t.Errorf("after the errors: %q", got)
	}
	_, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: base + "/notes/sugar.md#line=x"})
	if err == nil || !strings.Contains(err.Error(), "line") {
		t.Errorf("a broken fragment: %v", err)
	}
}

// TestFilesBecomeKnown changes files in all ways in which editors do, and checks that clients are
// notified of each change and that the new text is found then.
func TestFilesBecomeKnown(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "test")
	c.resources()
	at := func(p string) string { return filepath.Join(dir, filepath.FromSlash(p)) }
	rename := func(from, to string) {
		if err := os.MkdirAll(filepath.Dir(at(to)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(at(from), at(to)); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name        string
		change      func()
		updated     string // path of the resource of whose update the client is notified
		listChanged bool
		query, path string // where the query is found afterwards; "" for nowhere
	}{
		{"create", func() { writeFile(t, dir, "a b.md", "cinnamon") }, "", true, "cinnamon", "a b.md"},
		{"edit", func() { writeFile(t, dir, "a b.md", "cardamom") }, "a b.md", false, "cardamom", "a b.md"},
		{"replace", func() { writeFile(t, dir, ".tmp", "coriander"); rename(".tmp", "a b.md") }, "a b.md", false, "coriander", "a b.md"},
		{"rename", func() { rename("a b.md", "笔记.md") }, "a b.md", true, "coriander", "笔记.md"},
		{"move into a new folder", func() { rename("笔记.md", "new/笔记.md") }, "", true, "coriander", "new/笔记.md"},
		{"delete", func() { remove(t, at("new/笔记.md")) }, "", true, "coriander", ""},
	} {
		uri := docs.FileURI(at(step.updated))
		if step.updated != "" {
			// Clients write the same URI in another form.
			raw := "file://" + filepath.ToSlash(at(step.updated))
			if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: raw}); err != nil {
				t.Fatal(err)
			}
		}
		drain(c.changed)
		start := time.Now()
		step.change()
		c.waitFound(step.query, step.path)
		if step.updated != "" {
			c.waitUpdated(uri)
		}
		if step.listChanged {
			c.waitChanged()
		}
		t.Logf("%s: retrieved and told after %v", step.name, time.Since(start).Round(time.Millisecond))
		c.resources() // a late notification must not count for the next step
	}
	names := ""
	for _, r := range c.resources() {
		names += r.Name + " "
	}
	if names != "notes/sugar.md 心脏病.txt 高 血压.txt " {
		t.Errorf("resources %q", names)
	}
}

// waitFound repeats the query until it is found in the document at path, or nowhere if path is "".
func (c *client) waitFound(query, path string) {
	c.t.Helper()
	eventually(c.t, fmt.Sprintf("%q is found in %q", query, path), func() bool {
		got := ""
		if found := passages(c.call("retrieve_docs", `{"query": "`+query+`", "top_k": 1}`)); len(found) > 0 && found[0].Text == query {
			got, _ = found[0].Meta["path"].(string)
		}
		return got == path
	})
}

// TestEditsAreKnownAtOnce checks that a question is answered from a note that has just been saved.
func TestEditsAreKnownAtOnce(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "test")
	c.resources()
	for i := range 10 {
		word := fmt.Sprintf("unicorn%d", i)
		writeFile(t, dir, "note.md", word)
		if found := passages(c.call("retrieve_docs", `{"query": "`+word+`"}`)); len(found) != 1 || found[0].Text != word {
			t.Fatalf("%s is not found at once: %v", word, found)
		}
	}
	remove(t, filepath.Join(dir, "note.md"))
	if r := c.call("read_doc", `{"path": "note.md"}`); !r.IsError {
		t.Errorf("a deleted note is read: %s", firstText(r))
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// TestStreamsEndAlone checks that in the newest protocol, in which each subscription is a stream of
// its own, the end of one does not end another.
func TestStreamsEndAlone(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connectWith(t, serve(t, dir, Options{}), "test", "2026-07-28")
	c.resources()
	one, two := docs.FileURI(filepath.Join(dir, "心脏病.txt")), docs.FileURI(filepath.Join(dir, "高 血压.txt"))
	for _, uri := range []string{one, two} {
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, dir, "心脏病.txt", "one")
	c.waitUpdated(one)
	writeFile(t, dir, "高 血压.txt", "two")
	c.waitUpdated(two)
	if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: two}); err != nil {
		t.Fatal(err)
	}
	drain(c.changed)
	writeFile(t, dir, "new.md", "three")
	c.waitChanged()
	writeFile(t, dir, "心脏病.txt", "four")
	c.waitUpdated(one)
}

func drain(c chan struct{}) {
	for {
		select {
		case <-c:
		default:
			return
		}
	}
}

func TestPromptAndCompletion(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	c.resources()
	prompts, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(prompts.Prompts) != 1 || len(prompts.Prompts[0].Arguments) != 1 {
		t.Fatalf("one prompt with one argument, lest a host part a question at its spaces: %+v, %v", prompts, err)
	}
	for question, want := range map[string]string{
		"少盐是多少？": "The question: 少盐是多少？", "what to eat": "The question: what to eat",
		"what": "first word of what I typed", "": "what I typed with this", // as Claude Code sends it
	} {
		p, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "answer_from_docs", Arguments: map[string]string{"question": question}})
		if err != nil {
			t.Fatal(err)
		}
		text := p.Messages[0].Content.(*mcp.TextContent).Text
		for _, want := range []string{want, "retrieve_docs", "file and lines"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q: the prompt lacks %q: %s", question, want, text)
			}
		}
	}
	for typed, want := range map[string]string{"notes/": "notes/sugar.md", "血": "高 血压.txt", "SUGAR": "notes/sugar.md", "zzz": ""} {
		r, err := c.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: "file:///folder/{+path}"},
			Argument: mcp.CompleteParamsArgument{Name: "path", Value: typed},
		})
		if err != nil || strings.Join(r.Completion.Values, " ") != want {
			t.Errorf("%q completes to %v, %v", typed, r, err)
		}
	}
}
