package epub

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const (
	epubContainer = `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`
	epubPackage   = `<package><metadata><dc:title>The book</dc:title></metadata><manifest>` +
		`<item id="a" href="text/a%20b.xhtml" media-type="application/xhtml+xml"/><item id="b" href="text/b.xhtml" media-type="application/xhtml+xml"/>` +
		`<item id="gone" href="text/gone.xhtml" media-type="application/xhtml+xml"/><item id="nav" href="nav.xhtml" properties="nav"/>` +
		`<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/><item id="pic" href="p.svg" media-type="image/svg+xml"/></manifest>` +
		`<spine toc="ncx"><itemref idref="b"/><itemref idref="gone"/><itemref idref="pic"/><itemref idref="a"/></spine></package>`
	epubNav = `<html><body><nav epub:type="landmarks"><a href="text/b.xhtml">Start</a></nav><nav epub:type="toc"><ol><li><a href="text/b.xhtml#x">Second <i>file</i></a></li></ol></nav></body></html>`
	epubNCX = `<ncx><navMap><navPoint><navLabel><text>Old name</text></navLabel><content src="text/b.xhtml"/></navPoint><navPoint><navLabel><text>First file</text></navLabel><content src="text/a%20b.xhtml"/></navPoint></navMap></ncx>`
)

func page(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>` + body + `</body></html>`
}

func epubOf(t testing.TB, a, b string, files ...string) []byte {
	t.Helper()
	return extracttest.Zip(t, append([]string{
		"mimetype", "application/epub+zip", "META-INF/container.xml", epubContainer, "OEBPS/book.opf", epubPackage,
		"OEBPS/nav.xhtml", epubNav, "OEBPS/toc.ncx", epubNCX, "OEBPS/text/a b.xhtml", a, "OEBPS/text/b.xhtml", b,
	}, files...)...)
}

func TestEPUB(t *testing.T) {
	c, err := Read(epubOf(t, page("<h2>Own heading</h2><p>Alpha</p>"), page("<p>Beta</p>")), extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Second file\n\nBeta\n\n## Own heading\n\nAlpha\n"
	if c.Text != want {
		t.Errorf("got  %q\nwant %q", c.Text, want)
	}
	if c.Title != "The book" || c.ExtractionNote.String() != "chapter 2 could not be read completely" {
		t.Errorf("title %q, note %q", c.Title, c.ExtractionNote)
	}
	parts := []extract.Part{{Kind: extract.Chapter, Number: 1, Name: "Second file"}, {Kind: extract.Chapter, Number: 3, Name: "First file", StartByte: strings.Index(want, "## Own")}}
	if len(c.Parts) != 2 || c.Parts[0] != parts[0] || c.Parts[1] != parts[1] {
		t.Errorf("parts %+v, want %+v", c.Parts, parts)
	}
}

// TestEPUBStyles checks that the style sheets of a book hide text and strike it out.
func TestEPUBStyles(t *testing.T) {
	chapter := strings.Replace(page(`<p class="a">One</p><p class="b">Two</p><p>Three</p>`), "<title/>", `<title/><link rel="stylesheet" type="text/css" href="../style%20sheet.css"/><link rel="stylesheet" href="gone.css"/>`, 1)
	c, err := Read(epubOf(t, chapter, page("<p class='a'>Beta</p>"), "OEBPS/style sheet.css", "@namespace x; .a { display: none } .b { text-decoration: line-through }"), extract.NoProgress)
	if want := "# Second file\n\nBeta\n\n# First file\n\n~~Two~~\n\nThree\n"; err != nil || c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
}

// TestEPUBStylesOfManyChapters checks that a large style sheet is heeded in all chapters that link to it.
func TestEPUBStylesOfManyChapters(t *testing.T) {
	const chapters = 40
	var manifest, spine strings.Builder
	files := []string{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`,
		"s.css", strings.Repeat("p.other { color: black }\n", 60_000) + ".old { text-decoration: line-through }"}
	for i := range chapters {
		name := string(rune('a'+i/26)) + string(rune('a'+i%26))
		manifest.WriteString(`<item id="` + name + `" href="` + name + `.xhtml"/>`)
		spine.WriteString(`<itemref idref="` + name + `"/>`)
		files = append(files, name+".xhtml", strings.Replace(page(`<p>Take <b class="old">40 mg</b></p>`), "<title/>", `<link rel="stylesheet" href="s.css"/>`, 1))
	}
	files = append(files, "book.opf", `<package><manifest>`+manifest.String()+`</manifest><spine>`+spine.String()+`</spine></package>`)
	c, err := Read(extracttest.Zip(t, files...), extract.NoProgress)
	if n := strings.Count(c.Text, "~~40 mg~~"); err != nil || n != chapters {
		t.Errorf("%v: the dose is struck out in %d of %d chapters", err, n, chapters)
	}
}

// TestEPUBContents checks that the table of contents is not a chapter, in whichever way the book
// declares its file, but that a chapter with a table of contents in it is one.
func TestEPUBContents(t *testing.T) {
	const contents = `<h1>Contents</h1><ol><li><a href="b.xhtml">The tides and how to tell them</a></li><li><a href="c.xhtml">Whales of the north</a></li></ol>`
	book := func(t *testing.T, first, guide, nav string) []byte {
		return extracttest.Zip(t, "META-INF/container.xml", `<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`,
			"book.opf", `<package><manifest><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/><item id="n" href="n.xhtml" properties="nav"/></manifest>`+
				`<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine>`+guide+`</package>`,
			"a.xhtml", page(first), "b.xhtml", page("<h1>The tides</h1>"), "n.xhtml", page(`<nav epub:type="toc" id="toc">`+contents+`</nav>`+nav))
	}
	const prose = `<p>The tides of this coast were told by the moon long before there was a table of them to look at.</p>`
	guide := `<guide><reference type="toc" href="a.xhtml#x"/></guide>`
	for what, test := range map[string]struct{ first, guide, nav, want string }{
		"in the guide":     {contents, guide, "", "# The tides\n"},
		"in the landmarks": {contents, "", `<nav epub:type="landmarks" hidden="hidden"><ol><li><a href="a.xhtml" epub:type="toc">Contents</a></li></ol></nav>`, "# The tides\n"},
		"not said":         {contents, "", "", "# Contents\n\n1. The tides and how to tell them\n2. Whales of the north\n\n# The tides\n"},
		"beside a text":    {contents + prose, guide, "", "# Contents\n\n1. The tides and how to tell them\n2. Whales of the north\n\n" + strings.TrimSuffix(strings.TrimPrefix(prose, "<p>"), "</p>") + "\n\n# The tides\n"},
	} {
		c, err := Read(book(t, test.first, test.guide, test.nav), extract.NoProgress)
		if err != nil || c.Text != test.want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", what, err, c.Text, test.want)
		}
	}
}

func TestEPUBProtected(t *testing.T) {
	encryption := func(algorithm string) string {
		s := "<encryption>"
		for _, file := range []string{"OEBPS/text/a%20b.xhtml", "OEBPS/text/b.xhtml"} {
			s += `<enc:EncryptedData><enc:EncryptionMethod Algorithm="` + algorithm + `"/><enc:CipherReference URI="` + file + `"/></enc:EncryptedData>`
		}
		return s + "</encryption>"
	}
	_, err := Read(epubOf(t, page("x"), page("y"), "META-INF/encryption.xml", encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc")), extract.NoProgress)
	extracttest.WantSkip(t, err, "password needed: protected by DRM")
	if _, err := Read(epubOf(t, page("x"), page("y"), "META-INF/encryption.xml", encryption("http://www.idpf.org/2008/embedding")), extract.NoProgress); err != nil {
		t.Errorf("obfuscated: %v", err)
	}
}

func TestEPUBPicture(t *testing.T) {
	c, err := Read(extracttest.Zip(t, "a.html", page(`<img src="cover.png"/>`), "b.html", "<p>text<a id='x'/> and <i/>more</p>"), extract.NoProgress)
	if err != nil || c.Text != "text and more\n" || c.ExtractionNote.String() != "" || len(c.Parts) != 1 {
		t.Errorf("%q, note %q, parts %v, %v", c.Text, c.ExtractionNote, c.Parts, err)
	}
}

func TestEPUBWithoutPackage(t *testing.T) {
	c, err := Read(extracttest.Zip(t, "z.html", page("<p>last</p>"), "b.xhtml", page("<p>first</p>")), extract.NoProgress)
	if err != nil || c.Text != "first\n\nlast\n" {
		t.Errorf("%q, %v", c.Text, err)
	}
	_, err = Read(extracttest.Zip(t, "a.txt", "x"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
}

func FuzzEPUB(f *testing.F) {
	f.Add(page("<p>x</p>"), epubPackage, epubNCX)
	f.Add(page("<h1>x</h1><title/>"), "<spine/>", epubNav)
	f.Fuzz(func(t *testing.T, chapter, opf, toc string) {
		c, err := Read(extracttest.Zip(t, "META-INF/container.xml", epubContainer, "OEBPS/book.opf", opf, "OEBPS/nav.xhtml", toc,
			"OEBPS/toc.ncx", toc, "OEBPS/text/b.xhtml", chapter, "x.html", chapter), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
