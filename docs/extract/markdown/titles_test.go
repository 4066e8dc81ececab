package markdown

import (
	"strings"
	"testing"
)

func TestSensibleTitle(t *testing.T) {
	for in, want := range map[string]string{
		"1984": "1984", "Of presentation": "Of presentation", "Презентация PowerPoint": "", "PowerPoint-Präsentation": "", "PowerPoint Presentation": "",
		"bingdian001.com": "", "www.example.org/a": "", "Node.js in Action": "Node.js in Action", "Microsoft Word - a.doc": "", "Document1": "", "Untitled Spreadsheet": "", "演示文稿1": "",
	} {
		if got := RemoveGeneratedTitle(in); got != want {
			t.Errorf("sensibleTitle(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSensiblePDFTitle(t *testing.T) {
	for title, want := range map[string]string{
		"  Free   Culture ":            "Free Culture",
		"高血压患者的饮食":                     "高血压患者的饮食",
		"Unknown Pleasures of Reading": "Unknown Pleasures of Reading",
		"Microsoft Word - thesis.doc":  "",
		"thesis_final (2).docx":        "",
		"untitled":                     "",
		"Untitled spreadsheet":         "",
		"(Unsaved Publication)":        "",
		"Book1":                        "",
		"Book of Hours":                "Book of Hours",
		"PowerPoint 演示文稿":              "",
		"/home/me/paper":               "",
		"PowerPoint-Präsentation":      "",
		"example.com":                  "",
		"12":                           "",
		"\x01\x02\x03abc":              "",
		strings.Repeat("long ", 100):   "",
	} {
		if got := CleanMetadataTitle(title); got != want {
			t.Errorf("sensiblePDFTitle(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestIsTitle(t *testing.T) {
	for title, want := range map[string]bool{
		"":                                     false,
		"arXiv:2105.00613v2 [cs.DB] 3 May":     false,
		"Paper Title (use style: paper title)": false,
		"This paper is included in the Proceedings of the": false,
		"Proceedings of FREENIX Track:":                    false,
		"White Paper":                                      false,
		"Boston, Massachusetts, USA June 25–30, 2001":      false,
		"2019 IEEE International Conference on Data":       false,
		"https://example.org/a":                            false,
		"Vol. 3":                                           false,
		"Department of Medicine":                           false,
		"ann@example.org":                                  false,
		"Introduction to Algorithms":                       true,
		"White Paper on Salt":                              true,
		"Volume control":                                   true,
		"Proceedings are public":                           true,
		"1984":                                             true,
		"A journal of the plague year":                     true,
		"高血压患者的饮食":                                         true,
	} {
		if got := MayBeDocumentTitle(title); got != want {
			t.Errorf("IsTitle(%q) = %v", title, got)
		}
	}
}

// TestSays checks that the title of a template does not count as that of a document made from it.
func TestSays(t *testing.T) {
	for _, c := range []struct {
		text, title string
		want        bool
	}{
		{"# Salt in the diet\n\nMuch of it.", "Salt in the Diet", true},
		{"Report on data mining", "Guide to operating systems", false},
		{"数据挖掘课程设计实验报告 操作系统 Windows", "操作系统课程设计指导书", false},
		{"《操作系统》课程设计\n指导书", "操作系统课程设计指导书", true},
		{"anything", "", true},
	} {
		if got := TextMentionsTitle(c.text, c.title); got != c.want {
			t.Errorf("%q says %q: %t", c.text, c.title, got)
		}
	}
}
