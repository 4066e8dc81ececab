// Package chunk splits a text into the passages that are embedded, searched and cited, and finds
// its title.
//
// A block is a range of whole lines that belong together: a heading, a paragraph, a list, a table,
// a code fence. [ParseBlocks] finds the blocks of Markdown, Org mode, reStructuredText, data and
// plain text. A [Chunk] is one or more neighbouring blocks below one heading, or a part of a block
// that is too long, with the headings above it.
//
// The package works only on values: it does not depend on files, embeddings or indexes.
package chunk

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/internal/base/script"
)

// Lengths of chunks, in the units of script.TokenUnits. Embedding models accept at least 512
// tokens; about 300 express one thought and leave room for the title and headings.
const (
	targetCost = 300 * script.UnitsPerToken
	limitCost  = 500 * script.UnitsPerToken
	tinyCost   = 60 * script.UnitsPerToken  // shorter chunks join a neighbour if possible
	leadCost   = 150 * script.UnitsPerToken // longer headings become a chunk of their own
)

// A Chunk is a passage of a text: whole blocks below one heading, or a part of a block that is too
// long. It has at most about 500 tokens.
type Chunk struct {
	text.Span
	Text    string   // the text of Span
	Heading []string // headings above, outermost first, and the columns or introduction of a continued table or list; must not be changed
}

// Blocks is a text divided into blocks: headings, paragraphs, lists, tables and code.
type Blocks struct {
	body   text.Body
	form   extract.TextForm
	parsed []block // nil if they are found line by line when needed
}

// ParseBlocks splits a text of the given form into blocks.
func ParseBlocks(body text.Body, form extract.TextForm) Blocks {
	b := Blocks{body: body, form: form}
	switch form {
	case extract.Markdown:
		b.parsed = markdownBlocks(body.Text)
	case extract.Org:
		b.parsed = orgBlocks(body.Text)
	case extract.RST:
		b.parsed = rstBlocks(body.Text)
	}
	return b
}

// Chunks joins and splits the blocks. The chunks are in order, do not overlap, and omit only white
// space and running headers and footers. No chunk extends across a heading or the end of a page,
// slide, sheet or chapter; a heading without text below it belongs to the chunk after it.
func (b Blocks) Chunks() []Chunk {
	all := slices.Values(b.parsed)
	if b.parsed == nil {
		all = lineBlocks(withoutRunningLines(b.body), b.form)
	}
	p := chunkPacker{text: b.body.Text, form: b.form, parts: b.body.Parts}
	borders := separatedParts(b.body.Parts)
	for b := range all {
		for len(borders) > 0 && borders[0].StartByte <= b.start {
			p.endPart(borders[0].Kind)
			borders = borders[1:]
		}
		if b.kind == heading {
			p.beginSection(b)
		} else {
			p.addBlock(b)
		}
	}
	p.endSection()
	p.closeChunk()
	return numberLines(p.text, p.chunks)
}

// separatedParts returns the parts at whose start a chunk must end: all, including the sections of
// a page, except cells, which are short and explain each other.
func separatedParts(parts []extract.Part) []extract.Part {
	var first []extract.Part
	for i, p := range parts {
		if p.Kind != extract.NotebookCell && (i == 0 || p.Number != parts[i-1].Number || p.Kind == extract.Page && p.Name != parts[i-1].Name) {
			first = append(first, p)
		}
	}
	return first
}

// numberLines sets the text and the line numbers of the chunks.
func numberLines(text string, chunks []Chunk) []Chunk {
	line, at := 1, 0
	for i := range chunks {
		c := &chunks[i]
		c.Text = text[c.StartByte:c.EndByte]
		line += strings.Count(text[at:c.StartByte], "\n")
		c.StartLine = line
		line += strings.Count(c.Text, "\n")
		c.EndLine = line
		at = c.EndByte
	}
	return chunks
}

// A chunkPacker joins blocks into chunks.
type chunkPacker struct {
	text   string
	form   extract.TextForm
	parts  []extract.Part
	chunks []Chunk

	path   []string // titles of the headings above
	levels []int    // their levels
	first  int      // index of the first chunk below the last heading
	last   int      // cost of the last chunk

	// The chunk being filled, if there is one.
	filling          bool
	start, end, cost int
	bare             bool          // whether it contains nothing but headings and front matter
	above            string        // column names of the table, or introduction of the list, being continued
	lead             leadParagraph // introduction at its end
}

// A leadParagraph is a paragraph that introduces the following list, table or code: "The doses
// are:".
type leadParagraph struct {
	start  int // 0 if there is none
	before int // end of the chunk without it
	cost   int // cost of the chunk without it
}

// beginSection ends the current section and begins the one headed by b.
func (p *chunkPacker) beginSection(b block) {
	p.endSection()
	if p.filling && p.costTo(b.end) > leadCost {
		p.closeChunk()
		p.first = len(p.chunks)
	}
	keep := len(p.levels)
	for keep > 0 && p.levels[keep-1] >= b.level {
		keep--
	}
	p.levels, p.path = p.levels[:keep], slices.Clone(p.path[:keep]) // chunks share the old path
	if b.title != "" {
		p.levels, p.path = append(p.levels, b.level), append(p.path, b.title)
	}
	p.addBlock(b)
}

// endSection closes the open chunk if it contains any text. A tiny chunk joins the one before it.
func (p *chunkPacker) endSection() {
	if p.filling && !p.bare {
		p.closeChunk()
		if n := len(p.chunks); n-p.first >= 2 && p.last < tinyCost {
			p.joinLastChunk()
		}
	}
	p.first = len(p.chunks)
}

// endPart closes the open chunk and the sections of the part. Pages are an exception: a section
// continues from page to page, and a heading at the bottom of a page belongs to the text that
// follows.
func (p *chunkPacker) endPart(u extract.PartKind) {
	p.endSection()
	if u == extract.Page {
		return
	}
	p.closeChunk()
	p.first = len(p.chunks)
	p.path, p.levels = nil, nil
}

// addBlock adds b to the open chunk or to a new one, or splits it.
func (p *chunkPacker) addBlock(b block) {
	isBare := b.kind == heading || b.kind == matter
	c := script.TokenUnits(p.text[b.start:b.end])
	if p.filling {
		gap := script.TokenUnits(p.text[p.end:b.start])
		joined := p.cost + gap + c
		if joined <= targetCost || joined <= limitCost && (p.bare || p.cost < tinyCost) {
			before, cost := p.end, p.cost
			p.extendChunk(b.end, joined, isBare)
			p.noteLead(b, before, cost)
			return
		}
		if !p.bare && p.cost >= tinyCost || gap > tinyCost {
			if p.moveLeadToNextChunk(b) {
				p.addBlock(b)
				return
			}
			p.closeChunk()
		}
	}
	if !p.filling && c <= limitCost {
		p.beginChunk(b.start)
		p.extendChunk(b.end, c, isBare && c <= leadCost)
		p.noteLead(b, p.start, 0)
		return
	}
	p.splitBlock(b, c)
}

// noteLead records whether b, the last block of the open chunk, introduces the next block. before
// and cost are the end and the cost of the chunk without b.
func (p *chunkPacker) noteLead(b block, before, cost int) {
	p.lead = leadParagraph{}
	if b.kind == prose && isIntroduction(p.text[b.start:b.end]) {
		p.lead = leadParagraph{start: b.start, before: before, cost: cost}
	}
}

// moveLeadToNextChunk moves the introduction of b from the end of the open chunk to the next chunk.
// It does nothing and returns false if there is none or too little text before it.
func (p *chunkPacker) moveLeadToNextChunk(b block) bool {
	l := p.lead
	if l.start == 0 || l.cost < tinyCost || b.kind != list && b.kind != rows {
		return false
	}
	end := p.end
	p.extendChunk(l.before, l.cost, false)
	p.closeChunk()
	p.beginChunk(l.start)
	p.extendChunk(end, script.TokenUnits(p.text[l.start:end]), false)
	p.lead = leadParagraph{start: l.start}
	return true
}

// splitBlock fills chunks with pieces of b, which has cost c and does not fit into the open chunk.
// The last piece stays open.
func (p *chunkPacker) splitBlock(b block, c int) {
	above := p.contextOfRest(b)
	for from, left := b.start, c; from < b.end; {
		if !p.filling {
			p.beginChunk(from)
			if from > b.start {
				p.above = above
			}
		}
		lead := p.costTo(from)
		total := lead + left
		if total <= targetCost*6/5 {
			p.extendChunk(b.end, total, false)
			return
		}
		want := targetCost - lead
		if total <= 2*targetCost {
			want = total/2 - lead
		}
		want = max(want, tinyCost)
		piece := bestCut(p.text, b, from, costRange{least: want * 2 / 5, want: want, most: min(limitCost-lead, left-tinyCost)})
		p.extendChunk(piece.at, lead+piece.cost, false)
		p.closeChunk()
		from = nextTextPosition(p.text[:b.end], piece.at)
		left -= piece.cost + script.TokenUnits(p.text[piece.at:from])
	}
}

// contextOfRest returns the context for the pieces of b after the first: its column names or its
// introduction.
func (p *chunkPacker) contextOfRest(b block) string {
	if b.kind == rows {
		return p.columnNames(b)
	}
	if b.kind == list && p.filling && p.lead.start > 0 {
		return lastSentenceOf(p.text[p.lead.start:p.end])
	}
	first, rest, _ := strings.Cut(p.text[b.start:b.end], "\n")
	if b.kind == prose && isIntroduction(first) && startsListItem(rest) {
		return lastSentenceOf(first)
	}
	return ""
}

// columnNames returns the header of the table b as separated column names, or "".
func (p *chunkPacker) columnNames(b block) string {
	table := p.text[b.start:b.end]
	if p.form == extract.Table {
		table = strings.TrimLeftFunc(p.text, unicode.IsSpace) // later blocks have no header
	}
	s := lineScanner{text: table}
	start, end, _ := s.next()
	header := strings.ToValidUTF8(table[start:min(end, start+utf8.UTFMax*maxTitle)], "")
	if p.form == extract.Table {
		return shortenTitle(columnBorders.Replace(header))
	}
	start, end, _ = s.next()
	if b.kind != rows || !strings.HasPrefix(strings.TrimSpace(header), "|") || !delimiterRow.MatchString(table[start:end]) {
		return ""
	}
	return shortenTitle(strings.Trim(strings.TrimSpace(header), "|"))
}

var columnBorders = strings.NewReplacer("\"", "", ",", " | ", ";", " | ", "\t", " | ")

// nextTextPosition returns where the text continues after a cut: at the next word or, if that is on
// another line, at the start of its line.
func nextTextPosition(text string, at int) int {
	word := len(text) - len(strings.TrimLeftFunc(text[at:], unicode.IsSpace))
	start := at + strings.LastIndexByte(text[at:word], '\n') + 1
	if start > at && word-start <= maxPadding {
		return start
	}
	return word
}

// beginChunk opens a chunk at start.
func (p *chunkPacker) beginChunk(start int) {
	p.filling, p.bare, p.above, p.lead = true, true, "", leadParagraph{}
	p.start, p.end, p.cost = start, start, 0
}

// extendChunk moves the end of the open chunk to end; cost is its new total cost, and isBare
// whether the added text is nothing but headings and front matter.
func (p *chunkPacker) extendChunk(end, cost int, isBare bool) {
	p.end, p.cost = end, cost
	p.bare = p.bare && isBare
}

// costTo returns the length, in units of script.TokenUnits, that the open chunk would have if it ended
// at end.
func (p *chunkPacker) costTo(end int) int { return p.cost + script.TokenUnits(p.text[p.end:end]) }

// closeChunk closes the open chunk, if there is one.
func (p *chunkPacker) closeChunk() {
	if !p.filling {
		return
	}
	above := p.path
	if line := cmp.Or(p.above, p.columnsAt(p.start)); line != "" {
		above = append(slices.Clone(above), line)
	}
	p.chunks = append(p.chunks, Chunk{Span: text.Span{StartByte: p.start, EndByte: p.end}, Heading: above})
	p.last = p.cost
	p.filling = false
}

// columnsAt returns the column names of a table that continues at start on another page, or "".
func (p *chunkPacker) columnsAt(start int) string {
	next := sort.Search(len(p.parts), func(i int) bool { return p.parts[i].StartByte > start })
	if next == 0 {
		return ""
	}
	return shortenTitle(p.parts[next-1].ContinuedColumnNames)
}

// joinLastChunk joins the last chunk with the one before it if the limit allows.
func (p *chunkPacker) joinLastChunk() {
	n := len(p.chunks)
	before, last := &p.chunks[n-2], p.chunks[n-1]
	if script.TokenUnits(p.text[before.StartByte:last.EndByte]) > limitCost {
		return
	}
	before.EndByte = last.EndByte
	p.chunks = p.chunks[:n-1]
}
