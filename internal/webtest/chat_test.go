package webtest

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// inChat are the kinds of results that people see, with the calls that yield them.
var inChat = []struct{ name, tool, arguments string }{
	{"passages", "retrieve_docs", `{"query": "axolotl, salt and cheese at home", "also": ["限制食盐摄入"]}`},
	{"places", "find_in_docs", `{"text": "pressure"}`},
	{"quotes", "check_quotes", `{"quotes": [{"text": "Little salt keeps the pressure low."}, {"text": "Little sugar keeps the pressure low."}, {"text": "No cat has ever swum here for long."}]}`},
	{"page", "read_doc", `{"path": "report.pdf#page=2", "as": "image"}`},
	{"text", "read_doc", `{"path": "salt.md"}`},
}

const saltNote = "---\ntags: [diet]\n---\n# Salt\n\nThe first line of the note.\n\n## At home\n\nLittle salt keeps the pressure low.\n\n- Bread has more salt than people think.\n- Cheese, too.\n\n## Elsewhere\n\nThe last line of the note.\n"

// chatNotes creates documents of several kinds.
func chatNotes(t *testing.T) notes {
	if browser == nil {
		t.Skip("there is no browser")
	}
	return newNotes(t, map[string]string{"salt.md": saltNote, "report.pdf": paper(t), "盐.txt": "高血压患者应当限制食盐摄入。\n每日不超过五克。\n", "table.csv": "food,salt\nbread,1.2\ncheese,1.7\n"})
}

// TestChat checks that both hosts show each kind of result, and that their models get the usual
// content.
func TestChat(t *testing.T) {
	t.Parallel()
	at := serveIndexed(t, chatNotes(t).dir)
	for host := range chatHosts {
		for _, v := range inChat {
			t.Run(host+" "+v.name, func(t *testing.T) {
				t.Parallel()
				c := chatWith(t, at, asked{host: host, tool: v.tool, arguments: v.arguments})
				if got := eval[string](c.tab, "told.tools.join(' ')"); strings.Contains(got, "show_") || !strings.Contains(got, v.tool) {
					t.Errorf("the model is offered %s", got)
				}
				const errors = "JSON.stringify(told.errors.filter(e => !e.startsWith('Error: Not connected')))" // see chatWith
				if got := eval[string](c.tab, errors); got != "[]" {
					t.Errorf("the host fails: %s", got)
				}
				switch v.name {
				case "passages":
					c.passages()
				case "places":
					c.places()
				case "quotes":
					c.quotes()
				case "page":
					c.pages()
				case "text":
					c.wantShown("Salt", "salt.md", "The last line of the note.")
				}
				if fits := "told.sizes.length > 0 && Math.abs(told.sizes.at(-1).height - document.querySelector('iframe').getBoundingClientRect().height) < 2"; !poll(func() bool { return eval[bool](c.tab, fits) }) {
					t.Errorf("the frame has not the height of the page: %s", eval[string](c.tab, "JSON.stringify(told.sizes)"))
				}
			})
		}
	}
}

func (c *chat) passages() {
	c.t.Helper()
	c.wantShown("report.pdf", "page 2", "salt.md", "At home", "axolotl")
	for _, word := range []string{"axolotl", "salt"} {
		if !in[bool](c, "[...document.querySelectorAll('.excerpt mark')].some(m => m.textContent.toLowerCase() == '"+word+"')") {
			c.t.Errorf("%s is not marked", word)
		}
	}
	c.push("text around it")
	c.await(".panel .shown mark")
	c.push("text around it")
	if in[bool](c, "[...document.querySelectorAll('.panel')].some(p => p.checkVisibility())") {
		c.t.Error("what was opened does not close")
	}
	c.push("the page as an image")
	c.await(".panel img")
	c.awaitPicture()
	c.push("Copy with its citation")
	if !poll(func() bool { return strings.Contains(c.shown(), "Copied") }) {
		c.t.Errorf("nothing is copied:\n%s", c.shown())
	}
	if got := eval[string](c.tab, "told.calls.map(c => c.name).join(' ')"); got != "show_context show_page_image" {
		c.t.Errorf("the page calls %s", got)
	}
}

// awaitPicture waits until a picture is shown that contains a coloured mark.
func (c *chat) awaitPicture() {
	c.t.Helper()
	if !poll(func() bool { return in[bool](c, "!!document.querySelector('img')?.naturalWidth") }) {
		c.t.Error("no picture is seen")
	}
}

func (c *chat) places() {
	c.t.Helper()
	c.wantShown("report.pdf", "salt.md", "pressure of the blood")
	if in[int](c, "document.querySelectorAll('.places mark').length") < 3 {
		c.t.Error("the places are not marked")
	}
	c.push(in[string](c, "[...document.querySelectorAll('.passage')].find(p => p.innerText.includes('salt.md')).querySelector('.places button').textContent"))
	c.await(".panel .shown")
	c.wantShown("The last line of the note.")
}

func (c *chat) quotes() {
	c.t.Helper()
	c.wantShown("Found word for word", "Differs from the document", "Not found in the documents")
	if got := in[string](c, "[...document.querySelectorAll('del, ins')].map(e => e.localName + ' ' + e.textContent).join(', ')"); got != "del sugar, ins salt" {
		c.t.Errorf("what differs is shown as %q", got)
	}
	c.push("text around it")
	c.await(".panel .shown .in, .panel .shown .within")
	c.wantShown("The first line of the note.", "The last line of the note.")
}

func (c *chat) pages() {
	c.t.Helper()
	c.wantShown("report.pdf, page 2")
	c.awaitPicture()
	c.push("Previous page")
	if !poll(func() bool { return strings.Contains(c.shown(), "report.pdf, page 1") }) {
		c.t.Errorf("the page before is not shown:\n%s", c.shown())
	}
	if !poll(func() bool { return in[string](c, "document.activeElement.textContent") == "Next page" }) {
		c.t.Errorf("the keyboard is at %q", in[string](c, "document.activeElement.outerHTML"))
	}
}

// TestChatOfHostileDocuments checks that documents and questions are shown as text only, and that
// the page neither runs nor loads anything from them.
func TestChatOfHostileDocuments(t *testing.T) {
	t.Parallel()
	n := chatNotes(t)
	const name = `<img src=x onerror=hit('name')>' & trap.md`
	n.write(name, hostile)
	n.write("trap.html", "<html><title><script>hit('title')</script></title><body>trap <svg onload=hit('svg')></svg><a href=javascript:hit('link')>trap</a></body></html>")
	n.write("trap.csv", "trap,<script>hit('cell')</script>\n<img src=x onerror=hit('cell')>,trap\n")
	at := serveIndexed(t, n.dir)
	for host := range chatHosts {
		for _, v := range []struct{ tool, arguments string }{
			{"retrieve_docs", `{"query": "trap <script>hit('question')</script>"}`},
			{"find_in_docs", `{"text": "trap"}`},
			{"find_in_docs", `{"text": "<script>"}`},
			{"check_quotes", `{"quotes": ["trap \u003cscript>hit('quote')\u003c/script> and \u003csvg onload=hit('quote')>", "a link](javascript:hit('link')) ![](https://evil.example.com/picture.png) \u003cbase href="]}`},
			{"read_doc", `{"path": "` + name + `"}`},
			{"read_doc", `{"path": "trap.csv"}`},
		} {
			t.Run(host+" "+v.tool, func(t *testing.T) {
				t.Parallel()
				c := chatWith(t, at, asked{host: host, tool: v.tool, arguments: v.arguments})
				for range 4 { // open everything that can be opened
					in[bool](c, "[...document.querySelectorAll('button[aria-expanded=false]')].slice(0, 30).forEach(b => b.click()) || true")
					if !poll(func() bool { return !in[bool](c, "!!document.querySelector('[aria-busy]')") }) {
						t.Error("a panel stays busy")
					}
				}
				const made = "[...document.querySelectorAll('main script, style ~ style, iframe, svg, a[href], base, form, input, object, meta[http-equiv=refresh], img:not([src^=\"data:image/jpeg\"]), [onload], [onerror], [onmouseover], [style]')].filter(e => e != document.documentElement).map(e => e.outerHTML).join('\\n')"
				if got := in[string](c, made); got != "" {
					t.Errorf("a document has made %s", got)
				}
				if !in[bool](c, "document.body.checkVisibility() && document.body.innerText.includes('<')") {
					t.Errorf("markup is not shown as text:\n%s", c.shown())
				}
			})
		}
	}
}

// TestChatPolicy checks that the page runs only its own script and loads nothing, whatever the host
// allows.
func TestChatPolicy(t *testing.T) {
	t.Parallel()
	c := chatWith(t, serveIndexed(t, chatNotes(t).dir), asked{host: "AppBridge", tool: "find_in_docs", arguments: `{"text": "salt"}`})
	for _, words := range []string{"Content Security Policy", "Trusted"} {
		c.allow(words)
	}
	for _, forbidden := range []string{
		`document.body.append(Object.assign(document.createElement('img'), { src: 'http://` + foreignHost + `/picture.png' }))`,
		`document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://` + foreignHost + `/' }))`,
		`document.body.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'data:text/css,body{}' }))`,
		`document.body.append(Object.assign(document.createElement('style'), { textContent: 'body { display: none }' }))`,
		`document.body.setAttribute('style', 'display: none')`,
		`document.body.setAttribute('onclick', '1')`,
	} {
		const refused = `new Promise(resolve => { document.addEventListener('securitypolicyviolation', e => resolve(e.effectiveDirective), { once: true }); try { %s } catch (e) { resolve(String(e)) } })`
		if got := in[string](c, fmt.Sprintf(refused, forbidden)); !strings.Contains(got, "-src") && !strings.Contains(got, "Trusted") {
			t.Errorf("%s: %s", forbidden, got)
		}
	}
	if !in[bool](c, "document.body.checkVisibility()") {
		t.Error("the page is hidden")
	}
}

// TestChatLooks checks with axe-core that the page is accessible and need not be scrolled sideways,
// by day and at night, in both languages, narrow and wide.
func TestChatLooks(t *testing.T) {
	t.Parallel()
	file := os.Getenv("VADEMECUM_AXE")
	if file == "" {
		t.Skip("VADEMECUM_AXE names no axe.min.js")
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := serveIndexed(t, chatNotes(t).dir)
	looks := map[string]asked{"narrow": {look: look{width: 320}}, "narrow dark": {look: look{width: 320, dark: true}, locale: "zh-CN"}, "wide": {look: look{width: 1200}, locale: "zh-Hans-CN"}, "wide dark": {look: look{width: 1200, dark: true}}}
	for name, as := range looks {
		for _, v := range inChat {
			t.Run(name+" "+v.name, func(t *testing.T) {
				t.Parallel()
				a := as
				a.host, a.tool, a.arguments = "AppBridge", v.tool, v.arguments
				c := chatWith(t, at, a)
				for range 2 { // with everything closed, and with everything open
					c.wantUsableChat(string(axe), v.name)
					if wide := in[int64](c, "document.documentElement.scrollWidth"); wide > a.width {
						t.Errorf("the page is %d pixels wide", wide)
					}
					in[bool](c, "[...document.querySelectorAll('.passage button[aria-expanded=false]')].slice(0, 3).forEach(b => b.click()) || true")
					if !poll(func() bool { return !in[bool](c, "!!document.querySelector('[aria-busy]')") }) {
						t.Error("a panel stays busy")
					}
				}
				if got := brightness(in[string](c, "getComputedStyle(document.documentElement).backgroundColor")); got < 0.5 != a.dark {
					t.Errorf("the ground has a brightness of %.2f", got)
				}
				if isChinese := in[bool](c, "document.documentElement.lang == 'zh-CN' && document.getElementById('results').innerText.startsWith('结果')"); isChinese != (a.locale != "") {
					t.Errorf("with the locale %q it says:\n%s", a.locale, c.shown())
				}
				c.save("chat-" + v.name + "-" + strings.ReplaceAll(name, " ", "-") + ".png")
			})
		}
	}
}

// wantUsableChat is wantUsable for the page of results.
func (c *chat) wantUsableChat(axe, name string) {
	c.t.Helper()
	in[any](c, axe+"; true")
	const found = `axe.run().then(r => r.violations.map(v => v.id + ': ' + v.help + '\n' + v.nodes.map(n => '    ' + n.html + ' ' + n.failureSummary).join('\n')).join('\n'))`
	if got := in[string](c, found); got != "" {
		c.t.Errorf("%s:\n%s", name, got)
	}
}

// TestChatFollowsItsHost checks that the page changes its language and colours with the host.
func TestChatFollowsItsHost(t *testing.T) {
	t.Parallel()
	at := serveIndexed(t, chatNotes(t).dir)
	for host := range chatHosts {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			c := chatWith(t, at, asked{host: host, tool: "check_quotes", arguments: inChat[2].arguments})
			c.wantShown("Differs from the document")
			eval[bool](c.tab, "wear({ theme: 'dark', locale: 'zh-CN' }) || true")
			c.await("html:lang(zh)")
			c.wantShown("连同出处复制")
			if got := brightness(in[string](c, "getComputedStyle(document.documentElement).backgroundColor")); got > 0.5 {
				t.Errorf("at night the ground has a brightness of %.2f", got)
			}
		})
	}
}
