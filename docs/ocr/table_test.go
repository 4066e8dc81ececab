package ocr

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"vademecum/docs/extract/layout"
	"vademecum/docs/ocr/ocrtest"
)

// table writes words as the program does: each is "block paragraph line confidence text".
func table(words ...string) string {
	var out strings.Builder
	out.WriteString(ocrtest.TSVHeader + "4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t\n")
	for _, w := range words {
		f := strings.SplitN(w, " ", 5)
		fmt.Fprintf(&out, "5\t1\t%s\t%s\t%s\t1\t0\t0\t9\t9\t%s\t%s\n", f[0], f[1], f[2], f[3], f[4])
	}
	return out.String()
}

func TestPage(t *testing.T) {
	for _, test := range []struct {
		name  string
		words []string
		text  string
		why   string
	}{
		{name: "empty", why: "no text was recognised"},
		{name: "lines and paragraphs", words: []string{"1 1 1 90 Take", "1 1 1 90 twice", "1 1 2 90 daily.", "1 2 1 90 Then", "2 1 1 90 stop."}, text: "Take twice\ndaily.\n\nThen\n\nstop.\n"},
		{name: "Chinese", words: []string{"1 1 1 90 患", "1 1 1 90 者，", "1 1 1 90 每日", "1 1 1 90 5", "1 1 1 90 mg", "1 1 1 90 。"}, text: "患者，每日 5 mg。\n"},
		{name: "noise beside text", words: []string{"1 1 1 92 Discharge", "1 1 1 92 letter", "2 1 1 12 ~/|", "3 1 1 88 Berlin"}, text: "Discharge letter\n\nBerlin\n"},
		{name: "few signs", words: []string{"1 1 1 95 |", "1 1 1 95 ab-3"}, why: "no text was recognised"},
		{name: "unsure", words: []string{"1 1 1 50 Discharge", "1 1 1 52 letter"}, why: "the recognised text is too uncertain (51 %)"},
		{name: "mostly noise", words: []string{"1 1 1 80 photograph", "2 1 1 20 lkjhgfdsa", "2 1 2 20 lkjhgfdsa"}, why: "the recognised text is too uncertain (41 %)"},
	} {
		words, err := parse(table(test.words...))
		if err != nil {
			t.Fatal(err)
		}
		if p := pageOf(words, layout.Rotation{}); p.Text != test.text || p.NoTextReason.String() != test.why {
			t.Errorf("%s: %q, %q, want %q, %q", test.name, p.Text, p.NoTextReason, test.text, test.why)
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add(table("1 1 1 90 text"))
	f.Add(table("1 1 1 90 text") + "5\t1\t1\t1\t1\t2\t0\t0\t9\t9\tNaN\t\x00\n5\t\t\t\t\t\t\t\t\t\t1\tx\n")
	f.Fuzz(func(t *testing.T, table string) {
		words, err := parse(table)
		if err != nil {
			return
		}
		if p := pageOf(words, layout.Rotation{}); (p.Text == "") == (p.NoTextReason == "") || p.ConfidencePercent < 0 || p.ConfidencePercent > 100 {
			t.Errorf("it makes %+v", p)
		}
	})
}

// TestPlacesOfWords: boxes are no higher than the line, and of Chinese words reach to the next one.
func TestPlacesOfWords(t *testing.T) {
	words, err := parse(ocrtest.TSVHeader + "4\t1\t1\t1\t1\t0\t100\t125\t900\t33\t-1\t\n" +
		"5\t1\t1\t1\t1\t1\t122\t125\t166\t32\t96\t患者每日\n5\t1\t1\t1\t1\t2\t204\t121\t9\t51\t96\t测\n5\t1\t1\t1\t1\t3\t235\t121\t33\t51\t96\t量\n5\t1\t1\t1\t1\t4\t400\t125\t60\t30\t96\tblood\n")
	if err != nil {
		t.Fatal(err)
	}
	page := pageOf(words, layout.Rotation{OriginalWidth: 1000, OriginalHeight: 400})
	places, ok := layout.Parse(page.PackedLayout)
	want := []image.Rectangle{image.Rect(122, 125, 204, 157), image.Rect(204, 125, 235, 158), image.Rect(235, 125, 268, 158), image.Rect(400, 125, 460, 155)}
	if !ok || len(places.Words) != len(want) {
		t.Fatalf("they are %+v, %v", places, ok)
	}
	for i, w := range places.Words {
		if w.Box != want[i] || w.BeginsLine != (i == 0) {
			t.Errorf("word %d is at %v, want %v", i, w.Box, want[i])
		}
	}
	if got := string([]rune(page.Text)[places.Words[3].From:places.Words[3].To]); got != "blood" {
		t.Errorf("the last word is %q", got)
	}
	for _, damaged := range []string{"4\t1\t1\t1\t1\t0\tx\t0\t9\t9\t-1\t\n", "5\t1\t1\t1\t1\t1\t0\t0\t9\tx\t96\ttext\n"} {
		if _, err := parse(ocrtest.TSVHeader + damaged); err == nil {
			t.Errorf("%q is no damage", damaged)
		}
	}
	page = pageOf([]word{{confidence: 96, text: "Metoprolol", box: image.Rect(-5, -5, 1<<40, 1<<40)}}, layout.Rotation{OriginalWidth: 100, OriginalHeight: 100})
	if places, ok := layout.Parse(page.PackedLayout); !ok || places.Words[0].Box != image.Rect(0, 0, 100, 100) {
		t.Errorf("beyond the page, it is %+v", places)
	}
}
