package html

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func TestHiddenText(t *testing.T) {
	const script = "<script src=page.js></script>"
	long := strings.Repeat("Take it with food. ", 100)
	tests := []struct{ name, page, want string }{
		{"attribute", "<p>Take 5 mg.</p><p hidden>Take 50 mg.</p><div hidden=hidden><p>no</p></div><p hidden=until-found>found</p>", "Take 5 mg. found"},
		{"style attribute", `<p>a</p><p style="color:red; DISPLAY : NONE !important">b</p><span style="visibility:hidden">c</span><div style="display:none"><p>d</p></div><p style="display:block">e</p>`, "a e"},
		{"preview text of a mail", `<div style="display:none;font-size:1px;max-height:0px;overflow:hidden">preview</div><div style="max-height:0;overflow:hidden;opacity:0">preview</div><div style="max-height:0.5em;overflow:hidden">b</div><p>a</p>`, "b a"},
		{"rules of the page", `<style>/* p{} */ p.old, #draft {display:none} .gone{visibility:hidden;} section{display:none}</style><p class="x old">1</p><p id=draft>2</p><b class=gone>3</b><p class=older>4</p><section>5</section><div class=old>6</div>`, "4 6"},
		{"a rule that wins", `<style>.a{display:none} .a{display:block} p.b{display:none} .b{display:inline} .c{display:none!important} #d{display:none} [hidden]{display:none!important} .e{display:flex}</style><p class=a>a</p><p class=b>b</p><p class=c style="display:block">c</p><p id=d style="display:block">d</p><p class=e hidden>e</p>`, "a d"},
		{"a rule beats the attribute", `<style>.e{display:flex}</style><p class=e hidden>e</p>`, "e"},
		{"in some windows only", `<style media=print>.a{display:none}</style><style>@media print{.b{display:none}} @media (max-width:600px){.c{display:block!important}} .c{display:none} @import url(x.css); @font-face{src:url("a}b")} .d{display:none}</style><p class=a>a</p><p class=b>b</p><p class=c>c</p><p class=d>d</p>`, "a b c"},
		{"in some states only", `<style>.menu{display:none} li:hover > .menu{display:block} .tip{display:none} :target{display:block} .x::before{display:none} p:not(.y){display:none} .z + .w{display:none} .z:hover .w{display:none} .z ~ p b{display:none}</style><ul><li>a<div class=menu>b</div></ul><p class=tip>c</p><p class=x>d</p><p class=z></p><p class=w><b>e</b></p>`, "- a b\n c d e"},
		{"visible in an invisible element", `<div style="visibility:hidden">a <b style="visibility:visible">b</b> <img alt=c> <i>d</i></div><table><tr style="visibility:collapse"><td>e</table>`, "b"},
		{"seen or heard", `<p aria-hidden=true>a</p><p style="opacity:0">b</p><p style="color:white">c</p><p style="position:absolute;left:-9999px">d</p><p style="display: hidden">e</p>`, "a b c d e"},
		{"what a person can open", `<details><summary>a</summary>b</details><dialog open>c</dialog><dialog>d</dialog><button popovertarget=e>e</button><div id=e hidden>f</div>`, "a b c e f"},
		{"tabs and accordions", `<a href="#t1">One</a><div role=tabpanel id=t2 style="display:none">a</div><div id=t1 hidden>b</div><h3 aria-expanded=false>c</h3><div style="display:none">d</div><div class="faq-answer" style="display:none">e</div><div class=collapse style="display:none">f</div><button aria-controls="x g">g</button><div hidden id=g>h</div>`, "One a b\n ### c\n d e f g h"},
		{"what a script names", `<script>$(".reply").toggle(); document.getElementById("solution2")</script><p class=reply hidden>a</p><p id=solution2 hidden>b</p><p class=other hidden>c</p>`, "a b"},
		{"one of several in turn", script + `<div class="slide on">a</div><div class=slide hidden>b</div><table><tr><td>1<td>x<tr style="display:none"><td>2<td>y</table><p hidden class=q>c</p>`, "a b\n | 1 | x |\n| --- | --- |\n| 2 | y |"},
		{"alike without a script", `<p class=note>a</p><p class=note hidden>b</p>`, "a"},
		{"a page before its script has run", `<style>body{display:none} html{visibility:hidden}</style><body><p>a</p><p hidden>b</p>`, "a"},
		{"most of the page", `<p>Loading</p><div id=app hidden>` + long + `</div>`, "Loading " + long},
		{"all of a page with scripts", script + `<div id=app hidden>a</div>`, "a"},
		{"links and headings of hidden text", `<h2 hidden>a</h2><a href="https://example.org/x"><span hidden>b</span></a><a href="https://example.org/y"></a><p>c</p>`, "https://example.org/y\n c"},
		{"formulas for those who cannot see the picture", `<span style="display:none"><math><mi>x</mi></math></span><img class="mwe-math-fallback-image-inline" alt="y">`, "x"},
		{"rows and cells", `<table><tr><th>Drug<th>Dose<tr><td>A<td>1<tr hidden><td>B<td>2<tr><td>C<td>3<td style="display:none">4</table>`, "| Drug | Dose |\n| --- | --- |\n| A | 1 |\n| C | 3 |"},
		{"nested rules", `<style>.a{color:red; &:hover{display:none} b{visibility:hidden;} display:block} .c{.d{color:red} display:none}</style><p class=a>a</p><p class=c>c</p>`, "a"},
		{"damaged rules", `<style>} .a{display:none .b{color:red} "x { .c{display:none}
.d{display:none}</style><p class=c>c</p><p class=d>d</p>`, "c d"},
		{"classes with escapes", `<style>.md\:hide{display:none} .\31x{display:none}</style><p class="md:hide">a</p><p class=1x>b</p><p>c</p>`, "c"},
		{"rules in minified and nested conditions", `<style>.d{display:none}@media(min-width:600px){.d{display:block}} .e{display:none;@media (min-width:600px){display:block}} .f{display:none;&.open{display:block}}</style><p class=d>d</p><p class=e>e</p><p class="f open">f</p>`, "d e f"},
		{"an invisible page before its script has run", `<script src=page.js></script><h1>a</h1><div style="visibility:hidden">` + strings.Repeat("<p>"+long[:500], 5) + `</div>`, "# a " + strings.Repeat(long[:500]+" ", 5)},
		{"a page of Vue before its script has run", `<style>[v-cloak]{display:none}</style><h1>a</h1><div v-cloak><p>b</p></div><script src=vue.js></script>`, "# a b"},
		{"in other elements", `<style>.now .price{display:none} table.x > tbody tr.gone>td{display:none} .a > .c{display:none} .a .b .c{display:none} section p{display:none} .aside section p.z{display:block} #k *{visibility:hidden}</style><div class=now><p>1<b class=price>2</b></p></div><b class=price>3</b><table class=x><tr><td>4<td>5<tr class=gone><td>6<td>7</table><div class=a><div class=d><p class=c>8</p></div><div class=b><div><p class=c>9</p></div></div></div><section><p class=z>10</p></section><div class=aside><section><p class=z>11</p></section></div><div id=k>12<p>13</p></div>`, "1 \n 3\n | 4 | 5 |\n| --- | --- |\n 8 \n 11\n 12"},
		{"in other elements if a script changes their classes", `<style>.panel{display:none} .tabs.active .panel{display:block}</style><div class=tabs><p class=panel>a</p></div><script src=x.js></script>`, "a"},
		{"in other elements until a script changes their classes", `<style>.shut .dose{display:none} .old b{text-decoration:line-through}</style><div class=shut><div><p class=dose>At most 40 mg.</p></div></div><p class=old><b>five</b> six pills</p><script>box.classList.remove("shut")</script>`, "At most 40 mg. ~~five~~ six pills"},
		{"without scripts", `<noscript><style>p{display:none}</style>a</noscript><p>b</p>`, "a b"},
	}
	for _, tt := range tests {
		want := strings.TrimSpace(strings.NewReplacer("\n ", "\n\n", "\n", "\n").Replace(tt.want))
		got, _, err := Markdown(tt.page)
		if err != nil || strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, err, want)
		}
	}
}

func TestStruckByStyleSheet(t *testing.T) {
	tests := []struct{ page, want string }{
		{"<style>.old{color:red;text-decoration:line-through} s.x{text-decoration:none}</style><p>Take <span class=old>5 <b style='text-decoration:none'>mg</b></span> 10 mg <s class=x>a</s></p>", "Take ~~5 mg~~ 10 mg a\n"},
		{"<style>del{text-decoration:none!important;color:red} del *{text-decoration:none}</style><p>Take <del>5 <b>mg</b></del> <ins>10 mg</ins> <del style='text-decoration:none'>daily</del></p>", "Take ~~5 mg~~ 10 mg ~~daily~~\n"},
		{"<style>.old td{text-decoration:line-through} tr.now > td{text-decoration:none}</style><table><tr class=old><td>Zolfane<td>40 mg<tr class=now><td>Zolfane<td>20 mg<tr class='old now'><td>b</table>", "| ~~Zolfane~~ | ~~40 mg~~ |\n| --- | --- |\n| Zolfane | 20 mg |\n| b |\n"},
		{"<style>ul.a > li > b{text-decoration:line-through} ul.a ul b{text-decoration:none!important} div p{text-decoration:line-through}</style><ul class=a><li><b>1</b><ul><li><b>2</b></ul></ul><p>3", "- ~~1~~\n\n  - 2\n\n3\n"},
		{"<style>s{text-decoration:none} .x s{text-decoration:line-through} strike{text-decoration:revert}</style><p><s>1</s> <s>2</s> <b class=x><s>3</s></b> <strike>4</strike> <s style='text-decoration:line-through'>5</s> <s>6 <s class=y>7</s></s>", "1 2 ~~3 4 5~~ 6 7\n"},
		{"<style>b{text-decoration:none!important}</style><p><b style='color:red; text-decoration:line-through'>1</b> <s style='text-decoration:none'>2</s>", "1 2\n"},
		{"<style>li.done, #q {text-decoration-line: underline line-through} li.off{text-decoration:none}</style><ul><li class=done>a<li class='done off'>b<li>c<li id=q>d</ul>", "- ~~a~~\n- b\n- c\n- ~~d~~\n"},
		{"<style>.old{text-decoration:line-through}</style><p>a <span class=old style='color:red'>5 mg</span> 10 mg", "a ~~5 mg~~ 10 mg\n"},
		{"<style>@media print{p{text-decoration:line-through}} a:visited{text-decoration:line-through}</style><p>a <a>b</a>", "a b\n"},
	}
	for _, tt := range tests {
		if got, _, err := Markdown(tt.page); err != nil || got != tt.want {
			t.Errorf("%s:\ngot  %q, %v\nwant %q", tt.page, got, err, tt.want)
		}
	}
}

// TestHiddenWithoutTree checks that hidden text is left out where a page is converted tag by tag,
// but nothing after an element that is not closed.
func TestHiddenWithoutTree(t *testing.T) {
	text, _, err := flatMarkdown("<style>.old{text-decoration:line-through} .gone{display:none}</style><div hidden>a<div>b</div>c</div><p class=gone>d</p><p>e <span class=old>5 mg <span>f</span></span> 10 mg</p><section hidden>g</section><dialog>h</dialog><b style='display:none'>i</b><img alt=j><ul hidden><li>k", nil)
	if want := "e ~~5 mg f~~ 10 mg\n\nj\n\n- k\n"; err != nil || text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, text, want)
	}
	text, _, err = flatMarkdown("<style media=print>.n{display:none}</style><p class=n>a</p><svg><path style='display:none'/></svg><span hidden/>b", nil)
	if want := "a\n\nb\n"; err != nil || text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, text, want)
	}
}

// TestStruckPreformatted checks that struck-out text is not put in a code block, in which marks would strike
// nothing out, and that tildes of the author are no marks.
func TestStruckPreformatted(t *testing.T) {
	for _, test := range []struct{ page, want, flat string }{
		{"<pre>Zolfane:\n    <s>96 mg</s> 6 mg\n</pre>", "Zolfane:\n~~96 mg~~ 6 mg\n", "Zolfane:\n~~96 mg~~ 6 mg\n"},
		{"<del><pre>96 mg\n\n  twice ~~</pre></del><pre>a ~~b~~</pre>", "~~96 mg~~\n\n~~twice ~\u2060~\u2060~~\n\n```\na ~~b~~\n```\n", ""},
		{"<p>好呀~~明天见~~ <code>~~a~~</code><img alt='~~b~~'></p>", "好呀~\u2060~明天见~\u2060~ ~\u2060~a~\u2060~~\u2060~b~\u2060~\n", "好呀~\u2060~明天见~\u2060~ ~\u2060~a~\u2060~~\u2060~b~\u2060~\n"},
		{"<pre><del>a\n\n b</del></pre>", "~~a~~\n\n~~b~~\n", "~~a~~\n~~b~~\n"},
	} {
		if got, _, err := Markdown(test.page); err != nil || got != test.want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", test.page, err, got, test.want)
		}
		if got, _, err := flatMarkdown(test.page, nil); test.flat != "" && (err != nil || got != test.flat) {
			t.Errorf("%s, without a tree: %v\ngot  %q\nwant %q", test.page, err, got, test.flat)
		}
	}
}

func TestAllHidden(t *testing.T) {
	_, _, err := Markdown("<div hidden>x<p>y")
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
	if text, _, err := flatMarkdown("<li>x", nil); err != nil || text != "- x\n" {
		t.Errorf("an item without a list: %q, %v", text, err)
	}
}

func TestLinkedStyleSheets(t *testing.T) {
	page := `<link rel="STYLESHEET alternate" href="no.css"><link href=" a.css " rel=stylesheet media=screen><link rel=stylesheet media=print href=p.css><link rel=icon href=i.png><style>.b{display:inline}</style><p class=a>1</p><p class=b>2</p><p class=c>3</p>`
	if got := StyleSheetLinks(page); !slices.Equal(got, []string{"a.css"}) {
		t.Errorf("links %q", got)
	}
	got, _, err := StyledMarkdown(page, []*StyleSheet{ParseStyleSheets(".a,.b{display:none}"), ParseStyleSheets(".c{text-decoration:line-through}")})
	if want := "2\n\n~~3~~\n"; err != nil || got != want {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
}

// TestLongClassAround checks that rules for elements around others do not each split a long class
// attribute: a comparison with one counts as many, and after too many no rule applies.
func TestLongClassAround(t *testing.T) {
	const cost = 1000 // of a comparison with the long attribute
	for class, want := range map[string]int{"x": 4, "x " + strings.Repeat("a", cost*longClass): 2} {
		tree, err := html.Parse(strings.NewReader("<style>.x .y{display:none}</style><div class='" + class + "'><p class=y>q</p></div>"))
		if err != nil {
			t.Fatal(err)
		}
		styles := readPageStyles(tree, nil)
		styles.matches = maxRuleMatches - 5*cost/2
		applied := 0
		for n := range tree.Descendants() {
			for range 4 {
				styles.eachRule(n, func(*styleRule, int, bool) { applied++ })
			}
		}
		if applied != want {
			t.Errorf("a class attribute of %d bytes: a rule applies %d times, want %d", len(class), applied, want)
		}
	}
}
