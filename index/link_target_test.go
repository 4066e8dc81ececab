package index

import (
	"bytes"
	"errors"
	"image/png"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestLinkTarget: a link leads to what its author means, also to files that are not indexed.
func TestLinkTarget(t *testing.T) {
	t.Parallel()
	const dot = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	n := indextest.NewNotesFolder(t, map[string]string{"a/one.md": "# One\n\n[[two]]\n", "b/two.md": "# Two\n", "b/a b.md": "# Three\n", "b/p.png": dot, "b/q.svg": "<svg/>", "b/r.png": "<script>"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, test := range []struct {
		link   string
		isName bool
		want   string
	}{
		{"two", true, "b/two.md"}, {"b/two", true, "b/two.md"}, {"p.png", true, "b/p.png"}, {"none", true, ""}, {"", true, ""},
		{"../b/two.md", false, "b/two.md"}, {"../b/two.md?x#y", false, "b/two.md"}, {"../b/two", false, "b/two.md"}, {"/b/a%20b.md", false, "b/a b.md"}, {`..\b\p.png`, false, "b/p.png"},
		{"two.md", false, ""}, {"https://example.org/b/two.md", false, ""}, {"//b/two.md", false, ""}, {"../../../etc/passwd", false, ""}, {"", false, ""}, {"/", false, ""},
	} {
		if got := ix.LinkTarget("a/one.md", test.link, test.isName); got != test.want {
			t.Errorf("%q leads to %q, want %q", test.link, got, test.want)
		}
	}
	if got := ix.LinkTarget("nowhere.md", "two", true); got != "" {
		t.Errorf("what is not there has links: %s", got)
	}
	for path, want := range map[string]string{"b/p.png": "image/png", "b/q.svg": "image/svg+xml"} {
		if p, err := ix.Picture(t.Context(), path); err != nil || p.MIME != want || len(p.Content) == 0 {
			t.Errorf("%s: %s, %v", path, p.MIME, err)
		}
	}
	for _, path := range []string{"b/r.png", "b/two.md", "b/none.png", "../x.png"} {
		if p, err := ix.Picture(t.Context(), path); err == nil || len(p.Content) > 0 {
			t.Errorf("%s is a picture", path)
		}
	}
	if d, err := ix.DescribeDocument(t.Context(), "b/p.png"); err != nil || d.SkipReason == "" || d.Path != "b/p.png" {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := ix.DescribeDocument(t.Context(), "b/none.png"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// TestDrawUnread: a page of a document without text is drawn, and any page larger.
func TestDrawUnread(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": string(extracttest.PDF("", "0 0 m 100 100 l S")), "paper.pdf": twoPages("heart")})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	if d, err := ix.DescribeDocument(t.Context(), "scan.pdf"); err != nil || d.SkipReason == "" {
		t.Fatalf("it is indexed: %v", err)
	}
	width := func(ref string, zoom int) int {
		picture, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: ref, Page: 1, ZoomPercent: zoom})
		if err != nil {
			t.Fatal(err)
		}
		look, err := png.DecodeConfig(bytes.NewReader(picture))
		if err != nil {
			t.Fatal(err)
		}
		return look.Width
	}
	for _, ref := range []string{"scan.pdf", "paper.pdf"} {
		if one, two, all := width(ref, 0), width(ref, 200), width(ref, 1<<30); two < 2*one-2 || two > 2*one+2 || all > 4*one {
			t.Errorf("%s is %d wide, %d at 200 %%, and %d at most", ref, one, two, all)
		}
	}
	_, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: "scan.pdf", Page: 2})
	if !errors.As(err, new(*extract.SkipError)) || !strings.Contains(err.Error(), "it has 1") {
		t.Error(err)
	}
}
