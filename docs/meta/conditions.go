package meta

import (
	"errors"
	"slices"
	"strings"
)

// Conditions say which documents are meant, by what they say of themselves: those
// that fulfil all. The zero value is fulfilled by all.
type Conditions struct {
	Tags   []string // the document has each, or one that is nested in it
	After  Date     // the document is of that date or a later one; 0: whenever
	Before Date     // the document is of a date up to the end of that one; 0: whenever
	Where  []Equal  // each is true
}

// Equal says that a key of the front matter has a value, or has it among others.
type Equal struct{ Key, Value string }

// IsZero tells whether all documents fulfil the conditions.
func (c Conditions) IsZero() bool {
	return len(c.Tags) == 0 && len(c.Where) == 0 && c.After == 0 && c.Before == 0
}

// Folded returns the conditions in the form in which they are compared.
func (c Conditions) Folded() Conditions {
	tags := make([]string, len(c.Tags))
	for i, t := range c.Tags {
		tags[i] = Fold(cleanTag(t))
	}
	where := make([]Equal, len(c.Where))
	for i, w := range c.Where {
		where[i] = Equal{Fold(w.Key), Fold(w.Value)}
	}
	return Conditions{tags, c.After, c.Before.Last(), where}
}

// Admit tells whether a document of a day fulfils the conditions, which are
// folded. That is what they mean; who holds many documents is faster with sets.
func (c Conditions) Admit(d Data, day Date) bool {
	if c.After != 0 && day < c.After || c.Before != 0 && day > c.Before {
		return false
	}
	for _, want := range c.Tags {
		if !slices.ContainsFunc(d.Tags, func(tag string) bool {
			tag = Fold(tag)
			return tag == want || strings.HasPrefix(tag, want+"/")
		}) {
			return false
		}
	}
	for _, want := range c.Where {
		if !slices.ContainsFunc(d.Fields, func(f Field) bool {
			return f.Key == want.Key && slices.ContainsFunc(f.Values, func(v string) bool { return Fold(v) == want.Value })
		}) {
			return false
		}
	}
	return true
}

var errTag = errors.New("must be tags such as project or recipes/soup")

// AddTags adds the tags in a text, with commas or spaces between.
func (c *Conditions) AddTags(text string) error {
	var tags []string
	for _, t := range splitTags(strings.TrimSpace(text)) {
		if t = strings.TrimLeft(t, "#"); t == "" {
			continue
		}
		if cleanTag(t) == "" {
			return errTag
		}
		tags = append(tags, cleanTag(t))
	}
	c.Tags = append(c.Tags, tags...)
	return nil
}

var errEqual = errors.New("must be KEY=VALUE, a key of the front matter and what it says, such as status=draft")

// AddWhere adds "key=value", or "key: value" as front matter has it.
func (c *Conditions) AddWhere(text string) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		key, value, ok = strings.Cut(text, ":")
	}
	key, value = cleanKey(key), scalar(strings.TrimSpace(value))
	if name, isLink := wholeLink(value); isLink {
		value = name
	}
	switch {
	case !ok || key == "" || value == "":
		return errEqual
	case IsTagKey(key):
		return c.AddTags(value)
	}
	c.Where = append(c.Where, Equal{key, value})
	return nil
}

// Ancestors calls yield with a tag and with each in which it is nested: "a/b" and
// "a".
func Ancestors(tag string) func(yield func(string) bool) {
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
