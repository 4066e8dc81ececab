package mcp

import (
	"errors"
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
			continue // the folder's own name has capitals
		}
		if got := c.readText(uri); got != want {
			t.Errorf("%s reads %q", uri, got)
		}
	}
	for _, uri := range []string{base + "/nope.md", "file:///etc/passwd", base + "/../x", "file:///a%00b", "file:///a\nb", "file:///\x01\u0085", "http://x/", "nonsense", "", base, base + "/notes"} {
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

func TestNotifications(t *testing.T) {
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "test")
	c.resources()
	uri := docs.FileURI(filepath.Join(dir, "高 血压.txt"))
	raw := "file://" + filepath.ToSlash(filepath.Join(dir, "高 血压.txt")) // as a client may write it
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: raw}); err != nil {
		t.Fatal(err)
	}
	drain(c.changed)

	writeFile(t, dir, "高 血压.txt", "高血压患者要多走路。")
	c.waitUpdated(uri)
	if got := c.readText(uri); got != "高血压患者要多走路。" {
		t.Errorf("reads %q after the change was told", got)
	}
	writeFile(t, dir, "new/deep.md", "# New")
	c.waitChanged()
	if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "old")); err != nil {
		t.Fatal(err)
	}
	c.waitChanged()
	if err := os.Remove(filepath.Join(dir, "高 血压.txt")); err != nil {
		t.Fatal(err)
	}
	c.waitUpdated(uri)
	names := ""
	for _, r := range c.resources() {
		names += r.Name + " "
	}
	if names != "心脏病.txt notes/sugar.md old/deep.md " {
		t.Errorf("resources %q", names)
	}
	if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: raw}); err != nil {
		t.Fatal(err)
	}
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
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	c.resources()
	p, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "answer_from_docs", Arguments: map[string]string{"question": "少盐是多少？", "path": "*.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	text := p.Messages[0].Content.(*mcp.TextContent).Text
	for _, want := range []string{"retrieve_docs", "path `*.txt`", "少盐是多少？", "file and lines"} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt lacks %q: %s", want, text)
		}
	}
	if _, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "answer_from_docs"}); err == nil {
		t.Error("a prompt without a question is answered")
	}
	for typed, want := range map[string]string{"notes/": "notes/sugar.md", "血": "高 血压.txt", "SUGAR": "notes/sugar.md", "zzz": ""} {
		r, err := c.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "answer_from_docs"},
			Argument: mcp.CompleteParamsArgument{Name: "path", Value: typed},
		})
		if err != nil || strings.Join(r.Completion.Values, " ") != want {
			t.Errorf("%q completes to %v, %v", typed, r, err)
		}
	}
}
