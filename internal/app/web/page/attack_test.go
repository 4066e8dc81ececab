package page

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// hostile is a note that tries to be more than text.
const hostile = `---
title: "<script>alert('title')</script>"
aliases: ["</title><script>alert(0)</script>"]
tags: ["x\"><img src=x onerror=alert(1)>", "javascript:alert(2)"]
date: 2024-11-05
---
# "><img src=x onerror=alert(3)> wombat

A wombat <script>alert("body")</script> <a href="javascript:alert(4)">x</a> {{.Title}} ${alert(5)} </blockquote></main><iframe src="https://evil.example.com"></iframe>

&lt;script&gt;alert(6)&lt;/script&gt; ` + "\u202e\u0007 [wombat](javascript:alert(7)) <style>*{display:none}</style>\n"

// TestHostileNotes checks that a note, its name, its tags and a question are shown as text only, on
// every page.
func TestHostileNotes(t *testing.T) {
	const name = `"><svg onload=alert(8)>.md`
	s := open(t, map[string]string{"wombat.md": hostile, name: "# wombat two\n\nsays [[wombat]]\n", "d'<b>/x.md": "# wombat three\n", ".gitignore": "*<script>*.log\n", "<script>alert(1).log": "x", ".<script>": "x"}, nil)
	const question = `wombat "><script>alert(9)</script>`
	for _, to := range []string{
		"/search?" + url.Values{"q": {question}, "why": {"1"}}.Encode(), "/search?" + url.Values{"q": {"wombat"}, "in": {`"><script>`}, "tag": {`'"><script>`}, "kind": {"<script>"}}.Encode(),
		"/doc?path=wombat.md&q=" + url.QueryEscape(question), "/doc?" + url.Values{"path": {name}}.Encode(), "/doc?" + url.Values{"path": {"<script>alert(1)</script>"}, "at": {"<script>"}}.Encode(),
		"/doc?path=wombat.md&at=" + url.QueryEscape("<script>alert(1)</script>"), "/library", "/library/documents", "/library/skipped?reason=" + url.QueryEscape("<script>x"),
		"/library/left-out", "/library/left-out?file=" + url.QueryEscape("<script>"), "/library/left-out?rule=" + url.QueryEscape("pattern *<script>*.log in .gitignore, line 1"),
		"/try?" + url.Values{"q": {question}, "client": {"<script>"}}.Encode(), "/search?lang=" + url.QueryEscape(`"><script>`), "/%3Cscript%3E",
	} {
		w := s.send(http.MethodGet, to, nil)
		checkPage(t, to, "en", w.Body.String())
		elements(t, w.Body.String(), func(n *html.Node, a map[string]string) {
			if n.Data == "b" && n.FirstChild == nil || strings.Contains(strings.ToLower(a["href"]), "javascript:") && !strings.HasPrefix(a["href"], "/") {
				t.Errorf("%s: <%s %v>", to, n.Data, a)
			}
		})
		if body := w.Body.String(); strings.Contains(body, "alert(1)>") && !strings.Contains(body, "alert(1)&gt;") || strings.ContainsAny(body, "\u202e\u0007") {
			t.Errorf("%s is not made safe:\n%s", to, body)
		}
	}
	if page := s.get("/doc?path=wombat.md&as=written"); !strings.Contains(page, "&lt;script&gt;alert(&#34;body&#34;)&lt;/script&gt;") {
		t.Errorf("the text is not shown as it is:\n%s", page)
	}
}

// TestPosts checks that only the pages of this server can send forms that change something.
func TestPosts(t *testing.T) {
	s := open(t, notes, nil)
	form := url.Values{"q": {"spacer"}, "path": {"asthma.md"}, "right": {"1"}, "token": {"x"}}
	for _, to := range []string{"/try/judge", "/reveal", "/sign-in", "/sign-out"} {
		for name, header := range map[string][]string{
			"another site":    {"Origin", "https://evil.example.com", "Sec-Fetch-Site", "cross-site"},
			"another port":    {"Origin", "http://localhost:3000", "Sec-Fetch-Site", "same-site"},
			"an older one":    {"Origin", "http://localhost:3000"},
			"nobody":          {"Origin", "null"},
			"scheme changed":  {"Origin", "https://localhost:9"},
			"same site alone": {"Origin", "", "Sec-Fetch-Site", "same-site"},
		} {
			if w := s.send(http.MethodPost, to, form, header...); w.Code != http.StatusForbidden {
				t.Errorf("%s of %s: %d", to, name, w.Code)
			}
		}
		if w := s.send(http.MethodGet, to, nil); to != "/sign-in" && w.Code < 400 {
			t.Errorf("GET %s: %d", to, w.Code)
		}
	}
	for _, method := range []string{"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"} {
		for _, to := range append(everyPage, "/try/judge") {
			if w := s.send(method, to, nil); w.Code < 400 || w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s %s: %d", method, to, w.Code)
			}
		}
	}
}

// TestLargeAsks checks that requests that are too long are refused before they are parsed.
func TestLargeAsks(t *testing.T) {
	s := open(t, notes, nil)
	long := strings.Repeat("a", 1<<20)
	for name, w := range map[string]*httptest.ResponseRecorder{
		"query": s.send(http.MethodGet, "/search?q="+long, nil), "form": s.send(http.MethodPost, "/try/judge", url.Values{"q": {long}}),
		"question": s.send(http.MethodGet, "/search?q="+strings.Repeat("b", 9000), nil), "folder": s.send(http.MethodGet, "/search?q=x&in="+strings.Repeat("%5B", 2000), nil),
		"language": s.send(http.MethodGet, "/", nil, "Accept-Language", strings.Repeat("zh;q=0.1,", 5000)),
	} {
		want := map[string]int{"query": http.StatusRequestURITooLong, "form": http.StatusRequestEntityTooLarge, "question": http.StatusBadRequest, "folder": http.StatusOK, "language": http.StatusOK}[name]
		if w.Code != want && !(name == "folder" && w.Code == http.StatusBadRequest) {
			t.Errorf("%s: %d, want %d", name, w.Code, want)
		}
		if w.Body.Len() > 60_000 {
			t.Errorf("%s is sent back: %d bytes", name, w.Body.Len())
		}
	}
}

// TestPathTricks checks that only documents of the index are shown, whatever the path in the URL.
func TestPathTricks(t *testing.T) {
	s := open(t, notes, nil)
	for _, path := range []string{
		"../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "asthma.md/../../etc/passwd", `..\..\etc\passwd`, "%2e%2e/etc/passwd", "\x00asthma.md", "asthma.md\x00", ".", "/", "", "*", "http://evil.example.com/x.md", "//evil/x.md",
		"broken.pdf", strings.Repeat("../", 500) + "etc/passwd",
	} {
		w := s.send(http.MethodGet, "/doc?"+url.Values{"path": {path}}.Encode(), nil)
		if body := w.Body.String(); strings.Contains(body, "root:") || w.Code == http.StatusInternalServerError || path != "broken.pdf" && w.Code == http.StatusOK && strings.Contains(body, "<article") {
			t.Errorf("%q: %d\n%s", path, w.Code, body)
		}
		if w := s.send(http.MethodPost, "/reveal", url.Values{"path": {path}, "how": {"open"}}); w.Code < 400 {
			t.Errorf("%q is opened: %d", path, w.Code)
		}
	}
	for _, name := range []string{"../page.go", "..%2fpage.go", "style.css/..", "", "templates/frame.html", ".", "style.css%00"} {
		if w := s.send(http.MethodGet, "/assets/"+name, nil); w.Code == http.StatusOK {
			t.Errorf("the asset %q is there", name)
		}
	}
}

// TestHeaders checks that parameters cannot add response headers.
func TestHeaders(t *testing.T) {
	tokens := tokens{"secret": alice}
	s := open(t, notes, nil)
	asks := open(t, notes, tokens.ask)
	for _, site := range []*site{s, asks} {
		for _, to := range []string{"/search?q=a%0d%0aX-Evil:+1", "/doc?path=a%0d%0aX-Evil:+1", "/sign-in?to=/%0d%0aX-Evil:+1", "/%0d%0aX-Evil:+1", "/?lang=zh%0d%0aX-Evil:1"} {
			if w := site.send(http.MethodGet, to, nil); w.Header().Get("X-Evil") != "" || strings.ContainsAny(w.Header().Get("Location"), "\r\n") {
				t.Errorf("%s: %v", to, w.Header())
			}
		}
	}
}

// TestAssets checks that the static files are small, cached by version, and of the right type.
func TestAssets(t *testing.T) {
	s := open(t, nil, nil)
	all := 0
	for name := range versions() {
		w := s.send(http.MethodGet, assetURL(name), nil)
		all += w.Body.Len()
		if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Header().Get("Content-Type") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", name, w.Code, w.Header())
		}
		if w := s.send(http.MethodGet, "/assets/"+name+"?v=older", nil); w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("another version of %s is kept: %v", name, w.Header())
		}
	}
	files, err := templates.ReadDir("templates")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		all += int(info.Size())
	}
	if all > 110_000 {
		t.Errorf("all of it takes %d bytes", all)
	}
}
