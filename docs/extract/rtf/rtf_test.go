package rtf

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func TestReadRTF(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"characters", `{\rtf1\ansi\ansicpg1252 caf\'e9 \emdash  \{x\} a\~b\_c \rquote s\par next\line line}`, "café — {x} a\u00A0b-c ’s\n\nnext\nline\n"},
		{"code page", `{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8}`, "При\n"},
		{"GBK", `{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fcharset134 SimSun;}}\f0\'d6\'d0\'ce\'c4}`, "中文\n"},
		{"GBK in a Western font", `{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fcharset0 Arial;}}\f0\'d6\'d0\'ce\'c4\par caf\'e9 x}`, "中文\n\ncafé x\n"},
		{"second byte in ASCII", `{\rtf1\ansi\ansicpg932 \'83e\'83X\'83\'67\'94\\}`, "テスト能\n"},
		{"Big5 by font", `{\rtf1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset136 B;}}{\f1\'a4\'a4}\'e9}`, "中é\n"},
		{"Korean", `{\rtf1\ansicpg949 \'c7\'d1}`, "한\n"},
		{"UTF-8 against the rules", "{\\rtf1 中文}", "中文\n"},
		{"Symbol", `{\rtf1{\fonttbl{\f0\fcharset0 A;}{\f3\fcharset2 Symbol;}}{\f3 ab\'b7\u-4000?}c}`, "αβ•‾c\n"},
		{"unicode", `{\rtf1\uc1\u20013?\u25991 ?{\uc2\u233\'c3\'a9x}\u-10179?\u-8704?{\uc0\u65 B}}`, "中文éx😀AB\n"},
		{"stray surrogate", `{\rtf1 a\u-10179?\u98?c}`, "abc\n"},
		{"fallback ends with the group", `{\rtf1 {\uc3\u20013 a}b}`, "中b\n"},
		{"destinations", `{\rtf1{\colortbl;\red0;}{\*\generator x;}{\info{\author me}{\title The \u26631?itle}}{\pict 0123}{\object{\*\objdata 01}{\result kept}} text}`, "kept text\n"},
		{"binary", "{\\rtf1 {\\pict\\bin5 }}}}}}after}", "after\n"},
		{"field", `{\rtf1 {\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt link}}}`, "link\n"},
		{"hidden and deleted", `{\rtf1 a{\v hidden}{\deleted gone}b\v c\v0 d}`, "abd\n"},
		{"headings", `{\rtf1{\stylesheet{\s1\outlinelevel0 x;}{\s2 heading 2;}}{\pard\s1 One\par}{\pard\s2 Two\par}{\pard\outlinelevel2 Three\par}\pard text\par}`,
			"# One\n\n## Two\n\n### Three\n\ntext\n"},
		{"list", `{\rtf1{\pard{\listtext\'95\tab}one\par{\listtext\'95\tab}\ilvl1 two\par}{\pard{\pntext 3.\tab}three\par}}`, "- one\n  - two\n3. three\n"},
		{"numbers of a list without a full stop", `{\rtf1{\pard{\listtext 1\tab}one\par{\listtext 10\tab}two\par{\listtext a)\tab}three\par{\listtext\u19968?\tab}four\par{\listtext o\tab}five\par}}`, "1. one\n10. two\na) three\n一 four\n- five\n"},
		{"table", `{\rtf1\trowd\pard\intbl A\par b\cell B|\cell\row\pard\intbl 1\cell\cell\row\pard after\par}`, "| A b | B\\| |\n| --- | --- |\n| 1 |  |\n\nafter\n"},
		{"footnote", `{\rtf1 body{\super\chftn}{\footnote\pard note\par more} goes on\par next}`, "body[1] goes on\n\n[1] note\nmore\n\nnext\n"},
		{"comment", `{\rtf1 word{\*\atnid me}{\*\annotation\pard remark} end}`, "word end\n\nComment: remark\n"},
		{"authors of comments", `{\rtf1 word{\*\atnid AW}{\*\atnauthor A. W\'e4ber}\chatn{\*\annotation\pard{\*\atndate 1}{\*\atnref 1}old} next{\*\atnauthor B}{\*\annotation\pard }{\*\annotation\pard more} end}`,
			"word next end\n\nComment: A. Wäber: old\n\nComment: more\n"},
		{"struck out", `{\rtf1 {\strike 5 mg}10 mg, colo{\striked1 u}r \strike 7\strike0 8\strike 9\plain 1}`, "~~5 mg~~ 10 mg, colour ~~7~~ 8~~9~~1\n"},
		{"struck out and raised, a whole cell, and a paragraph with a hidden word", `{\rtf1 10{\super\strike 2}{\super 3}\par \trowd\intbl\strike old\strike0\cell\intbl {\strike a\line b} c\cell\row\pard {\strike all {\v not }of \b it}\par}`, "10~~²~~³\n\n| ~~old~~ | ~~a b~~ c |\n| --- | --- |\n\n~~all of it~~\n"},
		{"superscript", `{\rtf1 10{\super -7}5 a\super 1\super0 2 b\super 3\nosupersub 4 {\super 2nd}\par {\super 5}\par\super 2{\footnote\pard 1}\cell\row}`, "10⁻⁷5 a¹2 b³4 2nd\n\n⁵\n\n| ²[1] |\n| --- |\n\n[1] 1\n"},
		{"raised by points", `{\rtf1 word{\up6 12}, 10{\up6\fs16 6}{\dn6 2}{\up0 3}}`, "word¹², 10⁶23\n"},
		{"fields of a form", `{\rtf1 {\field{\*\fldinst {FORMCHECKBOX }{{\*\formfield{\fftype1\ffres1\ffdefres0{\*\ffname Check1}{\*\ffexitmcr x}}}}}{\fldrslt }} Latex, {\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres25\ffdefres0}}}{\fldrslt}} Nuts: ` +
			`{\field{\*\fldinst FORMDROPDOWN {\*\formfield{\fftype2\ffres1\ffhaslistbox{\*\ffname d}{\*\ffl mild}{\*\ffl sch\'fcw\u228?r}}}}{\fldrslt}}, {\field{\*\fldinst FORMTEXT {\*\formfield{\fftype0{\*\ffdeftext none}}}}{\fldrslt since May}}` +
			`{\pict{\*\formfield{\fftype1\ffres1}}}}`, "☑ Latex, ☐ Nuts: schüwär, since May\n"},
		{"a star within a group", `{\rtf1 {before \*\b after \*\unknown1 it}{` + "\r\n " + `\*\unknown gone}{\b\* \i kept}}`, "before after it  kept\n"},
		{"headers once", `{\rtf1{\header top}{\headerf top}{\footer end}{\footerl Page {\field{\*\fldinst PAGE}{\fldrslt 1}}}text}`, "text\n\ntop\n\nend\n"},
		{"text box", `{\rtf1 body{\shp{\*\shpinst{\sp{\sn wzDescription}{\sv A cat}}{\sp{\sn x}{\sv 1}}{\shptxt in\par box}}{\shprslt in box}}}`, "body\n\nA cat\n\nin\nbox\n"},
		{"upr", `{\rtf1 {\upr{\bullet ?}{\*\ud{\u20013?}}}}`, "中\n"},
		{"unbalanced", `{\rtf1 a}}}b{{{c`, "abc\n"},
		{"ends within", `{\rtf1 a\'`, "a\n"},
		{"no letter", "{\\rtf1 a\\\nb\\", "a\n\nb\n"},
	} {
		got, err := Read([]byte(c.in), extract.NoProgress)
		extracttest.CheckContent(t, got, err)
		if err != nil || got.Text != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got.Text, err, c.want)
		}
	}
}

func TestReadRTFTitle(t *testing.T) {
	c, err := Read([]byte(`{\rtf1\ansicpg936{\info{\title \'d6\'d0\u25991 ?}{\author x}}text}`), extract.NoProgress)
	if err != nil || c.Title != "中文" || c.Text != "text\n" {
		t.Errorf("%+v, %v", c, err)
	}
	if c, _ := Read([]byte(`{\rtf1{\info{\title Untitled}}text}`), extract.NoProgress); c.Title != "" {
		t.Errorf("title %q, which a program made up", c.Title)
	}
}

func TestReadRTFDamaged(t *testing.T) {
	for raw, reason := range map[string]string{
		"": errDamaged.Error(), "text": errDamaged.Error(), `{\rt`: errDamaged.Error(), `{\rtf1}`: extract.ErrNoText.Error(), `{\rtf1{\pict\pngblip 89504e}\par}`: extract.ErrOnlyPictures.Error(),
	} {
		if _, err := Read([]byte(raw), extract.NoProgress); err == nil || err.Error() != reason {
			t.Errorf("%q: %v, want %s", raw, err, reason)
		}
	}
}

func TestReadRTFDeep(t *testing.T) {
	c, err := Read([]byte(`{\rtf1 `+strings.Repeat("{", 500_000)+"x"+strings.Repeat("}", 500_000)+`y}`), extract.NoProgress)
	if err != nil || c.Text != "xy\n" {
		t.Errorf("%q, %v", c.Text, err)
	}
}

func FuzzReadRTF(f *testing.F) {
	f.Add([]byte(`{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fcharset134 S;}{\f1\fcharset2 Symbol;}}{\stylesheet{\s1 heading 1;}}\f0\'d6\'d0\uc1\u-10179?\u-8704?\f1 a}`))
	f.Add([]byte(`{\rtf1\trowd\intbl a\cell\row\pard{\footnote b\par{\header c}}{\shp{\*\shpinst{\sp{\sn d}{\sv e}}{\shptxt f}}}{\upr{g}{\*\ud h}}{\pict\bin3 abc}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
