package analysis

import "testing"

func TestUnwrap(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "one\ntwo", "one\ntwo"},
		{"hyphenated", "hyper\u00AD\ntension, hypo\u00AD\r\n  tension", "hypertension, hypotension"},
		{"a hyphen of Unicode", "hyper\u2010\ntension, Hypo\u2010 \r\n  tension", "hypertension, Hypotension"},
		{"a hyphen of its word", "IL\u2010\n6, non\u2010\nHodgkin, X\u2010\nray, well\u2010known", "IL\u2010\n6, non\u2010\nHodgkin, X\u2010\nray, well\u2010known"},
		{"hyphen within a line", "hyper\u00ADtension", "hypertension"},
		{"hyphen at the end", "hyper\u00AD", "hyper"},
		{"Chinese", "高血\n压患\r\n者", "高血压患者"},
		{"Chinese with a blank line", "高血\n\n压", "高血\n\n压"},
		{"Chinese beside Latin", "高血\nABC\n压", "高血\nABC\n压"},
		{"Korean has spaces", "혈압\n환자", "혈압\n환자"},
		{"an article begins", "第一章 总则\n第一条 为了", "第一章 总则\n第一条 为了"},
		{"an article begins in brackets", "总则\n第十二条之一【范围】", "总则\n第十二条之一【范围】"},
		{"an article alone", "总则\n第2条", "总则\n第2条"},
		{"an article is named", "依照\n第三条规定\n第三者", "依照第三条规定第三者"},
		{"both", "前\n后 a\u00AD\nb\n末\n尾", "前后 ab\n末尾"},
	}
	for _, tt := range tests {
		if got := joinLines(tt.text); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
