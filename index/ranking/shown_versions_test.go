package ranking

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/search"
)

// TestSaidByAFormat: a passage of another format says nothing of its own but by its words and
// numbers: marks, hyphens where a line ends and heads of pages are none.
func TestSaidByAFormat(t *testing.T) {
	const page = "## § 3 Leash\n\nDogs are kept on a **leash** in [forests](forest.md) from 1 April to 31 July, and within 50 metres of playgrounds. Guide dogs are exempt from this in every place of the municipality."
	for _, c := range []struct {
		name, old, new string
		want           bool
	}{
		{"the same", "", "", true},
		{"a line that is cut", "playgrounds", "play-\ngrounds", true},
		{"a head of a page", " of playgrounds", "\nCollection of laws 3\nof playgrounds", true},
		{"another number", "50 metres", "20 metres", false},
		{"another date", "31 July", "31 August", false},
		{"one word more", "are exempt", "are not exempt", false},
		{"one word less", "every place", "place", false},
		{"a sentence more", "playgrounds. ", "playgrounds. Keepers of large animals need a licence. ", false},
	} {
		plain := strings.NewReplacer("## ", "", "**", "", "[forests](forest.md)", "forests").Replace(page)
		other := strings.Replace(plain, c.old, c.new, 1)
		document := text.Body{Text: other + "\n\nCollection of laws 4\nand\nCollection of laws 5\n"}
		said, whole := wordsOf(document, 0, len(other)), wordsOf(text.Body{Text: page}, 0, len(page))
		if got := said.isSaidBy(whole, 0, len(whole)); got != c.want {
			t.Errorf("%s: it says nothing else: %t", c.name, got)
		}
	}
}

// TestSaidElsewhere: a dose of one drug is none of another, and letters from one template
// are distinguished by a name.
func TestSaidElsewhere(t *testing.T) {
	const shown = "We recommend for the heart metoprolol 50 mg in the morning and for the blood atorvastatin 25 mg in the morning. Anna Keller comes again in three months."
	for other, want := range map[string]bool{
		shown:                                 true,
		strings.Replace(shown, "50", "25", 1): false,
		strings.NewReplacer("50", "25", "25", "50").Replace(shown): false,
		strings.Replace(shown, "Anna Keller", "Bruno Meier", 1):    false,
	} {
		whole := wordsOf(text.Body{Text: shown}, 0, len(shown))
		if got := wordsOf(text.Body{Text: other}, 0, len(other)).isSaidBy(whole, 0, len(whole)); got != want {
			t.Errorf("%q says nothing else: %t", other, got)
		}
	}
}

// TestSaidWithDoubt checks that a doubt, a unit or a negation that only one of two texts has keeps them
// apart, at the ends and in a stretch that only one has.
func TestSaidWithDoubt(t *testing.T) {
	const shown = "Start the drug in the evening with 5 mg and stay there for two whole weeks. Blood is taken on the ward once a week, and the result is sent to us. The mouth is not rinsed, and pain in mg is no unit? Give it with food"
	for _, c := range []struct {
		name, old, new string
		want           bool
	}{
		{"the same", "", "", true},
		{"as a table", "result is", "| result | is |", true},
		{"without the first words", "Start the drug in the evening with", "drug in the evening with", true},
		{"a doubted dose", "5 mg", "5 mg?", false},
		{"a doubted dose in brackets", "5 mg", "5 mg (?)", false},
		{"a doubted dose in full width", "5 mg", "5 mg？", false},
		{"struck out", "5 mg", "~~5 mg~~", false},
		{"a negative result", "result is", "result (-) is", false},
		{"another unit", "5 mg", "5 ml", false},
		{"negated at the start, by a word that stands elsewhere", "Start the", "not start the", false},
		{"negated at the end", "Give it with food", "Give it not", false},
		{"doubted at the end", "Give it with food", "Give it with food unit?", false},
		{"another unit at the end, which stands elsewhere", "Give it with food", "week, and the result is sent to us 12 mg", false},
	} {
		whole := wordsOf(text.Body{Text: shown}, 0, len(shown))
		other := strings.Replace(shown, c.old, c.new, 1)
		if got := wordsOf(text.Body{Text: other}, 0, len(other)).isSaidBy(whole, 0, len(whole)); got != c.want {
			t.Errorf("%s: it says nothing else: %t", c.name, got)
		}
	}
	for more, want := range map[string]bool{
		"Nurses write that down each time.": true,
		"Nobody knows whether that is so?":  false,
		"Do not write that down, ever.":     false,
		"Don't write that down on paper.":   false,
		"They cannot write that down here.": false,
		"记在每一张纸上。":                          true,
		"不要记在每一张纸上。":                        false,
	} {
		long := strings.Replace(shown, "weeks. ", "weeks. "+more+" ", 1)
		whole := wordsOf(text.Body{Text: long}, 0, len(long))
		if got := wordsOf(text.Body{Text: shown}, 0, len(shown)).isSaidBy(whole, 0, len(whole)); got != want {
			t.Errorf("with %q in the other it says nothing else: %t", more, got)
		}
	}
	ends := wordsOf(text.Body{Text: "Blood is taken on the ward, and mg of it. The dose is 5 ml"}, 0, 58)
	if other := wordsOf(text.Body{Text: "Blood is taken on the ward, and mg of it. The dose is 5 mg"}, 0, 58); other.isSaidBy(ends, 0, len(ends)) {
		t.Error("5 mg at the end is said by 5 ml")
	}
}

// TestSaidInCells: numbers in two cells are not the number that their digits make.
func TestSaidInCells(t *testing.T) {
	const shown = "Insulin units before meals by weight of the patient 125 for the days after the operation on this ward"
	whole := wordsOf(text.Body{Text: shown}, 0, len(shown))
	for of, want := range map[string]bool{"125": true, "| 125 |": true, "12 5": false, "| 12 | 5 |": false, "1 25": false} {
		other := strings.Replace(shown, "125", of, 1)
		if got := wordsOf(text.Body{Text: other}, 0, len(other)).isSaidBy(whole, 0, len(whole)); got != want {
			t.Errorf("with %q it says nothing else: %t", of, got)
		}
	}
}

// TestSaidInChinese: each character is a word.
func TestSaidInChinese(t *testing.T) {
	const shown = "## 第三条\n\n在公园和人行道上遛狗时应当使用长度不超过两米的牵引绳，并随身携带登记证。"
	whole := wordsOf(text.Body{Text: shown}, 0, len(shown))
	for other, want := range map[string]bool{
		"第三条 在公园和人行道上遛狗时应当使用长度\n不超过两米的牵引绳，并随身携带登记证。": true,
		"第三条 在公园和人行道上遛狗时应当使用长度不超过三米的牵引绳，并随身携带登记证。":   false,
	} {
		if got := wordsOf(text.Body{Text: other}, 0, len(other)).isSaidBy(whole, 0, len(whole)); got != want {
			t.Errorf("%q says nothing else: %t", other, got)
		}
	}
}

// TestRunningLine: what stands again and again is the head of a page only where its number
// grows page by page.
func TestRunningLine(t *testing.T) {
	for document, want := range map[string]bool{
		"Laws 1\na\nLaws 2\nb\nLaws 3\n":          true,
		"1 Laws\na\n2 Laws\nb\n3 Laws\n":          true,
		"Dose 5\na\nDose 25\nb\nDose 50\n":        false,
		"Laws 1\na\nLaws 2\n":                     false,
		"Laws\na\nLaws\nb\nLaws\n":                false,
		"Laws 1\na\nof Laws\nLaws 2\nb\nLaws 3\n": true,
	} {
		line, _, _ := strings.Cut(document, "\n")
		if got := isRunningLine(line, document); got != want {
			t.Errorf("%q begins with a running line: %t", document, got)
		}
	}
}

func TestAreFormats(t *testing.T) {
	c := newCorpus(t)
	for _, p := range []struct {
		a, b string
		want bool
	}{
		{"laws/dogs.md", "laws/dogs.pdf", true},
		{"laws/dogs.md", "laws/dogs (1).md", true},
		{"laws/html/dogs.html", "laws/pdf/dogs.pdf", true},
		{"html/2024/dogs.html", "pdf/2024/dogs.pdf", true},
		{"patients/keller/letter.md", "patients/meier/letter.md", false},
		{"html/dogs.html", "pdf/cats.pdf", false},
		{"html/2024/dogs.html", "pdf/2023/dogs.pdf", false},
		{"dogs.html", "pdf/dogs.pdf", false},
	} {
		a, b := c.put(p.a, "a"), c.put(p.b, "b")
		if areFormats(a, b) != p.want || areFormats(b, a) != p.want {
			t.Errorf("%s and %s are formats of one text: %t", p.a, p.b, !p.want)
		}
	}
}

// TestVersionsTakeOnePlace: of files of one text one is shown, on whichever page, and the
// other is named there; what says otherwise has a place.
func TestVersionsTakeOnePlace(t *testing.T) {
	c := newCorpus(t)
	const leash = "The leash of a dog is no longer than two metres in every street and square of the municipality."
	const tax = "For each dog the keeper pays a tax of 120 francs a year, due on the last day of March."
	c.put("md/dogs.md", "# Leash\n\n"+leash+"\n\n# Tax\n\n"+tax)
	c.put("pdf/dogs.pdf", "Leash "+strings.Replace(leash, "longer", "lon-\nger", 1)+"\nTax "+strings.Replace(tax, "keeper", "kee-\nper", 1))
	c.put("old/dogs.txt", strings.Replace(tax, "120", "100", 1))
	of := shelf{documents: slices.Collect(maps.Keys(c.texts))}
	folders := NewSimilarFolders(of.paths)
	var found []string
	for page := range 4 {
		asked := []search.Phrasing{phrasing("dog tax")}
		r, err := Rank(t.Context(), c, Question{Text: "dog tax", Phrasings: asked, PassagesPerPage: 1, Page: page, SimilarFolders: func() *SimilarFolders { return folders }})
		c.must(err)
		for _, p := range r.Passages() {
			one := fmt.Sprintf("%s:%d", p.Document.Path, p.first)
			for _, n := range p.SimilarChunks {
				one += "~" + n.Document.Path
			}
			found = append(found, one)
		}
		if r.HasMore() != (page < 2) {
			t.Errorf("page %d: there is more: %t", page, r.HasMore())
		}
		r.Release()
	}
	slices.Sort(found)
	if got := strings.Join(found, " "); got != "md/dogs.md:0 md/dogs.md:1~pdf/dogs.pdf old/dogs.txt:0" {
		t.Errorf("the pages have %s", got)
	}
}
