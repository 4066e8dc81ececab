package render

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shownAs renders a text as HTML, with links to the documents of a folder.
func shownAs(kind TextKind, body string, change ...func(*DocumentText)) string {
	t := DocumentText{Body: body, To: len(body), Kind: kind,
		LinkURL: func(l Link) string {
			if l.Target == "nowhere.md" {
				return ""
			}
			return "/doc?" + url.Values{"path": {l.Target}, "heading": {l.Fragment}}.Encode()
		},
		PictureURL: func(l Link) string {
			if !strings.HasSuffix(l.Target, ".png") {
				return ""
			}
			return "/file?" + url.Values{"path": {l.Target}}.Encode()
		},
		TagURL: func(name string) string {
			if name != "tag" && name != "a/标签" && name != "two words" {
				return ""
			}
			return "/search?" + url.Values{"tag": {name}}.Encode()
		},
	}
	for _, c := range change {
		c(&t)
	}
	return string(HTML(t))
}

func TestMarkdown(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a heading stands below that of the page", "# A *b*\n", `<h2 class="d1" id="L1">A <em>b</em></h2>`},
		{"an underlined one", "A\n===\n", `<h2 class="d1" id="L1">A</h2>`},
		{"paragraphs have lines", "a\n\nb **c** `d`\n", `<p id="L3">b <strong>c</strong> <code>d</code></p>`},
		{"lists", "- a\n- [x] b\n  1. c\n", `<li class="task" id="L2"><span class="box" role="img" aria-label="[x]">☑</span> b`},
		{"numbers begin where they do", "3. a\n", `<ol start="3">`},
		{"tables", "| a | b |\n| --- | --: |\n| c | d |\n", `<tr><td id="L3">c</td><td class="right">d</td></tr>`},
		{"columns in the middle", "| a | b |\n| --- | :-: |\n| c | d |\n", `<tr><td id="L3">c</td><td class="center">d</td></tr>`},
		{"code", "```go\nfunc a() // b\n```\n", `<span id="L2"><span class="keyword">func</span> a() <span class="comment">// b</span></span>`},
		{"a callout of GitHub", "> [!WARNING]\n> Mind it.\n", "<div class=\"callout warn\">\n<p class=\"callout-title\" id=\"L1\">Warning</p>\n<p>Mind it.</p>\n</div>"},
		{"a callout of Obsidian", "> [!tip]- *Do* so\n>\n> b\n", "<details class=\"callout good\">\n<summary class=\"callout-title\" id=\"L1\"> <em>Do</em> so</summary>\n<p id=\"L3\">b</p>\n</details>"},
		{"one that is unfolded", "> [!tip]+ Do\n> *so*\n", "<details class=\"callout good\" open>\n<summary class=\"callout-title\" id=\"L1\"> Do</summary>\n<p><em>so</em></p>\n</details>"},
		{"what is marked", "a ==b *c*== 这是==重点==。 <mark>d</mark>", `a <mark class="author">b <em>c</em></mark> 这是<mark class="author">重点</mark>。 <mark class="author">d</mark>`},
		{"what is compared", "a==b and c==d, x == y == z, ===", `<p id="L1">a==b and c==d, x == y == z, ===</p>`},
		{"formulas", "So $a_1*b*\\{c\\}$ and $$x<y$$ and \\$1$.", `So <code class="math">a_1*b*\{c\}</code> and <code class="math">x&lt;y</code> and $1$.`},
		{"prices", "From $5 to $6, US$7 or US$8, $9-$10, a $ b $ c", `<p id="L1">From $5 to $6, US$7 or US$8, $9-$10, a $ b $ c</p>`},
		{"formulas on lines of their own", "a\n$$\n\\sum_{i} *x*\n- y\n$$\nb\n\n$$z$$\n# C\n", "<p id=\"L1\">a</p>\n<pre class=\"code math\"><code><span id=\"L3\">\\sum_{i} *x*</span>\n<span id=\"L4\">- y</span>\n</code></pre>\n<p id=\"L6\">b</p>\n<pre class=\"code math\"><code><span id=\"L8\">z</span>\n</code></pre>\n<h2"},
		{"a formula in a quotation", "> $$\n> a_b_c\n> $$\n\nd", "<span id=\"L2\">a_b_c</span>\n</code></pre>\n</blockquote>\n<p id=\"L5\">d</p>"},
		{"a formula that nothing ends", "$$\na\n\nb $$", `<p id="L1">$$` + "\na</p>\n<p id=\"L4\">b $$</p>"},
		{"diagrams", "```mermaid\ngraph TD; A-->B\n```\n", "<p class=\"diagram\">A &lt;diagram&gt; <code>mermaid</code></p>\n<pre class=\"code\"><code><span id=\"L2\">graph TD; A--&gt;B</span>\n"},
		{"links in front matter", "---\nup: \"[[Note#Part|it]]\"\nurl: https://example.org/a?b&c\nno: javascript:x\n---\nA\n", `<span class="string">&#34;</span><a href="/doc?heading=Part&amp;path=Note"><span class="string">[[Note#Part|it]]</span></a><span class="string">&#34;</span></span>` + "\n" + `<span id="L3"><span class="name">url</span>: <a href="https://example.org/a?b&amp;c" rel="noreferrer noopener"><span class="name">https</span>://example.org/a?b&amp;c</a></span>`},
		{"a quotation", "> [a] b\n", "<blockquote>\n<p id=\"L1\">[a] b</p>\n</blockquote>"},
		{"links between notes", "[a](b.md#c-d)", `<a href="/doc?heading=c-d&amp;path=b.md">a</a>`},
		{"links between brackets", "[[Note#Part|it]] [[Other]]", `<a href="/doc?heading=Part&amp;path=Note">it</a> <a href="/doc?heading=&amp;path=Other">Other</a>`},
		{"links to headings of the note", "# A b\n\n[x](#a-b) [[#A b]]", `<a href="#L1">x</a> <a href="#L1">#A b</a>`},
		{"tags", "#tag of *#a/标签*, x#tag #other #tag_ `#tag` [#tag](b.md)\n", `<p id="L1"><a class="tag" href="/search?tag=tag">#tag</a> of <em>#a/标签</em>, x#tag #other #tag_ <code>#tag</code> <a href="/doc?heading=&amp;path=b.md">#tag</a></p>`},
		{"tags in front matter", "---\nTags: [tag, \"a/标签\", other]\ntag: two words\ntitle: tag\n---\n", `[<a class="tag" href="/search?tag=tag">tag</a>, <span class="string">&#34;</span><a class="tag" href="/search?tag=a%2F%E6%A0%87%E7%AD%BE"><span class="string">a/标签</span></a>`},
		{"tags of two words in front matter", "---\ntag: two words\ntags: tag other\ntitle: tag\n---\n", `<a class="tag" href="/search?tag=two+words">two words</a></span>` + "\n" + `<span id="L3"><span class="name">tags</span>: <a class="tag" href="/search?tag=tag">tag</a> other</span>` + "\n" + `<span id="L4"><span class="name">title</span>: tag</span>`},
		{"links that lead nowhere", "[a](nowhere.md) [[|x]]", `<p id="L1">a <span class="nowhere">x</span></p>`},
		{"the Web", "[a](https://example.org/?a=b&c) <b@example.org>", `<a href="https://example.org/?a=b&amp;c" rel="noreferrer noopener">a</a> <a href="mailto:b@example.org" rel="noreferrer noopener">b@example.org</a>`},
		{"addresses that may run something", "[a](javascript:x) [b](data:text/html,x) [c](vbscript:x) [d](JaVaScRiPt:x) [e](//evil.example.com)", ``},
		{"pictures", "![A \"b\"](p.png) ![[q.png|300]]", `<img src="/file?path=p.png" alt="A &#34;b&#34;" loading="lazy"> <img src="/file?path=q.png" alt="q.png" loading="lazy" width="300">`},
		{"pictures elsewhere", "![A](https://example.org/p.png) ![](data:image/png;base64,x)", `<span class="elsewhere"><a href="https://example.org/p.png" rel="noreferrer noopener">A</a></span>`},
		{"ends of lines", "a\nb  \nc\n", "<p id=\"L1\">a\nb<br>\nc</p>"},
		{"ends of lines in Chinese", "高血压\n患者\n", `<p id="L1">高血压患者</p>`},
		{"tags that only change looks", "H<sub>2</sub>O <b>x *y</b> z*</b> <script>no</script>", `H<sub>2</sub>O <b>x <em>y z</em></b> no`},
		{"blocks of HTML", "<div align=center onclick=x><p>a <a href=\"javascript:x\">b</a> <img src=p.png onerror=x></div>\n", `<div class="html" id="L1"><div><p>a b <img src="/file?path=p.png" alt="" loading="lazy"></p></div>`},
		{"scripts", "<script>\nalert(1)\n</script>\n\n<style>a</style>\n", `<div class="html" id="L1">` + "\n</div>\n"},
		{"signs that are escaped", `\*a\* &lt;b&gt; &#0; &#x202e;`, `<p id="L1">*a* &lt;b&gt; `},
		{"front matter", "---\ntitle: x\n---\n# A\n", `<pre class="code front" tabindex="0"><code><span id="L2"><span class="name">title</span>: x</span>`},
		{"footnotes", "a[^1]\n\n[^1]: b\n", `<p id="L1">a<sup><a href="#fn1">1</a></sup></p>`},
		{"tildes that strike nothing out", "~5~ 好~\u2060~明~\u2060~ ~~~a~~~ ~~b~~", "~5~ 好~\u2060~明~\u2060~ ~~~a~~~ <del>b</del>"},
		{"strikes and addresses", "~~a~~ www.example.org", `<del>a</del> <a href="http://www.example.org" rel="noreferrer noopener">www.example.org</a>`},
		{"a link in a link", "[a https://example.org <a href=https://b.example>b</a> [[c]]](https://example.net)", `rel="noreferrer noopener">a https://example.org b <span class="nowhere">c</span></a>`},
	} {
		got := shownAs(Markdown, test.text, func(t *DocumentText) { t.DiagramNote = "A <diagram>" })
		if !strings.Contains(got, test.want) {
			t.Errorf("%s:\n%s\nlacks\n%s", test.name, got, test.want)
		}
		if err := isHarmless(got); err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, got)
		}
		if strings.Contains(got, "javascript:") || strings.ContainsAny(got, "\x00\u202e") || strings.Contains(got, "alert(") {
			t.Errorf("%s: %s", test.name, got)
		}
	}
	if got := shownAs(Markdown, "a\nb\n", func(t *DocumentText) { t.KeepsLineBreaks, t.HasLineNumbers = true, true }); got != "<p id=\"L1\" data-n=\"1\">a<br>\nb</p>\n" {
		t.Error(got)
	}
	if got := shownAs(Markdown, "# A *b*\n\nc\n", func(t *DocumentText) { t.Title = "A b" }); !strings.HasPrefix(got, `<h2 class="d1 same"`) {
		t.Error(got)
	}
}

// TestPassage checks that a passage, of which a page may have several, is rendered without IDs.
func TestPassage(t *testing.T) {
	got := shownAs(Markdown, "# A\n\n[b](#A)[^1] <h3>c</h3>\n\n```go\nd\n```\n\n[^1]: e\n", func(t *DocumentText) { t.IsPassage, t.Title = true, "A" })
	if strings.Contains(got, "id=") || strings.Contains(got, "<h") && !strings.Contains(got, "<hr>") || !strings.HasPrefix(got, `<p class="d1">A</p>`) || strings.Contains(got, `href="#`) {
		t.Error(got)
	}
}

// TestMarks checks that cited passages, matches and anchors are marked in each kind of text.
func TestMarks(t *testing.T) {
	mark := func(body, cited, hit string) func(*DocumentText) {
		return func(t *DocumentText) {
			from, at := strings.Index(body, cited), strings.Index(body, hit)
			t.CitedRange = Range{from, from + len(cited)}
			t.Highlights = []Highlight{{Range{at, at + len(hit)}, MatchHighlight}}
			t.Anchors = []Anchor{{from, "passage"}}
		}
	}
	for _, test := range []struct {
		name             string
		kind             TextKind
		text, cited, hit string
		want             string
	}{
		{"a paragraph", Markdown, "a\n\nb c *d e* f\n", "c *d", "d", `<p class="within" id="L3">b <a id="passage"></a><span class="in">c </span><em><mark class="in">d</mark> e</em> f</p>`},
		{"a table", Markdown, "|a|\n|-|\n|b c|\n", "b", "c", `<td class="within" id="L3"><a id="passage"></a><span class="in">b</span> <mark>c</mark></td>`},
		{"code", Markdown, "```sh\nif a\nb\n```\n", "if a\n", "if", `<span class="within" id="L2"><a id="passage"></a><span class="keyword"><mark>if</mark></span> a</span>`},
		{"what is not seen", Markdown, "a [b](c.md) d\n", "c.md", "c.md", `<p class="within" id="L1">a <a href="/doc?heading=&amp;path=c.md">b</a><a id="passage"></a> d</p>`},
		{"values", Table, "a,b\nc,\"d e\"\n", "c,\"d e\"", "e", `<td class="within" id="L2"><a id="passage"></a><span class="in">c</span></td><td class="within"><span class="in">d </span><mark class="in">e</mark></td>`},
		{"lines", SourceText, "a\nb c\n", "b", "c", `<div class="line within" id="L2"><span class="t"><a id="passage"></a><span class="in">b</span> <mark>c</mark>`},
	} {
		got := shownAs(test.kind, test.text, mark(test.text, test.cited, test.hit))
		if !strings.Contains(got, test.want) {
			t.Errorf("%s:\n%s\nlacks\n%s", test.name, got, test.want)
		}
	}
}

// TestWritten checks that a text shown as source is complete, line by line.
func TestWritten(t *testing.T) {
	body := "# A\n\n<b>&amp;\n```\n x\n```\n| a |\n"
	got := shownAs(SourceText, body, func(t *DocumentText) {
		t.IsMarkdownSource, t.HasLineNumbers, t.Divisions = true, true, []Division{{5, "page 2", "/doc?page=2", "as an image"}}
	})
	for _, want := range []string{
		`<div class="line heading" id="L1" data-n="1"><span class="t"># A` + "\n</span></div>", `<h2 class="division">page 2 <a href="/doc?page=2">as an image</a></h2>` + `
<div class="line" id="L3" data-n="3"><span class="t">&lt;b&gt;&amp;amp;`, `<div class="line aligned" id="L5" data-n="5"><span class="t"> x`, `<div class="line aligned" id="L7"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks\n%s", got, want)
		}
	}
	if got := said(t, got); got != "# A\n\npage 2 as an image\n<b>&amp;\n```\n x\n```\n| a |\n" {
		t.Errorf("%q", got)
	}
}

func TestTable(t *testing.T) {
	got := shownAs(Table, "a;b,c;d\n1;\"x \"\"y\"\"\"\n")
	for _, want := range []string{`<th id="L1">a</th><th>b,c</th><th>d</th>`, `<td id="L2">1</td><td>x &#34;y&#34;</td>`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks\n%s", got, want)
		}
	}
	body := "a,b\n1,2\n3,4\n"
	got = shownAs(Table, body, func(t *DocumentText) { t.From, t.HasLineNumbers = 8, true })
	if !strings.Contains(got, "<th id=\"L1\">a</th>") || strings.Contains(got, ">1<") || !strings.Contains(got, `<td id="L3" data-n="3">3</td>`) {
		t.Error(got)
	}
}

// said returns the text in a part of a page.
func said(t testing.TB, part string) string {
	t.Helper()
	var out strings.Builder
	for _, n := range parsed(t, part) {
		for c := range n.Descendants() {
			if c.Type == html.TextNode {
				out.WriteString(c.Data)
			}
		}
		if n.Type == html.TextNode {
			out.WriteString(n.Data)
		}
	}
	return out.String()
}

func parsed(t testing.TB, part string) []*html.Node {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(part), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// mayOccur are the elements that a part of a page may contain, with their attributes.
var mayOccur = map[string]string{
	"h2": "class id data-n", "h3": "class id data-n", "h4": "class id data-n", "h5": "class id data-n", "h6": "class id data-n", "p": "class id data-n", "ul": "", "ol": "start class", "li": "class id data-n", "blockquote": "", "hr": "", "br": "",
	"div": "class id data-n tabindex", "pre": "class tabindex", "code": "class", "details": "class open", "summary": "class id data-n", "span": "class id data-n role aria-label", "table": "", "thead": "", "tbody": "", "tr": "", "th": "class id data-n", "td": "class id data-n", "a": "class id href rel",
	"img": "src alt loading width", "em": "", "strong": "", "del": "", "mark": "class", "sup": "", "sub": "", "b": "", "i": "", "u": "", "s": "", "ins": "", "kbd": "", "small": "", "dl": "", "dt": "", "dd": "",
}

// isHarmless returns an error if a part of a page contains an element or attribute that may not
// occur.
func isHarmless(part string) error {
	nodes, err := html.ParseFragment(strings.NewReader(part), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		return err
	}
	ids := make(map[string]bool)
	for _, n := range nodes {
		if err := isHarmlessNode(n, ids); err != nil {
			return err
		}
		for c := range n.Descendants() {
			if err := isHarmlessNode(c, ids); err != nil {
				return err
			}
		}
	}
	return nil
}

func isHarmlessNode(n *html.Node, ids map[string]bool) error {
	switch n.Type {
	case html.TextNode:
		return nil
	case html.ElementNode:
	default:
		return fmt.Errorf("a node of type %d", n.Type)
	}
	attributes, may := mayOccur[n.Data]
	if !may || n.Namespace != "" {
		return fmt.Errorf("<%s>", n.Data)
	}
	for _, a := range n.Attr {
		if !slices.Contains(strings.Fields(attributes), a.Key) || a.Namespace != "" {
			return fmt.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
		}
		if err := isHarmlessValue(n.Data, a.Key, a.Val, ids); err != nil {
			return err
		}
	}
	return nil
}

func isHarmlessValue(element, key, value string, ids map[string]bool) error {
	switch key {
	case "id":
		if ids[value] {
			return fmt.Errorf("two elements are %q", value)
		}
		ids[value] = true
		if strings.Trim(value, "abcdefghijklmnopqrstuvwxyzL0123456789") != "" {
			return fmt.Errorf("an id %q", value)
		}
	case "href", "src":
		u, err := url.Parse(value)
		if err != nil {
			return err
		}
		isOwn := u.Scheme == "" && u.Host == "" && (strings.HasPrefix(value, "/") || strings.HasPrefix(value, "#"))
		if !isOwn && (element == "img" || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme)) {
			return fmt.Errorf("%s leads to %q", element, value)
		}
	case "data-n", "start", "width", "tabindex":
		if _, err := strconv.Atoi(value); err != nil {
			return err
		}
	case "class":
		if strings.Trim(value, "abcdefghijklmnopqrstuvwxyz0123456789- ") != "" {
			return fmt.Errorf("a class %q", value)
		}
	case "open":
		if value != "" {
			return fmt.Errorf("open is %q", value)
		}
	case "rel":
		if value != "noreferrer noopener" {
			return fmt.Errorf("rel is %q", value)
		}
	}
	return nil
}

// FuzzHTML checks that the HTML of any text contains only what may occur.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{
		"# A\n\n> [!note] b\n> c\n\n- d\n  1. e\n\n|f|\n|-|\n|g|\n", "---\na: b\n---\n[[c|d]] ![[e.png]] [f](g.md#h) ![i](j.png)\n", "<div onclick=x><a href='javascript:y'>z</a><svg><script>\n", "```go\n/* a\n*/ \"b\n```\n    c\n",
		"> [!note]- a ==b== $c$\n> d\n>> [!tip]+ e\n>> f\n", "$$\na_b*c*<i>\n\\\\$$\n$a$b$ $$x$$ =====\n", "---\na: \"[[b|c#d]]\"\ne: https://f.g/\"h [[javascript:i]]\n---\n```mermaid\nj<b>\n```\n<mark class=x>k</mark> ==<mark>l==</mark>\n",
		"a[^1] ~~b~~ www.c.d <b@c.d>\n\n[^1]: e\n[f]: javascript:g 'h'\n", "a,\"b\n\",c\nd;e\n", "---\ntags: [#a, '[[b]]', \"c d\"]\n---\n#a<b> [#c](d) #e\"f\n", "<b><a href=http://x>[y](http://z)</a><table><li><p><b>\n", "&#106;avascript: &lt;script&gt; \\<b>\n<!-- a -->\n", "a\n=\n> - > - b\n\n***a **b*c**\n",
	} {
		for kind := range 4 {
			f.Add(seed, uint8(kind), 0, 3, 9)
		}
	}
	f.Fuzz(func(t *testing.T, body string, kind uint8, from, passage, mark int) {
		body = strings.ToValidUTF8(strings.ReplaceAll(body, "\r", ""), "")
		at := func(n int) int { return min(max(n, 0), len(body)) }
		starts := lineStarts(body)
		first := starts[min(max(from, 0), len(starts)-1)]
		text := DocumentText{
			Body: body, From: first, To: len(body), Kind: TextKind(kind % 4), Language: "go", DiagramNote: "<d>", HasLineNumbers: true, KeepsLineBreaks: kind > 128, IsMarkdownSource: kind > 128, IsPassage: kind&64 != 0, Title: "A",
			Divisions: []Division{{at(passage), "<p>", "/doc?a=\"", "x"}}, Highlights: sortMarks([]Highlight{{Range{at(mark), at(mark + 4)}, MatchHighlight}, {Range{at(mark + 5), at(mark + 6)}, SubstituteHighlight}}),
			CitedRange: Range{at(passage), at(passage + 7)}, Anchors: []Anchor{{at(passage), "passage"}},
			LinkURL: func(l Link) string { return "/doc?" + url.Values{"path": {l.Target}}.Encode() }, PictureURL: func(l Link) string { return "/file?" + url.Values{"path": {l.Target}}.Encode() },
			TagURL: func(name string) string { return "/search?" + url.Values{"tag": {name}}.Encode() },
		}
		page := string(HTML(text))
		if err := isHarmless(page); err != nil {
			t.Errorf("%q has %v\n%s", body, err, page)
		}
		if strings.Count(page, `<a id="passage">`) != 1 {
			t.Errorf("%q has no place of the passage, or several:\n%s", body, page)
		}
	})
}

// hostile returns texts of a size that are expensive to render, by kind.
func hostile(size int) map[string]string {
	repeat := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	nested, ticks := "", ""
	for i := 0; len(nested) < size; i++ {
		nested += strings.Repeat("  ", i) + "- a\n"
	}
	for i := 1; len(ticks) < size; i++ {
		ticks += strings.Repeat("`", i) + " "
	}
	return map[string]string{
		"nested lists": nested, "one line of lists": repeat("- ") + "a\n", "quotations": repeat("> ") + "a\n", "many quotations": strings.Repeat(strings.Repeat("> ", 500)+"a\n", size/1000), "both": repeat("> - ") + "a\n",
		"footnotes": repeat("[^a]:") + "x\n", "many footnotes": repeat("[^a]: x[^a]\n\n"), "uses of footnotes": repeat("[^1] ") + "\n\n[^1]: x\n",
		"brackets": repeat("["), "links": repeat("[a]("), "links on lines": repeat("[a](\n"), "wiki links": repeat("[["), "pictures": repeat("!["), "stars": repeat("*a**a "), "stars on lines": repeat("*a**a\n"), "stars in paragraphs": repeat("*a**a*a**a*a**a*a**a*a**a*a**a*a**a\n\n"),
		"links in paragraphs": repeat(strings.Repeat("[a](", 2900) + "\n\n"), "stars of paragraphs": repeat(strings.Repeat("*a**a ", 1900) + "\n\n"), "ticks": ticks, "angles": repeat("<a "), "comments": repeat("<!--"), "entities": repeat("&"),
		"references": repeat("[a]: b\n"), "references apart": repeat("[a]: b\n\n"), "uses of a reference": "[a]: b\n\n" + repeat("[a] [a][a]\n\n"), "columns": repeat("|a") + "|\n" + repeat("|-") + "|\n" + repeat("|b") + "|\n",
		"empty cells": strings.Repeat("|a", 150) + "|\n" + strings.Repeat("|-", 150) + "|\n" + repeat("|b|\n"), "rows": "|a|\n|-|\n" + repeat("|b|\n"), "a heading": "# " + repeat("*a**a "), "an underlined heading": repeat("*a**a\n") + "===\n", "items": repeat("- a\n"), "items apart": repeat("- a\n\n"), "numbers": repeat("1. a\n"),
		"elements": repeat("<div>"), "elements of tables": repeat("<table><b>"), "blocks of elements": repeat("<div><b><a>\n\n"), "inline elements": repeat("a<b>"), "one line": repeat("word "), "lines": repeat("word word\n"), "tabs": repeat("\t"), "escapes": repeat("\\["), "addresses": repeat("http://a.b/ "), "mail": repeat("a@b"),
		"strings": "```js\n" + repeat("`\\") + "\n```\n", "many strings": "```js\n" + repeat("\"a\\\n") + "```\n", "open code": repeat("```\n"), "callouts": repeat("> [!a] b\n\n"), "folded callouts": repeat("> [!a]- b\n>> [!c]+\n\n"), "dollars": repeat("$"), "formulas": repeat("$a "), "blocks of dollars": repeat("$$\n"), "open formulas": repeat("$$a\n\n"), "double dollars": repeat("a $$b "), "highlights": repeat("==a "), "highlights on lines": repeat("==a\n"), "signs of equality": repeat("="), "front matter": "---\n" + strings.Repeat("a: [[b\n", 9000) + "---\n" + repeat("c "), "values": repeat("\"a\"\"b,"), "open values": repeat("\"a\n"), "semicolons": repeat(";"), "words": repeat("a-"), "underlines": repeat("a\n-\n"),
	}
}

// TestHostile checks that the time for rendering does not grow with the square of the length.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	const size = 300_000
	for name, body := range hostile(size) {
		for kind := SourceText; kind <= Code; kind++ {
			begin := time.Now()
			page := shownAs(kind, body, func(t *DocumentText) { t.Language = "js" })
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("%s as %d takes %v", name, kind, took)
			} else if took > 200*time.Millisecond {
				t.Logf("%s as %d: %v", name, kind, took)
			}
			if len(page) > 60*len(body) {
				t.Errorf("%s as %d becomes %d bytes", name, kind, len(page))
			}
		}
	}
}

// BenchmarkHTML renders a note of 5,000 lines with a marked word in each.
func BenchmarkHTML(b *testing.B) {
	body := strings.Repeat("## A heading\n\nA line with *signs*, `code` and [[links]] of a note.\n- an item of a list\n- another\n\n| a | table |\n| --- | --- |\n| of | words |\n\n", 500)
	var marks []Highlight
	for at := 0; ; at++ {
		n := strings.Index(body[at:], "note")
		if n < 0 {
			break
		}
		at += n
		marks = append(marks, Highlight{Range{at, at + 4}, MatchHighlight})
	}
	for b.Loop() {
		HTML(DocumentText{Body: body, To: len(body), Kind: Markdown, HasLineNumbers: true, Highlights: marks, LinkURL: func(Link) string { return "/doc" }})
	}
}

func TestPages(t *testing.T) {
	body := "# A\n\naa\naa\n\n```\nb\n\n# no\n```\n\nc\n"
	for most, want := range map[int]string{100: "[0]", 24: "[0 12]", 30: "[0 29]"} {
		if got := fmt.Sprint(PageStarts(body, true, most)); got != want {
			t.Errorf("of %d bytes: %s, want %s", most, got, want)
		}
	}
	if got := fmt.Sprint(PageStarts("aaaa\nb\n"+"高高高高\nc", false, 7)); got != "[0 7 13 20]" {
		t.Error(got)
	}
	if got := fmt.Sprint(PageStarts("# A\n"+strings.Repeat("x", 100), true, 50)); got != "[0 50 100]" {
		t.Error(got)
	}
	if got := PageStarts(strings.Repeat("x", 1000), true, 100); len(got) != 10 {
		t.Error(got)
	}
}

func TestOutline(t *testing.T) {
	body := "---\na: b\n---\n# A [b](c) `d` {#x}\n\n```\n# no\n```\nUnder *line*\n---\n\n---\n## \n### 深 入 ##\n"
	got := Outline(body)
	if want := "[{1 A b d 4 13} {2 Under line 9 47} {3 深 入 14 73}]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	for fragment, want := range map[string]string{"a-b-d": "A b d", "深-入": "深 入", "X#under-line": "Under line", "none": "", "": ""} {
		if h, _ := FindHeading(got, fragment); h.Title != want {
			t.Errorf("#%s is %q", fragment, h.Title)
		}
	}
}

// sortMarks sorts marks by position, as a Text wants them, and drops those that begin inside
// another. Of marks that begin at the same place it keeps the first.
func sortMarks(marks []Highlight) []Highlight {
	slices.SortStableFunc(marks, func(a, b Highlight) int { return a.From - b.From })
	end := 0
	return slices.DeleteFunc(marks, func(m Highlight) bool {
		if m.From < end || m.From >= m.To {
			return true
		}
		end = m.To
		return false
	})
}
