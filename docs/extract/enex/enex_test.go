package enex

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/internal/base/message"
)

const (
	start = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">` + "\n" +
		`<en-export export-date="20260719T000000Z" application="Evernote" version="10">`
	end = "</en-export>\n"
)

// noteOf returns a note with a text in ENML, and other elements after it.
func noteOf(title, enml, others string) string {
	return "<note><title>" + title + `</title><content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>` +
		`<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>` + enml + "</en-note>]]></content>" + others + "</note>\n"
}

var tests = []struct{ name, export, title, note, text string }{
	{
		name: "two notes",
		export: noteOf("Oars &amp; rudders", "<div>Varnish <b>twice</b>.</div><div><br/></div><div>Then wait.</div>",
			"<created>20240305T172000Z</created><updated>20240306T080910Z</updated><tag>boat</tag><tag>春 天</tag><note-attributes><author>Jo</author><source-url>https://example.org/oars?utm=1</source-url></note-attributes>") +
			noteOf("", "<h1>清单</h1><div>雨衣</div>", "<created>20240305T172000Z</created><updated>20240305T172000Z</updated>"),
		text: "## Oars & rudders\n\nCreated: 2024-03-05 17:20 UTC\nUpdated: 2024-03-06 08:09 UTC\nTags: boat, 春 天\nAuthor: Jo\nSource: https://example.org/oars\n\nVarnish twice.\n\nThen wait.\n\n" +
			"## (no title)\n\nCreated: 2024-03-05 17:20 UTC\n\n### 清单\n\n雨衣\n",
	},
	{
		name: "one note with boxes, secrets and files",
		export: noteOf("Trip", `<div><en-todo checked="true"/>tent</div><div><en-todo/>rope &lt;10 m&gt;</div><div>PIN: <en-crypt cipher="AES">U2VjcmV0</en-crypt></div><en-media type="image/jpeg" hash="abc"/>`,
			`<resource><data encoding="base64">`+strings.Repeat("QUJD", 30)+`</data><mime>image/jpeg</mime><recognition><![CDATA[<recoIndex><item><t w="9">TENT</t></item></recoIndex>]]></recognition>`+
				`<resource-attributes><file-name>map.jpg</file-name></resource-attributes></resource>`+
				`<resource><resource-attributes><file-name>hut.pdf</file-name></resource-attributes></resource>`+
				`<task><title>Book the hut</title><created>20240305T172000Z</created><taskStatus>open</taskStatus><dueDate>20240401T100000Z</dueDate></task>`+
				`<task><title>Tent</title><taskStatus>completed</taskStatus></task>`),
		title: "Trip",
		note:  "map.jpg, hut.pdf",
		text:  "# Trip\n\n[x] tent\n\n[ ] rope <10 m>\n\nPIN: (encrypted)\n\n- [ ] Book the hut, due 2024-04-01 10:00 UTC\n- [x] Tent\n\nAttachments: map.jpg, hut.pdf\n",
	},
	{
		name: "newer boxes, code, a place for tasks, addresses of files",
		export: noteOf("New", `<ul style="--en-todo:true;"><li style="--en-checked:true;"><div>done</div></li><li style="--en-checked:false;"><div>open</div></li></ul>`+
			`<div style="x;-en-codeblock:true;"><div># a comment</div><div><br/></div><div><div>if a &lt; b:<br/></div></div><div>&nbsp; pass</div></div><div>After.</div>`+
			`<div style="--en-task-group:true; --en-id:1"><div>Content not supported</div></div>`,
			`<resource><resource-attributes><source-url>https://example.org/a.jpg</source-url></resource-attributes></resource><note-attributes><source-url>en-cache://x</source-url></note-attributes>`),
		title: "New",
		text:  "# New\n\n- [x] done\n- [ ] open\n\n```\n# a comment\n\nif a < b:\n\u00a0 pass\n```\n\nAfter.\n",
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
			c, err := Read([]byte(start+test.export+end), extract.NoProgress)
			if extracttest.CheckContent(t, c, err); err != nil {
				t.Fatal(err)
			}
			noted := message.Join(c.ExtractionNote, message.Message(strings.Join(c.UnreadAttachments, ", "))).String()
			if c.Title != test.title || noted != test.note {
				t.Errorf("title %q, note %q; want %q, %q", c.Title, noted, test.title, test.note)
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
	c, err := Read(raw, extract.NoProgress)
	if err != nil || c.Text != "# Wide\n\nText.\n" {
		t.Errorf("got %q, %v", c.Text, err)
	}
}

// TestHostile checks that notes which are too large, too deeply nested or too many affect no
// others, and that the data of attached files costs nothing.
func TestHostile(t *testing.T) {
	deep := noteOf("Deep", "", strings.Repeat("<note-attributes>", extract.MaxNestingDepth+1))
	large := noteOf("Large", "", "<resource><data encoding=\"base64\">"+strings.Repeat("QUJD", 3<<20)+"</data></resource>")
	noData := noteOf("No data", "", strings.Repeat("<data", 1<<20))
	bomb := noteOf("&a;", `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><div>&b;</div>`, "")
	c, err := Read([]byte(start+deep+large+noData+bomb+noteOf("Last", "<div>Text.</div>", "")+end), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "2 notes could not be read completely"; err != nil || c.ExtractionNote.String() != want {
		t.Errorf("note %q, %v; want %q", c.ExtractionNote, err, want)
	}
	if want := "## Deep\n\n## Large\n\n## No data\n\n## &a;\n\n&b;\n\n## Last\n\nText.\n"; strings.ReplaceAll(c.Text, "]>\n\n", "") != want {
		t.Errorf("text %q, want %q", c.Text, want)
	}
	c, err = Read([]byte(start+strings.Repeat("<note></note>", extract.MaxArchiveEntries+5)), extract.NoProgress)
	if want := "5 notes after the first 20000 are not read"; err != nil || c.ExtractionNote.String() != want {
		t.Errorf("note %q, %v; want %q", c.ExtractionNote, err, want)
	}
	_, err = Read([]byte(start+end), extract.NoProgress)
	extracttest.WantSkip(t, err, errDamaged.Error())
}

func TestIsExport(t *testing.T) {
	for text, want := range map[string]bool{start: true, "<note>": false, "About <en-export>": false} {
		if got := IsExport([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestReplaceDivs(t *testing.T) {
	for in, want := range map[string]string{
		"<div>a</div>":                          "<div>a</div>",
		"a<div style='S'>b<div>c</div>d</div>e": "a(b<div>c</div>d)e",
		"<div S>a<div/>b</div><div S>c</div>":   "(a<div/>b)(c)",
		"a<div S>b<div>":                        "a(b<div>)",
		"</div>a<div S></div></div>b":           "</div>a()</div>b",
		"<div S>a<div S>b</div>c</div><div>d":   "(a<div S>b</div>c)<div>d",
	} {
		if got := replaceDivs(in, "S", func(content string) string { return "(" + content + ")" }); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, test := range tests {
		f.Add([]byte(start + test.export + end))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
