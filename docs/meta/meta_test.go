package meta

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTags(t *testing.T) {
	for text, want := range map[string]string{
		"---\ntags:\n  - a\n  - \"B c\"\n  - 'd'\n---\n":                        "a|B c|d",
		"---\ntags:\n- a/b\n- '#c'\n---\n":                                      "a/b|c",
		"---\ntags: [a, \"b, c\", 'd']\n---\n":                                  "a|b, c|d",
		"---\ntags: [\n  a,\n  b\n]\ntitle: T\n---\n":                           "a|b",
		"---\ntags: a, b c，d\n---\n":                                            "a|b c|d",
		"---\ntags: a b\n---\n":                                                 "a|b",
		"---\ntags: #a #b\n---\n":                                               "a|b",
		"---\ntags:\n  - #a\n---\n":                                             "a",
		"---\nTag: a # not this\n---\n":                                         "a",
		"---\ntags: 读书、健康/饮食\n---\n":                                            "读书|健康/饮食",
		"---\ntags: a\n---\n#A #b":                                              "a|b",
		"---\ntags: ~\n---\n":                                                   "",
		"---\ntags: {{tags}}\n---\n":                                            "",
		"+++\ntags = [\"a\", 'b'] # c\n+++\n":                                   "a|b",
		"+++\ntitle = \"T\"\n[taxonomies]\ntags = [\n  \"a\",\n  \"b\"\n]\n+++": "a|b",
		"---\ntags: a":                                                          "", // it has no end
		"---\n\nA break. #a\n\n---\n":                                           "a",

		// Properties of a page in Logseq.
		"tags:: heart, [[Heart Failure]], #lungs\nalias:: HF\n\n- text": "heart|Heart Failure|lungs",
		"- type:: note\n  Tags:: [[blood pressure]] [[salt]]\n- text":   "blood pressure|salt",
		"tags:: [[one page]]\n":                                  "one page",
		"text\ntags:: no\n":                                      "",
		"std::vector is a type\ntags:: no":                       "",
		"#a at the start, #b-c_d, and #e/f/.":                    "a|b-c_d|e/f",
		"in the middle#no, (#no), \\#no, x #yes! #1 #2024":       "yes",
		"# Heading\n## Two #yes\n#also":                          "yes|also",
		"中文 #标签，后面 #读书/小说。还有#没有　#有":                              "标签|读书/小说|有",
		"#🌲 #0🌲 #👨‍👩‍👧":                                          "🌲|0🌲|👨‍👩‍👧",
		"#y1984 #1984 #a//b/ #/c":                                "y1984|a/b|c",
		"#d0d0d0 #FFFFFF #decade #b2b #12ab34cd":                 "decade|b2b",
		"the URL ends with #targetText=hello and #real":          "real",
		"#if x\n#ifdefs are bad\n#include <a.h>\n#iffy":          "iffy",
		"fixed #AWS-31 and #PROJ-1234, but #COVID-19 #IL-6":      "COVID-19|IL-6",
		"Send it to #thanks.\nThe #thanks channel. Talk to #Ann": "Ann",
		"#ask-hiring and #c on Slack, channels #a, and\n#b":      "b",
		"`#no` and ``#no ` #no`` and #yes":                       "yes",
		"a ` alone and #yes":                                     "yes",
		"```sh\n#no\n~~~\n#no\n```\n#yes":                        "yes",
		"~~~~\n#no\n~~~\n#no\n~~~~\n#yes":                        "yes",
		"text\n\n    #no\n\n\t#no\n\ntext #yes":                  "yes",
		"- item\n\n    #yes\n":                                   "yes",
		"text\n    #yes":                                         "yes",
		"<!-- #no\n#no --> #yes":                                 "yes",
		"[link](#no) https://e.org/#no <a href=\"#no\">":         "",
		"#Same #same":                     "Same",
		"#" + strings.Repeat("long", 100): "",
	} {
		if got := strings.Join(ReadData("a.md", text, true).Tags, "|"); got != want {
			t.Errorf("%q\n has %q\nwant %q", text, got, want)
		}
	}
	if d := ReadData("a.txt", "---\ntags: a\n---\n#b [[c]]", false); !reflect.DeepEqual(d.Tags, []string{"a"}) || d.LinkTargets != nil {
		t.Errorf("of plain text: %+v", d)
	}
}

func TestFields(t *testing.T) {
	const text = `---
title: "A: title"
Type: [meeting, 'work']
status: draft # still
rating: 5
draft: true
empty:
none: null
summary: >
  Longer text: of
  two lines
categories:
  - "[[Books]]"
  - [[Films|films]]
loc: [[Kyoto]]
both: [[[A]], "[[B]]"]
author:
  name: Ann
  mail:
    - ann@e.org
people:
  - name: Bob
    age: 7
url: https://e.org/a#b
{{template}}
quoted "key": no
"date created": 2024-11-05T10:00:00+08:00
aliases: First, 第二
---
`
	d := ReadData("a.md", text, true)
	want := []Field{
		{"title", []string{"A: title"}}, {"type", []string{"meeting", "work"}}, {"status", []string{"draft"}}, {"rating", []string{"5"}}, {"draft", []string{"true"}},
		{"summary", []string{"Longer text: of two lines"}}, {"categories", []string{"Books", "Films"}}, {"loc", []string{"Kyoto"}}, {"both", []string{"A", "B"}},
		{"author.name", []string{"Ann"}}, {"author.mail", []string{"ann@e.org"}}, {"people.name", []string{"Bob"}}, {"people.age", []string{"7"}},
		{"url", []string{"https://e.org/a#b"}}, {`quoted "key`, []string{"no"}}, {"date created", []string{"2024-11-05T10:00:00+08:00"}}, {"aliases", []string{"First", "第二"}},
	}
	if !reflect.DeepEqual(d.Fields, want) {
		t.Errorf("fields\n%q\nwant\n%q", d.Fields, want)
	}
	if d.Date != 20241105 || strings.Join(d.Aliases(), "|") != "First|第二" || strings.Join(d.LinkTargets, "|") != "Books|Films|Kyoto|A|B" {
		t.Errorf("date %s, aliases %q, links %q", d.Date, d.Aliases(), d.LinkTargets)
	}
}

// TestConditions: what is asked for in a text, and that what asks for nothing is a
// mistake.
func TestConditions(t *testing.T) {
	for text, want := range map[string][]string{
		"a, b": {"a", "b"}, "Slow Food": {"Slow Food"}, "#a #b/c": {"a", "b/c"}, "#Slow Food #b": {"Slow Food", "b"}, "[a b, c]": {"a b", "c"}, "'a, b'": {"a, b"}, "读书、健康": {"读书", "健康"}, "C#": {"C#"}, " a , ": {"a"},
		"": nil, " ": nil, "#": nil, ",": nil, "[]": nil, `""`: nil, "#5": {"5"}, "a, #5": {"a", "5"},
		"2024": {"2024"}, "a, 2024": {"a", "2024"}, // which may have others in them
	} {
		var c Conditions
		var asked Conditions
		for _, tag := range want {
			asked = append(asked, Condition{Tag: tag})
		}
		if err := c.AddTags(text); !slices.Equal(c, asked) || (err == nil) != (want != nil) {
			t.Errorf("%q asks for %s, %v; want %s", text, c, err, asked)
		}
	}
	for text, want := range map[string][][2]string{
		"status=done": {{"status", "done"}}, "Status: done": {{"status", "done"}}, "a=1, b=2": {{"a", "1"}, {"b", "2"}}, "a: 1; b: 2\nc=3": {{"a", "1"}, {"b", "2"}, {"c", "3"}},
		"title=Bread, wine and cheese": {{"title", "Bread, wine and cheese"}}, "at=noon, 10:30": {{"at", "noon, 10:30"}}, "url: https://e.org/?a=b": {{"url", "https://e.org/?a=b"}}, "about=[[Kyoto]]": {{"about", "Kyoto"}},
		"status=done type=note": {{"status", "done"}, {"type", "note"}}, "status=in progress type=note": {{"status", "in progress"}, {"type", "note"}}, "a=1 and b=2 AND c=3": {{"a", "1"}, {"b", "2"}, {"c", "3"}},
		"title=\"x y=2\" b=1": {{"title", "x y=2"}, {"b", "1"}}, "title=it's so b='1'": {{"title", "it's so"}, {"b", "1"}}, "a=b == c": {{"a", "b == c"}}, "状态=完成 类型=笔记": {{"状态", "完成"}, {"类型", "笔记"}}, "a: b c=d": {{"a", "b c=d"}},
		"a=1, b=": {{"a", "1, b="}}, "": nil, "a": nil, "=b": nil, "a=": nil, "tags=": nil,
	} {
		var c Conditions
		var meant Conditions
		for _, equal := range want {
			meant = append(meant, Condition{Key: equal[0], Value: equal[1]})
		}
		if err := c.AddKeyValues(text); !slices.Equal(c, meant) || (err == nil) != (want != nil) {
			t.Errorf("%q means %s, %v; want %s", text, c, err, meant)
		}
	}
}

// TestNestedInNumber: a tag of digits alone is none, but is asked for as others are
// nested in it.
func TestNestedInNumber(t *testing.T) {
	var c Conditions
	if err := c.AddTags("2024"); err != nil || !c.Folded().Match(Data{Tags: []string{"2024/Trip"}}, 0) || c.Folded().Match(Data{Tags: []string{"trip"}}, 0) {
		t.Errorf("%s, %v", c, err)
	}
}

func TestTOML(t *testing.T) {
	d := ReadData("a.md", "+++\ndate = 2024-11-05T10:00:00Z\ndraft = false\ntitle = \"\"\"\nno = 1\nat = all\"\"\"\n[extra]\nkind = \"a # b\" # c\n+++\ntext", true)
	want := []Field{{"date", []string{"2024-11-05T10:00:00Z"}}, {"draft", []string{"false"}}, {"extra.kind", []string{"a # b"}}}
	if !reflect.DeepEqual(d.Fields, want) || d.Date != 20241105 {
		t.Errorf("%s, %q", d.Date, d.Fields)
	}
}

func TestLinks(t *testing.T) {
	for text, want := range map[string]string{
		"[[Note]] and [[Note|text]], [[Other#Heading]] ![[image.png]]": "Note|Other|image.png",
		"[[folder/Note.md]] [[#here]] [[ ]] [[a\nb]] [[a [[b]]":        "folder/Note|b",
		"| [[Note\\|text]] |":                                       "Note",
		"`[[no]]` \\[[no]]\n```\n[[no]]\n```":                       "",
		"[x](other.md) [y](../top%20note.md#part) [z](</abs.md>)":   "/dir/other|/top note|/abs",
		"[x](https://e.org/a.md) [y](a.pdf) [z](../../out.md)":      "/dir/a.pdf|/out",
		"![i](<pic (1).png>) [x](b_(c).md \"title\") [y](my.md?raw": "/dir/pic (1).png|/dir/b_(c)",
		`[i](assets\ID3.png) [x](a\(b\).md) [c](图\算法.png)`:          "/dir/assets/ID3.png|/dir/a\\(b\\)|/dir/图/算法.png",
		"[f](folder/) [s](install) [h](#part) [w](//e.org/a.md)":    "",
	} {
		if got := strings.Join(ReadData("dir/a.md", text, true).LinkTargets, "|"); got != want {
			t.Errorf("%q leads to %q, want %q", text, got, want)
		}
	}
}

func TestParseDate(t *testing.T) {
	for text, want := range map[string]Date{
		"2024": 20240000, "2024-11": 20241100, "2024-11-05": 20241105, "2024-1-5": 20240105, "2024/11/05": 20241105, "2024.11.5": 20241105, "2024_11_05": 20241105, "20241105": 20241105,
		"2024年11月5日": 20241105, "2024年11月": 20241100, "2024年": 20240000, "2024-11-05T10:00:00Z": 20241105, "2024-11-05 10:00": 20241105,
		"5 Nov 2024": 20241105, "November 5, 2024": 20241105, "Tue, 05 Nov 2024 10:00:00 +0000": 20241105, "Nov 2024": 20241100, "5th November 2024": 20241105, "03-Jul-2001": 20010703,
		"": 0, "yesterday": 0, "05/11/2024": 0, "2024-13": 0, "2023-02-29": 0, "2024-02-29": 20240229, "2024-11-32": 0, "12": 0, "20241": 0, "2024-11-05x": 0, "2024 cats": 0, "31 Feb 2024": 0, "0000-01-01": 0,
	} {
		got, err := ParseDate(text)
		if got != want || (err == nil) != (want != 0) {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
		if again, err := ParseDate(got.String()); got != 0 && (err != nil || again != got) {
			t.Errorf("%s reads back as %d, %v", got, again, err)
		}
	}
	if Date(20240000).UpperBound() < 20241231 || Date(20240000).UpperBound() > 20250000 || Date(20241100).UpperBound() < 20241130 || Date(20241105).UpperBound() != 20241105 || Date(0).UpperBound() != 0 {
		t.Error("a month or year ends too early or too late")
	}
}

func TestDateOfName(t *testing.T) {
	for name, want := range map[string]Date{
		"a/2024-11-05.md": 20241105, "2024-11-05 Meeting.md": 20241105, "2024-11-05-post.md": 20241105, "2024-11-05b.md": 20241105,
		"20241105 meeting.md": 20241105, "20241105.md": 20241105, "20241105T0930.md": 20241105, "2024.11.05 x.md": 20241105, "2024.11.05.md": 20241105, "2024.11.05": 20241105,
		"2024_11_05": 20241105, "2024_11_05_notes.txt": 20241105, "2024年11月5日.md": 20241105, "2024年11月05日会议.md": 20241105, "2024-1-5.md": 20240105,
		"Meeting 2024-11-05.md": 20241105, "会议2024年11月5日.md": 20241105, "IMG_20241105_120000.jpg": 20241105, "standup_2024_11_05.md": 20241105,
		"2024-11-05 to 2024-11-08.md": 20241105, "of 2024-11-05, again 2024-11-05.md": 20241105,
		"5 Nov 2024.md": 20241105, "November 5th, 2024.md": 20241105, "Tuesday, November 5, 2024 standup.md": 20241105, "1st August 2024.md": 20240801,
		"202411051230.md": 20241105, "20241105123059 x.md": 20241105, "202411210930 Slip box.md": 20241121, "v2024.11.23.md": 20241123, "app-v2024.11.23.md": 20241123,
		"２０２４－１１－０５.md": 20241105, "２０２４年１１月５日.md": 20241105, "13-11-2024.md": 20241113, "scan 13.11.2024.md": 20241113, "11-13-2024.md": 20241113,

		"Discharge 2025-03.md": 20250300, "2024-11.md": 20241100, "2024_11 budget.md": 20241100, "体检2025年3月.md": 20250300, "Nov 2024.md": 20241100, "Newsletter, March 2025.md": 20250300,
		"Budget 2010-11.md": 0, "2024-13.md": 0, "2024-11 and 2024-12.md": 0, "v2024.11.md": 0, "ISO 2024-1105.md": 0, "a2024-11.md": 0, "plans 2025.md": 0, "Talk 2025.md": 0, "2024-11-.md": 0,

		"202411052530.md": 0, "202413051230.md": 0, "2024110512305.md": 0, "rev2024.11.23.md": 0, "v2024.1.5.md": 0, "13-11-2224.md": 0, "32-11-2024.md": 0,
		"2024-11-051.md": 0, "2024-11-45.md": 0, "notes.md": 0, "2024.md": 0, "": 0,
		"from 2024-11-05 to 2024-11-08.md": 0, "IDE 2024.1.5.md": 0, "05-11-2024.md": 0, "5.11.2024.md": 0,
		"12345678.md": 0, "abc20241105.md": 0, "20241105ef.json": 0, "2024/11/05.md": 0,
		"5 May plans.md": 0, "32 May 2024.md": 20240500,
	} {
		if got := DateInFileName(name); got != want {
			t.Errorf("%q is of %s, want %s", name, got, want)
		}
	}
}

func TestDateKeys(t *testing.T) {
	for matter, want := range map[string]Date{
		"created: 2024-01-02\ndate: 2023-05-06": 20230506, "updated: 2024-01-02": 20240102, "date: soon\ncreated: 2024-01-02": 20240102, "when: 2024-01-02": 0,
	} {
		if got := ReadData("a.md", "---\n"+matter+"\n---\n", true).Date; got != want {
			t.Errorf("%q is of %s, want %s", matter, got, want)
		}
	}
}

// FuzzOf: whatever a text holds, what is made of it is within the limits, and valid
// where the text is.
func FuzzOf(f *testing.F) {
	f.Add("---\ntags: [a, b]\ndate: 2024\nx:\n  - y: z\n---\n#a [[b|c]] [d](e.md) `f`")
	f.Add("+++\n[t]\ntags = ['a']\n+++\n```\n#a")
	f.Add("---\na: [\nb: [[c\n- d: '\n---\n<!-- #a -->")
	f.Fuzz(func(t *testing.T, text string) {
		d := ReadData("a/b.md", text, true)
		if len(d.Tags) > maxTags || len(d.Fields) > maxFields || len(d.LinkTargets) > maxLinks {
			t.Errorf("%d tags, %d fields, %d links", len(d.Tags), len(d.Fields), len(d.LinkTargets))
		}
		for _, all := range append([][]string{d.Tags, d.LinkTargets}, valuesIn(d)...) {
			for _, s := range all {
				if s == "" || len(s) > maxValue+1 || utf8.ValidString(text) && !utf8.ValidString(s) {
					t.Errorf("%q in %+v", s, d)
				}
			}
		}
	})
}

func valuesIn(d Data) (all [][]string) {
	for _, f := range d.Fields {
		all = append(all, f.Values)
	}
	return all
}

// BenchmarkOf: what a text costs that is nothing but beginnings of what is looked
// for grows with its length alone.
func BenchmarkDataOf(b *testing.B) {
	for name, piece := range map[string]string{"prose": "An ordinary line of some words.\n", "links": "[[", "code": "`` ` ", "tags": "#a/b "} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(piece, (1<<20)/len(piece))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				ReadData("a.md", text, true)
			}
		})
	}
}

// TestComments: what Obsidian and HTML do not show says nothing of a note.
func TestComments(t *testing.T) {
	d := ReadData("a.md", "#a %% #b %% #c <!-- #d %% --> #e\n%%\n#f\n%%\n50% off #g\n", true)
	if got := strings.Join(d.Tags, " "); got != "a c e g" {
		t.Errorf("tags %q", got)
	}
}

// TestBook: what the head of a Chinese book says of it is what front matter would.
func TestBook(t *testing.T) {
	const text = "<篇名>神农本草经\n书名：神农本草经\n作者：孙星衍  \n朝代：清  \n年份： \n\n<目录>\n\n作者：某人\n"
	want := []Field{{"书名", []string{"神农本草经"}}, {"作者", []string{"孙星衍"}}, {"朝代", []string{"清"}}}
	if got := ReadData("a.txt", text, false).Fields; !reflect.DeepEqual(got, want) {
		t.Errorf("the fields are %v", got)
	}
	for _, none := range []string{"作者：我\n\n日期：今天", "属性：古之长吏\n内容：某", strings.Repeat("\n", 30) + text} {
		if got := ReadData("a.txt", none, false).Fields; got != nil {
			t.Errorf("%.20q has the fields %v", none, got)
		}
	}
}
