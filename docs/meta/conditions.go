package meta

import (
	"slices"
	"strings"
	"unicode"

	"vademecum/internal/base/message"
)

// Conditions filter documents by their metadata: all conditions must hold. Without conditions,
// every document matches.
type Conditions []Condition

// A Condition is a condition on the metadata of a document. Exactly one field is set, or Key and
// Value.
type Condition struct {
	Tag        string // the document has this tag or one nested in it
	NotBefore  Date   // the document has this date or a later one
	NotAfter   Date   // the document has a date not after the end of this one
	Key, Value string // the front matter field Key has the value Value, possibly among others
}

// String describes the condition in English.
func (c Condition) String() string { return c.Message().String() }

// Message describes the condition.
func (c Condition) Message() message.Message {
	switch {
	case c.Tag != "":
		return message.New("#%s", c.Tag)
	case c.NotBefore != 0:
		return message.New("after %s", c.NotBefore)
	case c.NotAfter != 0:
		return message.New("before %s", c.NotAfter)
	}
	return message.New("%s=%s", c.Key, c.Value)
}

// admits reports whether a document meets the condition, unless that is one on its date. The condition's
// tag, key and value must have been passed through Fold.
func (c Condition) admits(d Data) bool {
	switch {
	case c.Tag != "":
		return slices.ContainsFunc(d.Tags, func(tag string) bool {
			tag = Fold(tag)
			return tag == c.Tag || strings.HasPrefix(tag, c.Tag+"/")
		})
	case c.NotBefore != 0 || c.NotAfter != 0:
		return true
	}
	return slices.ContainsFunc(d.Fields, func(f Field) bool {
		return f.Key == c.Key && slices.ContainsFunc(f.Values, func(v string) bool { return Fold(v) == c.Value })
	})
}

// Folded returns the conditions in the form used for comparison.
func (c Conditions) Folded() Conditions {
	all := make(Conditions, len(c))
	for i, one := range c {
		all[i] = Condition{Fold(one.Tag), one.NotBefore, one.NotAfter, Fold(one.Key), Fold(one.Value)}
	}
	return all
}

// Match reports whether a document with that date meets the conditions, whose tags, keys and values
// must have been passed through Fold. It defines what the conditions mean; an index of many documents
// evaluates them faster with sets.
func (c Conditions) Match(d Data, day Date) bool {
	return !slices.ContainsFunc(c, func(one Condition) bool { return !one.admits(d) }) && c.Period().MeetsDocument(day, d.ChunkDates)
}

// Period returns the period that the conditions on the date admit.
func (c Conditions) Period() Period {
	notBefore, notAfter := c.DateRange()
	return Period{notBefore, notAfter.UpperBound()}
}

// DateRange returns the first and the last of the dates that the conditions admit; 0 means no limit.
func (c Conditions) DateRange() (notBefore, notAfter Date) {
	for _, one := range c {
		notBefore = max(notBefore, one.NotBefore)
		if notAfter == 0 || one.NotAfter != 0 && one.NotAfter.UpperBound() < notAfter.UpperBound() {
			notAfter = one.NotAfter
		}
	}
	return notBefore, notAfter
}

var errTag = message.Errorf("must be tags such as project or recipes/soup")

// AddTags adds the tags in a text, separated by commas or each with a leading #. A tag may contain
// spaces, as in front matter lists.
func (c *Conditions) AddTags(text string) error {
	var tags Conditions
	for _, t := range parseTags(strings.TrimSpace(text)) {
		t = strings.TrimSpace(t)
		tag := cleanTag(strings.TrimLeft(t, "#"))
		switch {
		case strings.Trim(t, "#") == "":
			continue
		case tag == "" && isNumber(t): // not a tag, but it may contain others, such as 2024/trip
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

// isNumber reports whether a text consists of digits.
func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// parseTags parses a text that lists tags.
func parseTags(text string) (tags []string) {
	if text != "" && strings.Contains("[\"'", text[:1]) { // a list, or a quoted one
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

var errEqual = message.Errorf("must be KEY=VALUE, a front matter key and its value, such as status=draft")

// AddKeyValues adds "key=value", "key: value" as in front matter, or several of them, separated by
// commas or semicolons.
func (c *Conditions) AddKeyValues(text string) error {
	for _, one := range splitConditions(text) {
		key, value, ok := cutKeyValue(one)
		switch {
		case !ok:
			return errEqual
		case isTagKey(key):
			if err := c.AddTags(value); err != nil {
				return err
			}
		default:
			*c = append(*c, Condition{Key: key, Value: value})
		}
	}
	return nil
}

// cutKeyValue splits "key=value".
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

// splitConditions splits a text before each condition. A comma that no condition follows belongs to
// a value: "title=Bread, wine and cheese". After only a space, or "and", the next condition is
// recognised by its key and equals sign: "status=done type=note".
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

// quotedLength returns the length of the quoted value at a position, without the closing quotation
// mark; 0 if the mark is an apostrophe.
func quotedLength(text string, at int) int {
	if at == 0 || !strings.Contains("=: ", text[at-1:at]) {
		return 0
	}
	return max(-1, strings.IndexByte(text[at+1:], text[at])) + 1
}

// beginsCondition reports whether the text after a comma begins a condition.
func beginsCondition(next string) bool {
	if end := strings.IndexAny(next, ",;\n"); end >= 0 {
		next = next[:end]
	}
	_, _, isEqual := cutKeyValue(next)
	return isEqual && (strings.Contains(next, "=") || strings.Contains(next, ": "))
}

// beginsWithKey reports whether a text begins with a key, an equals sign and a value, without
// spaces between them.
func beginsWithKey(text string) bool {
	isOfKey := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.", r) }
	text = text[:min(len(text), maxValue)]
	after := strings.TrimLeftFunc(text, isOfKey)
	return len(after) < len(text) && len(after) > 1 && after[0] == '=' && after[1] != '=' && after[1] != ' '
}

// trimAndWord removes a trailing "and" from a condition.
func trimAndWord(condition string) string {
	words := strings.TrimRight(condition, " ")
	if at := strings.LastIndexByte(words, ' '); at >= 0 && (strings.EqualFold(words[at+1:], "and") || words[at+1:] == "&&") {
		return words[:at]
	}
	return condition
}

// TagAndAncestors yields a tag and each tag in which it is nested: "a/b" and "a".
func TagAndAncestors(tag string) func(yield func(string) bool) {
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
