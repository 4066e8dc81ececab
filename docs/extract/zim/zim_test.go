package zim

import (
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const somePage = `Content-Type: text/x-zim-wiki
Wiki-Format: zim 0.6
Creation-Date: 2024-03-05T10:15:00+01:00

====== Knots ======
Created Tuesday

Tie **bow**lines ~~once~~ //well//, see [[Ropes:Hemp|hemp]], [[+Nylon]] and https://example.org/a//b. H_{2}O 10^{6} {{./knot.png?width=300}}
* one
	1. two
[*] done
[ ] open

===== Tools =====
| Tool | Use |
|:-----|----:|
| fid  | open |

'''
**raw**
'''
{{{code: lang="python3" linenumbers="True"
tie()
}}}
`

func TestRead(t *testing.T) {
	const want = "# Knots\n\nCreated Tuesday\n\nTie bowlines ~~once~~ well, see hemp, +Nylon and https://example.org/a//b. H2O 10⁶\n\n- one\n  1. two\n- [x] done\n- [ ] open\n\n" +
		"## Tools\n\n| Tool | Use |\n| --- | --- |\n| fid | open |\n\n```\n**raw**\n```\n\n```\ntie()\n```\n"
	c, err := Read([]byte(somePage), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if !IsWikiPage([]byte(somePage)) || err != nil || c.Text != want || c.Date != "2024-03-05" {
		t.Errorf("date %q, %v\ngot  %q\nwant %q", c.Date, err, c.Text, want)
	}
	if IsWikiPage([]byte("Content-Type: text/plain\n\nx")) {
		t.Error("a mail is recognised")
	}
	_, err = Read([]byte("Content-Type: text/x-zim-wiki\n\n"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(somePage))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
