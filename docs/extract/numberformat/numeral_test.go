package numberformat

import (
	"testing"
)

func TestNumeral(t *testing.T) {
	for _, test := range []struct {
		format string
		n      int
		want   string
	}{
		{"decimal", 12, "12"}, {"lowerRoman", 1994, "mcmxciv"}, {"upperRoman", 0, "0"}, {"lowerLetter", 27, "aa"}, {"upperLetter", 26, "Z"},
		{"decimalZero", 7, "07"}, {"decimalEnclosedCircle", 3, "③"}, {"decimalEnclosedCircle", 21, "21"}, {"chineseCounting", 10, "十"},
		{"chineseCountingThousand", 12, "十二"}, {"chineseCountingThousand", 20, "二十"}, {"chineseCountingThousand", 105, "一百零五"},
		{"chineseCountingThousand", 110, "一百一十"}, {"chineseCountingThousand", 2003, "二千零三"}, {"chineseLegalSimplified", 21, "贰拾壹"},
		{"ideographTraditional", 2, "乙"}, {"ideographDigital", 10, "一〇"}, {"decimalFullWidth", 12, "１２"}, {"none", 1, ""}, {"unknown", 4, "4"},
	} {
		if got := FormatListNumber(test.format, test.n); got != test.want {
			t.Errorf("%s %d: %q, want %q", test.format, test.n, got, test.want)
		}
	}
}
