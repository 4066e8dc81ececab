package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"testing"
)

// compiled makes a double array of keys and what they are replaced by: each unit has its
// children at its offset XOR their bytes, and what a key stands for at its offset itself.
func compiled(t *testing.T, replacements map[string]string) string {
	t.Helper()
	const size = 1 << 16
	units := make([]uint32, size)
	used := make([]bool, size)
	used[0] = true
	var texts []byte
	var place func(at uint32, prefix string)
	place = func(at uint32, prefix string) {
		var children []byte
		for key := range replacements {
			if len(key) > len(prefix) && key[:len(prefix)] == prefix && !slices.Contains(children, key[len(prefix)]) {
				children = append(children, key[len(prefix)])
			}
		}
		slices.Sort(children)
		if to, ok := replacements[prefix]; ok {
			children = slices.Insert(children, 0, 0)
			units[at] |= 1 << 8
			defer func(from int) { units[at^units[at]>>10] = 1<<31 | uint32(from) }(len(texts))
			texts = append(append(texts, to...), 0)
		}
		offset := uint32(1)
		for slices.ContainsFunc(children, func(b byte) bool { return used[at^offset^uint32(b)] }) {
			offset++
		}
		units[at] |= offset << 10
		for _, b := range children {
			used[at^offset^uint32(b)] = true
		}
		for _, b := range children {
			if b != 0 {
				units[at^offset^uint32(b)] |= uint32(b)
				place(at^offset^uint32(b), prefix+string([]byte{b}))
			}
		}
	}
	place(0, "")
	table := binary.LittleEndian.AppendUint32(nil, 4*size)
	for _, unit := range units {
		table = binary.LittleEndian.AppendUint32(table, unit)
	}
	return base64.StdEncoding.EncodeToString(append(table, texts...))
}

// What is expected here is what the tokenizers library does, also where it is odd: a
// cluster of up to 5 bytes becomes what its shortest beginning in the table does.
func TestPrecompiled(t *testing.T) {
	settings, err := json.Marshal(map[string]any{"type": "Precompiled", "precompiled_charsmap": compiled(t, map[string]string{
		"ﬁ": "fi", "e\u0301": "é", "\u3000": " ", "Ａ": "A", "\u200b": "", "½": "1/2", "\r\n": " ", "\n": " ", "ab": "never", "\u0340": "\u0300",
	})})
	if err != nil {
		t.Fatal(err)
	}
	normalize, err := parseNormalizer(component{"Precompiled", settings})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":              "",
		"plain":         "plain",
		"ﬁn":            "fin",
		"ﬁ\u0301n":      "fin", // the accent is lost with its cluster
		"ﬁ\u0301\u0301": "fi\u0301\u0301",
		"\u0340\u0353":  "\u0300",
		"x\u0340\u0353": "x\u0300\u0353", // nothing is lost of a cluster that is not in the table
		"e\u0301":       "é",
		"xe\u0301x":     "xéx",
		"ｅ\u0301":       "ｅ\u0301",
		"a\u3000ＡＢ":     "a AＢ",
		"a\u200bb":      "ab",
		"1½\r\n2\n":     "11/2 2 ",
		"ab":            "ab", // two clusters
		"盐\xff":         "盐\xff",
	} {
		if got := normalize(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestPrecompiledDamaged(t *testing.T) {
	for _, table := range []string{"", "AA==", "!", "/////w==", "CAAAAAAAAAA="} {
		settings, err := json.Marshal(map[string]any{"precompiled_charsmap": table})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseNormalizer(component{"Precompiled", settings}); err == nil {
			t.Errorf("no error for the table %q", table)
		}
	}
}
