package subtitles

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// srt returns subtitles with one line each, which begin the given number of seconds after one
// another.
func srt(seconds int, lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		at := i * seconds
		fmt.Fprintf(&b, "%d\r\n%02d:%02d:%02d,000 --> %02d:%02d:%02d,900\r\n%s\r\n\r\n", i+1, at/3600, at/60%60, at%60, at/3600, at/60%60, at%60, strings.ReplaceAll(line, "|", "\r\n"))
	}
	return b.String()
}

const substation = "[Script Info]\nTitle: x\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"

var tests = []struct {
	name, file, note, text string
	read                   extract.Reader
}{
	{
		name: "SubRip with markup, a sentence over two cues, a pause",
		file: "\xEF\xBB\xBF1\n00:00:01,600 --> 00:00:04,200 X1:0\n<i>The tide</i> turns {\\an8}at\nsix &amp; then\n\n2\n00:00:04,300 --> 00:00:06,000\n<font color=\"#fff\">we row.</font>\n\n3\n00:00:12,000 --> 00:00:14,000\n- Who?\n- I < you.\n",
		text: "## 00:00:01\n\nThe tide turns at six & then we row.\n\n[00:00:12] - Who?\n\n[00:00:12] - I < you.\n",
		read: Read,
	},
	{
		name: "no blank lines, blank lines within, numbers as text",
		file: "1\n00:00:01,000 --> 00:00:02,000\nTen\n2\n00:00:02,000 --> 00:00:03,000\n\nNine\n\nEight\n3\n00:00:03,000 --> 00:00:04,000\n7\n",
		text: "## 00:00:01\n\nTen Nine Eight 7\n",
		read: Read,
	},
	{
		name: "Chinese without spaces",
		file: srt(2, "潮水六点", "开始转向|我们出发", "OK 走吧"),
		text: "## 00:00:00\n\n潮水六点开始转向我们出发 OK 走吧\n",
		read: Read,
	},
	{
		name: "WebVTT with speakers, notes, styles and lines that roll",
		file: "WEBVTT Kind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\nnot shown\n\nintro\n00:01.000 --> 00:04.000 align:start position:0%\n<v Maren>Good <c.loud>morning</c>\n\n00:04.000 --> 00:04.010\nGood morning\n \n\n00:04.010 --> 00:06.000\nGood morning\n<00:04.500><c>everyone</c>\n\n1:00:00.000 --> 1:00:02.000\n<v.first Jo>&lt;Hello&gt;&nbsp;you\n",
		text: "## 00:00:01\n\nMaren: Good morning everyone\n\n## 01:00:00\n\nJo: <Hello> you\n",
		read: Read,
	},
	{
		name: "SubStation Alpha out of order, with drawings, comments and other fields",
		file: substation + "Dialogue: 0,0:00:09.50,0:00:11.00,Default,Jo,0,0,0,,Second, {\\i1}with{\\i0} commas\\Nand lines.\nComment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,not shown\n" +
			"Dialogue: 0,0:00:01.00,0:00:03.00,Default,Jo,0,0,0,,First\\hline.\nDialogue: 1,0:00:01.00,0:00:03.00,Default,Jo,0,0,0,,First\\hline.\nDialogue: 0,0:00:05.00,0:00:06.00,Sign,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}\nDialogue: broken\n",
		text: "## 00:00:01\n\nJo: First line.\n\n[00:00:09] Jo: Second, with commas and lines.\n",
		read: ReadSubStation,
	},
	{
		name: "names of speakers, other colons and dashes, a long paragraph",
		file: srt(20, "REPORTER: When did you hear|of it?", "WEBER: On the ninth.|Note: in January -", "No one asked.", "And then.", "5-7 of them"),
		text: "## 00:00:00\n\nREPORTER: When did you hear of it?\n\n[00:00:20] WEBER: On the ninth. Note: in January - No one asked.\n\n[00:01:00] And then.\n\n[00:01:20] 5-7 of them\n",
		read: Read,
	},
	{
		name: "the older SubStation",
		file: "[Events]\nFormat: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: Marked=0,1:02:03.45,1:02:05.00,Default,,0000,0000,0000,,Words\n",
		text: "## 01:02:03\n\nWords\n",
		read: ReadSubStation,
	},
}

func TestRead(t *testing.T) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := test.read([]byte(test.file), extract.NoProgress)
			if extracttest.CheckContent(t, c, err); err != nil {
				t.Fatal(err)
			}
			if c.Text != test.text || c.ExtractionNote.String() != test.note || c.Title != "" {
				t.Errorf("note %q, title %q, text\n%s\nwant\n%s", c.ExtractionNote, c.Title, c.Text, test.text)
			}
		})
	}
}

// TestSections checks that a section ends at the first end of a sentence after two minutes, or
// after three minutes.
func TestSections(t *testing.T) {
	lines := make([]string, 60)
	for i := range lines {
		lines[i] = fmt.Sprint("word ", i)
	}
	lines[25] += "."
	c, err := Read([]byte(srt(5, lines...)), extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	var headings []string
	for line := range strings.Lines(c.Text) {
		if strings.HasPrefix(line, "## ") {
			headings = append(headings, strings.TrimSpace(line[3:]))
		}
	}
	if got := strings.Join(headings, " "); got != "00:00:00 00:02:10" {
		t.Errorf("sections begin at %s", got)
	}
	lines[25] = "word"
	if c, err = Read([]byte(srt(5, lines...)), extract.NoProgress); err != nil || !strings.Contains(c.Text, "## 00:03:00\n\nword 36") {
		t.Errorf("%v, text %.900s", err, c.Text)
	}
}

// TestHostile checks that files without subtitles have no text, and that times may be any numbers.
func TestHostile(t *testing.T) {
	for name, file := range map[string]string{
		"text":          "no time at all\n",
		"arrows":        strings.Repeat("-->", 100_000) + "\n",
		"times only":    strings.Repeat("00:00:01,000 --> 00:00:02,000\n", 10_000),
		"open markup":   "00:00:01,000 --> 00:00:02,000\n" + strings.Repeat("{\\i1}<i>", 50_000) + "\n",
		"no text field": substation + "Format: Start, End\nDialogue: 0:00:01.00,0:00:02.00\n",
	} {
		for _, read := range []extract.Reader{Read, ReadSubStation} {
			_, err := read([]byte(file), extract.NoProgress)
			extracttest.WantSkip(t, err, extract.ErrNoText.Error())
			if t.Failed() {
				t.Fatal(name)
			}
		}
	}
	c, err := Read([]byte("999:99:99,999 --> 0:0:0,0\nlate\n\n00:00:01,000 --> 99:00:00,000\nearly\n"), extract.NoProgress)
	if err != nil || c.Text != "## 1000:40:39\n\nlate\n\n## 00:00:01\n\nearly\n" {
		t.Errorf("got %q, %v", c.Text, err)
	}
}

// TestRolledLines checks that lines of the previous cue are not repeated, except those after the
// first mostRolled ones of a cue that is too long for a caption.
func TestRolledLines(t *testing.T) {
	for lines, want := range map[int]int{2: 2, mostRolled + 5: mostRolled + 5 + 5} {
		var cue strings.Builder
		for i := range lines {
			fmt.Fprintf(&cue, "word%d\n", i)
		}
		c, err := Read([]byte("00:00:01,000 --> 00:00:02,000\n"+cue.String()+"\n00:00:02,000 --> 00:00:03,000\n"+cue.String()), extract.NoProgress)
		if got := strings.Count(c.Text, "word"); err != nil || got != want {
			t.Errorf("%d lines are said as %d, want %d, %v", lines, got, want, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, test := range tests {
		f.Add([]byte(test.file))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		c, err = ReadSubStation(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
