package ranking

import (
	"strings"
	"testing"
)

// TestRangeOf: the ranges with which rows begin, and the numbers at their ends.
func TestRangeOf(t *testing.T) {
	for _, tt := range []struct {
		row     string
		in, out []float64
	}{
		{"30–44 1000 mg do not start", []float64{30, 37.5, 44}, []float64{29, 45}},
		{"| 30 - 44 | 1000 mg |", []float64{30, 44}, []float64{45}},
		{"- 2,5 to 10: half", []float64{2.5, 10}, []float64{2, 11}},
		{"below 30 stop", []float64{0, 29.9}, []float64{30}},
		{"Unter 30: absetzen", []float64{29}, []float64{30}},
		{"≤ 30 stop", []float64{30}, []float64{31}},
		{"<30 stop", []float64{29}, []float64{30}},
		{"60 or more 3000 mg", []float64{60, 3000}, []float64{59}},
		{"65+ yearly", []float64{65}, []float64{64}},
		{"≥ 60", []float64{60}, []float64{59}},
		{"over 60, three", []float64{61}, []float64{60}},
		{"| 1,000-5,000 | 8 EUR |", []float64{1000, 5000}, []float64{3, 999}},
		{"60岁", nil, nil},
		{"At most 30: stop", []float64{30}, []float64{31}},
		{"至少60", []float64{60}, []float64{59}},
		{"between 30 and 44", []float64{44}, []float64{45}},
		{"低于30 停用", []float64{29}, []float64{30}},
		{"60以上 每日", []float64{60}, []float64{59}},
	} {
		n, ok := rangeOf(tt.row)
		if ok != (tt.in != nil) {
			t.Errorf("%q: a range is %v", tt.row, ok)
		}
		for _, value := range tt.in {
			if !n.contains(value) {
				t.Errorf("%q does not contain %v", tt.row, value)
			}
		}
		for _, value := range tt.out {
			if n.contains(value) {
				t.Errorf("%q contains %v", tt.row, value)
			}
		}
	}
	for _, row := range []string{"2025-02-20 visit", "10-12-2024", "030-5557-112", "1.2.3 Scope", "from Paris", "44–30 mg", ""} {
		if n, ok := rangeOf(row); ok {
			t.Errorf("%q is the range %+v", row, n)
		}
	}
}

const (
	pdfTable      = "Gait (m/s)\nDose of metrol Remark\n\n60 or more 3000 mg no change\n\n45–59 2000 mg check\n\n30–44 1000 mg do not start\n\nbelow 30 stop contraindicated\n\nPause metrol before a gait test.\n\n"
	markdownTable = "| gait | metrol |\n|---|---|\n| ≥ 60 | 3000 mg |\n| 30–59 | 2000 mg |\n| < 30 | none |\n\n"
)

// TestBriefRowOfRange: of a table with ranges, the row is shown into which a number of the question falls, below the
// names of the columns. Other numbers, such as years, choose none.
func TestBriefRowOfRange(t *testing.T) {
	rest := strings.Repeat("Nobody counts the stones. ", 30)
	for _, tt := range []struct{ name, mime, table, question, want, below string }{
		{"PDF", "text/plain", pdfTable, "metrol with gait 38", "30–44 1000 mg do not start", "Gait (m/s) Dose of metrol Remark"},
		{"PDF, last row", "text/plain", pdfTable, "metrol with gait 25?", "below 30 stop contraindicated", "Gait (m/s) Dose of metrol Remark"},
		{"Markdown", "text/markdown", markdownTable, "metrol with gait 38", "| 30–59 | 2000 mg |", "gait | metrol"},
		{"a year", "text/plain", pdfTable, "metrol gait 2024", "Gait (m/s)\nDose of metrol Remark\n\n60 or more 3000 mg no change", ""},
	} {
		p := brieflyAsked(t, tt.question, tt.table+rest, tt.mime, "metrol", "gait")
		if p.Text != tt.want || strings.Join(p.Heading, "; ") != tt.below {
			t.Errorf("%s: %q below %q", tt.name, p.Text, p.Heading)
		}
	}
}

// TestNarrowDropsHeader: a passage does not end with the names of columns of which no row is shown.
func TestNarrowDropsHeader(t *testing.T) {
	zebras := strings.TrimSpace(strings.Repeat("The zebra drinks at dusk, says the keeper. ", 11))
	rows := strings.Repeat("Ramipril 2.5 mg 10 mg\n", 8)
	p := narrowedTo(t, zebras+"\n\nDrug Start Maximum\n\n"+rows+strings.Repeat("Nobody counts the stones. ", 60), 40, "zebra")
	if strings.HasSuffix(p.Text, "Maximum") || !strings.Contains(p.Text, "zebra") {
		t.Errorf("narrowed to %q", p.Text)
	}
}
