package page

import (
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"vademecum/docs/extract/extracttest"
	"vademecum/index"
	"vademecum/internal/app/web/access"
)

// dot is a picture of one pixel.
const dot = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"

// vault is a folder of notes that link to each other.
var vault = map[string]string{
	"trips/Kyoto.md":     "---\ntags: [japan]\n---\n# Kyoto\n\nSee [[Temples#Golden one|the temple]], [food](../food.md#What-to-eat), [[Nara]] and [this](https://example.org/x).\n\n> [!tip] Go early\n> It fills up.\n\n![[map.png]] ![up](../pictures/up.svg) ![far](https://example.org/y.png)\n\n## Weather\n\n| month | rain |\n| --- | --- |\n| May | **much** rain |\n",
	"Temples.md":         "# Temples\n\n## Golden one\n\nIt is golden.\n",
	"food.md":            "# Food\n\nRice.\n\n## What to eat\n\nNoodles.\n\n![plan](pictures/plan.tif)\n",
	"pictures/map.png":   dot,
	"pictures/plan.tif":  string(extracttest.TIFF(binary.LittleEndian, extracttest.TIFFPage{Picture: image.NewGray(image.Rect(0, 0, 8, 6))})),
	"pictures/up.svg":    `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
	"pictures/lies.png":  "<script>alert(1)</script>",
	"sheet.csv":          "name,age\nAnn,7\n\"Bo, the\",8\n",
	"run.go":             "package main\n\n// start it\nfunc main() {}\n",
	"talk.srt":           "1\n00:00:01,000 --> 00:00:02,000\nWelcome to all.\n",
	"elsewhere/Kyoto.md": "# Other\n",
}

// TestMeant checks that documents are rendered as their authors meant them.
func TestMeant(t *testing.T) {
	s := open(t, vault, nil)
	page := s.get("/doc?path=trips%2FKyoto.md")
	for _, want := range []string{
		`<a href="/doc?heading=Golden+one&amp;path=Temples.md#heading">the temple</a>`, `<a href="/doc?heading=What-to-eat&amp;path=food.md#heading">food</a>`, `<span class="nowhere">Nara</span>`,
		`<a href="https://example.org/x" rel="noreferrer noopener">this</a>`, `<div class="callout good">`, `<img src="/file?path=pictures%2Fmap.png" alt="map.png" loading="lazy">`, `<img src="/file?path=pictures%2Fup.svg"`,
		`<span class="elsewhere"><a href="https://example.org/y.png" rel="noreferrer noopener">far</a></span>`, `<td id="L17" data-n="17">May</td><td><strong>much</strong> rain</td>`, `<li class="o2"><a href="#L13">Weather</a></li>`, "Links to", ">food.md</a>", "Links that lead nowhere", `href="/doc?as=written&amp;path=trips%2FKyoto.md">As written</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	for to, want := range map[string]string{
		"/doc?path=trips%2FKyoto.md&as=written":         `<div class="line heading" id="L4" data-n="4"><span class="t"># Kyoto`,
		"/doc?path=Temples.md&heading=Golden+one":       `<h2 class="d2" id="L3" data-n="3"><a id="heading"></a>Golden one</h2>`,
		"/doc?path=food.md&heading=what-to-eat":         `<a id="heading"></a>What to eat`,
		"/doc?path=sheet.csv&at=L3":                     `<td class="within" id="L3" data-n="3">`,
		"/doc?path=run.go":                              `<span class="comment">// start it</span>`,
		"/doc?path=talk.srt":                            `<h2 class="d2" id="L1" data-n="1">00:00:01</h2>`,
		"/doc?path=trips%2FKyoto.md&q=rain&at=L17":      `<mark class="in">rain</mark>`,
		"/doc?path=trips%2FKyoto.md&find=RAIN":          `1 of 2</span> <a href="/doc?find=RAIN&amp;hit=2&amp;path=trips%2FKyoto.md#hit" rel="prev" title="Previous"`,
		"/doc?path=trips%2FKyoto.md&find=rain&hit=2":    `<strong>much</strong> <a id="hit"></a><mark class="current">rain</mark>`,
		"/doc?path=trips%2FKyoto.md&find=rain&at=L17":   `href="/doc?at=L17~`,
		"/doc?path=trips%2FKyoto.md&find=snow":          "It was not found in this document.",
		"/doc?path=trips%2FKyoto.md&find=rain&lang=zh":  "第 1 处，共 2 处",
		"/doc?path=trips%2FKyoto.md&find=%20&hit=x":     `value=""`,
		"/doc?path=food.md%23L5&at=L7":                  `<a id="passage"></a><span class="in">Noodles.`,
		"/doc?path=pictures%2Fmap.png":                  `<img src="/file?path=pictures%2Fmap.png"`,
		"/doc?path=food.md":                             `<img src="/picture?ref=pictures%2Fplan.tif"`,
		"/doc?path=pictures%2Fplan.tif":                 `<a class="button" href="/doc?page=1&amp;path=pictures%2Fplan.tif">`,
		"/doc?path=trips%2FKyoto.md&q=early&at=L8-9":    `<mark class="in">early</mark>`,
		"/doc?path=trips%2FKyoto.md&portion=9&from=900": "the temple",
	} {
		if page := s.get(to); !strings.Contains(page, want) {
			t.Errorf("%s has no %s:\n%s", to, want, page)
		}
	}
}

// TestFile checks that only pictures of the folder are sent.
func TestFile(t *testing.T) {
	s := open(t, vault, nil)
	for path, mime := range map[string]string{"pictures/map.png": "image/png", "pictures/up.svg": "image/svg+xml"} {
		w := s.send(http.MethodGet, "/file?"+url.Values{"path": {path}}.Encode(), nil)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != mime || !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'; style-src 'unsafe-inline'; sandbox") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		if w.Body.String() != vault[path] {
			t.Errorf("%s is another", path)
		}
	}
	for _, path := range []string{"pictures/lies.png", "food.md", "run.go", "../x.png", "/etc/passwd", "pictures", "", "nowhere.png", "file:///etc/hostname.png", "pictures/../../map.png", strings.Repeat("../", 99) + "x.png"} {
		if w := s.send(http.MethodGet, "/file?"+url.Values{"path": {path}}.Encode(), nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// TestChangedMeanwhile checks that a document that changes between two reads is not shown with a
// passage of the other version, and that one that disappears is reported as gone.
func TestChangedMeanwhile(t *testing.T) {
	s := open(t, map[string]string{"a.md": "# A\n\none\n\ntwo\n"}, nil)
	s.view.Library = &rewritten{Library: s.view.Library}
	if page := s.get("/doc?path=a.md&at=L3"); !strings.Contains(page, "has just changed") || !strings.Contains(page, "two") || strings.Contains(page, `class="in"`) {
		t.Errorf("%s", page)
	}
}

// rewritten is a library whose documents change with each read.
type rewritten struct {
	access.Library
	reads byte
}

func (c *rewritten) Ask(ctx context.Context, q index.Question) (index.Reply, error) {
	reply, err := c.Library.Ask(ctx, q)
	if p, ok := reply.(index.DocumentPart); ok {
		c.reads++
		p.Hash[0] = c.reads
		reply = p
	}
	return reply, err
}

// TestLongDocument checks that of a long note the requested part is shown.
func TestLongDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	var b strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&b, "## Part %d\n\nA line with *signs* and [[links]] of it, unicorn%d.\n", i, i)
	}
	s := open(t, map[string]string{"long.md": b.String()}, nil)
	begin := time.Now()
	page := s.get("/doc?path=long.md&find=unicorn29999.")
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("it takes %v", took)
	}
	if !strings.Contains(page, `<mark class="current">unicorn29999.</mark>`) || len(page) > 8*mostShown {
		t.Errorf("the place is not shown, in %d bytes", len(page))
	}
	links := 0
	elements(t, page, func(n *html.Node, a map[string]string) {
		if a["rel"] == "prev" && strings.Contains(a["href"], "portion=") {
			links++
		}
	})
	if links != 1 {
		t.Errorf("%d links lead to what is before", links)
	}
}

// TestDocumentState checks what an open page is told of its document: that it is unchanged, that it
// has changed, or that it is gone.
func TestDocumentState(t *testing.T) {
	s := open(t, map[string]string{"a.md": "# A\n\nThe first.\n", "b.md": "# B\n"}, nil)
	watch := regexp.MustCompile(`data-live="([^"]*)"`).FindStringSubmatch(s.get("/doc?path=a.md"))
	if watch == nil {
		t.Fatal("nothing asks")
	}
	state := strings.ReplaceAll(watch[1], "&amp;", "&")
	sync := func(change func(file string) error) {
		t.Helper()
		if err := change(filepath.Join(s.dir, "a.md")); err != nil {
			t.Fatal(err)
		}
		if _, err := s.view.Library.(*index.Index).Sync(t.Context(), index.Scope{}); err != nil {
			t.Fatal(err)
		}
	}
	if part := s.get(state); strings.TrimSpace(part) != "" {
		t.Errorf("nothing has changed: %s", part)
	}
	sync(func(file string) error { return os.WriteFile(file, []byte("# A\n\nThe second one.\n"), 0o600) })
	if part := s.get(state); !strings.Contains(part, `<a href="/doc?path=a.md">Show it as it is now</a>`) {
		t.Errorf("what has changed: %s", part)
	}
	for at, want := range map[string]string{
		"q=first&beside=one&at=L3~9.0123456789&as=written": "as=written&amp;at=L3~9.0123456789&amp;beside=one&amp;path=a.md&amp;q=first#passage",
		"find=e&hit=2&q=x&at=":                             "find=e&amp;hit=2&amp;path=a.md&amp;q=x#hit",
		"heading=A":                                        "heading=A&amp;path=a.md#heading",
		"page=2&zoom=200":                                  "page=2&amp;path=a.md&amp;zoom=200",
	} {
		if part := s.get(state + "&" + at); !strings.Contains(part, `<a href="/doc?`+want+`">`) {
			t.Errorf("read at %s it leads on by %s", at, part)
		}
	}
	shown := s.get("/doc?path=a.md&q=second&find=The&as=written")
	if watch := html.UnescapeString(regexp.MustCompile(`data-live="([^"]*)"`).FindStringSubmatch(shown)[1]); !strings.Contains(watch, "q=second") || !strings.Contains(watch, "find=The") || !strings.Contains(watch, "hit=1") || !strings.Contains(watch, "as=written") {
		t.Errorf("it is asked by %s", watch)
	}
	if page := s.get("/doc?path=a.md"); !strings.Contains(page, "The second one.") {
		t.Errorf("loaded again it shows\n%s", page)
	}
	sync(os.Remove)
	if part := s.get(state + "&lang=zh"); !strings.Contains(part, "此文档已不在文件夹中") {
		t.Errorf("what is gone: %s", part)
	}
	if answer := s.send(http.MethodGet, "/doc?path=a.md", nil); answer.Code != http.StatusNotFound || !strings.Contains(answer.Body.String(), "There is no such document") {
		t.Errorf("loaded again it is %d %s", answer.Code, answer.Body)
	}
}

// TestTags checks that the tags of a note, in its text and front matter, link to a search with that
// filter, and that text that only looks like a tag does not.
func TestTags(t *testing.T) {
	s := open(t, map[string]string{
		"a.md": "---\ntags:\n  - lungs\n  - care/child\nother: lungs\n---\n# A\n\nOf #Lungs, x#lungs, #12, `#lungs` and 咳嗽 #咳嗽。\n\n#lungs starts a line of #care/child\n\n[a #lungs link](b.md) and [[b#lungs]]\n",
		"b.md": "---\ntags: \"two words\", lungs\n---\n# B\n\nNone.\n", "c.md": "# C\n",
	}, nil)
	got := []string{}
	elements(t, s.get("/doc?path=a.md"), func(n *html.Node, a map[string]string) {
		if a["class"] == "tag" {
			got = append(got, a["href"]+" "+n.FirstChild.Data)
		}
	})
	want := "/search?tag=lungs lungs, /search?tag=care%2Fchild care/child, /search?tag=lungs #Lungs, /search?tag=%E5%92%B3%E5%97%BD #咳嗽, /search?tag=lungs #lungs, /search?tag=care%2Fchild #care/child, "
	if all := strings.Join(got, ", "); !strings.HasPrefix(all, want) {
		t.Errorf("the tags lead to %s\nwant %s", all, want)
	}
	page := s.get("/search?tag=lungs")
	if !strings.Contains(page, "<h2>2 documents</h2>") || !strings.Contains(page, `href="/doc?path=b.md"`) || strings.Contains(page, `href="/doc?path=c.md"`) || !strings.Contains(page, `value="lungs"`) {
		t.Errorf("narrowed to a tag it is\n%s", page)
	}
}
