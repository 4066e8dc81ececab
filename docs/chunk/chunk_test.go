package chunk

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/docs/text"
	"vademecum/internal/base/script"
)

// parse takes apart a text as it would that of a file called name.
func parse(name, src string) Blocks {
	c := formats.ContentOfText(name, src)
	return ParseBlocks(text.Body{Text: c.Text}, c.Form)
}

// checkChunks verifies what holds for the chunks of any text.
func checkChunks(t testing.TB, b Blocks) []Chunk {
	t.Helper()
	d, chunks := b.body, b.Chunks()
	at, line := 0, 1
	if strings.Contains(d.Text, "\r") {
		t.Fatalf("a carriage return is left in %.80q", d.Text)
	}
	for i, c := range chunks {
		where := fmt.Sprintf("chunk %d of %d, %+v", i, len(chunks), c.Span)
		if c.StartByte < at || c.EndByte <= c.StartByte || c.EndByte > len(d.Text) {
			t.Fatalf("%s: out of order, empty or out of range, after %d", where, at)
		}
		if c.Text != d.Text[c.StartByte:c.EndByte] {
			t.Fatalf("%s: text is not its range", where)
		}
		if !utf8.ValidString(c.Text) {
			t.Fatalf("%s: cut within a rune", where)
		}
		if lost := strings.TrimSpace(d.Text[at:c.StartByte]); lost != "" {
			t.Fatalf("%s: lost before it: %.80q", where, lost)
		}
		if strings.TrimSpace(c.Text) == "" {
			t.Fatalf("%s: blank", where)
		}
		if got := script.TokenUnits(c.Text); got > limitCost {
			t.Fatalf("%s: %d tokens", where, got/script.UnitsPerToken)
		}
		first := line + strings.Count(d.Text[at:c.StartByte], "\n")
		line = first + strings.Count(c.Text, "\n")
		if c.StartLine != first || c.EndLine != line {
			t.Fatalf("%s: lines are %d to %d", where, first, line)
		}
		if i < 50 { // each takes time proportional to the text
			fragment := d.URIFragment(c.Span)
			got, err := d.ResolveFragment(fragment)
			if err != nil || got != c.Span {
				t.Fatalf("%s: fragment %s resolves to %+v, %v", where, fragment, got, err)
			}
		}
		at = c.EndByte
	}
	if lost := strings.TrimSpace(d.Text[at:]); lost != "" {
		t.Fatalf("lost at the end: %.80q", lost)
	}
	return chunks
}

func texts(chunks []Chunk) []string {
	var s []string
	for _, c := range chunks {
		s = append(s, c.Text)
	}
	return s
}

func TestChunksOfShortTexts(t *testing.T) {
	tests := []struct {
		name, path, text string
		want             []string // "heading / path: text"
	}{
		{"twelve characters", "a.txt", "阿司匹林100mg", []string{": 阿司匹林100mg"}},
		{"blank lines around", "a.txt", "\n \n  note\n\n", []string{":   note"}},
		{"paragraphs are packed", "a.txt", "One.\n\nTwo.\n", []string{": One.\n\nTwo."}},
		{"nothing", "a.md", " \n", nil},
		{"headings", "a.md", "# A\n\none\n\n## B\n\ntwo\n\n# C\nthree\n",
			[]string{"A: # A\n\none", "A / B: ## B\n\ntwo", "C: # C\nthree"}},
		{"heading without text", "a.md", "# A\n\n## B\n\ntwo\n", []string{"A / B: # A\n\n## B\n\ntwo"}},
		{"heading at the end", "a.md", "# A\n\none\n\n## B\n", []string{"A: # A\n\none", "A / B: ## B"}},
		{"only headings", "a.md", "# A\n## B\n", []string{"A / B: # A\n## B"}},
		{"text before the first heading", "a.md", "zero\n\n# A\none", []string{": zero", "A: # A\none"}},
		{"setext headings", "a.md", "A\n===\none\n\nB\n---\ntwo", []string{"A: A\n===\none", "A / B: B\n---\ntwo"}},
		{"heading markup", "a.md", "# **Bold** `x_y` [link](u) &amp; \\*\ntext", []string{"Bold x_y link & *: # **Bold** `x_y` [link](u) &amp; \\*\ntext"}},
		{"front matter", "a.md", "---\ntitle: T\n---\n\n# A\none", []string{"A: ---\ntitle: T\n---\n\n# A\none"}},
		{"no heading in code", "a.md", "```\n# no\n```\n", []string{": ```\n# no\n```"}},
		{"link definition", "a.md", "[a]: http://x\n", []string{": [a]: http://x"}},
		{"old line ends", "a.md", "# A\rone\r\r# B\rtwo\r", []string{"A: # A\none", "B: # B\ntwo"}},
		{"Windows line ends", "a.md", "# A\r\none\r\n\r\n# B\r\ntwo\r\n", []string{"A: # A\none", "B: # B\ntwo"}},
		{"indented code keeps its indentation", "a.md", "# A\n\n    x := 1\n", []string{"A: # A\n\n    x := 1"}},
		{"Chinese headings", "a.txt", "高血压\n\n一、定义\n血压升高。\n\n二、饮食\n（一）盐\n少盐。\n（二）油\n少油。\n",
			[]string{": 高血压", "一、定义: 一、定义\n血压升高。", "二、饮食 / （一）盐: 二、饮食\n（一）盐\n少盐。", "二、饮食 / （二）油: （二）油\n少油。"}},
		{"chapters", "a.txt", "第一章 总论\n第一节 病因\n不明。\n第二章\n各论。\n",
			[]string{"第一章 总论 / 第一节 病因: 第一章 总论\n第一节 病因\n不明。", "第二章: 第二章\n各论。"}},
		{"Chinese list", "a.txt", "一、少盐\n二、多动\n三、吃药\n", []string{": 一、少盐\n二、多动\n三、吃药"}},
		{"tagged headings", "a.txt", "<篇名>伤寒论\n\n总说。\n\n<目录>卷一\n\n<篇名>辨脉法\n\n问曰。\n\n<目录>\n\n<篇名>平脉法\n\n答曰。\n",
			[]string{"伤寒论: <篇名>伤寒论\n\n总说。", "卷一 / 辨脉法: <目录>卷一\n\n<篇名>辨脉法\n\n问曰。", "平脉法: <目录>\n\n<篇名>平脉法\n\n答曰。"}},
		{"numbered headings", "a.txt", "1. Methods\n\nWe did.\n\n1.1 Patients\n\nTen.\n",
			[]string{"1. Methods: 1. Methods\n\nWe did.", "1. Methods / 1.1 Patients: 1.1 Patients\n\nTen."}},
		{"numbered list", "a.txt", "1. Bread\n2. Milk\n\n1. Eggs\n\n2. Salt\n", []string{": 1. Bread\n2. Milk\n\n1. Eggs\n\n2. Salt"}},
		{"a dose is no heading", "a.txt", "Take\n\n1.5 Mg daily.\n\n2 Tablets\n\nthen", []string{": Take\n\n1.5 Mg daily.\n\n2 Tablets\n\nthen"}},
		{"underlined title", "a.txt", "Title\n=====\ntext\n\nPart\n----\nmore", []string{"Title: Title\n=====\ntext", "Title / Part: Part\n----\nmore"}},
		{"a comment is no heading", "a.conf", "# comment\nx = 1\n", []string{": # comment\nx = 1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(tt.path, tt.text)
			var got []string
			for _, c := range checkChunks(t, d) {
				got = append(got, strings.Join(c.Heading, " / ")+": "+c.Text)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestChunksKeepToSlides(t *testing.T) {
	text := "# One\n\nshort\n\nwithout heading\n\n# Three\n\nend\n"
	parts := func(u extract.PartKind) []extract.Part {
		return []extract.Part{{Kind: u, Number: 1}, {Kind: u, Number: 2, StartByte: strings.Index(text, "without")}, {Kind: u, Number: 3, StartByte: strings.Index(text, "# Three")}}
	}
	tests := []struct {
		unit extract.PartKind
		want []string
	}{
		{extract.Slide, []string{"One: # One\n\nshort", ": without heading", "Three: # Three\n\nend"}},
		{extract.Page, []string{"One: # One\n\nshort", "One: without heading", "Three: # Three\n\nend"}},
		{extract.NotebookCell, []string{"One: # One\n\nshort\n\nwithout heading", "Three: # Three\n\nend"}},
	}
	for _, tt := range tests {
		d := parse("a.md", text)
		d.body.Parts = parts(tt.unit)
		var got []string
		for _, c := range checkChunks(t, d) {
			got = append(got, strings.Join(c.Heading, " / ")+": "+c.Text)
		}
		if strings.Join(got, "\n--\n") != strings.Join(tt.want, "\n--\n") {
			t.Errorf("%s: got %q, want %q", tt.unit, got, tt.want)
		}
	}
}

func TestTablesGoOnBelowTheirColumns(t *testing.T) {
	row := strings.Repeat("cell ", 20)
	tests := []struct{ name, path, text, want string }{
		{"Markdown", "a.md", "# T\n\n| Day | **Dose** |\n| --- | --- |\n" + strings.Repeat("| "+row+" | 1 |\n", 40), "T / Day | **Dose**"},
		{"CSV", "a.csv", "Day,\"Dose, mg\"\n" + strings.Repeat(row+",1\n", 40), "Day | Dose |  mg"},
		{"CSV with a gap", "a.csv", "Day;Dose\n\n" + strings.Repeat(row+";1\n", 40), "Day | Dose"},
		{"data without names", "a.jsonl", strings.Repeat("{\"a\": \""+row+"\"}\n", 40), ""},
		{"code", "a.md", "```\n| a |\n| --- |\n" + strings.Repeat(row+"\n", 40) + "```\n", ""},
	}
	for _, tt := range tests {
		d := parse(tt.path, tt.text)
		chunks := checkChunks(t, d)
		last := chunks[len(chunks)-1]
		if got := strings.Join(last.Heading, " / "); len(chunks) < 3 || got != strings.Join(strings.Fields(tt.want), " ") {
			t.Errorf("%s: the last of %d chunks is below %q, want %q", tt.name, len(chunks), got, tt.want)
		}
		if first := strings.Join(chunks[0].Heading, " / "); strings.Contains(first, "Day") {
			t.Errorf("%s: the first chunk is below its own columns: %q", tt.name, first)
		}
	}
}

// TestTablesOfPagesGoOnBelowTheirColumns: a passage that begins where a part tells columns is below
// their names, and the one with the names is not.
func TestTablesOfPagesGoOnBelowTheirColumns(t *testing.T) {
	row := strings.Repeat("cell ", 20) + "1\n"
	first, next := "Day Dose\n"+strings.Repeat(row, 30), strings.Repeat(row, 4)
	parts := []extract.Part{
		{Kind: extract.Page, Number: 1}, {Kind: extract.Page, Number: 1, StartByte: len("Day Dose\n"), ContinuedColumnNames: "Day | Dose"},
		{Kind: extract.Page, Number: 2, StartByte: len(first) + 1, ContinuedColumnNames: "Day | Dose"}, {Kind: extract.Page, Number: 3, StartByte: len(first) + len(next) + 2},
	}
	chunks := ParseBlocks(text.Body{Text: first + "\n" + next + "\n" + next, Parts: parts}, extract.PlainText).Chunks()
	n := len(chunks)
	if n < 4 {
		t.Fatalf("there are %d chunks", n)
	}
	for i, c := range chunks {
		want := []string{"Day | Dose"}
		if i == 0 || i == n-1 {
			want = nil
		}
		if !slices.Equal(c.Heading, want) {
			t.Errorf("chunk %d of %d is below %q, want %q", i, n, c.Heading, want)
		}
	}
}

func TestLongProseIsCutAtSentences(t *testing.T) {
	tests := []struct {
		name, sentence, end string
	}{
		{"English", "The patient took 5.5 mg daily, as Dr. Smith and J. Doe had said, e.g. in the morning. ", "."},
		{"Chinese", "患者每日口服药物，早晚各一次，医生说：“要少吃盐。”", "”"},
		{"clauses only", "血压正常，心率正常，", "，"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parse("a.txt", strings.Repeat(tt.sentence, 400))
			chunks := checkChunks(t, d)
			if len(chunks) < 5 {
				t.Fatalf("%d chunks", len(chunks))
			}
			for i, c := range chunks {
				if tokens := script.TokenUnits(c.Text) / script.UnitsPerToken; tokens < 150 || tokens > 360 {
					t.Errorf("chunk %d: %d tokens", i, tokens)
				}
				text := strings.TrimSpace(c.Text)
				if !strings.HasSuffix(text, tt.end) ||
					!strings.HasPrefix(text, tt.sentence[:6]) && tt.end != "，" {
					t.Errorf("chunk %d: %q … %q", i, text[:9], text[len(text)-9:])
				}
			}
		})
	}
}

func TestLongProsePrefersLineEnds(t *testing.T) {
	line := "First sentence of a line. Second sentence of it.\n"
	d := parse("a.txt", strings.Repeat(line, 100))
	for i, c := range checkChunks(t, d) {
		if f := d.body.URIFragment(c.Span); !strings.HasPrefix(f, "L") {
			t.Errorf("chunk %d is %s", i, f)
		}
	}
}

func TestTextWithoutBoundaries(t *testing.T) {
	for _, s := range []string{"血", "a", "e\u0301", "\U0001F600", "\u3000x"} {
		d := parse("a.txt", strings.Repeat(s, 20_000))
		chunks := checkChunks(t, d)
		for i, c := range chunks[:len(chunks)-1] {
			if tokens := script.TokenUnits(c.Text) / script.UnitsPerToken; tokens < 200 {
				t.Errorf("%q: chunk %d has %d tokens", s, i, tokens)
			}
			if r, _ := utf8.DecodeRuneInString(c.Text); unicode.Is(unicode.M, r) {
				t.Errorf("%q: chunk %d begins with a combining mark", s, i)
			}
		}
	}
}

func TestCodeIsCutAtLines(t *testing.T) {
	d := parse("a.md", "Intro.\n\n```go\n"+strings.Repeat("call(a, b). Then? Yes! 好。 x\n", 120)+"```\n")
	for i, c := range checkChunks(t, d) {
		if f := d.body.URIFragment(c.Span); !strings.HasPrefix(f, "L") {
			t.Errorf("chunk %d is %s", i, f)
		}
	}
}

func TestTableStaysWhole(t *testing.T) {
	table := "| Drug | Dose |\n|---|---|\n" + strings.TrimSuffix(strings.Repeat("| Aspirin, 100. Mg. | one. Two. |\n", 35), "\n")
	if tokens := script.TokenUnits(table) / script.UnitsPerToken; tokens < 300 || tokens > 500 {
		t.Fatalf("the table has %d tokens", tokens)
	}
	before := strings.Repeat("Words before the table stand here. ", 10)
	for _, path := range []string{"a.md", "a.txt"} {
		d := parse(path, before+"\n\n"+table+"\n\nAfter.\n")
		if got := texts(checkChunks(t, d)); !slices.Contains(got, table) && !slices.Contains(got, table+"\n\nAfter.") {
			t.Errorf("%s: the table is not whole: %q", path, got)
		}
	}
}

func TestListIsCutBetweenItems(t *testing.T) {
	item := "- First level item. With two sentences.\n  - Sub-item one, see above. Yes.\n  - Sub-item two\n    goes on.\n"
	for _, path := range []string{"a.md", "a.txt"} {
		d := parse(path, strings.Repeat(item, 60))
		chunks := checkChunks(t, d)
		if len(chunks) < 3 {
			t.Fatalf("%s: %d chunks", path, len(chunks))
		}
		for i, c := range chunks {
			if !strings.HasPrefix(c.Text, "- First") || !strings.HasSuffix(c.Text, "goes on.") {
				t.Errorf("%s: chunk %d is cut within an item: %q", path, i, c.Text)
			}
		}
	}
}

func TestNoTinyTail(t *testing.T) {
	paragraph := strings.Repeat("Seven words are in this short sentence. ", 28)
	d := parse("a.md", "# A\n\n"+paragraph+"\n\nTail.\n\n# B\n\nTiny.\n")
	got := texts(checkChunks(t, d))
	if len(got) != 2 || !strings.HasSuffix(got[0], "Tail.") || got[1] != "# B\n\nTiny." {
		t.Errorf("got %q", got)
	}
}

func TestHeadingStaysWithLongText(t *testing.T) {
	d := parse("a.md", "# Title\n\n"+strings.Repeat("这是很长的一段话，没有换行。", 100))
	for i, c := range checkChunks(t, d) {
		if strings.HasPrefix(c.Text, "# Title") != (i == 0) || script.TokenUnits(c.Text) < tinyCost {
			t.Errorf("chunk %d: %.30q, %d tokens", i, c.Text, script.TokenUnits(c.Text)/script.UnitsPerToken)
		}
		if !slices.Equal(c.Heading, []string{"Title"}) {
			t.Errorf("chunk %d: heading %q", i, c.Heading)
		}
	}
}

func TestHostileTexts(t *testing.T) {
	tests := []struct{ name, path, text string }{
		{"nested quotations", "a.md", strings.Repeat("> ", 50_000) + "deep"},
		{"nested quotations without spaces", "a.md", strings.Repeat(">", 50_000) + "deep"},
		{"nested lists", "a.md", strings.Repeat("- ", 50_000) + "deep"},
		{"many lines of nested quotations", "a.md", strings.Repeat(strings.Repeat(">", 99)+"x\n", 1_000)},
		{"lazy continuation", "a.md", strings.Repeat(">", 99) + "x\n" + strings.Repeat("y\n", 20_000)},
		{"brackets", "a.md", "# " + strings.Repeat("[", 100_000) + "a"},
		{"wide table", "a.md", strings.Repeat("|a", 10_000) + "|\n" + strings.Repeat("|-", 10_000) + "|\n" + strings.Repeat("|b\n", 20_000)},
		{"unclosed fence", "a.md", "```\n" + strings.Repeat("x\n", 20_000)},
		{"blank lines", "a.md", "# A" + strings.Repeat("\n", 100_000) + "x"},
		{"white space", "a.txt", "a" + strings.Repeat(" ", 100_000) + "b" + strings.Repeat("\r", 100_000) + "c"},
		{"indentation", "a.md", "a\n\n" + strings.Repeat(" ", 100_000) + "b"},
		{"carriage returns", "a.txt", strings.Repeat("x\r", 100_000)},
		{"heading candidates", "a.txt", strings.Repeat("一、甲\n（一）乙\n", 20_000)},
		{"long heading", "a.md", "# " + strings.Repeat("word ", 5_000) + "\n\ntext"},
		{"many headings", "a.md", strings.Repeat("# A\n", 20_000)},
		{"huge Markdown", "a.md", "---\na: b\n---\n" + strings.Repeat("## Part #\n\n```sh\n# no\n```\n\n- item\n\nText.\n\n", maxMarkdown/40)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			begin := time.Now()
			checkChunks(t, parse(tt.path, tt.text))
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestHugeMarkdownKeepsHeadings(t *testing.T) {
	d := parse("a.md", "# Book\n\n"+strings.Repeat("x", maxMarkdown)+"\n\n## End ##\n\n```\n# no\n```\n")
	chunks := d.Chunks()
	if last := chunks[len(chunks)-1]; !slices.Equal(last.Heading, []string{"Book", "End"}) || d.Title("", "a.md") != "Book" {
		t.Errorf("title %q, last heading %q", d.Title("", "a.md"), last.Heading)
	}
}

func TestRulesAreNotNesting(t *testing.T) {
	if isDeeplyNested(strings.Repeat("-", 300) + "\n" + strings.Repeat("*", 300) + "\n" + strings.Repeat("- a\n", 300)) {
		t.Error("a long rule counts as nesting")
	}
	if !isDeeplyNested("a\n" + strings.Repeat("1. ", maxNesting+1)) {
		t.Error("nested lists do not count as nesting")
	}
}

func FuzzChunks(f *testing.F) {
	for _, s := range []string{
		"", "阿司匹林100mg", "# A\n\none\n\n## B\r\n\r\ntwo\r\n", "---\ntitle: x\n---\ntext", "- a\n  - b\n\n1. c\n> q\n>> r\n",
		"| a | b |\n|---|---|\n| 1 | 2 |\n", "```\ncode\n", "一、甲\n乙。丙！\u3000丁……\n", "A\n===\nb\r\rc\n\t\x0b\u0085\u2028",
		strings.Repeat("One sentence, two clauses. ", 100), strings.Repeat("一句话，两个分句。", 100),
		strings.Repeat("x", 3000) + strings.Repeat(" ", 3000) + "\r\n\r" + strings.Repeat("好", 600),
		"# " + strings.Repeat("long heading ", 80) + "\n\n" + strings.Repeat("- item\n", 300), "\\\n[a]: b\n<!-- c\n-->\n<div>\n",
	} {
		f.Add(s, 1)
		f.Add(s, 40)
	}
	f.Fuzz(func(t *testing.T, src string, times int) {
		if times > 1 && times < 1000 && len(src)*times < 20_000 {
			src = strings.Repeat(src, times)
		}
		for _, path := range []string{"a.md", "a.txt", "a.csv", "a.org", "a.rst"} {
			checkChunks(t, parse(path, src))
		}
		d := parse("a.md", src)
		d.parsed = slices.Collect(lineBlocks(d.body.Text, extract.Markdown))
		checkChunks(t, d)
	})
}

func benchmarkChunks(b *testing.B, path, part string) {
	text := strings.Repeat(part, 1+(1<<20)/len(part))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if len(parse(path, text).Chunks()) == 0 {
			b.Fatal("no chunks")
		}
	}
}

const (
	englishSample = "High blood pressure often has no symptoms. It is found by measuring, and treated by diet, exercise and drugs. " +
		"Most patients need more than one drug; doses are adjusted every few weeks.\n\n"
	chineseSample  = "高血压患者应当限制食盐摄入，每日不超过五克。多吃蔬菜水果，少吃肥肉和内脏；坚持运动，控制体重。\n\n"
	markdownSample = "## Drugs\n\n" + englishSample + "- aspirin, **100 mg**\n- statin, see [notes](notes.md)\n  - at night\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nrun me\n```\n\n" + chineseSample
)

func BenchmarkChunksEnglish(b *testing.B)  { benchmarkChunks(b, "a.txt", englishSample) }
func BenchmarkChunksChinese(b *testing.B)  { benchmarkChunks(b, "a.txt", chineseSample) }
func BenchmarkChunksMarkdown(b *testing.B) { benchmarkChunks(b, "a.md", markdownSample) }
func BenchmarkChunksOneLine(b *testing.B) {
	benchmarkChunks(b, "a.txt", strings.ReplaceAll(englishSample, "\n", " "))
}
func BenchmarkChunksNoBoundary(b *testing.B) { benchmarkChunks(b, "a.txt", "血压") }

// TestLeadsStayWithLists: what introduces a list is in the chunk of its beginning, and
// stands above what the list goes on with in others.
func TestLeadsStayWithLists(t *testing.T) {
	long := strings.Repeat("Ask before you give anything to anybody at all. ", 22)
	items := strings.Repeat("- take one and look for the label\n", 20)
	for name, form := range map[string]extract.TextForm{"Markdown": extract.Markdown, "plain text": extract.PlainText} {
		src := "# Drugs\n\n" + long + "\n\nMind this. The doses are:\n\n" + items
		chunks := ParseBlocks(text.Body{Text: src}, form).Chunks()
		if len(chunks) != 2 || !strings.HasPrefix(chunks[1].Text, "Mind this. The doses are:") {
			t.Errorf("%s: %d chunks, the second %.40q", name, len(chunks), chunks[len(chunks)-1].Text)
		}
		src = "# Drugs\n\n" + long + "\n\nMind this. The doses are:\n\n" + strings.Repeat(items, 4)
		chunks = ParseBlocks(text.Body{Text: src}, form).Chunks()
		if len(chunks) < 3 || !strings.HasPrefix(chunks[1].Text, "Mind this.") {
			t.Fatalf("%s: %d chunks, the second %.40q", name, len(chunks), chunks[1].Text)
		}
		last := chunks[2].Heading
		if last[len(last)-1] != "The doses are" {
			t.Errorf("%s: the rest of the list is below %q", name, last)
		}
	}
}
