package docx

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/extract/markdown"
)

const (
	docxRels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="/word/document2.xml"/></Relationships>`
	docxLinks = `<Relationships>` +
		`<Relationship Id="s" Type="http://x/styles" Target="styles.xml"/><Relationship Id="n" Type="http://x/numbering" Target="numbering.xml"/>` +
		`<Relationship Id="f" Type="http://x/footnotes" Target="footnotes.xml"/><Relationship Id="e" Type="http://x/endnotes" Target="endnotes.xml"/>` +
		`<Relationship Id="c" Type="http://x/comments" Target="comments.xml"/><Relationship Id="h1" Type="http://x/header" Target="header1.xml"/>` +
		`<Relationship Id="h2" Type="http://x/header" Target="header2.xml"/><Relationship Id="h3" Type="http://x/footer" Target="footer1.xml"/>` +
		`<Relationship Id="ch" Type="http://x/chart" Target="charts/chart1.xml"/><Relationship Id="x" Type="http://x/hyperlink" Target="http://example.org" TargetMode="External"/></Relationships>`
	docxStyles = `<w:styles><w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="1"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="TOC"><w:name w:val="TOC Heading"/><w:basedOn w:val="1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:customStyle="1" w:styleId="ChT"><w:name w:val="ChapterTitle"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="HA"><w:name w:val="HeadA"/></w:style><w:style w:type="paragraph" w:styleId="HB"><w:name w:val="Head B"/><w:basedOn w:val="HA"/></w:style>` +
		`<w:style w:type="character" w:styleId="Cite"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Gone"><w:rPr><w:dstrike/></w:rPr></w:style><w:style w:type="character" w:styleId="GoneText"><w:rPr><w:strike/></w:rPr></w:style>` +
		`<w:style w:type="character" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Hidden"><w:rPr><w:vanish/></w:rPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Answer"><w:basedOn w:val="Hidden"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="H1"/></w:style><w:style w:type="paragraph" w:styleId="BH"><w:name w:val="B-head"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Lead"><w:name w:val="Header"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="Überschrift 2"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Art"><w:name w:val="Article"/><w:pPr><w:outlineLvl w:val="2"/><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr></w:style></w:styles>`
	docxNumbering = `<w:numbering>` +
		`<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>` +
		`<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum>` +
		`<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="·"/></w:lvl></w:abstractNum>` +
		`<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="chineseCountingThousand"/><w:lvlText w:val="第%1条"/><w:pStyle w:val="Art"/></w:lvl></w:abstractNum>` +
		`<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>` +
		`<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>` +
		`<w:abstractNum w:abstractNumId="990"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val=" "/></w:lvl></w:abstractNum>` +
		`<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="1000"><w:abstractNumId w:val="990"/></w:num></w:numbering>`
)

// docxOf returns a document with the given body and further parts, given as alternating names and
// contents.
func docxOf(t testing.TB, body string, parts ...string) []byte {
	t.Helper()
	files := []string{
		"_rels/.rels", docxRels, "word/_rels/document2.xml.rels", docxLinks,
		"word/styles.xml", docxStyles, "word/numbering.xml", docxNumbering,
		"word/document2.xml", `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="x"><w:body>` + body + `</w:body></w:document>`,
	}
	return extracttest.Zip(t, append(files, parts...)...)
}

// para returns a paragraph with properties.
func para(properties, text string) string {
	return `<w:p><w:pPr>` + properties + `</w:pPr><w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
}

func styled(style, text string) string { return para(`<w:pStyle w:val="`+style+`"/>`, text) }

func numbered(id, level int, text string) string {
	return para(fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>`, level, id), text)
}

func cells(texts ...string) string {
	s := "<w:tr>"
	for _, t := range texts {
		s += `<w:tc><w:tcPr/>` + para("", t) + `</w:tc>`
	}
	return s + "</w:tr>"
}

func TestDOCX(t *testing.T) {
	box := `<w:txbxContent>` + para("", "In the box") + `</w:txbxContent>`
	for _, test := range []struct{ name, body, want string }{
		{"headings", styled("1", "One") + styled("Mine", "Two") + styled("berschrift2", "Three") + styled("TOC", "Contents") + styled("Heading3", "Text") +
			para(`<w:outlineLvl w:val="3"/>`, "Four") + styled("Loop", "Loop"),
			"# One\n\n# Two\n\n## Three\n\nContents\n\n### Text\n\n#### Four\n\nLoop\n"},
		{"headings of a publisher", styled("ChT", "Salt") + styled("HA", "Kinds") + styled("HB", "Sea") + styled("H1", "One") + styled("BH", "Two") + styled("Lead", "Text"),
			"# Salt\n\n## Kinds\n\n### Sea\n\n# One\n\n### Two\n\nText\n"},
		{"title", styled("Title", "My book") + para("", "Text"), "# My book\n\nText\n"},
		{"lists", numbered(1, 0, "a") + numbered(1, 0, "b") + numbered(1, 1, "c") + numbered(1, 1, "d") + numbered(1, 0, "e") + numbered(1, 1, "f") +
			numbered(3, 0, "again") + numbered(2, 0, "point") + numbered(0, 0, "none"),
			"3. a\n4. b\n  4.a) c\n  4.b) d\n5. e\n  5.a) f\n1. again\n- point\n\nnone\n"},
		{"numbered headings", styled("Art", "总则") + styled("Art", "附则"), "### 第一条 总则\n\n### 第二条 附则\n"},
		{"table", "<w:tbl>" + cells("a", "b") + cells("c | d", "e") + "</w:tbl>", "| a | b |\n| --- | --- |\n| c \\| d | e |\n"},
		{"merged", `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>` + para("", "wide") + "</w:tc></w:tr>" + cells("a", "b") + "</w:tbl>",
			"| wide |  |\n| --- | --- |\n| a | b |\n"},
		{"cells merged over rows", `<w:tbl>` + cells("Ward", "Room") + strings.ReplaceAll(cells("A", "1"), "<w:tc><w:p><w:r><w:t>A", `<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>A`) +
			`<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc>` + para("", "2") + `</w:tc></w:tr>` + `<w:tr><w:tc><w:tcPr><w:vMerge w:val="continue"/></w:tcPr><w:p/></w:tc><w:tc>` + para("", "3") + `</w:tc></w:tr>` + `<w:tr><w:tc><w:p/></w:tc><w:tc>` + para("", "4") + `</w:tc></w:tr></w:tbl>`,
			"| Ward | Room |\n| --- | --- |\n| A | 1 |\n| A | 2 |\n| A | 3 |\n|  | 4 |\n"},
		{"deleted row", `<w:tbl>` + cells("a", "b") + `<w:tr><w:trPr><w:del/></w:trPr><w:tc>` + para("", "gone") + `</w:tc></w:tr>` + cells("c", "d") + `</w:tbl>`,
			"| a | b |\n| --- | --- |\n| c | d |\n"},
		{"single cell", "<w:tbl><w:tr><w:tc>" + para("", "one") + styled("1", "two") + "</w:tc></w:tr></w:tbl>", "one\n\n# two\n"},
		{"nested table", "<w:tbl><w:tr><w:tc>" + para("", "before") + "<w:tbl>" + cells("a", "b") + "</w:tbl></w:tc><w:tc>" + para("", "after") + "</w:tc></w:tr></w:tbl>",
			"before\n\n| a | b |\n| --- | --- |\n\nafter\n"},
		{"runs", `<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t>` +
			`<w:sym w:font="Symbol" w:char="F0B3"/><w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr><w:t>&#xF0FC;</w:t></w:r></w:p>`, "a\tb\nc-de≥✓\n"},
		{"tab stops", `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs><w:pPrChange><w:pPr><w:pStyle w:val="1"/></w:pPr></w:pPrChange></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`, "x\n"},
		{"changes", `<w:p><w:r><w:t>a</w:t></w:r><w:ins><w:r><w:t>b</w:t></w:r></w:ins><w:del><w:r><w:delText>c</w:delText><w:t>c</w:t></w:r></w:del>` +
			`<w:moveFrom><w:r><w:t>d</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>e</w:t></w:r></w:moveTo></w:p>`, "abe\n"},
		{"fields", `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "x"</w:instrText><w:t>not this</w:t><w:fldChar w:fldCharType="separate"/>` +
			`<w:t>result</w:t><w:fldChar w:fldCharType="end"/></w:r><w:fldSimple w:instr=" PAGE "><w:r><w:t>7</w:t></w:r></w:fldSimple>` +
			`<w:fldSimple w:instr="DATE"><w:r><w:t> today</w:t></w:r></w:fldSimple></w:p>`, "result today\n"},
		{"field without an end", `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>X</w:instrText></w:r></w:p>` + para("", "still here"), "still here\n"},
		{"links and content controls", `<w:sdt><w:sdtPr><w:t>no</w:t></w:sdtPr><w:sdtContent><w:p><w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink>` +
			`<w:smartTag><w:r><w:t> tag</w:t></w:r></w:smartTag></w:p></w:sdtContent></w:sdt>`, "link tag\n"},
		{"text box once", `<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:docPr descr="A picture"/><wps:txbx>` + box + `</wps:txbx></w:drawing></mc:Choice>` +
			`<mc:Fallback><w:pict><v:textbox>` + box + `</v:textbox></w:pict></mc:Fallback></mc:AlternateContent><w:t>Body</w:t></w:r></w:p>`, "Body\n\nA picture\n\nIn the box\n"},
		{"text box in the fallback", `<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing/></mc:Choice><mc:Fallback>` + box + `</mc:Fallback></mc:AlternateContent></w:r></w:p>`, "In the box\n"},
		{"formula", `<w:p><m:oMath><m:r><m:t>x=</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r></m:den></m:f>` +
			`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:sSup><m:e><m:r><m:t>y</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:e></m:d>` +
			`<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i</m:t></m:r></m:sub><m:e><m:r><m:t>z</m:t></m:r></m:e></m:nary></m:oMath></w:p>`,
			"x=(a+b)/c[y^2]∑_i z\n"},
		{"roots and means", `<w:p><m:oMath><m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e><m:r><m:t>a+b</m:t></m:r></m:e></m:rad><m:r><m:t>=</m:t></m:r>` +
			`<m:rad><m:deg><m:r><m:t>3</m:t></m:r></m:deg><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad><m:r><m:t>,</m:t></m:r><m:bar><m:barPr><m:pos m:val="top"/></m:barPr><m:e><m:r><m:t>y</m:t></m:r></m:e></m:bar>` +
			`<m:r><m:t>,4.5×</m:t></m:r><m:sSup><m:e><m:r><m:t>10</m:t></m:r></m:e><m:sup><m:r><m:t>9</m:t></m:r></m:sup></m:sSup><m:r><m:t>/L</m:t></m:r>` +
			`<m:acc><m:accPr><m:chr m:val="‾"/></m:accPr><m:e><m:r><m:t>z</m:t></m:r></m:e></m:acc><m:func><m:fName><m:r><m:t>sin</m:t></m:r></m:fName><m:e><m:r><m:t>t</m:t></m:r></m:e></m:func>` +
			`<m:d><m:e><m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num><m:r><m:t>n</m:t></m:r></m:num><m:den><m:r><m:t>k</m:t></m:r></m:den></m:f></m:e></m:d></m:oMath></w:p>`,
			"√(a+b)=^3√x,y\u0304,4.5×10⁹/Lz\u0304sin t(n; k)\n"},
		{"fields of a form", `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="a"/><w:checkBox><w:sizeAuto/><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>` +
			`<w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t xml:space="preserve"> Latex, </w:t></w:r>` +
			`<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t> Nuts: </w:t></w:r>` +
			`<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="mild"/><w:listEntry w:val="severe"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
			"☑ Latex, ☐ Nuts: severe\n"},
		{"a second paragraph of an item, to which Pandoc 2.17 gives a blank for a bullet", numbered(2, 0, "a") + numbered(1000, 0, "more of a") + numbered(2, 0, "b"), "- a\n\nmore of a\n\n- b\n"},
		{"ticks of content controls", `<w:p><w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/><w14:checkedState w14:val="2612"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☒</w:t></w:r></w:sdtContent></w:sdt><w:r><w:t> Latex</w:t></w:r></w:p>` +
			`<w:tbl><w:tr><w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox></w:sdtPr><w:sdtContent><w:tc><w:p><w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r></w:p></w:tc></w:sdtContent></w:sdt><w:tc><w:p><w:r><w:t>Nuts</w:t></w:r></w:p></w:tc></w:tr></w:tbl>` +
			`<w:sdt><w:sdtPr><w14:checkbox/></w:sdtPr><w:sdtContent/></w:sdt><w:p><w:r><w:t>end</w:t></w:r></w:p>`, "☑ Latex\n\n| ☐ | Nuts |\n| --- | --- |\n\nend\n"},
		{"ruby", `<w:p><w:ruby><w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:p>`, "漢字\n"},
		{"marks of notes", `<w:p><w:r><w:t>word</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Cite"/></w:rPr><w:t>12, 13</w:t></w:r></w:p>`, "word¹², ¹³\n"},
		{"struck out", `<w:p><w:r><w:rPr><w:strike/></w:rPr><w:t>5</w:t></w:r><w:r><w:rPr><w:dstrike/></w:rPr><w:t> mg</w:t></w:r><w:r><w:t>10 mg, colo</w:t></w:r>` +
			`<w:r><w:rPr><w:strike/></w:rPr><w:t>u</w:t></w:r><w:r><w:t>r, </w:t></w:r><w:r><w:rPr><w:strike w:val="0"/></w:rPr><w:t>5</w:t></w:r><w:r><w:t>mg</w:t></w:r></w:p>`, "~~5 mg~~ 10 mg, colour, 5mg\n"},
		{"struck out by a style, in cells and over marks of notes", styled("Gone", "Old") + `<w:tbl>` + cells("a", "b") + `<w:tr><w:tc>` + styled("Gone", "5 | 6") + `</w:tc><w:tc>` + para("", "c") + `</w:tc></w:tr></w:tbl>` +
			`<w:p><w:r><w:rPr><w:rStyle w:val="GoneText"/></w:rPr><w:t>x</w:t><w:br/><w:t>y</w:t></w:r><w:m><w:oMath><w:r><w:t>=1</w:t></w:r></w:oMath></w:m></w:p>` +
			`<w:p><w:pPr><w:pStyle w:val="Gone"/></w:pPr><w:r><w:rPr><w:rStyle w:val="GoneText"/></w:rPr><w:t>both</w:t></w:r><w:r><w:rPr><w:strike w:val="false"/></w:rPr><w:t> own</w:t></w:r></w:p>`,
			"~~Old~~\n\n| a | b |\n| --- | --- |\n| ~~5 \\| 6~~ | c |\n\n~~x\ny~~=1\n\nboth own\n"},
		{"hidden", `<w:p><w:r><w:t>Give</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t> not</w:t><w:tab/><w:drawing><wp:docPr descr="secret"/></w:drawing></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t> 5 mg</w:t></w:r>` +
			`<w:r><w:rPr><w:rStyle w:val="Secret"/></w:rPr><w:t> x</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Secret"/><w:vanish w:val="0"/></w:rPr><w:t>, shown</w:t></w:r>` +
			`<w:r><w:rPr><w:vanish/></w:rPr><w:fldChar w:fldCharType="begin"/><w:instrText>XE "dose"</w:instrText><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>.</w:t></w:r></w:p>` +
			styled("Answer", "42") + `<w:p><w:pPr><w:pStyle w:val="Answer"/><w:rPr><w:vanish/><w:specVanish/></w:rPr></w:pPr><w:r><w:rPr><w:rStyle w:val="Secret"/></w:rPr><w:t>twice</w:t></w:r></w:p>`,
			"Give 5 mg, shown.\n\ntwice\n"},
		{"hidden rows", `<w:tbl>` + cells("Drug", "Dose") + strings.Replace(cells("Ramipril", "10 mg"), "<w:tr>", "<w:tr><w:trPr><w:hidden/></w:trPr>", 1) + strings.Replace(cells("Atenolol", "50 mg"), "<w:tr>", `<w:tr><w:trPr><w:hidden w:val="0"/></w:trPr>`, 1) + `</w:tbl>`,
			"| Drug | Dose |\n| --- | --- |\n| Atenolol | 50 mg |\n"},
		{"superscript", `<w:p><w:r><w:t>10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>-7</w:t></w:r><w:r><w:t>5 H</w:t></w:r>` +
			`<w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>2nd</w:t></w:r></w:p>`, "10⁻⁷5 H22nd\n"},
		{"entities", `<w:p><w:r><w:t>a &amp; b &unknown; &#x4E2D;</w:t></w:r></w:p>`, "a & b &unknown; 中\n"},
		{"forbidden characters", "<w:p><w:r><w:t>a\x01b\xFFc</w:t></w:r></w:p>", "a b\uFFFDc\n"},
	} {
		c, err := Read(docxOf(t, test.body), extract.NoProgress)
		if err != nil || c.Text != test.want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", test.name, err, c.Text, test.want)
		}
	}
}

func TestDOCXParts(t *testing.T) {
	body := `<w:p><w:r><w:t>One</w:t><w:footnoteReference w:id="2"/><w:t> two</w:t><w:endnoteReference w:id="1"/><w:commentReference w:id="0"/></w:r></w:p>` +
		`<w:p><w:r><w:t>Again</w:t><w:footnoteReference w:id="2"/></w:r></w:p>` +
		`<w:p><w:r><w:drawing><c:chart r:id="ch"/></w:drawing></w:r></w:p>`
	raw := docxOf(t, body,
		"word/footnotes.xml", `<w:footnotes><w:footnote w:type="separator" w:id="0">`+para("", "no")+`</w:footnote><w:footnote w:id="2">`+para("", "Foot.")+para("", "More.")+`</w:footnote></w:footnotes>`,
		"word/endnotes.xml", `<w:endnotes><w:endnote w:id="1">`+para("", "End.")+`</w:endnote></w:endnotes>`,
		"word/comments.xml", `<w:comments><w:comment w:id="0" w:author="Ann">`+para("", "Why?")+`</w:comment></w:comments>`,
		"word/header1.xml", `<w:hdr>`+para("", "Head")+`</w:hdr>`,
		"word/header2.xml", `<w:hdr>`+para("", "Head")+`</w:hdr>`,
		"word/footer1.xml", `<w:ftr>`+para("", "Seite von 3")+`</w:ftr>`,
		"word/charts/chart1.xml", `<c:chart><c:title><a:t>Sales</a:t></c:title><c:ser><c:tx><c:v>Ours</c:v></c:tx><c:cat><c:pt><c:v>May</c:v></c:pt></c:cat><c:val><c:f>A1</c:f><c:pt><c:v>4</c:v></c:pt></c:val></c:ser></c:chart>`,
		"docProps/core.xml", `<cp:coreProperties><dc:title> A  title </dc:title></cp:coreProperties>`)
	c, err := Read(raw, extract.NoProgress)
	want := "One[^1] two[^2]\n\n[^1]: Foot. More.\n\n[^2]: End.\n\nAgain\n\nSales\n\n|  | Ours |\n| --- | --- |\n| May | 4 |\n\nHead\n\nComment of Ann: Why?\n"
	if err != nil || c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
	if c.Title != "A title" {
		t.Errorf("title %q", c.Title)
	}
}

// TestDOCXImportedPage checks a document that is only a page for Word to import, as html-docx-js 0.3.1
// writes.
func TestDOCXImportedPage(t *testing.T) {
	page := "MIME-Version: 1.0\r\nContent-Type: multipart/related; type=\"text/html\"; boundary=\"b\"\r\n\r\n--b\r\n" +
		"Content-Type: text/html; charset=\"utf-8\"\r\nContent-Location: file:///C:/fake/document.html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
		"<ol start=3D\"3\"><li>Boil<ul><li>with salt</li></ul></li><li>Rest</li></ol><pre>if hot:\n    wait()</pre>\r\n--b--\r\n"
	raw := extracttest.Zip(t, "_rels/.rels", docxRels, "word/page.mht", page,
		"word/_rels/document2.xml.rels", `<Relationships><Relationship Id="p" Type="http://x/aFChunk" Target="page.mht"/></Relationships>`,
		"word/document2.xml", `<w:document xmlns:w="x"><w:body>`+para("", "Before")+`<w:altChunk r:id="p"/>`+para("", "After")+`</w:body></w:document>`)
	c, err := Read(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	want := "Before\n\n3. Boil\n\n   - with salt\n4. Rest\n\n```\nif hot:\n    wait()\n```\n\nAfter\n"
	if err != nil || c.Text != want {
		t.Errorf("got %q, %v, want %q", c.Text, err, want)
	}
}

// TestDOCXComments checks that comments follow the text, each with its author and the commented
// text, which may extend over paragraphs and cells, and that no heading or paragraph contains one.
func TestDOCXComments(t *testing.T) {
	begin := func(id string) string { return `<w:commentRangeStart w:id="` + id + `"/>` }
	end := func(id string) string {
		return `<w:commentRangeEnd w:id="` + id + `"/><w:r><w:commentReference w:id="` + id + `"/></w:r>`
	}
	run := func(text string) string { return `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r>` }
	comment := func(id, author string, paragraphs ...string) string {
		return `<w:comment w:id="` + id + `" w:author="` + author + `" w:initials="x"><w:p><w:r><w:annotationRef/></w:r></w:p>` + strings.Join(paragraphs, "") + `</w:comment>`
	}
	body := `<w:p><w:pPr><w:pStyle w:val="1"/></w:pPr>` + run("Emergency ") + begin("7") + run("numbers") + end("7") + `</w:p>` +
		`<w:p>` + run("Call ") + begin("1") + begin("2") + run("2222") + `<w:del><w:r><w:delText>1111</w:delText></w:r></w:del>` + end("2") + run(" first.") + `</w:p>` +
		`<w:tbl><w:tr><w:tc><w:p>` + run("Ward") + end("1") + `</w:p></w:tc><w:tc><w:p>` + run("West") + `</w:p></w:tc></w:tr></w:tbl>` +
		begin("3") + `<w:p>` + run(strings.Repeat("Long words. ", 200)) + `</w:p>` + end("3") + `<w:p>` + begin("4") + run("End") + end("4") + `</w:p>`
	raw := docxOf(t, body, "word/header1.xml", `<w:hdr>`+para("", "Head")+`</w:hdr>`,
		"word/comments.xml", `<w:comments>`+comment("7", "A. Weber", para("", "Too long?"))+comment("2", "", para("", "Now 3333."), para("", "Since May."))+
			comment("1", "张伟", para("", "旧"))+comment("3", "B", para("", "Shorten"))+comment("4", "B")+comment("9", "C", para("", "On nothing"))+`</w:comments>`)
	c, err := Read(raw, extract.NoProgress)
	want := "# Emergency numbers\n\nCall 2222 first.\n\n| Ward | West |\n| --- | --- |\n\n" + strings.Repeat("Long words. ", 200)[:2399] + "\n\nEnd\n\nHead\n\n" +
		"Comment of A. Weber on “numbers”: Too long?\n\nComment on “2222”: Now 3333. Since May.\n\nComment of 张伟 on “2222 first. Ward”: 旧\n\n" +
		"Comment of B on “Long words. Long words. Long words. Long words. Long words. Long words. Long…”: Shorten\n\nComment of C: On nothing\n"
	if extracttest.CheckContent(t, c, err); c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
}

// TestDOCXManyComments checks that many comments on the same text do not hold it in memory many
// times.
func TestDOCXManyComments(t *testing.T) {
	var begins, comments strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&begins, `<w:commentRangeStart w:id="%d"/>`, i)
		fmt.Fprintf(&comments, `<w:comment w:id="%d">%s</w:comment>`, i, para("", "x"))
	}
	c, err := Read(docxOf(t, begins.String()+strings.Repeat(para("", strings.Repeat("word ", 100)), 200), "word/comments.xml", `<w:comments>`+comments.String()+`</w:comments>`), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if n, about := strings.Count(c.Text, "Comment"), strings.Count(c.Text, "Comment on “word"); n != 5000 || about != extract.MaxNestingDepth {
		t.Errorf("%d comments, %d of them about a text, %v", n, about, err)
	}
}

// TestDOCXFormulaObjects checks that formulas of Equation Editor and MathType are read where they
// are shown, whatever the name of the object, and that other, damaged and too large objects are
// left out.
func TestDOCXFormulaObjects(t *testing.T) {
	object := func(id, program string) string {
		return `<w:r><w:object><v:shape><v:imagedata r:id="p"/></v:shape><o:OLEObject Type="Embed" ProgID="` + program + `" r:id="` + id + `"/></w:object></w:r>`
	}
	body := `<w:p><w:r><w:t>由</w:t><w:fldChar w:fldCharType="begin"/><w:instrText> EMBED Equation.3 </w:instrText><w:fldChar w:fldCharType="separate"/></w:r>` + object("o1", "Equation.3") +
		`<w:r><w:fldChar w:fldCharType="end"/><w:t>得</w:t></w:r>` + object("o2", "Equations") + object("o3", "Equation.DSMT4") + object("o4", "Excel.Sheet.8") + object("o5", "Equation.3") + object("o6", "Equation.3") + `</w:p>`
	links := `<Relationships>`
	for i := range 5 {
		links += fmt.Sprintf(`<Relationship Id="o%d" Type="x/oleObject" Target="embeddings/oleObject%[1]d.bin"/>`, i+1)
	}
	formula := extracttest.FormulaObject("x=1")
	c, err := Read(extracttest.Zip(t, "word/document.xml", "<w:document><w:body>"+body+"</w:body></w:document>", "word/_rels/document.xml.rels", links+"</Relationships>",
		"word/embeddings/oleObject1.bin", formula, "word/embeddings/oleObject2.bin", extracttest.FormulaObject("y2"), "word/embeddings/oleObject3.bin", formula[:600],
		"word/embeddings/oleObject4.bin", string(extracttest.CompoundFile("Workbook", "x")), "word/embeddings/oleObject5.bin", formula+strings.Repeat("\x00", 256<<10)), extract.NoProgress)
	if err != nil || c.Text != "由x=1得y2\n" || c.ExtractionNote != "" {
		t.Errorf("%q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
}

// TestDOCXManyFormulas checks that at most 16 MB of objects are searched, however often a document
// refers to the same one.
func TestDOCXManyFormulas(t *testing.T) {
	formula := extracttest.FormulaObject("x=1") + strings.Repeat("\x00", 200<<10)
	body := strings.Repeat(`<w:p><w:r><w:object><o:OLEObject r:id="o"/></w:object></w:r></w:p>`, 100)
	c, err := Read(extracttest.Zip(t, "word/document.xml", "<w:document><w:body>"+body+"</w:body></w:document>", "word/formula.bin", formula,
		"word/_rels/document.xml.rels", `<Relationships><Relationship Id="o" Type="x/oleObject" Target="formula.bin"/></Relationships>`), extract.NoProgress)
	if n := strings.Count(c.Text, "x=1"); err != nil || n < 10 || n > 16<<20/len(formula) {
		t.Errorf("%d formulas, %v", n, err)
	}
}

func TestDOCXDamaged(t *testing.T) {
	nested := func(n int) string {
		return strings.Repeat("<w:tbl><w:tr><w:tc>", n) + para("", "deep") + strings.Repeat("</w:tc></w:tr></w:tbl>", n)
	}
	if c, err := Read(docxOf(t, nested(60)), extract.NoProgress); err != nil || c.Text != "deep\n" {
		t.Errorf("tables that nest as in real files: %q, %v", c.Text, err)
	}
	_, err := Read(docxOf(t, nested(1000)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNestedTooDeeply.Error())
	_, err = Read(docxOf(t, "", "word/media/image1.PNG", "x"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrOnlyPictures.Error())
	_, err = Read(docxOf(t, "", "docProps/thumbnail.png", "x", "word/media/sound.wav", "x"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
	_, err = Read(extracttest.Zip(t, "x", "y"), extract.NoProgress)
	extracttest.WantSkip(t, err, "a part is missing")

	c, err := Read(docxOf(t, para("", "kept")+"<w:p <<< "), extract.NoProgress)
	if err != nil || c.Text != "kept\n" || c.ExtractionNote.String() == "" {
		t.Errorf("broken end: %q, %q, %v", c.Text, c.ExtractionNote, err)
	}
	c, err = Read(docxOf(t, para("", "kept"), "word/header1.xml", "<<<<"), extract.NoProgress)
	if err != nil || c.Text != "kept\n" {
		t.Errorf("broken header: %q, %v", c.Text, err)
	}
}

func TestDOCXTooMuch(t *testing.T) {
	wide := `<w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000000"/></w:tcPr></w:tc></w:tr>`
	_, err := Read(docxOf(t, "<w:tbl>"+strings.Repeat(wide, extract.MaxTextBytes/extract.CellOverheadBytes/markdown.MaxColumnSpan)+"</w:tbl>"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())
	_, err = Read(docxOf(t, strings.Repeat(para("", strings.Repeat("a", 1<<20)), 32)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())
}

func FuzzDOCX(f *testing.F) {
	f.Add(styled("1", "One")+numbered(1, 0, "a"), docxStyles, docxNumbering)
	f.Add("<w:tbl>"+cells("a", "b")+"</w:tbl>", "", docxNumbering)
	f.Add(`<w:p><w:r><w:fldChar w:fldCharType="begin"/><m:oMath><m:f><m:num/></m:f></m:oMath></w:r></w:p>`, docxStyles, "")
	f.Fuzz(func(t *testing.T, body, styles, numbering string) {
		c, err := Read(extracttest.Zip(t, "word/document.xml", "<w:document><w:body>"+body+"</w:body></w:document>",
			"word/styles.xml", styles, "word/numbering.xml", numbering, "word/_rels/document.xml.rels", docxLinks, "word/header1.xml", body, "word/footnotes.xml", body, "word/comments.xml", "<w:comment>"+body+"</w:comment>"), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

func BenchmarkDOCX(b *testing.B) {
	body := strings.Repeat(styled("1", "A heading")+numbered(1, 0, "An item of some list in the document")+
		para(`<w:spacing w:before="0" w:after="200"/><w:rPr><w:color w:val="auto"/></w:rPr>`, strings.Repeat("Plain words of a paragraph. ", 8))+
		"<w:tbl>"+cells("one", "two", "three")+cells("four", "five", "six")+"</w:tbl>", 2000)
	raw := docxOf(b, body)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := Read(raw, extract.NoProgress); err != nil {
			b.Fatal(err)
		}
	}
}
