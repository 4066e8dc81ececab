package tokenizer

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitter splits a text into the pieces of which a model makes tokens. It calls give with each,
// until give returns false, and then returns false. start says whether the text is at the beginning
// of the whole text.
type splitter func(text string, start bool, give func(piece string) bool) (more bool)

func parseSplitter(c component) (splitter, error) {
	steps, err := c.steps()
	if err != nil {
		return nil, err
	}
	if err := checkMetaspaces(steps); err != nil {
		return nil, err
	}
	all := splitter(func(text string, _ bool, give func(string) bool) bool { return text == "" || give(text) })
	for i := len(steps) - 1; i >= 0; i-- {
		first, err := parseSplitterStep(steps[i])
		if err != nil {
			return nil, err
		}
		then := all
		all = func(text string, start bool, give func(string) bool) bool {
			return first(text, start, func(piece string) bool {
				more := then(piece, start, give)
				start = false
				return more
			})
		}
	}
	return all, nil
}

// checkMetaspaces returns an error for a second Metaspace, because each could multiply the output
// of the previous one.
func checkMetaspaces(steps []component) error {
	count := 0
	for _, step := range steps {
		if step.kind == "Metaspace" {
			count++
		}
	}
	if count > 1 {
		return errors.New("the pre-tokenizer Metaspace is supported once")
	}
	return nil
}

// parseSplitterStep parses a pre-tokenizer that is not a sequence.
func parseSplitterStep(c component) (splitter, error) {
	switch c.kind {
	case "BertPreTokenizer":
		return splitWords, nil
	case "WhitespaceSplit":
		return splitSpaces, nil
	case "Metaspace":
		return parseMetaspace(c)
	case "ByteLevel":
		return parseByteLevel(c)
	case "Split":
		return parseSplit(c)
	}
	return nil, c.unsupported("pre-tokenizer")
}

// endsWithByteLevel reports whether a pre-tokenizer is a ByteLevel, or a sequence that ends
// with one.
func (c component) endsWithByteLevel() bool {
	steps, err := c.steps()
	return err == nil && len(steps) > 0 && steps[len(steps)-1].kind == "ByteLevel"
}

// splitWords splits at white space, and around each punctuation mark.
func splitWords(text string, _ bool, give func(string) bool) bool {
	from := 0
	for i, r := range text {
		space := isSpace(r)
		if !space && !isPunctuation(r) {
			continue
		}
		if from < i && !give(text[from:i]) {
			return false
		}
		from = i + utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n := utf8.DecodeRuneInString(text[i:])
			from = i + n
		}
		if !space && !give(text[i:from]) {
			return false
		}
	}
	return from == len(text) || give(text[from:])
}

func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
	}
	return unicode.Is(unicode.P, r)
}

func splitSpaces(text string, _ bool, give func(string) bool) bool {
	for word := range strings.FieldsFuncSeq(text, isSpace) {
		if !give(word) {
			return false
		}
	}
	return true
}

// parseMetaspace returns a splitter that makes spaces visible like SentencePiece, and splits before
// each.
func parseMetaspace(c component) (splitter, error) {
	var settings struct {
		Replacement string
		AddPrefix   *bool   `json:"add_prefix_space"`
		Prepend     *string `json:"prepend_scheme"`
		Split       *bool
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	prepend := "always"
	if settings.AddPrefix != nil && !*settings.AddPrefix {
		prepend = "never"
	}
	if settings.Prepend != nil {
		prepend = *settings.Prepend
	}
	mark := settings.Replacement
	if mark == "" || prepend != "always" && prepend != "first" && prepend != "never" {
		return nil, errors.New("the replacement or the prepend_scheme of the pre-tokenizer Metaspace is not supported")
	}
	if err := checkReplacement(mark); err != nil {
		return nil, err
	}
	whole := settings.Split != nil && !*settings.Split
	return func(text string, start bool, give func(string) bool) bool {
		text = firstBytes(strings.ReplaceAll(text, " ", mark), mostText)
		if (prepend == "always" || prepend == "first" && start) && !strings.HasPrefix(text, mark) {
			text = mark + text
		}
		for text != "" {
			n, skip := len(text), 0
			if strings.HasPrefix(text, mark) {
				skip = len(mark)
			}
			if at := strings.Index(text[skip:], mark); at >= 0 && !whole {
				n = skip + at
			}
			if !give(text[:n]) {
				return false
			}
			text = text[n:]
		}
		return true
	}, nil
}

// byteLevelPattern is the pattern of GPT-2, by which ByteLevel splits.
const byteLevelPattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+` + lastSpaces

// parseByteLevel returns a splitter that splits by byteLevelPattern, unless the settings say not to.
// The model then merges the bytes of each piece to tokens (type bpe).
func parseByteLevel(c component) (splitter, error) {
	var settings struct {
		AddPrefix bool  `json:"add_prefix_space"`
		Regex     *bool `json:"use_regex"`
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	split := func(text string, give func(string) bool) bool { return text == "" || give(text) }
	if settings.Regex == nil || *settings.Regex {
		var err error
		if split, err = splitByPattern(byteLevelPattern, true); err != nil {
			return nil, err
		}
	}
	return func(text string, _ bool, give func(string) bool) bool {
		if settings.AddPrefix && !strings.HasPrefix(text, " ") {
			text = " " + text
		}
		return split(text, give)
	}, nil
}

func parseSplit(c component) (splitter, error) {
	var settings struct {
		Pattern  textPattern `json:"pattern"`
		Behavior string      `json:"behavior"`
		Invert   bool        `json:"invert"`
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	isolated, matches := settings.Behavior == "Isolated" && !settings.Invert, settings.Behavior == "Removed" && settings.Invert
	if settings.Pattern.Regex == nil || !isolated && !matches {
		return nil, errors.New("the pre-tokenizer Split is supported with regular expressions and the behavior Isolated alone")
	}
	split, err := splitByPattern(*settings.Pattern.Regex, isolated)
	if err != nil {
		return nil, err
	}
	return func(text string, _ bool, give func(string) bool) bool { return split(text, give) }, nil
}

// lastSpaces ends the patterns of GPT-2 and its successors: the last of the spaces before a word
// belongs to it. It is the only part with a lookahead.
const lastSpaces = `|\s+(?!\S)|\s+`

// splitByPattern returns a function that splits a text into the matches of a regular expression
// and, if between is set, the text between them.
func splitByPattern(expression string, between bool) (func(text string, give func(string) bool) bool, error) {
	if err := checkPattern(expression); err != nil {
		return nil, err
	}
	head, ahead := strings.CutSuffix(expression, lastSpaces)
	if ahead {
		head += `|(\s+)`
	}
	re, err := regexp.Compile(withUnicodeSpaces(head))
	if err != nil || re.NumSubexp() > 1 || re.NumSubexp() == 1 && !ahead {
		return nil, errors.New("the regular expression of the pre-tokenizer Split is not supported")
	}
	return func(text string, give func(string) bool) bool {
		for text != "" {
			m := re.FindStringSubmatchIndex(text)
			if m == nil || m[1] == 0 {
				break
			}
			from, to := m[0], m[1]
			if ahead && m[2] >= 0 && to < len(text) {
				if _, n := utf8.DecodeLastRuneInString(text[:to]); to-n > from {
					to -= n
				}
			}
			if between && from > 0 && !give(text[:from]) || !give(text[from:to]) {
				return false
			}
			text = text[to:]
		}
		return !between || text == "" || give(text)
	}, nil
}

// spaces matches Unicode's property White_Space, within brackets.
const spaces = `\t-\r\x{85}\p{Z}`

// withUnicodeSpaces makes \s and \S refer to White_Space, as in other regular expression engines.
func withUnicodeSpaces(expression string) string {
	var b strings.Builder
	within := false // inside brackets
	for i := 0; i < len(expression); i++ {
		switch char := expression[i]; {
		case char == '\\' && i+1 < len(expression):
			i++
			switch next := expression[i]; {
			case next == 's' && within:
				b.WriteString(spaces)
			case next == 's':
				b.WriteString("[" + spaces + "]")
			case next == 'S' && !within:
				b.WriteString("[^" + spaces + "]")
			default:
				b.WriteString(`\` + string(next))
			}
		default:
			within = char == '[' || within && char != ']'
			b.WriteByte(char)
		}
	}
	return b.String()
}
