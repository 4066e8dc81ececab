package mail

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/simplifiedchinese"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/extracttest"
	"vademecum/internal/base/message"
)

// An outlookFile is the names and contents of the streams of a message, in turn.
type outlookFile []string

// text adds a text property of an object in the message, or of the message itself if object is "".
func (f outlookFile) text(object string, property int, text string) outlookFile {
	return append(f, fmt.Sprintf("%s__substg1.0_%04X001F", object, property), wide(text))
}

func (f outlookFile) binary(object string, property int, data string) outlookFile {
	return append(f, fmt.Sprintf("%s__substg1.0_%04X0102", object, property), data)
}

// numbers adds the list of the properties of fixed size of an object, after a header of header
// bytes.
func (f outlookFile) numbers(object string, header int, properties map[int]uint64) outlookFile {
	list := make([]byte, header)
	for property, value := range properties {
		kind := uint16(0x0003)
		if value > 1<<32 {
			kind = 0x0040
		}
		list = binary.LittleEndian.AppendUint16(list, kind)
		list = binary.LittleEndian.AppendUint16(list, uint16(property))
		list = binary.LittleEndian.AppendUint32(list, 6)
		list = binary.LittleEndian.AppendUint64(list, value)
	}
	return append(f, object+outlookProperties, string(list))
}

func wide(text string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return string(b)
}

const (
	submitted = 133_550_640_000_000_000 // 2024-03-16 12:00 UTC
	to        = "__recip_version1.0_#00000000/"
	cc        = "__recip_version1.0_#00000001/"
	first     = "__attach_version1.0_#00000000/"
	second    = "__attach_version1.0_#00000001/"
	third     = "__attach_version1.0_#00000002/"
	inner     = third + embeddedStorage + "/"
)

// fullMessage returns a message with everything that is read.
func fullMessage() outlookFile {
	return outlookFile(nil).
		numbers("", rootHeader, map[int]uint64{submittedProperty: submitted}).
		text("", subjectProperty, "Keys 钥匙").text("", bodyProperty, "The key hangs\r\nbehind the oilskin.\r\n\x00").
		text("", senderProperty, "Maren Holt").text("", senderMailAddress, "/O=HARBOUR/CN=MAREN").text("", senderSMTPAddress, "maren@harbour.example").
		text("", displayToProperty, "Jo; Li").text("", displayCcProperty, "Ann").
		numbers(to, innerHeader, map[int]uint64{recipientKind: 1}).text(to, displayNameProperty, "'Jo Lindqvist'").text(to, smtpAddressProperty, "jo@harbour.example").
		numbers(cc, innerHeader, map[int]uint64{recipientKind: 3}).text(cc, displayNameProperty, "Hidden").
		text(first, attachmentLongName, "plan.pdf").text(first, attachmentShortName, "PLAN~1.PDF").binary(first, attachmentData, "%PDF").
		text(second, attachmentLongName, "notes.txt").binary(second, attachmentData, "Allergic to nuts.").
		text(third, displayNameProperty, "Old").numbers(inner, embeddedHeader, nil).
		text(inner, subjectProperty, "Old").text(inner, senderProperty, "Cy").binary(inner, htmlProperty, "<h1>News</h1><p>The first text.</p>")
}

func TestReadOutlook(t *testing.T) {
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("请于星期四上午九点复查")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name              string
		file              outlookFile
		title, note, text string
	}{
		{
			"everything", fullMessage(), "Keys 钥匙", "plan.pdf",
			"# Keys 钥匙\n\nFrom: Maren Holt <maren@harbour.example>\nTo: Jo Lindqvist <jo@harbour.example>\nCc: Ann\nDate: Sat, 16 Mar 2024 12:00:00 +0000\n\nThe key hangs\nbehind the oilskin.\n\n" +
				"Attachments: plan.pdf\n\n## notes.txt\n\nAllergic to nuts.\n\n## Old\n\nFrom: Cy\n\n### News\n\nThe first text.\n",
		},
		{
			"what is only in the header of the way", outlookFile(nil).numbers("", rootHeader, nil).text("", headersProperty, "Received: x\r\nFrom: Ann <ann@example.org>\r\nSubject: =?utf-8?Q?caf=C3=A9?=\r\nDate: Sat, 16 Mar 2024 13:00:00 +0100\r\n").text("", bodyProperty, "Text."),
			"café", "", "# café\n\nFrom: Ann <ann@example.org>\nDate: Sat, 16 Mar 2024 13:00:00 +0100\n\nText.\n",
		},
		{
			"in a code page", outlookFile{"__substg1.0_1000001E", gbk + "\x00", "__substg1.0_0037001E", gbk}.numbers("", rootHeader, map[int]uint64{messageCodePage: 936}),
			"请于星期四上午九点复查", "", "# 请于星期四上午九点复查\n\n请于星期四上午九点复查\n",
		},
		{
			"HTML in a code page, that says more than the text", outlookFile(nil).numbers("", rootHeader, map[int]uint64{htmlCodePage: 936}).text("", bodyProperty, "No HTML?").binary("", htmlProperty, "<p>"+gbk+"</p>"),
			"", "", "# (no subject)\n\nNo HTML?\n\n请于星期四上午九点复查\n",
		},
		{
			"HTML as text", outlookFile(nil).numbers("", rootHeader, nil).text("", htmlProperty, "<p>für</p>"), "", "", "# (no subject)\n\nfür\n",
		},
		{
			"RTF", outlookFile(nil).numbers("", rootHeader, nil).binary("", rtfProperty, packedRTF(t, helloRTF)), "", "", "# (no subject)\n\nhello world\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := ReadOutlook(extracttest.CompoundFile(test.file...), extract.NoProgress)
			if extracttest.CheckContent(t, c, err); err != nil {
				t.Fatal(err)
			}
			noted := message.Join(c.ExtractionNote, message.Message(strings.Join(c.UnreadAttachments, ", "))).String()
			if c.Title != test.title || noted != test.note || c.Text != test.text {
				t.Errorf("title %q, note %q, text\n%s\nwant %q, %q,\n%s", c.Title, noted, c.Text, test.title, test.note, test.text)
			}
		})
	}
}

// Examples of compressed RTF in [MS-OXRTFCP] (4.1.1, 4.1.2).
const (
	helloRTF = "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c090020627705b06c647d0a800fa0"
	crossRTF = "1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0"
)

func packedRTF(t testing.TB, digits string) string {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestDecompressRTF(t *testing.T) {
	plain := packedRTF(t, helloRTF)[:8] + "MELA\x00\x00\x00\x00{\\rtf1 x}"
	for packed, want := range map[string]string{
		packedRTF(t, helloRTF):       "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n",
		packedRTF(t, crossRTF):       "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}",
		plain:                        "{\\rtf1 x}",
		packedRTF(t, helloRTF)[:29]:  "{\\rtf1\\ansi\\ansicpg1252",
		"short":                      "",
		strings.Repeat("unknown", 9): "",
	} {
		if got := string(decompressRTF([]byte(packed))); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	bomb := append(make([]byte, 8), "LZFu\x00\x00\x00\x00"...)
	bomb = append(bomb, slices.Repeat([]byte("\xFF\x00\x0E\x00\x0E\x00\x0E\x00\x0E\x00\x0E\x00\x0E\x00\x0E\x00\x0E"), 1<<18)...)
	if got := decompressRTF(bomb); len(got) > extract.MaxTextBytes+17 || len(got) < extract.MaxTextBytes {
		t.Errorf("%d bytes unpack to %d", len(bomb), len(got))
	}
}

func TestReadOutlookReasons(t *testing.T) {
	deep := outlookFile(nil).numbers("", rootHeader, nil)
	path := ""
	for range maxDepth + 2 {
		path += first + embeddedStorage + "/"
		deep = deep.numbers(path, embeddedHeader, nil)
	}
	many := outlookFile(nil).numbers("", rootHeader, nil)
	for i := range extract.MaxArchiveEntries + 1 {
		many = append(many, fmt.Sprintf("__recip_version1.0_#%08X/a", i), "")
	}
	for reason, file := range map[string]outlookFile{
		errDamaged.Error():                 {"WordDocument", "x"},
		extract.ErrNestedTooDeeply.Error(): deep,
		extract.ErrTooManyFiles.Error():    many,
	} {
		_, err := ReadOutlook(extracttest.CompoundFile(file...), extract.NoProgress)
		extracttest.WantSkip(t, err, reason)
	}
	_, err := ReadOutlook([]byte("From: Ann\n\nText\n"), extract.NoProgress)
	extracttest.WantSkip(t, err, "damaged compound file")
}

func TestCodePageLabel(t *testing.T) {
	for page, want := range map[uint64]string{65001: "utf-8", 936: "cp936", 1251: "windows-1251", 28605: "iso-8859-15", 20866: "koi8-r", 0: "", 12: ""} {
		if got := charset.CodePageLabel(page); got != want {
			t.Errorf("%d is %q, want %q", page, got, want)
		}
	}
}

func FuzzOutlook(f *testing.F) {
	f.Add(extracttest.CompoundFile(fullMessage()...))
	f.Add(extracttest.CompoundFile(outlookFile(nil).numbers("", rootHeader, nil).binary("", rtfProperty, packedRTF(f, helloRTF))...))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadOutlook(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

// oneFormat reads attachments called .pdf as text.
type oneFormat struct{}

func (oneFormat) Reads(name string) bool { return strings.HasSuffix(name, ".pdf") }

func (oneFormat) Read(_ string, raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	return extract.Content{Text: "# Read\n\n" + string(raw) + "\n"}, nil
}

// TestOutlookAttachments checks that documents attached to a message of Outlook are read below their names.
func TestOutlookAttachments(t *testing.T) {
	file := extracttest.CompoundFile(fullMessage()...)
	c, err := OutlookReaderWith(oneFormat{})(file, extract.NoProgress)
	if extracttest.CheckContent(t, c, err); err != nil {
		t.Fatal(err)
	}
	if want := "### News\n\nThe first text.\n\n## plan.pdf\n\n### Read\n\n%PDF\n"; !strings.HasSuffix(c.Text, want) || !strings.Contains(c.Text, "Attachments: plan.pdf\n\n## notes.txt\n") || len(c.UnreadAttachments) > 0 {
		t.Errorf("unread %q, text\n%s", c.UnreadAttachments, c.Text)
	}
}
