package chm

import (
	"bytes"
	"encoding/binary"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"

	"vademecum/docs/extract/charset"
	pages "vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
)

// A systemInfo holds the metadata of an archive, from the file #SYSTEM.
type systemInfo struct {
	contentsFile string // name of the file with the table of contents
	firstPage    string // name of the file with the first page
	title        string
}

// Codes of the entries in the file #SYSTEM.
const (
	contentsCode = 0
	firstCode    = 2
	titleCode    = 3
	languageCode = 4
)

// readSystem reads the entries that follow the version: each has a code, a size and a value of that
// size.
func readSystem(b []byte) systemInfo {
	values := make(map[uint16][]byte)
	for b = b[min(4, len(b)):]; len(b) >= 4; {
		code, size := binary.LittleEndian.Uint16(b), int(binary.LittleEndian.Uint16(b[2:]))
		value := sliceAt(b, 4, size)
		if value == nil {
			break
		}
		values[code] = value
		b = b[4+size:]
	}
	label := languageEncoding(numberAt(values[languageCode], 0, 4))
	text := func(code uint16) string {
		value, _, _ := bytes.Cut(values[code], []byte{0})
		d, err := charset.DecodeCheckingLabel(value, label)
		if err != nil {
			return ""
		}
		return markdown.OneLine(d.Text)
	}
	return systemInfo{contentsFile: text(contentsCode), firstPage: text(firstCode), title: text(titleCode)}
}

// languageEncoding returns the label of the Windows code page for a language identifier
// ([MS-LCID]). Only its lower ten bits matter, except for Chinese.
func languageEncoding(language int) string {
	switch language & 0xFFFF {
	case 0x0404, 0x0C04, 0x1404:
		return "big5"
	}
	switch language & 0x3FF {
	case 0x04:
		return "gb18030"
	case 0x11:
		return "shift_jis"
	case 0x12:
		return "euc-kr"
	case 0x19, 0x22, 0x23, 0x02:
		return "windows-1251"
	case 0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x24:
		return "windows-1250"
	case 0x08:
		return "windows-1253"
	case 0x1F:
		return "windows-1254"
	}
	return "windows-1252"
}

// A topic is an entry in the table of contents, with the name of the file it leads to.
type topic struct{ name, file string }

// readContents reads a table of contents: a list of HTML objects with the name and the file of a
// topic as parameters.
func readContents(raw []byte) (topics []topic) {
	d, err := pages.Decode(raw)
	if err != nil {
		return nil
	}
	var t topic
	for z := html.NewTokenizer(strings.NewReader(d.Text)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return topics
		case html.StartTagToken, html.SelfClosingTagToken:
			switch tag := z.Token(); tag.Data {
			case "object":
				t = topic{}
			case "param":
				t.setParameter(tag)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "object" && t.file != "" && len(topics) < maxEntries {
				topics = append(topics, t)
			}
		}
	}
}

// setParameter sets the name or the file of a topic if an HTML param element gives it.
func (t *topic) setParameter(parameter html.Token) {
	name, value := "", ""
	for _, a := range parameter.Attr {
		switch a.Key {
		case "name":
			name = strings.ToLower(a.Val)
		case "value":
			value = a.Val
		}
	}
	switch name {
	case "name":
		t.name = markdown.OneLine(value)
	case "local":
		t.file = referencedFile(value)
	}
}

// referencedFile returns the name of the file that a reference points to, in the form used for
// comparison.
func referencedFile(reference string) string {
	reference, _, _ = strings.Cut(strings.ReplaceAll(reference, `\`, "/"), "#")
	if plain, err := url.PathUnescape(reference); err == nil {
		reference = plain
	}
	return lowerName(strings.TrimPrefix(path.Clean("/"+reference), "/"))
}
