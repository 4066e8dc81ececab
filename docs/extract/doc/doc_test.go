package doc

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"vademecum/docs/extract"
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/extract/office"
)

func sample(t testing.TB) []byte {
	t.Helper()
	return readSample(t, "notes.doc")
}

func readSample(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestRead reads a document that LibreOffice wrote.
func TestRead(t *testing.T) {
	c, err := Read(sample(t), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	const want = `# Ramipril 雷米普利

An ACE inhibitor – once a day, with a link to more.

## Doses

1. 2.5 mg in the first week
2. 5 mg afterwards
  - less for the old

| Age | Dose |
| --- | --- |
| over 75 | 1.25 mg |

After the table[^1].

[^1]: From the guideline.
`
	if c.Text != want || c.Title != "Blutdruck" {
		t.Errorf("read %q\n%s\nwant\n%s", c.Title, c.Text, want)
	}
}

// TestComments checks that comments, as LibreOffice writes them, follow the text with their authors
// and the commented texts.
func TestComments(t *testing.T) {
	c, err := Read(readSample(t, "comments.doc"), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	const want = `# Emergency numbers

Call 2222 first[^1]. Notruf¹ 2222.

[^1]: From the guideline.

1. One item
2. Two items

| Ward | West |
| --- | --- |

End.

Comment of A. Weber on “numbers”: Heading too long?

Comment of 张伟 on “2222”: 已改为 3333。 Since May.

Comment of A. Weber on “item Two”: Both items

Comment of B: Not East
`
	if c.Text != want {
		t.Errorf("read\n%s\nwant\n%s", c.Text, want)
	}
}

// document97 returns a document whose text is in one piece, with the given flags in its header.
func document97(version, flags int, text string) []byte {
	const start = 1 << 10
	main := append(make([]byte, start), text...)
	put := func(b []byte, n int) { binary.LittleEndian.PutUint32(b, uint32(n)) }
	put(main, 0xA5EC|version<<16)
	main[atFlags], main[atFlags+1] = byte(flags), byte(flags>>8)
	put(main[atSizes:], len(text))
	pieces := make([]byte, 21)
	pieces[0] = 2
	put(pieces[1:], 16)
	put(pieces[9:], len(text))
	put(pieces[15:], 1<<30|2*start)
	put(main[atPieces+4:], len(pieces))
	return extracttest.CompoundFile("WordDocument", string(main), "0Table", string(pieces), "1Table", string(pieces))
}

// document97WithRuns returns a document of Word 97 with the given font names, in which each
// character has properties of its own.
func document97WithRuns(text string, fonts []string, properties map[int]string, objects ...string) []byte {
	const start, page = 1 << 10, 3 << 9
	main := append(make([]byte, start), text...)
	main = append(main, make([]byte, page-len(main))...)
	put := func(b []byte, n int) { binary.LittleEndian.PutUint32(b, uint32(n)) }
	put(main, 0xA5EC|word97<<16)
	put(main[atSizes:], len(text))
	runs := make([]byte, pageSize)
	runs[pageSize-1] = byte(len(text))
	free := pageSize - 1
	for i := range len(text) + 1 {
		put(runs[4*i:], start+i)
		if p := properties[i]; p != "" {
			free = (free - 1 - len(p)) &^ 1
			copy(runs[free:], string(rune(len(p)))+p)
			runs[4*(len(text)+1)+i] = byte(free / 2)
		}
	}
	main = append(main, runs...)
	number := func(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	table := ""
	add := func(at int, s string) {
		put(main[at:], len(table))
		put(main[at+4:], len(s))
		table += s
	}
	add(atPieces, "\x02"+number(16)+number(0)+number(len(text))+"\x00\x00"+number(1<<30|2*start)+"\x00\x00")
	add(atRuns, number(start)+number(start+len(text))+number(page/pageSize))
	names := ""
	for _, f := range fonts {
		name := make([]byte, 39+2*len(f)+2)
		for i := range f {
			name[39+2*i] = f[i]
		}
		names += string(rune(len(name))) + string(name)
	}
	add(atFonts, string([]byte{byte(len(fonts)), 0, 0, 0})+names)
	return extracttest.CompoundFile(append([]string{"WordDocument", string(main), "0Table", table}, objects...)...)
}

// TestFormula checks that a formula is read, which is an embedded object to which a field separator
// refers, and that other objects are left out.
func TestFormula(t *testing.T) {
	const text = "let \x13 EMBED Equation.3 \x14\x01\x15 be \x13 EMBED Package \x14\x01\x15\x13 EMBED Equation.3 \x14\x01\x15.\r"
	number := func(kind string, n byte) string { return kind + string([]byte{n, 0, 0, 0}) }
	separators := make(map[int]string)
	kinds := []string{number("\x0e\x68", 7), number("\x03\x6a", 8), number("\x0e\x68", 9)}
	for i := range text {
		if text[i] == fieldSeparator {
			separators[i] = kinds[len(separators)]
		}
	}
	formula := "\x1c\x00" + strings.Repeat("\x00", 26) + "\x03\x01\x01\x03\x0a\x01\x02\x83a\x00\x02\x86<\x00\x02\x83b\x00\x00\x00"
	c, err := Read(document97WithRuns(text, nil, separators, "ObjectPool/_7/Equation Native", formula, "ObjectPool/_8/Package", "x"), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "let a<b be .\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
}

// TestSymbols reads symbols for which the text has a placeholder, or a code of a symbol font.
func TestSymbols(t *testing.T) {
	const placeholder = "\x09\x6a" // the modifier, which the font and the code follow
	c, err := Read(document97WithRuns("A(B (x( (( (\r", []string{"Arial", "Symbol", "Wingdings"}, map[int]string{
		1:  placeholder + "\x01\x00\xae\xf0", // an arrow
		6:  placeholder + "\x02\x00\x25\x00", // a code without the offset of symbol fonts, whose character is beyond U+FFFF
		8:  placeholder + "\x00\x00\xb1\x00", // a character of a font that is no symbol font
		9:  "\x00\x08\x01" + placeholder + "\x01\x00\xae\xf0",
		11: placeholder + "\x09\x00\xae\xf0", // a character of a missing font
	}), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "A→B (x🔔 ± \uf0ae\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
}

// TestDeletedFieldEnd checks that the text after a field is read if a tracked change deleted the
// end of the field.
func TestDeletedFieldEnd(t *testing.T) {
	const deleted = "\x00\x08\x01"
	c, err := Read(document97WithRuns("a \x13X\x14yz\x15 b\r", nil, map[int]string{6: deleted, 7: deleted}), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "a y b\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
	c, err = Read(document97WithRuns("a \x13X\x15 b\r", nil, map[int]string{4: deleted}), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "a  b\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
}

// TestSuperscript checks that superscript numbers become superscript characters, at the end of a
// paragraph and in the next one.
func TestSuperscript(t *testing.T) {
	const text = "10-7M 2nd H2\r3\x0745\r"
	properties := make(map[int]string)
	for _, i := range []int{2, 3, 6, 7, 8, 12, 13, 16, 17} {
		properties[i] = "\x48\x2A\x01"
	}
	properties[11] = "\x48\x2A\x02"
	c, err := Read(document97WithRuns(text, nil, properties), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "10⁻⁷M 2nd H2\n\n³\n\n4⁵\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
}

// TestStruckOut checks that struck-out text has marks and is separated from its replacement.
func TestStruckOut(t *testing.T) {
	const text = "5 mg10 mg colour 5 m\r6\r"
	properties := make(map[int]string)
	for _, i := range []int{0, 1, 2, 13, 17, 18, 19, 20} {
		properties[i] = "\x37\x08\x01"
	}
	properties[3] = "\x53\x2A\x01"
	c, err := Read(document97WithRuns(text, nil, properties), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "~~5 mg~~ 10 mg colour ~~5 m~~\n\n6\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
}

// TestHiddenText checks that text is left out which Word neither shows nor prints.
func TestHiddenText(t *testing.T) {
	const text = "Give not 5 mg\r6\r"
	properties := make(map[int]string)
	for i := 4; i < 8; i++ {
		properties[i] = "\x3C\x08\x01"
	}
	properties[9] = "\x3C\x08\x00"
	c, err := Read(document97WithRuns(text, nil, properties), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "Give 5 mg\n\n6\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
}

// TestFormFields checks that ticks and chosen entries are read, including default ones. The text of
// a text field is the result of the field.
func TestFormFields(t *testing.T) {
	const text = "\x13FORMCHECKBOX\x01\x15 A, \x13FORMCHECKBOX\x01\x15 B: \x13FORMDROPDOWN\x01\x15, \x13FORMTEXT\x01\x14c\x15.\r"
	word := func(n int) string { return string([]byte{byte(n), byte(n >> 8)}) }
	xstz := func(s string) string {
		var wide strings.Builder
		for i := range s {
			wide.WriteString(word(int(s[i])))
		}
		return word(len(s)) + wide.String()
	}
	field := func(kind, result, byDefault int, entries ...string) string {
		f := "\x00\x00\x00\x00\x44\x00" + strings.Repeat("\x00", 62) + "\xFF\xFF\xFF\xFF" + word(kind|result<<2) + word(0) + word(20) + xstz("Field1") + word(0)
		if kind == 0 {
			f += xstz("none") + word(0)
		} else {
			f += word(byDefault)
		}
		f += strings.Repeat(xstz("x")+word(0), 5)
		if len(entries) > 0 {
			f += "\xFF\xFF" + word(len(entries)) + word(0)
			for _, e := range entries {
				f += xstz(e)
			}
		}
		return f
	}
	data, properties := "", make(map[int]string)
	fields := []string{field(1, 1, 0), field(1, 25, 0), field(2, 1, 0, "mild", "severe"), field(0, 0, 0)}
	for i := range text {
		if text[i] == 1 {
			properties[i] = "\x06\x08\x01\x03\x6A" + word(len(data)) + "\x00\x00"
			data, fields = data+fields[0], fields[1:]
		}
	}
	c, err := Read(document97WithRuns(text, nil, properties, "Data", data), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "☑ A, ☐ B: severe, c.\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
}

// TestLists checks that items are numbered according to the changes that a use of a list makes, and
// across levels without items.
func TestLists(t *testing.T) {
	number := func(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	level := func(start, format, flags byte, text string) string {
		l := number(int(start)) + string([]byte{format, flags}) + strings.Repeat("\x00", 22) + string([]byte{byte(len(text)), 0})
		for i := range text {
			l += text[i:i+1] + "\x00"
		}
		return l
	}
	const decimal, roman, isDecimal, neverRestarts = 0, 1, 4, 8
	lists := "\x01\x00" + number(7) + strings.Repeat("\x00", 24)
	all := level(1, roman, 0, "\x00.") + level(1, decimal, 0, "\x00.\x01") + level(1, decimal, isDecimal|neverRestarts, "\x00-\x02")
	all += strings.Repeat(level(1, decimal, 0, "?"), office.ListLevelCount-3)
	use := func(changes byte) string { return number(7) + number(0) + number(0) + string([]byte{changes, 0, 0, 0}) }
	const unused, restarts, isOther = "\xff\xff\xff\xff", 0x10, 0x20
	uses := number(3) + use(0) + use(1) + use(1) +
		unused + unused + number(5) + number(restarts) + unused + number(0) + number(restarts|isOther) + level(3, decimal, 0, "(\x00)")
	d := document{lists: readLists([]byte(lists), []byte(all), []byte(uses))}
	for i, item := range []struct {
		list, level int
		want        string
	}{
		{1, 1, "I.1"}, {1, 0, "II."}, {1, 1, "II.1"}, {1, 1, "II.2"}, {1, 2, "2-1"}, {1, 0, "III."}, {1, 1, "III.1"}, {1, 2, "3-2"},
		{2, 0, "V."}, {2, 0, "VI."}, {1, 0, "VII."}, {3, 0, "(3)"}, {3, 0, "(4)"}, {4, 0, ""}, {0, 0, ""},
	} {
		if got := d.nextMarker(paragraphProperties{list: item.list, level: item.level}); got != item.want {
			t.Errorf("item %d: %q, want %q", i, got, item.want)
		}
	}
}

// TestLongLevelText checks that a level has no marker if its text is too long for one, as each item
// would repeat it.
func TestLongLevelText(t *testing.T) {
	const length = 1 << 12
	raw := append(make([]byte, 28), byte(length&0xFF), byte(length>>8))
	raw = append(raw, strings.Repeat("?\x00", length)...)
	if l, rest := readLevel(raw); l.MarkerTemplate != "" || rest == nil || len(rest) != 0 {
		t.Errorf("the text has %d bytes, %d follow", len(l.MarkerTemplate), len(rest))
	}
}

// TestNumerals checks list numbers in other scripts.
func TestNumerals(t *testing.T) {
	for format, want := range map[byte]string{26: "⒊", 27: "⑶", 30: "丙", 31: "寅", 35: "三", 59: "В"} {
		l := office.ListLevel{Start: 3, NumberFormat: numeralFormats[format], MarkerTemplate: "\x00"}
		d := document{lists: []*listUse{{list: &office.List{Levels: [office.ListLevelCount]office.ListLevel{l}}}}}
		if got := d.nextMarker(paragraphProperties{list: 1}); got != want {
			t.Errorf("%d: %q, want %q", format, got, want)
		}
	}
}

func TestCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"One\rTwo\x0bThree\rFour\x0cFive": "One\n\nTwo\nThree\n\nFour\n\nFive\n",
		"\x13 HYPERLINK \"x\" \x14shown\x15, \x13PAGE\x14 7 \x15\x13 TOC \x14a \x13 REF b \x14c\x15 d\x15\r":                  "shown, a c d\n",
		"\x13 EQ \\* jc2 \\* \"Font:Ming\" \\o\\ad(\\s\\up 10(mei),may)\x15 \x13eq \\o\\ac(O,1)\x15\x13 SET a \"b,c\"\x15.\r": "may 1.\n",
		"non\x1ebreaking so\x1fft \x93quoted\x94 \x80\x08\x01\r":                                                              "non-breaking soft “quoted” €\n",
		"\x15\x14\x13never closed\rNext": "Next\n",
	} {
		c, err := Read(document97(word97, 0, text), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil {
			c.Text = err.Error()
		}
		if c.Text != want {
			t.Errorf("%q is read as %q, want %q", text, c.Text, want)
		}
	}
}

// TestFieldResultAllocatesNothing checks that a character in the result of a field costs as much as
// any other, however long the instruction of the field is.
func TestFieldResultAllocatesNothing(t *testing.T) {
	w := textWalker{document: new(document), text: make([]uint16, 0, 8)}
	for _, c := range "\x13 HYPERLINK " + strings.Repeat("x", 200) + "\x14" {
		w.addCharacter(uint16(c), 0, 0)
	}
	if n := testing.AllocsPerRun(10, func() { w.text = w.text[:0]; w.addCharacter('a', 0, 0) }); n > 0 || string(utf16.Decode(w.text)) != "a" {
		t.Errorf("%v allocations for %q", n, string(utf16.Decode(w.text)))
	}
}

// TestOldWPS reads a document of an old version of WPS, whose version number is lower than that of
// Word 97.
func TestOldWPS(t *testing.T) {
	old := document97(0xBF, 0, "Low tide\r")
	at := bytes.Index(old, []byte("\xEC\xA5\xBF\x00"))
	old[at+atNumbers] = numbers97
	c, err := Read(old, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if c.Text != "Low tide\n" {
		t.Errorf("%q", c.Text)
	}
}

func TestUnread(t *testing.T) {
	file, err := cfb.Open(document97(word97, 0, "\x01\r"))
	if err != nil {
		t.Fatal(err)
	}
	main, _ := file.Root.ReadStream("WordDocument")
	table, _ := file.Root.ReadStream("0Table")
	for inMain, inData := range map[string]string{"\xA0\x46\x1D\xF0": "", "": "\x10\x6E\x1E\xF0"} {
		_, err := Read(extracttest.CompoundFile("WordDocument", string(main)+inMain, "0Table", string(table), "Data", inData), extract.NoProgress)
		extracttest.WantSkip(t, err, extract.ErrOnlyPictures.Error())
	}
	for reason, raw := range map[string][]byte{
		extract.ErrPasswordProtected.Error(): document97(word97, isEncrypted, "x"), errOld.Error(): document97(99, 0, "x"),
		errDamaged.Error(): extracttest.CompoundFile("WordDocument", "\xEC\xA5\xC1\x00"+strings.Repeat("\x00", headerSize)),
	} {
		_, err := Read(raw, extract.NoProgress)
		extracttest.WantSkip(t, err, reason)
	}
	for raw, reason := range map[string]error{
		"\xDB\xA5-\x00": errOld, "\xFE\x37\x00\x23": errOld, "\xFFWPC": errNoWord, "": errNoWord,
		string(extracttest.CompoundFile("CONTENTS", "Works")): errNoWord, string(document97(0xBF, 0, "x")): errOld,
	} {
		_, err := Read([]byte(raw), extract.NoProgress)
		extracttest.WantSkip(t, err, reason.Error())
	}
}

// A word6 describes a document of Word 6 or 95, for its stream to be built.
type word6 struct {
	flags, country, charset int
	pieces                  []string // pieces of the text, which are in the file in reverse order
	paragraphs              string   // one page of paragraph runs
	styles                  string
	notes                   string // text of the footnotes, the first of which belongs to the third character
	headers                 string
	comments                string // text of two comments, the second of which has one character and a paragraph mark
	authors                 string // authors of the comments; the first is that of the second comment
}

// stream returns the main stream of the document.
func (w *word6) stream() string {
	const header, page = 0x300, 2 * pageSize
	main := make([]byte, header, page)
	short := func(at, n int) { binary.LittleEndian.PutUint16(main[at:], uint16(n)) }
	long := func(at, n int) { binary.LittleEndian.PutUint32(main[at:], uint32(n)) }
	number := func(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
	add := func(at int, data ...[]byte) {
		all := bytes.Join(data, nil)
		long(at, len(main))
		long(at+4, len(all))
		main = append(main, all...)
	}
	short(0, 0xA5DC)
	short(atVersion, 104)
	short(atFlags, w.flags)
	short(w6Country, w.country)
	short(w6Charset, w.charset)
	length, width := 0, 1
	if w.flags&w6IsUTF16 != 0 {
		width = 2
	}
	positions, places := number(0), []byte(nil)
	for _, p := range w.pieces {
		length += len(p) / width
		positions = append(positions, number(length)...)
	}
	begins := make([]int, len(w.pieces))
	for i := len(w.pieces) - 1; i >= 0; i-- {
		begins[i] = len(main)
		main = append(main, w.pieces[i]...)
	}
	for _, at := range begins {
		places = append(append(append(places, 0, 0), number(at)...), 0, 0)
	}
	long(w6Text, begins[0])
	long(w6Text+4, begins[0]+len(w.pieces[0]))
	long(w6Sizes+4*headers, len(w.headers))
	said := len(w.headers) + len(w.comments)
	long(w6Sizes, length-len(w.notes)-said)
	long(w6Sizes+4, len(w.notes))
	long(w6Sizes+4*comments, len(w.comments))
	reference := func(author byte) []byte {
		return append([]byte("\x02ab\x00\x00\x00\x00\x00\x00\x00"), author, 0, 0, 0, 0, 0, 255, 255, 255, 255)
	}
	add(w6Comments, number(1), number(2), number(length), reference(1), reference(0))
	add(w6Comments+8, number(0), number(max(0, len(w.comments)-2)), number(len(w.comments)), number(len(w.comments)+1))
	add(w6Authors, []byte(w.authors))
	add(w6Pieces, []byte{1, 2, 0, 24, 1, 2}, number(len(positions)+len(places)), positions, places)
	add(w6Footnotes, number(2), number(length-len(w.notes)-said), []byte{1, 0})
	add(w6Footnotes+8, number(0), number(len(w.notes)), number(len(w.notes)))
	add(w6Styles, []byte(w.styles))
	if w.paragraphs != "" {
		add(w6Runs+8, number(0), number(1<<20), []byte{4, 0})
		main = append(append(main, make([]byte, 4*pageSize-len(main))...), w.paragraphs...)
	}
	return string(main)
}

func (w *word6) bytes() []byte { return extracttest.CompoundFile("WordDocument", w.stream()) }

func TestWord6(t *testing.T) {
	for _, tt := range []struct {
		what, want string
		document   word6
	}{
		{"one piece", "Tides\n\n“Ebb” at 5 €\n", word6{country: 0x409, pieces: []string{"Tides\r\x93Ebb\x94 at 5 \x80\r"}}},
		{"pieces", "First, second\n\nThird\n", word6{flags: w6Complex, pieces: []string{"First, ", "second\rTh", "ird\r"}}},
		{"wide", "潮汐\n", word6{flags: w6IsUTF16, country: 0x404, pieces: []string{"\x6e\x6f\x50\x6c\x0d\x00"}}},
		{"GBK", "潮汐 and more\n\n表\n", word6{country: 0x804, pieces: []string{"\xb3\xb1\xcf\xab and more\r\xb1\xed\r"}}},
		{"Big5 in two pieces", "潮汐\n\n功\n", word6{country: 0x404, flags: w6Complex, pieces: []string{"\xbc\xe9\xa6\xc1\r", "\xa5\x5c\r"}}},
		{"Shift-JIS", "ﾃｽﾄ 表\n", word6{country: 0x411, pieces: []string{"\xc3\xbd\xc4 \x95\x5c\r"}}},
		{"Russian", "Прилив\n", word6{country: 0x419, pieces: []string{"\xcf\xf0\xe8\xeb\xe8\xe2\r"}}},
		{"Russian of an English Word", "Прилив приходит дважды в сутки, и отлив тоже\n",
			word6{country: 0x409, pieces: []string{"\xcf\xf0\xe8\xeb\xe8\xe2 \xef\xf0\xe8\xf5\xee\xe4\xe8\xf2 \xe4\xe2\xe0\xe6\xe4\xfb \xe2 \xf1\xf3\xf2\xea\xe8, \xe8 \xee\xf2\xeb\xe8\xe2 \xf2\xee\xe6\xe5\r"}}},
		{"Macintosh", "café\n", word6{charset: w6Macintosh, pieces: []string{"caf\x8e\r"}}},
		{"a field", "page of 12/12/97\n", word6{pieces: []string{"page of \x13 DATE \x1412/12/97\x15\r"}}},
		{"a note", "At[^1] sea\n\n[^1]: Or not.\n", word6{pieces: []string{"At\x02 sea\r\x02Or not.\r"}, notes: "\x02Or not.\r"}},
		{"comments", "At[^1] sea\n\n[^1]: No.\n\nComment of Ôna: Why\n\nComment of Bo: W\n",
			word6{pieces: []string{"At\x02 sea\r\x02No.\r\x05Why\rW\r"}, notes: "\x02No.\r", comments: "\x05Why\rW\r", authors: "\x02Bo\x03\xd4na"}},
		{"headers", "Sea\n\nTides 2\n", word6{pieces: []string{"Sea\rTides 2\rPage \x13PAGE\x141\x15 of \x13NUMPAGES\x149\x15\r"}, headers: "Tides 2\rPage \x13PAGE\x141\x15 of \x13NUMPAGES\x149\x15\r"}},
		{"damaged comments", "Sea\n\nComment: Why\n", word6{pieces: []string{"Sea\r\x05Why\r\x05\r"}, comments: "\x05Why\r\x05\r", authors: "\x09Bo"}},
	} {
		c, err := Read(tt.document.bytes(), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != tt.want {
			t.Errorf("%s: %q, want %q, %v", tt.what, c.Text, tt.want, err)
		}
	}
}

// outlined returns a document with a heading style with a French name and a table.
func outlined() *word6 {
	const header = 0x300
	text := "Mar\xe9es\rLine\x07Feet\x07\x07Bow\x0740\x07\x07\r"
	page := make([]byte, pageSize)
	ends, properties := []int{7, 12, 17, 18, 22, 25, 26, 27}, []byte{100, 104, 104, 108, 104, 104, 108, 0}
	page[pageSize-1] = byte(len(ends))
	at := header
	for i, end := range ends {
		binary.LittleEndian.PutUint32(page[4*i:], uint32(at))
		at = header + end
		page[4*(len(ends)+1)+7*i] = properties[i]
	}
	binary.LittleEndian.PutUint32(page[4*len(ends):], uint32(at))
	copy(page[200:], "\x01\x01\x00")
	copy(page[208:], "\x02\x00\x00\x18\x01")
	copy(page[216:], "\x03\x00\x00\x18\x01\x19\x01")
	styles := "\x06\x00\x02\x00\x08\x00\x00\x00" + "\x00\x00" + "\x0c\x00" + "\x01\x40\xf1\xff\x00\x00\x0c\x00\x02H1\x00"
	return &word6{country: 0x40c, pieces: []string{text}, paragraphs: string(page), styles: styles}
}

func TestWord6Outline(t *testing.T) {
	c, err := Read(outlined().bytes(), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "# Marées\n\n| Line | Feet |\n| --- | --- |\n| Bow | 40 |\n"; err != nil || c.Text != want {
		t.Errorf("%q, want %q, %v", c.Text, want, err)
	}
}

func TestWord6Unread(t *testing.T) {
	encrypted := word6{flags: isEncrypted, pieces: []string{"x"}}
	_, err := Read(encrypted.bytes(), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrPasswordProtected.Error())
	empty := word6{pieces: []string{""}}
	_, err = Read(empty.bytes(), extract.NoProgress)
	extracttest.WantSkip(t, err, errDamaged.Error())
}

// FuzzRead checks that the reader fulfils its contract for arbitrary streams.
func FuzzRead(f *testing.F) {
	file, err := cfb.Open(sample(f))
	if err != nil {
		f.Fatal(err)
	}
	var streams [2][]byte
	for i, name := range []string{"WordDocument", "1Table"} {
		if streams[i], err = file.Root.ReadStream(name); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(streams[0], streams[1], uint32(0), byte(0))
	f.Add([]byte((&word6{pieces: []string{"At\r\x05Why\rW\r"}, comments: "\x05Why\rW\r", authors: "\x02Bo\x01C"}).stream()), []byte(nil), uint32(w6Comments), byte(1))
	f.Add(streams[0][:len(streams[0])/2], streams[1], uint32(atPieces), byte(1))
	f.Add([]byte(outlined().stream()), []byte(nil), uint32(w6Runs), byte(1))
	complexOne := word6{flags: w6Complex, country: 0x804, pieces: []string{"\xb3\xb1\x02", "\xcf\xab\r"}, notes: "\xab\r"}
	f.Add([]byte(complexOne.stream()), []byte(nil), uint32(w6Pieces), byte(1))
	f.Fuzz(func(t *testing.T, main, table []byte, at uint32, harm byte) {
		if len(main) > 0 {
			main = bytes.Clone(main)
			main[at%uint32(len(main))] ^= harm
		}
		c, err := Read(extracttest.CompoundFile("WordDocument", string(main), "1Table", string(table)), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
