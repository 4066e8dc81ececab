package localtest

import "strings"

// tokenizerBuilders return the tokenizer.json for an architecture, and its number of tokens.
var tokenizerBuilders = map[string]func() (file map[string]any, words int){
	"bert":        wordPieceTokenizer,
	"distilbert":  wordPieceTokenizer,
	"xlm-roberta": unigramTokenizer,
	"modernbert":  bytePairTokenizer,
}

const words = "the of and to in is blood pressure water bread salt note about patient page recipe for a should avoid"

func addedTokens(normalized bool, first int, names ...string) (tokens []any) {
	for i, name := range names {
		tokens = append(tokens, map[string]any{
			"id": first + i, "content": name, "special": true, "normalized": normalized,
			"single_word": false, "lstrip": false, "rstrip": false,
		})
	}
	return tokens
}

func templateProcessing(before, after string, ids map[string]int) map[string]any {
	special := map[string]any{}
	for _, name := range []string{before, after} {
		special[name] = map[string]any{"id": name, "ids": []int{ids[name]}, "tokens": []string{name}}
	}
	token := func(name string, kind int) any {
		return map[string]any{"SpecialToken": map[string]any{"id": name, "type_id": kind}}
	}
	text := func(name string, kind int) any {
		return map[string]any{"Sequence": map[string]any{"id": name, "type_id": kind}}
	}
	pair := []any{token(before, 0), text("A", 0), token(after, 0), text("B", 1), token(after, 1)}
	if before == "<s>" { // RoBERTa has a single token type
		pair = []any{token(before, 0), text("A", 0), token(after, 0), token(after, 0), text("B", 0), token(after, 0)}
	}
	return map[string]any{
		"type": "TemplateProcessing", "special_tokens": special,
		"single": []any{token(before, 0), text("A", 0), token(after, 0)},
		"pair":   pair,
	}
}

func wordPieceTokenizer() (file map[string]any, count int) {
	vocabulary := make(map[string]int)
	add := func(name string) {
		if _, ok := vocabulary[name]; !ok {
			vocabulary[name] = len(vocabulary)
		}
	}
	special := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	for _, name := range special {
		add(name)
	}
	for c := '!'; c <= '~'; c++ {
		if c < 'A' || 'Z' < c {
			add(string(c))
			add("##" + string(c))
		}
	}
	for _, name := range strings.Fields(words) {
		add(name)
	}
	for _, c := range "高血压患者第页盐的水" {
		add(string(c))
	}
	add("##ing")
	return map[string]any{
		"version": "1.0", "added_tokens": addedTokens(false, 0, special...),
		"normalizer":     map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": templateProcessing("[CLS]", "[SEP]", vocabulary),
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary,
		},
	}, len(vocabulary)
}

func unigramTokenizer() (file map[string]any, count int) {
	var vocabulary []any
	ids := make(map[string]int)
	add := func(name string, score float64) {
		if _, ok := ids[name]; !ok {
			ids[name] = len(vocabulary)
			vocabulary = append(vocabulary, []any{name, score})
		}
	}
	special := []string{"<s>", "<pad>", "</s>", "<unk>"}
	for _, name := range special {
		add(name, 0)
	}
	add("▁", -3)
	for c := '!'; c <= '~'; c++ {
		add(string(c), -6-float64(c)/64)
	}
	for i, name := range strings.Fields(words) {
		add("▁"+name, -5-float64(i)/8)
		add(name, -7-float64(i)/8)
	}
	for i, c := range []rune("高血压患者第页盐的水") {
		add(string(c), -8-float64(i)/8)
	}
	add("血压", -9)
	return map[string]any{
		"version": "1.0", "added_tokens": addedTokens(false, 0, special...),
		"normalizer":     map[string]any{"type": "NFKC"},
		"pre_tokenizer":  map[string]any{"type": "Metaspace", "replacement": "▁", "add_prefix_space": true, "prepend_scheme": "always"},
		"post_processor": templateProcessing("<s>", "</s>", ids),
		"model":          map[string]any{"type": "Unigram", "unk_id": 3, "vocab": vocabulary, "byte_fallback": false},
	}, len(vocabulary)
}

func bytePairTokenizer() (file map[string]any, count int) {
	vocabulary := make(map[string]int)
	special := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	for _, name := range special {
		vocabulary[name] = len(vocabulary)
	}
	next := rune(256)
	for i := range rune(256) {
		letter := i
		if !('!' <= i && i <= '~' || '¡' <= i && i <= '¬' || '®' <= i) {
			letter = next
			next++
		}
		vocabulary[string(letter)] = len(vocabulary)
	}
	var merges []string
	for _, name := range strings.Fields(words) {
		left := "Ġ"
		for _, c := range name {
			if _, ok := vocabulary[left+string(c)]; !ok {
				vocabulary[left+string(c)] = len(vocabulary)
				merges = append(merges, left+" "+string(c))
			}
			left += string(c)
		}
	}
	return map[string]any{
		"version": "1.0", "added_tokens": addedTokens(false, 0, special...),
		"normalizer":     map[string]any{"type": "NFC"},
		"pre_tokenizer":  map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
		"post_processor": templateProcessing("[CLS]", "[SEP]", vocabulary),
		"model":          map[string]any{"type": "BPE", "vocab": vocabulary, "merges": merges},
	}, len(vocabulary)
}
