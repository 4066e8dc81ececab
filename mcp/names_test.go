package mcp

import (
	"strings"
	"testing"
)

// TestReadByName checks that a note can be read by its name or an alias, as links name it.
func TestReadByName(t *testing.T) {
	t.Parallel()
	dir := vault(t)
	writeFile(t, dir, "trips/Nara.md", "# Nara\n\nDeer, see [[Nowhere]].\n\n## By train\n\nAn hour.\n\n## By foot\n\nA day.\n")
	writeFile(t, dir, "a/Index.md", "One [[Index]].\n")
	writeFile(t, dir, "b/Index.md", "Two.\n")
	writeFile(t, dir, "Index.md", "The one above.\n\n# Part\n\nIts part.\n")
	writeFile(t, dir, "a/Root.md", "A.\n")
	writeFile(t, dir, "b/Root.md", "B.\n")
	writeFile(t, dir, "many.md", "# A\n# B\n# C\n# D\n# E\n# F\n# G\n# H\n# I\n")
	c := connect(t, serve(t, dir, Options{}), "test")
	for ref, want := range map[string]string{
		"Kyoto": "trips/Kyoto.md, lines 1-9", "kyoto.md": "trips/Kyoto.md, lines 1-9", "trips/Kyoto": "trips/Kyoto.md, lines 1-9", "京都": "trips/Kyoto.md, lines 1-9",
		"[[Kyoto]]": "trips/Kyoto.md, lines 1-9", "[[京都|the city]]": "trips/Kyoto.md, lines 1-9", "plain": "plain.txt, line 1", "Kyoto, lines 7-9": "trips/Kyoto.md, lines 7-9",
		"[[Nara#By train]]": "trips/Nara.md, lines 5-7", "Nara#By foot": "trips/Nara.md, lines 9-11", "trips/Nara.md#by train": "trips/Nara.md, lines 5-7", "[[Nara#Nara#By train|x]]": "trips/Nara.md, lines 5-7",
		"a/Index": "a/Index.md, line 1", "2023-01-05 Diary": "2023-01-05 Diary.md, line 1",
		"[[Index.md]]": "Index.md, lines 1-5", "[[Index]]": "Index.md, lines 1-5", "Index": "Index.md, lines 1-5", "[[Index.md#Part]]": "Index.md, lines 3-5", "[[b/Index.md]]": "b/Index.md, line 1",
		"trips/Nara.md#by-train": "trips/Nara.md, lines 5-7",
	} {
		if r := c.call("read_doc", `{"path": "`+ref+`"}`); r.IsError || !strings.HasPrefix(firstText(r), want+"\n") {
			t.Errorf("%s reads %s, want %s", ref, firstText(r), want)
		}
	}
	for ref, want := range map[string]string{
		"[[Nowhere]]":     "no such document: [[Nowhere]]: list_docs shows what there is",
		"[[]]":            "no such document: [[]]: list_docs shows what there is",
		"[[Nara#By bus]]": `trips/Nara.md: there is no heading "By bus": there are Nara; By train; By foot`,
		"Nara#By bus":     `trips/Nara.md: there is no heading "By bus"`, "trips/Nara.md#by-bus": `trips/Nara.md: there is no heading "by-bus"`, "plain.txt#By bus": `plain.txt: there is no heading "By bus": it has no headings`,
		"trips/Nara.md#line=9,3": "trips/Nara.md: fragment", "trips/Nara.md#page=2": "trips/Nara.md: it has lines and no pages", "Root": "2 documents are called Root",
		"many.md#no": `many.md: there is no heading "no": there are A; B; C; D; E; F; G; H; and 1 more`,
		"/Kyoto":     "no such document: /Kyoto",
		"[[Kioto]]":  "no such document: [[Kioto]] (did you mean trips/Kyoto.md?): list_docs shows", "trips/Kyotto.md#page=2": "no such document: trips/Kyotto.md#page=2 (did you mean trips/Kyoto.md?)",
		"other/Rooot.md": "no such document: other/Rooot.md (did you mean a/Root.md; b/Root.md?)",
	} {
		if r := c.call("read_doc", `{"path": "`+ref+`"}`); !r.IsError || !strings.HasPrefix(firstText(r), want) || strings.Contains(firstText(r), "\n") {
			t.Errorf("%s: error %v, %s; want one line with %s", ref, r.IsError, firstText(r), want)
		}
	}
	if got := firstText(c.call("read_doc", `{"path": "Kyoto"}`)); !strings.HasSuffix(got, "\n```\nLinked from: 2023-01-05 Diary.md; trips/Ramen.md") {
		t.Errorf("it does not say what links to it: %s", got)
	}
	if got := firstText(c.call("read_doc", `{"path": "plain.txt"}`)); strings.Contains(got, "Linked") {
		t.Errorf("nothing links to it: %s", got)
	}
}
