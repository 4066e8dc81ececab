package office

import (
	"strings"
	"testing"
)

func TestFormatComment(t *testing.T) {
	for _, tt := range []struct{ author, about, want string }{
		{"", "", "Comment: Old."},
		{"A.\tWeber", "", "Comment of A. Weber: Old."},
		{"", "Notruf\n2222", "Comment on “Notruf 2222”: Old."},
		{"张", strings.Repeat("电话", 50), "Comment of 张 on “" + strings.Repeat("电话", 40) + "…”: Old."},
		{"B", strings.Repeat("call at once ", 20), "Comment of B on “" + strings.Repeat("call at once ", 6) + "…”: Old."},
	} {
		want := strings.ReplaceAll(tt.want, " …", "…")
		if got := FormatComment(tt.author, tt.about, "Old."); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
