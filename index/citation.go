package index

import (
	"cmp"
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/index/match"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// citations matches the forms in which people and models repeat a citation. The name of a chapter
// may be a path, and the headings and tags after it may contain slashes, too.
var citations = lazyregexp.New(`^(?:\[\d+\] )?(.+?)(?:, (line|page|slide|sheet|chapter|cell)s? |:)(\d+)(?:[-–](\d+)|, row \d+ to sheet (\d+))?\b[^/]*(?:(?: \(|\x{FF08}| — ).*)?$`)

// ParseCitation returns a query for the part of a document that a citation names, such as "a.md,
// lines 2-3", "a.md:2-3" or "a.pdf, pages 3-4". It does not check that there is such a document.
func ParseCitation(citation string) (ReadQuery, bool) {
	m := citations.FindStringSubmatch(inEnglish(citation))
	if m == nil {
		return ReadQuery{}, false
	}
	if part := (ReadQuery{Ref: m[1]}); part.HasPartOfLine() {
		return part, true
	}
	if unit := m[2]; unit != "" && unit != "line" {
		numbers := m[3]
		if last := cmp.Or(m[4], m[5]); last != "" {
			numbers += "-" + last
		}
		return ReadQuery{Ref: m[1] + "#" + unit + "=" + numbers}, true
	}
	first, err := strconv.Atoi(m[3])
	last, endErr := strconv.Atoi(cmp.Or(m[4], m[3]))
	if err != nil || endErr != nil || first < 1 || last < first {
		return ReadQuery{}, false
	}
	return ReadQuery{Ref: m[1], StartLine: first, EndLine: last}, true
}

// translation is a place as it is cited in another language, and as it is in English.
type translation struct {
	localised *regexp.Regexp
	english   string
}

// inEnglish translates the place in a citation as the pages and the command line show it.
func inEnglish(citation string) string {
	for _, t := range citationTranslations() {
		if t.localised.MatchString(citation) {
			return t.localised.ReplaceAllString(citation, t.english)
		}
	}
	return citation
}

// citationTranslations are made of the citations of sample places.
var citationTranslations = sync.OnceValue(func() (all []translation) {
	samples := []message.Message{text.CiteRows(extract.Sheet.Noun(), 101, 102, 103, 104)}
	for unit := extract.Page; unit <= extract.NotebookCell; unit++ {
		samples = append(samples, unit.Noun().CiteRange(101, 102), unit.Noun().CiteRange(101, 101))
	}
	samples = append(samples, text.LineNoun.CiteRange(101, 102), text.LineNoun.CiteRange(101, 101))
	number := regexp.MustCompile(`10(\d)`)
	for _, language := range message.Languages() {
		for _, place := range samples {
			sample := notice.FormatCitation("", place)
			if localised := sample.InLanguage(language); localised != sample.String() {
				pattern := number.ReplaceAllString(regexp.QuoteMeta(localised), `(?P<n$1>\d+)`)
				all = append(all, translation{regexp.MustCompile(pattern), number.ReplaceAllString(sample.String(), `${n$1}`)})
			}
		}
	}
	return all
})

// HasPartOfLine reports whether the reference ends with a URI fragment for a part of a line.
func (r ReadQuery) HasPartOfLine() bool {
	_, fragment, _ := strings.Cut(r.Ref, "#")
	return strings.Contains(fragment, "char=")
}

// citedPart is the part of a document that a path with a fragment, or a citation, selects.
type citedPart struct {
	document *search.Document
	lines    ReadQuery // its lines, if it was cited by lines
	fragment string
}

// findCitedPart finds the part that an address names: a path or URI with a fragment, a citation, or
// a path that leads into an archive. It returns nil if the address names a whole document, or
// nothing.
func (ix *Index) findCitedPart(ctx context.Context, address string) *citedPart {
	if strings.Contains(address, "#") {
		if d, fragment, err := ix.findReference(address); err == nil {
			return newCitedPart(d, fragment)
		}
	}
	if d, fragment, err := ix.findMember(ctx, address, ErrNotFound); err == nil {
		return newCitedPart(d, fragment)
	}
	q, ok := ParseCitation(address)
	if !ok {
		return nil
	}
	if _, _, err := ix.findReference(address); err == nil { // a file is called so
		return nil
	}
	d, fragment, err := ix.findReference(q.Ref)
	if err != nil {
		return nil
	}
	return &citedPart{document: d, fragment: fragment, lines: q}
}

func newCitedPart(d *search.Document, fragment string) *citedPart {
	if fragment == "" {
		return nil
	}
	return &citedPart{document: d, fragment: fragment}
}

// span returns the range of the part in the text of its document.
func (p *citedPart) span(body text.Body) (text.Span, error) {
	return p.lines.wantedSpan(p.document, body, p.fragment)
}

// check returns an error if the document has no such part.
func (p *citedPart) check(ctx context.Context, ix *Index) error {
	if p == nil || p.document.SkipReason != "" {
		return nil
	}
	body, ok, err := ix.store.Body(ctx, p.document)
	if err != nil || !ok {
		return err
	}
	if _, err := p.span(body); err != nil {
		return message.Errorf("%s: %v", ix.folders.ShownPath(p.document.Location()), err)
	}
	return nil
}

// within returns those places in the text of a document that begin in the part; all if p is nil.
func (p *citedPart) within(body text.Body, places []match.Range) []match.Range {
	if p == nil {
		return places
	}
	span, err := p.span(body)
	if err != nil { // the document has become shorter
		return nil
	}
	var kept []match.Range
	for _, m := range places {
		if span.StartByte <= m.Start && m.Start < span.EndByte {
			kept = append(kept, m)
		}
	}
	return kept
}
