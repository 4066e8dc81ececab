package html

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/extract/markdown"
)

func TestHTML(t *testing.T) {
	tests := []struct{ name, page, want string }{
		{"text stays as it is", "<p>1 * 2 * 3, 6_a_b [x] # <b>bo</b>ld <em>em</em> <code>f()</code></p>", "1 * 2 * 3, 6_a_b [x] # bold em f()\n"},
		{"links and images", `<p><a href="http://a.b/c">a link</a> <img src="data:image/png;base64,AAAA" alt="a cat"></p>`, "a link a cat\n"},
		{"headings and lists", "<h2>One</h2><ul><li>a</li><li>b</li></ul><ol start=3><li>c</li></ol>", "## One\n\n- a\n- b\n\n3. c\n"},
		{"table", "<table><tr><td>a</td><td>b<br>c</td></tr><tr><td>1</td><td>2</td></tr><tr><td></td><td> </td></tr></table>", "| a | b c |\n| --- | --- |\n| 1 | 2 |\n"},
		{"layout table", `<table role="presentation"><tr><td><p>left</p><h2>right</h2></td></tr></table>`, "left\n\n## right\n"},
		{"code", "<pre><code class=\"language-go\">x := 1\n  y</code></pre>", "```go\nx := 1\n  y\n```\n"},
		{"definitions", "<dl><dt>Term</dt><dd>What it is</dd></dl>", "Term\n\nWhat it is\n"},
		{"details, captions, forms", "<details><summary>More</summary>text</details><figure><figcaption>Cap</figcaption></figure><select><option>A</option><option>B</option></select><textarea>typed</textarea>", "More\n\ntext\n\nCap\n\nA\n\nB\n\ntyped\n"},
		{"without scripts", "<p>shown</p><noscript><p>no script</p></noscript><script>var hidden</script><style>x{}</style><template>t</template>", "shown\n\nno script\n"},
		{"an entity and a NUL", "<p>a&nbsp;&lt;b&gt;\x00</p>", "a\u00a0<b>\n"},
		{"deep", strings.Repeat("<div>", 20_000) + "deep text" + strings.Repeat("</div>", 20_000), "deep text\n"},
		{"deep with blocks", strings.Repeat("<div>", 600) + "<h1>Title</h1><p>one<sup>1</sup><br>two</p><ul><li>a</li></ul><pre>x\n y</pre><table><tr><td>1</td><td>2</td></tr></table>",
			"# Title\n\none¹\ntwo\n\n- a\n\n```\nx\n y\n```\n\n1 | 2\n"},
		{"number signs", "<h1>#</h1><h2>C#</h2><h3>语言#</h3>", "# #\n\n## C#\n\n### 语言#\n"},
		{"references twice", "<p>&amp;lt; a &lt; b</p><pre>c &lt; d</pre>", "&lt; a < b\n\n```\nc < d\n```\n"},
		{"marks of notes", `<p>hypoglycaemia<sup>12</sup>, word<sup><a href="#a">3</a>,<a href="#b">7–9</a></sup>, x<a href="#c"><sup>4</sup></a> y<span style="vertical-align: super">5</span> z<a epub:type="noteref" href="#d">6</a> z<a role="doc-noteref">7</a> z<a href="#e">8</a> 1<sup>s<i>t</i></sup>`,
			"hypoglycaemia¹², word³,⁷⁻⁹, x⁴ y⁵ z⁶ z⁷ z8 1st\n"},
		{"changes", "<p>Take <del>5 mg</del><ins>10 mg</ins>, <s>€50</s><b>€40</b>, <del>5 mg</del>10 mg, <del>4</del>, colo<del>u</del>r", "Take ~~5 mg~~ 10 mg, ~~€50~~ €40, ~~5 mg~~ 10 mg, ~~4~~, colour\n"},
		{"struck-out blocks, cells and styles", "<del><p>One <b>two</b>\n three.</p><p>Four</p></del><ul><li><s>a</s> b<li><s>c</s></ul><table><tr><th>x<th>y<tr style='color: red; text-decoration:underline line-through'><td>5 | 6<td>d<tr><td><s> e </s><td>f</table>" +
			"<p>10<s><sup>2</sup></s>, <span style='text-decoration-line: line-through'>5<br>mg</span> <strike>x</strike>, <span style='text-decoration: none'>g</span> 每日<s>两</s>三次",
			"~~One two three.~~\n\n~~Four~~\n\n- ~~a~~ b\n- ~~c~~\n\n| x | y |\n| --- | --- |\n| ~~5 \\| 6~~ | ~~d~~ |\n| ~~e~~ | f |\n\n10~~²~~, ~~5\nmg x~~, g 每日~~两~~三次\n"},
		{"lists with letters", `<ol reversed><li>a<li>b</ol><ol type="a" start="3"><li>c</ol><ol style="color: red; list-style-type: upper-roman"><li>d<li>e</ol><ol reversed start=10><li>f<li>g</ol>`,
			"2. a\n1. b\n\nc. c\n\nI. d\nII. e\n\n10. f\n9. g\n"},
		{"captions", `<figure><img src="a.png" alt="Tides of May"><figcaption>Figure 1: Tides of  May</figcaption></figure><div class="figure"><img alt="A cat"><p class="caption">A cat</p></div><figure><img alt="A dog"><figcaption>Its owner</figcaption></figure>`,
			"Figure 1: Tides of May\n\nA cat\n\nA dog\n\nIts owner\n"},
		{"exponents", "<p>10<sup>9</sup>/L, 10<sup>−3</sup>, H<sub>2</sub>O, 1<sup>st</sup></p>", "10⁹/L, 10⁻³, H2O, 1st\n"},
		{"ruby", "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>を読む</p>", "漢字(かんじ)を読む\n"},
		{"link without text", `<p><a href="https://x.org/a"></a> <a href="/b"></a> <a href="https://x.org/share?text=a"></a> <a href="mailto:a@x.org"><img></a></p>`, "https://x.org/a a@x.org\n"},
		{"navigation beside a text", `<nav><a href="/">Home</a><ul><li>Salt</ul><nav>inner</nav></nav><div role="navigation">Next</div><p>Salt keeps fish from spoiling, as it takes the water out of what would spoil it.`,
			"Salt keeps fish from spoiling, as it takes the water out of what would spoil it.\n"},
		{"links side by side", `<nav><a href="/">Home</a><a href="/n">News</a></nav>`, "Home News\n"},
		{"ten items", "<ol>" + strings.Repeat("<li>x", 10) + "<li value=20>y</ol>", strings.Join([]string{"1. x", "2. x", "3. x", "4. x", "5. x", "6. x", "7. x", "8. x", "9. x", "10. x", "20. y"}, "\n") + "\n"},
		{"tasks as Pandoc 2.17 and 3 and Marked 18 write them", `<ul><li><input type="checkbox" disabled="" checked="" />a</li><li><label><input type="checkbox" />b</label></li><li><p><input disabled="" type="checkbox"> c</p></li></ul>`, "- [x] a\n- [ ] b\n- [ ] c\n"},
		{"check boxes of menus and forms", `<ul><li><input type="checkbox" id="more"><label for="more">a</label></li><li>b <input type="checkbox" disabled></li></ul><p><input type="checkbox" disabled>c</p>`, "- a\n- b ☐\n\n☐ c\n"},
		{"check boxes and radio buttons of a form", `<form><p><input type="checkbox" id=l checked> Latex <input type="checkbox">Nuts</p><ul><li><label><input type="checkbox" checked>task</label></ul></form><fieldset><input type=radio name=a checked>yes<input type=radio name=a>no</fieldset><input type=radio id=t><label for=t>Tab</label>`,
			"☑ Latex ☐ Nuts\n\n- [x] task\n\n☑ yes ☐ no\n\nTab\n"},
		{"nothing chosen yet", `<select><option value="" selected disabled>Please choose<option>Ward 1<option>Ward 2</select>`, "Please choose\n\nWard 1\n\nWard 2\n"},
		{"chosen options", `<p>Dose</p><select><option>5 mg<optgroup label=more><option selected>10 mg<option>20 mg</optgroup></select><select multiple><option selected>a<option>b<option selected>c</select><select><option selected>x<option selected>y</select><select><option>1<option>2</select>`,
			"Dose\n\n10 mg\n\na\n\nc\n\ny\n\n1\n\n2\n"},
		{"lists in lists", "<ol><li>a<ul><li>b</ul><li><pre>x\n y</pre></ol>", "1. a\n\n   - b\n2. ```\n   x\n    y\n   ```\n"},
		{"line ends", "<p>a<br>b  <br> c\nd</p>", "a\nb\nc d\n"},
		{"a title above the columns", "<table><tr><td colspan=2>Results<br>of May<tr><td colspan=2> <tr><td>Name<td>Mark<tr><td>Ann<td>9<tr><td colspan=2>Total: 1</table>",
			"Results of May\n\n| Name | Mark |\n| --- | --- |\n| Ann | 9 |\n| Total: 1 |  |\n"},
		{"spans end with their group", "<table><thead><tr><th rowspan=2>Name<th>Year<tbody><tr><td rowspan=9>North<td>1<tr><td>2<tbody><tr><td>South<td>3</table>",
			"| Name | Year |\n| --- | --- |\n| North | 1 |\n| North | 2 |\n| South | 3 |\n"},
		{"spans of cells", "<table><caption>Doses</caption><tr><th>Drug<th>Dose<th>Unit<tr><td rowspan=2>A<td colspan=2>none<tr><td>1<td>mg|g</table>",
			"Doses\n\n| Drug | Dose | Unit |\n| --- | --- | --- |\n| A | none |  |\n| A | 1 | mg\\|g |\n"},
		{"blocks in cells", "<table><tr><th>Drug<th>Dose<tr><td><p>A</p><p>B</p><td><ul><li>1</ul></table>", "| Drug | Dose |\n| --- | --- |\n| A B | - 1 |\n"},
		{"table in a table", "<table><tr><td>Home<td>News<tr><td><table><tr><th>Drug<th>Dose<tr><td>A<td>1</table><td>side</table>",
			"Home | News\n\n| Drug | Dose |\n| --- | --- |\n| A | 1 |\n\nside\n"},
		{"table of long texts", "<table><tr><td>a<td>b<tr><td>c<td>" + strings.Repeat("x", maxCellText+1) + "</table>", "a | b\n\nc | " + strings.Repeat("x", maxCellText+1) + "\n"},
		{"menus and drawings", "<menu><li>a</menu><svg><text>Jan</text><text>Feb</text></svg><center>c</center>", "- a\n\nJan\n\nFeb\n\nc\n"},
		{"fields", `<form><input value="typed"><input type=hidden value=secret><input type=submit value="Send"></form>`, "typed Send\n"},
		{"comments", "<p>a<!-- x -->b<!-- y --> c</p>", "ab c\n"},
		{"blocks in a link", `<a href="x"><span>Tech</span><h2>News</h2></a>`, "Tech\n\n## News\n"},
		{"items without a list", "<a><li>One</li></a><a><li>Two</li></a>", "One\n\nTwo\n"},
		{"a list in a heading", "<h2>A<ul><li>b</li><li>c</li></ul></h2>", "## A b c\n"},
		{"a heading not closed", "<h2>A<p>" + strings.Repeat("x", 3*markdown.MaxHeadingCharacters) + "</p><h3>B</h3>", "A\n\n" + strings.Repeat("x", 3*markdown.MaxHeadingCharacters) + "\n\n### B\n"},
		{"formula with TeX", `<math><semantics><mi>x</mi><annotation encoding="application/x-tex">\frac{x}{2}</annotation></semantics></math><img class="mwe-math-fallback-image-inline" alt="x/2">`, "\\frac{x}{2}\n"},
		{"formula without TeX", `<p>Count <math><mn>4.5</mn><mo>×</mo><msup><mn>10</mn><mn>9</mn></msup><mo>/</mo><mi>L</mi></math>, <math><msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt></math>, <math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac></math> and <math>x</math>.`,
			"Count 4.5×10⁹/L, √(a+b), (a+b)/c and x.\n"},
		{"formula", `<math><semantics><mi>x</mi><annotation-xml><ci>x</ci></annotation-xml></semantics></math><span class="katex-html">x</span>`, "x\n"},
		{"Chinese over several lines", "<p>中文\n\t换行。\n「好」\nabc</p><pre>中\n文</pre>", "中文换行。「好」 abc\n\n```\n中\n文\n```\n"},
		{"bookmarks", `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://example.org/green?id=5" TAGS="thyroid,dose">Green book</A><DD>Doses<DT><A HREF="javascript:x">Script</A><DT><A HREF="https://example.org/blue"></A></DL>`,
			"Green book https://example.org/green?id=5 (thyroid, dose)\n\nDoses\n\nScript\n\nhttps://example.org/blue\n"},
		{"bookmarks in folders", "<!DOCTYPE NETSCAPE-Bookmark-file-1><H1>Bookmarks</H1>\n<DL><p>\n<DT><H3>Bar</H3>\n<DD>Of the bar\n<DL><p>\n<DT><A HREF=\"a:1\">A</A>\n<DT><H3>Guidelines</H3>\n<DL><p>\n<DT><A HREF=\"b:1\">B</A>\n</DL><p>\n" +
			"<DT><A HREF=\"c:1\">C</A>\n<DD>Note of C\n</DL><p>\n<DT><A HREF=\"d:1\">D</A>\n</DL><p>",
			"# Bookmarks\n\nD d:1\n\n## Bar\n\nOf the bar\n\nA a:1\n\nC c:1\n\nNote of C\n\n### Guidelines\n\nB b:1\n"},
		{"a digit struck out", "<p>Take 1<s>0</s>5 mg, not 1<del>0</del> 5.</p>", "Take 1~~0~~5 mg, not 1~~0~~ 5.\n"},
		{"XHTML", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><a id="x"/><p>after</p></body></html>`, "after\n"},
	}
	for _, tt := range tests {
		if got, _, err := Markdown(tt.page); err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestHTMLWithoutText(t *testing.T) {
	_, _, err := Markdown("<html><head><title>Only a title</title></head><body><script>x</script></body></html>")
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
}

func encodedPage(t *testing.T, e encoding.Encoding, text string) string {
	t.Helper()
	s, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHTMLEncodings(t *testing.T) {
	page := func(head, body string) string {
		return "<html><head>" + head + "<title>姜茶</title></head><body>" + body + "</body></html>"
	}
	text := "生姜切片，加红糖煮十分钟，怕冷的人可以每天喝一杯。"
	tests := []struct{ name, raw, encoding string }{
		{"UTF-8", page("", text), ""},
		{"label", encodedPage(t, simplifiedchinese.GB18030, page(`<meta charset="gb2312">`, text)), "GB18030"},
		{"old label", encodedPage(t, traditionalchinese.Big5, page(`<meta http-equiv="Content-Type" content="text/html; charset=big5">`, "生薑切片加紅糖")), "Big5"},
		{"no label", encodedPage(t, simplifiedchinese.GB18030, page("", text)), "GB18030"},
		{"wrong label", encodedPage(t, simplifiedchinese.GB18030, page(`<meta charset="utf-8">`, text)), "GB18030"},
		{"label behind a script", encodedPage(t, traditionalchinese.Big5, page("<script>"+strings.Repeat("var x; ", 1000)+`</script><meta charset="big5">`, "生薑切片加紅糖")), "Big5"},
		{"UTF-8 under another label", page(`<meta charset="gb2312">`, text), ""},
	}
	for _, tt := range tests {
		c, err := Read([]byte(tt.raw), extract.NoProgress)
		if err != nil || c.Encoding != tt.encoding || !strings.Contains(c.Text, "切片") || strings.Contains(c.Text, "\uFFFD") {
			t.Errorf("%s: %q in %q, %v", tt.name, c.Text, c.Encoding, err)
		}
		if tt.encoding != "Big5" && c.Title != "姜茶" {
			t.Errorf("%s: title %q", tt.name, c.Title)
		}
	}
}

func TestHTMLTitle(t *testing.T) {
	for page, want := range map[string]string{
		"<title> A\n title </title><h1>x</h1>":                                 "A title",
		"<title></title><meta property=og:title content='Declared'><h1>x</h1>": "Declared",
		"<svg><title>icon</title></svg><h1>Head<b>ing</b></h1>":                "Heading",
		"<p>x": "",
		strings.Repeat("<div>", 600) + "<title>Deep</title>x": "Deep",
	} {
		if _, title, err := Markdown(page); err != nil || title != want {
			t.Errorf("%.80q: title %q, %v, want %q", page, title, err, want)
		}
	}
}

// TestHTMLBombs reads pages whose tree would be far larger than the page, or take far longer to
// build.
func TestHTMLBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute under the race detector, on one goroutine")
	}
	for name, page := range map[string]string{
		"headings":     strings.Repeat("<h1><div>", 250) + strings.Repeat("<p></p>", 50_000) + "x",
		"formulas":     strings.Repeat("<math><annotation>x", 20_000) + "</math>x",
		"formatting":   strings.Repeat("<b><p>x", 20_000),
		"links":        strings.Repeat("<a><div>x", 20_000),
		"tables":       strings.Repeat("<table><tr><td>x", 5_000),
		"fostered":     "<table>" + strings.Repeat("x<tr>", 100_000),
		"attributes":   "<p " + strings.Repeat("a ", 200_000) + ">x",
		"selects":      strings.Repeat("<select><option>x", 50_000),
		"unclosed":     strings.Repeat("<p", 200_000) + ">x",
		"no tags":      strings.Repeat("x < y & z ", 200_000),
		"empty tags":   "<?xml?>" + strings.Repeat("<a/>", 100_000) + "x",
		"columns":      "<table>" + strings.Repeat("<tr><td colspan=1000000000 rowspan=1000000000>x<td>y", 1_000),
		"inner tables": strings.Repeat("<table><tr><th>a<br>b<td>c<tr><td>x<td>", 60),
		"lists":        strings.Repeat("<ul><li>a", 250) + strings.Repeat("x ", 500_000),
		"ignored ends": strings.Repeat("x</y>", 300_000),
		"comments":     strings.Repeat("x<!-- -->", 100_000),
		"ordered list": strings.Repeat("<ol><li>x", 300),
		"style sheet":  "<style>" + strings.Repeat(".a>b{display:block}.a{display:none;c{", 50_000) + "</style>" + strings.Repeat("<p class=a>y</p>", 50_000) + "x",
		"hidden parts": "<script>a</script>x<a href=http://b>" + strings.Repeat("<i class=c hidden>y</i>", 50_000) + strings.Repeat("<div style='visibility:hidden'>y", 250),
	} {
		text, _, err := Markdown(page)
		if err != nil || !strings.Contains(text, "x") {
			t.Errorf("%s: %.80q, %v", name, text, err)
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<p>a<b>c</p>", "<table><tr><td>x<td>y", "<ul><li>a<li>b</ul>", "<pre>x</pre>", "<!DOCTYPE html><title>t</title>", "<h1>x</h1><select><option>a",
		"<?xml version='1.0'?><html xmlns='x'><br/><p/>", "<meta charset=gbk>\xb8\xdf", "\xff\xfe<\x00p\x00>\x00x\x00", "<svg><title>x</title></svg><math>",
		"<h1>#</h1><ol><li value=3>a<pre>b</ol>", "<table><caption>c<tr><td colspan=3>a<td rowspan=2><table><tr><td>b", "<ruby>a<rt>b</ruby>c<sup>2</sup><a href=http://x></a><blockquote>q",
		"<style>/*x*/.a,#b>c:not(d){display:none}@media x{[e=f]{visibility:hidden!important}}</style><p class=a hidden>x<b style='max-height:0;overflow:hidden'>y</b><s>z", "<style>\\31 .a{text-decoration:line-through",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

func TestCloseTags(t *testing.T) {
	for in, want := range map[string]string{
		`<title/><a id="x"/>y<br/><img src="a/b" />`: `<title></title><a id="x"></a>y<br/><img src="a/b" />`,
		`<p>a < b /> c</p>`:                          `<p>a < b /> c</p>`,
	} {
		if got := ExpandSelfClosingTags(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestStruckWithoutTree checks that struck-out text has marks where a page is converted tag by tag.
func TestStruckWithoutTree(t *testing.T) {
	text, _, err := flatMarkdown("<p>Take <s>5 <b>mg</b></s>10 mg<del><p>One</p><p>Two</p></del><table><tr><td><s>a</s><td><s>b</s> c</table>", nil)
	if want := "Take ~~5 mg~~ 10 mg\n\n~~One~~\n\n~~Two~~\n\n~~a~~ | ~~b~~ c\n"; err != nil || text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, text, want)
	}
}
