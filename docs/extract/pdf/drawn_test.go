package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
)

// textWidth returns the width of a text in Helvetica of 10 points.
func textWidth(text string) (width float64) {
	widths := map[rune]float64{'f': 2.78, 'i': 2.22, 'j': 2.22, 'l': 2.22, 't': 2.78, 'r': 3.33, 'm': 8.33, 'w': 7.22, 'c': 5, 'k': 5, 's': 5, 'v': 5, 'x': 5, 'y': 5, 'z': 5,
		' ': 2.78, '.': 2.78, ':': 2.78, '-': 3.33, 'W': 9.44, 'I': 2.78, 'D': 7.22, 'T': 6.11, 'C': 7.22}
	for _, c := range text {
		if w, ok := widths[c]; ok {
			width += w
		} else {
			width += 5.56
		}
	}
	return width
}

// lineThrough returns the text "before struck after" at a height and a line across the struck part, at a height
// above the baseline. The line is longer on both sides by extra.
func lineThrough(y, above, extra float64, before, struck, after string) string {
	from := 50 + textWidth(before) - extra
	return show("F1", 10, 50, y, before+struck+after) + filled(from, y+above, textWidth(struck)+2*extra, 0.7)
}

func filled(x, y, width, height float64) string {
	return fmt.Sprintf("%v %v %v %v re f\n", x, y, width, height)
}

func stroked(x, y, toX, toY float64) string {
	return fmt.Sprintf("0.5 w %v %v m %v %v l S\n", x, y, toX, toY)
}

// readPage returns the text of a file of one page.
func readPage(t *testing.T, content string) string {
	t.Helper()
	c, err := Read(testPDF{pages: []string{content}, extra: testBold}.bytes(), extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(c.Text, "\n")
}

// TestStruckOut checks which text is marked as struck out.
func TestStruckOut(t *testing.T) {
	const struck = "Warfarin ~~5 mg~~ 2.5 mg"
	line := func(above, extra float64) string {
		return lineThrough(700, above, extra, "Warfarin ", "5 mg", " 2.5 mg")
	}
	plain := show("F1", 10, 50, 700, "Warfarin 5 mg 2.5 mg")
	from := 50 + textWidth("Warfarin ")
	to := from + textWidth("5 mg")
	for _, test := range []struct{ name, page, want string }{
		{"filled", line(2.5, 0), struck},
		{"stroked", plain + stroked(from, 703, to, 703), struck},
		{"drawn first", stroked(from, 703, to, 703) + plain, struck},
		{"in two parts", plain + filled(from, 702.5, 10, 0.5) + filled(from+10, 702.5, to-from-10, 0.5), struck},
		{"two strikes in one path", show("F1", 10, 50, 700, "Warfarin 5 mg or 6 mg") + fmt.Sprintf("%v 702.5 %v 0.5 re %v 702.5 %v 0.5 re f\n", from, to-from, 50+textWidth("Warfarin 5 mg or "), textWidth("6 mg")), "Warfarin ~~5 mg~~ or ~~6 mg~~"},
		{"with the spaces around it", line(2.5, 2.7), struck},
		{"whole line", lineThrough(700, 3, 0, "", "Warfarin 5 mg", ""), "~~Warfarin 5 mg~~"},
		{"twice", line(2.5, 0) + filled(from, 703.5, to-from, 0.5), struck},
		{"underlined", line(-1.5, 0), "Warfarin 5 mg 2.5 mg"},
		{"a line above", line(8, 0), "Warfarin 5 mg 2.5 mg"},
		{"a line that goes on", line(2.5, 12), "Warfarin 5 mg 2.5 mg"},
		{"a part of a word", lineThrough(700, 2.5, 0, "Warf", "arin", " 5 mg"), "Warfarin 5 mg"},
		{"a marker", plain + filled(from, 699, to-from, 9), "Warfarin 5 mg 2.5 mg"},
		{"a box around the letters", plain + stroked(from, 703, to, 703) + stroked(from, 690, from, 710), "Warfarin 5 mg 2.5 mg"},
		{"not drawn", plain + fmt.Sprintf("%v 702.5 %v 0.5 re n\n", from, to-from), "Warfarin 5 mg 2.5 mg"},
		{"a fraction", show("F1", 10, 50, 706, "dose") + filled(50, 703, textWidth("dose"), 0.5) + show("F1", 10, 50, 694, "days"), "dose\ndays"},
		{"a sign of a currency", lineThrough(700, 2.5, 0, "at 5 ", "C", " each"), "at 5 C each"},
		{"a divided word", lineThrough(700, 2.5, 0, "Take ", "inter-", "") + lineThrough(688, 2.5, 0, "", "national", " law"), "Take ~~inter\u00AD\nnational~~ law"},
	} {
		if got := readPage(t, test.page); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// A testGrid draws a table with cells of 80 by 20 points, whose upper left corner is at 50, 700. A line break in a
// cell begins a new line of it.
type testGrid struct {
	rows   [][]string
	open   map[int]bool // rows whose cells have no borders between them
	noRule bool         // whether only the first row has a border below
}

func (g testGrid) content() string {
	var b strings.Builder
	columns := len(g.rows[0])
	for i, row := range g.rows {
		top := float64(700 - 20*i)
		for n, text := range row {
			for k, line := range strings.Split(text, "\n") {
				if line != "" {
					b.WriteString(show("F1", 8, float64(54+80*n), top-9-8*float64(k), line))
				}
			}
			if !g.open[i] || n == 0 {
				b.WriteString(stroked(float64(50+80*n), top-20, float64(50+80*n), top))
			}
		}
		b.WriteString(stroked(float64(50+80*columns), top-20, float64(50+80*columns), top))
		if i < 2 || !g.noRule {
			b.WriteString(stroked(50, top, float64(50+80*columns), top))
		}
	}
	bottom := float64(700 - 20*len(g.rows))
	b.WriteString(stroked(50, bottom, float64(50+80*columns), bottom))
	return b.String()
}

// TestEmptyCells checks that a table with empty cells is written with its columns if its borders are drawn, and
// that other tables stay as they are.
func TestEmptyCells(t *testing.T) {
	names := []string{"Drug", "Morning", "Noon", "Night"}
	const header = "| Drug | Morning | Noon | Night |\n| --- | --- | --- | --- |\n"
	around := func(table string) string {
		return show("F1", 10, 50, 740, "Plan of the ward") + table + show("F1", 10, 50, 500, "End of the plan")
	}
	for _, test := range []struct {
		name string
		grid testGrid
		want string
	}{
		{"empty cells", testGrid{rows: [][]string{names, {"Metformin", "1", "", "1"}, {"Simva", "", "", "2"}}}, header + "| Metformin | 1 |  | 1 |\n| Simva |  |  | 2 |"},
		{"an empty row", testGrid{rows: [][]string{names, {"Metformin", "1", "", "1"}, {"", "", "", ""}, {"Simva", "", "", "2"}}}, header + "| Metformin | 1 |  | 1 |\n| Simva |  |  | 2 |"},
		{"a bar", testGrid{rows: [][]string{names, {"a|b", "1", "", "1"}, {"Simva", "", "", "2"}}}, header + "| a\\|b | 1 |  | 1 |\n| Simva |  |  | 2 |"},
		{"several lines", testGrid{rows: [][]string{names, {"Metformin\n850 mg", "1", "", "1"}, {"Simva", "", "", "2"}}}, header + "| Metformin 850 mg | 1 |  | 1 |\n| Simva |  |  | 2 |"},
		{"a word wider than its column", testGrid{rows: [][]string{names, {"Simvastatinhydroxid\nn 20", "1", "", "1"}, {"Simva", "", "", "2"}}}, header + "| Simvastatinhydroxidn 20 | 1 |  | 1 |\n| Simva |  |  | 2 |"},
		{"a unit below a word", testGrid{rows: [][]string{names, {"Simvastatinhydroxid\nmg", "1", "", "1"}, {"Simva", "", "", "2"}}}, header + "| Simvastatinhydroxid mg | 1 |  | 1 |\n| Simva |  |  | 2 |"},
		{"a word that may be whole", testGrid{rows: [][]string{names, {"Simvastatinhydroxid\nacid", "1", "", "1"}, {"Simva", "", "", "2"}}}, header + "| Simvastatinhydroxid acid | 1 |  | 1 |\n| Simva |  |  | 2 |"},
		{"a title above", testGrid{rows: [][]string{{"Everything that is given", "", "", ""}, names, {"Metformin", "1", "", "1"}}, open: map[int]bool{0: true}}, "Everything that is given\n\n" + header + "| Metformin | 1 |  | 1 |"},
		{"no empty cell", testGrid{rows: [][]string{names, {"Metformin", "1", "2", "1"}, {"Simva", "3", "3", "2"}}}, "Drug Morning Noon Night\nMetformin 1 2 1\nSimva 3 3 2"},
		{"merged cells", testGrid{rows: [][]string{names, {"Metformin", "1", "", "1"}, {"as needed", "", "", ""}, {"Simva", "", "", "2"}}, open: map[int]bool{2: true}}, "Drug Morning Noon Night\nMetformin 1 1\nas needed\nSimva 2"},
		{"no names", testGrid{rows: [][]string{{"Drug", "", "Noon", "Night"}, {"Metformin", "1", "", "1"}, {"Simva", "", "", "2"}}}, "Drug Noon Night\nMetformin 1 1\nSimva 2"},
		{"rows without a border between them", testGrid{rows: [][]string{names, {"Metformin", "1", "", "1"}, {"Simva", "5", "", "2"}}, noRule: true}, "Drug Morning Noon Night\nMetformin 1 1\nSimva 5 2"},
		{"a text over two columns", testGrid{rows: [][]string{names, {"Metformin", "", "as-the-doctor-decides-it", ""}, {"Simva", "", "", "2"}}}, "Drug Morning Noon Night\nMetformin as-the-doctor-decides-it\nSimva 2"},
	} {
		got := readPage(t, around(test.grid.content()))
		got = strings.TrimSuffix(strings.TrimLeft(strings.TrimPrefix(got, "Plan of the ward"), "\n"), "\n\nEnd of the plan")
		if got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestDrawnPlaces checks that the lines that are highlighted on a page are where Read has them, also where marks were
// added to them.
func TestDrawnPlaces(t *testing.T) {
	grid := testGrid{rows: [][]string{{"Drug", "Morning", "Noon"}, {"Metformin", "1", ""}, {"a|b", "", "2"}}}
	raw := testPDF{pages: []string{grid.content() + lineThrough(400, 2.5, 0, "Warfarin ", "5 mg", " 2.5 mg")}, extra: testBold}.bytes()
	c, err := Read(raw, extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := sharedEngine(extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	d := file{engine: engine, raw: raw}
	defer d.close()
	if err := d.open(); err != nil {
		t.Fatal(err)
	}
	p, err := d.openPage(0)
	if err != nil {
		t.Fatal(err)
	}
	text := []rune(c.Text)
	lines := p.placeLines()
	if len(lines) != 5 {
		t.Fatalf("got %d lines", len(lines))
	}
	for _, line := range lines {
		if got := string(text[line.From:line.To]); got != line.text || len(line.at) != len([]rune(line.text)) {
			t.Errorf("%q is %q, of %d characters", line.text, got, len(line.at))
		}
	}
}

// TestPrintMargins checks that the lines that a browser adds to the pages are left out, and others are not.
func TestPrintMargins(t *testing.T) {
	page := func(top, foot string) string {
		left, right, _ := strings.Cut(foot, "\t")
		return show("F1", 8, 50, 780, top) + show("F1", 10, 50, 700, "Who goes to the ward has to") + show("F1", 10, 50, 688, "wash his hands before.") + show("F1", 8, 50, 20, left) + show("F1", 8, 400, 20, right)
	}
	const text = "Who goes to the ward has to\nwash his hands before.\n"
	for _, test := range []struct {
		name  string
		pages []string
		want  string
	}{
		{"Chrome", []string{page("11/30/26, 10:12 PM Long policy", "file:///tmp/long.html\t1/2"), page("11/30/26, 10:12 PM Long policy", "file:///tmp/long.html\t2/2")},
			"11/30/26, 10:12 PM Long policy file:///tmp/long.html\n\n" + text + "\n" + text},
		{"other dates", []string{page("30.11.26, 22:12", "https://example.org/a?b=c\t1/2"), page("2026/11/30 22:12 Long policy", "https://example.org/a?b=c\t2/2")},
			"30.11.26, 22:12 https://example.org/a?b=c\n\n" + text + "\n" + text},
		{"Firefox", []string{page("Long policy https://example.org/a", "1 of 2\t11/30/26, 10:12 PM"), page("Long policy https://example.org/a", "2 of 2\t11/30/26, 10:12 PM")},
			"Long policy https://example.org/a 11/30/26, 10:12 PM\n\n" + text + "\n" + text},
		{"no address", []string{page("11/30/26, 10:12 PM Long policy", "1/1")}, "11/30/26, 10:12 PM Long policy\n" + text + "\n1/1\n"},
		{"a fraction", []string{page("11/30/26, 10:12 PM Ward round", "1/2")}, "11/30/26, 10:12 PM Ward round\n" + text + "\n1/2\n"},
		{"no time", []string{page("11/30/26 Long policy", "https://example.org/a\t1/1")}, "11/30/26 Long policy\n" + text + "\nhttps://example.org/a 1/1\n"},
	} {
		c, err := Read(testPDF{pages: test.pages}.bytes(), extract.NoProgress)
		if err != nil {
			t.Fatal(err)
		}
		if c.Text != test.want {
			t.Errorf("%s: got %q, want %q", test.name, c.Text, test.want)
		}
	}
}

// TestMayDraw checks how the bytes of a file tell whether it draws lines.
func TestMayDraw(t *testing.T) {
	packed := func(text string) string {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		fmt.Fprint(w, text)
		w.Close()
		return b.String()
	}
	stream := func(entries, data string) string {
		return fmt.Sprintf("1 0 obj\n<<%s/Length %d>>\nstream\r\n%s\nendstream\nendobj\n", entries, len(data), data)
	}
	const words, drawn = "BT /F1 10 Tf (a f b) Tj ET\n0 0 9 9 re W n\n", "0 0 9 9 re\nf*\n"
	for _, test := range []struct {
		name, raw string
		want      bool
	}{
		{"words", stream("", strings.ReplaceAll(words, " f ", "f")), false},
		{"an area", stream("", words+drawn), true},
		{"packed words", stream("/Filter/FlateDecode", packed("(text) Tj\n")), false},
		{"a packed area", stream("/Filter/FlateDecode", packed("(text) Tj\n")) + stream("/Filter /FlateDecode", packed(drawn)), true},
		{"an image", stream("/Subtype/Image", drawn), false},
		{"another filter", stream("/Filter/LZWDecode", "x"), true},
		{"damaged", stream("/Filter/FlateDecode", "x"), true},
		{"encrypted", "<</Encrypt 3 0 R>>", true},
		{"cut off", "stream", false},
	} {
		d := file{raw: []byte(test.raw)}
		if got := d.mayDraw(); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
	var many strings.Builder // more objects than are looked at without a look at the bytes
	for i := range 2 * manyObjects {
		many.WriteString(show("F1", 10, float64(50+100*(i%5)), float64(720-3*i), "word"))
	}
	if got := readPage(t, many.String()+lineThrough(760, 2.5, 0, "Warfarin ", "5 mg", " 2.5 mg")); !strings.Contains(got, "~~5 mg~~") {
		t.Errorf("got %.100q", got)
	}
}
