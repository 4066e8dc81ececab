package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/text/unicode/norm"

	"vademecum/docs"
	"vademecum/index/operations"
)

var forms = map[string]norm.Form{"composed": norm.NFC, "decomposed": norm.NFD}

// skipIfComposing skips a test if the file system changes the Unicode normalisation of names.
func skipIfComposing(t *testing.T) {
	t.Helper()
	dir := folder(t, map[string]string{norm.NFC.String("é"): "x"})
	if _, err := os.Stat(filepath.Join(dir, norm.NFD.String("é"))); err == nil {
		t.Skip("the file system takes both compositions for the same")
	}
}

func uriIn(dir, p string) string { return docs.FileURI(filepath.Join(dir, filepath.FromSlash(p))) }

// complete returns the completions of a path.
func (c *client) complete(typed string) []string {
	c.t.Helper()
	r, err := c.Complete(c.t.Context(), &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "answer_from_docs"},
		Argument: mcp.CompleteParamsArgument{Name: "path", Value: typed},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return r.Completion.Values
}

// expect calls a tool with one argument, and requires that the result contains want.
func (c *client) expect(tool, argument, value, want string) {
	c.t.Helper()
	if r := c.call(tool, fmt.Sprintf(`{%q: %q}`, argument, value)); r.IsError || !strings.Contains(firstText(r), want) {
		c.t.Errorf("%s %s %+q: %s, want %+q", tool, argument, value, firstText(r), want)
	}
}

// TestComposedNames uses a document in all tools under both Unicode normalisations of its path, of
// which one is that on the disk.
func TestComposedNames(t *testing.T) {
	skipIfComposing(t)
	for stored, form := range forms {
		for asked, other := range forms {
			for _, p := range []string{"café.md", "が.md", "übung/한글.md"} {
				t.Run(stored+" asked "+asked+" "+p, func(t *testing.T) {
					t.Parallel()
					checkComposed(t, form.String(p), other.String(p))
				})
			}
		}
	}
}

func checkComposed(t *testing.T, stored, asked string) {
	dir := folder(t, map[string]string{stored: "Warfarin text.", "plain.md": "Warfarin."})
	c := connect(t, serve(t, dir, Options{}), "test")
	c.resources()
	uri, listed := uriIn(dir, asked), uriIn(dir, stored)
	c.expect("read_doc", "path", asked, stored)
	c.expect("read_doc", "path", filepath.Join(dir, filepath.FromSlash(asked)), stored)
	c.expect("read_doc", "uri", uri+"#line=0,1", stored)
	for _, glob := range []string{asked, strings.Split(asked, "/")[0], asked[:len(asked)-2] + "*"} {
		c.expect("list_docs", "path", glob, stored)
		r := c.call("retrieve_docs", fmt.Sprintf(`{"query": "warfarin", "path": %q}`, glob))
		if found := passages(r); len(found) != 1 || !strings.HasPrefix(found[0].URI, docs.ReadableURI(listed)) {
			t.Errorf("retrieve_docs in %+q: %s", glob, firstText(r))
		}
	}
	if r := c.call("index_docs", fmt.Sprintf(`{"paths": [%q], "force": true}`, asked)); r.IsError || !strings.Contains(firstText(r), "Indexed 1 document") {
		t.Errorf("index_docs: %s", firstText(r))
	}
	if got := strings.Join(c.complete(asked[:len(asked)-1]), " "); got != stored {
		t.Errorf("%+q is completed to %+q", asked, got)
	}
	r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil || r.Contents[0].URI != listed || r.Contents[0].Text != "Warfarin text." {
		t.Errorf("the resource %s: %+v, %v", uri, r, err)
	}
	checkSubscribed(t, c, dir, stored, uri, listed)
}

// checkSubscribed subscribes to a URI, changes the file, and requires notifications until it
// unsubscribes.
func checkSubscribed(t *testing.T, c *client, dir, stored, uri, listed string) {
	t.Helper()
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, stored, "Warfarin changed, as heard of by "+uri+" and "+listed)
	c.waitUpdated(listed)
	if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	plain := uriIn(dir, "plain.md")
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: plain}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, stored, "Warfarin changed again.")
	c.resources() // so that the client knows the list
	writeFile(t, dir, "plain.md", "Warfarin changed too, as heard of by "+uri+" and "+listed)
	c.waitOnly(plain)
}

// waitOnly waits for the notification about a URI, and fails if one about another URI comes before.
func (c *client) waitOnly(uri string) {
	c.t.Helper()
	select {
	case got := <-c.updated:
		if got != uri {
			c.t.Errorf("told of %s, not %s", got, uri)
		}
	case <-time.After(longestWait):
		c.t.Fatalf("no update of %s", uri)
	}
}

// TestSubscribedBeforeThereIsOne checks a subscription to a document that does not exist yet, whose
// file name may then have the other Unicode normalisation.
func TestSubscribedBeforeThereIsOne(t *testing.T) {
	skipIfComposing(t)
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		for asked, form := range forms {
			t.Run(protocol+" "+asked, func(t *testing.T) {
				t.Parallel()
				dir := folder(t, three)
				c := connectWith(t, serve(t, dir, Options{}), "test", protocol)
				c.resources()
				if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uriIn(dir, form.String("café.md"))}); err != nil {
					t.Fatal(err)
				}
				for _, stored := range forms {
					writeFile(t, dir, stored.String("café.md"), "one")
					c.resources()
					writeFile(t, dir, stored.String("café.md"), "two")
					c.waitUpdated(uriIn(dir, norm.NFC.String("café.md")))
					remove(t, filepath.Join(dir, stored.String("café.md")))
					c.resources()
				}
			})
		}
	}
}

// TestExactSpellingWins checks that two files whose names differ only in Unicode normalisation are
// each reached by their exact name.
func TestExactSpellingWins(t *testing.T) {
	t.Parallel()
	skipIfComposing(t)
	dir := folder(t, map[string]string{norm.NFC.String("café.md"): "composed", norm.NFD.String("café.md"): "decomposed"})
	c := connect(t, serve(t, dir, Options{}), "test")
	c.resources()
	for text, form := range forms {
		name := form.String("café.md")
		uri := uriIn(dir, name)
		c.expect("read_doc", "path", name, "\n```\n"+text)
		c.expect("read_doc", "uri", uri, "\n```\n"+text)
		c.expect("list_docs", "path", name, "1 document\n")
		if got := c.readText(uri); got != text {
			t.Errorf("%s reads %q", uri, got)
		}
		if got := c.complete(form.String("café")); len(got) != 2 || got[0] != name {
			t.Errorf("completed to %+q", got)
		}
	}
	one, two := uriIn(dir, norm.NFC.String("café.md")), uriIn(dir, norm.NFD.String("café.md"))
	for _, uri := range []string{one, two} {
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: two}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, norm.NFD.String("café.md"), "changed")
	c.resources()
	writeFile(t, dir, norm.NFC.String("café.md"), "changed too")
	c.waitOnly(one)
}

// TestCursorsMayBeComposed checks that a model may change the Unicode normalisation of a cursor.
func TestCursorsMayBeComposed(t *testing.T) {
	t.Parallel()
	skipIfComposing(t)
	files := make(map[string]string)
	for i := range operations.MaxListItems {
		files[fmt.Sprintf("a%03d.md", i)] = "x"
	}
	delete(files, "a000.md")
	files[norm.NFD.String("bé.md")] = "x" // the last one on the first page
	files["bf.md"] = "x"
	c := connect(t, serve(t, folder(t, files), Options{}), "test")
	for _, form := range forms {
		c.expect("list_docs", "cursor", form.String("bé.md"), "- bf.md")
	}
}

// TestResourcesByAnotherSpelling checks that a client may name the folder by a symbolic link or by
// its target, and is shown the path that was given to the server.
func TestResourcesByAnotherSpelling(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(folder(t, three))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "plain.md", "plain")
	links := [2]string{filepath.Join(t.TempDir(), "link"), filepath.Join(t.TempDir(), "link")}
	for _, at := range links {
		if err := os.Symlink(dir, at); err != nil {
			t.Skip(err)
		}
	}
	for _, given := range []string{dir, links[0]} {
		s := serve(t, given, Options{})
		listed := uriIn(given, "notes/sugar.md")
		for _, spelling := range []string{dir, links[0], links[1]} {
			c := connect(t, s, "test")
			c.resources()
			uri := uriIn(spelling, "notes/sugar.md")
			for fragment, want := range map[string]string{"": three["notes/sugar.md"], "#line=2,3": "## Food"} {
				r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri + fragment})
				if err != nil || r.Contents[0].Text != want || r.Contents[0].URI != listed+fragment {
					t.Errorf("%s of %s: %+v, %v", uri+fragment, given, r, err)
				}
			}
			path := filepath.Join(spelling, "notes", "sugar.md")
			c.expect("read_doc", "path", path, "Diabetes")
			c.expect("read_doc", "uri", uri, "Diabetes")
			c.expect("list_docs", "path", path, "1 document\n")
			c.expect("list_docs", "path", filepath.Join(spelling, "notes"), "1 document\n")
			c.expect("list_docs", "path", filepath.Join(spelling, "**"), "4 documents\n")
			if r := c.call("index_docs", fmt.Sprintf(`{"paths": [%q]}`, path)); r.IsError || !strings.Contains(firstText(r), "Unchanged: 1 document") {
				t.Errorf("index_docs of %s: %s", path, firstText(r))
			}
			checkSubscribed(t, c, given, "notes/sugar.md", uri, listed)
			writeFile(t, dir, "notes/sugar.md", three["notes/sugar.md"])
		}
	}
}
