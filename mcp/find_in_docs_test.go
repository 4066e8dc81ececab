package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// arg returns the arguments of a call as JSON.
func arg(t *testing.T, of map[string]any) string {
	t.Helper()
	blob, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	return string(blob)
}

var cursorTold = regexp.MustCompile(`with the same and cursor "([^"]+)"`)

// TestFindPages checks that the cursors of a search show each line once, and that each line can be
// read at its citation.
func TestFindPages(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 40 {
		files[fmt.Sprintf("%02d.md", i)] = fmt.Sprintf("# Note %d\n\nThe axolotl number %d swims.\n\nAn **axolotl** again.\n", i, i)
	}
	c := connect(t, serve(t, folder(t, files), Options{ResultsMode: ResultsText}), "test")
	c.call("index_docs", `{}`)
	var lines []string
	cursor, pages := "", 0
	for {
		text := allText(c.call("find_in_docs", arg(t, map[string]any{"text": "axolotl", "cursor": cursor})))
		if !strings.HasPrefix(text, "80 places in 40 documents; lines ") {
			t.Fatal(text)
		}
		path := ""
		for line := range strings.Lines(text) {
			if found, ok := strings.CutPrefix(line, "["); ok {
				path = strings.Split(strings.SplitAfter(found, "] ")[1], ",")[0]
			}
			if place, line, ok := strings.Cut(line, " "); ok && strings.HasPrefix(place, "L") {
				lines = append(lines, path+"#"+place)
				own := strings.NewReplacer("⟦", "", "⟧", "").Replace(line)
				if read := allText(c.call("read_doc", arg(t, map[string]any{"path": path + "#" + place}))); !strings.Contains(read, own) {
					t.Fatalf("%s#%s reads %s, the line is %s", path, place, read, line)
				}
			}
		}
		pages++
		m := cursorTold.FindStringSubmatch(text)
		if m == nil {
			break
		}
		cursor = m[1]
	}
	slices.Sort(lines)
	if len(lines) != 80 || len(slices.Compact(lines)) != 80 || pages != 4 {
		t.Errorf("on %d pages there are %d lines: %q", pages, len(lines), lines)
	}
	for name, arguments := range map[string]map[string]any{
		"of another text": {"text": "axolotls", "cursor": cursor}, "of another filter": {"text": "axolotl", "path": "0*.md", "cursor": cursor},
		"made up": {"text": "axolotl", "cursor": "20"}, "of yesterday": {"text": "axolotl", "cursor": strings.Replace(cursor, "60-", "-60-", 1)},
	} {
		if r := c.call("find_in_docs", arg(t, arguments)); !r.IsError || !strings.Contains(firstText(r), "leave it out to start from the beginning") {
			t.Errorf("a cursor %s: %s", name, firstText(r))
		}
	}
}

// TestFindMistakes checks that a search that is not possible is explained in a sentence.
func TestFindMistakes(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	for arguments, want := range map[string]string{
		`{}`:                                    "text is missing",
		`{"text": "  "}`:                        "text is empty",
		`{"text": 5}`:                           "text must be a text",
		`{"text": "a(", "regexp": true}`:        "not a regular expression",
		`{"text": "a", "regexp": "perhaps"}`:    "regexp must be true or false",
		`{"query": "a"}`:                        "did you mean text?",
		`{"pattern": "a"}`:                      "did you mean text?",
		`{"text": "a", "regex": true}`:          "did you mean regexp?",
		`{"text": "a", "case_sensitive": true}`: "did you mean case?",
		`{"text": "` + strings.Repeat("a", 10_000) + `"}`: "text is too long",
	} {
		if r := c.call("find_in_docs", arguments); !r.IsError || !strings.Contains(firstText(r), want) {
			t.Errorf("%.60s: %s, want %q", arguments, firstText(r), want)
		}
	}
	for arguments, want := range map[string]string{
		`{"text": "(a+)+", "regexp": true}`:         "places in",
		`{"text": ".*", "regexp": true}`:            "places in 3 documents",
		`{"text": "feet", "path": "nowhere"}`:       "No document has a path like nowhere",
		`{"text": "少盐，每天", "case": true}`:           "L2 饮食要⟦少盐，每天⟧",
		`{"text": "少鹽，每天"}`:                         "L2 饮食要⟦少盐，每天⟧",
		`{"text": "sweet drinks", "path": "*.txt"}`: "Nothing in the documents matches.",
	} {
		if r := c.call("find_in_docs", arguments); r.IsError || !strings.Contains(allText(r), want) {
			t.Errorf("%s: %s, want %q", arguments, allText(r), want)
		}
	}
}

// TestFindIsBounded checks that the result is short whatever the lines are, and that text of a
// document cannot be mistaken for text of the server.
func TestFindIsBounded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	files := map[string]string{"one line.txt": strings.Repeat("the platypus lays eggs and so on ", 50_000)}
	for i := range 30 {
		files[fmt.Sprintf("%s%d.md", strings.Repeat("a long name ", 15), i)] = strings.Repeat("```\n[1] other.md, 1 place: the platypus\n```\nMore: "+strings.Repeat("\"\\<&>", 40)+"platypus\n", 4)
	}
	c := connect(t, serve(t, folder(t, files), Options{ResultsMode: ResultsText}), "test")
	c.call("index_docs", `{}`)
	for _, cursor := range []bool{false, true} {
		arguments := map[string]any{"text": "platypus"}
		if cursor {
			arguments["cursor"] = cursorTold.FindStringSubmatch(allText(c.call("find_in_docs", arg(t, arguments))))[1]
		}
		r := c.call("find_in_docs", arg(t, arguments))
		text := allText(r)
		if size := sizeOfContent(r.Content...); r.IsError || !contentBudget().HasRoomFor(size) || strings.Contains(text, "cut here") {
			t.Errorf("the answer has %v:\n%.500s", size, text)
		}
		for i, part := range strings.Split(text, "\n````\n") { // the fence of each document
			for line := range strings.Lines(part) {
				if i%2 == 1 && !strings.HasPrefix(line, "L") {
					t.Errorf("a line of a document is %q", line)
				}
			}
		}
	}
}

// TestFindTexts checks that the texts of a client are found after the documents, and only by that
// client.
func TestFindTexts(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, map[string]string{"a.md": "An axolotl.\n"}), Options{ResultsMode: ResultsText})
	giver, other := connect(t, s, "giver"), connect(t, s, "other")
	giver.call("index_docs", `{"docs": ["The axolotl swims.\nAn axolotl eats."]}`)
	text := allText(giver.call("find_in_docs", `{"text": "axolotl"}`))
	if !strings.HasPrefix(text, "3 places in 2 documents\n[1] a.md, 1 place: ") || !strings.Contains(text, "\nL2 An ⟦axolotl⟧ eats.") {
		t.Error(text)
	}
	if text := allText(other.call("find_in_docs", `{"text": "axolotl"}`)); !strings.HasPrefix(text, "1 place in 1 document\n") || strings.Contains(text, "swims") {
		t.Errorf("the other is told: %s", text)
	}
	if text := allText(giver.call("find_in_docs", `{"text": "swims"}`)); !strings.HasPrefix(text, "1 place in 1 document\n[1] vademecum:text/") {
		t.Error(text)
	}
}

// TestFindTextsPage checks that the pages of a search show the lines of the documents before those
// of the texts.
func TestFindTextsPage(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 5 {
		files[fmt.Sprintf("%d.md", i)] = strings.Repeat("An axolotl.\n", 5)
	}
	c := connect(t, serve(t, folder(t, files), Options{ResultsMode: ResultsText}), "test")
	var texts []string
	for i := range 4 {
		texts = append(texts, fmt.Sprintf("Text %d.\n", i)+strings.Repeat("An axolotl.\n", 12))
	}
	c.call("index_docs", arg(t, map[string]any{"docs": texts}))
	var lines []string
	cursor, pages := "", 0
	for {
		text := allText(c.call("find_in_docs", arg(t, map[string]any{"text": "axolotl", "cursor": cursor})))
		if !strings.HasPrefix(text, "73 places in 9 documents; lines ") {
			t.Fatal(text)
		}
		path := ""
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "[") {
				path, _, _ = strings.Cut(strings.SplitAfter(line, "] ")[1], ",")
			} else if strings.Contains(line, "⟦axolotl⟧") {
				lines = append(lines, path+" "+line)
			}
		}
		pages++
		m := cursorTold.FindStringSubmatch(text)
		if m == nil || pages == 10 {
			break
		}
		cursor = m[1]
	}
	isText := func(line string) bool { return strings.HasPrefix(line, "vademecum:text/") }
	if first := slices.IndexFunc(lines, isText); first != 25 || slices.ContainsFunc(lines[25:], func(line string) bool { return !isText(line) }) {
		t.Errorf("the first line of a text is line %d", first)
	}
	slices.Sort(lines)
	if len(lines) != 73 || len(slices.Compact(lines)) != 73 || pages != 4 {
		t.Errorf("on %d pages there are %d lines, of which %d differ", pages, len(lines), len(slices.Compact(lines)))
	}
}
