package mindmap

import (
	"encoding/json"
	"errors"
	"io"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// errBroken is returned for JSON that is truncated or invalid.
var errBroken = extract.Skip("damaged JSON")

// A jsonReader reads the maps of a file in the newer format value by value, to save memory. If
// there is an error, the values before it are kept.
type jsonReader struct {
	*mapFile
	d     *json.Decoder
	depth int // nesting depth of the current topic
	err   error
}

// readSheets reads the maps of a file in the newer format.
func (f *mapFile) readSheets(r io.Reader) error {
	j := &jsonReader{mapFile: f, d: json.NewDecoder(r)}
	j.eachElement(j.readSheet)
	return j.err
}

func (j *jsonReader) readSheet() {
	s, err := j.beginSheet()
	if err != nil {
		j.fail(err)
		return
	}
	j.eachMember(func(key string) {
		switch key {
		case "title":
			s.name = givenSheetName(j.readText())
		case "rootTopic":
			j.topics++
			j.readTopic(&s.root)
		case "relationships":
			j.eachElement(func() { j.readRelation(s) })
		default:
			j.skipValue()
		}
	})
}

func (j *jsonReader) readRelation(s *sheet) {
	var r relation
	j.eachMember(func(key string) {
		switch key {
		case "end1Id":
			r.from = j.readText()
		case "end2Id":
			r.to = j.readText()
		case "title":
			r.label = markdown.OneLine(j.readText())
		default:
			j.skipValue()
		}
	})
	if r.label != "" && len(s.relations) < maxTopics {
		s.relations = append(s.relations, r)
	}
}

// readTopic reads a topic and its descendants.
func (j *jsonReader) readTopic(t *topic) {
	if j.depth++; j.depth > extract.MaxNestingDepth {
		j.fail(extract.ErrNestedTooDeeply)
		return
	}
	defer func() { j.depth-- }()
	var b xmindChildren
	href := ""
	j.eachMember(func(key string) {
		switch key {
		case "id":
			t.id = j.readText()
		case "title":
			t.title = markdown.OneLine(j.readText())
		case "href":
			href = j.readText()
		case "notes":
			t.addNote(j.readNote())
		case "labels":
			t.addLabels(j.readTexts())
		case "children":
			j.eachMember(func(kind string) { j.eachElement(func() { j.readChildren(b.topicsOfKind(kind)) }) })
		case "boundaries":
			j.eachElement(func() { t.addNote(j.readMembers("title")["title"]) })
		case "summaries":
			j.eachElement(func() { m := j.readMembers("topicId", "range"); b.placeSummary(m["topicId"], m["range"]) })
		default:
			j.skipValue()
		}
	})
	t.addLink(href)
	t.children = b.inReadingOrder()
	j.fail(j.countHeldText(t))
}

func (j *jsonReader) readChildren(within *topic) {
	t, err := j.beginTopic(within)
	if err != nil {
		j.fail(err)
		return
	}
	j.readTopic(t)
}

// readNote returns a note, which is stored both formatted and as plain text.
func (j *jsonReader) readNote() string {
	words, shown := "", ""
	j.eachMember(func(key string) {
		switch key {
		case "plain":
			words = j.readMembers("content")["content"]
		case "realHTML":
			shown = j.readMembers("content")["content"]
		default:
			j.skipValue()
		}
	})
	if words == "" {
		return plainText(shown)
	}
	return words
}

// readMembers returns the members of the next object that have one of the given keys and a string
// as their value.
func (j *jsonReader) readMembers(keys ...string) map[string]string {
	m := make(map[string]string)
	j.eachMember(func(key string) {
		for _, k := range keys {
			if key == k {
				m[k] = j.readText()
				return
			}
		}
		j.skipValue()
	})
	return m
}

// readTexts returns the strings in the next value, which is an array.
func (j *jsonReader) readTexts() (all []string) {
	j.eachElement(func() { all = append(all, j.readText()) })
	return all
}

// eachMember calls member for every member of the next value if it is an object; member must read
// the value. It skips a scalar and fails for an array.
func (j *jsonReader) eachMember(member func(key string)) {
	if !j.readOpeningDelim('{') {
		return
	}
	for j.err == nil && j.d.More() {
		key, _ := j.nextToken().(string)
		if j.err == nil {
			member(key)
		}
	}
	j.nextToken()
}

// eachElement calls element for every element of the next value if it is an array; element must
// read it. It skips a scalar and fails for an object.
func (j *jsonReader) eachElement(element func()) {
	if !j.readOpeningDelim('[') {
		return
	}
	for j.err == nil && j.d.More() {
		element()
	}
	j.nextToken()
}

func (j *jsonReader) readOpeningDelim(delim json.Delim) bool {
	t := j.nextToken()
	if t == delim {
		return true
	}
	if _, nested := t.(json.Delim); nested {
		j.fail(errDamaged)
	}
	return false
}

// readText returns the next value if it is a string, otherwise "".
func (j *jsonReader) readText() string {
	var v any
	if j.err == nil {
		j.fail(j.d.Decode(&v))
	}
	text, _ := v.(string)
	return text
}

// skipValue skips the next value of any type.
func (j *jsonReader) skipValue() {
	if j.err == nil {
		j.fail(j.d.Decode(new(skippedValue)))
	}
}

// skippedValue is a JSON value that is discarded.
type skippedValue struct{}

// UnmarshalJSON discards the value.
func (skippedValue) UnmarshalJSON([]byte) error { return nil }

// nextToken returns the next token, or nil after an error.
func (j *jsonReader) nextToken() json.Token {
	if j.err != nil {
		return nil
	}
	t, err := j.d.Token()
	j.fail(err)
	return t
}

// fail ends reading with an error, unless it is nil.
func (j *jsonReader) fail(err error) {
	var reason *extract.SkipError
	switch {
	case err == nil || j.err != nil:
	case errors.As(err, &reason):
		j.err = reason
	default:
		j.err = errBroken
	}
}
