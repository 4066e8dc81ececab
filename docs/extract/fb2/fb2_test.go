package fb2

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const someBook = `<?xml version="1.0" encoding="windows-1251"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<stylesheet>p { color: red }</stylesheet>
<description><title-info><genre>prose</genre><author><first-name>Анна</first-name><last-name>Морская</last-name></author><author><nickname>Чайка</nickname></author>
<book-title>Маяк</book-title><annotation><p>О смотрителе.</p></annotation><lang>ru</lang><sequence name="Берега" number="2"/></title-info>
<document-info><author><nickname>scanner</nickname></author></document-info></description>
<body><title><p>Анна Морская</p><p>Маяк</p></title><epigraph><p>Свет виден всем.</p></epigraph>
<section><title><p>Часть первая</p></title><epigraph><poem><stanza><v>Море шумит,</v><v>ветер молчит.</v></stanza></poem><text-author>А. М.</text-author></epigraph>
<section><title><p>Глава 1</p><p>Шторм</p></title><p>Фонарь <strong>погас</strong> ночью.<a l:href="#n1" type="note">[1]</a></p><empty-line/>
<section><title><p>Ветер</p></title><p>Дуло с запада.</p></section></section>
<section><p>Без названия.</p><image l:href="#i.png" alt="Карта бухты"/></section></section>
<section><title><p>Часть вторая</p></title><subtitle>* * *</subtitle><cite><p>Письмо.</p></cite>
<table><tr><th>Час</th><th>Волна</th></tr><tr><td>6</td><td>3&nbsp;м</td></tr></table></section></body>
<body name="notes"><title><p>Примечания</p></title><section id="n1"><title><p>1</p></title><p>Керосиновый.</p><p>И латунный.</p></section></body>
<binary id="i.png" content-type="image/png">iVBORw0KGgo=</binary></FictionBook>`

const bookText = "# Маяк\n\nАнна Морская, Чайка\n\nО смотрителе.\n\nБерега 2\n\nСвет виден всем.\n\n" +
	"## Часть первая\n\nМоре шумит,\nветер молчит.\n\nА. М.\n\n### Глава 1 Шторм\n\nФонарь погас ночью.[1]\n\n#### Ветер\n\nДуло с запада.\n\nБез названия.\n\nКарта бухты\n\n" +
	"## Часть вторая\n\n* * *\n\nПисьмо.\n\n| Час | Волна |\n| --- | --- |\n| 6 | 3 м |\n\n## Примечания\n\n1 Керосиновый.\n\nИ латунный.\n"

func windows1251(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := charmap.Windows1251.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestFB2(t *testing.T) {
	raw := windows1251(t, someBook)
	for name, file := range map[string][]byte{"alone": raw, "packed": extracttest.Zip(t, "readme.txt", "x", "Book.FB2", string(raw))} {
		c, err := Read(file, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != bookText || c.Title != "Маяк" || c.ExtractionNote.String() != "" || c.Encoding != "Windows-1251" || c.IsEncodingGuessed {
			t.Errorf("%s: title %q, note %q, encoding %s, %v\ngot  %q\nwant %q", name, c.Title, c.ExtractionNote, c.Encoding, err, c.Text, bookText)
		}
	}
}

// TestFB2Chapters checks that each section is a chapter, unless it is inside one that has text of
// its own.
func TestFB2Chapters(t *testing.T) {
	c, err := Read(windows1251(t, someBook), extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for i, p := range c.Parts {
		line, _, _ := strings.Cut(c.Text[p.StartByte:], "\n")
		if p.Kind != extract.Chapter || p.Number != i+1 {
			t.Errorf("part %+v is number %d", p, i+1)
		}
		got.WriteString(p.Name + ": " + line + "\n")
	}
	const want = "Маяк: # Маяк\n: Свет виден всем.\nЧасть первая: ## Часть первая\nЧасть первая, Глава 1 Шторм: ### Глава 1 Шторм\n" +
		"Часть первая: Без названия.\nЧасть вторая: ## Часть вторая\nПримечания: ## Примечания\n"
	if got.String() != want {
		t.Errorf("got\n%s", got.String())
	}
}

// TestFB2Superscript checks that superscript numbers and note references do not become part of the
// word before them.
func TestFB2Superscript(t *testing.T) {
	const book = `<FictionBook xmlns:l="x"><body><section><title><p>Соль<a l:href="#n1" type="note">1</a></p></title><p>Гипогликемия<sup>12</sup>, <a l:href="#n2" type="note"><sup>2</sup></a> <a l:href="#s">10</a> 10<sup>6</sup>, x<sub>2</sub>, <strikethrough>5 <strong>mg</strong></strikethrough>10 mg, 3<strikethrough><sup>2</sup></strikethrough></p></section></body></FictionBook>`
	c, err := Read([]byte(book), extract.NoProgress)
	if want := "## Соль¹\n\nГипогликемия¹², ² 10 10⁶, x2, ~~5 mg~~ 10 mg, 3~~²~~\n"; err != nil || c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
}

func TestFB2Encodings(t *testing.T) {
	utf8 := strings.Replace(someBook, "windows-1251", "utf-8", 1)
	for name, file := range map[string][]byte{
		"UTF-8":                     []byte(utf8),
		"with a mark":               []byte("\uFEFF" + utf8),
		"UTF-8 called Windows-1251": []byte(someBook),
		"Windows-1251 called UTF-8": windows1251(t, utf8),
		"without a declaration":     windows1251(t, someBook[strings.Index(someBook, "<FictionBook"):]),
	} {
		c, err := Read(file, extract.NoProgress)
		if err != nil || c.Text != bookText {
			t.Errorf("%s: %v, %q", name, err, c.Text)
		}
	}
}

func TestFB2Damaged(t *testing.T) {
	half := someBook[:strings.Index(someBook, "Ветер")]
	c, err := Read(windows1251(t, half), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || !strings.HasSuffix(c.Text, "Фонарь погас ночью.[1]\n") || c.ExtractionNote.String() != "the rest could not be read: damaged XML" {
		t.Errorf("a half: %q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	for _, test := range []struct{ name, raw, reason string }{
		{"words", "no book at all", errDamaged.Error()},
		{"other XML", "<note>words</note>", errDamaged.Error()},
		{"no text", "<FictionBook><body><section/></body></FictionBook>", extract.ErrNoText.Error()},
		{"deep", "<FictionBook><body>" + strings.Repeat("<section>", 1000), extract.ErrNestedTooDeeply.Error()},
		{"an archive without a book", string(extracttest.Zip(t, "a.txt", "x")), extract.ErrNoText.Error()},
		{"half an archive", string(extracttest.Zip(t, "a.fb2", someBook)[:200]), extract.ErrDamagedZip.Error()},
		{"a bomb", string(extracttest.Zip(t, "a.fb2", strings.Repeat(" ", extract.MaxFileBytes+1))), extract.ErrTooLarge.Error()},
	} {
		t.Log(test.name)
		_, err := Read([]byte(test.raw), extract.NoProgress)
		extracttest.WantSkip(t, err, test.reason)
	}
	many := "<FictionBook><body>" + strings.Repeat("<section><p>x</p></section>", extract.MaxArchiveEntries+5) + "</body></FictionBook>"
	if c, err := Read([]byte(many), extract.NoProgress); err != nil || len(c.Parts) != extract.MaxArchiveEntries {
		t.Errorf("%d chapters, %v", len(c.Parts), err)
	}
}

func FuzzFB2(f *testing.F) {
	f.Add(windows1251(f, someBook))
	f.Add([]byte("<FictionBook><body><section><title/><poem><stanza><v/></stanza></poem><table><td colspan='99'>x</td></table></section></body><body><section/></body>"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
