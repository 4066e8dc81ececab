package chunk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/docs/meta"
	"vademecum/docs/text"
)

// TestTextIsNotHeld: what an index keeps of a document in memory is no part of its text,
// which would stay in memory with it.
func TestTextIsNotHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures, and finds no races")
	}
	entries, err := os.ReadDir(formatSamples)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]text.Body{
		"front.md":  {Text: "---\ntitle: Front\ntags: [one, two]\nauthor: Ann\n---\n\n# Heading\n\nText with [[Link]] and #tag.\n\n## Below\n\nMore.\n"},
		"one.md":    {Text: "# Heading\n\nText.\n\nBelow\n-----\n\nMore.\n"},
		"plain.txt": {Text: "Title\n\nMETHODS\n\nWe did.\n\n1. Patients\n\nTen.\n"},
		"one.org":   {Text: "#+title: Title\n* Heading\nText.\n** Below\nMore.\n"},
		"one.rst":   {Text: "Title\n=====\n\nText.\n\nBelow\n-----\n\nMore.\n"},
		"one.csv":   {Text: "word\n" + strings.Repeat("a\n", 4000)},
		"tags.txt":  {Text: "<篇名>伤寒论\n\n总说。\n\n<目录>卷一\n\n<篇名>辨脉法\n\n问曰。\n"},
		"book.txt":  {Text: "书名：金匮\n作者：张\n\n第一章 总论\n第一节 病因\n不明。\n"},
		"table.csv": {Text: "word,score\n" + strings.Repeat("a,1\n", 2000)},
	}
	forms := map[string]extract.TextForm{"front.md": extract.Markdown, "one.md": extract.Markdown, "one.org": extract.Org, "one.rst": extract.RST, "one.csv": extract.Table, "table.csv": extract.Table}
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(formatSamples, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if d, err := formats.Read(t.Context(), e.Name(), raw); err == nil {
			texts[e.Name()], forms[e.Name()] = text.Body{Text: d.Text, Parts: d.Parts}, d.Form
		}
	}
	for name, body := range texts {
		check := func(what, s string) {
			if isPartOf(s, body.Text) {
				t.Errorf("%s: %s %q is a part of the text", name, what, s)
			}
		}
		blocks := ParseBlocks(body, forms[name])
		check("title", blocks.Title(name, name))
		for _, c := range blocks.Chunks() {
			for _, h := range c.Heading {
				check("heading", h)
			}
		}
		data := meta.ReadData(name, body.Text, forms[name] == extract.Markdown)
		for _, s := range append(data.Tags, data.LinkTargets...) {
			check("tag or link", s)
		}
		for _, f := range data.Fields {
			check("key", f.Key)
			for _, v := range f.Values {
				check("value", v)
			}
		}
	}
}

// isPartOf tells whether the bytes of one string lie in another.
func isPartOf(s, text string) bool {
	if s == "" {
		return false
	}
	at, first := uintptr(unsafe.Pointer(unsafe.StringData(s))), uintptr(unsafe.Pointer(unsafe.StringData(text)))
	return at >= first && at < first+uintptr(len(text))
}
