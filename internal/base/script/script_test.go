package script

import "testing"

func TestOf(t *testing.T) {
	for system, text := range map[WritingSystem]string{
		OtherWritingSystem: "aZ9 é β я ع 。，（）「」😀\u0300\uFFFD①㎎",
		Han:                "糖尿病患者㐀﨑𠮷",
		HanSign:            "々〇〡⺼⼀",
		Kana:               "あんヽカンーｱㇰ",
		Hangul:             "혈압ᄀㄱﾡ",
		EastAsianSymbol:    "・〆゛゠",
		SouthEastAsian:     "ยาກខမ",
	} {
		for _, r := range text {
			if got := WritingSystemOf(r); got != system {
				t.Errorf("%q is of system %d, want %d", r, got, system)
			}
		}
	}
	for i := 1; i < len(blocks); i++ {
		if blocks[i].first <= blocks[i-1].last {
			t.Errorf("block %X is not after %X", blocks[i].first, blocks[i-1].first)
		}
	}
}

func TestSystems(t *testing.T) {
	for _, tt := range []struct {
		r              rune
		wide, unspaced bool
	}{{'a', false, false}, {'盐', true, true}, {'〇', true, true}, {'ー', true, true}, {'압', true, true}, {'・', true, false}, {'ย', false, true}, {'。', false, false}} {
		if IsEastAsian(tt.r) != tt.wide || IsUnspaced(tt.r) != tt.unspaced {
			t.Errorf("%q: wide %t, unspaced %t", tt.r, IsEastAsian(tt.r), IsUnspaced(tt.r))
		}
	}
}
