package mindmap

import (
	"encoding/json"
	"errors"
	"io"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// errBroken is the error of JSON which ends too early, or goes wrong.
var errBroken = extract.Skip("damaged JSON", "已损坏的 JSON")

// A jsonReader reads the maps of a newer file value by value, so that no more of
// it is held than what counts. What comes before an error has been read.
type jsonReader struct {
	*file
	d     *json.Decoder
	depth int // of the topic that is being read
	err   error
}

// readSheets reads the maps of a newer file.
func (f *file) readSheets(r io.Reader) error {
	j := &jsonReader{file: f, d: json.NewDecoder(r)}
	j.array(j.readSheet)
	return j.err
}

func (j *jsonReader) readSheet() {
	s, err := j.sheet()
	if err != nil {
		j.fail(err)
		return
	}
	j.object(func(key string) {
		switch key {
		case "title":
			s.name = sheetName(j.text())
		case "rootTopic":
			j.topics++
			j.readTopic(&s.root)
		case "relationships":
			j.array(func() { j.readRelation(s) })
		default:
			j.skip()
		}
	})
}

func (j *jsonReader) readRelation(s *sheet) {
	var r relation
	j.object(func(key string) {
		switch key {
		case "end1Id":
			r.from = j.text()
		case "end2Id":
			r.to = j.text()
		case "title":
			r.label = markdown.OneLine(j.text())
		default:
			j.skip()
		}
	})
	if r.label != "" && len(s.relations) < maxTopics {
		s.relations = append(s.relations, r)
	}
}

// readTopic reads a topic, with those below it.
func (j *jsonReader) readTopic(t *topic) {
	if j.depth++; j.depth > extract.MaxDepth {
		j.fail(extract.ErrTooDeep)
		return
	}
	defer func() { j.depth-- }()
	var b below
	href := ""
	j.object(func(key string) {
		switch key {
		case "id":
			t.id = j.text()
		case "title":
			t.title = markdown.OneLine(j.text())
		case "href":
			href = j.text()
		case "notes":
			t.note(j.note())
		case "labels":
			t.label(j.texts())
		case "children":
			j.object(func(kind string) { j.array(func() { j.readBelow(b.of(kind)) }) })
		case "boundaries":
			j.array(func() { t.note(j.members("title")["title"]) })
		case "summaries":
			j.array(func() { m := j.members("topicId", "range"); b.sumUp(m["topicId"], m["range"]) })
		default:
			j.skip()
		}
	})
	t.link(href)
	t.below = b.arranged()
	j.fail(j.hold(t))
}

func (j *jsonReader) readBelow(within *topic) {
	t, err := j.begin(within)
	if err != nil {
		j.fail(err)
		return
	}
	j.readTopic(t)
}

// note returns a note, which is there once as it looks and once as words.
func (j *jsonReader) note() string {
	words, shown := "", ""
	j.object(func(key string) {
		switch key {
		case "plain":
			words = j.members("content")["content"]
		case "realHTML":
			shown = j.members("content")["content"]
		default:
			j.skip()
		}
	})
	if words == "" {
		return plain(shown)
	}
	return words
}

// members returns the texts of an object by these keys.
func (j *jsonReader) members(keys ...string) map[string]string {
	m := make(map[string]string)
	j.object(func(key string) {
		for _, k := range keys {
			if key == k {
				m[k] = j.text()
				return
			}
		}
		j.skip()
	})
	return m
}

// texts returns the texts of an array.
func (j *jsonReader) texts() (all []string) {
	j.array(func() { all = append(all, j.text()) })
	return all
}

// object calls member for every member of the object that comes next, which has
// to read its value. Another value than an object has none.
func (j *jsonReader) object(member func(key string)) {
	if !j.opens('{') {
		return
	}
	for j.err == nil && j.d.More() {
		key, _ := j.token().(string)
		if j.err == nil {
			member(key)
		}
	}
	j.token()
}

// array calls element for every element of the array that comes next, which has
// to read it.
func (j *jsonReader) array(element func()) {
	if !j.opens('[') {
		return
	}
	for j.err == nil && j.d.More() {
		element()
	}
	j.token()
}

func (j *jsonReader) opens(delim json.Delim) bool {
	t := j.token()
	if t == delim {
		return true
	}
	if _, nested := t.(json.Delim); nested {
		j.fail(errDamaged)
	}
	return false
}

// text returns the value that comes next if it is a text, or "".
func (j *jsonReader) text() string {
	var v any
	if j.err == nil {
		j.fail(j.d.Decode(&v))
	}
	text, _ := v.(string)
	return text
}

// skip leaves out the value that comes next.
func (j *jsonReader) skip() {
	if j.err == nil {
		j.fail(j.d.Decode(new(skipped)))
	}
}

// skipped is a value that is not kept.
type skipped struct{}

// UnmarshalJSON keeps nothing.
func (skipped) UnmarshalJSON([]byte) error { return nil }

// token returns the next token, or nil after an error.
func (j *jsonReader) token() json.Token {
	if j.err != nil {
		return nil
	}
	t, err := j.d.Token()
	j.fail(err)
	return t
}

// fail ends the reading with an error, unless that is nil.
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
