package pdf

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
)

// testBold is the bold font F4.
var testBold = []string{"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>"}

// testRow returns the cells of a row in a font, each at its position on the page.
func testRow(font string, y int, cells ...string) string {
	var b strings.Builder
	for i, cell := range cells {
		b.WriteString(show(font, 10, float64(50+100*i), float64(y), cell))
	}
	return b.String()
}

// testRows returns rows of a table from the height y down, whose texts contain their number.
func testRows(y, first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		b.WriteString(testRow("F1", y-12*(i-first), fmt.Sprintf("Dose %c", 'A'+i), "Ward nurse", fmt.Sprint(7*i), "mg"))
	}
	return b.String()
}

// TestLongTables checks that passages of a table that continues on the next page have its column
// names, except where the names are above them.
func TestLongTables(t *testing.T) {
	names := []string{"Drug", "Given by", "Amount", "Unit"}
	bold, plain, next := testRow("F4", 700, names...), testRow("F1", 700, names...), testRow("F4", 700, "Bed", "Nurse of", "Days", "Ward")
	prose := testLines(testLine{50, 640, "All of these are given before the meal, as far as it is known by then."}, testLine{50, 628, "Who has a fever is asked again in the evening by one of the nurses."},
		testLine{50, 616, "The list is kept for ten years and is then burnt in the garden."}, testLine{50, 604, "Nobody has ever asked for it."}, testLine{50, 592, "It is there."})
	var below, uneven, even strings.Builder // text far below a table, and words that are far apart by chance
	for y := 400; y > 340; y -= 12 {
		below.WriteString(testLines(testLine{50, y, "All of these are given before the meal, as far as it is known by then."}))
	}
	for i := range 10 {
		for column, word := range []string{"Dose", "Ward", "Seven"} {
			uneven.WriteString(show("F1", 10, float64(50+100*column+i*(column+1)%5*9), float64(688-12*i), word))
			even.WriteString(show("F1", 10, float64(50+100*column+18), float64(700-12*i), word))
		}
	}
	const drug = "Drug | Given by | Amount | Unit"
	for _, test := range []struct {
		name  string
		pages []string
		want  []string // for each part of the file, the column names and the start of its text
	}{
		{"names in bold", []string{bold + testRows(688, 1, 8), testRows(700, 9, 15), testRows(700, 16, 20) + prose}, []string{"1 : Drug", "1 " + drug + ": Dose B", "2 " + drug + ": Dose J", "3 " + drug + ": Dose Q", "3 : All of"}},
		{"names like the rest above numbers", []string{plain + testRows(688, 1, 8), testRows(700, 9, 15)}, []string{"1 : Drug", "1 " + drug + ": Dose B", "2 " + drug + ": Dose J"}},
		{"names on every page", []string{bold + testRows(688, 1, 8), bold + testRows(688, 9, 15)}, []string{"1 : Drug", "1 " + drug + ": Dose B", "2 : Drug", "2 " + drug + ": Dose J"}},
		{"names of two lines", []string{testRow("F4", 712, "", "Given", "", "") + testRow("F4", 700, "Drug", "by", "Amount", "Unit") + testRows(688, 1, 8), testRows(700, 9, 15)}, []string{"1 : Given", "1 " + drug + ": Dose B", "2 " + drug + ": Dose J"}},
		{"names as close as words", []string{testRow("F1", 700, "Drug on the long list", "Given by", "Amount", "Unit") + testRows(688, 1, 8), testRows(700, 9, 15)}, []string{"1 : Drug", "1 Drug on the long list | Given by | Amount | Unit: Dose B", "2 Drug on the long list | Given by | Amount | Unit: Dose J"}},
		{"header and footer", []string{testLines(testLine{50, 760, "Ward 7"}) + bold + testRows(688, 1, 8) + testLines(testLine{50, 40, "Page 1"}), testLines(testLine{50, 760, "Ward 7"}) + testRows(700, 9, 15)}, []string{"1 : Ward 7", "1 " + drug + ": Dose B", "2 " + drug + ": Ward 7"}},
		{"text far behind it", []string{bold + testRows(688, 1, 8), testRows(700, 9, 15) + below.String(), testRows(700, 16, 20)}, []string{"1 : Drug", "1 " + drug + ": Dose B", "2 " + drug + ": Dose J", "2 : All of", "3 : Dose Q"}},
		{"words that stand apart", []string{testRow("F4", 700, "Drug", "Given by", "Amount") + uneven.String(), even.String()}, []string{"1 : Drug", "2 : Dose Ward"}},
		{"another table", []string{bold + testRows(688, 1, 8), next + testRows(688, 9, 15)}, []string{"1 : Drug", "2 : Bed"}},
		{"another table, its names like the rest", []string{plain + testRows(688, 1, 8), testRow("F1", 700, "Bed", "Nurse of", "Days", "Ward") + testRows(688, 9, 15)}, []string{"1 : Drug", "2 : Bed"}},
		{"no names", []string{testRows(700, 1, 9), testRows(700, 10, 15)}, []string{"1 : Dose B", "2 : Dose K"}},
		{"a sum in bold", []string{testRows(700, 1, 4) + testRow("F4", 652, "Sum", "All nurses", "70", "mg") + testRows(640, 5, 9), testRows(700, 10, 15)}, []string{"1 : Dose B", "2 : Dose K"}},
		{"text behind it", []string{bold + testRows(688, 1, 4) + prose, testRows(700, 9, 15)}, []string{"1 : Drug", "2 : Dose J"}},
		{"text on the next page", []string{bold + testRows(688, 1, 8), prose}, []string{"1 : Drug", "2 : All of"}},
		{"other columns", []string{bold + testRows(688, 1, 8), testRow("F1", 700, "Bed 1", "Day") + testRow("F1", 688, "Bed 2 of the long ward that", "Day") + testRow("F1", 676, "Bed 3", "Night")}, []string{"1 : Drug", "2 : Bed 1"}},
	} {
		c, err := Read(testPDF{pages: test.pages, extra: testBold}.bytes(), extract.NoProgress)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, p := range c.Parts {
			start := strings.Join(strings.Fields(c.Text[p.StartByte:])[:2], " ")
			got = append(got, fmt.Sprintf("%d %s: %s", p.Number, p.ContinuedColumnNames, start))
			if !strings.HasPrefix(got[i], test.want[min(i, len(test.want)-1)]) {
				t.Errorf("%s: part %d is %q", test.name, i, got[i])
			}
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
