package meta

import (
	"slices"
	"strings"
	"unicode"

	"vademecum/internal/base/message"
)

// Conditions say which documents are meant, by what they say of themselves: those
// that fulfil all. Without any all are meant.
type Conditions []Condition

// A Condition is one thing that some documents say of themselves: one field is set, or
// Key and Value.
type Condition struct {
	Tag        string // the document has it, or one that is nested in it
	After      Date   // the document is of that date or a later one
	Before     Date   // the document is of a date up to the end of that one
	Key, Value string // Key of the front matter has Value, or has it among others
}

// String says the condition in few English words.
func (c Condition) String() string { return c.Message().String() }

// Message says the condition in few words.
func (c Condition) Message() message.Message {
	switch {
	case c.Tag != "":
		return message.New("#%s", c.Tag)
	case c.After != 0:
		return message.New("after %s", c.After)
	case c.Before != 0:
		return message.New("before %s", c.Before)
	}
	return message.New("%s=%s", c.Key, c.Value)
}

// admits tells whether a document of a day fulfils the condition, which is folded.
func (c Condition) admits(d Data, day Date) bool {
	switch {
	case c.Tag != "":
		return slices.ContainsFunc(d.Tags, func(tag string) bool {
			tag = Fold(tag)
			return tag == c.Tag || strings.HasPrefix(tag, c.Tag+"/")
		})
	case c.After != 0:
		return day >= c.After
	case c.Before != 0:
		return day <= c.Before.LastDate()
	}
	return slices.ContainsFunc(d.Fields, func(f Field) bool {
		return f.Key == c.Key && slices.ContainsFunc(f.Values, func(v string) bool { return Fold(v) == c.Value })
	})
}

// Folded returns the conditions in the form in which they are compared.
func (c Conditions) Folded() Conditions {
	all := make(Conditions, len(c))
	for i, one := range c {
		all[i] = Condition{Fold(one.Tag), one.After, one.Before, Fold(one.Key), Fold(one.Value)}
	}
	return all
}

// Admit tells whether a document of a day fulfils the conditions, which are
// folded. That is what they mean; a holder of many documents is faster with sets.
func (c Conditions) Admit(d Data, day Date) bool {
	return !slices.ContainsFunc(c, func(one Condition) bool { return !one.admits(d, day) })
}

// Period returns the dates from and up to which documents are, 0 where they may be of any.
func (c Conditions) Period() (after, before Date) {
	for _, one := range c {
		after = max(after, one.After)
		if before == 0 || one.Before != 0 && one.Before.LastDate() < before.LastDate() {
			before = one.Before
		}
	}
	return after, before
}

var errTag = message.Errorf("must be tags such as project or recipes/soup")

// AddTags adds the tags in a text, with commas between or a # before each. A tag may
// have spaces in it, as those in lists of front matter do.
func (c *Conditions) AddTags(text string) error {
	var tags Conditions
	for _, t := range parseTags(strings.TrimSpace(text)) {
		t = strings.TrimSpace(t)
		tag := cleanTag(strings.TrimLeft(t, "#"))
		switch {
		case strings.Trim(t, "#") == "":
			continue
		case tag == "" && isNumber(t): // which is none, but may have others in it, as 2024/trip
			tag = t
		case tag == "":
			return errTag
		}
		tags = append(tags, Condition{Tag: tag})
	}
	if len(tags) == 0 {
		return errTag
	}
	*c = append(*c, tags...)
	return nil
}

// isNumber tells a text of digits alone.
func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// parseTags takes apart a text that asks for tags.
func parseTags(text string) (tags []string) {
	if text != "" && strings.Contains("[\"'", text[:1]) { // a list, or one in quotes
		fields := fieldsOf("---\nasked: " + text + "\n---\n")
		if len(fields) == 0 {
			return nil
		}
		return fields[0].Values
	}
	for _, part := range splitAny(text, tagSeparators) {
		tags = append(tags, strings.Split(" "+part, " #")...)
	}
	return tags
}

var errEqual = message.Errorf("must be KEY=VALUE, a key of the front matter and what it says, such as status=draft")

// AddKeyValues adds "key=value", or "key: value" as front matter has it, or several with
// commas or semicolons between.
func (c *Conditions) AddKeyValues(text string) error {
	for _, one := range splitConditions(text) {
		key, value, ok := cutKeyValue(one)
		switch {
		case !ok:
			return errEqual
		case IsTagKey(key):
			if err := c.AddTags(value); err != nil {
				return err
			}
		default:
			*c = append(*c, Condition{Key: key, Value: value})
		}
	}
	return nil
}

// cutKeyValue takes "key=value" apart.
func cutKeyValue(text string) (key, value string, ok bool) {
	at := strings.IndexAny(text, "=:")
	if at < 0 {
		return "", "", false
	}
	key, value = cleanKey(text[:at]), withoutQuotes(strings.TrimSpace(text[at+1:]))
	if name, isLink := wholeLink(value); isLink {
		value = name
	}
	return key, value, key != "" && value != ""
}

// splitConditions parts a text before each condition in it. A comma that no other follows
// is one of a value: "title=Bread, wine and cheese". Where a space alone is between, or
// "and", the next is told by its key and sign: "status=done type=note".
func splitConditions(text string) []string {
	conditions, from, hasSign := []string{}, 0, false
	for at := 0; at < len(text); at++ {
		isNext := false
		switch text[at] {
		case '=':
			hasSign = true
		case '"', '\'':
			at += quotedLength(text, at)
		case ' ':
			isNext = hasSign && beginsWithKey(text[at+1:])
		case ',', ';', '\n':
			isNext = beginsCondition(text[at+1:])
		}
		if isNext {
			conditions, from, hasSign = append(conditions, trimAndWord(text[from:at])), at+1, false
		}
	}
	return append(conditions, text[from:])
}

// quotedLength is how much of a text from a quotation mark on is a value in such marks,
// without the mark that ends it; 0 for an apostrophe.
func quotedLength(text string, at int) int {
	if at == 0 || !strings.Contains("=: ", text[at-1:at]) {
		return 0
	}
	return max(-1, strings.IndexByte(text[at+1:], text[at])) + 1
}

// beginsCondition tells whether a condition follows a comma.
func beginsCondition(next string) bool {
	if end := strings.IndexAny(next, ",;\n"); end >= 0 {
		next = next[:end]
	}
	_, _, isEqual := cutKeyValue(next)
	return isEqual && (strings.Contains(next, "=") || strings.Contains(next, ": "))
}

// beginsWithKey tells whether a text begins with a key, its sign and a value, with no
// space between.
func beginsWithKey(text string) bool {
	isOfKey := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.", r) }
	text = text[:min(len(text), maxValue)]
	after := strings.TrimLeftFunc(text, isOfKey)
	return len(after) < len(text) && len(after) > 1 && after[0] == '=' && after[1] != '=' && after[1] != ' '
}

// trimAndWord is a condition without the word that joins it to the next.
func trimAndWord(condition string) string {
	words := strings.TrimRight(condition, " ")
	if at := strings.LastIndexByte(words, ' '); at >= 0 && (strings.EqualFold(words[at+1:], "and") || words[at+1:] == "&&") {
		return words[:at]
	}
	return condition
}

// SelfAndAncestors calls yield with a tag and with each in which it is nested: "a/b" and
// "a".
func SelfAndAncestors(tag string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for yield(tag) {
			at := strings.LastIndexByte(tag, '/')
			if at <= 0 {
				return
			}
			tag = tag[:at]
		}
	}
}
