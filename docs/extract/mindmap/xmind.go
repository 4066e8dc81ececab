package mindmap

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

// ReadXMind reads a file of XMind. If there are several sheets, each is a page. XMind 2020 and
// later saves JSON; older versions save XML. Newer files also contain XML, but without the map.
func ReadXMind(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	a, err := zipxml.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	var f mapFile
	for _, part := range []struct {
		name, opening string
		read          func(r io.Reader) error
	}{{"content.json", "[{", f.readSheets}, {"content.xml", "<", f.readXML}} {
		if a.HasFile(part.name) {
			return f.contentUntilError(f.readPart(a, part.name, part.opening, part.read))
		}
	}
	return extract.Content{}, errDamaged
}

// readPart reads the part of an archive that contains the map. A part that does not begin with one
// of the bytes in opening is damaged or encrypted.
func (f *mapFile) readPart(a *zipxml.Archive, name, opening string, read func(r io.Reader) error) error {
	part, err := a.Open(name)
	if err != nil {
		return zipxml.AsSkipError(err)
	}
	r := bufio.NewReader(io.LimitReader(part, extract.MaxFileBytes))
	head, err := r.Peek(1 << 10)
	if len(head) == 0 && err != io.EOF {
		return zipxml.AsSkipError(err)
	}
	start := bytes.TrimLeft(head, "\xEF\xBB\xBF \t\r\n")
	switch {
	case len(start) > 0 && strings.IndexByte(opening, start[0]) >= 0:
		return read(r)
	case isEncrypted(a):
		return extract.ErrPasswordProtected
	}
	return errDamaged
}

// isEncrypted reports whether the manifest of an XMind archive lists encrypted files.
func isEncrypted(a *zipxml.Archive) bool {
	for _, name := range []string{"manifest.json", "META-INF/manifest.xml"} {
		r, err := a.Open(name)
		if err != nil {
			continue
		}
		list, _ := io.ReadAll(io.LimitReader(r, 1<<20)) // if the manifest is damaged, the readable beginning is used
		list = bytes.ToLower(list)
		if bytes.Contains(list, []byte("encrypt")) || bytes.Contains(list, []byte("password")) {
			return true
		}
	}
	return false
}

// madeUpName matches the names that XMind gives to sheets without a name.
var madeUpName = lazyregexp.New(`(?i)^(sheet|map|画布|畫布|思维导图|シート|マップ|시트|맵|blatt|feuille|hoja|folha|foglio|лист)?[- ]?\d*$`)

func givenSheetName(title string) string {
	if title = markdown.OneLine(title); madeUpName.MatchString(title) {
		return ""
	}
	return shortenTitle(title)
}

// readXML reads the maps of a file in the older format.
func (f *mapFile) readXML(r io.Reader) error {
	return zipxml.ReadXML(r, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name != "sheet" {
				return false
			}
			s, err := f.beginSheet()
			if err != nil {
				x.StopWith(err)
				return true
			}
			x.EachChild(func(e zipxml.Element) { f.readSheetElement(x, e, s) }, nil)
			return true
		})
	})
}

// readSheetElement reads a child element of a sheet.
func (f *mapFile) readSheetElement(x *zipxml.Reader, e zipxml.Element, s *sheet) {
	switch e.Name {
	case "title":
		s.name = givenSheetName(x.ReadText())
	case "topic":
		f.topics++
		f.readTopic(x, e, &s.root)
	case "relationships":
		x.EachChild(func(e zipxml.Element) {
			if label := readTitle(x); label != "" && len(s.relations) < maxTopics {
				s.relations = append(s.relations, relation{e.Attribute("end1"), e.Attribute("end2"), label})
			}
		}, nil)
	}
}

// readTitle returns the title in the current element.
func readTitle(x *zipxml.Reader) (title string) {
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "title" {
			title = markdown.OneLine(x.ReadText())
		}
	}, nil)
	return title
}

// readTopic reads a topic and its descendants.
func (f *mapFile) readTopic(x *zipxml.Reader, e zipxml.Element, t *topic) {
	t.id = e.Attribute("id")
	var b xmindChildren
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "title":
			t.title = markdown.OneLine(x.ReadText())
		case "notes":
			t.addNote(readXMLNote(x))
		case "labels":
			var labels []string
			x.EachChild(func(zipxml.Element) { labels = append(labels, x.ReadText()) }, nil)
			t.addLabels(labels)
		case "children":
			x.EachChild(func(e zipxml.Element) { f.readTopics(x, e.Attribute("type"), &b) }, nil)
		case "boundaries":
			x.EachChild(func(zipxml.Element) { t.addNote(readTitle(x)) }, nil)
		case "summaries":
			x.EachChild(func(e zipxml.Element) { b.placeSummary(e.Attribute("topic-id"), e.Attribute("range")) }, nil)
		}
	}, nil)
	t.addLink(e.Attribute("href"))
	t.children = b.inReadingOrder()
	x.StopWith(f.countHeldText(t))
}

// readTopics reads the child topics of one kind and adds them to b.
func (f *mapFile) readTopics(x *zipxml.Reader, kind string, b *xmindChildren) {
	x.EachChild(func(e zipxml.Element) {
		if e.Name != "topic" {
			return
		}
		t, err := f.beginTopic(b.topicsOfKind(kind))
		if err != nil {
			x.StopWith(err)
			return
		}
		f.readTopic(x, e, t)
	}, nil)
}

// readXMLNote returns a note, which is stored both formatted and as plain text.
func readXMLNote(x *zipxml.Reader) string {
	words, shown := "", ""
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "plain":
			words = x.ReadText()
		case "html":
			shown = strings.Join(readHTMLLines(x), "\n")
		}
	}, nil)
	if strings.TrimSpace(words) == "" {
		return shown
	}
	return words
}

// An xmindChildren value holds the children of an XMind topic by kind.
type xmindChildren struct {
	attached, summaries, others topic // topics that stand for each kind: their children are the child topics of that kind
	last                        map[string]int
}

// topicsOfKind returns the topic of b whose children are the child topics of a kind.
func (b *xmindChildren) topicsOfKind(kind string) *topic {
	switch kind {
	case "attached", "":
		return &b.attached
	case "summary":
		return &b.summaries
	}
	return &b.others // floating topics and callouts
}

// placeSummary records that the summary with the given id sums up a range of attached topics, such
// as "(0,2)".
func (b *xmindChildren) placeSummary(id, of string) {
	_, last, _ := strings.Cut(strings.Trim(of, "()"), ",")
	n, err := strconv.Atoi(strings.TrimSpace(last))
	if err != nil || len(b.last) >= maxTopics {
		return
	}
	if b.last == nil {
		b.last = make(map[string]int)
	}
	b.last[id] = n
}

// inReadingOrder returns the child topics in reading order: a summary follows the last topic it
// sums up, and floating topics come last.
func (b *xmindChildren) inReadingOrder() []*topic {
	after := make(map[int][]*topic)
	var rest []*topic
	for _, s := range b.summaries.children {
		if n, ok := b.last[s.id]; ok && 0 <= n && n < len(b.attached.children) {
			after[n] = append(after[n], s)
		} else {
			rest = append(rest, s)
		}
	}
	var all []*topic
	for i, t := range b.attached.children {
		all = append(append(all, t), after[i]...)
	}
	return append(append(all, rest...), b.others.children...)
}
