package chunk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/text"
)

// TestUnits: what can be read by itself is a unit.
func TestUnits(t *testing.T) {
	for name, c := range map[string]struct {
		mime, text string
		want       []string
	}{
		"sentences": {"text/plain", "Dr. Ito came at 3.15 p.m. today. He saw\nnobody. Why?", []string{"Dr. Ito came at 3.15 p.m. today.", "He saw\nnobody.", "Why?"}},
		"German":    {"text/plain", "Die Lieferung erfolgt am 5. November 2025 (nicht am 23.\nJuli). Sie ist gem. § 12 Abs. 3 fällig, z. B. für die Sägewerk GmbH & Co. KG.", []string{"Die Lieferung erfolgt am 5. November 2025 (nicht am 23.\nJuli).", "Sie ist gem. § 12 Abs. 3 fällig, z. B. für die Sägewerk GmbH & Co. KG."}},
		"clauses":   {"text/plain", "§ 7 Law. Swiss law governs.\n\n3.2 Rent. The rent is due.\n\nArt. 5 Haftung. Keine.", []string{"§ 7 Law. Swiss law governs.", "3.2 Rent. The rent is due.", "Art. 5 Haftung. Keine."}},
		"Chinese":   {"text/plain", "血压高。少吃盐！“为什么？”他问。", []string{"血压高。", "少吃盐！", "“为什么？”", "他问。"}},
		"a list":    {"text/markdown", "# Food\n\n- salt\n- oil,\n  little\n\nEat less. Walk more.", []string{"# Food", "- salt", "- oil,\n  little", "Eat less.", "Walk more."}},
		"a table":   {"text/markdown", "| a | b |\n|---|---|\n| 1. One | 2 |\n| 3 | 4 |", []string{"| a | b |\n|---|---|", "| 1. One | 2 |", "| 3 | 4 |"}},
		"code":      {"text/markdown", "Run it.\n\n```sh\nmake\nmake test\n```", []string{"Run it.", "```sh", "make", "make test", "```"}},
		"CSV":       {"text/csv", "a,b\n1,2\n3,4", []string{"a,b", "1,2", "3,4"}},
		"nothing":   {"text/plain", " \n\n ", nil},
	} {
		var got []string
		for _, u := range SplitPassage(c.text, text.Span{EndByte: len(c.text)}, c.mime) {
			got = append(got, c.text[u.Start:u.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%q\nwant\n%q", name, got, c.want)
		}
	}
}

// TestAboveUnits: rows and items have what they are read with, where it stands in the passage.
func TestAboveUnits(t *testing.T) {
	for name, c := range map[string]struct {
		mime, before, passage string
		want                  []string
	}{
		"columns of Markdown":          {"text/markdown", "", "Doses:\n\n| drug | dose |\n|---|---|\n| a | 1 |", []string{"", "Doses", "Doses / drug | dose"}},
		"of CSV":                       {"text/csv", "", "drug,dose\na,1", []string{"", "drug | dose"}},
		"of CSV that goes on":          {"text/csv", "drug,dose\n", "a,1\nb,2", []string{"", ""}},
		"of a table without any names": {"text/markdown", "", "| a | 1 |\n| b | 2 |", []string{"", ""}},
		"a lead":                       {"text/markdown", "", "The doses are:\n\n- one\n- two\n\nElse none.", []string{"", "The doses are", "The doses are", ""}},
		"a lead on the line before":    {"text/plain", "", "Ask first. 剂量如下：\n- 甲\n- 乙", []string{"", "", "剂量如下", "剂量如下"}},
		"items below items":            {"text/markdown", "", "1. Oxygen. Some of it.\n   - not too much\n     or more\n\n   Ask.\n2. Air", []string{"", "1. Oxygen.", "1. Oxygen.", "1. Oxygen.", ""}},
		"no lead":                      {"text/markdown", "", "He said:\n\nGo.\n\n- one", []string{"", "", ""}},
	} {
		src := c.before + c.passage
		var got []string
		for _, u := range SplitPassage(src, text.Span{StartByte: len(c.before), EndByte: len(src)}, c.mime) {
			got = append(got, strings.Join(u.Context, " / "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestGroupsOfUnits: what belongs together has one number.
func TestGroupsOfUnits(t *testing.T) {
	const src = "# A\n\nOne. Two.\n\nDoses:\n- x\n\n- yes, both. Or none.\n\n1. But\n\nOthers:\n\n| a |\n|---|\n| b |\n\nEnd:"
	want := []string{"1 # A", "2 One.", "2 Two.", "3 Doses:", "3 - x", "3 - yes, both.", "3 Or none.", "4 1. But", "5 Others:", "5 | a |\n|---|", "5 | b |", "6 End:"}
	var got []string
	leads := 0
	for _, u := range SplitPassage(src, text.Span{EndByte: len(src)}, "text/markdown") {
		got = append(got, fmt.Sprint(u.GroupNumber, " ", src[u.Start:u.End]))
		if u.IsIntroduction {
			leads++
		}
	}
	if !slices.Equal(got, want) || leads != 4 {
		t.Errorf("got %q with %d leads, want %q with 4", got, leads, want)
	}
}

// FuzzUnits: units are in order and leave out nothing but white space.
func FuzzUnits(f *testing.F) {
	f.Add("# A\n\nOne. Two.\n- x\n- y\n\n|a|\n|-|\n|b|", true)
	f.Add("血压。\n\u3000高！\r\n```\nx", false)
	f.Fuzz(func(t *testing.T, src string, isMarkdown bool) {
		mime := "text/plain"
		if isMarkdown {
			mime = "text/markdown"
		}
		at := 0
		for _, u := range SplitPassage(src, text.Span{EndByte: len(src)}, mime) {
			if u.Start < at || u.End <= u.Start || u.End > len(src) || !isBlank(src[at:u.Start]) {
				t.Fatalf("unit %v behind %d of %q", u, at, src)
			}
			at = u.End
		}
		if !isBlank(src[at:]) {
			t.Fatalf("%q is left out of %q", src[at:], src)
		}
	})
}
