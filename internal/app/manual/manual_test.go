package manual

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// TestTopics checks that each topic has a file in each language, and that there are no other files.
func TestTopics(t *testing.T) {
	found, err := fs.Glob(files, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, topic := range Topics {
		for _, l := range []message.Language{message.English, message.Chinese} {
			want = append(want, FileName(topic, l))
			if Title(topic, l) == "" {
				t.Errorf("%s has no title", FileName(topic, l))
			}
			page, err := HTML(topic, l, "/help")
			if err != nil || strings.Contains(string(page), "<th></th>") {
				t.Errorf("%s has a column without a name, which nobody hears who has the page read out, or an error: %v", FileName(topic, l), err)
			}
		}
	}
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("the files are %v, want %v", found, want)
	}
	for _, topic := range []string{"", "hosts.zh", "../manual/hosts", "nothing"} {
		if Markdown(topic, message.English) != nil {
			t.Errorf("%q is a topic", topic)
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)]+)\)`)

// TestLinks checks that each relative link in the manual and the READMEs leads to an existing file
// in the same language.
func TestLinks(t *testing.T) {
	const root = "../../.."
	pages := map[string]message.Language{root + "/README.md": message.English, root + "/README.zh-CN.md": message.Chinese}
	for _, topic := range Topics {
		for _, l := range []message.Language{message.English, message.Chinese} {
			pages[FileName(topic, l)] = l
		}
	}
	seen := 0
	for page, l := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			u, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			if u.IsAbs() || u.Path == "" {
				continue
			}
			seen++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(u.Path))); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
			if topic := topicOf(filepath.Base(u.Path)); topic != "" && filepath.Base(u.Path) != FileName(topic, l) {
				t.Errorf("%s links to %s, which is in another language", page, m[1])
			}
		}
	}
	if seen < 60 {
		t.Errorf("only %d links were seen", seen)
	}
}

// TestText checks that no line except code is wider than the terminal, and that no Markdown syntax
// is left.
func TestText(t *testing.T) {
	for _, topic := range Topics {
		for _, l := range []message.Language{message.English, message.Chinese} {
			for _, columns := range []int{40, 80, 100} {
				text := Text(topic, l, columns)
				if !strings.HasPrefix(text, Title(topic, l)+"\n==") {
					t.Errorf("%s begins with %.40q", FileName(topic, l), text)
				}
				for line := range strings.Lines(text) {
					line = strings.TrimSuffix(line, "\n")
					words := strings.Fields(line)
					if present.DisplayWidth(line) > columns && !strings.HasPrefix(line, "    ") && len(words) > 1 {
						t.Errorf("%s in %d columns has %q", FileName(topic, l), columns, line)
					}
				}
				if strings.Contains(text, "**") && topic != "finding" || strings.Contains(text, "](") || strings.Contains(text, "|---") {
					t.Errorf("%s has Markdown in it:\n%s", FileName(topic, l), text)
				}
			}
		}
	}
}

func TestTable(t *testing.T) {
	for columns, want := range map[int]string{
		80: "Commands\n========\n\nexit code   meaning\n0           done, also when nothing matches\n",
		30: "Commands\n========\n\n0\n    done, also when nothing\n    matches\n",
	} {
		source := []byte("# Commands\n\n| exit code | meaning |\n|---|---|\n| 0 | done, also when *nothing* matches |\n")
		w := writer{source: source, columns: columns}
		w.writeBlocks(parseMarkdown(source))
		if got := strings.TrimPrefix(w.out.String(), "\n"); got != want {
			t.Errorf("in %d columns:\n%q, want\n%q", columns, got, want)
		}
	}
}

// TestChineseRows checks that the label of a cell has the colon of its language.
func TestChineseRows(t *testing.T) {
	for l, want := range map[message.Language]string{message.English: "extensions: .pdf", message.Chinese: "扩展名：.pdf"} {
		if !strings.Contains(Text("formats", l, 40), want) {
			t.Errorf("the formats in %s have no %q", l, want)
		}
	}
}

// TestTranslationsMatch checks that both languages of a topic have the same headings, lists and
// tables, whose rows have the same code in their first cells.
func TestTranslationsMatch(t *testing.T) {
	for _, topic := range Topics {
		english, chinese := outlineOf(topic, message.English), outlineOf(topic, message.Chinese)
		for i := range min(len(english), len(chinese)) {
			if english[i] != chinese[i] {
				t.Errorf("%s: there is %q in English, and %q in Chinese", topic, english[i], chinese[i])
				break
			}
		}
		if len(english) != len(chinese) {
			t.Errorf("%s has %d headings, items and rows in English, and %d in Chinese", topic, len(english), len(chinese))
		}
	}
}

// outlineOf returns the kinds of the lines of a topic that are not prose, with the code in the
// first cells of rows.
func outlineOf(topic string, l message.Language) (all []string) {
	code, listItem := regexp.MustCompile("`[^`]*`"), regexp.MustCompile(`^ *(-|\d+\.) `)
	isFenced := false
	for line := range strings.Lines(string(Markdown(topic, l))) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			isFenced = !isFenced
			all = append(all, "```")
		case isFenced:
		case strings.HasPrefix(line, "#"):
			all = append(all, "heading "+line[:strings.Index(line, " ")])
		case strings.HasPrefix(line, "|"):
			first, _, _ := strings.Cut(line[1:], "|")
			all = append(all, "row of "+strings.Join(code.FindAllString(first, -1), " "))
		case listItem.MatchString(line):
			all = append(all, "item")
		}
	}
	return all
}

// TestHTML checks that a topic links to the others and to nothing that the page does not have, and
// contains nothing that runs.
func TestHTML(t *testing.T) {
	href := regexp.MustCompile(`href="([^"]*)"`)
	for _, topic := range Topics {
		for _, l := range []message.Language{message.English, message.Chinese} {
			html, err := HTML(topic, l, "/help")
			if err != nil || !strings.HasPrefix(string(html), "<h1>"+Title(topic, l)+"</h1>") {
				t.Fatalf("%s begins with %.40q, %v", FileName(topic, l), html, err)
			}
			for _, m := range href.FindAllStringSubmatch(string(html), -1) {
				other, inside := strings.CutPrefix(m[1], "/help/")
				if inside && Markdown(other, l) == nil || !inside && !strings.HasPrefix(m[1], "https://") {
					t.Errorf("%s links to %s", FileName(topic, l), m[1])
				}
			}
			for _, bad := range []string{"<script", "<img", "javascript:", "<!--"} {
				if strings.Contains(string(html), bad) {
					t.Errorf("%s has %s in it", FileName(topic, l), bad)
				}
			}
		}
	}
}
