package archive

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func open(t *testing.T, raw []byte) *Archive {
	t.Helper()
	a, err := OpenZip(raw)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *Archive) names() string {
	var all []string
	for _, m := range a.Members {
		all = append(all, m.Name)
	}
	return strings.Join(all, " | ")
}

func TestNames(t *testing.T) {
	raw := extracttest.Zip(t, "b.txt", "", "folder/", "", "folder/a.txt", "", "../up.txt", "", "/etc/root.txt", "", `win\dows.txt`, "", "b.txt", "", "b.txt", "", "b (2).txt", "",
		"__MACOSX/._b.txt", "", ".hidden/a.txt", "", "x/../../../y.txt", "", `C:\z.txt`, "", "..", "")
	want := "C:/z.txt | b (2).txt | b.txt | b (3).txt | b (4).txt | etc/root.txt | folder/a.txt | up.txt | win/dows.txt | y.txt"
	if got := open(t, raw).names(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestNamesInOtherEncodings checks that names in undeclared encodings are decoded.
func TestNamesInOtherEncodings(t *testing.T) {
	for _, tt := range []struct {
		what     string
		encoding encoding.Encoding
		names    []string
	}{
		{"GBK", simplifiedchinese.GBK, []string{"会议记录/二〇二四年三月.docx", "会议记录/预算表.xlsx", "说明.txt"}},
		{"one short name in GBK", simplifiedchinese.GBK, []string{"课程大纲.txt"}},
		{"Shift-JIS, in which a byte may be that of a backslash", japanese.ShiftJIS, []string{"予定表.txt", "議事録/ソース一覧.txt"}},
		{"code page 437", charmap.CodePage437, []string{"Größe.txt", "résumé.txt"}},
		{"code page 866", charmap.CodePage866, []string{"Протокол собрания.txt", "Отчёт за март.txt"}},
		{"UTF-8 without the flag", encoding.Nop, []string{"说明.txt", "Größe.txt"}},
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range tt.names {
			raw, err := tt.encoding.NewEncoder().String(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := z.CreateHeader(&zip.FileHeader{Name: raw, NonUTF8: true}); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		a := open(t, b.Bytes())
		for _, name := range tt.names {
			if !strings.Contains(" | "+a.names()+" | ", " | "+name+" | ") {
				t.Errorf("%s: %q is not in %q", tt.what, name, a.names())
			}
		}
	}
}

func TestRead(t *testing.T) {
	long := strings.Repeat("a line of words, no bomb\n", 1<<12)
	a := open(t, extracttest.Zip(t, "a.txt", "words", "b.txt", long))
	for i, want := range []string{"words", long} {
		if got, err := a.Read(&a.Members[i]); string(got) != want || err != nil {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
}

// TestBombs checks that members which unpack to much more than their size are not unpacked,
// whatever size they declare.
func TestBombs(t *testing.T) {
	const size = 8 << 20
	packed := deflated(t, make([]byte, size))
	for _, tt := range []struct {
		what, want string
		header     zip.FileHeader
	}{
		{"honest", errRatio.Error(), zip.FileHeader{UncompressedSize64: size}},
		{"lying", extract.ErrDamagedZip.Error(), zip.FileHeader{UncompressedSize64: 5}},
		{"too large", extract.ErrTooLarge.Error(), zip.FileHeader{UncompressedSize64: extract.MaxFileBytes + 1}},
		{"encrypted", extract.ErrPasswordProtected.Error(), zip.FileHeader{UncompressedSize64: 5, Flags: 1}},
		{"a name of a megabyte", errNameTooLong.Error(), zip.FileHeader{Name: strings.Repeat("n", 60_000), UncompressedSize64: 5}},
	} {
		h := tt.header
		h.Method, h.CompressedSize64, h.CRC32 = zip.Deflate, uint64(len(packed)), crc32.ChecksumIEEE(make([]byte, size))
		if h.Name == "" {
			h.Name = "a.txt"
		}
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateRaw(&h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(packed); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		a := open(t, b.Bytes())
		_, err = a.Read(&a.Members[0])
		t.Log(tt.what)
		extracttest.WantSkip(t, err, tt.want)
	}
}

// TestTotal checks that all members together unpack to no more than the limit.
func TestTotal(t *testing.T) {
	const size = 40 << 20
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(i*i>>7) ^ byte(i)
	}
	var all []string
	for i := range 8 {
		all = append(all, fmt.Sprint(i), strings.Repeat(string(noise), size>>20))
	}
	a := open(t, extracttest.Zip(t, all...))
	total := 0
	for i := range a.Members {
		content, err := a.Read(&a.Members[i])
		if total += len(content); err != nil {
			extracttest.WantSkip(t, err, errUnpacksTooMuch.Error())
		}
	}
	if total > extract.MaxUnpackedBytes || total < size {
		t.Errorf("%d bytes", total)
	}
}

func deflated(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnreadable(t *testing.T) {
	var many []string
	for i := range extract.MaxArchiveEntries + 1 {
		many = append(many, fmt.Sprint(i), "")
	}
	_, err := OpenZip(extracttest.Zip(t, many...))
	extracttest.WantSkip(t, err, extract.ErrTooManyFiles.Error())
	_, err = OpenZip([]byte("PK\x03\x04"))
	extracttest.WantSkip(t, err, extract.ErrDamagedZip.Error())
	damaged := extracttest.Zip(t, "a.txt", "words words words")
	damaged[40] ^= 0xFF
	a := open(t, damaged)
	_, err = a.Read(&a.Members[0])
	extracttest.WantSkip(t, err, extract.ErrDamagedZip.Error())
}

func FuzzOpen(f *testing.F) {
	f.Add(extracttest.Zip(f, "a.txt", "words", "b/c.md", "more"))
	f.Add(extracttest.Zip(f, "a-Part-1.zip", string(extracttest.Zip(f, "a 0123456789abcdef0123456789abcdef_all.csv", "words"))))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := OpenZip(raw)
		if err != nil {
			return
		}
		names := make(map[string]bool)
		for i := range a.Members {
			m := &a.Members[i]
			if names[m.Name] || strings.HasPrefix(m.Name, "/") || strings.HasPrefix(m.Name, "../") {
				t.Errorf("name %q", m.Name)
			}
			names[m.Name] = true
			_, _ = a.Read(m)
		}
	})
}
