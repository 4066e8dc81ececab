package tokenizer_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/embed/local/localtest"
	"vademecum/embed/local/tokenizer"
)

func parse(t testing.TB, architecture string) *tokenizer.Tokenizer {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(localtest.Write(t, architecture, localtest.SmallShape), "tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := tokenizer.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestTokens holds tokens to those of version 0.23.2 of the tokenizers library.
func TestTokens(t *testing.T) {
	text, err := os.ReadFile("testdata/tokens.json")
	if err != nil {
		t.Fatal(err)
	}
	var known map[string]json.RawMessage
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(known["texts"], &texts); err != nil {
		t.Fatal(err)
	}
	for _, architecture := range []string{"bert", "xlm-roberta", "modernbert"} {
		var want [][]int32
		if err := json.Unmarshal(known[architecture], &want); err != nil || len(want) != len(texts) {
			t.Fatalf("%d lists of tokens, %v", len(want), err)
		}
		k := parse(t, architecture)
		for i, text := range texts {
			got := k.Tokens(text, 1<<20)
			if !slices.Equal(got, want[i]) {
				t.Errorf("%s: %q has the tokens %v, want %v", architecture, text, got, want[i])
			}
			for _, most := range []int{2, 3, 7} {
				short := append(slices.Clone(want[i][:min(most, len(want[i]))-1]), want[i][len(want[i])-1])
				if got := k.Tokens(text, most); !slices.Equal(got, short) {
					t.Errorf("%s: the first %d tokens of %q are %v, want %v", architecture, most, text, got, short)
				}
			}
		}
	}
}

// TestModelWithoutType: files of 2020 do not say of which kind their model is.
func TestModelWithoutType(t *testing.T) {
	for _, architecture := range []string{"bert", "xlm-roberta", "modernbert"} {
		text, err := os.ReadFile(filepath.Join(localtest.Write(t, architecture, localtest.SmallShape), "tokenizer.json"))
		if err != nil {
			t.Fatal(err)
		}
		var file map[string]any
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		delete(file["model"].(map[string]any), "type")
		if text, err = json.Marshal(file); err != nil {
			t.Fatal(err)
		}
		k, err := tokenizer.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", architecture, err)
			continue
		}
		const note = "The patient's blood pressure: 高血压 \u0301"
		if got, want := k.Tokens(note, 100), parse(t, architecture).Tokens(note, 100); !slices.Equal(got, want) {
			t.Errorf("%s: the tokens are %v, want %v", architecture, got, want)
		}
	}
}

// Long texts take time in proportion to their length: this would not end otherwise.
func TestLongTexts(t *testing.T) {
	for _, architecture := range []string{"bert", "xlm-roberta", "modernbert"} {
		k := parse(t, architecture)
		for _, part := range []string{"x", "salt", " ", "盐", "!", "\u0301", "[MASK]", "salt and 盐 "} {
			if tokens := k.Tokens(strings.Repeat(part, 1<<20/len(part)), 1<<30); len(tokens) < 2 {
				t.Errorf("%s: %d tokens of %q, often", architecture, len(tokens), part)
			}
		}
	}
}

// FuzzTokens has every text give tokens that are there, and as many as are asked for.
func FuzzTokens(f *testing.F) {
	var all []*tokenizer.Tokenizer
	for _, architecture := range []string{"bert", "xlm-roberta", "modernbert"} {
		all = append(all, parse(f, architecture))
	}
	f.Add("The patient's blood pressure: 高血压 [MASK] \xff\u200b", 5)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = min(max(most, 2), 1000)
		for _, k := range all {
			tokens := k.Tokens(text, most)
			if len(tokens) < 2 || len(tokens) > most {
				t.Errorf("%d tokens, at most %d are asked for", len(tokens), most)
			}
			for _, token := range tokens {
				if token < 0 || int(token) >= k.VocabularySize() {
					t.Errorf("token %d of %d", token, k.VocabularySize())
				}
			}
		}
	})
}

// FuzzParse has every file read or refused, also when a text is cut by it.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"added_tokens":[{"id":1,"content":"[M]","lstrip":true}],"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":{"type":"BertProcessing","sep":["a",0],"cls":["a",0]},"model":{"type":"WordPiece","unk_token":"a","continuing_subword_prefix":"##","max_input_chars_per_word":9,"vocab":{"a":0,"t":2,"##h":3}}}`,
		`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"BAAAAAAEAAAAAAAAYQA="},"pre_tokenizer":{"type":"WhitespaceSplit"},"model":{"type":"Unigram","unk_id":0,"vocab":[["a",-1]]}}`,
		`{"normalizer":{"type":"Sequence","normalizers":[{"type":"NFKC"},{"type":"Replace","pattern":{"Regex":" {2,}"},"content":"_"}]},"pre_tokenizer":{"type":"Metaspace","replacement":"_","prepend_scheme":"first"},"model":{"type":"Unigram","unk_id":0,"vocab":[["<u>",0],["_",-2],["_p",-1]]}}`,
		`{"normalizer":{"type":"NFC"},"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":" ?\\p{L}+|\\s+(?!\\S)|\\s+"},"behavior":"Isolated"},{"type":"ByteLevel","use_regex":false}]},"model":{"type":"BPE","vocab":{"a":0,"t":1,"i":2,"ti":3},"merges":["t i"]}}`,
	} {
		if _, err := tokenizer.Parse([]byte(text)); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := tokenizer.Parse(text)
		if err != nil {
			return
		}
		for _, token := range k.Tokens("The patient's 高血压 [MASK] \xff", 1<<20) {
			if token < 0 || int(token) >= k.VocabularySize() {
				t.Errorf("token %d of %d", token, k.VocabularySize())
			}
		}
	})
}
