package enex

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const (
	start = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">` + "\n" +
		`<en-export export-date="20260719T000000Z" application="Evernote" version="10">`
	end = "</en-export>\n"
)

// noteOf returns a note with that text in ENML, and other elements after it.
func noteOf(title, enml, others string) string {
	return "<note><title>" + title + `</title><content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>` +
		`<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>` + enml + "</en-note>]]></content>" + others + "</note>\n"
}

var tests = []struct{ name, export, title, note, text string }{
	{
		name: "two notes",
		export: noteOf("Oars &amp; rudders", "<div>Varnish <b>twice</b>.</div><div><br/></div><div>Then wait.</div>",
			"<created>20240305T172000Z</created><updated>20240306T080910Z</updated><tag>boat</tag><tag>春 天</tag><note-attributes><author>Jo</author><source-url>https://example.org/oars</source-url></note-attributes>") +
			noteOf("", "<h1>清单</h1><div>雨衣</div>", "<created>20240305T172000Z</created><updated>20240305T172000Z</updated>"),
		text: "## Oars & rudders\n\nCreated: 2024-03-05 17:20 UTC\nUpdated: 2024-03-06 08:09 UTC\nTags: boat, 春 天\nAuthor: Jo\nSource: https://example.org/oars\n\nVarnish twice.\n\nThen wait.\n\n" +
			"## (no title)\n\nCreated: 2024-03-05 17:20 UTC\n\n### 清单\n\n雨衣\n",
	},
	{
		name: "one note with boxes, secrets and files",
		export: noteOf("Trip", `<div><en-todo checked="true"/>tent</div><div><en-todo/>rope &lt;10 m&gt;</div><div>PIN: <en-crypt cipher="AES">U2VjcmV0</en-crypt></div><en-media type="image/jpeg" hash="abc"/>`,
			`<resource><data encoding="base64">`+strings.Repeat("QUJD", 30)+`</data><mime>image/jpeg</mime><recognition><![CDATA[<recoIndex><item><t w="9">TENT</t></item></recoIndex>]]></recognition>`+
				`<resource-attributes><file-name>map.jpg</file-name></resource-attributes></resource>`+
				`<task><title>Book the hut</title><taskStatus>open</taskStatus></task>`),
		title: "Trip",
		text:  "# Trip\n\n[x] tent\n\n[ ] rope <10 m>\n\nPIN: (encrypted)\n\n- Book the hut\n\nAttachments: map.jpg\n",
	},
	{
		name:   "escaped in place of CDATA, a time that is none",
		export: "<note><title>T</title><content>&lt;en-note&gt;&lt;div/&gt;&lt;p&gt;Text.&lt;/p&gt;&lt;/en-note&gt;</content><created>yesterday</created></note>",
		title:  "T",
		text:   "# T\n\nCreated: yesterday\n\nText.\n",
	},
	{
		name:   "a damaged note takes no other",
		export: noteOf("One", "<div>First.</div>", "") + "<note><title>Two</title><content><![CDATA[<en-note>cut" + noteOf("Three", "<div>Third.</div>", "") + "<note><title>Fo",
		note:   "2 notes could not be read completely",
		text:   "## One\n\nFirst.\n\n## Two\n\n## Three\n\nThird.\n\n## Fo\n",
	},
}

func TestRead(t *testing.T) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := Read([]byte(start+test.export+end), extract.Unwatched)
			if extracttest.Check(t, c, err); err != nil {
				t.Fatal(err)
			}
			if c.Title != test.title || c.Note != test.note {
				t.Errorf("title %q, note %q; want %q, %q", c.Title, c.Note, test.title, test.note)
			}
			if c.Text != test.text {
				t.Errorf("text\n%s\nwant\n%s", c.Text, test.text)
			}
		})
	}
}

func TestReadUTF16(t *testing.T) {
	raw := []byte("\xFF\xFE")
	for _, b := range []byte(start + noteOf("Wide", "<div>Text.</div>", "") + end) {
		raw = append(raw, b, 0)
	}
	c, err := Read(raw, extract.Unwatched)
	if err != nil || c.Text != "# Wide\n\nText.\n" {
		t.Errorf("got %q, %v", c.Text, err)
	}
}

// TestHostile: what is too large, too deep or too many costs a note, and the
// data of files nothing.
func TestHostile(t *testing.T) {
	deep := noteOf("Deep", "", strings.Repeat("<note-attributes>", extract.MaxDepth+1))
	large := noteOf("Large", "", "<resource><data encoding=\"base64\">"+strings.Repeat("QUJD", 3<<20)+"</data></resource>")
	noData := noteOf("No data", "", strings.Repeat("<data", 1<<20))
	bomb := noteOf("&a;", `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><div>&b;</div>`, "")
	c, err := Read([]byte(start+deep+large+noData+bomb+noteOf("Last", "<div>Text.</div>", "")+end), extract.Unwatched)
	extracttest.Check(t, c, err)
	if want := "2 notes could not be read completely"; err != nil || c.Note != want {
		t.Errorf("note %q, %v; want %q", c.Note, err, want)
	}
	if want := "## Deep\n\n## Large\n\n## No data\n\n## &a;\n\n&b;\n\n## Last\n\nText.\n"; strings.ReplaceAll(c.Text, "]>\n\n", "") != want {
		t.Errorf("text %q, want %q", c.Text, want)
	}
	c, err = Read([]byte(start+strings.Repeat("<note></note>", extract.MaxEntries+5)), extract.Unwatched)
	if want := "5 notes after the first 20000 are not read"; err != nil || c.Note != want {
		t.Errorf("note %q, %v; want %q", c.Note, err, want)
	}
	_, err = Read([]byte(start+end), extract.Unwatched)
	extracttest.WantSkip(t, err, errDamaged.Reason)
}

func TestIsExport(t *testing.T) {
	for text, want := range map[string]bool{start: true, "<note>": false, "About <en-export>": false} {
		if got := IsExport([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, test := range tests {
		f.Add([]byte(start + test.export + end))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.Unwatched)
		extracttest.Check(t, c, err)
	})
}
