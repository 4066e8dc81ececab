package index

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/quote"
	"vademecum/index/search"
	"vademecum/index/sync"
)

// TestQuotations makes quotations of up to 100 documents of a folder: as they stand there,
// spacing, hyphens or marks, with a number, a name, a negation or a unit changed, and such of
// another folder. QUOTE_DIR measures it on another than the samples,
// QUOTE_OTHERS names folders that others are taken from.
func TestQuotations(t *testing.T) {
	t.Parallel()
	dir, others := os.Getenv("QUOTE_DIR"), filepath.SplitList(os.Getenv("QUOTE_OTHERS"))
	if dir == "" {
		dir, others = filepath.Join("..", "sample_docs"), []string{filepath.Join("..", "internal", "app", "manual")}
	}
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), dir)
	mustSync(t, ix, sync.Scope{})
	m := quotationMaker{Rand: rand.New(rand.NewPCG(1, 2)), bodies: bodiesOf(t, ix)}
	for _, folder := range others {
		files, err := filepath.Glob(filepath.Join(folder, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && len(text) > 1000 {
				m.others = append(m.others, string(text))
			}
		}
	}
	var made []madeQuotation
	for i, path := range m.paths() {
		for _, kind := range []string{"exact", "spaced", "changed", "invented"} {
			for try := range 400 {
				if q, ok := m.make(kind, path, i+try/100); ok {
					made = append(made, q)
					break
				}
			}
		}
	}
	counts := make(map[string][2]int)
	for some := range slices.Chunk(made, MaxQuotes) {
		q := QuoteQuery{Timeout: time.Minute}
		for _, m := range some {
			q.Quotes = append(q.Quotes, Quote{Text: m.text})
		}
		checked, err := ix.checkQuotes(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range some {
			c := counts[m.kind]
			c[0]++
			if m.isRight(checked.Quotes[i]) {
				c[1]++
			} else {
				t.Logf("%s (%s) of %s is %s: %q, where %q stands: %+v", m.kind, m.how, m.path, checked.Quotes[i].Verdict, m.text, m.said, checked.Quotes[i].Parts)
			}
			if counts[m.kind] = c; m.kind == "changed" && checked.Quotes[i].Verdict == QuoteExact {
				t.Errorf("%q is exact, where %q stands", m.text, m.said)
			}
		}
	}
	t.Logf("of each kind, all and right: %v", counts)
	for kind, c := range counts {
		if c[0] < 90 || float64(c[1]) < 0.97*float64(c[0]) {
			t.Errorf("of %d quotations that are %s %d are right", c[0], kind, c[1])
		}
	}
}

// bodiesOf are the texts of an index, by path.
func bodiesOf(t *testing.T, ix *Index) map[string]text.Body {
	bodies := make(map[string]text.Body)
	_, err := ix.scanTexts(t.Context(), ix.literals, time.Minute, func(ctx context.Context, s *textScan) error {
		documents := slices.DeleteFunc(s.view.Matching(search.Filter{}), func(d *search.Document) bool { return d.SkipReason != "" })
		read, err := s.view.LoadBodies(ctx, documents)
		for d, body := range read {
			if len([]rune(body.Text)) > 500 {
				bodies[ix.folders.ShownPath(d.Location())] = body
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bodies
}

// madeQuotation is a quotation made of a document.
type madeQuotation struct {
	kind, how, path string
	text            string
	said            string // what stands there
}

func (m madeQuotation) isRight(c CheckedQuote) bool {
	switch m.kind {
	case "exact", "spaced":
		return c.Verdict == QuoteExact && (c.Documents > 1 || c.Parts[0].Path == m.path)
	case "changed":
		return c.Verdict == QuoteDiffers && slices.ContainsFunc(c.Parts, func(p CheckedPart) bool {
			return (p.Path == m.path || p.SharedFraction > .85) && slices.ContainsFunc(p.DiffRuns, func(r quote.DiffRun) bool { return r.Differs })
		})
	}
	return c.Verdict == QuoteNotFound
}

// quotationMaker makes quotations of texts.
type quotationMaker struct {
	*rand.Rand
	bodies map[string]text.Body
	others []string
}

// paths are those of a hundred documents, of some several times where there are fewer.
func (m *quotationMaker) paths() (all []string) {
	for path := range m.bodies {
		all = append(all, path)
	}
	slices.Sort(all)
	m.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return slices.Repeat(all, 1+100/len(all))[:100]
}

func (m *quotationMaker) make(kind, path string, turn int) (q madeQuotation, ok bool) {
	body := m.bodies[path].Text
	if kind == "invented" {
		body = m.others[m.IntN(len(m.others))]
	}
	piece, ok := m.piece(body)
	if !ok {
		return q, false
	}
	q = madeQuotation{kind: kind, path: path, text: piece, said: piece}
	switch kind {
	case "spaced":
		q.how = []string{"lines", "hyphen", "marks", "width", "joined", "punctuation"}[turn%6]
		q.text = m.spaced(q.how, piece)
	case "changed":
		q.how = []string{"number", "name", "negation", "unit"}[turn%4]
		q.text = m.changed(q.how, piece)
	default:
		return q, true
	}
	return q, q.text != piece
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// piece takes a piece of a text that begins and ends with words.
func (m *quotationMaker) piece(text string) (string, bool) {
	isEnd := func(r rune) bool { return unicode.IsSpace(r) || r == '。' || r == '，' }
	from := m.IntN(len(text))
	n := strings.IndexFunc(text[from:], isEnd)
	if n < 0 {
		return "", false
	}
	rest := strings.TrimLeftFunc(text[from+n:], isEnd)
	length := 40 + m.IntN(160)
	if len(rest) < length {
		return "", false
	}
	n = strings.IndexFunc(rest[length:], isEnd)
	if n < 0 || n > 300 {
		return "", false
	}
	piece := strings.ToValidUTF8(rest[:length+n], "")
	letters := 0
	for _, r := range piece {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	first := []rune(piece)[0]
	return piece, letters >= 12 && 2*letters > len([]rune(piece)) && (unicode.IsLetter(first) || unicode.IsDigit(first))
}

var (
	longWord    = regexp.MustCompile(`[a-z]{6,}`)
	smallMark   = regexp.MustCompile(`([a-zA-Z\p{Han}])[,;:.，；：。]( |\n|$|\p{Han})`)
	digits      = regexp.MustCompile(`\d+`)
	name        = regexp.MustCompile(`[a-z,] [A-Z][a-z]{3,}`)
	unit        = regexp.MustCompile(`\d ?(mg|kg|km|cm|mm|ml|g|m|%|years|days|months|hours|元|年|月|天|岁|克|万)`)
	verb        = regexp.MustCompile(` (is|are|was|were|can|will|should|may|does|did|has|have) `)
	hanNegation = regexp.MustCompile(`[不没未无]`)
	hanVerb     = regexp.MustCompile(`(是|可以|能|会|应|有)`)
)

// spaced has a piece look otherwise and say the same.
func (m *quotationMaker) spaced(how, piece string) string {
	switch how {
	case "lines":
		if !hasHan(piece) {
			return strings.Join(strings.Fields(piece), "\n   ")
		}
		var out strings.Builder
		for i, r := range []rune(piece) {
			if out.WriteRune(r); i%9 == 8 && unicode.Is(unicode.Han, r) {
				out.WriteString("\n")
			}
		}
		return out.String()
	case "hyphen":
		if all := longWord.FindAllStringIndex(piece, -1); len(all) > 0 {
			at := all[m.IntN(len(all))][0] + 3
			return piece[:at] + "-\n" + piece[at:]
		}
	case "marks":
		return "“" + strings.NewReplacer("\"", "'", "“", "\"", "”", "\"", "'", "’", "’", "'").Replace(piece) + "”"
	case "width":
		return strings.Map(func(r rune) rune {
			switch {
			case '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || r == ',' && hasHan(piece):
				return r + 0xfee0
			case r == '，':
				return ','
			}
			return r
		}, piece)
	case "joined":
		return strings.Join(strings.Fields(piece), " ")
	case "punctuation":
		return smallMark.ReplaceAllString(piece, "$1 $2") + "."
	}
	return piece
}

// changed has a piece look much the same and say something else.
func (m *quotationMaker) changed(how, piece string) string {
	one := func(all [][]int) []int {
		if len(all) == 0 {
			return nil
		}
		return all[m.IntN(len(all))]
	}
	switch how {
	case "number":
		if at := one(digits.FindAllStringIndex(piece, -1)); at != nil {
			number := []byte(piece[at[0]:at[1]])
			i := m.IntN(len(number))
			number[i] = '0' + (number[i]-'0'+byte(1+m.IntN(9)))%10
			return piece[:at[0]] + string(number) + piece[at[1]:]
		}
	case "name":
		if at := one(name.FindAllStringIndex(piece, -1)); at != nil {
			names := []string{"Anderson", "Petersen", "Chicago", "Nakamura", "Lopez", "Berlin", "Thompson"}
			return piece[:at[0]+2] + names[m.IntN(len(names))] + piece[at[1]:]
		}
	case "negation":
		return m.negated(piece, one)
	case "unit":
		if at := one(unit.FindAllStringSubmatchIndex(piece, -1)); at != nil {
			others := map[string]string{"mg": "g", "kg": "g", "km": "m", "cm": "mm", "mm": "cm", "ml": "l", "g": "mg", "m": "km", "%": "‰", "years": "months", "days": "hours", "months": "days", "hours": "minutes", "元": "美元", "年": "月", "月": "年", "天": "周", "岁": "月", "克": "毫克", "万": "亿"}
			return piece[:at[2]] + others[piece[at[2]:at[3]]] + piece[at[3]:]
		}
	}
	return piece
}

// negated says the opposite of a piece.
func (m *quotationMaker) negated(piece string, one func([][]int) []int) string {
	if hasHan(piece) {
		if at := one(hanNegation.FindAllStringIndex(piece, -1)); at != nil && m.IntN(2) == 0 {
			return piece[:at[0]] + piece[at[1]:]
		}
		if at := one(hanVerb.FindAllStringIndex(piece, -1)); at != nil {
			return piece[:at[0]] + "不" + piece[at[0]:]
		}
		return piece
	}
	if before, after, ok := strings.Cut(piece, " not "); ok {
		return before + " " + after
	}
	if at := one(verb.FindAllStringIndex(piece, -1)); at != nil {
		return piece[:at[1]] + "not " + piece[at[1]:]
	}
	return piece
}
