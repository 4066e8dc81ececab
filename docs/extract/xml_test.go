package extract

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/simplifiedchinese"
	unicodes "golang.org/x/text/encoding/unicode"
)

func TestXMLEncodings(t *testing.T) {
	const text = "中文 text é"
	utf16le, _ := unicodes.UTF16(unicodes.LittleEndian, unicodes.UseBOM).NewEncoder().String(`<?xml version="1.0" encoding="UTF-16"?><a>` + text + `</a>`)
	utf16be, _ := unicodes.UTF16(unicodes.BigEndian, unicodes.IgnoreBOM).NewEncoder().String(`<?xml version="1.0"?><a>` + text + `</a>`)
	gbk, _ := simplifiedchinese.GB18030.NewEncoder().String(`<?xml version="1.0" encoding="gb18030"?><a>` + text + `</a>`)
	for name, doc := range map[string]string{
		"UTF-8": "<a>" + text + "</a>", "mark": "\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8'?><a>" + text + "</a>",
		"UTF-16LE": utf16le, "UTF-16BE without mark": utf16be, "GB18030": gbk,
		"unknown": `<?xml version="1.0" encoding="nothing"?><a>` + text + "</a>",
	} {
		x := newXMLReader(iotest.OneByteReader(strings.NewReader(doc)))
		got := ""
		x.children(func(element) { got = x.text() }, nil)
		if got != text || x.failure() != nil {
			t.Errorf("%s: %q, %v", name, got, x.failure())
		}
	}
}

func TestXMLSourceCutsRunes(t *testing.T) {
	doc := strings.Repeat("中", 40<<10) + "\xE4\xB8" // longer than the buffer, which ends within runes
	got, err := io.ReadAll(newXMLSource(strings.NewReader(doc)))
	if want := strings.Repeat("中", 40<<10) + "\uFFFD"; err != nil || string(got) != want {
		t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
	}
}

func TestXMLOneHugeToken(t *testing.T) {
	doc := io.MultiReader(strings.NewReader("<a b='"), bytes.NewReader(make([]byte, maxToken+1)))
	x := newXMLReader(doc)
	x.children(func(element) {}, nil)
	wantSkip(t, x.failure(), reasonTooMuchText)
}

func TestXMLDepth(t *testing.T) {
	deep := strings.Repeat("<a>", maxDepth+1)
	x := newXMLReader(strings.NewReader(deep))
	x.descend(func(element) bool { return false })
	wantSkip(t, x.failure(), reasonTooDeep)

	x = newXMLReader(strings.NewReader("<r>" + deep + strings.Repeat("</a>", maxDepth+1) + "<b>after</b></r>"))
	got := ""
	x.children(func(element) {
		x.children(func(e element) {
			if e.name == "b" {
				got = x.text()
			}
		}, nil)
	}, nil)
	if got != "after" || x.failure() != nil {
		t.Errorf("what is skipped may nest: %q, %v", got, x.failure())
	}
}

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
		if got := numeral(test.format, test.n); got != test.want {
			t.Errorf("%s %d: %q, want %q", test.format, test.n, got, test.want)
		}
	}
}
