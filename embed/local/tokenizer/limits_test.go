package tokenizer_test

import (
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"vademecum/embed/local/tokenizer"
)

// tokenizerWith is a tokenizer.json with other parts than those of the models.
func tokenizerWith(normalizer, preTokenizer, more string) []byte {
	return fmt.Appendf(nil, `{"normalizer":%s,"pre_tokenizer":%s,%s"model":{"type":"Unigram","unk_id":0,"vocab":[["<u>",0],["a",-1],[" ",-2]]}}`,
		normalizer, preTokenizer, more)
}

func sequenceOf(key, step string, n int) string {
	return `{"type":"Sequence","` + key + `":[` + strings.TrimSuffix(strings.Repeat(step+",", n), ",") + `]}`
}

// What steps make of a text stays within bounds, whatever each multiplies it by.
func TestStepsAreBounded(t *testing.T) {
	for name, file := range map[string][]byte{
		"normalizer": tokenizerWith(sequenceOf("normalizers", `{"type":"Replace","pattern":{"String":"a"},"content":"aa"}`, 28), "null", ""),
		"expression": tokenizerWith(sequenceOf("normalizers", `{"type":"Replace","pattern":{"Regex":"a"},"content":"aaaa"}`, 14), "null", ""),
		"metaspace": tokenizerWith(sequenceOf("normalizers", `{"type":"Replace","pattern":{"String":"a"},"content":"    "}`, 1),
			`{"type":"Metaspace","replacement":"`+strings.Repeat(" ", 256)+`"}`, ""),
	} {
		t.Run(name, func(t *testing.T) {
			k, err := tokenizer.Parse(file)
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			tokens := k.Tokens(strings.Repeat("a", 1<<10), 64)
			runtime.ReadMemStats(&after)
			if len(tokens) != 64 {
				t.Errorf("%d tokens, want 64", len(tokens))
			}
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 64 {
				t.Errorf("took %d MB", used)
			}
		})
	}
}

func TestRefusedSizes(t *testing.T) {
	nested := `{"type":"NFC"}`
	for range 5 {
		nested = sequenceOf("normalizers", nested, 1)
	}
	long := strings.Repeat("x", 1<<13)
	table := base64.StdEncoding.EncodeToString(append([]byte{0, 0, 0, 0}, long...))
	ids := strings.TrimSuffix(strings.Repeat("1,", 300), ",")
	for _, c := range []struct{ name, normalizer, preTokenizer, more, want string }{
		{"many steps", sequenceOf("normalizers", `{"type":"NFC"}`, 33), "null", "", "more than 32 steps"},
		{"nested", nested, "null", "", "too many sequences"},
		{"replacement", `{"type":"Replace","pattern":{"String":"a"},"content":"` + long + `"}`, "null", "", "replaces a match by 8192 bytes"},
		{"table", `{"type":"Precompiled","precompiled_charsmap":"` + table + `"}`, "null", "", "replaces a match by 8192 bytes"},
		{"expression", `{"type":"Replace","pattern":{"Regex":"` + long + `"},"content":""}`, "null", "", "a regular expression has 8192 bytes"},
		{"two metaspaces", "null", sequenceOf("pretokenizers", `{"type":"Metaspace","replacement":"_"}`, 2), "", "Metaspace is supported once"},
		{"added token", "null", "null", `"added_tokens":[{"id":1,"content":"` + long + `"}],`, "a token has 8192 bytes"},
		{"added tokens", "null", "null", `"added_tokens":[` + strings.TrimSuffix(strings.Repeat(`{"id":1,"content":"a"},`, 1<<14+1), ",") + `],`, "16385 added tokens"},
		{"tokens around", "null", "null", `"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"c"}},{"Sequence":{"id":"A"}}],"special_tokens":{"c":{"ids":[` + ids + `]}}},`, "more than 256 tokens around"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := tokenizer.Parse(tokenizerWith(c.normalizer, c.preTokenizer, c.more))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestNestedSequences(t *testing.T) {
	step := sequenceOf("pretokenizers", `{"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"a","prepend_scheme":"first"}`, 1)
	k, err := tokenizer.Parse(tokenizerWith("null", sequenceOf("pretokenizers", step, 1), ""))
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Tokens("b b", 9); fmt.Sprint(got) != "[1 0 0]" { // the first piece alone has the prefix
		t.Errorf("tokens %v", got)
	}
}
