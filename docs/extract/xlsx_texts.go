package extract

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
)

const maxTexts = 4 << 20 // shared texts of a spreadsheet

// sharedTexts are the texts that cells refer to by number (ECMA-376 part 1,
// 18.4), one after the other: excelize takes ten times the memory for them.
type sharedTexts struct {
	text string
	ends []uint32
}

// at returns the text of that number, or "".
func (s *sharedTexts) at(number string) string {
	i, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || i < 0 || i >= len(s.ends) {
		return ""
	}
	start := uint32(0)
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.text[start:s.ends[i]]
}

// readTexts reads shared texts up to the first defect. Phonetic runs, which
// repeat the text as it is pronounced, are left out.
func readTexts(data []byte) (s *sharedTexts, whole bool) {
	var b strings.Builder
	s = new(sharedTexts)
	inText, phonetic := false, 0
	for d := lenientXML(data); len(s.ends) < maxTexts; {
		token, err := d.RawToken()
		if err != nil {
			break
		}
		switch e := token.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "t" && phonetic == 0
			if e.Name.Local == "rPh" {
				phonetic++
			}
		case xml.CharData:
			if inText {
				b.Write(e)
			}
		case xml.EndElement:
			inText = false
			switch e.Name.Local {
			case "rPh":
				phonetic--
			case "si":
				s.ends = append(s.ends, uint32(b.Len()))
			case "sst":
				whole = true
			}
		}
	}
	s.text = b.String()
	return s, whole
}

// sharedMark begins the value of a cell that refers to a shared text.
const sharedMark = "\uE000"

var (
	sharedType = regexp.MustCompile(`\st\s*=\s*["']s["']`)
	cellName   = regexp.MustCompile(`\sr\s*=`)
)

// markShared changes the cells of a sheet that refer to shared texts into ones
// that excelize passes on as they are, and drops those that only have a style:
// some sheets have millions.
func markShared(data []byte) []byte {
	prefix := ""
	if p := bytes.Index(data, []byte(":sheetData")); p >= 0 {
		prefix = string(data[bytes.LastIndexByte(data[:p], '<')+1 : p+1])
	}
	cell, cellEnd, value := []byte("<"+prefix+"c"), []byte("</"+prefix+"c"), []byte("<"+prefix+"v")
	marked := make([]byte, 0, len(data)+len(data)/8)
	for {
		start, size := startTag(data, cell)
		if size == 0 {
			return append(marked, data...)
		}
		marked = append(marked, data[:start]...)
		tag := data[start : start+size]
		data = data[start+size:]
		switch empty := bytes.HasSuffix(tag, []byte("/>")); {
		case empty && cellName.Match(tag):
		case !empty && sharedType.Match(tag):
			end := bytes.Index(data, cellEnd)
			if end < 0 { // nor has any cell after it one
				return append(append(marked, tag...), data...)
			}
			inside := data[:end]
			data = data[end:]
			start, size := startTag(inside, value)
			marked = append(marked, sharedType.ReplaceAll(tag, []byte(` t="str"`))...)
			marked = append(append(marked, inside[:start+size]...), sharedMark...)
			marked = append(marked, inside[start+size:]...)
		default:
			marked = append(marked, tag...)
		}
	}
}

// startTag returns where the next start tag that begins with open, such as
// "<c", begins, and its size, or 0 if there is none.
func startTag(data, open []byte) (start, size int) {
	for {
		i := bytes.Index(data[start:], open)
		after := start + i + len(open)
		if i < 0 || after == len(data) {
			return 0, 0
		}
		start += i
		if c := data[after]; c <= ' ' || c == '>' || c == '/' {
			return start, bytes.IndexByte(data[start:], '>') + 1
		}
		start = after
	}
}

// officeEscape matches what stands for a character that XML cannot hold
// (ECMA-376 part 1, 22.9.2.19).
var officeEscape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func unescapeOffice(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	return officeEscape.ReplaceAllStringFunc(s, func(e string) string {
		n, _ := strconv.ParseUint(e[2:6], 16, 16) // the pattern has only digits
		return string(rune(max(n, ' ')))
	})
}
