package xlsx

import (
	"encoding/xml"
	"strconv"
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

const maxTexts = 4 << 20 // maximum number of shared texts

// sharedTexts are the texts that cells refer to by their numbers (ECMA-376 part 1, 18.4), held in
// one string.
type sharedTexts struct {
	text  string
	ends  []uint32
	plain map[int]int // how many bytes at the start have the font of the cell, by number, for texts with further fonts
}

// textAt returns the shared text with that number, or "" if there is none, and how many bytes at its
// start have the font of the cell.
func (s *sharedTexts) textAt(number string) (text string, plain int) {
	i, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || i < 0 || i >= len(s.ends) {
		return "", markdown.AllInCellFont
	}
	start := uint32(0)
	if i > 0 {
		start = s.ends[i-1]
	}
	plain, isRich := s.plain[i]
	if !isRich {
		plain = markdown.AllInCellFont
	}
	return s.text[start:s.ends[i]], plain
}

// A richText is text whose runs may have different formats (ECMA-376 part 1, 18.4.4).
type richText struct {
	text     markdown.InlineText
	start    int  // where the text begins in what text holds
	isRich   bool // whether a run has a font of its own
	plain    int  // how many bytes before that run have the font of the cell
	isRaised bool // whether the current run is superscript
}

// readFormat reads the format of the current run from an element whose start tag was read.
func (t *richText) readFormat(e zipxml.Element) {
	switch e.Name {
	case "r":
		t.isRaised, t.text.IsNextStruck = false, false
	case "rPr":
		if !t.isRich {
			t.isRich, t.plain = true, t.text.Len()-t.start
		}
	case "strike":
		t.text.IsNextStruck = e.IsSwitchedOn()
	case "vertAlign":
		t.isRaised = e.Attribute("val") == "superscript"
	}
}

// add adds text in the format of the current run.
func (t *richText) add(text string) {
	if t.isRaised {
		text = markdown.Superscript(text)
	}
	t.text.WriteString(text)
}

// end ends the text and returns its end in bytes. Text that is added later belongs to another one.
func (t *richText) end() int {
	t.start, t.isRich, t.isRaised = t.text.FinishText(), false, false
	return t.start
}

// readTexts reads shared texts. whole is false if it ended at damage. Phonetic runs, which repeat a
// text as it is pronounced, are left out.
func readTexts(data []byte) (s *sharedTexts, whole bool) {
	var all richText
	s = &sharedTexts{plain: make(map[int]int)}
	inText, phonetic := false, 0
	for d := lenientXML(data); len(s.ends) < maxTexts; {
		token, err := d.RawToken()
		if err != nil {
			break
		}
		switch e := token.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "t" && phonetic == 0
			all.readFormat(zipxml.Element{Name: e.Name.Local, Attributes: e.Attr})
			if e.Name.Local == "rPh" {
				phonetic++
			}
		case xml.CharData:
			if inText {
				all.add(string(e))
			}
		case xml.EndElement:
			inText = false
			switch e.Name.Local {
			case "rPh":
				phonetic--
			case "si":
				if all.isRich {
					s.plain[len(s.ends)] = all.plain
				}
				s.ends = append(s.ends, uint32(all.end()))
			case "sst":
				whole = true
			}
		}
	}
	s.text = all.text.String()
	return s, whole
}

// officeEscape matches escapes for characters that XML cannot contain (ECMA-376 part 1,
// 22.9.2.19).
var officeEscape = lazyregexp.New(`_x[0-9A-Fa-f]{4}_`)

func unescapeOffice(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	return officeEscape.ReplaceAllStringFunc(s, func(e string) string {
		n, _ := strconv.ParseUint(e[2:6], 16, 16) // cannot fail: the pattern has only hexadecimal digits
		return string(rune(max(n, ' ')))
	})
}
