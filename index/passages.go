package index

import (
	"context"
	"slices"
	"strings"

	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/live"
	"vademecum/index/match"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/sift"
)

// selected is what a search came to.
type selected struct {
	passages []Passage
	unknown  []string // words of the question that occur nowhere
	covered  float64  // see search
	alike    []search.Alike
	missing  bool // some documents were replaced meanwhile
}

// littleCovered is below what the best chunk has of the words of a question
// that is answered: 5 of 100 such questions on SciFact have less than .57, on
// code .72 and on Chinese articles .66; questions on something else have .16 to
// .42 in the middle.
const littleCovered = 0.5

// isLittle tells whether other wordings may find more. What a model finds by its
// meaning need not have the words of the question.
func (s selected) isLittle(semantic bool) bool {
	return len(s.passages) == 0 || !semantic && s.covered < littleCovered
}

// isFromAny tells whether a passage is of one of some documents.
func (s selected) isFromAny(ix *Index, documents []search.Location) bool {
	return slices.ContainsFunc(documents, func(at search.Location) bool {
		return slices.ContainsFunc(s.passages, func(p Passage) bool { return p.Document.Path == ix.folders.Show(at) })
	})
}

// passages ranks and reads at one moment.
func (ix *Index) passages(ctx context.Context, phrasings []search.Phrasing, meant search.Filter, q Query) (found selected, err error) {
	err = ix.searcher.View(ctx, func(ctx context.Context, v search.View) error {
		found, err = ix.passagesOf(ctx, v, phrasings, meant, q)
		return err
	})
	return found, err
}

func (ix *Index) passagesOf(ctx context.Context, v search.View, phrasings []search.Phrasing, meant search.Filter, q Query) (selected, error) {
	found, err := v.Search(ctx, phrasings, meant, q.TopK)
	if err != nil {
		return selected{}, err
	}
	s := selection{ix: ix, view: v, meant: meant, most: q.TopK, perDocument: (q.TopK + 1) / 2, bodies: make(map[*search.Document]text.Body), near: make(map[chunkAt][]search.Chunk)}
	if err := s.addPhrases(ctx, found.Candidates, lexical.NewSought(q.Text)); err != nil {
		return selected{}, err
	}
	sifted := ix.sift(q, found.Candidates)
	s.versions = sifted.Versions
	candidates, err := s.phrasesFirst(ctx, sifted.Candidates, lexical.Quoted(q.Text))
	if err != nil {
		return selected{}, err
	}
	if s.copies, err = s.copiesOf(ctx, candidates[:min(len(candidates), nearDepth)]); err != nil {
		return selected{}, err
	}
	sift.TakeOriginals(candidates, s.copies)
	if err := s.choose(ctx, newOriginals(&s, candidates)); err != nil {
		return selected{}, err
	}
	chosen := selected{passages: s.passages(), covered: found.Covered, alike: found.Alike, missing: s.missing > 0}
	if chosen.unknown, err = v.Unknown(ctx, q.Text); err == nil && q.Explain {
		err = s.explain(ctx, phrasings, chosen.passages)
	}
	return chosen, err
}

// selection turns ranked chunks, of which none are copies, into passages worth
// reading: neighbours are joined, and one document does not take every place
// while others have something to say.
type selection struct {
	ix          *Index
	view        search.View
	meant       search.Filter // documents that may answer
	most        int           // passages wanted
	perDocument int
	chosen      []*choice
	bodies      map[*search.Document]text.Body // without text when it was replaced
	missing     int                            // documents that were replaced
	versions    map[*search.Document][]*search.Document
	copies      []search.Chunk             // all that have a wording of one of the first candidates
	near        map[chunkAt][]search.Chunk // what says nearly the same as a chunk
}

// choice is a chunk that was chosen, with the neighbours joined to it.
type choice struct {
	search.Candidate
	first, last int      // numbers of the chunks
	above       []string // the headings over the first, but for the last of them, which its text may show
	text        string
	wordings    []rank.Wording // of each chunk
	copies      []string       // places of the first of them
	moreCopies  int
}

// newChoice is a choice of one chunk.
func newChoice(c search.Candidate) *choice {
	return &choice{Candidate: c, first: c.Number, last: c.Number, above: c.Heading[:max(0, len(c.Heading)-1)]}
}

// namedCopies is how many copies of a passage are told by their places.
const namedCopies = 5

func (s *selection) choose(ctx context.Context, from *originals) error {
	var over []search.Candidate // of documents that have their places
	taken := make(map[*search.Document]int)
	for len(s.chosen) < s.most {
		c, ok, err := from.next(ctx)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if taken[c.Document] >= s.perDocument && !s.isNeighbour(c) {
			over = append(over, c)
			continue
		}
		before := len(s.chosen)
		if err := s.take(ctx, c); err != nil {
			return err
		}
		taken[c.Document] += max(0, len(s.chosen)-before)
	}
	for _, c := range over {
		if len(s.chosen) == s.most {
			break
		}
		if err := s.take(ctx, c); err != nil {
			return err
		}
	}
	if err := s.noteCopies(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(s.chosen, func(a, b *choice) int { return search.Compare(a.Candidate, b.Candidate) })
	return nil
}

// copiesOf lists all chunks that have a wording of one of some candidates.
func (s *selection) copiesOf(ctx context.Context, candidates []search.Candidate) ([]search.Chunk, error) {
	of := make(map[rank.Wording]bool, len(candidates))
	for _, c := range candidates {
		of[c.Wording] = true
	}
	return s.view.Copies(ctx, of, s.meant)
}

// noteCopies tells where else the texts of what was chosen stand.
func (s *selection) noteCopies(ctx context.Context) error {
	for _, o := range s.chosen {
		if err := s.citeCopies(ctx, o, o.elsewhere(s.copies)); err != nil {
			return err
		}
	}
	return s.addCopies(ctx)
}

// citeCopies tells the first places of the copies of a passage, and how many more
// there are.
func (s *selection) citeCopies(ctx context.Context, o *choice, places []search.Chunk) error {
	named := places[:min(len(places), namedCopies)]
	of := make([]*search.Document, len(named))
	for i, c := range named {
		of[i] = c.Document
	}
	if err := s.readTexts(ctx, of); err != nil {
		return err
	}
	for _, c := range named {
		if s.bodies[c.Document].Text != "" {
			o.copies = append(o.copies, s.cite(c))
		}
	}
	o.moreCopies = len(places) - len(named)
	return nil
}

// elsewhere lists the chunks that are copies of one that is part of what was
// chosen. Those that follow each other are one place.
func (o *choice) elsewhere(copies []search.Chunk) []search.Chunk {
	var places []search.Chunk
	last := -1 // number of the last chunk of the last place
	for _, c := range copies {
		if !slices.Contains(o.wordings, c.Wording) || isSame(c, o.Chunk, o.first, o.last) {
			continue
		}
		if n := len(places) - 1; n >= 0 && places[n].Document == c.Document && last+1 == c.Number {
			places[n].Span.EndByte, places[n].Span.EndLine = c.Span.EndByte, c.Span.EndLine
		} else {
			places = append(places, c)
		}
		last = c.Number
	}
	return places
}

// isSame tells whether a chunk is among some of those of the document of another, or of
// one in its place: it may have been written since, and its old text is no copy of it.
func isSame(c, of search.Chunk, first, last int) bool {
	if c.Document.At() != of.Document.At() {
		return false
	}
	return c.Document.ID != of.Document.ID || first <= c.Number && c.Number <= last
}

// take joins a chunk to a neighbour, or gives it a place.
func (s *selection) take(ctx context.Context, c search.Candidate) error {
	own, err := s.textOf(ctx, c.Chunk)
	if err != nil || own == "" {
		return err
	}
	text := s.bodies[c.Document].Text
	one := newChoice(c)
	one.text, one.wordings = own, []rank.Wording{c.Wording}
	if to := s.neighbour(one); to != nil {
		to.join(one, text)
		s.closeGap(to, text)
		return nil
	}
	s.chosen = append(s.chosen, one)
	return nil
}

func (s *selection) cite(c search.Chunk) string {
	return s.ix.folders.Show(c.Document.At()) + ", " + s.bodies[c.Document].Place(c.Span)
}

// Neighbours are joined when the lesser has at least this share of the
// other's score, and both together are not too long to read.
const (
	neighbourShare = 0.7
	longestJoined  = 2400 // bytes
)

// neighbour finds the chosen passage that another continues.
func (s *selection) neighbour(c *choice) *choice {
	for _, o := range s.chosen {
		if o == c || o.Document != c.Document || o.Related != c.Related || c.first != o.last+1 && c.last != o.first-1 {
			continue
		}
		if c.first > o.last && c.Span.EndByte < o.Span.StartByte || c.first < o.first && c.Span.StartByte > o.Span.EndByte {
			continue // they are not in their places: see live.Misfit
		}
		if !o.keepsHeadings(c) {
			continue
		}
		length := max(o.Span.EndByte, c.Span.EndByte) - min(o.Span.StartByte, c.Span.StartByte)
		if min(c.Score, o.Score) >= neighbourShare*max(c.Score, o.Score) && length <= longestJoined {
			return o
		}
	}
	return nil
}

// keepsHeadings tells whether two passages share what stands over the first of them: a
// section that follows one below another heading would seem to belong there.
func (o *choice) keepsHeadings(c *choice) bool {
	above := o.above
	if c.first < o.first {
		above = c.above
	}
	return len(commonStart(o.Heading, c.Heading)) >= len(above)
}

func (s *selection) isNeighbour(c search.Candidate) bool {
	return s.neighbour(newChoice(c)) != nil
}

// closeGap joins two passages that a chunk between them has made neighbours.
func (s *selection) closeGap(o *choice, text string) {
	other := s.neighbour(o)
	if other == nil {
		return
	}
	if other.Score > o.Score {
		o, other = other, o
	}
	o.join(other, text)
	s.chosen = slices.DeleteFunc(s.chosen, func(c *choice) bool { return c == other })
}

func (o *choice) join(c *choice, text string) {
	if c.first > o.last {
		o.last, o.Span.EndByte, o.Span.EndLine = c.last, c.Span.EndByte, c.Span.EndLine
	} else {
		o.first, o.above, o.Span.StartByte, o.Span.StartLine = c.first, c.above, c.Span.StartByte, c.Span.StartLine
	}
	o.text = text[o.Span.StartByte:o.Span.EndByte]
	o.wordings = append(o.wordings, c.wordings...)
	o.Heading = commonStart(o.Heading, c.Heading)
	o.LexicalRank, o.VectorRank = match.BetterRank(o.LexicalRank, c.LexicalRank), match.BetterRank(o.VectorRank, c.VectorRank)
}

func commonStart(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// textOf is the text of a chunk, "" when its document was replaced.
func (s *selection) textOf(ctx context.Context, c search.Chunk) (string, error) {
	text, err := s.text(ctx, c.Document)
	if err != nil || text == "" {
		return "", err
	}
	if c.Span.StartByte > c.Span.EndByte || c.Span.EndByte > len(text) {
		return "", live.Misfit(c.Document)
	}
	return text[c.Span.StartByte:c.Span.EndByte], nil
}

// text reads the text of a document once; it is "" when the document was
// replaced.
func (s *selection) text(ctx context.Context, d *search.Document) (string, error) {
	if body, ok := s.bodies[d]; ok {
		return body.Text, nil
	}
	err := s.readTexts(ctx, []*search.Document{d})
	return s.bodies[d].Text, err
}

// readTexts reads the texts of documents at once, those that were not read yet.
func (s *selection) readTexts(ctx context.Context, of []*search.Document) error {
	var unread []*search.Document
	for _, d := range of {
		if _, ok := s.bodies[d]; !ok && !slices.Contains(unread, d) {
			unread = append(unread, d)
		}
	}
	if len(unread) == 0 {
		return nil
	}
	bodies, err := s.view.Bodies(ctx, unread)
	if err != nil {
		return err
	}
	for _, d := range unread {
		s.bodies[d] = bodies[d]
	}
	s.missing += len(unread) - len(bodies)
	return nil
}

// readTextsOf reads the texts of the documents of candidates.
func (s *selection) readTextsOf(ctx context.Context, candidates []search.Candidate) error {
	of := make([]*search.Document, len(candidates))
	for i, c := range candidates {
		of[i] = c.Document
	}
	return s.readTexts(ctx, of)
}

// phraseDepth is how many chunks are searched for a quoted phrase.
const phraseDepth = 100

// phrasesFirst moves the chunks that hold every quoted phrase, in the order of
// their ranks, before the others: their scores gain that of the best.
func (s *selection) phrasesFirst(ctx context.Context, candidates []search.Candidate, phrases lexical.Phrases) ([]search.Candidate, error) {
	if len(phrases) == 0 || len(candidates) == 0 {
		return candidates, nil
	}
	best := candidates[0].Score
	if err := s.readTextsOf(ctx, candidates[:min(len(candidates), phraseDepth)]); err != nil {
		return nil, err
	}
	for i := range candidates[:min(len(candidates), phraseDepth)] {
		c := &candidates[i]
		text, err := s.textOf(ctx, c.Chunk)
		if err != nil {
			return nil, err
		}
		if text != "" && phrases.AllIn(text) {
			c.Score += best
			c.Parts.Phrase += best
		}
	}
	search.Sort(candidates)
	return candidates, nil
}

// A passage gains this times the part of the question that it holds word by word,
// if it is among as many as are wanted, whose texts are read anyway, and the first so
// many. On 162 questions to real folders that gives 3 more the right passage first;
// with .15 SciFact loses .001, and 20 or 30 passages change nothing but the time.
const (
	soughtPart  = 0.1
	soughtDepth = 10
)

// addPhrases adds to the scores of the best what they hold of the question word by
// word.
func (s *selection) addPhrases(ctx context.Context, candidates []search.Candidate, sought lexical.Sought) error {
	if len(sought) == 0 {
		return nil
	}
	best := candidates[:min(len(candidates), s.most, soughtDepth)]
	if n := slices.IndexFunc(best, func(c search.Candidate) bool { return c.Related }); n >= 0 {
		best = best[:n]
	}
	if err := s.readTextsOf(ctx, best); err != nil {
		return err
	}
	for i := range best {
		c := &best[i]
		text, err := s.textOf(ctx, c.Chunk)
		if err != nil {
			return err
		}
		if text != "" {
			c.Parts.Phrase = soughtPart * sought.In(strings.Join(c.Heading, "\n")+"\n"+text)
			c.Score += c.Parts.Phrase
		}
	}
	search.Sort(candidates)
	return nil
}

func (s *selection) passages() []Passage {
	out := make([]Passage, 0, len(s.chosen))
	best := 1.0 // where the words find nothing, nothing is good
	if len(s.chosen) > 0 && !s.chosen[0].Related {
		best = s.chosen[0].Score
	}
	seen := make(map[*search.Document]bool)
	for _, c := range s.chosen {
		d, body := s.ix.describe(c.Document), s.bodies[c.Document]
		heading := c.Heading
		if len(heading) == 0 {
			heading = []string{d.Title}
		}
		var from []string
		if !seen[c.Document] {
			seen[c.Document], from = true, s.ix.linkedFrom(c.Document)
		}
		versions, moreVersions := s.ix.versions(s.versions[c.Document])
		near, moreNear := s.nearCopies(c)
		out = append(out, Passage{
			Document: d, LinkedFrom: from, Span: c.Span, URI: d.URI + "#" + body.Fragment(c.Span),
			Text: c.text, Place: body.Place(c.Span), Heading: heading, Score: match.Share(c.Score, best),
			LexicalRank: c.LexicalRank, VectorRank: c.VectorRank, Related: c.Related, Copies: c.copies, MoreCopies: c.moreCopies,
			Near: near, MoreNear: moreNear, Versions: versions, MoreVersions: moreVersions,
		})
	}
	return out
}
