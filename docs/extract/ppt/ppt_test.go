package ppt

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"vademecum/docs/extract"
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/extracttest"
)

// TestRead reads a presentation that LibreOffice wrote.
func TestRead(t *testing.T) {
	raw, err := os.ReadFile("testdata/handwashing.ppt")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	const want = `## Clean hands

A talk for new colleagues

## Slide 2

When

Before touching a patient

After touching a patient

## Slide 3

How long

Rub alcohol gel for thirty seconds

Thumbs and fingertips are forgotten most
`
	if c.Text != want || len(c.Parts) != 3 || c.Parts[2].Number != 3 {
		t.Errorf("read %v\n%s\nwant\n%s", c.Parts, c.Text, want)
	}
}

// atom returns a record with data; container returns one with other records.
func atom(kind, instance int, data string) string { return recordOf(kind, instance<<4, data) }

func container(kind, instance int, children ...string) string {
	return recordOf(kind, instance<<4|0xF, strings.Join(children, ""))
}

func recordOf(kind, head int, data string) string {
	b := binary.LittleEndian.AppendUint16(nil, uint16(head))
	b = binary.LittleEndian.AppendUint16(b, uint16(kind))
	return string(binary.LittleEndian.AppendUint32(b, uint32(len(data)))) + data
}

func numbers(all ...uint32) string {
	var b []byte
	for _, n := range all {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return string(b)
}

func wide(text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// text returns the records of a text of a type.
func text(kind uint32, text string) string {
	return atom(textHeader, 0, numbers(kind)) + atom(textChars, 0, wide(text))
}

// box returns a shape with a text, in a placeholder of a type; 0 for none.
func box(placeholder byte, text string) string {
	shape := container(clientTextbox, 0, text)
	if placeholder > 0 {
		shape = container(clientData, 0, atom(placeholderAtom, 0, numbers(0)+string([]byte{placeholder, 0, 0, 0}))) + shape
	}
	return container(shapeContainer, 0, shape)
}

// saved returns a presentation of objects, the first of which is the document, as saved by the last
// of several edits.
func saved(objects ...string) []byte {
	stream, directory := "", numbers(1|uint32(len(objects))<<20)
	for _, o := range objects {
		directory += numbers(uint32(len(stream)))
		stream += o
	}
	at := uint32(len(stream))
	stream += atom(persistDirectory, 0, directory)
	edit := uint32(len(stream))
	stream += atom(userEdit, 0, numbers(256, 0, 0, at, 1, 9, 0))
	user := atom(0x0FF6, 0, numbers(20, 0xE391C05F, edit))
	return extracttest.CompoundFile("Current User", user, "PowerPoint Document", stream)
}

// withPictures returns a presentation with a stream of pictures added.
func withPictures(raw []byte) []byte {
	file, _ := cfb.Open(raw)
	user, _ := file.Root.ReadStream("Current User")
	stream, _ := file.Root.ReadStream("PowerPoint Document")
	return extracttest.CompoundFile("Current User", string(user), "PowerPoint Document", string(stream), "Pictures", "\x00\x6E\x1E\xF0\x00")
}

// ward returns a presentation with two slides and a notes page.
func ward() []byte {
	document := container(documentContainer, 0,
		container(slideListWithText, listOfSlides,
			atom(persistAtom, 0, numbers(2, 0, 2, 256, 0)), text(titleText, "Ramipril 雷米普利"), text(bodyText, "ACE inhibitor\ronce a day\r")+atom(textStyles, 0, numbers(14)+"\x00\x00"+numbers(0)+numbers(12)+"\x01\x00"+numbers(0)),
			atom(persistAtom, 0, numbers(3, 0, 0, 257, 0))),
		container(slideListWithText, listOfNotes, atom(persistAtom, 0, numbers(4, 0, 0, 900, 0))),
		container(headersFooters, 4, atom(shownAtom, 0, numbers(0x20<<16)), atom(cString, 1, wide("not shown")), atom(cString, 2, wide("Handout of May"))))
	first := container(slideContainer, 0, atom(slideAtom, 0, numbers(0, 0, 0, 0, 900, 0)),
		box(0x0D, atom(outlineTextRef, 0, numbers(0))), box(0x0E, atom(outlineTextRef, 0, numbers(1))), box(masterNumber, text(otherText, "7")), box(masterFooter, text(otherText, "Ward 3")),
		container(0x1388, 0, container(0x138A, 0, atom(cString, 0, wide("___PPT10")), atom(binaryTagData, 0,
			container(comment, 0, atom(cString, 0, wide("Ito")), atom(cString, 1, wide("Which dose?")))))))
	second := container(slideContainer, 0, atom(slideAtom, 0, numbers(0, 0, 0, 0, 0, 0)),
		container(shapeGroup, 0, box(0, text(otherText, "deep in\va group"))), box(masterFooter, text(otherText, "Ward 3")),
		container(shapeContainer, 0, container(clientTextbox, 0, atom(textHeader, 0, numbers(otherText)), atom(textBytes, 0, "caf\xe9"))))
	notes := container(notesContainer, 0, box(0, text(notesText, "Ask about a cough.")))
	return saved(document, first, second, notes)
}

func TestSlides(t *testing.T) {
	c, err := Read(ward(), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	const want = `## Ramipril 雷米普利

- ACE inhibitor
  - once a day

Ward 3

Notes: Ask about a cough.

Comment: Which dose?

## Slide 2

deep in
a group

café

Handout of May
`
	if c.Text != want {
		t.Errorf("read\n%s\nwant\n%s", c.Text, want)
	}
}

// TestSuperscripts checks that raised numbers do not become part of the numbers before them, and
// that lowered ones and texts with damaged properties stay as they are.
func TestSuperscripts(t *testing.T) {
	const words, moved = "Platelets 10", 0x80000
	half := func(n uint16) string { return string(binary.LittleEndian.AppendUint16(nil, n)) }
	length := func(text string) uint32 { return uint32(len(utf16.Encode([]rune(text)))) }
	paragraphs := func(count uint32) string { return numbers(count) + half(0) + numbers(0) }
	run := func(text string, mask uint32, properties string) string {
		return numbers(length(text), mask) + properties
	}
	read := func(text, styles string) string {
		document := container(documentContainer, 0, container(slideListWithText, listOfSlides, atom(persistAtom, 0, numbers(2, 0, 0, 256, 0))))
		b := atom(textHeader, 0, numbers(otherText)) + atom(textChars, 0, wide(text)) + atom(textStyles, 0, styles)
		c, err := Read(saved(document, container(slideContainer, 0, box(0, b))), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		return strings.TrimSpace(strings.TrimPrefix(c.Text, "## Slide 1\n"))
	}
	styles := run(words, 0x20001, half(1)+half(24)) + // bold, with a size
		run("9", moved|0x60000, half(24)+numbers(0xFE000000)+half(30)) +
		run("/l\rH", 0, "") + run("2", moved, half(0x10000-25)) + run("O", 0x10000, half(3)) +
		run("-", moved, half(30)) + run("3", moved|1, half(1)+half(33)) + run(" ", 0, "")
	const text = words + "9/l\rH2O-3"
	if got, want := read(text, paragraphs(length(text)+1)+styles), "Platelets 10⁹/l\n\nH2O⁻³"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for name, damaged := range map[string]string{
		"no paragraphs":       numbers(0) + half(0) + numbers(0) + styles,
		"cut paragraphs":      paragraphs(4),
		"a run of nothing":    paragraphs(length(text)+1) + numbers(0, moved) + half(30),
		"a run cut in a mask": paragraphs(length(text)+1) + numbers(400),
		"no position":         paragraphs(length(text)+1) + numbers(400, moved),
	} {
		if got, want := read(text, damaged), "Platelets 109/l\n\nH2O-3"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestWordArt reads a text that is a property of its shape.
func TestWordArt(t *testing.T) {
	property := func(id int, number uint32) string {
		return string(binary.LittleEndian.AppendUint16(nil, uint16(id))) + numbers(number)
	}
	art := func(stated uint32) string {
		const isComplex = 0x8000
		list := property(0x80, 7) + property(0xC5|isComplex, 3) + property(wordArtText|isComplex, stated)
		return container(shapeContainer, 0, atom(shapeProperties, 3, list+"a\x00b"+wide("High\r潮\x00")))
	}
	document := container(documentContainer, 0, container(slideListWithText, listOfSlides, atom(persistAtom, 0, numbers(2, 0, 0, 256, 0))))
	c, err := Read(saved(document, container(slideContainer, 0, art(14), art(90))), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "## Slide 1\n\nHigh 潮\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
}

// TestRepeatedReferences checks that objects with many references are not read without end: only
// the first box that refers to an outline text shows it, and an object is read as a slide only as
// often as the limit on bytes allows.
func TestRepeatedReferences(t *testing.T) {
	slides := func(count int, texts string) string {
		return container(documentContainer, 0, container(slideListWithText, listOfSlides, strings.Repeat(atom(persistAtom, 0, numbers(2)), count)+texts))
	}
	reference := box(0, atom(outlineTextRef, 0, numbers(0)))
	c, err := Read(saved(slides(1, text(otherText, "once")), container(slideContainer, 0, reference, reference)), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "## Slide 1\n\nonce\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
	const size = 1 << 20
	_, err = Read(saved(slides(extract.MaxUnpackedBytes/size+1, ""), container(slideContainer, 0, atom(1, 0, strings.Repeat("x", size)))), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())
}

// TestFormulas checks that embedded formulas are read, compressed or not, and that other objects
// are left out.
func TestFormulas(t *testing.T) {
	formula := "\x1c\x00" + strings.Repeat("\x00", 26) + "\x03\x01\x01\x03\x0a\x01\x02\x83a\x00\x02\x86<\x00\x02\x83b\x00\x00\x00"
	file := string(extracttest.CompoundFile("Equation Native", formula))
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write([]byte(strings.Replace(file, "\x02\x86<", "\x02\x86>", 1))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	object := func(program string, id, persist uint32) string {
		return container(embeddedObject, 0, atom(objectAtom, 0, numbers(0, 0, id, 0, persist, 0)), atom(cString, 2, wide(program)))
	}
	shown := func(id uint32) string {
		return container(shapeContainer, 0, container(clientData, 0, atom(objectReference, 0, numbers(id))))
	}
	document := container(documentContainer, 0,
		container(externalObjects, 0, object("Equation.3", 11, 3), object("Equation.DSMT4", 12, 4), object("Package", 13, 3), object("Equation.3", 14, 2), object("Equation.3", 15, 5)),
		container(slideListWithText, listOfSlides, atom(persistAtom, 0, numbers(2, 0, 0, 256, 0))))
	slide := container(slideContainer, 0, shown(11), shown(12), shown(13), shown(14), shown(15), shown(99))
	c, err := Read(saved(document, slide, atom(objectStorage, 0, file), atom(objectStorage, 1, numbers(9)+packed.String()), atom(objectStorage, 1, "1234 no stream")), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "## Slide 1\n\na<b\n\na>b\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
}

// TestUnreadable checks the reasons for which files are skipped.
func TestUnreadable(t *testing.T) {
	user := atom(0x0FF6, 0, numbers(20, encryptedToken, 0))
	for name, c := range map[string]struct {
		raw  []byte
		want error
	}{
		"of PowerPoint 3":        {[]byte("\xED\xDE\xAD\x0B"), errOldFormat},
		"no compound file":       {[]byte("PPT"), errDamaged},
		"without any stream":     {extracttest.CompoundFile("Book", "x"), errDamaged},
		"of PowerPoint 4":        {extracttest.CompoundFile("PP40", "x"), errOldFormat},
		"of PowerPoint 95":       {extracttest.CompoundFile("PowerPoint Document", "12345678", "PersistentStorage Directory", "x"), errOldFormat},
		"with a password":        {extracttest.CompoundFile("Current User", user, "PowerPoint Document", "12345678"), extract.ErrPasswordProtected},
		"without a document":     {extracttest.CompoundFile("Current User", "", "PowerPoint Document", "12345678"), errDamaged},
		"without any text":       {saved(container(documentContainer, 0)), extract.ErrNoText},
		"of pictures":            {withPictures(saved(container(documentContainer, 0))), extract.ErrOnlyPictures},
		"with an edit in itself": {extracttest.CompoundFile("Current User", atom(0x0FF6, 0, numbers(20, 0, 8)), "PowerPoint Document", "12345678"+atom(userEdit, 0, numbers(1, 0, 8, 8, 1))), errDamaged},
	} {
		if _, err := Read(c.raw, extract.NoProgress); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// FuzzRead reads a presentation that is damaged in two places.
func FuzzRead(f *testing.F) {
	f.Add(uint16(8), byte(1), uint16(300), byte(7))
	f.Fuzz(func(t *testing.T, at uint16, harm byte, other uint16, more byte) {
		raw := ward()
		raw[int(at)%len(raw)] ^= harm
		raw[int(other)%len(raw)] ^= more
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
