package doc

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/extracttest"
)

func sample(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/notes.doc")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestRead reads what LibreOffice writes.
func TestRead(t *testing.T) {
	c, err := Read(sample(t), extract.Unwatched)
	extracttest.Check(t, c, err)
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

// document97 is a document of text in one piece, with flags in its header.
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

func TestCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"One\rTwo\x0bThree\rFour\x0cFive": "One\n\nTwo\nThree\n\nFour\n\nFive\n",
		"\x13 HYPERLINK \"x\" \x14shown\x15, \x13PAGE\x14 7 \x15\x13 TOC \x14a \x13 REF b \x14c\x15 d\x15\r": "shown, a c d\n",
		"non\x1ebreaking so\x1fft \x93quoted\x94 \x80\x08\x01\r":                                             "non-breaking soft “quoted” €\n",
		"\x15\x14\x13never closed\rNext":                                                                     extract.ErrNoText.Error(),
	} {
		c, err := Read(document97(word97, 0, text), extract.Unwatched)
		extracttest.Check(t, c, err)
		if err != nil {
			c.Text = err.Error()
		}
		if c.Text != want {
			t.Errorf("%q is read as %q, want %q", text, c.Text, want)
		}
	}
}

func TestUnread(t *testing.T) {
	for reason, raw := range map[string][]byte{
		extract.ErrPassword.Error(): document97(word97, isEncrypted, "x"), errOld.Error(): document97(104, 0, "x"),
		errDamaged.Error(): extracttest.CompoundFile("WordDocument", "\xEC\xA5\xC1\x00"+strings.Repeat("\x00", headerSize)),
	} {
		_, err := Read(raw, extract.Unwatched)
		extracttest.WantSkip(t, err, reason)
	}
	_, err := Read([]byte("\xDB\xA5-\x00"), extract.Unwatched)
	extracttest.WantSkip(t, err, errOld.Error())
}

// FuzzRead: whatever the streams hold, a reader keeps what it promises.
func FuzzRead(f *testing.F) {
	file, err := cfb.Open(sample(f))
	if err != nil {
		f.Fatal(err)
	}
	var streams [2][]byte
	for i, name := range []string{"WordDocument", "1Table"} {
		if streams[i], err = file.Root.Stream(name); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(streams[0], streams[1], uint32(0), byte(0))
	f.Add(streams[0][:len(streams[0])/2], streams[1], uint32(atPieces), byte(1))
	f.Fuzz(func(t *testing.T, main, table []byte, at uint32, harm byte) {
		if len(main) > 0 {
			main = bytes.Clone(main)
			main[at%uint32(len(main))] ^= harm
		}
		c, err := Read(extracttest.CompoundFile("WordDocument", string(main), "1Table", string(table)), extract.Unwatched)
		extracttest.Check(t, c, err)
	})
}
