package mcp

import (
	"strings"
	"testing"
)

// TestReadByName: a note is read by its name or an alias, as links have it.
func TestReadByName(t *testing.T) {
	dir := vault(t)
	writeFile(t, dir, "trips/Nara.md", "# Nara\n\nDeer, see [[Nowhere]].\n\n## By train\n\nAn hour.\n\n## By foot\n\nA day.\n")
	writeFile(t, dir, "a/Index.md", "One [[Index]].\n")
	writeFile(t, dir, "b/Index.md", "Two.\n")
	c := connect(t, serve(t, dir, Options{}), "test")
	for ref, want := range map[string]string{
		"Kyoto": "trips/Kyoto.md, lines 1-9", "kyoto.md": "trips/Kyoto.md, lines 1-9", "trips/Kyoto": "trips/Kyoto.md, lines 1-9", "京都": "trips/Kyoto.md, lines 1-9",
		"[[Kyoto]]": "trips/Kyoto.md, lines 1-9", "[[京都|the city]]": "trips/Kyoto.md, lines 1-9", "plain": "plain.txt, line 1", "Kyoto, lines 7-9": "trips/Kyoto.md, lines 7-9",
		"[[Nara#By train]]": "trips/Nara.md, lines 5-7", "Nara#By foot": "trips/Nara.md, lines 9-11", "trips/Nara.md#by train": "trips/Nara.md, lines 5-7", "[[Nara#Nara#By train|x]]": "trips/Nara.md, lines 5-7",
		"a/Index": "a/Index.md, line 1", "2023-01-05 Diary": "2023-01-05 Diary.md, line 1",
	} {
		if r := c.call("read_doc", `{"path": "`+ref+`"}`); r.IsError || !strings.HasPrefix(firstText(r), want+"\n") {
			t.Errorf("%s reads %s, want %s", ref, firstText(r), want)
		}
	}
	for ref, want := range map[string]string{
		"Index":           "2 documents are called Index: give the path of one: a/Index.md; b/Index.md",
		"[[Nowhere]]":     "no such document: [[Nowhere]]: list_docs shows what there is",
		"[[]]":            "no such document: [[]]: list_docs shows what there is",
		"[[Nara#By bus]]": "trips/Nara.md: fragment",
		"/Kyoto":          "no such document: /Kyoto",
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
