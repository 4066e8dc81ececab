package drawing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// wantText fails the test if a content has another text than want, or has a note.
func wantText(t *testing.T, c extract.Content, err error, want string) {
	t.Helper()
	extracttest.CheckContent(t, c, err)
	if err != nil || c.Text != want || c.ExtractionNote.String() != "" {
		t.Errorf("note %q, error %v\ngot  %q\nwant %q", c.ExtractionNote, err, c.Text, want)
	}
}

func TestReadingOrder(t *testing.T) {
	for _, test := range []struct {
		name  string
		boxes []box
		want  []int
	}{
		{"lines of two", []box{{200, 105, 100, 50}, {0, 100, 100, 50}, {205, 0, 100, 50}, {0, 5, 100, 50}}, []int{3, 2, 1, 0}},
		{"a tall one beside three", []box{{200, 210, 90, 90}, {203, 105, 90, 90}, {198, 0, 90, 90}, {0, 10, 100, 280}}, []int{3, 2, 1, 0}},
		{"columns that are not in line", []box{{0, 0, 100, 100}, {200, 60, 100, 100}, {0, 120, 100, 100}, {200, 180, 100, 100}}, []int{0, 2, 1, 3}},
		{"a title above columns", []box{{200, 100, 90, 300}, {0, 100, 90, 90}, {0, 200, 90, 90}, {0, 0, 290, 50}}, []int{3, 1, 2, 0}},
		{"one a little into the other", []box{{0, 95, 100, 100}, {0, 0, 100, 100}}, []int{1, 0}},
		{"on one another", []box{{10, 10, 90, 90}, {0, 0, 200, 200}}, []int{1, 0}},
		{"without an extent", []box{{0, 9, 0, 0}, {0, 3, 0, 0}}, []int{1, 0}},
	} {
		var figures []*figure
		for i, b := range test.boxes {
			figures = append(figures, &figure{box: b, id: fmt.Sprint(i)})
		}
		sortByReadingOrder(figures)
		var got []int
		for _, f := range figures {
			got = append(got, slices.Index(test.boxes, f.box))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

const (
	// A canvas with two groups, one inside the other, and cards inside and outside them.
	someCanvas = `{"nodes":[
		{"id":"c","type":"text","text":"Third card","x":620,"y":40,"width":100,"height":50},
		{"id":"g","type":"group","label":"Summer","x":600,"y":0,"width":900,"height":600},
		{"id":"h","type":"group","label":"July","x":1000,"y":0,"width":400,"height":400},
		{"id":"d","type":"text","text":"In the inner group","x":1100,"y":40,"width":100,"height":50},
		{"id":"b","type":"file","file":"notes/Plan.md","subpath":"#Costs","x":300,"y":0,"width":100,"height":50},
		{"id":"u","type":"link","url":"https://example.org/","x":0,"y":900,"width":100,"height":50},
		{"id":"n","type":"group","x":0,"y":1000,"width":100,"height":100},
		{"id":"a","type":"text","text":"# A heading\nand *more*\n\nSetext\n---\n~~~\n# code","x":0,"y":0,"width":100,"height":50}],
		"edges":[{"id":"e","fromNode":"a","toNode":"b","label":"needs"},{"id":"f","fromNode":"c","toNode":"d"},
		{"id":"i","fromNode":"gone","toNode":"c","label":"loose"}],"other":{"deep":[{}]}}`
	canvasText = "A heading\n\nand *more*\n\nSetext\n~~~\n# code\n~~~\n\nnotes/Plan.md#Costs\n\nhttps://example.org/\n\n" +
		"- A heading → notes/Plan.md#Costs: needs\n- loose\n\n## Summer\n\nThird card\n\n### July\n\nIn the inner group\n"
)

func TestCanvas(t *testing.T) {
	c, err := ReadCanvas([]byte(someCanvas), extract.NoProgress)
	wantText(t, c, err, canvasText)
}

// TestTextsKeepToThemselves checks that the text of a card cannot begin a heading, front matter or
// code fence that affects other texts.
func TestTextsKeepToThemselves(t *testing.T) {
	c, err := ReadCanvas([]byte(`{"nodes":[{"text":"---\ntitle: no\n---"},{"text":"`+"````\\n```\\nx"+`","y":9},{"text":"###### six ##\n#tag","y":99}]}`), extract.NoProgress)
	wantText(t, c, err, "title: no\n\n````\n```\nx\n````\n\nsix\n\n#tag\n")
}

const someScene = `{"type":"excalidraw","version":2,"elements":[
	{"id":"t2","type":"text","x":310,"y":10,"width":80,"height":20,"text":"broken\ninto lines","originalText":"broken into lines","containerId":"r2"},
	{"id":"r1","type":"rectangle","x":0,"y":0,"width":100,"height":50,"boundElements":[{"id":"t1","type":"text"}]},
	{"id":"r2","type":"ellipse","x":300,"y":0,"width":100,"height":50},
	{"id":"a","type":"arrow","x":100,"y":20,"width":200,"height":5,"startBinding":{"elementId":"r1","focus":0},"endBinding":{"elementId":"r2"}},
	{"id":"t1","type":"text","x":10,"y":10,"width":80,"height":20,"text":"First","containerId":"r1"},
	{"id":"ta","type":"text","x":150,"y":10,"width":80,"height":20,"text":"leads to","containerId":"a"},
	{"id":"gone","type":"text","text":"deleted","isDeleted":true},
	{"id":"f","type":"frame","name":"A frame","x":0,"y":300,"width":500,"height":500},
	{"id":"in","type":"text","text":"Inside","frameId":"f","x":10,"y":310},
	{"id":"o","type":"text","text":"Of a shape that is gone","containerId":"nowhere","x":0,"y":100,"width":9,"height":9},
	{"id":"p","type":"freedraw","points":[[0,0],[1,1]]}],
	"appState":{},"files":{"x":{"dataURL":"data:image/png;base64,AAAA"}}}`

func TestExcalidraw(t *testing.T) {
	c, err := ReadExcalidraw([]byte(someScene), extract.NoProgress)
	wantText(t, c, err, "First\n\nbroken into lines\n\nOf a shape that is gone\n\n- First → broken into lines: leads to\n\n## A frame\n\nInside\n")
}

// TestDamagedJSON checks that the part before the end of a truncated file, or before an error, is
// kept with a note.
func TestDamagedJSON(t *testing.T) {
	for _, test := range []struct {
		cut        string
		text, note string
	}{
		{someCanvas[:strings.Index(someCanvas, `,"y":900`)], "notes/Plan.md#Costs\n\n## Summer\n\nThird card\n\n### July\n\nIn the inner group\n", "the rest could not be read: damaged JSON"},
		{`{"nodes":[{"text":"a","x":"no number"},7,null,{"text":"b","x":2}],"edges":5}`, "a\n\nb\n", ""},
		{`{"nodes":[{"text":"a"}]`, "a\n", "the rest could not be read: damaged JSON"},
		{`{"nodes":[{"text":"a"},{"b":` + strings.Repeat("[", 1<<20), "a\n", "the rest could not be read: damaged JSON"},
	} {
		c, err := ReadCanvas([]byte(test.cut), extract.NoProgress)
		if err != nil || c.Text != test.text || c.ExtractionNote.String() != test.note {
			t.Errorf("%.40s: %v\ngot  %q, note %q\nwant %q, note %q", test.cut, err, c.Text, c.ExtractionNote, test.text, test.note)
		}
	}
	for raw, reason := range map[string]string{
		"":                      extract.ErrEmptyFile.Error(),
		"{}":                    extract.ErrNoText.Error(),
		"[]":                    errDamaged.Error(),
		"words":                 errDamaged.Error(),
		`{"nodes":[`:            errBroken.Error(),
		`{"nodes":{"a":1}}`:     errDamaged.Error(),
		`{"nodes":[{"text":""}`: errBroken.Error(),
		`{"nodes":[` + strings.Repeat("{},", maxFigures) + "{}]}":               errTooManyFigures.Error(),
		`{"x":` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + "}": errBroken.Error(),
	} {
		_, err := ReadCanvas([]byte(raw), extract.NoProgress)
		extracttest.WantSkip(t, err, reason)
	}
}

const noteText = `---

excalidraw-plugin: parsed
tags: [excalidraw]

---
==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠== You can decompress it.


# My own words
About the house.

# Excalidraw Data

## Text Elements
Important: the roof ^abCD1234

Two lines
of text ^x-Y_1234

## Element Links
abCD1234: [[Roof]]

## Embedded Files
0123456789abcdef0123456789abcdef01234567: [[plan.png]]

%%
## Drawing
` + "```compressed-json\nN4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2KqATLZMzYBXUtiRoIA\n\nyhQ4zZAHoFAc0JRJQgEYA6bGwC2CgF7N6hbEcK4OCtptbErHALRY8RMpWdx8Q1TdIEfARcZgRmBShcZQUebQBGADZtHjoo\n```\n%%"

// TestNote checks that the lines of a note keep their numbers, and that the drawing itself is not
// in the text.
func TestNote(t *testing.T) {
	if !IsExcalidrawNote([]byte(noteText)) || IsExcalidrawNote([]byte("---\ntags: x\n---\nexcalidraw-plugin: x")) || IsExcalidrawNote([]byte("\nexcalidraw-plugin: x")) {
		t.Error("what holds a drawing is told wrongly")
	}
	c, err := ReadExcalidrawNote([]byte(noteText), extract.NoProgress)
	wantText(t, c, err, "---\n\nexcalidraw-plugin: parsed\ntags: [excalidraw]\n\n---\n\n\n\n# My own words\nAbout the house.\n\n\n\n\n"+
		"Important: the roof\n\nTwo lines\nof text\n\n\n[[Roof]]\n\n\n[[plan.png]]\n")
	if line := strings.Count(c.Text[:strings.Index(c.Text, "of text")], "\n"); line != strings.Count(noteText[:strings.Index(noteText, "of text")], "\n") {
		t.Errorf("a line has become line %d", line+1)
	}
	_, err = ReadExcalidrawNote([]byte("---\nexcalidraw-plugin: raw\n---\n# Excalidraw Data\n%%\n# Drawing\n```json\n{\"text\": \"secret\"}"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(someCanvas))
	f.Add([]byte(someScene))
	f.Add([]byte(`{"nodes":[{"text":"a","x":1e308,"width":-1e308}],"elements":[{"type":"arrow","id":""}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadCanvas(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		c, err = ReadExcalidraw(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

func FuzzNote(f *testing.F) {
	f.Add([]byte(noteText))
	f.Add([]byte("---\r\n---\r\n# Drawing\r\n```\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadExcalidrawNote(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
