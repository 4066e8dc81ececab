package page

import (
	"io/fs"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/net/html"

	"vademecum/index"
)

// TestPlainText checks that text for skimming has no Markdown syntax and no empty lines, and that
// wrapped lines are joined.
func TestPlainText(t *testing.T) {
	for name, c := range map[string]struct{ mime, text, want string }{
		"markdown":        {"text/markdown", "## A **bold** [link](x.md)\n\nOne `a_b` &amp;\ntwo \\* [[note|called]] ![picture](p.png).\n\n---\n\n> quoted\n", "A bold link\nOne a_b & two * called picture.\nquoted"},
		"what is marked":  {"text/markdown", "A ==marked word==, 这是==重点==内容, a==b and c==d, x == y == z\n", "A marked word, 这是重点内容, a==b and c==d, x == y == z"},
		"lists":           {"text/markdown", "- one\n- two\n  more\n\n3. three\n4. four\n   - deep\n", "• one\n• two more\n3. three\n4. four\n• deep"},
		"code":            {"text/markdown", "```sh\ngit  branch\n\n    -m\n```\n", "git  branch\n    -m"},
		"table":           {"text/markdown", "| a | b |\n|---|---|\n| c | **d** |\n", "a · b\nc · d"},
		"rows of a table": {"text/markdown", "| a | b |\n| c |  |\n", "a · b\nc"},
		"html":            {"text/markdown", "<div>one <b>two</b></div>\n\nthree <i>four</i>\n", "one two\nthree four"},
		"callouts":        {"text/markdown", "> [!warning]- Mind\n> the gap\n\n> [!NOTE]\n>\n> [!] no\n", "Mind the gap\n[!] no"},
		"characters":      {"text/markdown", "高血压\n患者\n", "高血压患者"},
		"wrapped":         {"text/plain", strings.Repeat("long ", 11) + "\ngoes on\nStays\n=====\n", strings.Repeat("long ", 10) + "long goes on\nStays"},
		"fields":          {"text/plain", strings.Repeat("long ", 11) + "\nfield: here\n", strings.Repeat("long ", 10) + "long\nfield: here"},
		"sheet":           {"text/csv", strings.Repeat("a,", 30) + "\nb,c\n", strings.Repeat("a,", 30) + "\nb,c"},
	} {
		if got := plainText(c.text, c.mime); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := plainHeading("| Deel | **Cost** |"); got != "Deel · Cost" {
		t.Errorf("a row as a heading: %q", got)
	}
	if got := plainHeading("- Q. *Why*?"); got != "Q. Why?" {
		t.Errorf("an item as a heading: %q", got)
	}
}

// TestExcerpt checks that an excerpt is short, consists of whole words, and begins near the words
// that matter.
func TestExcerpt(t *testing.T) {
	filler := strings.Repeat("Nothing of that stands here. ", 60)
	words := index.NewHighlightWords("spacer children")
	for name, text := range map[string]string{
		"at the end":       filler + "A spacer helps children.",
		"the better place": "A spacer. " + filler + "A spacer helps children. " + filler,
		"in characters":    strings.Repeat("这里没有。", 200) + "spacer 帮助 children" + strings.Repeat("这里没有。", 200),
		"one long word":    strings.Repeat("x", 3000) + " spacer children " + strings.Repeat("x", 3000),
		"lines":            strings.Repeat("a\n", 100) + "spacer\nchildren\n" + strings.Repeat("a\n", 100),
	} {
		e := excerptOf(text, "", words)
		shown, first, hits := "", -1, 0
		for _, r := range e.Runs {
			if r.IsQueryWord {
				hits++
				if first < 0 {
					first = columns(shown)
				}
			}
			shown += r.Text
		}
		if hits != 2 || first < 0 || first > mostBefore || !e.IsCut || columns(shown) > longestExcerpt || !strings.Contains(text, shown) {
			t.Errorf("%s: %d hits, the first at %d: %q", name, hits, first, shown)
		}
	}
	if e := excerptOf("A spacer helps.", "", words); e.IsCut || len(e.Runs) != 3 {
		t.Errorf("a short text: %+v", e)
	}
	if e := excerptOf(filler, "", words); !e.IsCut || len(e.Runs) != 1 || !strings.HasPrefix(e.Runs[0].Text, "Nothing") {
		t.Errorf("without any word: %+v", e)
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add("# Title\n\n| a | b |\n\n[x](y) 高血压 spacer\xff", "spacer 血压")
	f.Fuzz(func(t *testing.T, text, question string) {
		for _, mime := range []string{"text/markdown", "text/plain"} {
			plain := plainText(text, mime)
			shown := ""
			for _, r := range excerptOf(plain, "", index.NewHighlightWords(question)).Runs {
				shown += r.Text
			}
			if !strings.Contains(plain, shown) || columns(shown) > max(longestExcerpt, shortExcerpt) {
				t.Fatalf("%q of %q", shown, plain)
			}
		}
	})
}

// TestOneTitle checks that a document is named once, however many of its passages are found, and
// that longer passages can be opened without scripts.
func TestOneTitle(t *testing.T) {
	say := func(what string) string {
		return "\n## " + what + "\n\nA spacer for " + what + strings.Repeat(", for "+what+" that is worse than "+what+" of the year before", 6) + ", helps.\n" + strings.Repeat("\n## Beside "+what+"\n\nNothing on that here, but on the weather of "+what+" in a place by the sea.\n", 12)
	}
	s := open(t, map[string]string{"much.md": "# Much\n" + say("asthma") + say("colds") + say("croup"), "other.md": "# Other\n\nA spacer.\n"}, nil)
	titles, wholes := 0, 0
	page := s.get("/search?q=spacer")
	elements(t, page, func(n *html.Node, a map[string]string) {
		switch {
		case n.Data == "h2" && n.FirstChild.Data == "a" && n.FirstChild.FirstChild.Data == "Much":
			titles++
		case n.Data == "details" && a["class"] == "whole":
			wholes++
		}
	})
	if titles != 1 || wholes != 3 || !strings.Contains(page, "4 passages, 2 documents") || !strings.Contains(page, "2 more in this document") {
		t.Errorf("%d titles, %d to open:\n%s", titles, wholes, page)
	}
}

// TestRowAsHeading checks that a table row above a passage is shown without Markdown syntax.
func TestRowAsHeading(t *testing.T) {
	s := open(t, notes, nil)
	v := request{Pages: s.pages, view: s.view, words: locales[0]}
	p := v.passage(index.Passage{Text: "A spacer costs 5.", Heading: []string{"Costs", "| Aid | **Price** |", "- [Spacers](x.md)"}}, index.NewHighlightWords("spacer"), searchForm{})
	if got := strings.Join(p.Above, "; "); got != "Costs; Aid · Price; Spacers" {
		t.Errorf("cited below %q", got)
	}
}

// TestWholePassage checks that a whole passage is rendered, with the words of the question marked
// and links to other documents.
func TestWholePassage(t *testing.T) {
	s := open(t, map[string]string{"a.md": "# A\n\nA **spacer** helps, see [[b]]:\n\n- shake <b onclick=x>it</b>\n\n| aid | costs |\n|---|---|\n| spacer | 5 |\n\n" + strings.Repeat("The spacer is washed every week. ", 60) + "\n", "b.md": "# B\n"}, nil)
	page := s.get("/search?q=spacer")
	for _, want := range []string{`<strong><mark>spacer</mark></strong> helps, see <a href="/doc?path=b.md">b</a>`, "<td><mark>spacer</mark></td>", "<li>shake <b>it</b>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the passage has no %s:\n%s", want, page)
		}
	}
}

// TestBestLine checks that an excerpt begins with the line that answers best.
func TestBestLine(t *testing.T) {
	samples := make(map[string]string)
	root := os.DirFS("../../../../sample_docs")
	paths, err := doublestar.Glob(root, "**/*.{md,txt}")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := fs.ReadFile(root, path)
		if err != nil {
			t.Fatal(err)
		}
		samples[path] = string(text)
	}
	page := open(t, samples, nil).get("/search?q=" + url.QueryEscape("When may I drive again after low blood sugar?"))
	_, shown, _ := strings.Cut(page, `<p class="text excerpt">`)
	if !strings.HasPrefix(shown, "Check before starting and every two hours. Above 5: <mark>drive</mark>") {
		t.Errorf("the excerpt is %.300s", shown)
	}
}

// TestFrontMatterInExcerpt checks that front matter is not in an excerpt unless only it has words
// of the question, and that it is in the whole passage.
func TestFrontMatterInExcerpt(t *testing.T) {
	s := open(t, notes, nil)
	excerptFor := func(question string) (text string) {
		elements(t, s.get("/search?q="+question), func(n *html.Node, a map[string]string) {
			if a["class"] == "text excerpt" && text == "" {
				text = textIn(n)
			}
		})
		return text
	}
	if got := excerptFor("spacer+children"); !strings.Contains(got, "A spacer helps children.") || strings.Contains(got, "tags") || strings.Contains(got, "2024") {
		t.Errorf("the excerpt is %q", got)
	}
	if got := excerptFor("lungs"); !strings.Contains(got, "tags: [lungs, care/child]") || strings.Contains(got, "date:") || strings.Contains(got, "---") {
		t.Errorf("where the word stands in front matter alone the excerpt is %q", got)
	}
}

// textIn returns all text in an element.
func textIn(n *html.Node) (text string) {
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			text += c.Data
		}
	}
	return text
}

// TestHalfWords checks that words being typed are not reported as missing.
func TestHalfWords(t *testing.T) {
	s := open(t, notes, nil)
	for _, question := range []string{"spacer+zyzz", "zyzz"} {
		typing, settled := s.get("/search?part=results&typing=1&q="+question), s.get("/search?part=results&q="+question)
		if strings.Contains(typing, "found anywhere in the documents") || strings.Contains(typing, "Nothing in the documents") || !strings.Contains(typing, "data-held") {
			t.Errorf("while %s is typed it is said\n%s", question, typing)
		}
		if !strings.Contains(settled, "Not found anywhere in") || strings.Contains(settled, "data-held") {
			t.Errorf("of %s it is said\n%s", question, settled)
		}
	}
}
