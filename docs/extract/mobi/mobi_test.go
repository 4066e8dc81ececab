package mobi

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// A testBook describes a book to be built. Its text records are compressed only if pack is set.
type testBook struct {
	kind        string // type of the database; "" for Mobipocket
	compression int
	protection  int
	encoding    int // code of the encoding; 0 for UTF-8
	version     int
	trailers    int
	title       string
	texts       []string // text records
	pack        func(text string) string
	contents    []string // records of the table of contents
	skeletons   []string
	fragments   []string
	flow        int // bytes of the first flow; 0 if not given
	huffman     []string
}

func number(n int) string { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) }
func short(n int) string  { return string(binary.BigEndian.AppendUint16(nil, uint16(n))) }

// records returns the records of the book.
func (b testBook) records() []string {
	records := []string{""}
	for _, text := range b.texts {
		if b.pack != nil {
			text = b.pack(text)
		}
		records = append(records, text)
	}
	add := func(more []string) int {
		if more == nil {
			return -1
		}
		records = append(records, more...)
		return len(records) - len(more)
	}
	h := make([]byte, 264)
	copy(h, short(max(b.compression, unpacked))+"\x00\x00"+number(0)+short(len(b.texts))+short(4096)+short(b.protection))
	if b.kind == palmDOCType {
		records[0] = string(h[:16])
		return records
	}
	encoding := b.encoding
	if encoding == 0 {
		encoding = utf8Encoding
	}
	copy(h[16:], "MOBI"+number(248)+number(2)+number(encoding)+number(1)+number(b.version))
	copy(h[84:], number(len(h))+number(len(b.title)))
	copy(h[112:], number(add(b.huffman))+number(len(b.huffman)))
	copy(h[242:], short(b.trailers)+number(add(b.contents)))
	copy(h[192:], number(-1))
	if b.flow > 0 {
		copy(h[192:], number(add([]string{"FDST" + number(12) + number(1) + number(0) + number(b.flow)})))
	}
	copy(h[248:], number(add(b.fragments))+number(add(b.skeletons)))
	records[0] = string(h) + b.title
	return records
}

// palmFile returns a Palm database of a type with the given records.
func palmFile(kind string, records []string) []byte {
	b := make([]byte, listAt)
	copy(b, "a book")
	copy(b[typeAt:], kind)
	copy(b[76:], short(len(records)))
	at := len(b) + 8*len(records)
	for i, r := range records {
		b = append(b, number(at)+number(i)...)
		at += len(r)
	}
	return append(b, strings.Join(records, "")...)
}

func (b testBook) file() []byte {
	kind := b.kind
	if kind == "" {
		kind = mobiType
	}
	return palmFile(kind, b.records())
}

// testIndex returns the records of an index with the given tags, names and entries.
func testIndex(tags []tagRule, names string, entries ...string) []string {
	rules := ""
	for _, r := range tags {
		rules += string([]byte{r.tag, r.values, r.mask, 0})
	}
	rules += "\x00\x00\x00\x01"
	head := make([]byte, 192)
	copy(head, "INDX"+number(len(head)))
	copy(head[24:], number(1))
	copy(head[52:], number(1))
	data := make([]byte, 192)
	table := "IDXT"
	text := ""
	for _, e := range entries {
		table += short(len(data) + len(text))
		text += e
	}
	copy(data, "INDX"+number(len(data)))
	copy(data[20:], number(len(data)+len(text))+number(len(entries)))
	return []string{string(head) + "TAGX" + number(12+len(rules)) + number(1) + rules, string(data) + text + table, names}
}

// testEntry returns an index entry with the numbers of the tags that the control byte selects.
func testEntry(label string, control byte, numbers ...int) string {
	e := string([]byte{byte(len(label))}) + label + string([]byte{control})
	for _, n := range numbers {
		e += string([]byte{byte(n >> 14 & 0x7F), byte(n >> 7 & 0x7F), byte(n&0x7F) | 0x80})
	}
	return e
}

// packed compresses a text as PalmDOC does: bytes beyond ASCII in runs, spaces together with the
// letter after them, and repeated text as copies.
func packed(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if at := strings.LastIndex(text[:i], text[i:min(i+8, len(text))]); at >= 0 && i+8 <= len(text) && i-at < 2048 {
			b.WriteString(short(0x8000 | (i-at)<<3 | 5))
			i += 7
			continue
		}
		switch {
		case c == ' ' && i+1 < len(text) && text[i+1] >= 'A' && text[i+1] < 0x80:
			b.WriteByte(text[i+1] ^ 0x80)
			i++
		case c >= 0x80 || c > 0 && c < 9:
			b.WriteString("\x01" + string([]byte{c}))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

const oldSource = `<html><head><guide><reference type="toc" title="Contents" filepos=0000000010/></guide></head><body><h1>The Lamp</h1><p>Oil for the lamp, oil for the stove.</p>` +
	`<mbp:pagebreak/><p height="1em">Ein Sturm über der Förde.</p><mbp:pagebreak/><mbp:pagebreak/><h2>风</h2><p>风从西边来。</p></body></html>`

const oldText = "# The Lamp\n\nOil for the lamp, oil for the stove.\n\n# Sturm\n\nEin Sturm über der Förde.\n\n## 风\n\n风从西边来。\n"

func oldBook() testBook {
	storm, wind := strings.Index(oldSource, "<p height"), strings.Index(oldSource, "<h2>")
	tags := []tagRule{{tag: positionTag, values: 1, mask: 1}, {tag: nameTag, values: 1, mask: 2}, {tag: 22, values: 2, mask: 0x0C}}
	contents := testIndex(tags, "\x85Sturm\x83风",
		testEntry("000", 0x03, storm, 0),
		testEntry("001", 0x0F, wind, 6)+"\x82\x81\x81")
	return testBook{version: 6, title: "Lamps", texts: []string{oldSource[:150], oldSource[150:]}, contents: contents}
}

func TestMobipocket(t *testing.T) {
	huff := oldBook()
	huff.compression, huff.huffman = huffCDIC, testHuffman()
	huff.pack = func(text string) string { return strings.ReplaceAll(text, "lamp", "\x01") }
	palm := oldBook()
	palm.compression, palm.pack = palmDOC, packed
	trailing := palm
	trailing.trailers = 3
	trailing.pack = func(text string) string { return packed(text) + "\xA0\x01" + "\xAA\xBB\xCC\x84" }
	for _, test := range []struct {
		name string
		book testBook
	}{{"not packed", oldBook()}, {"PalmDOC", palm}, {"with trailers", trailing}, {"HUFF/CDIC", huff}} {
		c, err := Read(test.book.file(), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != oldText || c.Title != "Lamps" || c.ExtractionNote != "" || c.Encoding != "" {
			t.Errorf("%s: title %q, note %q, encoding %q, %v\ngot  %q\nwant %q", test.name, c.Title, c.ExtractionNote, c.Encoding, err, c.Text, oldText)
		}
		names := ""
		for _, p := range c.Parts {
			names += fmt.Sprintf("%d %s;", p.Number, p.Name)
		}
		if names != "1 The Lamp;2 Sturm;3 风;" {
			t.Errorf("%s: %s", test.name, names)
		}
	}
}

// testHuffman returns records with codes of eight bits. Each stands for the byte of the same value,
// except 1, which stands for a phrase that is itself compressed.
func testHuffman() []string {
	codes := ""
	for range 256 {
		codes += number(255<<8 | 0x80 | 8)
	}
	offsets, phrases := "", ""
	for i := range 256 {
		phrase, size := string([]byte{byte(255 - i)}), 0x8001
		if i == 254 {
			phrase, size = "lamp", 4
		}
		offsets += short(512 + len(phrases))
		phrases += short(size) + phrase
	}
	return []string{"HUFF" + number(24) + number(24) + number(24+1024) + number(0) + number(0) + codes + strings.Repeat(number(0), 64),
		"CDIC" + number(16) + number(256) + number(8) + offsets + phrases}
}

// newBook returns a KF8 book with two source files. One has two fragments, the second of which is
// inserted into the first.
func newBook() testBook {
	const one, two = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body></body></html>`, `<html><body><h1>Two</h1></body></html>`
	const first, second = `<h1>One</h1><pre></pre>`, "a  b\n  c"
	at := strings.Index(one, "</body>")
	text := one + first + second + two
	extents := []tagRule{{tag: fragmentsTag, values: 1, mask: 3}, {tag: extentTag, values: 2, mask: 0x0C}}
	pieces := []tagRule{{tag: 2, values: 1, mask: 1}, {tag: extentTag, values: 2, mask: 2}}
	marks := []tagRule{{tag: positionTag, values: 1, mask: 1}, {tag: nameTag, values: 1, mask: 2}, {tag: fragmentTag, values: 2, mask: 4}}
	return testBook{
		version: 8, title: "Two files", texts: []string{text + "p { color: red }"}, flow: len(text),
		skeletons: testIndex(extents, "", testEntry("SKEL0000000000", 0x05, 2, 0, len(one)),
			testEntry("SKEL0000000001", 0x04, len(one+first+second), len(two))),
		fragments: testIndex(pieces, "", testEntry(fmt.Sprintf("%010d", at), 3, 0, 0, len(first)),
			testEntry(fmt.Sprintf("%010d", at+strings.Index(first, "</pre>")), 3, 0, 0, len(second))),
		contents: testIndex(marks, "\x83Uno", testEntry("000", 7, 0, 0, 0, 0)),
	}
}

func TestKF8(t *testing.T) {
	const want = "# One\n\n```\na  b\n  c\n```\n\n# Two\n"
	both := oldBook().records()
	h := []byte(both[0][:264])
	copy(h[84:], number(0)+number(0))
	copy(h[128:], number(0x40))
	both[0] = string(h) + "EXTH" + number(24) + number(2) + number(boundaryProperty) + number(12) + number(len(both)+1) + number(titleProperty) + number(8+len("Both of them")) + "Both of them"
	both = append(append(both, "BOUNDARY"), newBook().records()...)
	for name, file := range map[string][]byte{"alone": newBook().file(), "behind the older": palmFile(mobiType, both)} {
		c, err := Read(file, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != want || len(c.Parts) != 2 || c.Parts[0].Name != "Uno" || c.Parts[1].Name != "Two" || c.Title != "Two files" {
			t.Errorf("%s: title %q, parts %+v, note %q, %v\n%s", name, c.Title, c.Parts, c.ExtractionNote, err, c.Text)
		}
	}
}

// TestPalmDOC reads old texts, which have only the header of PalmDOC and no tags.
func TestPalmDOC(t *testing.T) {
	c, err := Read(testBook{kind: palmDOCType, compression: palmDOC, pack: packed, texts: []string{"Caf\xE9 au lait \x96 at the Caf\xE9 au lait\nand home"}}.file(), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.Text != "Café au lait – at the Café au lait\nand home\n" || c.Parts != nil {
		t.Errorf("%q, parts %+v, %v", c.Text, c.Parts, err)
	}
}

// TestChapters checks that without source files and page breaks, the table of contents or headings
// divide a book into chapters.
func TestChapters(t *testing.T) {
	const text = "<p>Before</p><h2>A</h2><p>a</p><h2>B</h2><p>b</p>"
	tags := []tagRule{{tag: positionTag, values: 1, mask: 1}, {tag: nameTag, values: 1, mask: 2}}
	for _, test := range []struct {
		name     string
		contents []string
		want     int
	}{
		{"headings", nil, 3},
		{"contents", testIndex(tags, "\x81x\x81y", testEntry("0", 3, 0, 0), testEntry("1", 3, strings.Index(text, "<h2>B"), 2)), 2},
		{"contents that lie", testIndex(tags, "\x81x\x81y", testEntry("0", 3, 999_999, 0), testEntry("1", 3, 999_999, 9_999)), 3},
	} {
		c, err := Read(testBook{version: 6, texts: []string{text}, contents: test.contents}.file(), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || len(c.Parts) != test.want {
			t.Errorf("%s: parts %+v, %v", test.name, c.Parts, err)
		}
	}
}

func TestDamagedBooks(t *testing.T) {
	cut := oldBook()
	cut.texts = append(cut.texts, "")
	file := cut.file()
	c, err := Read(file[:strings.Index(string(file), "Förde")], extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.ExtractionNote.String() != "the rest could not be read: damaged book" || !strings.Contains(c.Text, "Ein Sturm") {
		t.Errorf("a half: %q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	loop := testHuffman()
	loop[1] = strings.Replace(loop[1], "\x00\x04lamp", "\x00\x04\x01amp", 1)
	bomb := func(size int) []string { // of few elements, as those take their time
		paragraph := "<p>" + strings.Repeat("words ", 200) + "</p>"
		return []string{strings.Repeat(paragraph, size/len(paragraph)+1)}
	}
	for _, test := range []struct {
		name   string
		file   []byte
		reason string
	}{
		{"words", []byte("no book at all"), errDamaged.Error()},
		{"Topaz", []byte("TPZ0\x00"), errOtherFormat.Error()},
		{"KFX", []byte("CONT\x02\x00"), errOtherFormat.Error()},
		{"no records", palmFile(mobiType, nil), errDamaged.Error()},
		{"protected", testBook{version: 6, protection: 2, texts: []string{"x"}}.file(), errDRM.Error()},
		{"an unknown packing", testBook{version: 6, compression: 9, texts: []string{"x"}}.file(), errDamaged.Error()},
		{"no text", testBook{version: 6, texts: []string{"<html><body><img/></body></html>"}}.file(), extract.ErrNoText.Error()},
		{"no codes", testBook{version: 6, compression: huffCDIC, texts: []string{"x"}}.file(), errDamaged.Error()},
		{"phrases in themselves", testBook{version: 6, compression: huffCDIC, huffman: loop, texts: []string{"\x01"}}.file(), errDamaged.Error()},
		{"too much", testBook{version: 6, texts: bomb(extract.MaxTextBytes + extract.MaxTextBytes/4)}.file(), ""},
		{"far too much", testBook{version: 6, texts: bomb(maxSource + 1024)}.file(), extract.ErrTooMuchText.Error()},
	} {
		t.Log(test.name)
		c, err := Read(test.file, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if test.reason != "" {
			extracttest.WantSkip(t, err, test.reason)
		}
	}
}

// TestHuffmanBomb checks that phrases which each consist of two further phrases are decompressed no
// further than the limit.
func TestHuffmanBomb(t *testing.T) {
	h := testHuffman()
	phrases, offsets := "", ""
	for i := range 256 {
		phrase, size := "x", 0x8001
		if i < 200 {
			phrase, size = strings.Repeat(string([]byte{byte(255 - i - 1)}), 30), 30
		}
		offsets += short(512 + len(phrases))
		phrases += short(size) + phrase
	}
	h[1] = "CDIC" + number(16) + number(256) + number(8) + offsets + phrases
	_, err := Read(testBook{version: 6, compression: huffCDIC, huffman: h, texts: []string{"\xFF\xFE"}}.file(), extract.NoProgress)
	extracttest.WantSkip(t, err, errDamaged.Error())
}

func FuzzMobi(f *testing.F) {
	f.Add(oldBook().file())
	f.Add(newBook().file())
	f.Add(testBook{version: 6, compression: huffCDIC, huffman: testHuffman(), texts: []string{"<p>\x01"}}.file())
	f.Add(testBook{kind: palmDOCType, compression: palmDOC, pack: packed, texts: []string{"to be or not to be"}}.file())
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
