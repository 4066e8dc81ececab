package tokenizer

import (
	"errors"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normalizer converts a text to the form that a model expects.
type normalizer func(text string) string

// parseNormalizer parses the steps of a normalizer. The output of each step is limited in length.
func parseNormalizer(c component) (normalizer, error) {
	steps, err := c.steps()
	if err != nil {
		return nil, err
	}
	var all []normalizer
	for _, step := range steps {
		n, err := parseNormalizerStep(step)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return func(text string) string {
		text = firstBytes(text, mostText)
		for _, n := range all {
			text = firstBytes(n(text), mostText)
		}
		return text
	}, nil
}

// parseNormalizerStep parses a normalizer that is not a sequence. It multiplies the length of a
// text by at most mostReplacement.
func parseNormalizerStep(c component) (normalizer, error) {
	switch c.kind {
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "Lowercase":
		return toLowercase, nil
	case "StripAccents":
		return func(text string) string { return removeMarks(text, unicode.M) }, nil
	case "BertNormalizer":
		return parseBertNormalizer(c)
	case "Precompiled":
		return parsePrecompiled(c)
	case "Replace":
		return parseReplace(c)
	case "Strip":
		return parseStrip(c)
	}
	return nil, c.unsupported("normalizer")
}

func parseBertNormalizer(c component) (normalizer, error) {
	var settings struct {
		Clean   bool  `json:"clean_text"`
		Chinese bool  `json:"handle_chinese_chars"`
		Accents *bool `json:"strip_accents"`
		Lower   bool  `json:"lowercase"`
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	accents := settings.Lower
	if settings.Accents != nil {
		accents = *settings.Accents
	}
	return func(text string) string {
		if settings.Clean {
			text = strings.Map(cleanCharacter, text)
		}
		if settings.Chinese {
			text = padIdeographs(text)
		}
		if accents {
			text = removeMarks(norm.NFD.String(text), unicode.Mn)
		}
		if settings.Lower {
			text = toLowercase(text)
		}
		return text
	}, nil
}

// cleanCharacter removes characters that are not text, and maps all white space to a space.
func cleanCharacter(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
		return -1
	case isSpace(r):
		return ' '
	}
	return r
}

// isSpace reports whether a character has Unicode's property White_Space.
var isSpace = unicode.IsSpace

// padIdeographs puts spaces around the ideographs that BERT's authors listed.
func padIdeographs(text string) string {
	if strings.IndexFunc(text, isIdeograph) < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) * 5 / 3)
	for _, r := range text {
		if isIdeograph(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isIdeograph(r rune) bool {
	return r >= 0x3400 && (r <= 0x4dbf || 0x4e00 <= r && r <= 0x9fff || 0xf900 <= r && r <= 0xfaff ||
		0x20000 <= r && r <= 0x2a6df || 0x2a700 <= r && r <= 0x2ceaf || 0x2f800 <= r && r <= 0x2fa1f)
}

func removeMarks(text string, marks *unicode.RangeTable) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(marks, r) {
			return -1
		}
		return r
	}, text)
}

// toLowercase converts each character to lower case, regardless of context.
func toLowercase(text string) string {
	if strings.ContainsRune(text, 'İ') { // the only character that becomes two
		text = strings.ReplaceAll(text, "İ", "i\u0307")
	}
	return strings.Map(unicode.ToLower, text)
}

func parseStrip(c component) (normalizer, error) {
	var settings struct {
		Left  bool `json:"strip_left"`
		Right bool `json:"strip_right"`
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	return func(text string) string {
		if settings.Left {
			text = strings.TrimLeftFunc(text, isSpace)
		}
		if settings.Right {
			text = strings.TrimRightFunc(text, isSpace)
		}
		return text
	}, nil
}

// textPattern is a pattern to search for in a text.
type textPattern struct {
	String *string
	Regex  *string
}

func parseReplace(c component) (normalizer, error) {
	var settings struct {
		Pattern textPattern `json:"pattern"`
		Content string      `json:"content"`
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	if err := checkReplacement(settings.Content); err != nil {
		return nil, err
	}
	switch p := settings.Pattern; {
	case p.String != nil && *p.String != "":
		return func(text string) string { return strings.ReplaceAll(text, *p.String, settings.Content) }, nil
	case p.Regex != nil:
		if err := checkPattern(*p.Regex); err != nil {
			return nil, err
		}
		re, err := regexp.Compile(withUnicodeSpaces(*p.Regex))
		if err != nil {
			return nil, c.unsupported("regular expression of")
		}
		return func(text string) string { return re.ReplaceAllLiteralString(text, settings.Content) }, nil
	}
	return nil, errors.New("the normalizer Replace has no pattern")
}
