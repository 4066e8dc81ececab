package iwork

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func anObject(id, kind int, numbersAndValues ...any) extracttest.IWorkObject {
	return extracttest.IWorkObject{ID: id, Kind: kind, Message: extracttest.ProtobufMessage(numbersAndValues...)}
}

var msg = extracttest.ProtobufMessage

// to returns a reference to the object with an identifier.
func to(id int) []byte { return msg(1, id) }

// markAt returns an entry of an attribute table, without an object if id is 0.
func markAt(at, id int) []byte {
	if id == 0 {
		return msg(1, at)
	}
	return msg(1, at, 2, to(id))
}

func text(t *testing.T, raw []byte) extract.Content {
	t.Helper()
	c, err := Read(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func wantText(t *testing.T, raw []byte, want string) {
	t.Helper()
	if c := text(t, raw); c.Text != want {
		t.Errorf("text\n%s\nwant\n%s", c.Text, want)
	}
}

// styles are the styles of a document: 50 and 51 are heading styles, 52 is a variation of 50, 53 is
// for body text; 60 is a list style with bullets, 61 one with numbers.
var styles = []extracttest.IWorkObject{
	anObject(50, 2022, 1, msg(1, "Heading", 2, "text-11-paragraphstyle-Heading 1")),
	anObject(51, 2022, 1, msg(1, "Überschrift rot", 2, "text-14-paragraphstyle-Heading 2")),
	anObject(52, 2022, 1, msg(3, to(50), 4, 1)),
	anObject(53, 2022, 1, msg(1, "Body")),
	anObject(60, 2023, 11, 2, 11, 2),
	anObject(61, 2023, 11, 3, 11, 3, 15, 0, 15, 12),
	anObject(62, 2023, 1, msg(3, to(60))),
}

func TestPages(t *testing.T) {
	body := "Mooring\n" + // at position 0
		"Tie two lines.\n" + // at position 8
		"Bow\n" + // at position 23
		"Stern\n" + // at position 27
		"Tides 潮汐\U0001F30A\n" + // at position 33
		"first\n" + // at position 44
		"deeper\n" + // at position 50
		"second\x0e is\u2028last\n" + // at position 57
		"\ufffc old" // at position 73
	raw := extracttest.IWork(t, append(styles,
		anObject(1, 10000, 3, to(3), 4, to(2), 15, ""),
		anObject(2, 2001, 1, 0, 3, body, 10, 1,
			5, msg(1, markAt(0, 50), 1, markAt(8, 53), 1, markAt(23, 0), 1, markAt(27, 0), 1, markAt(33, 52), 1, markAt(44, 53)),
			6, msg(1, msg(1, 0, 2, 0), 1, msg(1, 50, 2, 1), 1, msg(1, 57, 2, 0)),
			7, msg(1, markAt(23, 62), 1, markAt(33, 0), 1, markAt(44, 61), 1, markAt(73, 40)),
			9, msg(1, markAt(73, 20)),
			16, msg(1, markAt(63, 10)),
			22, msg(1, markAt(74, 30), 1, markAt(78, 0))),
		anObject(3, 10012, 1, msg(1, 0, 4, msg(1, to(4)))),
		anObject(4, 2011, 1, msg(1, msg(8, "A picture of knots")), 4, to(5)),
		anObject(5, 2001, 3, "In a box", 10, 1),
		anObject(6, 2001, 1, 1, 3, "Harbour office", 10, 1),
		anObject(7, 2001, 1, 1, 3, "Harbour office", 10, 1),
		anObject(8, 2001, 1, 1, 3, "2", 10, 1),
		anObject(10, 2008, 2, to(11)),
		anObject(11, 2001, 1, 2, 3, "A note.", 10, 1),
		anObject(20, 2003, 1, to(21)),
		anObject(21, 6007, 1, msg(2, to(22))),
		tableModel(22, 23, 24),
		anObject(23, 6002, 5, row(0, textKey(1), textKey(2)), 5, row(1, nil, textKey(1))),
		anObject(24, 6005, 3, msg(1, 1, 3, "Line"), 3, msg(1, 2, 3, "Metres | feet")),
	)...)
	wantText(t, raw, `# Mooring

Tie two lines.

- Bow
- Stern

# Tides 潮汐`+"\U0001F30A"+`

1. first
  a. deeper
2. second[^1] is last

[^1]: A note.

| Line | Metres \| feet |
| --- | --- |
|  | Line |

In a box

A picture of knots

Harbour office
`)
}

// TestPagesStruck checks that struck-out text has marks, by its own style or by that of the paragraph, and that
// tildes of the author are none.
func TestPagesStruck(t *testing.T) {
	body := "Take 40 mg20 mg ~~daily~~\n" + // at position 0, of which 5 to 10 are struck out
		"Stop kelp now\n" // at position 26, of which "now" at 36 is not
	raw := extracttest.IWork(t,
		anObject(1, 10000, 4, to(2), 15, ""),
		anObject(2, 2001, 1, 0, 3, body, 10, 1, 5, msg(1, markAt(0, 53), 1, markAt(26, 72)), 8, msg(1, markAt(5, 71), 1, markAt(10, 0), 1, markAt(36, 73))),
		anObject(53, 2022, 1, msg(1, "Body")),
		anObject(70, 2021, 11, msg(12, 1)), anObject(71, 2021, 1, msg(3, to(70)), 11, msg(1, 1)), anObject(72, 2022, 11, msg(12, 2)), anObject(73, 2021, 11, msg(12, 0)),
	)
	wantText(t, raw, "Take ~~40 mg~~ 20 mg ~\u2060~daily~\u2060~\n\n~~Stop kelp~~ now\n")
}

func TestPagesStylesOfAllLanguages(t *testing.T) {
	raw := extracttest.IWork(t, append(styles, anObject(1, 10000, 4, to(2)), anObject(2, 2001, 3, "Rot", 5, msg(1, markAt(0, 51))))...)
	wantText(t, raw, "## Rot\n")
}

func TestKeynote(t *testing.T) {
	raw := extracttest.Zip(t, "Talk.key/Index.zip", string(extracttest.Zip(t,
		"Index/Document.iwa", extracttest.IWAFile(
			anObject(1, 1, 2, to(2), 3, ""),
			anObject(2, 2, 3, msg(2, to(4), 2, to(3))),
			anObject(3, 4, 2, to(30)),
			anObject(4, 4, 2, to(40)),
		),
		"Index/Slide-2.iwa", extracttest.IWAFile(
			anObject(30, 5, 5, to(31), 7, to(31), 7, to(33), 27, to(38)),
			anObject(31, 12, 1, msg(4, to(32)), 2, 2),
			anObject(32, 2001, 3, "Second in the file", 5, msg(1, markAt(0, 50))),
			anObject(33, 3008, 2, to(34), 2, to(33)),
			anObject(34, 2011, 1, msg(1, ""), 2, to(35)),
			anObject(35, 2001, 3, "In a group"),
			anObject(38, 15, 1, to(39)),
			anObject(39, 2001, 1, 4, 3, "Speak up.\nPause."),
		),
		"Index/Slide-1.iwa", extracttest.IWAFile(
			anObject(40, 5, 6, to(41), 42, to(41)),
			anObject(41, 7, 1, msg(4, to(42))),
			anObject(42, 2001, 3, "No title"),
			anObject(70, 2001, 3, "Title Text", 10, 1), // a placeholder text of the template
		))))
	c := text(t, raw)
	if want := "## Slide 1\n\nNo title\n\n## Second in the file\n\nIn a group\n\nNotes: Speak up.\n\nPause.\n"; c.Text != want {
		t.Errorf("text %q, want %q", c.Text, want)
	}
	if len(c.Parts) != 2 || c.Parts[1].Number != 2 || c.Parts[1].Kind != extract.Slide {
		t.Errorf("parts %+v", c.Parts)
	}
}

// tableModel returns a table with one tile and one list of texts.
func tableModel(id, tile, texts int) extracttest.IWorkObject {
	return anObject(id, 6001, 8, "Lines", 22, 0, 4, msg(3, msg(1, msg(1, 0, 2, to(tile))), 4, to(texts), 17, to(texts), 22, to(texts), 11, to(texts), 16, to(texts)))
}

// row returns a row with cells in the newest format; nil stands for a missing cell.
func row(index int, cells ...[]byte) []byte {
	var buffer, offsets []byte
	for _, c := range cells {
		at := uint16(math.MaxUint16)
		if c != nil {
			at = uint16(len(buffer) / 4)
		}
		offsets = binary.LittleEndian.AppendUint16(offsets, at)
		buffer = append(buffer, c...)
	}
	return msg(1, index, 6, buffer, 7, offsets, 8, 1)
}

// stored returns a stored cell: its kind, its flags, and the values that the flags announce.
func stored(kind byte, flags uint32, values ...any) []byte {
	b := []byte{5, kind, 0, 0, 0, 0, 0, 0}
	b = binary.LittleEndian.AppendUint32(b, flags)
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case float64:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		case []byte:
			b = append(b, v...)
		}
	}
	return b
}

func textKey(key int) []byte { return stored(textCell, 1<<3, key) }

// decimal128 returns the number digits × 10^power.
func decimal128(digits int64, power int) []byte {
	b := make([]byte, 16)
	binary.LittleEndian.PutUint64(b, uint64(max(digits, -digits)))
	exponent := power + 6176
	b[14], b[15] = byte(exponent<<1), byte(exponent>>7)
	if digits < 0 {
		b[15] |= 0x80
	}
	return b
}

func TestNumbers(t *testing.T) {
	const noon = 86400 * 1.5
	old := []byte{4, textCell, 0, 0, 0x14, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0}
	price := append([]byte{4, numberCell, 0, 0, 0xA6 | 8, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 9, 0, 0, 0}, binary.LittleEndian.AppendUint64(nil, math.Float64bits(-2.5))...)
	chosen := append([]byte{4, numberCell, 0, 0, 0x24, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0}, binary.LittleEndian.AppendUint64(nil, math.Float64bits(1))...)
	oldRow := msg(1, 9, 3, slices.Concat(old, price, chosen), 4, []byte{0, 0, byte(len(old)), 0, byte(len(old) + len(price)), 0})
	raw := extracttest.IWork(t,
		anObject(1, 1, 1, to(2), 1, to(3), 8, ""),
		anObject(2, 2, 1, "Boats", 2, to(10), 2, to(20), 2, to(30), 18, to(36)),
		anObject(3, 3, 1, msg(1, "Form", 2, to(10))),
		anObject(10, 6000, 1, "", 2, to(11)),
		tableModel(11, 12, 13),
		anObject(12, 6002,
			5, row(0, textKey(1), stored(richCell, 1<<4, 4)),
			5, row(2, stored(numberCell, 1, decimal128(-12345, -3)), stored(numberCell, 1|1<<13|1<<17, decimal128(125, -3), 2, 3)),
			5, row(3, stored(currencyCell, 1<<1|1<<14, 7.5, 3), stored(dateCell, 1<<2, noon)),
			5, row(4, stored(boolCell, 1<<1, 1.0), stored(durationCell, 1<<1, 5400.25)),
			5, row(5, stored(numberCell, 1, decimal128(7, 2)), stored(numberCell, 1<<1, math.Inf(1))),
			5, oldRow),
		anObject(13, 6005, 3, msg(1, 1, 3, "Name"), 3, msg(1, 2, 6, msg(1, 258, 2, 1)), 3, msg(1, 3, 6, msg(1, 257, 2, 2, 3, "EUR")),
			3, msg(1, 5, 6, msg(1, 266, 39, 6)), 3, msg(1, 6, 4, to(17)), 4, to(14)),
		anObject(17, 6206, 2, msg(1, 1), 2, msg(1, 5, 5, msg(1, "oars"))),
		anObject(14, 6011, 3, msg(1, 4, 9, to(15))),
		anObject(15, 6218, 1, to(16)),
		anObject(16, 2001, 1, 5, 3, "Two\nlines"),
		anObject(20, 6000, 1, "", 2, to(21)),
		anObject(21, 6001, 8, "Berths", 22, 1, 4, msg(3, msg(1, msg(1, 0, 2, to(22))), 4, to(13))),
		anObject(22, 6002, 5, row(0, textKey(1))),
		anObject(30, 2011, 4, to(31)),
		anObject(31, 2001, 3, "Beside"),
		anObject(36, 2001, 1, 1, 3, "Page 1 of the club"),
	)
	c := text(t, raw)
	want := `## Boats

| Name | Two lines |  |
| --- | --- | --- |
| -12.345 | 12.5% |
| 7.50 EUR | 2001-01-02 12:00 |
| TRUE | 1:30:00.250 |
| 700 |
| Name | -2.50 EUR | oars |

### Berths

| Name |
| --- |

Beside

Page 1 of the club
`
	if c.Text != want {
		t.Errorf("text\n%s\nwant\n%s", c.Text, want)
	}
	for _, p := range c.Parts {
		if p.Kind != extract.Sheet || p.Number != 1 || p.Name != "Boats" {
			t.Errorf("part %+v", p)
		}
		if p.FirstRow == 3 && !strings.HasPrefix(c.Text[p.StartByte:], "| -12.345") {
			t.Errorf("row 3 is at %q", c.Text[p.StartByte:])
		}
	}
}

// TestRest reads the texts of a document whose root object is missing.
func TestRest(t *testing.T) {
	raw := extracttest.IWork(t, anObject(9, 2001, 3, "later", 10, 1), anObject(4, 2001, 3, "first", 10, 1), anObject(5, 2001, 3, "a template"))
	wantText(t, raw, "first\n\nlater\n")
}

func TestXML(t *testing.T) {
	for _, tt := range []struct{ name, raw, want, title string }{
		{"index.xml", `<?xml version="1.0"?><sl:document><sf:metadata><sf:title><sf:string sfa:string="Moor"/></sf:title></sf:metadata>
			<sl:section-prototypes><sf:text-storage><sf:p>Lorem</sf:p></sf:text-storage></sl:section-prototypes>
			<sl:stylesheet><sf:styles><sf:paragraphstyle sf:name="Heading 2" sf:ident="h2"/><sf:paragraphstyle sf:parent-ident="h2" sfa:ID="S-1"/></sf:styles></sl:stylesheet>
			<sl:drawables><sf:text><sf:text-storage><sf:text-body><sf:p>A box</sf:p></sf:text-body></sf:text-storage></sf:text></sl:drawables>
			<sf:headers><sf:header><sf:p>Club</sf:p></sf:header><sf:header><sf:p>Club</sf:p></sf:header></sf:headers>
			<sf:text-storage sf:kind="body">
			<sf:footnotes><sf:p><sf:footnote-mark sf:mark="1"/> Note.<sf:footnotebr/></sf:p></sf:footnotes>
			<sf:attachments><sf:attachment sfa:ID="A"><sf:tabular-info><sf:tabular-model sf:name="T" sf:name-is-visible="true"><sf:grid><sf:datasource>
			<sf:t sf:ct="0"><sf:ct sfa:s="Line"/></sf:t><sf:t><sf:ct><sf:p>rich</sf:p></sf:ct></sf:t><sf:n sf:ct="256" sf:v="2.5"/></sf:datasource></sf:grid></sf:tabular-model></sf:tabular-info></sf:attachment></sf:attachments>
			<sf:text-body><sf:p sf:style="S-1">Lines<sf:br/></sf:p><sf:p>Two<sf:tab/><sf:span>lines</sf:span><sf:footnote/>.<sf:attachment-ref sfa:IDREF="A"/></sf:p><sf:p><sf:ghost-text>Lorem</sf:ghost-text></sf:p></sf:text-body></sf:text-storage></sl:document>`,
			"## Lines\n\nTwo lines[^1].\n\n[^1]: Note.\n\nT\n\n| Line | rich |\n| --- | --- |\n|  | 2.5 |\n\nA box\n\nClub\n", "Moor"},
		{"index.apxl", `<key:presentation><key:theme-list><sf:p>Lorem</sf:p></key:theme-list><key:slide-list><key:slide/><key:slide>
			<key:title-placeholder><sf:p>Tides</sf:p></key:title-placeholder><key:body-placeholder><sf:p sf:list-level="2">in</sf:p></key:body-placeholder>
			<key:page><sf:p>drawn</sf:p></key:page><key:sticky-notes><sf:p>a comment</sf:p></key:sticky-notes><key:notes><sf:p>Speak up.</sf:p></key:notes></key:slide></key:slide-list></key:presentation>`,
			"## Tides\n\n  - in\n\ndrawn\n\nNotes: Speak up.\n", ""},
		{"index.xml", `<ls:document><ls:workspace ls:workspace-name="Boats"><sf:tabular-info><sf:tabular-model sf:name="x"><sf:datasource>
			<sf:pm sf:ct="0"><sf:menu-choices><sf:t sfa:ID="m"><sf:ct sfa:s="sail"/></sf:t><sf:t sfa:ID="n"><sf:ct sfa:s="oars"/></sf:t></sf:menu-choices><sf:proxied-cell-ref sfa:IDREF="m"/></sf:pm>
			<sf:f><sf:fo sf:fs="=A1"/><sf:r><sf:rn sf:v="-8.5"/></sf:r></sf:f><sf:d sf:cell-date="86400"/><sf:du sf:du="60"/><sf:cb sf:v="1"/><sf:g/></sf:datasource></sf:tabular-model></sf:tabular-info></ls:workspace></ls:document>`,
			"## Boats\n\n| sail | -8.5 | 2001-01-02 | 0:01:00 | TRUE |\n| --- | --- | --- | --- | --- |\n", ""},
	} {
		raw := extracttest.Zip(t, tt.name, tt.raw)
		wantText(t, raw, tt.want)
		if c := text(t, raw); c.Title != tt.title {
			t.Errorf("title %q, want %q", c.Title, tt.title)
		}
	}
}

func TestPreview(t *testing.T) {
	pdf := string(extracttest.PDF("", "BT /F1 10 Tf 50 700 Td (Whales below the ice) Tj ET"))
	c := text(t, extracttest.Zip(t, "Index/Document.iwa", "\x01", "QuickLook/Preview.pdf", pdf))
	if !strings.Contains(c.Text, "Whales") || !strings.Contains(c.ExtractionNote.String(), "only the preview inside could be read") {
		t.Errorf("text %q, note %q", c.Text, c.ExtractionNote)
	}
}

func TestUnreadable(t *testing.T) {
	whole := extracttest.IWAFile(anObject(1, 10000, 4, to(2)), anObject(2, 2001, 3, "words"))
	many := make([]extracttest.IWorkObject, 1000)
	for i := range many {
		many[i] = anObject(i+10, 3008, 2, to(i+11))
	}
	var encrypted bytes.Buffer
	z := zip.NewWriter(&encrypted)
	if _, err := z.CreateHeader(&zip.FileHeader{Name: "index.xml", Extra: []byte("mcl\x04iwpv")}); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what, want string
		raw        []byte
	}{
		{"another zip", "damaged iWork document", extracttest.Zip(t, "a", "b")},
		{"no zip", "damaged zip", []byte("x")},
		{"a password since 2013", "password needed", extracttest.Zip(t, ".iwpv2", "x", "Index/Document.iwa", whole)},
		{"a password before", "password needed", encrypted.Bytes()},
		{"no text", "contains no text", extracttest.IWork(t, anObject(1, 10000, 4, to(2)), anObject(2, 2001, 3, ""))},
		{"cut off", "damaged iWork document", extracttest.Zip(t, "Index/Document.iwa", whole[:len(whole)-2])},
		{"a chunk that is longer than it says", "damaged iWork document", extracttest.Zip(t, "Index/Document.iwa", "\x00\x04\x00\x00\x01\x08abc")},
		{"a copy of nothing", "damaged iWork document", extracttest.Zip(t, "Index/Document.iwa", "\x00\x03\x00\x00\x04\x01\x01")},
		{"a chunk that says to be huge", "damaged iWork document", extracttest.Zip(t, "Index/Document.iwa", "\x00\x05\x00\x00\xff\xff\xff\xff\x0f")},
		{"groups within groups", "nested too deeply", extracttest.IWork(t, append(many, anObject(1, 1, 2, to(2), 3, ""), anObject(2, 2, 3, msg(2, to(3))), anObject(3, 4, 2, to(4)), anObject(4, 5, 7, to(10)))...)},
		{"XML that is none", "damaged iWork document", extracttest.Zip(t, "index.xml", "\x01\x02")},
		{"XML cut off", "damaged XML", extracttest.Zip(t, "index.xml", "<a><b")},
	} {
		_, err := Read(tt.raw, extract.NoProgress)
		if t.Log(tt.what); err == nil {
			t.Error("no error")
			continue
		}
		extracttest.WantSkip(t, err, tt.want)
	}
}

// TestDamagedPart checks that a document with one damaged file is read with a note.
func TestDamagedPart(t *testing.T) {
	c := text(t, extracttest.Zip(t, "Index/Document.iwa", extracttest.IWAFile(anObject(1, 10000, 4, to(2)), anObject(2, 2001, 3, "words")), "Index/Tables/Tile.iwa", "\x01"))
	if c.Text != "words\n" || c.ExtractionNote == "" {
		t.Errorf("text %q, note %q", c.Text, c.ExtractionNote)
	}
}

func TestUnpack(t *testing.T) {
	chunk := "\x11" + "\x08abc" + "\x15\x03" + "\x0e\x09\x00" + "\x00d" // copies nine bytes from three bytes back, then four from nine bytes back
	got, err := decodeIWA([]byte("\x00\x0c\x00\x00"+chunk), 100)
	if want := "abcabcabcabcabcad"; err != nil || string(got) != want {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(extracttest.IWAStream(append(styles, anObject(1, 10000, 4, to(2)), anObject(2, 2001, 3, "words\ufffc", 9, msg(1, markAt(5, 20))), anObject(20, 2003, 1, to(21)),
		anObject(21, 6007, 1, msg(2, to(22))), tableModel(22, 23, 24), anObject(23, 6002, 5, row(0, textKey(1))), anObject(24, 6005, 3, msg(1, 1, 3, "Line")))...), "<a/>")
	f.Add(extracttest.IWAStream(anObject(1, 1, 2, to(2), 3, ""), anObject(2, 2, 3, msg(2, to(4))), anObject(4, 4, 2, to(40)), anObject(40, 5, 5, to(41), 27, to(43)), anObject(41, 12, 1, msg(4, to(42))),
		anObject(42, 2001, 3, "words"), anObject(43, 15, 1, to(42))), "<a/>")
	f.Add([]byte(nil), `<key:presentation><key:slide><sf:p>a<sf:attachment><sf:tabular-model><sf:datasource><sf:t sf:ct="3"><sf:ct sfa:s="a"/></sf:t></sf:datasource></sf:tabular-model></sf:attachment></sf:p></key:slide></key:presentation>`)
	f.Fuzz(func(t *testing.T, stream []byte, document string) {
		raw := extracttest.Zip(t, "Index/Document.iwa", extracttest.SnappyIWA(stream))
		if len(stream) == 0 {
			raw = extracttest.Zip(t, "index.xml", document)
		}
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("\x00\x0c\x00\x00\x11\x08abc\x15\x03\x0e\x09\x00\x00d"))
	f.Fuzz(func(t *testing.T, packed []byte) {
		const limit = 1 << 20
		if all, err := decodeIWA(packed, limit); err == nil && len(all) > limit {
			t.Errorf("%d bytes", len(all))
		}
	})
}
