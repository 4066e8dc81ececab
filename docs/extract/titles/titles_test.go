package titles

import (
	"strings"
	"testing"
)

func TestSensibleTitle(t *testing.T) {
	for in, want := range map[string]string{
		"1984": "1984", "Of presentation": "Of presentation", "Презентация PowerPoint": "", "PowerPoint-Präsentation": "", "PowerPoint Presentation": "",
		"Microsoft Word - a.doc": "", "Document1": "", "Untitled Spreadsheet": "", "演示文稿1": "",
	} {
		if got := Chosen(in); got != want {
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
		"12":                           "",
		"\x01\x02\x03abc":              "",
		strings.Repeat("long ", 100):   "",
	} {
		if got := ChosenStrictly(title); got != want {
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
		"Introduction to Algorithms":                       true,
		"White Paper on Salt":                              true,
		"Volume control":                                   true,
		"Proceedings are public":                           true,
		"1984":                                             true,
		"A journal of the plague year":                     true,
		"高血压患者的饮食":                                         true,
	} {
		if got := IsTitle(title); got != want {
			t.Errorf("IsTitle(%q) = %v", title, got)
		}
	}
}
