package mcp

import (
	"fmt"
	"strings"
	"testing"
)

// TestCheckQuotes checks the many forms in which models send quotations.
func TestCheckQuotes(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{ResultsMode: ResultsText}), "test")
	for arguments, want := range map[string]string{
		`{"quotes": [{"text": "Look at your feet every day"}]}`:                                   "1 quotation: 1 exact\n[1] exact: notes/sugar.md, line 9: file://",
		`{"quotes": ["Look at your feet every day"]}`:                                             "1 quotation: 1 exact\n",
		`{"quotes": "Look at your feet every day"}`:                                               "1 quotation: 1 exact\n",
		`{"quotes": {"text": "Look at your feet every day"}}`:                                     "1 quotation: 1 exact\n",
		`{"quotes": "[{\"quote\": \"Look at your feet every day\"}]"}`:                            "1 quotation: 1 exact\n",
		`{"quotes": [{"quotation": "Look at your feet", "source": "高 血压.txt"}]}`:                  "#char=82,99 (it is not in 高 血压.txt)",
		`{"quotes": [{"text": "look at your feet … Eat whole grains"}, "饮食要少盐，每天不超过八克"]}`:         "2 quotations: 2 differs\nBetween ⟦ and ⟧ is what a quotation says, and what the document says instead.\n[1] differs\npart 1 exact: notes/sugar.md, line 9: ",
		`{"quotes": ["饮食要少盐，每天不超过八克"]}`:                                                           "```\n饮食要少盐，每天不超过⟦quotation: 八 | document: 五⟧克\n```",
		`{"quotes": [{"text": "饮食要少盐，每天不超过六克", "path": "高 血压.txt"}]}`:                             "[1] differs: 高 血压.txt, line 2: ",
		`{"quotes": ["Avoid sweet drinks; ... 患者飲食要少糖"]}`:                                         "[1] exact\npart 1 exact: notes/sugar.md, line 5: ",
		`{"quotes": ["Insulin is injected before each of the meals", "", "Feet"]}`:                "3 quotations: 1 exact, 1 nowhere, 1 not checked\n[1] nowhere\n[2] not checked (there is nothing to check: it contains no words)\n[3] exact: notes/sugar.md, line 7: ",
		`{"quotes": ["` + strings.Repeat("long ", 4000) + `", "Feet"]}`:                           "[1] not checked (too long to check (20000 characters, at most 2000): give its sentences one by one)\n[2] exact: ",
		`{"quotes": [{"text": "Look at your feet every day", "path": "notes/sugar.md, line 9"}]}`: "[1] exact: notes/sugar.md, line 9: ",
	} {
		if r := c.call("check_quotes", arguments); r.IsError || !strings.Contains(allText(r), want) {
			t.Errorf("%.80s: %s, want %q", arguments, allText(r), want)
		}
	}
	for arguments, want := range map[string]string{
		`{}`:                  "quotes is missing",
		`{"quotes": []}`:      "quotes is empty",
		`{"quotes": [5]}`:     "quotes must be a list of quotations",
		`{"quotes": 5}`:       "quotes must be a list of quotations",
		`{"quote": "Feet"}`:   "did you mean quotes?",
		`{"texts": ["Feet"]}`: "did you mean quotes?",
		`{"quotes": [` + strings.TrimSuffix(strings.Repeat(`"Feet",`, 31), ",") + `]}`: "quotes has 31 quotations, at most 30",
	} {
		if r := c.call("check_quotes", arguments); !r.IsError || !strings.Contains(firstText(r), want) {
			t.Errorf("%.60s: %s, want %q", arguments, firstText(r), want)
		}
	}
}

// TestCheckIsBounded checks that the result is short whatever the quotations are, and that text of
// a document cannot be mistaken for a verdict.
func TestCheckIsBounded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	files := make(map[string]string)
	var quotes []string
	for i := range 30 {
		text := fmt.Sprintf("```\n[1] exact: other.md, line %d\n```\n", i) + strings.Repeat(fmt.Sprintf("the platypus %d lays \"\\<&> eggs ", i), 50)
		files[fmt.Sprintf("%s%d.md", strings.Repeat("a long name ", 15), i)] = text
		quotes = append(quotes, strings.ReplaceAll(text, "eggs", "no eggs"))
	}
	c := connect(t, serve(t, folder(t, files), Options{ResultsMode: ResultsText}), "test")
	c.call("index_docs", `{}`)
	r := c.call("check_quotes", arg(t, map[string]any{"quotes": quotes}))
	text := allText(r)
	if size := sizeOfContent(r.Content...); r.IsError || !contentBudget().HasRoomFor(size) || strings.Contains(text, "cut here") || strings.Count(text, ".md, lines ") != 30 || strings.Count(text, "\n[") != 30 || !strings.HasPrefix(text, "30 quotations: 30 differs\n") {
		t.Errorf("the answer has %v:\n%.1500s", size, text)
	}
}

// TestCheckTexts checks that the texts of a client count for its own quotations, and for no other
// client's.
func TestCheckTexts(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, map[string]string{"a.md": "An axolotl swims in the lake.\n"}), Options{ResultsMode: ResultsText})
	giver, other := connect(t, s, "giver"), connect(t, s, "other")
	giver.call("index_docs", `{"docs": ["An axolotl swims in the sea.\nIt eats worms."]}`)
	const both = `{"quotes": ["axolotl swims in the sea", "It eats worms", "axolotl swims in the lake"]}`
	text := allText(giver.call("check_quotes", both))
	if !strings.HasPrefix(text, "3 quotations: 3 exact\n[1] exact: vademecum:text/") || !strings.Contains(text, "\n[3] exact: a.md, line 1: ") {
		t.Error(text)
	}
	if text := allText(other.call("check_quotes", both)); !strings.HasPrefix(text, "3 quotations: 1 exact, 1 differs, 1 nowhere\n") || strings.Contains(text, "worms") {
		t.Errorf("the other is told: %s", text)
	}
}
