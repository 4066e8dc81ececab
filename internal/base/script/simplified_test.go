package script

import "testing"

func TestSimplify(t *testing.T) {
	for r, want := range map[rune]rune{'髮': '发', '發': '发', '裏': '里', '发': '发', 'a': 'a', 'あ': 'あ', '㐀': '㐀'} {
		if got := Simplify(r); got != want {
			t.Errorf("Simplify(%q) = %q, want %q", r, got, want)
		}
	}
	pairs := 0
	for r := rune(firstHan); r <= lastHan; r++ {
		if Simplify(r) != r {
			pairs++
		}
	}
	if pairs < 2000 {
		t.Errorf("%d pairs of characters", pairs)
	}
}

func TestIsTraditional(t *testing.T) {
	for text, want := range map[string]bool{"": false, "tar": false, "解壓縮檔案": true, "解压缩档案": false, "著名的计算机程序": false, "目录": false} {
		if got := IsTraditional(text); got != want {
			t.Errorf("%q is in traditional writing: %t", text, got)
		}
	}
}
