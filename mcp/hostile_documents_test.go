package mcp

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHostileDocuments checks that results are short and correct whatever the documents contain.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	heading := strings.Repeat("a heading that goes on and on ", 140)
	files := map[string]string{
		"one line.txt": strings.Repeat("all words stand in this line one after the other ", 100_000) + "the platypus lays eggs " + strings.Repeat("and so it goes on without an end ", 150_000),
		"heading.md":   "# " + heading + "about quinine\n\nQuinine tastes bitter.\n\n## Dose\n\nTwo grains at noon.\n",
		"six.md":       "# Travel\n\nThe ferry leaves at six.\n\nDie Fähre legt um sechs Uhr ab, die Überfahrt dauert zwei Stunden.\n\nLe bac part à six heures.\n\nEl transbordador sale a las seis.\n\nПаром отходит в шесть часов, билеты продаются на пристани.\n\n渡轮六点开船，请提前到码头。\n",
		"signs.md":     "# ***** --- !!! ??? *****\n\nThe samovar holds five litres.\n",
	}
	var rows strings.Builder
	rows.WriteString("ward,bed,patient\n")
	for i := range 50_000 {
		fmt.Fprintf(&rows, "ward %d,bed %d,patient number %d\n", i/20, i%20, i)
	}
	files["rows.csv"] = rows.String()
	for i := range 300 {
		files[fmt.Sprintf("copies/%03d.md", i)] = "# Scurvy\n\nScurvy is treated with lemons, by the surgeon of the ship.\n"
	}
	files["own.md"] = "# Lemons\n\nLemons cure scurvy within a week.\n"
	c := connect(t, serve(t, folder(t, files), Options{ResultsMode: ResultsText}), "test")
	for strings.HasPrefix(firstText(c.call("index_docs", `{}`)), "Still ") { // on a slow machine a call reaches its time limit first
	}
	for question, want := range map[string]string{
		"does the platypus lay eggs":        "[1] one line.txt",
		"how does quinine taste":            "[1] heading.md",
		"patient number 31417":              "[1] rows.csv",
		"how is scurvy treated with lemons": "copies/000.md",
		"wie lange dauert die Überfahrt":    "[1] six.md",
		"где продаются билеты на паром":     "[1] six.md",
		"渡轮几点开船":                            "[1] six.md",
		"how much does the samovar hold":    "[1] signs.md",
	} {
		text := allText(c.call("retrieve_docs", fmt.Sprintf(`{"query": %q}`, question)))
		if !strings.Contains(text, want) {
			t.Errorf("%q: no %s in\n%s", question, want, text)
		}
		if n := utf8.RuneCountInString(text); n > 5000 {
			t.Errorf("%q: the answer has %d characters:\n%.1500s", question, n, text)
		}
	}
	if text := allText(c.call("retrieve_docs", `{"query": "how is scurvy treated with lemons"}`)); !strings.Contains(text, "own.md") || strings.Count(text, "surgeon") != 1 {
		t.Errorf("the copies take the places:\n%s", text)
	}
	if text := allText(c.call("retrieve_docs", `{"query": "patient number 31417"}`)); !strings.Contains(text, "31417") {
		t.Errorf("the row is not shown:\n%s", text)
	}
}
