package zipxml

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/simplifiedchinese"
	unicodes "golang.org/x/text/encoding/unicode"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
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
		x := NewReader(iotest.OneByteReader(strings.NewReader(doc)))
		got := ""
		x.EachChild(func(Element) { got = x.ReadText() }, nil)
		if got != text || x.documentError() != nil {
			t.Errorf("%s: %q, %v", name, got, x.documentError())
		}
	}
}

func TestXMLSourceCutsRunes(t *testing.T) {
	doc := strings.Repeat("中", 40<<10) + "\xE4\xB8" // longer than the buffer, whose end is inside a rune
	got, err := io.ReadAll(NewXMLSanitizer(strings.NewReader(doc)))
	if want := strings.Repeat("中", 40<<10) + "\uFFFD"; err != nil || string(got) != want {
		t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
	}
}

func TestXMLOneHugeToken(t *testing.T) {
	doc := io.MultiReader(strings.NewReader("<a b='"), bytes.NewReader(make([]byte, DefaultMaxTokenBytes+1)))
	x := NewReader(doc)
	x.EachChild(func(Element) {}, nil)
	extracttest.WantSkip(t, x.documentError(), extract.ErrTooMuchText.Error())
}

func TestXMLDepth(t *testing.T) {
	deep := strings.Repeat("<a>", extract.MaxNestingDepth+1)
	x := NewReader(strings.NewReader(deep))
	x.EachDescendant(func(Element) bool { return false })
	extracttest.WantSkip(t, x.documentError(), extract.ErrNestedTooDeeply.Error())

	x = NewReader(strings.NewReader("<r>" + deep + strings.Repeat("</a>", extract.MaxNestingDepth+1) + "<b>after</b></r>"))
	got := ""
	x.EachChild(func(Element) {
		x.EachChild(func(e Element) {
			if e.Name == "b" {
				got = x.ReadText()
			}
		}, nil)
	}, nil)
	if got != "after" || x.documentError() != nil {
		t.Errorf("what is skipped may nest: %q, %v", got, x.documentError())
	}
}
