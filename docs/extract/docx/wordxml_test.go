package docx

import (
	"encoding/base64"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const prolog = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n" + `<?mso-application progid="Word.Document"?>` + "\n"

// word2003 returns a document of Word 2003 with the given body.
func word2003(body string) string {
	return prolog + `<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><o:DocumentProperties><o:Title>潮汐</o:Title><o:Author>Ann</o:Author></o:DocumentProperties>` +
		`<w:styles><w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style></w:styles><w:body><wx:sect>` + body + `</wx:sect></w:body></w:wordDocument>`
}

// parts returns a document of Word 2007 in a single XML file, given the names and contents of its
// parts in turn.
func parts(namesAndContents ...string) string {
	all := prolog + `<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">`
	for i := 0; i < len(namesAndContents); i += 2 {
		all += `<pkg:part pkg:name="` + namesAndContents[i] + `">` + namesAndContents[i+1] + `</pkg:part>`
	}
	return all + "</pkg:package>"
}

func TestWord2003(t *testing.T) {
	item := func(level, marker, text string) string {
		return para(`<w:listPr><w:ilvl w:val="`+level+`"/><w:ilfo w:val="1"/><wx:t wx:val="`+marker+`"/></w:listPr>`, text)
	}
	annotation := func(kind, text string) string {
		return `<aml:annotation w:type="Word.` + kind + `"><aml:content><w:r><w:t>` + text + `</w:t></w:r></aml:content></aml:annotation>`
	}
	comment := func(id, kind, content string) string {
		return `<aml:annotation aml:id="` + id + `" aml:author="Ann" w:type="Word.` + kind + `"><aml:content>` + content + `</aml:content></aml:annotation>`
	}
	for _, tt := range []struct{ name, body, want string }{
		{"a heading in a sub-section", `<wx:sub-section>` + styled("1", "One") + para("", "Text") + `</wx:sub-section>`, "# One\n\nText\n"},
		{"a table", `<w:tbl>` + cells("a", "b") + `</w:tbl>`, "| a | b |\n| --- | --- |\n"},
		{"lists", item("0", "1.", "one") + item("1", "·", "deeper") + item("0", "二、", "two"), "1. one\n  - deeper\n二、 two\n"},
		{"changes", `<w:p><w:r><w:t>a</w:t></w:r>` + annotation("Deletion", "b") + annotation("Insertion", "c") + `</w:p>` +
			`<aml:annotation w:type="Word.Deletion"><aml:content>` + para("", "gone") + `</aml:content></aml:annotation>`, "ac\n"},
		{"comments", `<w:p>` + comment("1", "Comment.Start", "") + comment("2", "Comment.Start", "") + `<w:r><w:t>a b</w:t></w:r>` + comment("1", "Comment.End", "") +
			`<w:r>` + comment("1", "Comment", para("", "Why?")+para("", "When?")) + `</w:r><w:r><w:t> c</w:t></w:r></w:p>` + comment("2", "Comment.End", "") + para("", "d") + comment("2", "Comment", para("", "No.")),
			"a b c\n\nd\n\nComment of Ann on “a b”: Why? When?\n\nComment of Ann on “a b c”: No.\n"},
		{"a picture", `<w:p><w:r><w:pict><w:binData w:name="wordml://01.png">iVBORw0KGgo=</w:binData></w:pict><w:t>shown</w:t></w:r></w:p>`, "shown\n"},
		{"headers of a section", para(`<w:sectPr><w:hdr>`+para("", "Part")+`</w:hdr></w:sectPr>`, "body"), "body\n\nPart\n"},
		{"headers", para("", "body") + `<w:sectPr><w:hdr w:type="odd">` + para("", "Head") + `</w:hdr><w:ftr>` + para("", "Head") + `</w:ftr><w:ftr>` + para("", "- 1 -") + `</w:ftr></w:sectPr>`, "body\n\nHead\n"},
	} {
		c, err := Read([]byte(word2003(tt.body)), extract.NoProgress)
		if extracttest.CheckContent(t, c, err); c.Text != tt.want || c.Title != "潮汐" {
			t.Errorf("%s: title %q, %v\ngot  %q\nwant %q", tt.name, c.Title, err, c.Text, tt.want)
		}
	}
}

func TestWordParts(t *testing.T) {
	xmlPart := func(content string) string { return "<pkg:xmlData>" + content + "</pkg:xmlData>" }
	object := base64.StdEncoding.EncodeToString([]byte(extracttest.FormulaObject("x=1")))
	raw := parts("/_rels/.rels", xmlPart(docxRels), "/word/empty.xml", "<pkg:xmlData/>",
		"/word/document2.xml", xmlPart(`<w:document><w:body>`+styled("1", "One")+`<w:p><w:r><w:object><o:OLEObject r:id="o"/></w:object></w:r></w:p></w:body></w:document>`),
		"/word/_rels/document2.xml.rels", xmlPart(`<Relationships><Relationship Id="o" Type="x/oleObject" Target="embeddings/a.bin"/><Relationship Id="s" Type="x/styles" Target="styles.xml"/></Relationships>`),
		"/word/styles.xml", xmlPart(docxStyles), "/word/embeddings/a.bin", "<pkg:binaryData>"+object[:70]+"\n"+object[70:]+"</pkg:binaryData>",
		"/docProps/core.xml", xmlPart(`<cp:coreProperties><dc:title>Tides</dc:title></cp:coreProperties>`))
	for what, raw := range map[string]string{"whole": raw, "cut off": raw[:len(raw)-20]} {
		if c, err := Read([]byte(raw), extract.NoProgress); err != nil || c.Text != "# One\n\nx=1\n" || c.Title != "Tides" {
			t.Errorf("%s: %q, title %q, %v", what, c.Text, c.Title, err)
		}
	}
}

func TestWordXMLDamaged(t *testing.T) {
	c, err := Read([]byte(word2003(para("", "kept")+"<w:p <<< ")), extract.NoProgress)
	if err != nil || c.Text != "kept\n" || c.ExtractionNote == "" {
		t.Errorf("%q, %q, %v", c.Text, c.ExtractionNote, err)
	}
	for raw, want := range map[string]error{
		"<html>": errNoDocument, word2003(""): extract.ErrNoText, word2003(`<w:p><w:r><w:pict><w:binData w:name="wordml://01.png">iVBORw0KGgo=</w:binData></w:pict></w:r></w:p>`): extract.ErrOnlyPictures, word2003(strings.Repeat("<w:tbl><w:tr><w:tc>", 1000)): extract.ErrNestedTooDeeply, parts(): extract.Skip("a part is missing"),
	} {
		_, err := Read([]byte(raw), extract.NoProgress)
		extracttest.WantSkip(t, err, want.Error())
	}
}

func TestIsXML(t *testing.T) {
	for start, want := range map[string]bool{
		word2003(""): true, parts(): true, "<w:wordDocument>": true, strings.Replace(parts(), "Word.Document", "PowerPoint.Show", 1): false,
		"<package>": false, "<html>": false, "": false,
	} {
		if IsWordXML([]byte(start)) != want {
			t.Errorf("%.100q: %v", start, !want)
		}
	}
}

func FuzzWordXML(f *testing.F) {
	f.Add(word2003(styled("1", "One") + `<aml:annotation w:type="Word.Deletion"/><w:sectPr><w:hdr><w:p/></w:hdr></w:sectPr>`))
	f.Add(parts("/word/document.xml", "<pkg:xmlData><w:p><w:r><w:t>a</w:t></w:r></w:p></pkg:xmlData>", "/a.bin", "<pkg:binaryData>AAAA</pkg:binaryData>"))
	f.Fuzz(func(t *testing.T, raw string) {
		c, err := Read([]byte(raw), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
