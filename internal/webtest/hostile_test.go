package webtest

import (
	"net/url"
	"strings"
	"testing"
)

// hostile is a note that tries in every way to be more than text.
const hostile = `---
title: "</title><script>hit('front matter')</script>"
tags: ["<img src=x onerror=hit('tag')>", "javascript:hit('tag')"]
---
# Trap <script>hit('heading')</script>

<script>hit('script')</script> "><svg onload=hit('svg')> ' onmouseover='hit(1)
</mark></p></main></html><iframe srcdoc="<script>parent.hit('frame')</script>"></iframe>
[a link](javascript:hit('link')) ![](https://evil.example.com/picture.png) <base href="https://evil.example.com/">
<style>body { display: none }</style><meta http-equiv="refresh" content="0;url=https://evil.example.com/">
<form action="https://evil.example.com/"><input name="token"></form> {{.}} ${hit('template')} &lt;script&gt;hit('entity')&lt;/script&gt;
`

// TestHostileNote checks that a note, its name and a question are shown as text only.
func TestHostileNote(t *testing.T) {
	t.Parallel()
	const name = `<img src=x onerror=hit('name')>'" & trap.md`
	n := newNotes(t, map[string]string{name: hostile, "plain.md": "# Plain\n\nA trap for mice.\n"})
	at := serve(t, n.dir)
	question := url.QueryEscape(`trap "><script>hit('question')</script>`)
	b := open(t, look{})
	b.allow("status of 4") // for paths that do not exist
	for _, path := range []string{
		"/search?q=trap", "/search?why=1&q=" + question, "/doc?path=" + url.QueryEscape(name), "/doc?path=" + url.QueryEscape(name) + "&at=" + url.QueryEscape("line=4,8"),
		"/library", "/library/documents", "/library/documents?after=" + question, "/try?q=" + question, "/search?q=trap&tag=" + question, "/doc?path=" + question,
		"/search?q=trap&in=%3Cscript%3Ehit(1)%3C/script%3E", "/search?q=trap&lang=" + question,
	} {
		b.visit(at + path)
		b.until("document.readyState == 'complete'")
		if eval[bool](b, "!!document.querySelector('iframe, base, svg[onload], img[onerror], main script, form[action^=http]')") {
			t.Errorf("%s has elements that the note made:\n%s", path, eval[string](b, "document.body.innerHTML"))
		}
		if got := eval[string](b, "location.host"); !strings.HasPrefix(at, "http://"+got) {
			t.Errorf("%s leads to %s", path, got)
		}
		if eval[bool](b, "Array.from(document.links).some(a => !a.href.startsWith(location.origin + '/') && !a.href.startsWith('https://') && !a.href.startsWith('vscode:') && !a.href.startsWith('cursor:'))") {
			t.Errorf("%s has links of the note: %s", path, eval[string](b, "Array.from(document.links).map(a => a.href).join(' ')"))
		}
	}
	b.visit(at + "/doc?as=written&path=" + url.QueryEscape(name))
	b.wantText("<script>hit('script')</script>", "{{.}}", "[a link](javascript:hit('link'))")
}
