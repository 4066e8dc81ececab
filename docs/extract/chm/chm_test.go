package chm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// canal returns a file that chmcmd of Free Pascal 3.2.2 has made.
func canal(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/canal.chm")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

const canalText = "## Canal keeper's manual\n\nRules for keepers and their deputies.\n\n# The weir\n\n水位超过两米时，先开三号闸门。\n\n" +
	"# Working the lock\n\nOpen the upper paddles only when the lower gates are shut.\n\n| Gate | Turns |\n| --- | --- |\n| upper | 14 |\n\nSpare windlasses hang in the lamp room.\n"

// names returns the numbers and names of the chapters of a content.
func names(c extract.Content) string {
	var b strings.Builder
	for _, p := range c.Parts {
		fmt.Fprintf(&b, "%s %d %s;", p.Kind, p.Number, p.Name)
	}
	return b.String()
}

func TestCHM(t *testing.T) {
	c, err := Read(canal(t), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.Text != canalText || c.Title != "Canal keeper" || c.ExtractionNote != "" {
		t.Errorf("title %q, note %q, %v\ngot  %q\nwant %q", c.Title, c.ExtractionNote, err, c.Text, canalText)
	}
	if got := names(c); got != "chapter 1 Canal keeper's manual;chapter 2 The weir;chapter 3 Locks;chapter 4 ;" {
		t.Error(got)
	}
}

// TestPages checks that without metadata the pages are in the order of the only table of contents,
// followed by the others in the order of the archive.
func TestPages(t *testing.T) {
	const toc = `<ul><li><object type="text/sitemap"><param name="Name" value="Zwei"><param name="Local" value="B%20b.HTM#x"></object>` +
		`<li><object type="text/sitemap"><param name="Name" value="Outside"><param name="Local" value="../../c:\passwd"></object>` +
		`<li><object type="text/sitemap"><param name="Local" value="b b.htm"><param name="Name" value="Again"></object></ul>`
	c, err := Read(extracttest.CHM("/a.html", "<p>One</p>", "/B b.htm", "<meta charset=gbk><p>\xB6\xFE</p>", "/x.hhc", toc, "/frame.htm", "<frameset></frameset>", "/i.png", "x"), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.Text != "# Zwei\n\n二\n\nOne\n" || names(c) != "chapter 1 Zwei;chapter 2 ;" {
		t.Errorf("%q, %s, %v", c.Text, names(c), err)
	}
}

// packedHelp returns a file with a page that is compressed into uncompressed blocks, one in each
// frame. The page begins start bytes into the decompressed data.
func packedHelp(text string, start, size int) []byte {
	number := func(n, bytes int) string {
		return string(binary.LittleEndian.AppendUint64(nil, uint64(n))[:bytes])
	}
	packed, places := "", ""
	for i := 0; i < len(text); i += frameSize {
		places += number(len(packed), 8)
		frame := text[i:min(i+frameSize, len(text))]
		bits := uint64(plainBlock)<<24 | uint64(len(frame)) // the block header follows a bit that says that no calls are translated
		bits <<= 64 - 28
		for n := 48; n >= 32; n -= 16 {
			packed += number(int(bits>>n&0xFFFF), 2)
		}
		if i%(2*frameSize) != 0 { // the compressor was reset before the previous frame
			packed = packed[:len(packed)-4]
			bits = (uint64(plainBlock)<<24 | uint64(len(frame))) << (64 - 27)
			packed += number(int(bits>>48&0xFFFF), 2) + number(int(bits>>32&0xFFFF), 2)
		}
		packed += number(1, 4) + number(1, 4) + number(1, 4) + frame
	}
	control := number(6, 4) + "LZXC" + number(2, 4) + number(2, 4) + number(2, 4) + number(1, 4)
	table := number(2, 4) + number(len(places)/8, 4) + number(8, 4) + number(40, 4) + number(len(text), 8) + number(len(packed), 8) + number(frameSize, 8) + places
	file := extracttest.CHM(controlName, control, tableName, table, packedName, packed, "/page.html", strings.Repeat("x", size))
	at := bytes.Index(file, []byte("/page.html")) + len("/page.html")
	entry := file[at : at+32]
	long := func(n int) []byte { // encodes a number in five bytes
		return []byte{byte(n>>28) | 0x80, byte(n>>21) | 0x80, byte(n>>14) | 0x80, byte(n>>7) | 0x80, byte(n & 0x7F)}
	}
	copy(entry, append(append([]byte{1}, long(start)...), long(size)...))
	chunk := bytes.Index(file, []byte("PMGL"))
	binary.LittleEndian.PutUint32(file[chunk+4:], uint32(chunk+4096-at-11))
	return file
}

func TestPlainBlocks(t *testing.T) {
	var text strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&text, "<p>Line %d</p>", i)
	}
	file := packedHelp(strings.Repeat(" ", 40_001)+text.String(), 40_001, text.Len())
	c, err := Read(file, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || strings.Count(c.Text, "Line ") != 9000 || !strings.HasSuffix(c.Text, "Line 8999\n") || c.ExtractionNote != "" {
		t.Errorf("%d lines, note %q, %v", strings.Count(c.Text, "Line "), c.ExtractionNote, err)
	}
}

func TestDamagedCHM(t *testing.T) {
	whole := canal(t)
	text := strings.Repeat("<p>words</p>", 1000)
	half := packedHelp(strings.Repeat(text, 10), 0, 10*len(text))
	c, err := Read(half[:bytes.Index(half, []byte("<p>words"))+frameSize+100], extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.ExtractionNote.String() != "chapter 1 could not be read completely" || strings.Count(c.Text, "words") < frameSize/len("<p>words</p>") {
		t.Errorf("a half: %d bytes, note %q, %v", len(c.Text), c.ExtractionNote, err)
	}
	flipped := packedHelp(text, 0, len(text))
	at := bytes.Index(flipped, []byte("<p>words"))
	copy(flipped[at-16:], "\x00\x00\x00\x00")
	for _, test := range []struct {
		name   string
		file   []byte
		reason string
	}{
		{"words", []byte("no help"), errDamaged.Error()},
		{"the beginning", whole[:100], errDamaged.Error()},
		{"no files", extracttest.CHM(), extract.ErrNoText.Error()},
		{"no pages", extracttest.CHM("/a.png", "x"), extract.ErrNoText.Error()},
		{"a damaged block", flipped, errDamaged.Error()},
		{"no tables", bytes.Replace(whole, []byte("ControlData"), []byte("ControlDatb"), 1), errDamaged.Error()},
		{"a place beyond the end", packedHelp(text, 1<<30, 100), errDamaged.Error()},
		{"a size beyond the limit", packedHelp(text, 0, 1<<27), extract.ErrTooMuchText.Error()},
		{"too much", extracttest.CHM("/a.html", "<p>"+strings.Repeat("too many words ", extract.MaxTextBytes/15+1)), extract.ErrTooMuchText.Error()},
	} {
		t.Log(test.name)
		_, err := Read(test.file, extract.NoProgress)
		extracttest.WantSkip(t, err, test.reason)
	}
}

// TestUnpackLimit checks that files which share the same compressed bytes are unpacked no further
// than the limit.
func TestUnpackLimit(t *testing.T) {
	text := strings.Repeat("<p>words</p>", 3*frameSize/12)
	a, err := openArchive(packedHelp(text, 0, len(text)))
	if err != nil || a.readCompressionTables() != nil {
		t.Fatal(err)
	}
	last := len(a.entries) - 1
	files := make([]int, 10_000)
	for i := range files {
		files[i] = last
	}
	err = a.readFiles(files, func(int, []byte, bool) {})
	extracttest.WantSkip(t, err, extract.ErrUnpackedTooLarge.Error())
}

func FuzzCHM(f *testing.F) {
	f.Add(canal(f))
	f.Add(extracttest.CHM("/a.html", "<p>One</p>", "/x.hhc", "<object><param name=Local value=a.html></object>"))
	f.Add(packedHelp("<p>words</p>", 0, 12))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

// FuzzLZX decompresses frames of arbitrary bytes.
func FuzzLZX(f *testing.F) {
	a, err := openArchive(canal(f))
	if err != nil || a.readCompressionTables() != nil {
		f.Fatal(err)
	}
	f.Add(a.compressedData)
	f.Fuzz(func(t *testing.T, packed []byte) {
		l := newLZX(positionSlotCount(1 << 16))
		for i := range 3 {
			if err := l.decodeFrame(packed, (i+1)*frameSize); err != nil {
				return
			}
			if n := len(l.out) - (i+1)*frameSize; n < 0 || n > 1<<9 {
				t.Fatalf("%d bytes", len(l.out))
			}
		}
	})
}
